import { expect, test } from 'vitest';
import { Failure, type FailureCode, failureCodes } from '../../core/errors.ts';
import { silentLog } from '../../core/log/create-log.ts';
import { callOf } from '../../test/harness/call-of.ts';
import { fixtureApp } from '../../test/harness/fixture-app.ts';
import { answer, type FixedRoute } from '../routes.ts';
import { hintFor, hints } from './hints.ts';

const codes = Object.entries(failureCodes) as [FailureCode, { readonly status: number }][];

/** An endpoint that fails with the code it is asked for. */
const failing: FixedRoute = {
  method: 'GET',
  template: '/fail/{code}',
  auth: 'none',
  tag: '',
  operationId: '',
  run({ params }) {
    if (params['code'] === 'none') return answer({});
    throw new Failure(params['code']!, 'It failed.', { details: { reason: 'some' } });
  },
};

test.each(codes)(
  '%s: a hint in development when the request is at fault, none in production and in tests',
  async (code, { status }) => {
    for (const mode of ['development', 'test', 'production'] as const) {
      const { send } = await fixtureApp({ mode, deps: { routes: [failing] } });
      for (const accept of ['application/json', 'application/problem+json']) {
        const sent = await send('GET', `/fail/${code}`, undefined, { headers: { accept } });
        const { hint } = sent.body.error ?? sent.body;
        if (status >= 500 || mode !== 'development') expect(hint).toBeUndefined();
        else expect(hint).toMatch(/^[A-Zac-z].{30,}[.…]$/);
      }
    }
  },
);

test('the table has an entry for each code of a client, and no other', () => {
  expect(Object.keys(hints)).toEqual(codes.flatMap(([code, { status }]) => (status < 500 ? [code] : [])));
});

test('credentials: what was sent decides what is said', async () => {
  const { post } = await fixtureApp({ mode: 'development' });
  const hintOf = async (headers: Readonly<Record<string, string>>) =>
    (await post('/walker/AddTask', { title: 'x' }, { headers })).body.error.hint;
  const token = 'eyJh.eyJz.c2ln';
  expect(await hintOf({})).toMatch(
    /POST \/user\/login .*POST \/user\/register.*"Authorization: Bearer <access_token>"/,
  );
  expect(await hintOf({ authorization: token })).toBe(
    'The token was sent without "Bearer ": the header must be "Authorization: Bearer <access_token>".',
  );
  expect(await hintOf({ authorization: 'Basic YTpi' })).toMatch(
    /^Authorization takes the scheme Bearer only\..*\/user\/login/,
  );
  expect(await hintOf({ authorization: `Bearer ${token}` })).toMatch(/not made by this server/);
  const reasons = ['expired', 'revoked', 'unknown_user', 'wrong_type', 'credentials', 'missing', 'invalid'];
  const given = reasons.map((reason) =>
    hintFor(new Failure('UNAUTHORIZED', '', { details: { reason } }), callOf('POST', '/walker/A')),
  );
  expect(new Set(given).size).toBe(reasons.length);
  const ofHook = ['missing', 'invalid', 'signature', 'timestamp'].map((reason) =>
    hintFor(new Failure('UNAUTHORIZED', '', { details: { reason } }), callOf('POST', '/webhook/Pay')),
  );
  expect(new Set(ofHook).size).toBe(4);
});

test('a failure that the program chose has no hint of ours, not even when it borrows a code', async () => {
  const { post } = await fixtureApp({ mode: 'development' });
  expect((await post('/walker/Teapot', {})).body.error).toEqual({
    code: 'TEAPOT',
    message: 'short and stout',
    details: { spout: 1 },
  });
  expect(hintFor(new Failure('NOT_FOUND', '', { hint: null }), callOf('GET', '/'))).toBeUndefined();
});

test('a path that is nearly right is told so, and nothing of it in production', async () => {
  const { send } = await fixtureApp({ mode: 'development' });
  const hintOf = async (method: string, path: string) => (await send(method, path)).body.error;
  const meant = 'Did you mean this? Walker AddTask is served at POST /walker/AddTask.';
  expect((await hintOf('POST', '/AddTask')).hint).toBe(meant);
  expect((await hintOf('POST', '/addtask/')).hint).toBe(meant);
  expect((await hintOf('POST', '/walkers/AddTask')).hint).toBe('Did you mean POST /walker/AddTask?');
  expect((await hintOf('POST', '/traverze')).hint).toBe('Did you mean POST /traverse?');
  expect((await hintOf('GET', '/item/7')).hint).toBeDefined();
  expect(await hintOf('POST', '/webhook/PaymentRecieved')).toMatchObject({
    message: 'No webhook walker named PaymentRecieved. Did you mean PaymentReceived?',
    details: { available: ['PaymentReceived'] },
  });
  expect(await hintOf('POST', '/webhook/AddTask')).toMatchObject({
    message: 'No webhook walker named AddTask.',
    hint: 'Walker AddTask is served at POST /walker/AddTask.',
  });
  expect((await hintOf('POST', '/function/Ping')).hint).toBe('Walker Ping is served at POST /walker/Ping.');
  expect((await hintOf('POST', '/walker/shout')).hint).toBe('Function shout is served at POST /function/shout.');

  const closed = await fixtureApp({ mode: 'production' });
  for (const path of [
    '/AddTask',
    '/walkers/AddTask',
    '/webhook/AddTask',
    '/function/Ping',
    '/webhook/PaymentRecieved',
  ]) {
    const { error } = (await closed.send('POST', path)).body;
    expect(Object.keys(error), path).toEqual(['code', 'message']);
    expect(error.message).not.toMatch(/\/walker|PaymentReceived/);
  }
});

test('a walk that runs nothing warns in development', async () => {
  const lines: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void lines.push(message) };
  const warning = 'nothing ran: walker GetTask has no ability for Root (it has some for Task)';
  for (const [mode, expected] of [
    ['development', [warning]],
    ['production', undefined],
  ] as const) {
    const { post } = await fixtureApp({ mode, log });
    const sent = await post('/walker/GetTask', {}, { as: 'ada' });
    expect([sent.status, sent.body.data.warnings, sent.body.warnings]).toEqual([200, expected, expected]);
    expect((await post('/walker/Ping', {})).body.data).not.toHaveProperty('warnings');
  }
  expect(lines).toEqual([warning]);
});

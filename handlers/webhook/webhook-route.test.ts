/**
 * Webhook calls behind `app.handle`: the order of checks, limits, replays (docs/server/webhooks.md#call,
 * docs/server/webhooks.md#replays, docs/server/requests.md#idempotency).
 */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { openAccounts } from '../../core/accounts/accounts.ts';
import {
  fixtureClock,
  fixtureConfig,
  fixtureLog,
  fixturePasswords,
  fixtureStore,
} from '../../core/accounts/fixture.ts';
import { type FixtureOptions, fixtureApp, type Sent } from '../../test/harness/fixture-app.ts';

const origin = { client: '192.0.2.1', clientKey: '192.0.2.1', requestId: 'r' };
const payment = (id: string) => JSON.stringify({ payment_id: id, amount: 1 });

type Headers = Readonly<Record<string, string>>;

async function make(webhook: NonNullable<NonNullable<FixtureOptions['config']>['scale']>['webhook'] = {}) {
  const log = fixtureLog();
  const clock = fixtureClock(new Date().toISOString()); // the store has the system's clock
  const store = fixtureStore(clock.now);
  const config = fixtureConfig();
  const accounts = openAccounts({ accounts: store, config, clock, log: fixtureLog(), passwords: fixturePasswords() });
  const { apiKeys } = accounts;
  const userId = 'ada'; // of the fixture application, whose store has the root
  const times = { createdAt: '', updatedAt: '', lastLoginAt: null, passwordChangedAt: null };
  const state = { role: 'user', passwordHash: null, profile: {}, disabled: false, sessionVersion: 0 } as const;
  await store.createAccount({ userId, rootId: '1'.repeat(32), identities: [], ...state, ...times });
  const createKey = (allowedWalkers: readonly string[] = [], scopes: readonly ('webhook' | 'call')[] = ['webhook']) =>
    apiKeys.create(userId, { name: 'n', expiryDays: 1, scopes, allowedWalkers }, origin);
  const app = await fixtureApp({
    config: { scale: { webhook } },
    deps: { webhooks: { apiKeys, counters: store, environment: () => undefined }, clock },
    log,
  });
  const { text, signingSecret } = await createKey();
  const call = (body: string, headers: Headers = {}, path = '/webhook/PaymentReceived'): Promise<Sent> =>
    app.post(path, body, {
      headers: { 'content-type': 'application/json', 'x-api-key': text, ...headers },
      peer: '203.0.113.5',
    });
  const sign = (body: string, key = text) => createHmac('sha256', key).update(body).digest('hex');
  const signed = (body: string, headers: Headers = {}) => call(body, { 'x-webhook-signature': sign(body), ...headers });
  const timed = (body: string, at = Math.floor(clock.now() / 1000)) =>
    call(body, {
      'x-webhook-timestamp': String(at),
      'x-webhook-signature': sign(`${at}.${body}`, signingSecret),
    });
  return { app, log, clock, createKey, call, sign, signed, timed, text };
}

const runsOf = ({ body }: Sent) => body.reports?.[0]?.runs;
const reasonOf = ({ status, body }: Sent) => [status, body.error?.details?.reason ?? body.error?.code];

test('accepted and refused calls leave an audit record without secrets', async () => {
  const { signed, call, log, text } = await make();
  await signed(payment('canary-payment'));
  await call(payment('p2'), { 'x-webhook-signature': 'canary-signature' });
  await call(payment('p2'), { 'x-api-key': 'svck_canary' });
  const records = log.records.filter(({ fields }) => fields['action'] === 'webhook').map(({ fields }) => fields);
  expect(records.map(({ outcome, user_id, client }) => [outcome, user_id, client])).toEqual([
    ['ok', 'ada', '203.0.113.5'],
    ['bad_signature', 'ada', '203.0.113.5'],
    ['unauthorized', undefined, '203.0.113.5'],
  ]);
  for (const fields of records) expect(fields).toMatchObject({ audit: true, request_id: expect.stringMatching(/\w/) });
  const written = JSON.stringify(log.records);
  for (const secret of ['canary', text]) expect(written).not.toContain(secret);
});

test('the first thing that is wrong is answered', async () => {
  const { call, signed, app } = await make();
  const big = `{"payment_id": "${'x'.repeat(1 << 20)}"}`;
  const post = (headers: Headers, body = '{}') => app.post('/webhook/PaymentReceived', body, { headers });
  expect((await post({ 'content-type': 'text/plain' }, big)).status).toBe(413);
  expect(reasonOf(await post({ 'content-type': 'text/plain' }))).toEqual([401, 'missing']);
  expect(reasonOf(await post({ 'content-type': 'text/plain', 'x-api-key': 'nonsense' }))).toEqual([401, 'invalid']);
  expect(reasonOf(await call('{}', { 'content-type': 'text/plain' }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(reasonOf(await call('{}', { 'content-encoding': 'gzip' }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(reasonOf(await call('nonsense'))).toEqual([401, 'signature']);
  expect(reasonOf(await signed('nonsense'))).toEqual([400, 'INVALID_JSON']);
  expect(reasonOf(await signed('{}'))).toEqual([422, 'VALIDATION_ERROR']);
  const unsafe = await signed('{"payment_idd": "x", "n": 12345678901234567890}');
  expect(unsafe.body.error.details.map(({ type }: { type: string }) => type)).toEqual([
    'number_out_of_safe_range',
    'missing',
  ]);
  expect(unsafe.body.error.warnings[0]).toBe("unknown field 'payment_idd' (did you mean 'payment_id'?)");
  const wrong = await signed(`{"payment_id": 7, "padding": "${'x'.repeat(200_000)}"}`);
  expect(wrong.body.error.details).toMatchObject([{ loc: ['body', 'payment_id'], type: 'string_type' }]);
  const done = await signed(payment('a'));
  expect([done.status, runsOf(done)]).toEqual([200, 1]);
  expect((await app.send('GET', '/webhook/PaymentReceived')).headers['allow']).toContain('POST');
  expect((await call('{}', {}, '/webhook/Nope')).status).toBe(404);
});

test('a bearer token opens no webhook, and a key made for webhooks nothing else', async () => {
  const { app, text } = await make();
  const { status, headers } = await app.post('/webhook/PaymentReceived', payment('b'), { as: 'ada' });
  expect([status, headers['www-authenticate']]).toEqual([401, 'ApiKey realm="svc"']);
  for (const given of [{ 'x-api-key': text }, { authorization: `Bearer ${text}` }]) {
    expect((await app.post('/walker/ListTasks', {}, { headers: given as Headers })).status).toBe(401);
  }
});

test('a key made for calls opens walkers, as its owner, and no webhook; one for both opens both', async () => {
  const { app, createKey, call, sign, log } = await make();
  const caller = (await createKey([], ['call'])).text;
  const list = (text: string, path = '/walker/ListTasks') => app.post(path, {}, { headers: { 'x-api-key': text } });
  const added = await app.post('/walker/AddTask', { title: 'by key' }, { headers: { 'x-api-key': caller } });
  expect(added.status).toBe(200);
  const own = await app.post('/walker/ListTasks', {}, { as: 'ada' });
  expect((await list(caller)).body.reports).toEqual(own.body.reports);
  expect(JSON.stringify(own.body.reports)).toContain('by key');
  expect(reasonOf(await call('{}', { 'x-api-key': caller }))).toEqual([401, 'scope']);
  const limited = (await createKey(['ListTasks', 'PaymentReceived'], ['call', 'webhook'])).text;
  expect((await list(limited)).status).toBe(200);
  expect(reasonOf(await list(limited, '/walker/AddTask'))).toEqual([403, 'walker_not_allowed']);
  const body = payment('k');
  const signed = { 'x-api-key': limited, 'x-webhook-signature': sign(body, limited) };
  expect((await call(body, signed)).status).toBe(200);
  const refused = await list('svck_canary');
  expect([reasonOf(refused), refused.headers['www-authenticate']]).toEqual([[401, 'invalid'], 'ApiKey realm="svc"']);
  const calls = log.records.filter(({ fields }) => fields['action'] === 'api_key_call').map(({ fields }) => fields);
  expect(calls.map(({ outcome, user_id }) => [outcome, user_id])).toEqual([
    ['accepted', 'ada'],
    ['accepted', 'ada'],
    ['accepted', 'ada'],
    ['refused', undefined],
    ['refused', undefined],
  ]);
  expect(JSON.stringify(log.records)).not.toContain(caller.slice(38));
});

test('with a token the key is not looked at; where anybody may call a refused key makes a guest', async () => {
  const { app, createKey, text } = await make();
  const { text: caller } = await createKey(['ListTasks'], ['call']);
  const both = await app.post('/walker/AddTask', { title: 't' }, { as: 'bob', headers: { 'x-api-key': caller } });
  expect(both.status).toBe(200);
  const other = { 'x-api-key': caller, authorization: 'Basic YTpi' };
  expect((await app.post('/walker/ListTasks', {}, { headers: other })).status).toBe(200);
  const ping = async (key: string) => {
    const answer = await app.post('/walker/Ping', {}, { headers: { 'x-api-key': key } });
    return [answer.status, answer.headers['svc-auth-status']];
  };
  expect(await ping(text)).toEqual([200, 'ignored-invalid-key']); // for webhooks
  expect(await ping(caller)).toEqual([200, 'ignored-invalid-key']); // for another walker
  expect(await ping('key of a gateway')).toEqual([200, undefined]);
  expect(await ping((await createKey([], ['call'])).text)).toEqual([200, undefined]);
});

test('calls by key are limited like its webhook calls', async () => {
  const { app, createKey } = await make({ rateLimitPerMinute: 2 });
  const { text } = await createKey([], ['call']);
  const list = () => app.post('/walker/ListTasks', {}, { headers: { 'x-api-key': text } });
  expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([200, 200, 429]);
  const guess = () => app.post('/walker/ListTasks', {}, { headers: { 'x-api-key': 'guess' }, peer: '203.0.113.9' });
  for (let i = 0; i < 30; i++) expect((await guess()).status).toBe(401);
  expect((await guess()).status).toBe(429);
});

test('keys for other walkers are refused after the type, before the signature', async () => {
  const { createKey, call } = await make();
  const { text } = await createKey(['Other']);
  expect(reasonOf(await call('nonsense', { 'x-api-key': text }))).toEqual([403, 'walker_not_allowed']);
});

test('identical signed deliveries with a time run once; the plain scheme runs each', async () => {
  const { timed, signed, clock } = await make();
  const at = Math.floor(clock.now() / 1000);
  const first = await timed(payment('c'), at);
  const again = await timed(payment('c'), at);
  expect([runsOf(first), runsOf(again), again.headers['idempotent-replayed']]).toEqual([1, 1, 'true']);
  expect(runsOf(await timed(payment('c'), at - 1))).toBe(2);
  expect([runsOf(await signed(payment('d'))), runsOf(await signed(payment('d')))]).toEqual([1, 2]);
  clock.advance(301);
  expect(reasonOf(await timed(payment('c'), at))).toEqual([401, 'timestamp']);
});

test('idempotency keys belong to the owner and the walker', async () => {
  const { signed } = await make();
  const key = { 'idempotency-key': 'k1' };
  expect(runsOf(await signed(payment('e'), key))).toBe(1);
  expect(runsOf(await signed(payment('e'), key))).toBe(1);
  expect(reasonOf(await signed(payment('f'), key))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect(reasonOf(await signed(payment('e'), { 'idempotency-key': 'ä' }))).toEqual([400, 'BAD_REQUEST']);
});

test('ten identical deliveries at the same time run once', async () => {
  const { timed, signed } = await make();
  const answers = await Promise.all(Array.from({ length: 10 }, () => timed(payment('g'))));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(runsOf(await signed(payment('g')))).toBe(2);
});

test('calls per key, and unknown keys per address, are limited', async () => {
  const { signed, call, createKey, sign } = await make({ rateLimitPerMinute: 2 });
  expect((await signed(payment('h'))).status).toBe(200);
  expect((await signed(payment('h'))).status).toBe(200);
  const refused = await signed(payment('h'));
  expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, 30]);
  const { text } = await createKey();
  const other = { 'x-api-key': text, 'x-webhook-signature': sign(payment('h'), text) };
  expect((await call(payment('h'), other)).status).toBe(200);
  for (let i = 0; i < 30; i++) expect((await call('{}', { 'x-api-key': `guess ${i}` })).status).toBe(401);
  expect((await call('{}', { 'x-api-key': 'guess' })).status).toBe(429);
});

test('without verification the key is still needed', async () => {
  const { call } = await make({ verifySignature: false });
  expect((await call(payment('i'))).status).toBe(200);
  expect((await call(payment('i'), { 'x-api-key': 'x' })).status).toBe(401);
});

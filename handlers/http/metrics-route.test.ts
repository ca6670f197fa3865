import { expect, test } from 'vitest';
import { fixtureApp, type SendOptions } from '../../test/harness/fixture-app.ts';
import { guest } from '../auth/identify.ts';
import type { Caller } from '../caller.ts';
import { isPrivateAddress } from './metrics-route.ts';

async function scraped(mode: 'development' | 'production', token: string) {
  const users: Record<string, Caller> = {
    root: { ...guest, kind: 'user', userId: 'root', role: 'admin' },
    ada: { ...guest, kind: 'user', userId: 'ada', role: 'user' },
  };
  const { send } = await fixtureApp({
    mode,
    config: { scale: { metrics: { token, endpoint: '/numbers' } } },
    deps: {
      exposeMetrics: async (format) => `# ${format}\n`,
      sockets: { identifyToken: (text) => users[text] ?? 'invalid', onSessionEnd: () => () => {} },
    },
  });
  return (options: SendOptions = {}) => send('GET', '/numbers', undefined, options);
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test('open in development, in the format asked for', async () => {
  const get = await scraped('development', '');
  const plain = await get({ peer: '203.0.113.7' });
  expect(plain.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(plain.text).toBe('# text\n');
  const open = await get({ headers: { accept: 'application/openmetrics-text; version=1.0.0' } });
  expect(open.headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
});

test('in production: the own network, unless a proxy stands between, and admins', async () => {
  const get = await scraped('production', '');
  expect((await get({ peer: '10.1.2.3' })).status).toBe(200);
  expect((await get({ peer: '127.0.0.1' })).status).toBe(200);
  const stranger = await get({ peer: '203.0.113.7' });
  expect([stranger.status, stranger.body.error.code]).toEqual([403, 'FORBIDDEN']);
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    expect((await get({ peer: '10.1.2.3', headers: { [name]: '10.1.2.3' } })).status).toBe(403);
  }
  expect((await get({ peer: '203.0.113.7', ...bearer('root') })).status).toBe(200);
  expect((await get({ peer: '203.0.113.7', ...bearer('ada') })).status).toBe(403);
});

test('with a token: that, or the token of an admin', async () => {
  const get = await scraped('production', 'scrape-me');
  expect((await get({ peer: '10.1.2.3' })).status).toBe(401);
  expect((await get(bearer('scrape-m'))).status).toBe(401);
  expect((await get(bearer('ada'))).status).toBe(401);
  expect((await get(bearer('scrape-me'))).status).toBe(200);
  expect((await get(bearer('root'))).status).toBe(200);
});

test('private addresses', () => {
  const near = ['127.0.0.1', '10.9.9.9', '172.16.0.1', '172.31.255.1', '192.168.1.1', '::1', 'fd00::1', 'fe80::1%eth0'];
  for (const address of [...near, '::ffff:10.0.0.1'])
    expect([address, isPrivateAddress(address)]).toEqual([address, true]);
  for (const address of ['8.8.8.8', '172.32.0.1', '192.169.0.1', '2001:db8::1', '11.0.0.1', '']) {
    expect([address, isPrivateAddress(address)]).toEqual([address, false]);
  }
});

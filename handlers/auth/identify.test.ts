import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { SHARED_ROOT_ID } from '../../core/graph/ids.ts';
import type { Caller } from '../caller.ts';
import { authFixture, callWith } from './fixture.ts';
import { bearerToken } from './identify.ts';

async function signedIn(options?: Parameters<typeof authFixture>[0]) {
  const fixture = authFixture(options);
  const data = await fixture.register('ada@example.com');
  const header = `Bearer ${data['token']}`;
  return {
    ...fixture,
    data,
    header,
    ask: (need: 'bearer' | 'optional' = 'bearer') => fixture.auth.identify(callWith(header), need),
  };
}

const guest = { kind: 'guest', userId: null, rootId: SHARED_ROOT_ID, role: 'guest', ignoredToken: false };

test('a token stands for its account', async () => {
  const { ask, data } = await signedIn();
  expect(await ask()).toMatchObject({
    kind: 'user',
    userId: data['user_id'],
    rootId: data['root_id'],
    role: 'user',
    ignoredToken: false,
  });
});

test('a remembered token is answered at once, without asking the store', async () => {
  for (const isRemote of [false, true]) {
    const { ask, store } = await signedIn({ isRemote });
    const first = await ask();
    store.reads = 0;
    expect(ask()).toBe(first);
    expect(ask('optional')).toBe(first);
    expect(store.reads).toBe(0);
  }
});

test('with an embedded store even the first answer needs no promise', async () => {
  const { ask } = await signedIn();
  expect((ask() as Caller).kind).toBe('user');
});

test('the scheme is case-insensitive, others count as no token', async () => {
  const { auth, data } = await signedIn();
  expect(await auth.identify(callWith(`bearer ${data['token']}`), 'bearer')).toMatchObject({ kind: 'user' });
  expect(auth.identify(callWith('Basic YTpi'), 'optional')).toEqual(guest);
  expect(() => auth.identify(callWith('Basic YTpi'), 'bearer')).toThrow(
    expect.objectContaining({
      status: 401,
      details: { reason: 'missing' },
      headers: { 'WWW-Authenticate': 'Bearer realm="svc"' },
    }),
  );
  expect(bearerToken('BEARER   x.y.z  ')).toBe('x.y.z');
  expect(bearerToken('Bearer')).toBeUndefined();
  expect(bearerToken('Bearerx.y.z')).toBeUndefined();
});

test('nobody in particular', async () => {
  const { auth, header } = await signedIn();
  expect(auth.identify(callWith(undefined), 'optional')).toEqual(guest);
  expect(auth.identify(callWith(header), 'none')).toEqual(guest);
  expect(() => auth.identify(callWith(undefined), 'bearer')).toThrow('Authentication is required.');
});

test('a bad token is refused where one is needed and noted where none is', () => {
  const { auth } = authFixture();
  expect(auth.identify(callWith('Bearer not.a.token'), 'optional')).toEqual({ ...guest, ignoredToken: true });
  expect(() => auth.identify(callWith('Bearer not.a.token'), 'bearer')).toThrow(
    expect.objectContaining({
      code: 'UNAUTHORIZED',
      message: 'Invalid or expired token',
      details: { reason: 'invalid' },
      headers: { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_token"' },
    }),
  );
});

const forged = (payload: object, header: object = { alg: 'HS256', typ: 'JWT' }) => {
  const input = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${createHmac('sha256', 'svc-insecure-development-secret!').update(input).digest('base64url')}`;
};

test('the forged tokens of the acceptance transcript', () => {
  const { auth } = authFixture();
  const subject = '00000000-0000-4000-8000-000000000001';
  const cases: [string, string][] = [
    [
      'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiIwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJ1c2VyX2lkIjoiMDAwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAxIiwicm9sZSI6ImFkbWluIiwiaWF0IjoxNzY3MjI1NjAwLCJleHAiOjQxMDI0NDQ4MDB9.',
      'invalid',
    ],
    [
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1c2VybmFtZSI6Imdob3N0IiwiaWF0IjoxNzY3MjI1NjAwLCJleHAiOjQxMDI0NDQ4MDB9.ebrHRxnGhBDrMeaj73gjLtTcrGOj416JHa-pfbsWYso',
      'invalid',
    ],
    [
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0eXBlIjoiYXBpX2tleSIsInN1YiI6IjAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwMSIsImlhdCI6MTc2NzIyNTYwMCwiZXhwIjo0MTAyNDQ0ODAwfQ.JAXlEv61fYQ0T7w5MBn8GzSllwWdPy05PPHFQpj1MDQ',
      'wrong_type',
    ],
    [forged({ sub: subject, iat: 1_767_225_600, exp: 4_102_444_800 }), 'unknown_user'],
    [forged({ sub: '__proto__', exp: 4_102_444_800 }), 'unknown_user'],
  ];
  for (const [token, reason] of cases) {
    expect(() => auth.identify(callWith(`Bearer ${token}`), 'bearer')).toThrow(
      expect.objectContaining({ status: 401, details: { reason } }),
    );
  }
});

test('a remembered token ends with its expiry, to the second', async () => {
  const { ask, clock } = await signedIn();
  clock.advance(604_800 + 30);
  expect(await ask()).toMatchObject({ kind: 'user' });
  expect(await ask()).toMatchObject({ kind: 'user' });
  clock.advance(1);
  expect(() => ask()).toThrow(expect.objectContaining({ details: { reason: 'expired' } }));
  expect(() => ask()).toThrow(expect.objectContaining({ details: { reason: 'expired' } }));
});

test('a token that was used long before its end is refused after it, though it was remembered', async () => {
  const { ask, clock } = await signedIn();
  expect(await ask()).toMatchObject({ kind: 'user' });
  clock.advance(2_000_000);
  expect(() => ask()).toThrow(expect.objectContaining({ details: { reason: 'expired' } }));
});

test.each([false, true])(
  'logout, password change and logout of all bite at once (remote store: %s)',
  async (isRemote) => {
    const { ask, send, data, auth, clock } = await signedIn({ isRemote });
    await ask();
    const other = (
      await send('POST', '/user/login', { body: { email: 'ada@example.com', password: 'correct horse 1' } })
    ).data!;
    const askOther = async () => auth.identify(callWith(`Bearer ${other['token']}`), 'bearer');
    await askOther();

    await send('POST', '/user/logout', { token: data['token']! });
    await expect(async () => ask()).rejects.toMatchObject({ details: { reason: 'revoked' } });
    expect(await askOther()).toMatchObject({ kind: 'user' });

    const changed = await send('PUT', '/user/password', {
      token: other['token'],
      body: { current_password: 'correct horse 1', new_password: 'correct horse 2' },
    });
    await expect(askOther).rejects.toMatchObject({ details: { reason: 'revoked' } });
    const fresh = `Bearer ${changed.data!['token']}`;
    expect(await auth.identify(callWith(fresh), 'bearer')).toMatchObject({ kind: 'user' });

    await send('POST', '/user/logout', { token: changed.data!['token'], body: { all: true } });
    await expect(async () => auth.identify(callWith(fresh), 'bearer')).rejects.toMatchObject({
      details: { reason: 'revoked' },
    });
    clock.advance(5_000);
    await expect(async () => ask()).rejects.toMatchObject({ details: { reason: 'revoked' } });
  },
);

test('what other processes change shows within the cache time', async () => {
  const { ask, store, clock, data } = await signedIn();
  await ask();
  const account = store.accounts.get(data['user_id']!)!;
  store.accounts.set(account.userId, { ...account, disabled: true });
  expect(await ask()).toMatchObject({ kind: 'user' });
  clock.advance(30);
  expect(() => ask()).toThrow(expect.objectContaining({ code: 'ACCOUNT_DISABLED', status: 403 }));
  expect(ask('optional')).toEqual({ ...guest, ignoredToken: true });
  store.accounts.set(account.userId, account);
  clock.advance(30);
  expect(await ask()).toMatchObject({ kind: 'user' });
  store.accounts.delete(account.userId);
  clock.advance(30);
  expect(() => ask()).toThrow(expect.objectContaining({ details: { reason: 'unknown_user' } }));
});

test('a token revoked by another process is refused within the cache time', async () => {
  const { ask, store, clock, auth, header } = await signedIn();
  const { claims } = (await ask()) as unknown as { claims: { tokenId: string; expiresAt: number } };
  await store.revokeToken(claims.tokenId, claims.expiresAt);
  clock.advance(30);
  expect(() => auth.identify(callWith(header), 'bearer')).toThrow(
    expect.objectContaining({ details: { reason: 'revoked' } }),
  );
});

test('built-in accounts never sign in by token', async () => {
  const { ask, store, data, clock } = await signedIn();
  const account = store.accounts.get(data['user_id']!)!;
  store.accounts.set(account.userId, { ...account, role: 'system' });
  clock.advance(31);
  expect(() => ask()).toThrow(expect.objectContaining({ details: { reason: 'unknown_user' } }));
});

test('the role is the one the configuration gives', async () => {
  const { ask } = await signedIn({ config: { auth: { admins: ['ADA@example.com'] } } });
  expect(await ask()).toMatchObject({ role: 'admin' });
});

test('tokens from elsewhere than the header, and news of ended sessions', async () => {
  const { auth, data, send } = await signedIn();
  const ended: unknown[] = [];
  const stop = auth.onSessionEnd((one) => ended.push(one));
  const caller = (await auth.identifyToken(data['token']!)) as Caller & { claims: { tokenId: string } };
  expect(caller).toMatchObject({ userId: data['user_id'] });
  expect(auth.identifyToken('x')).toBe('invalid');
  await send('POST', '/user/logout', { token: data['token']! });
  expect(ended).toEqual([{ userId: data['user_id'], tokenId: caller.claims.tokenId }]);
  stop();
});

import { expect, test } from 'vitest';
import { openAccounts } from './accounts.ts';
import { fixtureClock, fixtureConfig, fixtureLog, fixturePasswords, fixtureStore } from './fixture.ts';

const origin = { client: '192.0.2.1', clientKey: '192.0.2.1', requestId: 'r' };

async function make({ isRemote = false } = {}) {
  const clock = fixtureClock();
  const store = fixtureStore(clock.now);
  store.isRemote = isRemote;
  const log = fixtureLog();
  const open = (jwt: Parameters<typeof fixtureConfig>[0] = {}) =>
    openAccounts({ accounts: store, config: fixtureConfig(jwt), clock, log, passwords: fixturePasswords() });
  const accounts = open();
  const users: string[] = [];
  for (const value of ['ada', 'bob']) {
    const identities = [{ type: 'username', value } as const];
    users.push((await accounts.register({ identities, password: 'x', profile: {} }, origin)).account.userId);
  }
  const [ada, bob] = users as [string, string];
  const create = (expiryDays = 30) =>
    accounts.apiKeys.create(ada, { name: 'n', expiryDays, scopes: ['webhook'], allowedWalkers: [] }, origin);
  return { accounts, keys: accounts.apiKeys, store, clock, log, open, ada, bob, create };
}

test('a key is good for its owner until it expires', async () => {
  const { keys, clock, create, ada } = await make();
  const { text, signingSecret } = await create();
  expect(text).toMatch(/^svck_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/);
  const key = await keys.check(text);
  expect([key?.userId, key?.text, key?.signingSecret()]).toEqual([ada, text, signingSecret]);
  clock.advance(30 * 86_400 - 1);
  expect((await keys.check(text))?.userId).toBe(ada);
  expect((await keys.list(ada))[0]?.isActive).toBe(true);
  clock.advance(1);
  expect(await keys.check(text)).toBeUndefined();
  expect((await keys.list(ada))[0]?.isActive).toBe(false);
  const permanent = await create(0);
  clock.advance(100 * 365 * 86_400);
  expect((await keys.check(permanent.text))?.userId).toBe(ada);
});

test.each([false, true])('nothing else is good (remote store: %s)', async (isRemote) => {
  const { keys, create } = await make({ isRemote });
  const { text } = await create();
  const other = await create();
  const swapped = `${text.slice(0, 38)}${other.text.slice(38)}`;
  for (const bad of ['', 'svck_', `${text}x`, text.slice(0, -1), text.toUpperCase(), swapped, ` ${text}`]) {
    expect(await keys.check(bad)).toBeUndefined();
  }
  expect(await keys.check(text)).toBeDefined();
});

test('the secret is not stored in a readable form, and never logged', async () => {
  const { store, log, create, ada } = await make();
  const { text, signingSecret } = await create();
  const stored = JSON.stringify([await store.apiKeysOf(ada), log.records]);
  for (const secret of [text.slice(38), signingSecret, signingSecret.slice(6)]) expect(stored).not.toContain(secret);
});

test('revoking works at once, again, and only for the owner', async () => {
  const { keys, ada, bob, create, open } = await make();
  const elsewhere = open().apiKeys;
  const { text, record } = await create();
  await keys.check(text);
  await elsewhere.check(text);
  await expect(keys.revoke(bob, record.id, origin)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(keys.revoke(ada, '0'.repeat(32), origin)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await keys.check(text)).toBeDefined();
  await keys.revoke(ada, record.id, origin);
  await keys.revoke(ada, record.id, origin);
  expect(await keys.check(text)).toBeUndefined();
  expect(await keys.list(ada)).toEqual([]);
});

test('by its id a key is found again, but an id presented as a key is none', async () => {
  const { keys, ada, create, clock } = await make();
  const { text, record } = await create();
  expect((await keys.check(text))?.id).toBe(record.id);
  for (let i = 0; i < 2; i++) expect((await keys.recheck(record.id))?.userId).toBe(ada);
  expect(await keys.check(record.id)).toBeUndefined();
  expect(await keys.recheck('0'.repeat(32))).toBeUndefined();
  await keys.revoke(ada, record.id, origin);
  expect(await keys.recheck(record.id)).toBeUndefined();
  const other = await create(1);
  clock.advance(86_400);
  expect(await keys.recheck(other.record.id)).toBeUndefined();
});

test('another process hears of a revocation when its memory has run out', async () => {
  const { keys, ada, create, open, clock } = await make();
  const elsewhere = open().apiKeys;
  const { text, record } = await create();
  await elsewhere.check(text);
  await keys.revoke(ada, record.id, origin);
  clock.advance(30);
  expect(await elsewhere.check(text)).toBeUndefined();
});

test('an account that is switched off takes its keys along', async () => {
  const { keys, create, store, ada, clock } = await make();
  const { text } = await create();
  const account = store.accounts.get(ada)!;
  store.accounts.set(ada, { ...account, disabled: true });
  clock.advance(31);
  expect(await keys.check(text)).toBeUndefined();
});

test('an account has so many keys; revoked ones do not count', async () => {
  const { keys, create, ada } = await make();
  const [first] = [await create(), await create(), await create()];
  await expect(create()).rejects.toMatchObject({ code: 'LIMIT_REACHED', status: 409 });
  await keys.revoke(ada, first.record.id, origin);
  await create();
  expect(await keys.list(ada)).toHaveLength(3);
});

test('the last use is noted at most once a minute', async () => {
  const { keys, create, store, clock } = await make();
  const { text, record } = await create();
  const lastUsed = async () => (await store.apiKeyById(record.id))?.lastUsedAt;
  clock.advance(100);
  await keys.check(text);
  const first = await lastUsed();
  expect(first).toBe(new Date(clock.now()).toISOString());
  clock.advance(59);
  await keys.check(text);
  expect(await lastUsed()).toBe(first);
  clock.advance(1);
  await keys.check(text);
  expect(await lastUsed()).toBe(new Date(clock.now()).toISOString());
});

test('a signing secret survives a change of the token secret and is encrypted anew when used', async () => {
  const { create, open, store } = await make();
  const { text, signingSecret, record } = await create();
  const secret = 'another secret, also long enough!!!';
  const previousSecrets = ['svc-insecure-development-secret!'];
  const key = await open({ jwt: { secret, previousSecrets } }).apiKeys.check(text);
  expect(key?.signingSecret()).toBe(signingSecret);
  expect((await store.apiKeyById(record.id))?.signingSecret).not.toBe(record.signingSecret);
  expect((await open({ jwt: { secret } }).apiKeys.check(text))?.signingSecret()).toBe(signingSecret);
});

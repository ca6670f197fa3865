import { expect, test } from 'vitest';
import type { AccountRecord } from './account-store.ts';
import { fixtureClock, fixtureStore } from './fixture.ts';
import { createSessions, type Session } from './sessions.ts';

const ada: AccountRecord = {
  userId: 'ada',
  rootId: 'f'.repeat(32),
  role: 'user',
  passwordHash: null,
  profile: {},
  disabled: false,
  sessionVersion: 0,
  identities: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastLoginAt: null,
  passwordChangedAt: null,
};

async function setUp(capacity?: number) {
  const clock = fixtureClock();
  const store = fixtureStore(clock.now);
  await store.createAccount(ada);
  return { clock, store, sessions: createSessions(store, 30_000, capacity) };
}

test('an account is read once within the cache time, and synchronously where the store answers so', async () => {
  const { clock, store, sessions } = await setUp();
  const first = sessions.load('ada', clock.now()) as Session;
  expect(first.account).toBe(ada);
  clock.advance(29);
  expect(sessions.load('ada', clock.now())).toBe(first);
  expect(store.reads).toBe(1);
  clock.advance(1);
  sessions.load('ada', clock.now());
  expect(store.reads).toBe(2);
});

test('unknown accounts are not remembered', async () => {
  const { clock, store, sessions } = await setUp();
  expect(sessions.load('eve', clock.now())).toBeUndefined();
  store.accounts.set('eve', { ...ada, userId: 'eve' });
  expect(sessions.load('eve', clock.now())).toBeDefined();
});

test('the epoch rises when a session may be over, and not for other changes', async () => {
  const { clock, sessions } = await setUp();
  const session = sessions.load('ada', clock.now()) as Session;
  const before = session.epoch;
  sessions.changed({ ...ada, lastLoginAt: 'now' }, clock.now());
  expect(session.epoch).toBe(before);
  sessions.changed({ ...ada, sessionVersion: 1 }, clock.now());
  expect(session.epoch).toBe(before + 1);
  sessions.touch('ada');
  expect(session.epoch).toBe(before + 2);
});

test('a change found by reading again also raises the epoch', async () => {
  const { clock, store, sessions } = await setUp();
  const session = sessions.load('ada', clock.now()) as Session;
  store.accounts.set('ada', { ...ada, disabled: true });
  clock.advance(31);
  sessions.load('ada', clock.now());
  expect(session.epoch).toBe(1);
});

test('a read that was under way during a write is not believed', async () => {
  const { clock, store, sessions } = await setUp();
  store.isRemote = true;
  const reading = sessions.load('ada', clock.now());
  const changed = { ...ada, sessionVersion: 1 };
  store.accounts.set('ada', changed);
  sessions.changed(changed, clock.now());
  expect((await reading)?.account.sessionVersion).toBe(1);
});

test('readers at the same time share one read', async () => {
  const { clock, store, sessions } = await setUp();
  store.isRemote = true;
  await Promise.all([1, 2, 3].map(() => sessions.load('ada', clock.now())));
  expect(store.reads).toBe(1);
});

test('what no longer fits is told to look again', async () => {
  const { clock, store, sessions } = await setUp(1);
  const session = sessions.load('ada', clock.now()) as Session;
  store.accounts.set('bob', { ...ada, userId: 'bob' });
  sessions.load('bob', clock.now());
  expect(session.epoch).toBe(1);
  expect(sessions.load('ada', clock.now())).not.toBe(session);
});

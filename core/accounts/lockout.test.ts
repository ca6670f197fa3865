import { expect, test } from 'vitest';
import { fixtureClock, fixtureStore } from './fixture.ts';
import { identityDigest } from './identity-digest.ts';
import { createLockout, type Lockout } from './lockout.ts';

const rules = { maxFailures: 5, maxFailuresPerAddress: 8, windowSeconds: 900 };
const wrong = async () => false;
const right = async () => true;

function setUp() {
  const clock = fixtureClock();
  return { clock, lockout: createLockout(fixtureStore(clock.now), rules, clock.now) };
}

test('after so many failures even the right password is refused, until the window ends', async () => {
  const { clock, lockout } = setUp();
  for (let i = 0; i < 5; i += 1) expect(await lockout.guard('ada', 'a', wrong)).toBe(false);
  clock.advance(300);
  await expect(lockout.guard('ada', 'a', right)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    details: { retry_after: 600 },
    headers: { 'Retry-After': '600' },
  });
  expect(await lockout.guard('bob', 'a', right)).toBe(true);
  clock.advance(600);
  expect(await lockout.guard('ada', 'a', right)).toBe(true);
});

test('success clears the count of the identity, not that of the address', async () => {
  const { lockout } = setUp();
  for (let i = 0; i < 4; i += 1) await lockout.guard('ada', 'a', wrong);
  await lockout.guard('ada', 'a', right);
  for (let i = 0; i < 4; i += 1) await lockout.guard('ada', 'a', wrong);
  await expect(lockout.guard('zoe', 'a', right)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await lockout.guard('ada', 'b', right)).toBe(true);
});

/** Two processes with one store. */
function setUpTwo() {
  const clock = fixtureClock();
  const store = fixtureStore(clock.now);
  return { clock, store, lockouts: [1, 2].map(() => createLockout(store, rules, clock.now)) };
}

async function burst(lockouts: readonly Lockout[], isRight: boolean, of: (i: number) => [string, string]) {
  let tries = 0;
  const attempt = async () => {
    tries += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return isRight;
  };
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) => lockouts[i % lockouts.length]!.guard(...of(i), attempt)),
  );
  return { tries, refused: results.filter(({ status }) => status === 'rejected').length };
}

test('a burst of guesses gets no more tries than one at a time, in one process and in two', async () => {
  expect(await burst([setUp().lockout], false, (i) => ['ada', `a${i}`])).toEqual({ tries: 5, refused: 35 });
  const { lockouts, clock } = setUpTwo();
  expect(await burst(lockouts, false, (i) => ['ada', `a${i}`])).toEqual({ tries: 5, refused: 35 });
  clock.advance(899);
  expect(await burst(lockouts, true, (i) => ['ada', `a${i}`])).toEqual({ tries: 0, refused: 40 });
  clock.advance(1);
  expect(await burst(lockouts, true, (i) => ['ada', `a${i}`])).toEqual({ tries: 40, refused: 0 });
});

test('nor does a burst from one address at many identities', async () => {
  expect(await burst(setUpTwo().lockouts, false, (i) => [`user${i}`, 'a'])).toEqual({ tries: 8, refused: 32 });
  expect(await burst(setUpTwo().lockouts, true, (i) => [`user${i}`, 'a'])).toEqual({ tries: 40, refused: 0 });
});

test('an attempt that outlives its window counts in the next one, and gives nothing back that is not there', async () => {
  const { lockouts, clock, store } = setUpTwo();
  const late = (isRight: boolean) => async () => {
    clock.advance(900);
    return isRight;
  };
  await lockouts[0]!.guard('ada', 'a', late(false));
  await lockouts[0]!.guard('bob', 'b', late(true));
  expect(await store.readCounter('login:address:a')).toMatchObject({ count: 1 });
  expect(await burst(lockouts, false, () => ['ada', 'c'])).toEqual({ tries: 5, refused: 35 });
});

test('an attempt whose count is cleared by another that succeeds leaves no debt', async () => {
  const { lockouts, store } = setUpTwo();
  await lockouts[0]!.guard('ada', 'a', wrong);
  const clearing = async () => {
    await store.clearCounter(`login:identity:${identityDigest('ada')}`);
    return false;
  };
  await lockouts[0]!.guard('ada', 'a', clearing);
  expect(await burst(lockouts, false, (i) => ['ada', `a${i}`])).toEqual({ tries: 4, refused: 36 });
});

test('a burst of right passwords all passes', async () => {
  const { lockout } = setUp();
  const slowRight = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return true;
  };
  const results = await Promise.all(Array.from({ length: 40 }, () => lockout.guard('ada', 'a', slowRight)));
  expect(results.every(Boolean)).toBe(true);
});

test('what fails for other reasons counts for nothing', async () => {
  const { lockout } = setUp();
  for (let i = 0; i < 9; i += 1) {
    await expect(lockout.guard('ada', 'a', () => Promise.reject(new Error('store')))).rejects.toThrow('store');
  }
  expect(await lockout.guard('ada', 'a', right)).toBe(true);
});

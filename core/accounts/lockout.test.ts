import { expect, test } from 'vitest';
import { fixtureClock, fixtureStore } from './fixture.ts';
import { createLockout } from './lockout.ts';

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

test('a burst of guesses gets no more tries than one at a time', async () => {
  const { lockout } = setUp();
  let tries = 0;
  const slowGuess = async () => {
    tries += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return false;
  };
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) => lockout.guard('ada', `a${i}`, slowGuess)),
  );
  expect(tries).toBe(5);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(35);
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

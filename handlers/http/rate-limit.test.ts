import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

test('a burst, then one token at a time', () => {
  let time = 0;
  const limit = createRateLimit({ requestsPerMinute: 60, burst: 2, now: () => time });
  expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([0, 0, 1, 0]);
  time = 1000;
  expect([limit.take('a'), limit.take('a')]).toEqual([0, 1]);
  time = 60_000;
  expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 1]);
});

test('memory is bounded', () => {
  const limit = createRateLimit({ requestsPerMinute: 1, burst: 1, now: () => 0 });
  for (let i = 0; i < 30_000; i++) limit.take(String(i));
  expect(limit.take('29999')).toBeGreaterThan(0);
});

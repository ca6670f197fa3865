import { expect, test } from 'vitest';
import { createRestarts } from './restarts.ts';

test('the delay doubles, and a sixth exit within a minute is one too many', () => {
  let time = 0;
  const restarts = createRestarts(() => time);
  const delays = Array.from({ length: 6 }, () => {
    time += 9000;
    return restarts.next();
  });
  expect(delays).toEqual([500, 1000, 2000, 4000, 8000, undefined]);
});

test('exits that are far apart never end it; the delay stops at 30 seconds and a quiet minute forgets it', () => {
  let time = 0;
  const restarts = createRestarts(() => time);
  const delays = Array.from({ length: 9 }, () => {
    time += 20_000;
    return restarts.next();
  });
  expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  time += 60_001;
  expect(restarts.next()).toBe(500);
});

import { expect, test } from 'vitest';
import { createRestarts } from './restarts.ts';

test('the delay doubles, and a sixth failure to start within a minute is one too many', () => {
  let time = 0;
  const restarts = createRestarts(() => time);
  const exits = Array.from({ length: 6 }, () => {
    time += 9000;
    return restarts.next(false);
  });
  expect(exits.map(({ delayMs }) => delayMs)).toEqual([500, 1000, 2000, 4000, 8000, 16_000]);
  expect(exits.map(({ isFutile }) => isFutile)).toEqual([false, false, false, false, false, true]);
});

test('workers that served are replaced however many end, at most every 30 seconds', () => {
  const restarts = createRestarts(() => 0);
  const exits = Array.from({ length: 20 }, () => restarts.next(true));
  expect(exits.some(({ isFutile }) => isFutile)).toBe(false);
  expect(exits.at(-1)!.delayMs).toBe(30_000);
});

test('exits that are far apart never end it; the delay stops at 30 seconds and a quiet minute forgets it', () => {
  let time = 0;
  const restarts = createRestarts(() => time);
  const delays = Array.from({ length: 9 }, () => {
    time += 20_000;
    return restarts.next(false).delayMs;
  });
  expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  time += 60_001;
  expect(restarts.next(false).delayMs).toBe(500);
});

import { expect, test } from 'vitest';
import { atOnce, createSlices, inSlices, type Steps } from './slices.ts';

function* counted(steps: number, log: string[], name: string): Steps<string> {
  for (let i = 0; i < steps; i++) {
    log.push(`${name}${i}`);
    yield;
  }
  return name;
}

test('all at once, and one step in each turn of the event loop when there is no time', async () => {
  const log: string[] = [];
  expect(atOnce(counted(3, log, 'a'))).toBe('a');
  expect(log).toEqual(['a0', 'a1', 'a2']);
  const slices = createSlices(0);
  log.length = 0;
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const both = await Promise.all([inSlices(slices, counted(3, log, 'a')), inSlices(slices, counted(3, log, 'b'))]);
  isOver = true;
  expect(both).toEqual(['a', 'b']);
  expect(log).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
  expect(turns).toBeGreaterThanOrEqual(6);
});

test('what the work throws is what waits for it gets, and others go on', async () => {
  const slices = createSlices(5);
  const log: string[] = [];
  // biome-ignore lint/correctness/useYield: fails before the first step
  const failing = (function* (): Steps<string> {
    throw new Error('broken');
  })();
  const [failed, done] = await Promise.allSettled([inSlices(slices, failing), inSlices(slices, counted(2, log, 'a'))]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'broken' } });
  expect(done).toEqual({ status: 'fulfilled', value: 'a' });
  expect(await inSlices(slices, counted(1, log, 'c'))).toBe('c');
});

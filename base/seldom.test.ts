import { expect, test } from 'vitest';
import { createSeldom } from './seldom.ts';

test('says something once per interval, with how often there was a reason', () => {
  let time = 0;
  const said: number[] = [];
  const seldom = createSeldom(60, () => time);
  for (time = 0; time <= 130; time += 10) seldom((times) => said.push(times));
  expect(said).toEqual([1, 6, 6]);
});

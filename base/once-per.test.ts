import { expect, test } from 'vitest';
import { oncePer } from './once-per.ts';

test('an answer is found once for each object, also when it is undefined', () => {
  const asked: object[] = [];
  const find = oncePer((one: { n?: number }, add: number) => {
    asked.push(one);
    return one.n === undefined ? undefined : one.n + add;
  });
  const [first, second] = [{ n: 1 }, {}];
  expect([find(first, 1), find(first, 1), find(second, 1), find(second, 1)]).toEqual([2, 2, undefined, undefined]);
  expect(asked).toEqual([first, second]);
});

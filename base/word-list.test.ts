import { expect, test } from 'vitest';
import { wordList } from './word-list.ts';

test('joins words as a sentence does, and says how many of too many are left', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((words) => wordList(words))).toEqual([
    ...['', 'a', 'a or b', 'a, b or c'],
  ]);
  const many = Array.from({ length: 20 }, (_, i) => `w${i}`);
  expect(wordList(many)).toMatch(/^w0, .*, w11 and 8 more$/);
  expect(wordList(many.slice(0, 13), 'and')).toMatch(/, w11 and w12$/);
});

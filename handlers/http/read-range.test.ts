import { expect, test } from 'vitest';
import { readRange } from './read-range.ts';

test.each([
  ['bytes=0-3', { start: 0, end: 4 }],
  ['bytes=4-', { start: 4, end: 10 }],
  ['bytes=-3', { start: 7, end: 10 }],
  ['bytes=-99', { start: 0, end: 10 }],
  ['bytes=9-99', { start: 9, end: 10 }],
  ['Bytes= 1 - 2 ', { start: 1, end: 3 }],
  ['bytes=10-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=3-2', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0-9999999999999999999999', undefined],
  ['lines=0-3', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j of ten bytes', (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected);
});

test('of an empty file there is no part', () => {
  expect([readRange('bytes=0-', 0), readRange('bytes=-1', 0), readRange('bytes=0-0', 0)]).toEqual([
    'none',
    'none',
    'none',
  ]);
});

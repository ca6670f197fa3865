import { expect, test } from 'vitest';
import { createLine } from './line.ts';

test('values stay in the order they came, whoever leaves', () => {
  const line = createLine<string>();
  expect(line.first).toBe(undefined);
  const [a, b, c] = ['a', 'b', 'c'].map(line.add);
  expect(line.values()).toEqual(['a', 'b', 'c']);
  expect(line.remove(b!)).toBe(true);
  expect(line.remove(b!)).toBe(false);
  expect(line.values()).toEqual(['a', 'c']);
  expect(line.remove(a!)).toBe(true);
  expect(line.first).toBe('c');
  line.add('d');
  expect(line.remove(c!)).toBe(true);
  expect([line.first, line.values()]).toEqual(['d', ['d']]);
});

test('nothing leads from a value that left to those that are there', () => {
  const line = createLine<object>();
  const place = line.add({});
  line.add({});
  line.remove(place);
  expect(place).toEqual({ value: undefined, before: undefined, after: undefined });
});

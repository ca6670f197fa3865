import { expect, test } from 'vitest';
import { createClockCache } from './token-cache.ts';

const value = (name: string) => ({ name, isHit: false });

test('never holds more than its capacity', () => {
  const cache = createClockCache<ReturnType<typeof value>>(3);
  for (let i = 0; i < 100; i += 1) cache.set(`k${i}`, value(`${i}`));
  expect(cache.size).toBe(3);
});

test('what is used stays, what is not goes', () => {
  const cache = createClockCache<ReturnType<typeof value>>(3);
  for (const key of ['a', 'b', 'c']) cache.set(key, value(key));
  cache.get('a');
  cache.set('d', value('d'));
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd']);
});

test('when everything was used, the oldest goes', () => {
  const cache = createClockCache<ReturnType<typeof value>>(3);
  for (const key of ['a', 'b', 'c']) {
    cache.set(key, value(key));
    cache.get(key);
  }
  cache.set('d', value('d'));
  expect(cache.size).toBe(3);
  expect(cache.get('a')).toBeUndefined();
});

test('setting a key again replaces its value and evicts nothing', () => {
  const cache = createClockCache<ReturnType<typeof value>>(2);
  cache.set('a', value('1'));
  cache.set('b', value('2'));
  cache.set('a', value('3'));
  expect(cache.size).toBe(2);
  expect(cache.get('a')?.name).toBe('3');
  cache.delete('a');
  expect(cache.size).toBe(1);
});

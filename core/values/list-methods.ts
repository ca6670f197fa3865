/** Methods of `list` and `tuple` (language.md 6.6). */

import { isAsked } from './async-functions.ts';
import { call } from './calls.ts';
import { eq } from './equality.ts';
import { IndexError, ValueError } from './exceptions.ts';
import { requireIndex } from './index-value.ts';
import { iter } from './iteration.ts';
import { setMethods, tables } from './method-tables.ts';
import { lt, sortByKeys, sortItems } from './ordering.ts';
import { outside, run } from './regions.ts';
import { reprOf } from './repr.ts';
import { methodTable } from './signature.ts';
import { truth } from './truth.ts';
import { Tuple } from './tuple.ts';
import { $keysOf, sortedLater } from './waiting-calls.ts';

// A class of the program that inherits from `list` may give these names to methods of its own.
const { pop: remove, push, reverse, shift: removeFirst, slice, splice } = Array.prototype;

export function countItems(items: readonly unknown[], x: unknown): number {
  let found = 0;
  for (const item of items) if (item === x || eq(item, x)) found += 1;
  return found;
}

export function findItem(items: readonly unknown[], x: unknown, start: unknown, stop: unknown): number {
  const from = clamp(start, 0, items.length);
  const to = clamp(stop, items.length, items.length);
  for (let i = from; i < to; i += 1) if (items[i] === x || eq(items[i], x)) return i;
  return -1;
}

function clamp(x: unknown, fallback: number, length: number): number {
  if (x === undefined || x === null) return fallback;
  const n = Number(requireIndex(x));
  return n < 0 ? Math.max(0, n + length) : Math.min(n, length);
}

function pop(xs: unknown[], index: unknown): unknown {
  if (index === undefined) {
    if (xs.length === 0) throw new IndexError('pop from empty list');
    return remove.call(xs);
  }
  const n = Number(requireIndex(index));
  if (xs.length === 0) throw new IndexError('pop from empty list');
  const at = n < 0 ? n + xs.length : n;
  if (at < 0 || at >= xs.length) throw new IndexError('pop index out of range');
  if (at === 0) return removeFirst.call(xs);
  return splice.call(xs, at, 1)[0];
}

/**
 * Sorts in place. A key function that waits (it gives promises) makes the result a promise.
 *
 * @throws ValueError when the key function changes the list
 */
export function sortList(xs: unknown[], key: unknown, reverse: unknown): null | Promise<null> {
  const backwards = truth(reverse);
  const size = xs.length;
  if (key === undefined || key === null) {
    if (xs.some(isOrderedLater)) return outside(() => sortLater(xs, xs, backwards));
    sortItems(xs, backwards);
    if (xs.length !== size) throw new ValueError('list modified during sort');
    return null;
  }
  const items = slice.call(xs);
  const keys = outside(() => keysOf(items, key));
  const finish = (ready: readonly unknown[]): null | Promise<null> => {
    if (xs.length !== size) throw new ValueError('list modified during sort');
    if (ready.some(isOrderedLater)) return outside(() => sortLater(xs, ready, backwards));
    sortByKeys(xs, ready, backwards);
    return null;
  };
  return keys instanceof Promise ? keys.then(finish) : finish(keys);
}

/** Does it, or what it begins with, have an order that the program says, and that has to be waited for? */
function isOrderedLater(x: any): boolean {
  if (typeof x !== 'object' || x === null) return false;
  if (x instanceof Tuple) return x.items.some(isOrderedLater);
  return Array.isArray(x) ? x.some(isOrderedLater) : isAsked(x.__lt__) || isAsked(x.__gt__) || isAsked(x.__eq__);
}

async function sortLater(xs: unknown[], keys: readonly unknown[], backwards: boolean): Promise<null> {
  const items = slice.call(xs);
  const order = await sortedLater(
    items.map((_, i) => i),
    (a, b) => run(lt, backwards ? [keys[a], keys[b]] : [keys[b], keys[a]]),
  );
  if (xs.length !== items.length) throw new ValueError('list modified during sort');
  for (let i = 0; i < order.length; i += 1) xs[i] = items[order[i]!];
  return null;
}

/** The key of every item, in order; a promise when the key function waits. Each call is finished before the next. */
export function keysOf(items: readonly unknown[], key: any): unknown[] | Promise<unknown[]> {
  if (key[$keysOf] !== undefined) return key[$keysOf](items);
  const keys: unknown[] = [];
  for (let i = 0; i < items.length; i += 1) {
    const k = call(key, items[i]);
    if (k instanceof Promise) return finishKeys(items, key, keys, k);
    keys.push(k);
  }
  return keys;
}

async function finishKeys(
  items: readonly unknown[],
  key: unknown,
  keys: unknown[],
  first: Promise<unknown>,
): Promise<unknown[]> {
  keys.push(await first);
  for (let i = keys.length; i < items.length; i += 1) keys.push(await call(key, items[i]));
  return keys;
}

export const listM = methodTable('list', {
  append: [
    'object, /',
    (xs: unknown[], x: unknown) => {
      push.call(xs, x);
      return null;
    },
  ],
  clear: [
    '',
    (xs: unknown[]) => {
      xs.length = 0;
      return null;
    },
  ],
  copy: ['', (xs: unknown[]) => slice.call(xs)],
  count: ['value, /', countItems],
  extend: [
    'iterable, /',
    (xs: unknown[], more: unknown) => {
      const source = more === xs ? slice.call(xs) : iter(more);
      for (const item of source) push.call(xs, item);
      return null;
    },
  ],
  index: [
    'value, start=0, stop=None, /',
    (xs: unknown[], x: unknown, start: unknown, stop: unknown) => {
      const at = findItem(xs, x, start, stop);
      if (at < 0) throw new ValueError(`${reprOf(x)} is not in list`);
      return at;
    },
  ],
  insert: [
    'index, object, /',
    (xs: unknown[], index: unknown, x: unknown) => {
      const n = Number(requireIndex(index));
      splice.call(xs, n < 0 ? Math.max(0, n + xs.length) : n, 0, x);
      return null;
    },
  ],
  pop: ['index=-1, /', pop],
  remove: [
    'value, /',
    (xs: unknown[], x: unknown) => {
      const at = findItem(xs, x, undefined, undefined);
      if (at < 0) throw new ValueError('list.remove(x): x not in list');
      splice.call(xs, at, 1);
      return null;
    },
  ],
  reverse: [
    '',
    (xs: unknown[]) => {
      reverse.call(xs);
      return null;
    },
  ],
  sort: ['*, key=None, reverse=False', sortList],
});
tables.list = listM;

export const tupleM = methodTable('tuple', {
  count: ['value, /', (t: Tuple, x: unknown) => countItems(t.items, x)],
  index: [
    'value, start=0, stop=None, /',
    (t: Tuple, x: unknown, start: unknown, stop: unknown) => {
      const at = findItem(t.items, x, start, stop);
      if (at < 0) throw new ValueError('tuple.index(x): x not in tuple');
      return at;
    },
  ],
});
setMethods(Tuple, tupleM);

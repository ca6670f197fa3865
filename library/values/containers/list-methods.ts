/** Methods of `list` and `tuple` (language.md 6.6). */

import { look } from '../../limits/look.ts';
import { isAsked } from '../calls/async-functions.ts';
import { builtinMethods } from '../calls/builtin.ts';
import { call } from '../calls/calls.ts';
import { outside, run } from '../calls/regions.ts';
import { $keysOf, sortedLater } from '../calls/waiting-calls.ts';
import { requireIndex } from '../numbers/index-value.ts';
import { eq } from '../objects/equality.ts';
import { IndexError, ValueError } from '../objects/exceptions.ts';
import { setMethods, tables } from '../objects/method-tables.ts';
import { lt, sortByKeys, sortItems } from '../objects/ordering.ts';
import { $again } from '../objects/protocol.ts';
import { reprOf } from '../objects/repr.ts';
import { truth } from '../objects/truth.ts';
import { iter } from './iteration.ts';
import { slicePart } from './slice.ts';
import { Tuple } from './tuple.ts';

// A class of the program that inherits from `list` may give these names to methods of its own.
const { pop: remove, push, reverse, shift: removeFirst, slice, some, splice } = Array.prototype;

export function countItems(items: readonly unknown[], x: unknown): number {
  let found = 0;
  for (const item of items) {
    if ($due) look();
    if (item === x || eq(item, x)) found += 1;
  }
  return found;
}

export function findItem(items: readonly unknown[], x: unknown, start: unknown, stop: unknown): number {
  const from = clamp(start, 0, items.length);
  const to = clamp(stop, items.length, items.length);
  for (let i = from; i < to; i += 1) {
    if ($due) look();
    if (items[i] === x || eq(items[i], x)) return i;
  }
  return -1;
}

function clamp(x: unknown, fallback: number, length: number): number {
  if (x === undefined || x === null) return fallback;
  const n = slicePart(x);
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
 * Sorts in place. A key function that waits (it gives promises) makes the result a promise. While code of the program may look, the list is
 * empty, as in Python.
 *
 * @throws ValueError when that code changes the list
 */
export function sortList(xs: unknown[], key: unknown, reverse: unknown): null | Promise<null> {
  const backwards = truth(reverse);
  if (key !== undefined && key !== null) {
    return whileEmpty(xs, (items) => {
      const keys = outside(() => keysOf(items, key));
      return keys instanceof Promise
        ? keys.then((ready) => sortWith(items, ready, backwards))
        : sortWith(items, keys, backwards);
    });
  }
  if (some.call(xs, isOrderedLater))
    return whileEmpty(xs, (items) => outside(() => sortLater(items, items, backwards)));
  if (some.call(xs, isOrdered)) return whileEmpty(xs, (items) => sortItems(items, backwards));
  sortItems(xs, backwards);
  return null;
}

type Sorted = void | Promise<void>;

function whileEmpty(xs: unknown[], sort: (items: unknown[]) => Sorted): null | Promise<null> {
  const items = slice.call(xs);
  xs.length = 0;
  const fill = (): boolean => {
    const isChanged = xs.length > 0;
    xs.length = 0;
    for (let i = 0; i < items.length; i += 1) push.call(xs, items[i]);
    return isChanged;
  };
  const finish = (): null => {
    if (fill()) throw new ValueError('list modified during sort');
    return null;
  };
  const fail = (e: unknown): never => {
    fill();
    throw e;
  };
  let sorted: Sorted;
  try {
    sorted = sort(items);
  } catch (e) {
    return fail(e);
  }
  return sorted instanceof Promise ? sorted.then(finish, fail) : finish();
}

function sortWith(items: unknown[], keys: readonly unknown[], backwards: boolean): Sorted {
  if (keys.some(isOrderedLater)) return outside(() => sortLater(items, keys, backwards));
  sortByKeys(items, keys, backwards);
}

/** Tells whether a value, or an item in it, has an order that the program defines. */
function isOrdered(x: any): boolean {
  if (typeof x !== 'object' || x === null) return false;
  if (x instanceof Tuple) return x.items.some(isOrdered);
  return Array.isArray(x)
    ? x.some(isOrdered)
    : typeof x.__lt__ === 'function' || typeof x.__gt__ === 'function' || typeof x.__eq__ === 'function';
}

/** Tells whether a value, or an item in it, has an order that the program defines and that has to be waited for. */
function isOrderedLater(x: any): boolean {
  if (typeof x !== 'object' || x === null) return false;
  if (x instanceof Tuple) return x.items.some(isOrderedLater);
  return Array.isArray(x) ? x.some(isOrderedLater) : isAsked(x.__lt__) || isAsked(x.__gt__) || isAsked(x.__eq__);
}

async function sortLater(items: unknown[], keys: readonly unknown[], backwards: boolean): Promise<void> {
  const before = slice.call(items);
  const order = await sortedLater(
    before.map((_, i) => i),
    (a, b) => run(lt, backwards ? [keys[a], keys[b]] : [keys[b], keys[a]]),
  );
  for (let i = 0; i < order.length; i += 1) items[i] = before[order[i]!];
}

/** The key of every item, in order; a promise when the key function waits. Each call is finished before the next. */
export function keysOf(items: readonly unknown[], key: any): unknown[] | Promise<unknown[]> {
  if (key[$keysOf] !== undefined) return key[$keysOf](items);
  const keys: unknown[] = [];
  for (let i = 0; i < items.length; i += 1) {
    if ($due) look();
    const k = keyOf(key, items[i]);
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
  for (let i = keys.length; i < items.length; i += 1) keys.push(await keyOf(key, items[i]));
  return keys;
}

/** `key=str`: what the built-in asks of the item may have to be waited for. */
function keyOf(key: any, item: unknown): unknown {
  return key[$again] === true ? run(call, [key, item]) : call(key, item);
}

export const listM = builtinMethods('list', {
  append: (xs: unknown[], x: unknown) => {
    push.call(xs, x);
    return null;
  },
  clear: (xs: unknown[]) => {
    xs.length = 0;
    return null;
  },
  copy: (xs: unknown[]) => slice.call(xs),
  count: countItems,
  extend: (xs: unknown[], more: unknown) => {
    const source = more === xs ? slice.call(xs) : iter(more);
    for (const item of source) {
      if ($due) look();
      push.call(xs, item);
    }
    return null;
  },
  index: (xs: unknown[], x: unknown, start: unknown, stop: unknown) => {
    const at = findItem(xs, x, start, stop);
    if (at < 0) throw new ValueError(`${reprOf(x)} is not in list`);
    return at;
  },
  insert: (xs: unknown[], index: unknown, x: unknown) => {
    const n = Number(requireIndex(index));
    splice.call(xs, n < 0 ? Math.max(0, n + xs.length) : n, 0, x);
    return null;
  },
  pop,
  remove: (xs: unknown[], x: unknown) => {
    const at = findItem(xs, x, undefined, undefined);
    if (at < 0) throw new ValueError('list.remove(x): x not in list');
    splice.call(xs, at, 1);
    return null;
  },
  reverse: (xs: unknown[]) => {
    reverse.call(xs);
    return null;
  },
  sort: sortList,
});
tables.list = listM;

export const tupleM = builtinMethods('tuple', {
  count: (t: Tuple, x: unknown) => countItems(t.items, x),
  index: (t: Tuple, x: unknown, start: unknown, stop: unknown) => {
    const at = findItem(t.items, x, start, stop);
    if (at < 0) throw new ValueError('tuple.index(x): x not in tuple');
    return at;
  },
});
setMethods(Tuple, tupleM);

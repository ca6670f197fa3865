/** Built-ins that go through iterables: `enumerate`, `zip`, `map`, `sorted`, `sum` … */

import { waitsInside } from '../values/calls/async-functions.ts';
import { builtin } from '../values/calls/builtin.ts';
import { call, callable } from '../values/calls/calls.ts';
import { stepped } from '../values/calls/generators.ts';
import { inRegion, isOfProgram, outside, run, takePatience } from '../values/calls/regions.ts';
import { signatureOf } from '../values/calls/signature.ts';
import { Dict } from '../values/containers/dict.ts';
import { ItemsView, KeysView, ValuesView } from '../values/containers/dict-views.ts';
import {
  isLater,
  itemsOf,
  iter as iterate,
  PyIterator,
  source,
  aiter as steps,
  toArray,
  WaitingIterator,
  waitingSource,
} from '../values/containers/iteration.ts';
import { len as lengthOf } from '../values/containers/length.ts';
import { keysOf, sortList } from '../values/containers/list-methods.ts';
import { Range } from '../values/containers/range.ts';
import { getitem } from '../values/containers/subscripts.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { requireIndex } from '../values/numbers/index-value.ts';
import { demote, type Num } from '../values/numbers/numbers.ts';
import { Enum } from '../values/objects/enums.ts';
import { eq } from '../values/objects/equality.ts';
import { StopAsyncIteration, StopIteration, TypeError, ValueError } from '../values/objects/exceptions.ts';
import { add } from '../values/objects/operators.ts';
import { gt, lt } from '../values/objects/ordering.ts';
import { $again, $spec } from '../values/objects/protocol.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';
import { registerType } from '../values/objects/types.ts';
import { AnyBytes } from '../values/text/bytes.ts';
import { charsOf } from '../values/text/strings.ts';

export const len = builtin('len', lengthOf);

function iteratorType(name: string, make: any): any {
  make[$again] = 'later';
  return registerType(make, { name, check: (x) => isIteratorOf(x, name), base: 'object' });
}

function isIteratorOf(x: unknown, name: string): boolean {
  return (x instanceof PyIterator || x instanceof WaitingIterator) && typeName(x) === name;
}

export const enumerate = iteratorType(
  'enumerate',
  builtin('enumerate', (xs: unknown, start?: unknown) => {
    const first = start === undefined ? 0 : requireIndex(start);
    const items = source(xs);
    if (isLater(items)) return new WaitingIterator(numberedLater(items, first), 'enumerate');
    return new PyIterator(numbered(items, first), 'enumerate');
  }),
);

function* numbered(xs: Iterable<unknown>, start: Num): Generator<Tuple> {
  if (typeof start === 'number') {
    let i = start;
    for (const x of xs) yield new Tuple([i++, x]);
    return;
  }
  let i = start;
  for (const x of xs) {
    yield new Tuple([demote(i), x]);
    i += 1n;
  }
}

async function* numberedLater(xs: AsyncIterable<unknown>, start: Num): AsyncGenerator<Tuple> {
  let i = BigInt(start);
  for await (const x of xs) yield new Tuple([demote(i++), x]);
}

export const zip = iteratorType(
  'zip',
  builtin('zip', (sources: readonly unknown[] = [], strict?: unknown) => {
    const items = sources.map(source);
    if (items.some(isLater)) return new WaitingIterator(zippedLater(items.map(begun), truth(strict)), 'zip');
    const iterators = (items as Iterable<unknown>[]).map((one) => one[Symbol.iterator]());
    return new PyIterator(zipped(iterators, truth(strict)), 'zip');
  }),
);

function* zipped(iterators: readonly Iterator<unknown>[], strict: boolean): Generator<Tuple> {
  if (iterators.length === 0) return;
  for (;;) {
    const items: unknown[] = [];
    for (let i = 0; i < iterators.length; i += 1) {
      const step = iterators[i]!.next();
      if (step.done === true) {
        if (strict) requireAllDone(iterators, i);
        return;
      }
      items.push(step.value);
    }
    yield new Tuple(items);
  }
}

async function* zippedLater(iterators: readonly AnyIterator[], strict: boolean): AsyncGenerator<Tuple> {
  for (;;) {
    const items: unknown[] = [];
    for (let i = 0; i < iterators.length; i += 1) {
      const step = await iterators[i]!.next();
      if (step.done === true) {
        if (!strict) return;
        if (i > 0) throw isShorter(i);
        for (let j = 1; j < iterators.length; j += 1) if ((await iterators[j]!.next()).done !== true) throw isLonger(j);
        return;
      }
      items.push(step.value);
    }
    yield new Tuple(items);
  }
}

function requireAllDone(iterators: readonly Iterator<unknown>[], at: number): void {
  if (at > 0) throw isShorter(at);
  for (let i = 1; i < iterators.length; i += 1) if (iterators[i]!.next().done !== true) throw isLonger(i);
}

function isShorter(at: number): ValueError {
  return new ValueError(`zip() argument ${at + 1} is shorter than ${at === 1 ? 'argument 1' : `arguments 1-${at}`}`);
}

function isLonger(at: number): ValueError {
  return new ValueError(`zip() argument ${at + 1} is longer than ${at === 1 ? 'argument 1' : `arguments 1-${at}`}`);
}

type AnyIterator = Iterator<unknown> | AsyncIterator<unknown>;

function anyIterator(xs: unknown): AnyIterator {
  return begun(steps(xs));
}

function begun(items: any): AnyIterator {
  return (items[Symbol.asyncIterator] ?? items[Symbol.iterator]).call(items);
}

/** A function to call once per item, as directly as its signature allows. */
function caller(f: any): (x: unknown) => any {
  if (typeof f === 'function' && f[$spec] !== undefined && !inRegion()) {
    const signature = signatureOf(f)!;
    if (signature.simple && signature.least <= 1 && signature.most >= 1) return f;
  }
  return (x) => call(f, x);
}

export const map = iteratorType(
  'map',
  builtin('map', (f: any, first: unknown, more: readonly unknown[] = []) => {
    const given = [first, ...more];
    if (mayWait(f)) return new WaitingIterator(mappedLater(f, given.map(anyIterator)), 'map');
    const items = given.map(source);
    if (items.some(isLater)) return new WaitingIterator(mappedLater(f, items.map(begun)), 'map');
    const sources = items as Iterable<unknown>[];
    return new PyIterator(sources.length === 1 ? mapped(caller(f), sources[0]!) : mappedAll(f, sources), 'map');
  }),
);

function* mapped(f: (x: unknown) => unknown, xs: Iterable<unknown>): Generator<unknown> {
  for (const x of xs) yield f(x);
}

function* mappedAll(f: unknown, sources: readonly Iterable<unknown>[]): Generator<unknown> {
  for (const items of zipped(
    sources.map((source) => source[Symbol.iterator]()),
    false,
  ))
    yield call(f, ...items.items);
}

async function* mappedLater(f: unknown, sources: readonly AnyIterator[]): AsyncGenerator<unknown> {
  for await (const items of zippedLater(sources, false)) yield await asked(f, items.items);
}

export const filter = iteratorType(
  'filter',
  builtin('filter', (f: any, xs: unknown) => {
    if (mayWait(f)) return new WaitingIterator(filteredLater(f, steps(xs)), 'filter');
    const items = source(xs);
    if (isLater(items)) return new WaitingIterator(filteredLater(f, items), 'filter');
    return new PyIterator(filtered(isNone(f) ? truth : caller(f), items), 'filter');
  }),
);

function* filtered(test: (x: unknown) => unknown, xs: Iterable<unknown>): Generator<unknown> {
  for (const x of xs) if (truth(test(x))) yield x;
}

async function* filteredLater(f: any, xs: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<unknown> {
  for await (const x of xs) if (await run(truth, [isNone(f) ? x : await asked(f, [x])])) yield x;
}

// Tells whether a call of `f` may have to wait: the runtime's functions may ask the program for the items.
function mayWait(f: any, isReady = takePatience()): boolean {
  return waitsInside(f) || (isReady && !isOfProgram(f));
}

function asked(f: any, args: readonly unknown[]): unknown {
  return waitsInside(f) ? call(f, ...args) : run(call, [f, ...args]);
}

const isNone = (f: unknown): boolean => f === null || f === undefined;

export const reversed = iteratorType(
  'reversed',
  builtin('reversed', (x: any) => {
    if (typeof x?.__reversed__ === 'function') return x.__reversed__();
    return new PyIterator(backwards(x), Array.isArray(x) ? 'list_reverseiterator' : 'reversed');
  }),
);

function backwards(x: any): Iterator<unknown> {
  if (Array.isArray(x)) return reverseLive(x);
  const items = x?.prototype instanceof Enum ? [...x] : reversible(x);
  if (items !== undefined) return reverseLive(items);
  if (typeof x === 'object' && x !== null && typeof x.__getitem__ === 'function' && typeof x.__len__ === 'function') {
    return reverseIndexed(x);
  }
  throw new TypeError(`'${typeName(x)}' object is not reversible`);
}

function reversible(x: any): readonly unknown[] | undefined {
  if (typeof x === 'string') return charsOf(x);
  if (x instanceof Tuple) return x.items;
  if (x instanceof Range || x instanceof AnyBytes) return [...x];
  if (x instanceof Dict) return [...x.keys()];
  if (x instanceof KeysView || x instanceof ValuesView || x instanceof ItemsView) return [...x];
  return undefined;
}

function* reverseLive(items: readonly unknown[]): Generator<unknown> {
  for (let i = items.length - 1; i >= 0; i -= 1) yield items[i];
}

function* reverseIndexed(x: any): Generator<unknown> {
  for (let i = lengthOf(x) - 1; i >= 0; i -= 1) yield getitem(x, i);
}

export const sorted = builtin('sorted', (xs: unknown, key?: unknown, reverse?: unknown) => {
  const items = toArray(xs);
  const done = sortList(items, key, reverse);
  return done instanceof Promise ? done.then(() => items) : items;
});

function extreme(name: 'min' | 'max', better: (a: unknown, b: unknown) => boolean) {
  return builtin(name, (args: readonly unknown[] = [], key?: unknown, fallback?: unknown) => {
    if (args.length === 0) throw new TypeError(`${name} expected at least 1 argument, got 0`);
    if (args.length > 1 && fallback !== undefined) {
      throw new TypeError(`Cannot specify a default for ${name}() with multiple positional arguments`);
    }
    const items = args.length === 1 ? itemsOf(args[0]) : args;
    if (items.length === 0) {
      if (fallback !== undefined) return fallback;
      throw new ValueError(`${name}() iterable argument is empty`);
    }
    const keys = key === undefined || key === null ? items : outside(() => keysOf(items, key));
    return keys instanceof Promise
      ? keys.then(async (ready) => items[await run(best, [ready, better])])
      : items[best(keys, better)];
  });
}

function best(keys: readonly unknown[], better: (a: unknown, b: unknown) => boolean): number {
  let found = 0;
  for (let i = 1; i < keys.length; i += 1) if (better(keys[i], keys[found])) found = i;
  return found;
}

export const min = extreme('min', lt);
export const max = extreme('max', gt);

/** `sum(xs, start)`; floats are added with compensation, as Python 3.12 does. */
export const sum = builtin('sum', (xs: unknown, start?: any) => {
  let total: any = start === undefined ? 0 : start;
  if (typeof total === 'string') throw new TypeError("sum() can't sum strings [use ''.join(seq) instead]");
  if (total instanceof AnyBytes) throw new TypeError("sum() can't sum bytes [use b''.join(seq) instead]");
  let lost = 0;
  for (const x of iterate(xs)) {
    if (typeof total === 'number' && typeof x === 'number') {
      const next = total + x;
      const exact = Number.isSafeInteger(total) && Number.isSafeInteger(x);
      if (!exact || Number.isSafeInteger(next)) {
        if (!exact) lost += roundingError(total, x, next);
        total = next;
        continue;
      }
    }
    total = add(settle(total, lost), x);
    lost = 0;
  }
  return settle(total, lost);
});

// Neumaier's correction: the part of the smaller number that the sum could not hold.
function roundingError(a: number, b: number, sum: number): number {
  return Math.abs(a) >= Math.abs(b) ? a - sum + b : b - sum + a;
}

function settle(total: any, lost: number): any {
  return typeof total === 'number' && lost !== 0 && Number.isFinite(lost) ? total + lost : total;
}

export const any = builtin('any', (xs: unknown): any => {
  const waiting = inRegion() ? waitingSource(xs) : undefined;
  if (waiting !== undefined) return outside(() => meets(waiting, true));
  for (const x of iterate(xs)) if (truth(x)) return true;
  return false;
});

export const all = builtin('all', (xs: unknown): any => {
  const waiting = inRegion() ? waitingSource(xs) : undefined;
  if (waiting !== undefined) return outside(() => meets(waiting, false).then((found) => !found));
  for (const x of iterate(xs)) if (!truth(x)) return false;
  return true;
});

/** Tells whether there is an item of that truth. No further ones are asked for. */
async function meets(xs: AsyncIterable<unknown>, wanted: boolean): Promise<boolean> {
  for await (const x of xs) if ((await run(truth, [x])) === wanted) return true;
  return false;
}

const iteratorNames: Readonly<Record<string, string>> = {
  list: 'list_iterator',
  str: 'str_ascii_iterator',
  tuple: 'tuple_iterator',
  dict: 'dict_keyiterator',
  dict_keys: 'dict_keyiterator',
  dict_values: 'dict_valueiterator',
  dict_items: 'dict_itemiterator',
  set: 'set_iterator',
  frozenset: 'set_iterator',
  range: 'range_iterator',
  bytes: 'bytes_iterator',
  bytearray: 'bytearray_iterator',
};

export const iter = builtin('iter', (x: any, sentinel?: unknown) => {
  const isReady = takePatience();
  if (sentinel !== undefined && !callable(x)) throw new TypeError('iter(v, w): v must be callable');
  if (sentinel !== undefined)
    return mayWait(x, isReady)
      ? new WaitingIterator(untilEqualLater(x, sentinel), 'callable_iterator')
      : new PyIterator(untilEqual(x, sentinel), 'callable_iterator');
  if (isIterator(x) || typeof x?.[Symbol.asyncIterator] === 'function') return x;
  if (typeof x === 'object' && x !== null && typeof x.__iter__ === 'function') return x.__iter__();
  return new PyIterator(iterate(x)[Symbol.iterator](), iteratorNames[typeName(x)] ?? 'iterator');
});

function* untilEqual(f: unknown, sentinel: unknown): Generator<unknown> {
  for (;;) {
    const x = call(f);
    if (eq(x, sentinel)) return;
    yield x;
  }
}

async function* untilEqualLater(f: unknown, sentinel: unknown): AsyncGenerator<unknown> {
  for (let x = await asked(f, []); !eq(x, sentinel); x = await asked(f, [])) yield x;
}

function isIterator(x: any): boolean {
  return (
    typeof x === 'object' &&
    x !== null &&
    typeof x.next === 'function' &&
    typeof x[Symbol.iterator] === 'function' &&
    x[Symbol.iterator]() === x
  );
}

export const next = builtin('next', (it: any, fallback?: unknown) => {
  if (typeof it === 'object' && it !== null) {
    if (typeof it.__next__ === 'function') {
      if (fallback === undefined) return it.__next__();
      try {
        const item = it.__next__();
        return item instanceof Promise ? item.catch((e: unknown) => afterLast(e, fallback)) : item;
      } catch (e) {
        return afterLast(e, fallback);
      }
    }
    if (typeof it.next === 'function') {
      const step = it.next();
      if (step instanceof Promise) return step.then((ready) => taken(ready, fallback));
      return taken(step, fallback);
    }
  }
  throw new TypeError(`'${typeName(it)}' object is not an iterator`);
});

function afterLast(e: unknown, fallback: unknown): unknown {
  if (e instanceof StopIteration) return fallback;
  throw e;
}

function taken(step: IteratorResult<unknown>, fallback: unknown): unknown {
  return step.done === true && fallback !== undefined ? fallback : stepped(step);
}

export const aiter = builtin('aiter', (x: any) =>
  typeof x?.__aiter__ === 'function' ? x.__aiter__() : (x?.[Symbol.asyncIterator]?.() ?? x),
);

export const anext = builtin('anext', async (it: any, fallback?: unknown) => {
  if (typeof it?.__anext__ !== 'function') {
    if (it?.[Symbol.asyncIterator] === undefined)
      throw new TypeError(`'${typeName(it)}' object is not an async iterator`);
    const step = await it.next();
    if (step.done === true && fallback === undefined) throw new StopAsyncIteration();
    return taken(step, fallback);
  }
  try {
    return await it.__anext__();
  } catch (e) {
    if (fallback !== undefined && e instanceof StopAsyncIteration) return fallback;
    throw e;
  }
});

Object.assign(iter, { [$again]: 'later' });
Object.assign(next, { [$again]: false });

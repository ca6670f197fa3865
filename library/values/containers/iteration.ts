/** Going through values: `for`, unpacking, and what `iter()` and `next()` work on. */
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { isLong, look, rest } from '../../limits/look.ts';
import { isAsked } from '../calls/async-functions.ts';
import { awaitable } from '../calls/awaitable.ts';
import { isPlainObject } from '../calls/border.ts';
import { ask, inRegion, replayed } from '../calls/regions.ts';
import {
  IndexError,
  MemoryError,
  StopAsyncIteration,
  StopIteration,
  TypeError,
  ValueError,
} from '../objects/exceptions.ts';
import { $primitive, $repr, $typeName } from '../objects/protocol.ts';
import { address } from '../objects/repr.ts';
import { typeName } from '../objects/type-name.ts';
import { isPlainList } from './answering-lists.ts';
import { AnySet } from './sets.ts';
import { Tuple } from './tuple.ts';

/**
 * Gives an object that JavaScript's `for…of` accepts, for any iterable value. @throws TypeError 'X' object is not
 * iterable
 */
export function iter(x: any): Iterable<any> {
  if (Array.isArray(x) || typeof x === 'string') return x as Iterable<any>;
  const found = tryIter(x);
  if (found === undefined) throw new TypeError(`'${typeName(x)}' object is not iterable`);
  return found;
}

/** `iter`, or undefined for what cannot be gone through. */
export function tryIter(x: any): Iterable<any> | undefined {
  if (typeof x === 'string') return x;
  if (x === null || x === undefined) return undefined;
  if (typeof x === 'function') return typeof x[Symbol.iterator] === 'function' ? x : undefined;
  if (typeof x !== 'object') return undefined;
  if (Array.isArray(x)) return x;
  if (x instanceof Tuple && x[Symbol.iterator] === Tuple.prototype[Symbol.iterator]) return x.items;
  if (typeof x.__iter__ === 'function') return fromIter(x);
  if (typeof x[Symbol.iterator] === 'function') return inRegion() && x[Symbol.iterator]() === x ? replayed(x) : x;
  if (typeof x.__getitem__ === 'function') return new IndexIterator(x);
  if (typeof x[Symbol.asyncIterator] === 'function') return allOf(x);
  if (typeof x.next === 'function') return { [Symbol.iterator]: () => x };
  if (typeof x[$primitive] === 'string') return x[$primitive];
  return isPlainObject(x) ? Object.keys(x) : undefined;
}

// A generator that waits gives promises: gone through like others it would never end. What can be run again gets all of its items.
function allOf(source: AsyncIterable<unknown>): Iterable<unknown> | undefined {
  return inRegion() ? (ask(() => collectAll(source)) as unknown[]) : undefined;
}

/** Gives the iterable behind `x.__iter__()`. */
export function fromIter(x: any): Iterable<any> {
  return steppedBy(x.__iter__());
}

function steppedBy(it: any): Iterable<any> {
  if (it !== null && typeof it === 'object') {
    const waiting = waitingSteps(it);
    const items = waiting === undefined ? undefined : allOf(waiting);
    if (items !== undefined) return items;
    if (typeof it.__next__ === 'function') return new NextIterator(it);
    if (Array.isArray(it) === false && typeof it[Symbol.iterator] === 'function' && typeof it.next === 'function')
      return it;
  }
  throw new TypeError(`iter() returned non-iterator of type '${typeName(it)}'`);
}

/** Iterator of JavaScript over an object with `__next__`. */
class NextIterator implements IterableIterator<unknown> {
  readonly source: any;

  constructor(source: any) {
    this.source = source;
  }

  next(): IteratorResult<unknown> {
    if ($due) look();
    try {
      return { done: false, value: this.source.__next__() };
    } catch (e) {
      if (e instanceof StopIteration) return { done: true, value: e.value };
      throw e;
    }
  }

  [Symbol.iterator](): this {
    return this;
  }
}

// The old sequence protocol: `x[0]`, `x[1]` … until IndexError.
class IndexIterator implements IterableIterator<unknown> {
  private readonly source: any;
  private at = 0;

  constructor(source: any) {
    this.source = source;
  }

  next(): IteratorResult<unknown> {
    if ($due) look();
    try {
      return { done: false, value: this.source.__getitem__(this.at++) };
    } catch (e) {
      if (e instanceof IndexError || e instanceof StopIteration) return { done: true, value: undefined };
      throw e;
    }
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/** Gives an object that `for await…of` accepts: asynchronous iterators, and ordinary ones as they are. */
export function aiter(x: any): AsyncIterable<any> | Iterable<any> {
  if (typeof x === 'object' && x !== null) {
    if (typeof x.__aiter__ === 'function') {
      const it = x.__aiter__();
      return typeof it?.__anext__ === 'function' ? new AnextIterator(it) : aiter(it);
    }
    const waiting = waitingSource(x);
    if (waiting !== undefined) return waiting;
  }
  const found = tryIter(x);
  if (found === undefined)
    throw new TypeError(`'async for' requires an object with __aiter__ method, got ${typeName(x)}`);
  return found;
}

/** The items of `x` one by one when each of them may have to be waited for; undefined where none has. */
export function waitingSource(x: any): AsyncIterable<unknown> | undefined {
  if (typeof x !== 'object' || x === null || Array.isArray(x)) return undefined;
  if (typeof x[Symbol.asyncIterator] === 'function') return x;
  if (typeof x.__iter__ !== 'function') return undefined;
  const it = x.__iter__();
  if (it instanceof Promise) return stepsLater(it);
  return typeof it === 'object' && it !== null ? waitingSteps(it) : undefined;
}

function waitingSteps(it: any): AsyncIterable<unknown> | undefined {
  if (typeof it[Symbol.asyncIterator] === 'function') return it;
  return isAsked(it.__next__) ? stepsOf(it) : undefined;
}

async function* stepsLater(it: Promise<any>): AsyncGenerator<unknown> {
  const ready = await it;
  if (typeof ready?.__next__ === 'function') yield* stepsOf(ready);
  else yield* aiter(ready);
}

async function* stepsOf(it: any): AsyncGenerator<unknown> {
  for (;;) {
    if (isLong()) await rest();
    let item: unknown;
    try {
      item = await it.__next__();
    } catch (e) {
      if (e instanceof StopIteration) return;
      throw e;
    }
    yield item;
  }
}

async function collectAll(source: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of source) {
    if (isLong()) await rest();
    items.push(item);
  }
  return items;
}

/**
 * Gives the iterable behind `x`, asked for once: its items one by one, or as an asynchronous one each of them to be
 * waited for.
 */
export function source(x: any): Iterable<any> | AsyncIterable<unknown> {
  if (typeof x !== 'object' || x === null || Array.isArray(x)) return iter(x);
  if (typeof x[Symbol.asyncIterator] === 'function') return x;
  if (typeof x.__iter__ !== 'function') return iter(x);
  const it = x.__iter__();
  if (it instanceof Promise) return stepsLater(it);
  return (typeof it === 'object' && it !== null ? waitingSteps(it) : undefined) ?? steppedBy(it);
}

export function isLater(xs: Iterable<any> | AsyncIterable<unknown>): xs is AsyncIterable<unknown> {
  return typeof xs === 'object' && Symbol.asyncIterator in xs;
}

/** `x`, or a promise of its items where they have to be waited for: for built-ins that want all of them. */
export function whole(x: any): any {
  const source = waitingSource(x);
  return source === undefined ? x : collectAll(source);
}

/** Does `act` for every item; a promise where the items have to be waited for. */
export function withEach(xs: unknown, act: (item: unknown) => void): MaybePromise<null> {
  const items = source(xs);
  if (isLater(items)) return withEachLater(items, act);
  for (const item of items) act(item);
  return null;
}

async function withEachLater(source: AsyncIterable<unknown>, act: (item: unknown) => void): Promise<null> {
  for await (const item of source) {
    if (isLong()) await rest();
    act(item);
  }
  return null;
}

class AnextIterator implements AsyncIterableIterator<unknown> {
  private readonly source: any;

  constructor(source: any) {
    this.source = source;
  }

  async next(): Promise<IteratorResult<unknown>> {
    if (isLong()) await rest();
    try {
      return { done: false, value: await awaitable(this.source.__anext__()) };
    } catch (e) {
      if (e instanceof StopAsyncIteration) return { done: true, value: undefined };
      throw e;
    }
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** An iterator object of the language: what `iter([1])`, `map(…)`, `zip(…)` give. */
export class PyIterator implements IterableIterator<unknown> {
  private readonly inner: Iterator<unknown>;
  readonly [$typeName]: string;

  constructor(inner: Iterator<unknown>, name: string) {
    this.inner = inner;
    this[$typeName] = name;
  }

  /** A StopIteration of what is called for an item, `map(next, …)`, ends it. */
  next(): IteratorResult<unknown> {
    if ($due) look();
    try {
      return this.inner.next();
    } catch (e) {
      return ended(e);
    }
  }

  [Symbol.iterator](): this {
    return this;
  }

  [$repr](): string {
    return `<${this[$typeName]} object at ${address(this)}>`;
  }
}

function ended(e: unknown): IteratorResult<unknown> {
  if (e instanceof StopIteration) return { done: true, value: undefined };
  throw e;
}

/** The same whose items have to be waited for: made from an asynchronous generator. */
export class WaitingIterator implements AsyncIterableIterator<unknown> {
  private readonly inner: AsyncIterator<unknown>;
  readonly [$typeName]: string;

  constructor(inner: AsyncIterator<unknown>, name: string) {
    this.inner = inner;
    this[$typeName] = name;
  }

  next(): Promise<IteratorResult<unknown>> {
    return (isLong() ? rest().then(() => this.inner.next()) : this.inner.next()).catch(ended);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [$repr](): string {
    return `<${this[$typeName]} object at ${address(this)}>`;
  }
}

/** All items as a new array. */
export function toArray(x: any): unknown[] {
  if (isPlainList(x)) return Array.prototype.slice.call(x);
  if (x instanceof Tuple) return x.items.slice();
  if (x instanceof AnySet) return [...x.items];
  const source: any = iter(x);
  requireRoom(source.length);
  return [...source];
}

/** More ends the process, not the operation. */
export const mostItems: number = 2 ** 27 - 1;

/** @throws MemoryError where a list, tuple or text of that length is too long */
export function requireRoom(length: number | undefined): void {
  if (length !== undefined && length > mostItems) throw new MemoryError();
}

/** All items as an array that must not be changed: arrays and tuples without a copy. */
export function itemsOf(x: any): readonly unknown[] {
  if (isPlainList(x)) return x;
  if (x instanceof Tuple) return x.items;
  return toArray(x);
}

/** `(a, b) = x`: exactly `count` items. */
export function unpack(x: any, count: number): readonly any[] {
  const items = isPlainList(x) ? x : x instanceof Tuple ? x.items : collect(x, count + 1);
  if (items.length === count) return items;
  if (items.length > count) throw new ValueError(`too many values to unpack (expected ${count})`);
  throw new ValueError(`not enough values to unpack (expected ${count}, got ${items.length})`);
}

/** `(a, *rest, b) = x`: `before` items, a list, `after` items. */
export function unpackStar(x: any, before: number, after: number): any[] {
  const items = itemsOfUnpack(x);
  if (items.length < before + after) {
    throw new ValueError(`not enough values to unpack (expected at least ${before + after}, got ${items.length})`);
  }
  const end = items.length - after;
  return [...items.slice(0, before), items.slice(before, end), ...items.slice(end)];
}

function itemsOfUnpack(x: any): readonly unknown[] {
  return isPlainList(x) ? x : x instanceof Tuple ? x.items : collect(x, Number.POSITIVE_INFINITY);
}

function collect(x: any, limit: number): unknown[] {
  const source = tryIter(x);
  if (source === undefined) throw new TypeError(`cannot unpack non-iterable ${typeName(x)} object`);
  if (limit > mostItems) requireRoom((source as any).length);
  const items: unknown[] = [];
  for (const item of source) {
    items.push(item);
    if (items.length >= limit) break;
  }
  return items;
}

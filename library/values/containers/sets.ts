/** `set` and `frozenset`: insertion-ordered, with the language's key equality (hashing.ts). */

import { KeyError } from '../objects/exceptions.ts';
import {
  absent,
  addOdd,
  copyOdd,
  findKey,
  hashOf,
  isPlainKey,
  type OddKeys,
  removeOdd,
  unhashable,
} from '../objects/hashing.ts';
import { $eq, $hash, $methods, $repr, $truth, $typeName, type ReprState } from '../objects/protocol.ts';
import { nested, reprItems } from '../objects/repr.ts';
import { CheckedIterator } from './dict.ts';

/** Base of both kinds of set. */
export abstract class AnySet implements Iterable<unknown> {
  /** Read it freely; write through `add` and `delete`. */
  readonly items: Set<unknown>;
  odd: OddKeys | undefined;
  declare [$methods]: Record<string, (...args: any[]) => unknown>;
  declare [$typeName]: string;

  constructor(items?: Iterable<unknown>) {
    this.items = new Set();
    this.odd = undefined;
    if (items !== undefined) for (const item of items) this.add(item);
  }

  get size(): number {
    return this.items.size;
  }

  has(x: unknown): boolean {
    if (this.items.has(x)) return true;
    if (this.odd === undefined && (typeof x === 'string' || typeof x === 'number')) return false;
    return findKey(this.items, this.odd, asKey(x)) !== absent;
  }

  add(x: unknown): void {
    if (this.odd === undefined && (typeof x === 'string' || typeof x === 'number')) {
      this.items.add(x);
      return;
    }
    if (findKey(this.items, this.odd, x) !== absent) return;
    const stored = x === undefined ? null : x;
    if (!isPlainKey(stored)) this.odd = addOdd(this.odd, stored);
    this.items.add(stored);
  }

  /** Removes an item; tells whether it was there. */
  delete(x: unknown): boolean {
    const found = findKey(this.items, this.odd, asKey(x));
    if (found === absent) return false;
    this.odd = removeOdd(this.odd, found);
    return this.items.delete(found);
  }

  clear(): void {
    this.items.clear();
    this.odd = undefined;
  }

  /** Items; a change of size while going through them raises RuntimeError. */
  [Symbol.iterator](): IterableIterator<unknown> {
    return new CheckedIterator(this.items, this.items.values(), keep, 'Set');
  }

  [$truth](): boolean {
    return this.items.size > 0;
  }

  [$eq](other: unknown): boolean | undefined {
    if (!(other instanceof AnySet)) return undefined;
    return this.size === other.size && isSubset(this, other);
  }

  [$repr](state: ReprState): string {
    if (this.size === 0) return `${this[$typeName]}()`;
    const text = nested(this, state, `${this[$typeName]}(...)`, () => `{${reprItems([...this.items], state)}}`);
    return this[$typeName] === 'set' ? text : `${this[$typeName]}(${text})`;
  }
}

// A set may be looked up in a set of frozensets.
function asKey(x: unknown): unknown {
  return x instanceof PySet ? new FrozenSet(x.items) : x;
}

export class PySet extends AnySet {
  [$hash](): never {
    throw unhashable(this);
  }
}
PySet.prototype[$typeName] = 'set';

export class FrozenSet extends AnySet {
  [$hash](): string {
    return `f${[...this.items].map(hashOf).sort().join(',')}`;
  }
}
FrozenSet.prototype[$typeName] = 'frozenset';

/** `{a, b}` of generated code. */
export function set(items?: Iterable<unknown>): PySet {
  return new PySet(items);
}

export function isSubset(a: AnySet, b: AnySet): boolean {
  if (a.size > b.size) return false;
  for (const item of a.items) if (!b.has(item)) return false;
  return true;
}

function like<T extends AnySet>(a: T): T {
  return (a instanceof FrozenSet ? new FrozenSet() : new PySet()) as unknown as T;
}

export function union<T extends AnySet>(a: T, others: readonly Iterable<unknown>[]): T {
  const result = like(a);
  assignSet(result, a);
  for (const other of others) for (const item of other) result.add(item);
  return result;
}

export function intersection<T extends AnySet>(a: T, others: readonly Iterable<unknown>[]): T {
  let result: T = union(a, []);
  for (const other of others) {
    const wanted = other instanceof AnySet ? other : new PySet(other);
    const kept = like(a);
    for (const item of result.items) if (wanted.has(item)) kept.add(item);
    result = kept;
  }
  return result;
}

export function difference<T extends AnySet>(a: T, others: readonly Iterable<unknown>[]): T {
  const result = union(a, []);
  for (const other of others) for (const item of [...other]) result.delete(item);
  return result;
}

export function symmetricDifference<T extends AnySet>(a: T, other: Iterable<unknown>): T {
  const right = other instanceof AnySet ? other : new PySet(other);
  const result = like(a);
  for (const item of a.items) if (!right.has(item)) result.add(item);
  for (const item of right.items) if (!a.has(item)) result.add(item);
  return result;
}

/** Makes `target` hold exactly what `source`, another set, holds. */
export function assignSet(target: AnySet, source: AnySet): void {
  target.clear();
  for (const item of source.items) target.items.add(item);
  target.odd = copyOdd(source.odd);
}

export function popSet(target: AnySet): unknown {
  if (target.items.size === 0) throw new KeyError('pop from an empty set');
  const first = takeFirst(target.items);
  target.delete(first);
  return first;
}

const fronts = new WeakMap<object, Iterator<unknown>>();

/**
 * The first key, for a caller that deletes it. A Map steps over what was deleted each time it is gone through from the start; an iterator
 * that is kept does so once.
 */
export function takeFirst(items: { keys(): Iterator<unknown> }): unknown {
  const step = fronts.get(items)?.next();
  if (step !== undefined && step.done !== true) return step.value;
  const keys = items.keys();
  fronts.set(items, keys);
  return keys.next().value;
}

function keep(x: unknown): unknown {
  return x;
}

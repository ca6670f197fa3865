/**
 * The mapping type: insertion-ordered, with the language's key equality. String and number keys go straight to a Map; see hashing.ts for
 * the others.
 */
import { KeyError, RuntimeError } from '../objects/exceptions.ts';
import {
  absent,
  addOdd,
  copyOdd,
  findKey,
  isPlainKey,
  type OddKeys,
  removeOdd,
  unhashable,
} from '../objects/hashing.ts';
import { $hash, $methods, $truth, $typeName } from '../objects/protocol.ts';
import { passWritten } from './written-keys.ts';

export class Dict implements Iterable<unknown> {
  /** Read it freely; write through `set` and `delete`. */
  readonly map: Map<unknown, unknown>;
  odd: OddKeys | undefined;
  declare [$methods]: Record<string, (...args: any[]) => unknown>;
  declare [$typeName]: string;

  constructor(map?: Map<unknown, unknown>) {
    this.map = map ?? new Map();
    this.odd = undefined;
  }

  /** `Dict.of(k, v, k, v, …)` */
  static of(...flat: unknown[]): Dict {
    const made = new Dict();
    for (let i = 0; i < flat.length; i += 2) made.set(flat[i], flat[i + 1]);
    return made;
  }

  static from(pairs: Iterable<readonly [unknown, unknown]>): Dict {
    const made = new Dict();
    for (const [k, v] of pairs) made.set(k, v);
    return made;
  }

  /** Makes a dict from the own enumerable properties of a JavaScript object; values as they are. */
  static fromObject(object: Readonly<Record<string, unknown>>): Dict {
    const made = new Dict();
    for (const name of Object.keys(object)) made.set(name, object[name]);
    return made;
  }

  get size(): number {
    return this.map.size;
  }

  /** The value, or undefined when the key is absent (a stored None is null). */
  get(key: unknown): unknown {
    const value = this.map.get(key);
    if (value !== undefined) return value;
    if (this.odd === undefined && (typeof key === 'string' || typeof key === 'number')) return undefined;
    const found = findKey(this.map, this.odd, key);
    return found === absent ? undefined : this.map.get(found);
  }

  has(key: unknown): boolean {
    if (this.map.has(key)) return true;
    if (this.odd === undefined && (typeof key === 'string' || typeof key === 'number')) return false;
    return findKey(this.map, this.odd, key) !== absent;
  }

  set(key: unknown, value: unknown): void {
    if (value === undefined) value = null;
    if (this.odd === undefined && (typeof key === 'string' || typeof key === 'number')) {
      this.map.set(key, value);
      return;
    }
    const found = findKey(this.map, this.odd, key);
    if (found !== absent) {
      this.map.set(found, value);
      return;
    }
    const stored = key === undefined ? null : key;
    if (!isPlainKey(stored)) this.odd = addOdd(this.odd, stored);
    this.map.set(stored, value);
  }

  /** Removes a key; tells whether it was there. */
  delete(key: unknown): boolean {
    if (this.odd === undefined && (typeof key === 'string' || typeof key === 'number')) return this.map.delete(key);
    const found = findKey(this.map, this.odd, key);
    if (found === absent) return false;
    this.odd = removeOdd(this.odd, found);
    return this.map.delete(found);
  }

  clear(): void {
    this.map.clear();
    this.odd = undefined;
  }

  copy(): Dict {
    const made = new Dict(new Map(this.map));
    made.odd = copyOdd(this.odd);
    passWritten(this, made);
    return made;
  }

  /** Makes it hold what `other` holds, which is of no more use. */
  become(other: Dict): void {
    this.clear();
    for (const [k, v] of other.map) this.map.set(k, v);
    this.odd = other.odd;
    passWritten(other, this);
  }

  /** The value of `d[key]`. @throws KeyError */
  require(key: unknown): unknown {
    const value = this.get(key);
    if (value === undefined) throw new KeyError(key);
    return value;
  }

  /** JavaScript side: entries, keys and values without checks. */
  entries(): IterableIterator<[unknown, unknown]> {
    return this.map.entries();
  }

  keys(): IterableIterator<unknown> {
    return this.map.keys();
  }

  values(): IterableIterator<unknown> {
    return this.map.values();
  }

  /** Keys, as `for k in d` goes through them: a change of size raises RuntimeError. */
  [Symbol.iterator](): IterableIterator<unknown> {
    return new CheckedIterator(this.map, this.map.keys(), keepKey);
  }

  [$truth](): boolean {
    return this.map.size > 0;
  }

  [$hash](): never {
    throw unhashable(this);
  }
}
Dict.prototype[$typeName] = 'dict';

/** `dict([[k, v], …])` of generated code. */
export function dict(pairs?: readonly (readonly [unknown, unknown])[]): Dict {
  const made = new Dict();
  if (pairs !== undefined) for (let i = 0; i < pairs.length; i += 1) made.set(pairs[i]![0], pairs[i]![1]);
  return made;
}

/** An iterator over a Map that notices when entries came or went. */
export class CheckedIterator<T> implements IterableIterator<unknown> {
  private readonly map: { readonly size: number };
  private readonly inner: Iterator<T>;
  private readonly show: (item: T) => unknown;
  private readonly size: number;
  private readonly what: string;
  /** Entries there were at the start and have not been given: keys that go and come back would be given for ever. */
  private left: number;
  private done: boolean;

  constructor(map: { readonly size: number }, inner: Iterator<T>, show: (item: T) => unknown, what = 'dictionary') {
    this.map = map;
    this.inner = inner;
    this.show = show;
    this.size = map.size;
    this.left = map.size;
    this.what = what;
    this.done = false;
  }

  next(): IteratorResult<unknown> {
    if (this.done) return { done: true, value: undefined };
    if (this.map.size !== this.size) {
      this.done = true;
      throw new RuntimeError(
        this.what === 'dictionary' ? 'dictionary changed size during iteration' : 'Set changed size during iteration',
      );
    }
    const step = this.inner.next();
    if (step.done === true || this.left === 0) {
      this.done = true;
      if (step.done !== true && this.what === 'dictionary')
        throw new RuntimeError('dictionary keys changed during iteration');
      return { done: true, value: undefined };
    }
    this.left -= 1;
    return { done: false, value: this.show(step.value) };
  }

  [Symbol.iterator](): this {
    return this;
  }
}

function keepKey<T>(item: T): T {
  return item;
}

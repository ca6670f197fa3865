/** `deque` of `collections`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { look } from '../../limits/look.ts';
import { methodTable } from '../../values/calls/signature.ts';
import { itemsOf, iter, PyIterator, requireRoom } from '../../values/containers/iteration.ts';
import { Slice } from '../../values/containers/slice.ts';
import { requireIndex, requireSize } from '../../values/numbers/index-value.ts';
import { $exposed } from '../../values/objects/attributes.ts';
import { eq, same } from '../../values/objects/equality.ts';
import { IndexError, RuntimeError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { unhashable } from '../../values/objects/hashing.ts';
import { setMethods } from '../../values/objects/method-tables.ts';
import { ge, gt, le, lt } from '../../values/objects/ordering.ts';
import { $eq, $hash, $methods, $repr, $truth, $typeName, type ReprState } from '../../values/objects/protocol.ts';
import { nested, reprItems, reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { $itemsKind, type ItemsKind, registerStored, type Tagged } from '../../values/stored-form.ts';
import { alike } from './alike.ts';

/** A ring buffer: both ends are cheap. */
export class Deque {
  $ring: unknown[] = new Array(8);
  $head = 0;
  $size = 0;
  $changes = 0;
  readonly maxlen: number | null;
  declare [$methods]: any;

  constructor(items: Iterable<unknown> | undefined, maxlen: number | null) {
    this.maxlen = maxlen;
    if (items !== undefined) for (const item of items) this.$push(item);
  }

  get length(): number {
    return this.$size;
  }

  $copy(items: unknown[] = this.$items()): Deque {
    return alike(this, items, this.maxlen);
  }

  $at(i: number): unknown {
    return this.$ring[(this.$head + i) & (this.$ring.length - 1)];
  }

  $grow(): void {
    const items = this.$items();
    this.$ring = new Array(this.$ring.length * 2);
    for (let i = 0; i < items.length; i += 1) this.$ring[i] = items[i];
    this.$head = 0;
  }

  $items(): unknown[] {
    const items = new Array(this.$size);
    for (let i = 0; i < this.$size; i += 1) items[i] = this.$at(i);
    return items;
  }

  $push(x: unknown): void {
    if (this.maxlen === 0) return;
    if (this.$size === this.maxlen) this.$shift();
    if (this.$size === this.$ring.length) this.$grow();
    this.$ring[(this.$head + this.$size) & (this.$ring.length - 1)] = x;
    this.$size += 1;
    this.$changes += 1;
  }

  $unshift(x: unknown): void {
    if (this.maxlen === 0) return;
    if (this.$size === this.maxlen) this.$pop();
    if (this.$size === this.$ring.length) this.$grow();
    this.$head = (this.$head - 1 + this.$ring.length) & (this.$ring.length - 1);
    this.$ring[this.$head] = x;
    this.$size += 1;
    this.$changes += 1;
  }

  $pop(): unknown {
    if (this.$size === 0) throw new IndexError('pop from an empty deque');
    this.$size -= 1;
    this.$changes += 1;
    const at = (this.$head + this.$size) & (this.$ring.length - 1);
    const x = this.$ring[at];
    this.$ring[at] = undefined;
    return x;
  }

  $shift(): unknown {
    if (this.$size === 0) throw new IndexError('pop from an empty deque');
    const x = this.$ring[this.$head];
    this.$ring[this.$head] = undefined;
    this.$head = (this.$head + 1) & (this.$ring.length - 1);
    this.$size -= 1;
    this.$changes += 1;
    return x;
  }

  $replace(items: readonly unknown[]): void {
    this.$ring = new Array(8);
    this.$head = 0;
    this.$size = 0;
    for (const item of items) this.$push(item);
    this.$changes += 1;
  }

  *[Symbol.iterator](): Generator<unknown> {
    const changes = this.$changes;
    for (let i = 0; i < this.$size; i += 1) {
      yield this.$at(i);
      if (this.$changes !== changes) throw new RuntimeError('deque mutated during iteration');
    }
  }

  $index(i: unknown): number {
    const n = Number(requireIndex(i));
    const at = n < 0 ? n + this.$size : n;
    if (at < 0 || at >= this.$size) throw new IndexError('deque index out of range');
    return at;
  }

  __len__(): number {
    return this.$size;
  }

  __getitem__(i: unknown): unknown {
    if (i instanceof Slice) throw new TypeError("sequence index must be integer, not 'slice'");
    return this.$at(this.$index(i));
  }

  __setitem__(i: unknown, x: unknown): void {
    this.$ring[(this.$head + this.$index(i)) & (this.$ring.length - 1)] = x;
  }

  __delitem__(i: unknown): void {
    const items = this.$items();
    items.splice(this.$index(i), 1);
    this.$replace(items);
  }

  __contains__(x: unknown): boolean {
    for (let i = 0; i < this.$size; i += 1) {
      if ($due) look();
      if (same(this.$at(i), x)) return true;
    }
    return false;
  }

  __add__(other: unknown): unknown {
    if (!(other instanceof Deque))
      throw new TypeError(`can only concatenate deque (not "${typeName(other)}") to deque`);
    return this.$copy([...this.$items(), ...other.$items()]);
  }

  __iadd__(other: unknown): unknown {
    for (const x of itemsOf(other).slice()) this.$push(x);
    return this;
  }

  __mul__(times: unknown): unknown {
    const items = this.$items();
    const all: unknown[] = [];
    const count = requireSize(times);
    requireRoom(items.length * count);
    for (let i = 0; i < count; i += 1) {
      if ($due) look();
      for (const item of items) all.push(item);
    }
    return this.$copy(all);
  }

  __rmul__(times: unknown): unknown {
    return this.__mul__(times);
  }

  __lt__(other: unknown): unknown {
    return other instanceof Deque ? lt(this.$items(), other.$items()) : NotImplemented;
  }

  __gt__(other: unknown): unknown {
    return other instanceof Deque ? gt(this.$items(), other.$items()) : NotImplemented;
  }

  __le__(other: unknown): unknown {
    return other instanceof Deque ? le(this.$items(), other.$items()) : NotImplemented;
  }

  __ge__(other: unknown): unknown {
    return other instanceof Deque ? ge(this.$items(), other.$items()) : NotImplemented;
  }

  __reversed__(): PyIterator {
    return new PyIterator(this.$items().reverse()[Symbol.iterator](), '_deque_reverse_iterator');
  }

  [$truth](): boolean {
    return this.$size > 0;
  }

  [$eq](other: unknown): boolean | undefined {
    return other instanceof Deque ? eq(this.$items(), other.$items()) : undefined;
  }

  [$hash](): never {
    throw unhashable(this);
  }

  [$repr](state: ReprState): string {
    return nested(
      this,
      state,
      '[...]',
      () =>
        `${(this as any)[$typeName]}([${reprItems(this.$items(), state)}]${this.maxlen === null ? '' : `, maxlen=${this.maxlen}`})`,
    );
  }
}

const done =
  <T>(f: (d: Deque, x: T) => void) =>
  (d: Deque, x: T): null => {
    f(d, x);
    return null;
  };

const dequeM = methodTable('deque', {
  append: ['item, /', done((d, x) => d.$push(x))],
  appendleft: ['item, /', done((d, x) => d.$unshift(x))],
  clear: ['', done((d) => d.$replace([]))],
  copy: ['', (d: Deque) => d.$copy()],
  count: ['value, /', (d: Deque, x: unknown) => d.$items().filter((item) => same(item, x)).length],
  extend: [
    'iterable, /',
    done((d, xs: unknown) => {
      for (const x of itemsOf(xs).slice()) d.$push(x);
    }),
  ],
  extendleft: [
    'iterable, /',
    done((d, xs: unknown) => {
      for (const x of itemsOf(xs).slice()) d.$unshift(x);
    }),
  ],
  index: [
    'value, start=0, stop=None, /',
    (d: Deque, x: unknown, start: unknown, stop: unknown) => {
      const items = d.$items();
      const place = (given: unknown): number => {
        const n = Number(requireIndex(given));
        return n < 0 ? Math.max(0, n + items.length) : n;
      };
      const to = stop === undefined ? items.length : place(stop);
      for (let i = place(start ?? 0); i < to && i < items.length; i += 1) if (same(items[i], x)) return i;
      throw new ValueError(`${reprOf(x)} is not in deque`);
    },
  ],
  insert: [
    'index, value, /',
    (d: Deque, i: unknown, x: unknown) => {
      if (d.length === d.maxlen) throw new IndexError('deque already at its maximum size');
      const items = d.$items();
      const n = Number(requireIndex(i));
      items.splice(n < 0 ? Math.max(0, n + items.length) : n, 0, x);
      d.$replace(items);
      return null;
    },
  ],
  pop: ['', (d: Deque) => d.$pop()],
  popleft: ['', (d: Deque) => d.$shift()],
  remove: [
    'value, /',
    (d: Deque, x: unknown) => {
      const items = d.$items();
      const at = items.findIndex((item) => same(item, x));
      if (at < 0) throw new ValueError(`${reprOf(x)} is not in deque`);
      items.splice(at, 1);
      d.$replace(items);
      return null;
    },
  ],
  reverse: ['', done((d) => d.$replace(d.$items().reverse()))],
  rotate: [
    'n=1, /',
    (d: Deque, n: unknown) => {
      if (d.length === 0) return null;
      const by = (n === undefined ? 1 : Number(requireIndex(n))) % d.length;
      // The shorter way round.
      const steps = by > d.length / 2 ? by - d.length : by < -d.length / 2 ? by + d.length : by;
      for (let i = 0; i < steps; i += 1) d.$unshift(d.$pop());
      for (let i = 0; i > steps; i -= 1) d.$push(d.$shift());
      return null;
    },
  ],
});
setMethods(Deque, dequeM);
Object.defineProperty(Deque.prototype, $exposed, { value: new Set(['maxlen']) });
Object.defineProperty(Deque.prototype, $itemsKind, {
  value(this: Deque): ItemsKind {
    return { tag: 'deque', items: this.$items(), maxlen: this.maxlen };
  },
});
registerStored('deque', (items, { maxlen }: Tagged) => new Deque(items, maxlen ?? null));
nativeClass(Deque, {
  name: 'deque',
  module: 'collections',
  fullName: true,
  params: 'iterable=None, maxlen=None',
  countedAs: ['Sequence', 'MutableSequence'],
  make: (_cls, items, maxlen) => {
    const limit = maxlen === undefined || maxlen === null ? null : requireSize(maxlen);
    if (limit !== null && limit < 0) throw new ValueError('maxlen must be non-negative');
    return new Deque(items === undefined || items === null ? undefined : iter(items), limit);
  },
});

/** Modules `collections` and `collections.abc`. */
import {
  $dictKind,
  $itemsKind,
  type DictKind,
  type ItemsKind,
  registerStored,
  type Tagged,
} from '../../archetypes/codec.ts';
import { $exposed, $open } from '../../values/attributes.ts';
import { call } from '../../values/calls.ts';
import { contains } from '../../values/contains.ts';
import { Dict } from '../../values/dict.ts';
import { dictM, fromKeys, reprEntries } from '../../values/dict-methods.ts';
import { dictUpdate } from '../../values/dict-update.ts';
import { eqDicts } from '../../values/dict-views.ts';
import { eq, same } from '../../values/equality.ts';
import {
  IndexError,
  KeyError,
  NotImplementedError,
  RuntimeError,
  TypeError,
  ValueError,
} from '../../values/exceptions.ts';
import { unhashable } from '../../values/hashing.ts';
import { requireIndex, requireSize } from '../../values/index-value.ts';
import { listHints } from '../../values/item-hint.ts';
import { itemsOf, iter, PyIterator } from '../../values/iteration.ts';
import { len } from '../../values/length.ts';
import { setMethods } from '../../values/method-tables.ts';
import { callMethod } from '../../values/methods.ts';
import { asNumber } from '../../values/numbers.ts';
import { add, sub } from '../../values/operators.ts';
import { ge, gt, le, lt } from '../../values/ordering.ts';
import { $eq, $hash, $methods, $repr, $truth, $typeName, type Hint, type ReprState } from '../../values/protocol.ts';
import { nested, reprItems, reprOf } from '../../values/repr.ts';
import { takeFirst } from '../../values/sets.ts';
import { methodTable, native } from '../../values/signature.ts';
import { NotImplemented } from '../../values/singletons.ts';
import { Slice } from '../../values/slice.ts';
import { delitem, getitem, setitem } from '../../values/subscripts.ts';
import { truth } from '../../values/truth.ts';
import { Tuple } from '../../values/tuple.ts';
import { className, isTypeObject, typeName } from '../../values/type-name.ts';
import { namedType } from '../../values/types.ts';
import { promising } from '../class-base.ts';
import type { Members } from '../module.ts';
import { std } from '../modules.ts';
import { fieldNames, makeNamedTuple } from '../namedtuple.ts';
import { nativeClass } from '../native-class.ts';
import type { SpecialForm } from '../special-form.ts';
import { typingNames } from '../typing-names.ts';
import { abstractForms } from './abstract-forms.ts';
import { UserDict, UserList, UserString } from './collections-user.ts';
import { abstractClass, abstractNames } from './typing-forms.ts';

// ---------------------------------------------------------------- defaultdict, OrderedDict

export class DefaultDict extends Dict {
  default_factory: unknown;

  constructor(factory: unknown) {
    super();
    this.default_factory = factory ?? null;
  }

  __missing__(key: unknown): unknown {
    if (this.default_factory === null) throw new KeyError(key);
    const value = call(this.default_factory);
    this.set(key, value);
    return value;
  }

  override copy(): DefaultDict {
    const made = new DefaultDict(this.default_factory);
    for (const [k, v] of this.map) made.set(k, v);
    return made;
  }

  [$repr](state: ReprState, hint?: Hint): string {
    return nested(
      this,
      state,
      'defaultdict(...)',
      () => `${this[$typeName]}(${reprOf(this.default_factory)}, ${reprEntries(this, state, hint)})`,
    );
  }
}
Object.defineProperty(DefaultDict.prototype, $open, { value: true });
setMethods(DefaultDict, methodTable('defaultdict', { copy: ['', (d: DefaultDict) => d.copy()] }, dictM));
Object.defineProperty(DefaultDict.prototype, $exposed, { value: new Set(['default_factory']) });
Object.defineProperty(DefaultDict.prototype, $dictKind, {
  value(this: DefaultDict): DictKind | undefined {
    const factory = this.default_factory;
    return isTypeObject(factory) ? { tag: 'defaultdict', of: className(factory) } : undefined;
  },
});
registerStored('defaultdict', (content, { of }: Tagged) => filled(new DefaultDict(namedType(of!)), content, undefined));
nativeClass(DefaultDict, {
  name: 'defaultdict',
  module: 'collections',
  params: 'default_factory=None, iterable=None, /, **kwargs',
  make: (_cls, factory, source, kwargs) => {
    if (
      factory !== undefined &&
      factory !== null &&
      typeof factory !== 'function' &&
      typeof factory?.__call__ !== 'function'
    ) {
      throw new TypeError('first argument must be callable or None');
    }
    return filled(new DefaultDict(factory), source, kwargs);
  },
});

function filled<D extends Dict>(made: D, source: unknown, kwargs: Dict | undefined): D {
  if (source !== undefined && source !== null) dictUpdate(made, source);
  if (kwargs !== undefined) dictUpdate(made, kwargs);
  return made;
}

export class OrderedDict extends Dict {
  override copy(): OrderedDict {
    return filled(new OrderedDict(), this, undefined);
  }

  [$repr](state: ReprState): string {
    return nested(this, state, '...', () =>
      this.size === 0 ? `${this[$typeName]}()` : `${this[$typeName]}(${reprEntries(this, state)})`,
    );
  }

  [$eq](other: unknown): boolean | undefined {
    if (!(other instanceof Dict)) return undefined;
    if (!eqDicts(this, other)) return false;
    if (!(other instanceof OrderedDict)) return true;
    const keys = [...other.keys()];
    return [...this.keys()].every((key, i) => same(key, keys[i]));
  }
}

function moveToEnd(d: Dict, key: unknown, last: unknown): null {
  const value = d.get(key);
  if (value === undefined) throw new KeyError(key);
  d.delete(key);
  if (last === undefined || truth(last)) {
    d.set(key, value);
    return null;
  }
  const entries = [...d.entries()];
  d.clear();
  d.set(key, value);
  for (const [k, v] of entries) d.set(k, v);
  return null;
}

setMethods(
  OrderedDict,
  methodTable(
    'OrderedDict',
    {
      copy: ['', (d: OrderedDict) => d.copy()],
      move_to_end: ['key, last=True', moveToEnd],
      popitem: [
        'last=True',
        (d: Dict, last: unknown) => {
          if (d.size === 0) throw new KeyError('dictionary is empty');
          if (last === undefined || truth(last)) return dictM.popitem(d);
          const key = takeFirst(d.map);
          const value = d.map.get(key);
          d.delete(key);
          return new Tuple([key, value]);
        },
      ],
    },
    dictM,
  ),
);
Object.defineProperty(OrderedDict.prototype, $dictKind, { value: (): DictKind => ({ tag: 'ordereddict' }) });
registerStored('ordereddict', (content) => filled(new OrderedDict(), content, undefined));
nativeClass(OrderedDict, {
  name: 'OrderedDict',
  module: 'collections',
  params: 'iterable=None, /, **kwargs',
  make: (_cls, source, kwargs) => filled(new OrderedDict(), source, kwargs),
  statics: {
    fromkeys: [
      'iterable, value=None',
      (keys: unknown, value: unknown) => filled(new OrderedDict(), fromKeys(keys, value), undefined),
    ],
  },
});

// ---------------------------------------------------------------- Counter

export class Counter extends Dict {
  __missing__(): number {
    return 0;
  }

  override copy(): Counter {
    const made = new Counter();
    for (const [k, v] of this.map) made.set(k, v);
    return made;
  }

  $count(source: unknown, combine: (a: unknown, b: unknown) => unknown): void {
    if (source instanceof Dict) {
      for (const [k, v] of source.map) this.set(k, combine(this.get(k) ?? 0, v));
    } else for (const x of iter(source)) this.set(x, combine(this.get(x) ?? 0, 1));
  }

  $ranked(): [unknown, unknown][] {
    const entries = [...this.entries()];
    return entries.sort(([, a], [, b]) => (gt(a, b) ? -1 : gt(b, a) ? 1 : 0));
  }

  $combined(other: unknown, combine: (a: unknown, b: unknown) => unknown): unknown {
    if (!(other instanceof Counter)) return NotImplemented;
    const made = new Counter();
    for (const key of new Set([...this.keys(), ...other.keys()])) {
      const n = combine(this.get(key) ?? 0, other.get(key) ?? 0);
      if (gt(n, 0)) made.set(key, n);
    }
    return made;
  }

  __add__(other: unknown): unknown {
    return this.$combined(other, add);
  }

  __sub__(other: unknown): unknown {
    return this.$combined(other, sub);
  }

  __or__(other: unknown): unknown {
    return this.$combined(other, (a, b) => (lt(a, b) ? b : a));
  }

  __and__(other: unknown): unknown {
    return this.$combined(other, (a, b) => (lt(a, b) ? a : b));
  }

  $compare(other: unknown, holds: (a: unknown, b: unknown) => boolean): unknown {
    if (!(other instanceof Counter)) return NotImplemented;
    return [...this.keys(), ...other.keys()].every((key) => holds(this.get(key) ?? 0, other.get(key) ?? 0));
  }

  __le__(other: unknown): unknown {
    return this.$compare(other, (a, b) => !gt(a, b));
  }

  __ge__(other: unknown): unknown {
    return this.$compare(other, (a, b) => !lt(a, b));
  }

  __lt__(other: unknown): unknown {
    return this.__le__(other) === true && this[$eq](other) === false;
  }

  __gt__(other: unknown): unknown {
    return this.__ge__(other) === true && this[$eq](other) === false;
  }

  // Counting to nothing what was never counted is no error.
  __delitem__(key: unknown): void {
    this.delete(key);
  }

  __iadd__(other: unknown): unknown {
    return this.$replace(this.__add__(other));
  }

  __isub__(other: unknown): unknown {
    return this.$replace(this.__sub__(other));
  }

  __ior__(other: unknown): unknown {
    return this.$replace(this.__or__(other));
  }

  __iand__(other: unknown): unknown {
    return this.$replace(this.__and__(other));
  }

  $replace(result: unknown): unknown {
    if (!(result instanceof Counter)) return result;
    this.clear();
    for (const [k, v] of result.map) this.set(k, v);
    return this;
  }

  __pos__(): Counter {
    return this.$combined(new Counter(), add) as Counter;
  }

  __neg__(): Counter {
    return new Counter().$combined(this, sub) as Counter;
  }

  [$eq](other: unknown): boolean | undefined {
    if (!(other instanceof Counter)) return other instanceof Dict ? eqDicts(this, other) : undefined;
    for (const key of [...this.keys(), ...other.keys()]) if (!eq(this.get(key) ?? 0, other.get(key) ?? 0)) return false;
    return true;
  }

  [$repr](state: ReprState): string {
    if (this.size === 0) return `${this[$typeName]}()`;
    const sortable = [...this.values()].every((n) => asNumber(n) !== undefined);
    const shown = Dict.from(sortable ? this.$ranked() : [...this.entries()]);
    return nested(this, state, 'Counter(...)', () => `${this[$typeName]}(${reprEntries(shown, state)})`);
  }
}

function* elements(c: Counter): Generator<unknown> {
  for (const [k, n] of c.map) for (let i = 0; i < Number(n); i += 1) yield k;
}

function counting(
  combine: (a: unknown, b: unknown) => unknown,
): (c: Counter, source: unknown, kwargs: Dict | undefined) => null {
  return (c, source, kwargs) => {
    if (source !== undefined && source !== null) c.$count(source, combine);
    if (kwargs !== undefined) c.$count(kwargs, combine);
    return null;
  };
}

setMethods(
  Counter,
  methodTable(
    'Counter',
    {
      copy: ['', (c: Counter) => c.copy()],
      elements: ['', (c: Counter) => new PyIterator(elements(c), 'chain')],
      most_common: [
        'n=None',
        (c: Counter, n: unknown) => {
          const ranked = c.$ranked().map((entry) => new Tuple(entry));
          return n === undefined || n === null ? ranked : ranked.slice(0, Math.max(0, requireSize(n)));
        },
      ],
      subtract: ['iterable=None, /, **kwds', counting(sub)],
      total: ['', (c: Counter) => [...c.values()].reduce((a: unknown, b) => add(a, b), 0)],
      update: ['iterable=None, /, **kwds', counting(add)],
    },
    dictM,
  ),
);
Object.defineProperty(Counter.prototype, $dictKind, { value: (): DictKind => ({ tag: 'counter' }) });
registerStored('counter', (content) => filled(new Counter(), content, undefined));
nativeClass(Counter, {
  name: 'Counter',
  module: 'collections',
  params: 'iterable=None, /, **kwds',
  make: (_cls, source, kwargs) => {
    const made = new Counter();
    counting(add)(made, source, kwargs);
    return made;
  },
  statics: {
    fromkeys: [
      'iterable, v=None',
      () => {
        throw new NotImplementedError('Counter.fromkeys() is undefined.  Use Counter(iterable) instead.');
      },
    ],
  },
});

// ---------------------------------------------------------------- deque

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
    for (let i = 0; i < this.$size; i += 1) if (same(this.$at(i), x)) return true;
    return false;
  }

  __add__(other: unknown): unknown {
    if (!(other instanceof Deque))
      throw new TypeError(`can only concatenate deque (not "${typeName(other)}") to deque`);
    return new Deque([...this.$items(), ...other.$items()], this.maxlen);
  }

  __iadd__(other: unknown): unknown {
    for (const x of itemsOf(other).slice()) this.$push(x);
    return this;
  }

  __mul__(times: unknown): unknown {
    const items = this.$items();
    const all: unknown[] = [];
    for (let i = 0; i < requireSize(times); i += 1) all.push(...items);
    return new Deque(all, this.maxlen);
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

  [$repr](state: ReprState, hint?: Hint): string {
    return nested(
      this,
      state,
      '[...]',
      () =>
        `${(this as any)[$typeName]}([${reprItems(this.$items(), listHints(hint), state)}]${this.maxlen === null ? '' : `, maxlen=${this.maxlen}`})`,
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
  copy: ['', (d: Deque) => new Deque(d.$items(), d.maxlen)],
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

// ---------------------------------------------------------------- ChainMap, User types

const MutableMapping = promising('MutableMapping') as new () => object;

/** Several mappings seen as one; writes go to the first. */
export class ChainMap extends MutableMapping {
  declare maps: any[];

  constructor(maps: any[] = []) {
    super();
    this.init(maps);
  }

  init(maps: any[]): void {
    this.maps = maps.length === 0 ? [new Dict()] : [...maps];
  }

  /** A chain of the same class. */
  $like(maps: any[]): ChainMap {
    return call(this.constructor, ...maps);
  }

  $merged(): Dict {
    const all = new Dict();
    for (const map of [...this.maps].reverse()) dictUpdate(all, map);
    return all;
  }

  get parents(): ChainMap {
    return this.$like(this.maps.slice(1));
  }

  new_child(map?: any, more?: Dict): ChainMap {
    const first = map ?? new Dict();
    if (more !== undefined) dictUpdate(first, more);
    return this.$like([first, ...this.maps]);
  }

  copy(): ChainMap {
    return this.$like([callMethod(this.maps[0], 'copy'), ...this.maps.slice(1)]);
  }

  get(key: unknown, fallback?: unknown): unknown {
    return contains(this, key) ? getitem(this, key) : (fallback ?? null);
  }

  pop(key: unknown, ...fallback: unknown[]): unknown {
    if (fallback.length > 0 || contains(this.maps[0], key)) return callMethod(this.maps[0], 'pop', key, ...fallback);
    throw missing(key);
  }

  popitem(): unknown {
    if (len(this.maps[0]) === 0) throw new KeyError('No keys found in the first mapping.');
    return callMethod(this.maps[0], 'popitem');
  }

  clear(): null {
    return callMethod(this.maps[0], 'clear');
  }

  __iter__(): unknown {
    return new PyIterator(this.$merged().keys(), 'dict_keyiterator');
  }

  __len__(): number {
    return this.$merged().size;
  }

  __bool__(): boolean {
    return this.maps.some((map) => truth(map));
  }

  __contains__(key: unknown): boolean {
    return this.maps.some((map) => contains(map, key));
  }

  __getitem__(key: unknown): unknown {
    for (const map of this.maps) {
      try {
        return getitem(map, key);
      } catch (e) {
        if (!(e instanceof KeyError)) throw e;
      }
    }
    return (this as any).__missing__(key);
  }

  __missing__(key: unknown): unknown {
    throw new KeyError(key);
  }

  __setitem__(key: unknown, value: unknown): void {
    setitem(this.maps[0], key, value);
  }

  __delitem__(key: unknown): void {
    if (!contains(this.maps[0], key)) throw missing(key);
    delitem(this.maps[0], key);
  }

  __or__(other: unknown): unknown {
    const made = this.copy();
    return isMapping(other) ? dictInto(made, other) : NotImplemented;
  }

  __ror__(other: unknown): unknown {
    if (!isMapping(other)) return NotImplemented;
    const all = dictUpdate(new Dict(), other);
    return this.$like([dictUpdate(all, this.$merged())]);
  }

  __ior__(other: unknown): this {
    dictInto(this, other);
    return this;
  }

  __repr__(): string {
    return `${typeName(this)}(${this.maps.map((map) => reprOf(map)).join(', ')})`;
  }
}

const missing = (key: unknown) => new KeyError(`Key not found in the first mapping: ${reprOf(key)}`);

function isMapping(x: any): boolean {
  return x instanceof Dict || typeof x?.keys === 'function';
}

function dictInto(chain: ChainMap, other: unknown): ChainMap {
  dictUpdate(chain.maps[0], other instanceof ChainMap ? other.$merged() : other);
  return chain;
}

native('ChainMap.__init__', '*maps', ChainMap.prototype.init);
nativeClass(ChainMap, {
  name: 'ChainMap',
  module: 'collections',
  params: '*maps',
  make: (cls, maps) => new cls(maps ?? []),
  methods: { get: 'key, default=None', new_child: 'm=None, **kwargs', copy: '', clear: '', popitem: '' },
  statics: {
    fromkeys: [
      'iterable, value=None, /',
      (keys: unknown, value: unknown) => new ChainMap([fromKeys(keys, value ?? null)]),
    ],
  },
});

function namedtuple(name: string, fields: unknown, rename: unknown, defaults: unknown, module: unknown): unknown {
  const names = fieldNames(fields, truth(rename));
  const values = defaults === undefined || defaults === null ? [] : itemsOf(defaults);
  if (values.length > names.length) throw new TypeError('Got more default values than field names');
  return makeNamedTuple(name, names, { defaults: values, module: typeof module === 'string' ? module : '__main__' });
}

export function makeCollections(): Members {
  return {
    defaultdict: DefaultDict,
    OrderedDict,
    Counter,
    deque: Deque,
    ChainMap,
    UserDict,
    UserList,
    UserString,
    get abc() {
      return std('collections.abc');
    },
    namedtuple: native('namedtuple', 'typename, field_names, *, rename=False, defaults=None, module=None', namedtuple),
  };
}

/** `collections.abc` */
export function makeCollectionsAbc(): Members {
  const forms = [...abstractNames.split(' ').map((name) => typingNames[name]), ...Object.values(abstractForms)];
  return Object.fromEntries(
    (forms as SpecialForm[]).map((form) => {
      const made = abstractClass(form)!;
      return [made.__name__, made];
    }),
  );
}

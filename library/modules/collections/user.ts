/**
 * `UserDict`, `UserList` and `UserString`: containers a class may derive from. All goes through the special methods of the object, so what
 * a derived class overrides is what every other method uses.
 */

import { nativeClass } from '../../builtins/native-class.ts';
import { call } from '../../values/calls/calls.ts';
import { type MethodTable, native } from '../../values/calls/signature.ts';
import { contains } from '../../values/containers/contains.ts';
import { Dict } from '../../values/containers/dict.ts';
import { dictM } from '../../values/containers/dict-methods.ts';
import { dictUpdate } from '../../values/containers/dict-update.ts';
import { iter, PyIterator, toArray } from '../../values/containers/iteration.ts';
import { len } from '../../values/containers/length.ts';
import { listM } from '../../values/containers/list-methods.ts';
import { Slice } from '../../values/containers/slice.ts';
import { delitem, getitem, setitem } from '../../values/containers/subscripts.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { same } from '../../values/objects/equality.ts';
import { KeyError } from '../../values/objects/exceptions.ts';
import { hashNumber, hashOf } from '../../values/objects/hashing.ts';
import { add, mul } from '../../values/objects/operators.ts';
import { lt } from '../../values/objects/ordering.ts';
import { $hash, $spec } from '../../values/objects/protocol.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { strM } from '../../values/text/str-methods.ts';

export class UserDict {
  declare data: Dict;

  constructor(source?: unknown, kwargs?: Dict) {
    this.init(source, kwargs);
  }

  init(source?: unknown, kwargs?: Dict): void {
    this.data = new Dict();
    if (source !== undefined && source !== null) this.update(source);
    if (kwargs !== undefined && kwargs.size > 0) this.update(kwargs);
  }

  __len__(): number {
    return this.data.size;
  }

  __getitem__(key: unknown): unknown {
    const value = this.data.get(key);
    if (value !== undefined) return value;
    const missing = (this as any).__missing__;
    if (typeof missing === 'function') return missing.call(this, key);
    throw new KeyError(key);
  }

  __setitem__(key: unknown, value: unknown): void {
    this.data.set(key, value);
  }

  __delitem__(key: unknown): void {
    delitem(this.data, key);
  }

  __contains__(key: unknown): boolean {
    return this.data.has(key);
  }

  __iter__(): unknown {
    return new PyIterator(this.data[Symbol.iterator](), 'dict_keyiterator');
  }

  __eq__(other: any): boolean {
    return same(this.data, other instanceof UserDict ? other.data : other);
  }

  __repr__(): string {
    return reprOf(this.data);
  }

  __or__(other: any): unknown {
    const made = this.copy();
    dictUpdate(made.data, other instanceof UserDict ? other.data : other);
    return made;
  }

  __ror__(other: any): unknown {
    const made = this.copy();
    made.data = dictUpdate(dictUpdate(new Dict(), other), this.data);
    return made;
  }

  __ior__(other: any): unknown {
    dictUpdate(this.data, other instanceof UserDict ? other.data : other);
    return this;
  }

  get(key: unknown, fallback?: unknown): unknown {
    return contains(this, key) ? getitem(this, key) : (fallback ?? null);
  }

  keys(): unknown {
    return dictM.keys(this.data);
  }

  values(): unknown {
    return dictM.values(this.data);
  }

  items(): unknown {
    return dictM.items(this.data);
  }

  update(source?: unknown, kwargs?: Dict): null {
    const pairs = new Dict();
    if (source !== undefined) dictUpdate(pairs, source instanceof UserDict ? source.data : source);
    if (kwargs !== undefined) dictUpdate(pairs, kwargs);
    for (const [key, value] of pairs.entries()) setitem(this, key, value);
    return null;
  }

  pop(key: unknown, fallback?: unknown): unknown {
    if (!contains(this, key) && fallback !== undefined) return fallback;
    const value = getitem(this, key);
    delitem(this, key);
    return value;
  }

  popitem(): Tuple {
    const first = this.data.keys().next();
    if (first.done === true) throw new KeyError();
    return new Tuple([first.value, this.pop(first.value)]);
  }

  setdefault(key: unknown, fallback?: unknown): unknown {
    if (!contains(this, key)) setitem(this, key, fallback ?? null);
    return getitem(this, key);
  }

  clear(): null {
    for (const key of [...this.data.keys()]) delitem(this, key);
    return null;
  }

  copy(): any {
    const made = Object.assign(Object.create(Object.getPrototypeOf(this)), this);
    made.data = this.data.copy();
    return made;
  }
}
native('UserDict.__init__', 'dict=None, /, **kwargs', UserDict.prototype.init);
nativeClass(UserDict, {
  name: 'UserDict',
  module: 'collections',
  countedAs: ['Mapping', 'MutableMapping'],
  params: 'dict=None, /, **kwargs',
  methods: {
    get: 'key, default=None',
    update: 'other=None, /, **kwargs',
    pop: 'key, default=None',
    setdefault: 'key, default=None',
  },
  classMethods: {
    fromkeys: [
      'iterable, value=None',
      (cls, keys, value) => {
        const made = call(cls);
        for (const key of iter(keys)) setitem(made, key, value ?? null);
        return made;
      },
    ],
  },
});

export class UserList {
  declare data: unknown[];

  constructor(source?: unknown) {
    this.init(source);
  }

  init(source?: unknown): void {
    this.data =
      source === undefined || source === null ? [] : toArray(source instanceof UserList ? source.data : source);
  }

  __len__(): number {
    return this.data.length;
  }

  __getitem__(i: unknown): unknown {
    return i instanceof Slice ? this.$like(getitem(this.data, i)) : getitem(this.data, i);
  }

  __setitem__(i: unknown, value: unknown): void {
    setitem(this.data, i, value);
  }

  __delitem__(i: unknown): void {
    delitem(this.data, i);
  }

  __contains__(x: unknown): boolean {
    return contains(this.data, x);
  }

  __eq__(other: any): boolean {
    return same(this.data, other instanceof UserList ? other.data : other);
  }

  __lt__(other: any): boolean {
    return lt(this.data, other instanceof UserList ? other.data : other);
  }

  __add__(other: any): unknown {
    return this.$like(add(this.data, toArray(other instanceof UserList ? other.data : other)));
  }

  __radd__(other: any): unknown {
    return this.$like(add(toArray(other), this.data));
  }

  __mul__(n: unknown): unknown {
    return this.$like(mul(this.data, n));
  }

  __rmul__(n: unknown): unknown {
    return this.__mul__(n);
  }

  __repr__(): string {
    return reprOf(this.data);
  }

  $like(data: unknown[]): unknown {
    const made = Object.assign(Object.create(Object.getPrototypeOf(this)), this);
    made.data = data;
    return made;
  }
}
native('UserList.__init__', 'initlist=None', UserList.prototype.init);
nativeClass(UserList, {
  name: 'UserList',
  module: 'collections',
  countedAs: ['Sequence', 'MutableSequence'],
  params: 'initlist=None',
});

export class UserString {
  declare data: string;

  constructor(source: unknown) {
    this.init(source);
  }

  init(source: unknown): void {
    this.data = strOf(source);
  }

  __len__(): number {
    return len(this.data);
  }

  __getitem__(i: unknown): unknown {
    return getitem(this.data, i);
  }

  __contains__(x: any): boolean {
    return contains(this.data, x instanceof UserString ? x.data : x);
  }

  __eq__(other: any): boolean {
    return this.data === (other instanceof UserString ? other.data : other);
  }

  __lt__(other: any): boolean {
    return lt(this.data, other instanceof UserString ? other.data : other);
  }

  __add__(other: any): unknown {
    return add(this.data, other instanceof UserString ? other.data : other);
  }

  __radd__(other: any): unknown {
    return add(strOf(other), this.data);
  }

  __mul__(n: unknown): unknown {
    return new (this.constructor as typeof UserString)(mul(this.data, n));
  }

  __rmul__(n: unknown): unknown {
    return this.__mul__(n);
  }

  __hash__(): unknown {
    return hashNumber(this.data);
  }

  // Hashes the object like the text it holds, unless a derived class says otherwise.
  [$hash](): string {
    const own = this.__hash__;
    return own === UserString.prototype.__hash__ ? hashOf(this.data) : hashOf({ __hash__: own.bind(this) });
  }

  __iter__(): unknown {
    return new PyIterator(iter(this.data)[Symbol.iterator](), 'str_iterator');
  }

  __str__(): string {
    return this.data;
  }

  __repr__(): string {
    return reprOf(this.data);
  }
}
native('UserString.__init__', 'seq', UserString.prototype.init);
nativeClass(UserString, { name: 'UserString', module: 'collections', params: 'seq', countedAs: ['Sequence'] });

// The other methods are those of the built-in type, on the contents.
function delegate(cls: any, table: MethodTable): void {
  for (const name of Object.keys(table)) {
    const method = table[name]!;
    if (name in cls.prototype) continue;
    const value: any = native(`${cls.name}.${name}`, '', function (this: any, ...slots: unknown[]): unknown {
      return method(this.data, ...slots);
    });
    value[$spec] = (method as any)[$spec];
    Object.defineProperty(cls.prototype, name, { writable: true, configurable: true, value });
  }
}
delegate(UserList, listM);
delegate(UserString, strM);

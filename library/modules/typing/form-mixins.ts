/**
 * Methods that forms of `collections.abc` promise to what derives from them: `Mapping` gives `get`, `items` … over `__getitem__`, `__iter__`
 * and `__len__`. Read with the modules whose forms programs derive from.
 */

import { type Mixin, promising, setMixins } from '../../builtins/class-base.ts';
import { call } from '../../values/calls/calls.ts';
import { contains } from '../../values/containers/contains.ts';
import { Dict } from '../../values/containers/dict.ts';
import { dictUpdate } from '../../values/containers/dict-update.ts';
import { SetView } from '../../values/containers/dict-views.ts';
import { iter, PyIterator, toArray, tryIter } from '../../values/containers/iteration.ts';
import { len } from '../../values/containers/length.ts';
import { countItems } from '../../values/containers/list-methods.ts';
import { AnySet, FrozenSet, PySet } from '../../values/containers/sets.ts';
import { delitem, getitem, setitem } from '../../values/containers/subscripts.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { same } from '../../values/objects/equality.ts';
import { IndexError, KeyError, ValueError } from '../../values/objects/exceptions.ts';
import { hashNumber } from '../../values/objects/hashing.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { className } from '../../values/objects/type-name.ts';
import { MappingItems, MappingKeys, MappingValues } from './mapping-views.ts';

const lookUp = (self: any, key: unknown, fallback: unknown): unknown => {
  try {
    return getitem(self, key);
  } catch (e) {
    if (e instanceof KeyError) return fallback;
    throw e;
  }
};

const mapping: Mixin = {
  get: ['key, default=None', (self, key, fallback) => lookUp(self, key, fallback ?? null)],
  keys: ['', (self) => new MappingKeys(self)],
  values: ['', (self) => new MappingValues(self)],
  items: ['', (self) => new MappingItems(self)],
  __contains__: ['key', (self, key) => lookUp(self, key, undefined) !== undefined],
  __eq__: ['other', (self, other) => same(dictUpdate(new Dict(), self), other instanceof Dict ? other : toDict(other))],
};

function toDict(x: any): unknown {
  return typeof x?.keys === 'function' ? dictUpdate(new Dict(), x) : undefined;
}

const mutableMapping: Mixin = {
  ...mapping,
  pop: [
    'key, default=None',
    (self, key, fallback) => {
      const value = lookUp(self, key, undefined);
      if (value === undefined && fallback === undefined) throw new KeyError(key);
      if (value === undefined) return fallback;
      delitem(self, key);
      return value;
    },
  ],
  popitem: [
    '',
    (self) => {
      const [key] = toArray(self);
      if (key === undefined) throw new KeyError();
      const value = getitem(self, key);
      delitem(self, key);
      return new Tuple([key, value]);
    },
  ],
  clear: [
    '',
    (self) => {
      for (const key of toArray(self)) delitem(self, key);
      return null;
    },
  ],
  update: [
    'other=None, /, **kwargs',
    (self, other, kwargs) => {
      const all = new Dict();
      if (other !== undefined) dictUpdate(all, other);
      if (kwargs !== undefined) dictUpdate(all, kwargs);
      for (const [key, value] of all.entries()) setitem(self, key, value);
      return null;
    },
  ],
  setdefault: [
    'key, default=None',
    (self, key, fallback) => {
      if (!contains(self, key)) setitem(self, key, fallback ?? null);
      return getitem(self, key);
    },
  ],
};

/** Items of a sequence by their places, up to the first that has none. */
function* itemsByPlace(self: any): Generator<unknown, undefined> {
  for (let i = 0; ; i += 1) {
    let item: unknown;
    try {
      item = getitem(self, i);
    } catch (e) {
      if (e instanceof IndexError) return undefined;
      throw e;
    }
    yield item;
  }
}

const sequence: Mixin = {
  __iter__: ['', (self) => new PyIterator(itemsByPlace(self), 'generator')],
  __contains__: ['value', (self, value) => toArray(self).some((item) => same(item, value))],
  __reversed__: ['', (self) => new PyIterator(toArray(self).reverse()[Symbol.iterator](), 'generator')],
  index: [
    'value, start=0, stop=None',
    (self, value, start, stop) => {
      const size = len(self);
      const place = (x: unknown) => Math.max(0, requireSize(x) < 0 ? requireSize(x) + size : requireSize(x));
      const end = stop === undefined || stop === null ? size : Math.min(size, place(stop));
      for (let i = place(start ?? 0); i < end; i += 1) if (same(getitem(self, i), value)) return i;
      throw new ValueError();
    },
  ],
  count: ['value', (self, value) => countItems(toArray(self), value)],
};

const mutableSequence: Mixin = {
  ...sequence,
  append: ['value', (self, value) => self.insert(len(self), value)],
  extend: ['values', (self, values) => extend(self, values)],
  pop: [
    'index=-1',
    (self, index) => {
      const at = index ?? -1;
      const value = getitem(self, at);
      delitem(self, at);
      return value;
    },
  ],
  remove: [
    'value',
    (self, value) => {
      delitem(self, self.index(value));
      return null;
    },
  ],
  clear: [
    '',
    (self) => {
      while (len(self) > 0) self.pop();
      return null;
    },
  ],
  reverse: [
    '',
    (self) => {
      const items = toArray(self).reverse();
      for (const [i, item] of items.entries()) setitem(self, i, item);
      return null;
    },
  ],
  __iadd__: [
    'values',
    (self, values) => {
      self.extend(values);
      return self;
    },
  ],
};

const isSet = (x: unknown) =>
  x instanceof AnySet ||
  x instanceof SetView ||
  ['AbstractSet', 'MutableSet', 'KeysView', 'ItemsView'].some((label) => x instanceof promising(label));

/** A set of the class of `self`: `_from_iterable` makes it where the class has one, else a call of the class. */
function setLike(self: any, items: readonly unknown[]): unknown {
  const make = self.constructor._from_iterable ?? self._from_iterable;
  return make === undefined ? call(self.constructor, [...items]) : call(make.bind(self.constructor), [...items]);
}

type Choose = (self: any, own: readonly unknown[], items: readonly unknown[], other: any) => readonly unknown[];

const combining =
  (choose: Choose) =>
  (self: any, other: any): unknown => {
    if (tryIter(other) === undefined) return NotImplemented;
    const items = toArray(other);
    return setLike(self, choose(self, toArray(self), items, isSet(other) ? other : items));
  };
const intersect = combining((self, _own, items) => items.filter((item) => contains(self, item)));
const unite = combining((_self, own, items) => [...own, ...items]);
const exclude = combining((_self, own, _items, other) => own.filter((item) => !contains(other, item)));
const excludedFrom = combining((self, _own, items) => items.filter((item) => !contains(self, item)));
const either = combining((self, own, items, other) => [
  ...own.filter((item) => !contains(other, item)),
  ...items.filter((item) => !contains(self, item)),
]);

const isWithin = (a: any, b: any) => len(a) <= len(b) && toArray(a).every((item) => contains(b, item));
const comparing = (test: (a: any, b: any) => boolean) => (self: any, other: any) =>
  isSet(other) ? test(self, other) : NotImplemented;

const abstractSet: Mixin = {
  __le__: ['other', comparing(isWithin)],
  __lt__: ['other', comparing((a, b) => len(a) < len(b) && isWithin(a, b))],
  __ge__: ['other', comparing((a, b) => isWithin(b, a))],
  __gt__: ['other', comparing((a, b) => len(b) < len(a) && isWithin(b, a))],
  __eq__: ['other', comparing((a, b) => len(a) === len(b) && isWithin(a, b))],
  __and__: ['other', intersect],
  __rand__: ['other', intersect],
  __or__: ['other', unite],
  __ror__: ['other', unite],
  __sub__: ['other', exclude],
  __rsub__: ['other', excludedFrom],
  __xor__: ['other', either],
  __rxor__: ['other', either],
  isdisjoint: ['other', (self, other) => !toArray(other).some((item) => contains(self, item))],
  _hash: ['', (self) => hashNumber(new FrozenSet(toArray(self)))],
};

const inPlace = (change: (self: any, items: readonly unknown[], other: any) => void) => (self: any, other: any) => {
  change(self, toArray(other), other);
  return self;
};

function each(items: readonly unknown[], f: (item: unknown) => void): void {
  for (const item of items) f(item);
}

const mutableSet: Mixin = {
  ...abstractSet,
  remove: [
    'value',
    (self, value) => {
      if (!contains(self, value)) throw new KeyError(value);
      self.discard(value);
      return null;
    },
  ],
  pop: [
    '',
    (self) => {
      for (const value of iter(self)) {
        self.discard(value);
        return value;
      }
      throw new KeyError();
    },
  ],
  clear: [
    '',
    (self) => {
      for (const value of toArray(self)) self.discard(value);
      return null;
    },
  ],
  __ior__: ['other', inPlace((self, items) => each(items, (item) => self.add(item)))],
  __isub__: ['other', inPlace((self, items) => each(items, (item) => self.discard(item)))],
  __iand__: [
    'other',
    inPlace((self, _items, other) => {
      for (const item of toArray(self)) if (!contains(other, item)) self.discard(item);
    }),
  ],
  __ixor__: [
    'other',
    inPlace((self, items) => {
      for (const item of items) contains(self, item) ? self.discard(item) : self.add(item);
    }),
  ],
};

function extend(self: any, values: unknown): null {
  for (const value of [...iter(values)]) self.insert(len(self), value);
  return null;
}

function* stepsOf(view: Iterable<unknown>): Generator<unknown> {
  yield* view;
}

/** A view of a class of the program: what the runtime's own view of the mapping has, as methods that the class may replace. */
function viewOf(View: new (mapping: unknown) => any, more: Mixin): Mixin {
  return {
    ...more,
    init: [
      'mapping',
      (self, mapping) => {
        self._mapping = mapping;
        return null;
      },
    ],
    _from_iterable: ['it', (_self, it) => new PySet(toArray(it))],
    __len__: ['', (self) => len(self._mapping)],
    __contains__: ['key', (self, key) => contains(new View(self._mapping), key)],
    __iter__: ['', (self) => new PyIterator(stepsOf(new View(self._mapping)), 'iterator')],
    __repr__: ['', (self) => `${className(self.constructor)}(${reprOf(self._mapping)})`],
  };
}

setMixins({
  KeysView: viewOf(MappingKeys, abstractSet),
  ItemsView: viewOf(MappingItems, abstractSet),
  ValuesView: viewOf(MappingValues, {}),
  Iterator: { __iter__: ['', (self) => self] },
  Generator: { __iter__: ['', (self) => self], __next__: ['', (self) => self.send(null)] },
  AsyncIterator: { __aiter__: ['', (self) => self] },
  AbstractSet: abstractSet,
  MutableSet: mutableSet,
  Mapping: mapping,
  MutableMapping: mutableMapping,
  Sequence: sequence,
  MutableSequence: mutableSequence,
});

/**
 * What a class of the program really inherits from when it names a form of `typing` or `collections.abc`: `class Box(Generic[T])`, `class
 * Registry(Mapping)`. Forms that promise methods (`Mapping` from `__getitem__`, `__iter__` and `__len__`) bring them along.
 */
import { contains } from '../values/contains.ts';
import { Dict } from '../values/dict.ts';
import { dictUpdate } from '../values/dict-update.ts';
import { same } from '../values/equality.ts';
import { IndexError, KeyError, ValueError } from '../values/exceptions.ts';
import { iter, toArray } from '../values/iteration.ts';
import { len } from '../values/length.ts';
import { countItems } from '../values/list-methods.ts';
import { $about, $form, $typeName } from '../values/protocol.ts';
import { native } from '../values/signature.ts';
import { delitem, getitem, setitem } from '../values/subscripts.ts';
import { Tuple } from '../values/tuple.ts';
import { GenericAlias } from '../values/union-type.ts';
import { SpecialForm } from './special-form.ts';

type Mixin = Readonly<Record<string, readonly [string, (self: any, ...slots: any[]) => unknown]>>;

const lookUp = (self: any, key: unknown, fallback: unknown): unknown => {
  try {
    return getitem(self, key);
  } catch (e) {
    if (e instanceof KeyError) return fallback;
    throw e;
  }
};
const pairs = (self: any) => toArray(self).map((key) => new Tuple([key, getitem(self, key)]));

const mapping: Mixin = {
  get: ['key, default=None', (self, key, fallback) => lookUp(self, key, fallback ?? null)],
  keys: ['', (self) => toArray(self)],
  values: ['', (self) => toArray(self).map((key) => getitem(self, key))],
  items: ['', pairs],
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

const sequence: Mixin = {
  index: [
    'value',
    (self, value) => {
      const at = toArray(self).findIndex((item) => same(item, value));
      if (at < 0) throw new ValueError();
      return at;
    },
  ],
  count: ['value', (self, value) => countItems(toArray(self), value)],
};

const mutableSequence: Mixin = {
  ...sequence,
  append: ['value', (self, value) => self.insert(len(self), value)],
  extend: ['values', (self, values) => extend(self, values)],
  __iadd__: [
    'values',
    (self, values) => {
      extend(self, values);
      return self;
    },
  ],
  reverse: [
    '',
    (self) => {
      for (const [i, value] of toArray(self).reverse().entries()) setitem(self, i, value);
      return null;
    },
  ],
  clear: [
    '',
    (self) => {
      while (len(self) > 0) delitem(self, -1);
      return null;
    },
  ],
  pop: [
    'index=-1',
    (self, index) => {
      if (len(self) === 0) throw new IndexError('pop from empty list');
      const at = index ?? -1;
      const value = getitem(self, at);
      delitem(self, at);
      return value;
    },
  ],
  remove: [
    'value',
    (self, value) => {
      delitem(
        self,
        toArray(self).findIndex((item) => same(item, value)),
      );
      return null;
    },
  ],
};

function extend(self: any, values: unknown): null {
  for (const value of [...iter(values)]) self.insert(len(self), value);
  return null;
}

const mixins: Readonly<Record<string, Mixin>> = {
  Iterator: { __iter__: ['', (self) => self] },
  Generator: { __iter__: ['', (self) => self] },
  AsyncIterator: { __aiter__: ['', (self) => self] },
  Mapping: mapping,
  MutableMapping: mutableMapping,
  Sequence: sequence,
  MutableSequence: mutableSequence,
};

const bases = new Map<string, any>();

/** `class C extends $.base(X)`. */
export function base(x: any): any {
  if (x instanceof GenericAlias) return base(x.origin);
  return x instanceof SpecialForm ? promising(x.label) : x;
}

/** The class that stands for a form: what it promises is there. */
export function promising(label: string): any {
  let made = bases.get(label);
  if (made === undefined) {
    made = makeBase(label);
    bases.set(label, made);
  }
  return made;
}

/** `class C extends $.mix($.Obj, $.form(X))`, where `X` promises members and says nothing of how instances are made. */
export function form(x: any): any {
  const cls = base(x);
  if (!Object.hasOwn(cls, $form)) Object.defineProperty(cls, $form, { value: true });
  return cls;
}

function makeBase(label: string): any {
  const cls = { [label]: class {} }[label]!;
  const hide = (target: object, name: PropertyKey, value: unknown) =>
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
  hide(cls.prototype, $typeName, label);
  hide(cls, $about, { module: 'collections.abc', qualname: label });
  for (const [name, [params, fn]] of Object.entries(mixins[label] ?? {})) {
    const method = {
      [name](this: any, ...slots: unknown[]) {
        return fn(this, ...slots);
      },
    }[name]!;
    hide(cls.prototype, name, native(`${label}.${name}`, params, method));
  }
  return cls;
}

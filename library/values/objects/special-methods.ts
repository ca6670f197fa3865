/**
 * The special methods of built-in types as values: `int.__add__`, `[].__len__`, `super().__setitem__(k, v)` in a class that inherits from `dict`.
 * Operators never come here; they know the kinds of values themselves.
 */

import { native } from '../calls/signature.ts';
import { contains, inItems } from '../containers/contains.ts';
import { Dict } from '../containers/dict.ts';
import { iter, PyIterator } from '../containers/iteration.ts';
import { len } from '../containers/length.ts';
import { AnySet } from '../containers/sets.ts';
import { deleteListItem, delitem, getitem, listItem, setitem, setListItem } from '../containers/subscripts.ts';
import { Tuple } from '../containers/tuple.ts';
import { bare, boxed, isFloat } from '../numbers/float-box.ts';
import { floatToInt } from '../numbers/numbers.ts';
import { rounded } from '../numbers/rounding.ts';
import { format } from '../text/format.ts';
import { same } from './equality.ts';
import { KeyError } from './exceptions.ts';
import { hashNumber } from './hashing.ts';
import {
  absoluteOf,
  add,
  band,
  bor,
  bxor,
  div,
  extendList,
  floordiv,
  iadd,
  iband,
  ibor,
  ibxor,
  imul,
  invert,
  isub,
  lshift,
  mod,
  mul,
  neg,
  pos,
  pow,
  repeatList,
  rshift,
  sub,
} from './operators.ts';
import { ge, gt, le, lt } from './ordering.ts';
import { $primitive } from './protocol.ts';
import { reprOf } from './repr.ts';
import { NotImplemented } from './singletons.ts';
import { truth } from './truth.ts';
import { typeName } from './type-name.ts';

/** `bare` is a value of the built-in type itself, `self` the object of the program that stands for it, where there is one. */
export type SpecialRule = (bare: any, args: readonly any[], self: any) => unknown;

type Operation = (a: any, b: any) => unknown;

const operations: Readonly<Record<string, Operation>> = {
  add,
  sub,
  mul,
  truediv: div,
  floordiv,
  mod,
  pow,
  divmod: (a, b) => new Tuple([floordiv(a, b), mod(a, b)]),
  and: band,
  or: bor,
  xor: bxor,
  lshift,
  rshift,
};

const inPlace: Readonly<Record<string, Operation>> = {
  iadd: (a, b) => (Array.isArray(a) ? extendList(a, b) : iadd(a, b)),
  imul: (a, b) => (Array.isArray(a) ? repeatList(a, b) : imul(a, b)),
  ior: ibor,
  iand: iband,
  isub,
  ixor: ibxor,
};
const comparisons: Readonly<Record<string, Operation>> = { lt, le, gt, ge, eq: same, ne: (a, b) => !same(a, b) };

const others: Readonly<Record<string, SpecialRule>> = {
  __neg__: (bare) => neg(bare),
  __pos__: (bare) => pos(bare),
  __abs__: (bare) => absoluteOf(bare),
  __invert__: (bare) => invert(bare),
  __int__: (bare) => whole(bare),
  __index__: (bare) => whole(bare),
  __trunc__: (bare) => whole(bare),
  __round__: (bare, [digits]) => rounded(bare, plainNumber(bare), digits),
  __floor__: (x) => whole(typeof bare(x) === 'number' ? Math.floor(bare(x)) : x),
  __ceil__: (x) => whole(typeof bare(x) === 'number' ? Math.ceil(bare(x)) : x),
  __float__: (bare) => boxed(Number(bare)),
  __bool__: (bare) => truth(bare),
  __hash__: (bare) => hashNumber(bare),
  __format__: (bare, [spec]) => format(bare, spec),
  // `self` is the program's object: what a missing key asks.
  __getitem__: (bare, [i], self) => {
    if (Array.isArray(bare)) return listItem(bare, i);
    if (!(bare instanceof Dict)) return getitem(bare, i);
    const value = bare.get(i);
    if (value !== undefined) return value;
    if (typeof self?.__missing__ === 'function') return self.__missing__(i);
    throw new KeyError(i);
  },
  __setitem__: (bare, [i, value]) => (Array.isArray(bare) ? setListItem(bare, i, value) : setitem(bare, i, value)),
  __delitem__: (bare, [i]) => (Array.isArray(bare) ? deleteListItem(bare, i) : delitem(bare, i)),
  __contains__: (bare, [item]) => (Array.isArray(bare) ? inItems(bare, item) : contains(bare, item)),
  __len__: (bare) => (Array.isArray(bare) ? bare.length : len(bare)),
  __iter__: (bare) =>
    new PyIterator(
      Array.isArray(bare) ? bare.values() : iter(bare)[Symbol.iterator](),
      iteratorNames[typeName(bare)] ?? `${typeName(bare)}_iterator`,
    ),
  __repr__: (bare, _args, self) => reprOf(bare === self && !Array.isArray(bare) ? { ...bare } : plain(bare)),
  // Only text has a `__str__` of its own; the others say what the object's `__repr__` says.
  __str__: (bare, _args, self) => (typeof plainOf(bare) === 'string' ? plainOf(bare) : reprOf(self ?? bare)),
};

const iteratorNames: Readonly<Record<string, string>> = { str: 'str_ascii_iterator', dict: 'dict_keyiterator' };

function whole(given: any): unknown {
  const x = bare(given);
  return typeof x === 'number' ? floatToInt(x) : typeof x === 'boolean' ? Number(x) : x;
}

function plainNumber(x: any): any {
  return typeof x === 'boolean' ? Number(x) : x;
}

function makeRules(): Record<string, SpecialRule> {
  const rules: Record<string, SpecialRule> = { ...others };
  for (const [name, run] of Object.entries(operations)) {
    rules[`__${name}__`] = (bare, [other]) =>
      mayMeet(bare, other) ? run(plain(bare), plainOf(other)) : NotImplemented;
    rules[`__r${name}__`] = (bare, [other]) =>
      mayMeet(bare, other) ? run(plainOf(other), plain(bare)) : NotImplemented;
  }
  for (const [name, run] of Object.entries(inPlace)) rules[`__${name}__`] = (bare, [other]) => run(bare, other);
  for (const [name, run] of Object.entries(comparisons))
    rules[`__${name}__`] = (bare, [other]) =>
      kindOf(bare) === kindOf(other) ? run(plain(bare), plainOf(other)) : NotImplemented;
  return rules;
}

/** A list of the program would be asked for the very method that is being answered. */
function plain(bare: any): any {
  return Array.isArray(bare) ? [...bare] : bare;
}

/** Sequences complain themselves about what they are not joined with; numbers, sets and dicts leave it to the other operand. */
function mayMeet(bare: unknown, other: unknown): boolean {
  const kind = kindOf(bare);
  return (kind !== 'number' && kind !== 'dict' && kind !== 'set') || kind === kindOf(other);
}

/** The number or text that an object of a class derived from `int` or `str` stands for. */
function plainOf(x: any): any {
  const inner = x?.[$primitive];
  return inner === undefined ? x : isFloat(x) ? boxed(inner) : inner;
}

function kindOf(value: unknown): string {
  const x = bare(plainOf(value));
  switch (typeof x) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return 'number';
    case 'object':
      if (x instanceof Dict) return 'dict';
      if (x instanceof AnySet) return 'set';
  }
  return typeName(x);
}

export const specialRules: Readonly<Record<string, SpecialRule>> = makeRules();

const words = (text: string): readonly string[] => text.split(' ').map((word) => `__${word}__`);
const shown = 'repr str format eq ne';
const ordered = `${shown} lt le gt ge`;
const arithmetic =
  'add sub mul truediv floordiv mod pow divmod radd rsub rmul rtruediv rfloordiv rmod rpow rdivmod neg pos abs bool int float trunc floor ceil round hash';
const bits = 'and or xor lshift rshift rand ror rxor rlshift rrshift invert index';
const sequence = `${ordered} add mul rmul contains len getitem iter`;
const setLike = `${ordered} and or sub xor rand ror rsub rxor contains len iter`;

const namesOf: Readonly<Record<string, ReadonlySet<string>>> = {
  bool: new Set(words(`${ordered} ${arithmetic} ${bits}`)),
  int: new Set(words(`${ordered} ${arithmetic} ${bits}`)),
  float: new Set(words(`${ordered} ${arithmetic}`)),
  str: new Set(words(`${sequence} mod hash`)),
  bytes: new Set(words(`${sequence} mod hash`)),
  bytearray: new Set(words(`${sequence} mod setitem delitem`)),
  list: new Set(words(`${sequence} setitem delitem iadd imul`)),
  tuple: new Set(words(`${sequence} hash`)),
  range: new Set(words(`${shown} contains len getitem iter hash`)),
  dict: new Set(words(`${shown} contains len getitem setitem delitem iter or ror ior`)),
  set: new Set(words(`${setLike} iand ior isub ixor`)),
  frozenset: new Set(words(`${setLike} hash`)),
};

const made = new Map<string, any>();

/** The special method of a built-in type, as a function of its receiver; undefined where the type has none of that name. */
export function specialOfType(type: string, name: string): any {
  if (namesOf[type]?.has(name) !== true) return undefined;
  const full = `${type}.${name}`;
  let method = made.get(full);
  if (method === undefined) {
    const rule = specialRules[name]!;
    const params = argumentNames[name] ?? (rule.length < 2 ? '' : 'value, /');
    method = native(full, params, (self: any, ...args: unknown[]) => rule(self, args, undefined) ?? null);
    made.set(full, method);
  }
  return method;
}

const argumentNames: Readonly<Record<string, string>> = {
  __round__: 'ndigits=None, /',
  __setitem__: 'key, value, /',
  __repr__: '',
  __str__: '',
};

/** The built-in types as functions: `int`, `float`, `str`, `bool`, `list` … registered as type objects. */
import { blank } from '../classes/construct.ts';
import { isPlainObject } from '../values/calls/border.ts';
import { builtin } from '../values/calls/builtin.ts';
import { GeneratorObject } from '../values/calls/generators.ts';
import { native } from '../values/calls/signature.ts';
import { Dict } from '../values/containers/dict.ts';
import { dictM, fromKeys } from '../values/containers/dict-methods.ts';
import { dictUpdate } from '../values/containers/dict-update.ts';
import { ItemsView, KeysView, ValuesView } from '../values/containers/dict-views.ts';
import { iter, toArray, tryIter } from '../values/containers/iteration.ts';
import { listM, tupleM } from '../values/containers/list-methods.ts';
import { Range, range } from '../values/containers/range.ts';
import { rangeM } from '../values/containers/range-methods.ts';
import { frozensetM, setM } from '../values/containers/set-methods.ts';
import { AnySet, FrozenSet, PySet } from '../values/containers/sets.ts';
import { Slice } from '../values/containers/slice.ts';
import { emptyTuple, Tuple } from '../values/containers/tuple.ts';
import type { Hint } from '../values/hint.ts';
import { indexOf, requireSize } from '../values/numbers/index-value.ts';
import { floatFromHex, floatM, intFromBytes, intM } from '../values/numbers/number-methods.ts';
import { asNumber, floatToInt, type Num, toFloat } from '../values/numbers/numbers.ts';
import { OverflowError, TypeError, ValueError } from '../values/objects/exceptions.ts';
import { objectMembers } from '../values/objects/object-members.ts';
import { FloatObject, IntObject, TextObject } from '../values/objects/primitive-object.ts';
import { $repr, $typeName } from '../values/objects/protocol.ts';
import { address, strOf } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';
import { isClass, typeName } from '../values/objects/type-name.ts';
import { namedType, registerType, typeOf } from '../values/objects/types.ts';
import { UnionType } from '../values/objects/union-type.ts';
import { AnyBytes, ByteArray, Bytes, bytesOf, requireByte } from '../values/text/bytes.ts';
import { bytearrayM, bytesFromHex, bytesM, makeByteTranslation } from '../values/text/bytes-methods.ts';
import { decodeBytes, encodeText } from '../values/text/codecs.ts';
import { makeTranslation, strM } from '../values/text/str-methods.ts';
import { requireText, textOf } from '../values/text/text-arguments.ts';
import { parseFloatText, parseInt10, parseIntBase } from './parse-number.ts';

export const bool = registerType(
  builtin('bool', (x?: unknown) => truth(x)),
  { name: 'bool', check: (x) => typeof x === 'boolean', methods: intM, base: 'int' },
);

export const int = registerType(
  builtin('int', (x?: any, base?: any): Num => (base === undefined ? toInt(x) : toIntBase(x, base))),
  {
    name: 'int',
    check: (x, hint) =>
      typeof x === 'boolean' ||
      typeof x === 'bigint' ||
      (typeof x === 'number' && hint !== 'f' && Number.isSafeInteger(x)),
    methods: intM,
    statics: {
      from_bytes: builtin('int.from_bytes', intFromBytes),
    },
    base: 'object',
    cls: IntObject,
  },
);

/** Does the class of the object say itself what number it is? Numbers of classes derived from `int` or `float` may. */
function says(x: any, method: string): boolean {
  return typeof x === 'object' && x !== null && typeof x[method] === 'function';
}

/** `int(x)` */
export function toInt(x: any): Num {
  if (x === undefined) return 0;
  if (typeof x === 'string') return parseInt10(x);
  const n = says(x, '__int__') ? undefined : asNumber(x);
  if (n !== undefined) return typeof n === 'number' ? floatToInt(n) : n;
  if (x instanceof AnyBytes) return parseInt10(x.latin1, x);
  if (typeof x === 'object' && x !== null) {
    for (const name of ['__int__', '__index__', '__trunc__']) {
      if (typeof x[name] !== 'function') continue;
      const result = x[name]();
      const whole = asNumber(result);
      if (whole === undefined) throw new TypeError(`${name} returned non-int (type ${typeName(result)})`);
      return typeof whole === 'number' ? floatToInt(whole) : whole;
    }
    const text = textOf(x);
    if (text !== undefined) return parseInt10(text);
  }
  throw new TypeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(x)}'`);
}

function toIntBase(x: any, base: any): Num {
  const radix = requireSize(base);
  const text = x instanceof AnyBytes ? x.latin1 : textOf(x);
  if (text === undefined) throw new TypeError("int() can't convert non-string with explicit base");
  if (radix !== 0 && (radix < 2 || radix > 36)) throw new ValueError('int() base must be >= 2 and <= 36, or 0');
  return parseIntBase(text, radix, x);
}

export const float = registerType(
  builtin('float', (x?: any) => toFloatValue(x)),
  {
    name: 'float',
    check: (x, hint) => typeof x === 'number' && (hint === 'f' || hint === 'm' || !Number.isSafeInteger(x)),
    methods: floatM,
    statics: { fromhex: builtin('float.fromhex', floatFromHex) },
    base: 'object',
    cls: FloatObject,
  },
);

/** `float(x)` */
export function toFloatValue(x: any): number {
  if (x === undefined) return 0;
  if (typeof x === 'number') return x;
  if (typeof x === 'string') return parseFloatText(x);
  const n = says(x, '__float__') ? undefined : asNumber(x);
  if (n !== undefined) return toFloat(n);
  if (x instanceof AnyBytes) return parseFloatText(x.latin1, x);
  if (typeof x === 'object' && x !== null) {
    if (typeof x.__float__ === 'function') return toFloat(asNumber(x.__float__()) ?? Number.NaN);
    const index = indexOf(x);
    if (index !== undefined) return toFloat(index);
    const text = textOf(x);
    if (text !== undefined) return parseFloatText(text);
  }
  throw new TypeError(`float() argument must be a string or a real number, not '${typeName(x)}'`);
}

export const str = registerType(
  builtin('str', (x?: any, encoding?: any, errors?: any): string => {
    if (x === undefined) return '';
    if (encoding === undefined && errors === undefined) return strOf(x);
    const data = bytesOf(x);
    if (data === undefined) {
      throw new TypeError(
        typeof x === 'string'
          ? 'decoding str is not supported'
          : `decoding to str: need a bytes-like object, ${typeName(x)} found`,
      );
    }
    return decodeBytes(data, requireText(encoding ?? 'utf-8'), requireText(errors ?? 'strict'));
  }),
  {
    name: 'str',
    check: (x) => typeof x === 'string',
    methods: strM,
    statics: { maketrans: builtin('str.maketrans', makeTranslation) },
    base: 'object',
    cls: TextObject,
  },
);

export const list = registerType(
  builtin('list', (x?: any) => (x === undefined ? [] : toArray(x))),
  { name: 'list', check: (x) => Array.isArray(x), methods: listM, base: 'object', cls: Array },
);

export const tuple = registerType(
  builtin('tuple', (x?: any) =>
    x === undefined ? emptyTuple : x instanceof Tuple && x.constructor === Tuple ? x : new Tuple(toArray(x)),
  ),
  { name: 'tuple', check: (x) => x instanceof Tuple, methods: tupleM, base: 'object', cls: Tuple },
);

export const dict = registerType(
  builtin('dict', (source?: any, kwargs?: Dict) => {
    const made = source instanceof Dict ? Dict.prototype.copy.call(source) : new Dict();
    if (source !== undefined && !(source instanceof Dict)) dictUpdate(made, source);
    if (kwargs !== undefined && kwargs.size > 0) dictUpdate(made, kwargs);
    return made;
  }),
  {
    name: 'dict',
    check: (x) => x instanceof Dict || isPlainObject(x),
    methods: dictM,
    statics: { fromkeys: builtin('dict.fromkeys', fromKeys) },
    base: 'object',
    cls: Dict,
  },
);

export const set = registerType(
  builtin('set', (x?: any) => new PySet(x === undefined ? undefined : x instanceof AnySet ? x.items : iter(x))),
  { name: 'set', check: (x) => x instanceof PySet, methods: setM, base: 'object', cls: PySet },
);

export const frozenset = registerType(
  builtin('frozenset', (x?: any) =>
    x instanceof FrozenSet ? x : new FrozenSet(x === undefined ? undefined : iter(x)),
  ),
  { name: 'frozenset', check: (x) => x instanceof FrozenSet, methods: frozensetM, base: 'object', cls: FrozenSet },
);

function makeBytes(x: any, encoding: any, errors: any, what: string): Uint8Array {
  if (x === undefined) return new Uint8Array(0);
  if (typeof x === 'string') {
    if (encoding === undefined) throw new TypeError('string argument without an encoding');
    return encodeText(x, requireText(encoding), requireText(errors ?? 'strict'));
  }
  if (encoding !== undefined) throw new TypeError('encoding without a string argument');
  const data = bytesOf(x);
  if (data !== undefined) return data.slice();
  if (typeof x === 'object' && x !== null && typeof x.__bytes__ === 'function') return bytesOf(x.__bytes__())!.slice();
  const count = indexOf(x);
  if (count !== undefined) {
    if (typeof count === 'bigint') throw new OverflowError("cannot fit 'int' into an index-sized integer");
    if (count < 0) throw new ValueError('negative count');
    return new Uint8Array(Number(count));
  }
  const source = tryIter(x);
  if (source === undefined) throw new TypeError(`cannot convert '${typeName(x)}' object to ${what}`);
  return Uint8Array.from([...source].map((item) => requireByte(item, what)));
}

export const bytes = registerType(
  builtin('bytes', (x?: any, encoding?: any, errors?: any) => new Bytes(makeBytes(x, encoding, errors, 'bytes'))),
  {
    name: 'bytes',
    check: (x) => x instanceof Bytes,
    methods: bytesM,
    statics: {
      fromhex: builtin('bytes.fromhex', (text: unknown) => new Bytes(bytesFromHex(text))),
      maketrans: native('bytes.maketrans', 'frm, to, /', makeByteTranslation),
    },
    base: 'object',
    cls: Bytes,
  },
);

export const bytearray = registerType(
  builtin(
    'bytearray',
    (x?: any, encoding?: any, errors?: any) => new ByteArray(makeBytes(x, encoding, errors, 'bytearray')),
  ),
  {
    name: 'bytearray',
    check: (x) => x instanceof ByteArray,
    methods: bytearrayM,
    statics: {
      fromhex: native('bytearray.fromhex', 'string, /', (text: unknown) => new ByteArray(bytesFromHex(text))),
    },
    base: 'object',
    cls: ByteArray,
  },
);

/** A type that the language does not have (E0905) but tests of types name: nothing is one, and none can be made. */
function absentType(name: string): unknown {
  const refuse = (): never => {
    throw new TypeError(`built-in '${name}' is not available`);
  };
  return registerType(builtin(name, refuse), { name, check: () => false, base: 'object' });
}

export const complex = absentType('complex');
export const memoryview = absentType('memoryview');

const rangeType = registerType(builtin('range', range), {
  name: 'range',
  check: (x) => x instanceof Range,
  methods: rangeM,
  base: 'object',
  cls: Range,
});

export { rangeType as range };

export const slice = registerType(
  builtin('slice', (a: unknown, b?: unknown, c?: unknown) =>
    b === undefined ? new Slice(null, a, null) : new Slice(a, b, c),
  ),
  { name: 'slice', check: (x) => x instanceof Slice, base: 'object', cls: Slice },
);

/** Instances of plain `object()`. */
class PlainObject {
  [$repr](): string {
    return `<object object at ${address(this)}>`;
  }
}
Object.defineProperty(PlainObject.prototype, $typeName, { value: 'object' });

export const object = registerType(
  builtin('object', () => new PlainObject()),
  {
    name: 'object',
    check: () => true,
    statics: {
      ...objectMembers,
      __new__: native('object.__new__', 'cls, /, *args, **kwargs', blank),
    },
  },
);

/** Makes the class of `type(name, bases, members)`; given by the part that knows classes of programs. */
export const classes: { make: (name: string, bases: readonly unknown[], members: Dict, keywords?: Dict) => unknown } = {
  make: () => null,
};

/** `type(x)`, where the second argument is the compiler's float hint; `type(name, bases, members)` makes a class. */
export const type = registerType(
  builtin('type', (x: unknown, hint?: Hint, members?: unknown, keywords?: Dict) => {
    const given: any = hint;
    if (members === undefined) {
      if (given instanceof Tuple || typeof given === 'number') throw new TypeError('type() takes 1 or 3 arguments');
      return typeOf(x, hint);
    }
    const wrong = [typeof x === 'string', given instanceof Tuple, members instanceof Dict].indexOf(false);
    if (wrong >= 0)
      throw new TypeError(
        `type.__new__() argument ${wrong + 1} must be ${['str', 'tuple', 'dict'][wrong]}, not ${typeName([x, given, members][wrong])}`,
      );
    return classes.make(x as string, toArray(given), members as Dict, keywords);
  }),
  { name: 'type', check: (x) => isClass(x), base: 'object' },
);

for (const [name, check] of [
  ['NoneType', (x: unknown) => x === null || x === undefined],
  ['function', (x: unknown) => typeName(x) === 'function'],
  ['generator', (x: unknown) => x instanceof GeneratorObject],
  ['dict_keys', (x: unknown) => x instanceof KeysView],
  ['dict_values', (x: unknown) => x instanceof ValuesView],
  ['dict_items', (x: unknown) => x instanceof ItemsView],
  // Not those of `typing`, which have a class of their own.
  ['UnionType', (x: unknown) => x instanceof UnionType && typeName(x) === 'UnionType'],
] as const) {
  registerType(namedType(name), { name, check, base: 'object' });
}

/**
 * Enumerations (docs/language/enums.md#enums). A program's enum is a class over `Enum` whose members are static
 * singletons:
 *
 *     class Color extends $.Enum {}
 *     $.enumeration(Color, { name: 'Color', module: 'main', members: [['RED', 1], ['GREEN'], ['BLUE', 'b']] });
 *
 * A member without value counts on from the last int. `bases` holds what the declaration names (`int`, `str`, `IntEnum`, `Flag` …). Members
 * of `enum E: str`, `IntEnum` and `StrEnum` show as their value; with `Enum` beside the primitive they only compare and compute as it.
 */

import { call } from '../calls/calls.ts';
import { Dict } from '../containers/dict.ts';
import { Tuple } from '../containers/tuple.ts';
import { bare } from '../numbers/float-box.ts';
import { $formatsAsText } from '../text/format.ts';
import { getattr } from './attributes.ts';
import { eq } from './equality.ts';
import { AttributeError, KeyError, TypeError, ValueError } from './exceptions.ts';
import {
  $about,
  $construct,
  $enumClass,
  $getattr,
  $isFloat,
  $keywords,
  $primitive,
  $repr,
  $setattr,
  $str,
  $typeName,
  attributeName,
  key,
} from './protocol.ts';
import { reprOf, strOf } from './repr.ts';
import { NotImplemented } from './singletons.ts';
import { $typeObject, className, typeName } from './type-name.ts';

export interface EnumSpec {
  readonly name: string;
  readonly module: string;
  readonly main?: boolean;
  /** `[name, value]`; a member without value continues the count. */
  readonly members: readonly (readonly [string, unknown?])[];
  /** Values of the declared bases, or their names. */
  readonly bases?: readonly unknown[];
  readonly doc?: string;
  /** Treatment of bits that no flag has: `STRICT` and the others. */
  readonly boundary?: unknown;
  /** Descriptions given with `sem`: of the enum under the empty name, of its members by name. */
  readonly sem?: Readonly<Record<string, string>>;
  readonly at?: string;
}

interface EnumMeta {
  readonly name: string;
  readonly sem?: EnumSpec['sem'];
  readonly members: Enum[];
  readonly byName: Map<string, Enum>;
  readonly byValue: Map<unknown, Enum>;
  readonly primitive: 'int' | 'str' | 'float' | undefined;
  /** `str(member)` is the text of its value, not `Color.RED`. */
  readonly showsValue: boolean;
}

/** On an enum class: its members. */
export const $enum: unique symbol = Symbol('svc.enum');

export class Enum {
  /** None for a combination without named bits. */
  declare readonly name: string;
  declare readonly value: unknown;
  declare [$typeName]: string;
  declare [$primitive]: unknown;

  /** `E(value)`. @throws ValueError */
  static [$construct](this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
    return lookup(this, args, kwargs);
  }

  static [Symbol.iterator](this: any): Iterator<Enum> {
    return metaOf(this).members[Symbol.iterator]();
  }

  /** `E["A"]`. @throws KeyError */
  static __class_getitem__(this: any, name: string): Enum {
    const member = metaOf(this).byName.get(name);
    if (member === undefined) throw new KeyError(name);
    return member;
  }

  static get __members__(): Dict {
    return Dict.from(metaOf(this).byName);
  }

  static get _member_map_(): Dict {
    return Dict.from(metaOf(this).byName);
  }

  static get _value2member_map_(): Dict {
    return Dict.from(metaOf(this).byValue);
  }

  static get _member_names_(): string[] {
    return metaOf(this).members.map((member) => member.name);
  }

  get _name_(): string {
    return this.name;
  }

  get _value_(): unknown {
    return this.value;
  }

  // Sets the value of a member from `__new__` or `__init__` of the program.
  set _value_(value: unknown) {
    Object.defineProperty(this, 'value', { value, enumerable: true, configurable: true });
  }

  valueOf(): unknown {
    return this[$primitive] ?? this;
  }

  toString(): string {
    return strOf(this);
  }

  toJSON(): unknown {
    return this.value;
  }

  [$str](): string {
    const shown = metaOf(this.constructor).showsValue ? this[$primitive] : undefined;
    return shown === undefined ? `${this[$typeName]}.${this.name}` : strOf(shown);
  }

  [$repr](): string {
    return `<${this[$typeName]}.${this.name}: ${reprOf(this.value)}>`;
  }

  [$setattr](name: string): boolean {
    if (name === 'name' || name === 'value') throw new AttributeError(`<enum 'Enum'> cannot set attribute '${name}'`);
    return false;
  }

  // A member is an attribute of its siblings too. Its text is not that of the value it may stand for.
  [$getattr](name: string): unknown {
    return name === '__str__' ? () => this[$str]() : metaOf(this.constructor).byName.get(name);
  }
}
Object.defineProperty(Enum.prototype, $formatsAsText, { value: true });
Enum.prototype[$typeName] = 'Enum';

/** The bases `IntEnum` and `StrEnum`. */
export class IntEnum extends Enum {}
export class StrEnum extends Enum {}
IntEnum.prototype[$typeName] = 'IntEnum';
StrEnum.prototype[$typeName] = 'StrEnum';

class Auto {
  get [$typeName](): string {
    return 'auto';
  }
}

/** `auto()` */
export function auto(): unknown {
  return new Auto();
}

/** `member(x)` and `nonmember(x)` */
export class Marked {
  readonly value: unknown;
  readonly isMember: boolean;

  constructor(value: unknown, isMember: boolean) {
    this.value = value;
    this.isMember = isMember;
  }
}

export function isEnumClass(x: unknown): boolean {
  return typeof x === 'function' && Object.hasOwn(x, $enum);
}

/** `x in Color`: a member, also one that is not listed, or the value of one. */
export function hasMember(cls: any, item: unknown): boolean {
  if (item instanceof Enum && item.constructor === cls) return true;
  return [...metaOf(cls).byValue.keys()].some((value) => value === item || eq(value, item));
}

export function metaOf(cls: any): EnumMeta {
  return (
    cls[$enum] ?? {
      name: className(cls),
      members: [],
      byName: new Map(),
      byValue: new Map(),
      primitive: undefined,
      showsValue: false,
    }
  );
}

/** Registers the members of an enum class; returns the class. */
export function enumeration<C>(cls: C & any, spec: EnumSpec): C {
  const parent = Object.getPrototypeOf(cls);
  if (metaOf(parent).members.length > 0)
    throw new TypeError(`<enum '${spec.name}'> cannot extend <enum '${metaOf(parent).name}'>`);
  const bases = spec.bases ?? [];
  const primitive = primitiveOf(cls, bases);
  const showsValue = primitive !== undefined && showsValues(cls, bases);
  const meta: EnumMeta = {
    name: spec.name,
    members: [],
    byName: new Map(),
    byValue: new Map(),
    primitive,
    showsValue,
    ...(spec.sem === undefined ? {} : { sem: spec.sem }),
  };
  define(cls, $enum, meta);
  define(cls, $enumClass, true);
  if (cls[$construct] !== Enum[$construct]) define(cls, $construct, Enum[$construct]); // classes among the bases have one too
  define(cls.prototype, $typeName, spec.name);
  define(cls, $about, { module: spec.module, main: spec.main, qualname: spec.name, doc: spec.doc });
  // A `__str__` of its own is what formats show, too.
  if (primitive !== undefined)
    define(cls.prototype, $formatsAsText, !showsValue || typeof cls.prototype.__str__ === 'function');
  if (spec.boundary !== undefined) define(cls, '_boundary_', spec.boundary);
  const isFlag = cls.prototype instanceof Flag;
  let last: unknown;
  for (const [name, given] of spec.members) {
    if (given instanceof Marked && !given.isMember) {
      define(cls, key(name), given.value);
      continue;
    }
    const value = given === undefined || given instanceof Auto ? nextValue(cls, name, last, isFlag) : plainValue(given);
    if (typeof value === 'number' || typeof value === 'bigint') last = value;
    addMember(cls, meta, name, value);
  }
  return cls;
}

const generator = '_generate_next_value_';
const reserved = /^(__|_.+_$)/;

/**
 * A class of the program that inherits from an enum type: `class Color(Enum) { RED = 1; }`. The values assigned in its body become members as
 * they are assigned; names like `_x_` and `__x`, functions and descriptors stay what they are.
 */
export function openEnumeration(cls: any, spec: Omit<EnumSpec, 'members'>): void {
  enumeration(cls, { ...spec, members: [] });
  const meta = metaOf(cls);
  const isFlag = cls.prototype instanceof Flag;
  let last: unknown;
  const parent = Object.getPrototypeOf(cls);
  const assign = (property: PropertyKey, given: unknown, receiver: any): boolean => {
    const name = typeof property === 'string' ? attributeName(property) : '_sunder_';
    if (given instanceof Marked && !given.isMember) return Reflect.set(parent, property, given.value, receiver);
    if (receiver !== cls || reserved.test(name) || name.startsWith(`_${spec.name}__`) || typeof given === 'function')
      return Reflect.set(parent, property, given, receiver);
    const value = given instanceof Auto ? nextValue(cls, name, last, isFlag) : plainValue(given);
    if (typeof value === 'number' || typeof value === 'bigint') last = value;
    const member = addMember(cls, meta, name, value);
    Object.defineProperty(cls, property, {
      get: () => member,
      set: () => requireNew(meta, name),
      enumerable: true,
      configurable: true,
    });
    return true;
  };
  Object.setPrototypeOf(
    cls,
    new Proxy(parent, { set: (_target, name, value, receiver) => assign(name, value, receiver) }),
  );
}

/** Closes an enumeration when its body has ended. */
export function closeEnumeration(cls: any): void {
  for (const [name, value] of metaOf(cls).byName)
    Object.defineProperty(cls, key(name), { value, enumerable: true, configurable: true, writable: true });
}

function requireNew(meta: EnumMeta, name: string): void {
  const earlier = meta.byName.get(name);
  if (earlier !== undefined) throw new TypeError(`'${name}' already defined as ${reprOf(earlier.value)}`);
}

/** `Color(1)` of such a class. */
export function memberOfValue(
  cls: any,
  args: readonly unknown[],
  kwargs: Iterable<readonly [string, unknown]>,
): unknown {
  return lookup(cls, [...args], kwargs);
}

function addMember(cls: any, meta: EnumMeta, name: string, given: unknown): Enum {
  requireNew(meta, name);
  if (cls.prototype instanceof StrEnum && typeof given !== 'string')
    throw new TypeError(`${reprOf(given)} is not a string`);
  const made = makeMember(cls, meta, name, given);
  const { value } = made;
  const known = meta.byValue.get(value);
  const same = known ?? meta.members.find((m) => mayEqual(m.value, value) && eq(m.value, value));
  const member = same ?? made;
  if (same === undefined) {
    // Combinations that have a name are not listed among the flags.
    if (!(member instanceof Flag) || isSingleFlag(value)) meta.members.push(member);
    meta.byValue.set(value, member);
  }
  meta.byName.set(name, member);
  Object.defineProperty(cls, key(name), { value: member, enumerable: true, configurable: true, writable: true });
  return member;
}

// Tells whether two values may be equal although the table of values cannot tell: `True` is 1, and other objects say
// themselves what they equal.
function mayEqual(a: unknown, b: unknown): boolean {
  return typeof b !== 'string' && (typeof b !== 'number' || typeof a !== 'number');
}

// `RW = R | W`: the bits of the flags that were named before.
function plainValue(given: unknown): unknown {
  return given instanceof Flag || given instanceof Marked ? given.value : given;
}

function isSingleFlag(value: unknown): boolean {
  const bits = Number(value);
  return bits > 0 && Number.isInteger(Math.log2(bits));
}

/** An instance of an enum class that is not listed: combinations of flags. */
function makeMember(cls: any, meta: EnumMeta, name: string, given: unknown): Enum {
  const args = given instanceof Tuple ? given.items : [given];
  const home = homeOfFields(cls);
  const value = home === undefined || given instanceof home ? given : call(home, ...args);
  const isMade = typeof cls.__new__ === 'function';
  const member = isMade ? (call(cls.__new__, cls, ...args) as any) : Object.create(cls.prototype);
  Object.defineProperty(member, 'name', { value: name === '' ? null : name, enumerable: true });
  if (!Object.hasOwn(member, 'value')) member._value_ = isMade ? (member[$primitive] ?? value) : value;
  if (meta.primitive !== undefined && !Object.hasOwn(member, $primitive))
    Object.defineProperty(member, $primitive, { value: bare(value) });
  if (meta.primitive === 'float') Object.defineProperty(member, $isFloat, { value: true });
  if (home !== undefined)
    for (const { slot, property } of (value as any).$meta.fields) member[slot] = (value as any)[property];
  else if (typeof member.init === 'function') member.init(...args);
  return member;
}

/** An object among the bases: each member is one of them too, made of its value. */
function homeOfFields(cls: any): any {
  const meta = Object.getPrototypeOf(cls.prototype).$meta;
  return meta?.kind === 'obj' && meta.fields.length > 0 && typeof cls.__new__ !== 'function' ? meta.cls : undefined;
}

/** Makes an empty member, as `__new__` of a program begins: `int.__new__(cls, value)`. */
export function blankMember(cls: any, args: readonly unknown[]): Enum {
  const member = Object.create(cls.prototype);
  if (metaOf(cls).primitive !== undefined) Object.defineProperty(member, $primitive, { value: args[0] });
  return member;
}

function nextValue(cls: any, name: string, last: unknown, isFlag: boolean): unknown {
  const meta = metaOf(cls);
  if (generator in cls || generator in cls.prototype) {
    const values = [...meta.byName.values()].map((member) => member.value);
    return call(getattr(cls, generator), name, 1, values.length, values);
  }
  if (meta.primitive === 'str') return meta.showsValue ? name.toLowerCase() : String(meta.byName.size + 1);
  if (!isFlag) return last === undefined ? 1 : Number(last) + 1;
  return last === undefined || Number(last) <= 0 ? 1 : 2 ** (Math.floor(Math.log2(Number(last))) + 1);
}

/** `enum E: str` and the types of Python made for it; not where `Enum` stands beside the primitive, as in `(str, Enum)`. */
function showsValues(cls: any, bases: readonly unknown[]): boolean {
  if ([IntEnum, StrEnum, IntFlag].some((one) => cls.prototype instanceof one)) return true;
  const kinds = bases.map(primitiveNamed);
  return kinds.some((kind) => kind !== undefined) ? !kinds.includes(undefined) : cls[$enum]?.showsValue === true;
}

function primitiveOf(cls: any, bases: readonly unknown[]): EnumMeta['primitive'] {
  const inherited = cls[$enum]?.primitive;
  if (cls.prototype instanceof IntEnum || cls.prototype instanceof IntFlag) return 'int';
  if (cls.prototype instanceof StrEnum) return 'str';
  for (const base of bases) {
    const kind = primitiveNamed(base);
    if (kind !== undefined) return kind;
  }
  return inherited;
}

/** The primitive that a base, or its name, is. */
function primitiveNamed(base: unknown): EnumMeta['primitive'] {
  const name =
    typeof base === 'string'
      ? base
      : typeof base === 'function'
        ? ((base as any)[$typeObject]?.name ?? className(base))
        : '';
  if (name === 'int' || name === 'IntEnum' || name === 'IntFlag') return 'int';
  if (name === 'str' || name === 'StrEnum') return 'str';
  return name === 'float' ? 'float' : undefined;
}

function define(target: object, property: PropertyKey, value: unknown): void {
  Object.defineProperty(target, property, { value, writable: true, enumerable: false, configurable: true });
}

function lookup(cls: any, args: unknown[], kwargs: Iterable<readonly [string, unknown]> | undefined): unknown {
  const meta = metaOf(cls);
  const named = new Map(kwargs ?? []);
  const value = args.length > 0 ? args[0] : named.get('value');
  if (value instanceof Enum && value.constructor === cls) return value;
  const names = args[1] ?? named.get('names');
  if (meta.members.length === 0 && names !== undefined) return functional(cls, value as string, names, named);
  if (args.length !== 1 && value === undefined)
    throw new TypeError(`${meta.name}.__new__() missing 1 required positional argument: 'value'`);
  const found = meta.byValue.get(value) ?? meta.members.find((member) => eq(member.value, value));
  if (found !== undefined) return found;
  const missing = typeof cls._missing_ === 'function' ? cls._missing_(value) : undefined;
  if (missing instanceof Enum) return missing;
  if (cls.prototype instanceof Flag) return combination(cls, value);
  throw new ValueError(`${reprOf(value)} is not a valid ${meta.name}`);
}

// `Enum("Color", "RED GREEN", start=10)` and `Enum("Color", {"RED": 1})`
function functional(base: any, name: string, names: any, options: ReadonlyMap<string, unknown>): unknown {
  const made = class extends base {};
  const members: [string, unknown?][] =
    typeof names === 'string'
      ? names
          .split(/[\s,]+/)
          .filter((part) => part !== '')
          .map((part) => [part])
      : names instanceof Dict
        ? ([...names.entries()] as [string, unknown][])
        : [...names].map((item: any) => (typeof item === 'string' ? [item] : ([...item] as [string, unknown])));
  const start = options.get('start');
  const [first] = members;
  if (start !== undefined && first?.length === 1 && !(made.prototype instanceof StrEnum)) first[1] = start; // the others count on
  const bases = options.has('type') ? [options.get('type'), 'Enum'] : [];
  const module = String(options.get('module') ?? '__main__');
  return enumeration(made, { name, module, members, bases, boundary: options.get('boundary') });
}

/** Members combine with `|`, `&`, `^`, `~`. */
export class Flag extends Enum {
  static [$keywords](cls: any, given: ReadonlyMap<string, unknown>): boolean {
    if (given.has('boundary')) define(cls, '_boundary_', given.get('boundary'));
    return given.size === 1;
  }

  __or__(other: unknown): unknown {
    return combined(this, other, (a, b) => a | b);
  }

  __and__(other: unknown): unknown {
    return combined(this, other, (a, b) => a & b);
  }

  __xor__(other: unknown): unknown {
    return combined(this, other, (a, b) => a ^ b);
  }

  __ror__(other: unknown): unknown {
    return this.__or__(other);
  }

  __rand__(other: unknown): unknown {
    return this.__and__(other);
  }

  __rxor__(other: unknown): unknown {
    return this.__xor__(other);
  }

  __invert__(): unknown {
    const all = metaOf(this.constructor).members.reduce((bits, member) => bits | Number(member.value), 0);
    return combination(this.constructor, all & ~Number(this.value));
  }

  __contains__(other: unknown): boolean {
    if (!(other instanceof this.constructor))
      throw new TypeError(
        `unsupported operand type(s) for 'in': ${reprOf(typeName(other))} and ${reprOf(this[$typeName])}`,
      );
    const bits = Number((other as Flag).value);
    return (Number(this.value) & bits) === bits;
  }

  __bool__(): boolean {
    return Number(this.value) !== 0;
  }

  __len__(): number {
    return [...this].length;
  }

  *[Symbol.iterator](): Generator<Enum> {
    for (const member of metaOf(this.constructor).members) {
      const bits = Number(member.value);
      if (bits !== 0 && (bits & (bits - 1)) === 0 && (Number(this.value) & bits) !== 0) yield member;
    }
  }

  override [$repr](): string {
    return this.name === null ? `<${this[$typeName]}: ${reprOf(this.value)}>` : super[$repr]();
  }

  override [$str](): string {
    return this[$primitive] === undefined && this.name === null
      ? `${this[$typeName]}(${reprOf(this.value)})`
      : super[$str]();
  }
}
export class IntFlag extends Flag {}
Flag.prototype[$typeName] = 'Flag';
IntFlag.prototype[$typeName] = 'IntFlag';

function combined(a: Flag, b: unknown, operate: (a: number, b: number) => number): unknown {
  const bits =
    b instanceof Flag
      ? Number(b.value)
      : a instanceof IntFlag && (typeof b === 'number' || typeof b === 'boolean')
        ? Number(b)
        : undefined;
  return bits === undefined ? NotImplemented : combination(a.constructor, operate(Number(a.value), bits));
}

const combinations = new WeakMap<object, Map<number, Enum>>();

function combination(cls: any, value: unknown): unknown {
  const meta = metaOf(cls);
  const known = meta.byValue.get(value);
  if (known !== undefined) return known;
  if (typeof value !== 'number') throw new ValueError(`${reprOf(value)} is not a valid ${meta.name}`);
  let cache = combinations.get(cls);
  if (cache === undefined) {
    cache = new Map();
    combinations.set(cls, cache);
  }
  let made = cache.get(value);
  if (made === undefined) {
    const parts = meta.members.filter(
      (member) => Number(member.value) !== 0 && (Number(member.value) & value) === Number(member.value),
    );
    const covered = parts.reduce((bits, member) => bits | Number(member.value), 0);
    const rest = value & ~covered;
    if (rest !== 0) {
      const rule = cls._boundary_?.value ?? (cls.prototype instanceof IntFlag ? 'keep' : 'strict');
      if (rule === 'strict') throw new ValueError(outside(cls, value));
      if (rule === 'conform') return combination(cls, covered);
      if (rule === 'eject') return value;
    }
    const names = parts.map((member) => member.name);
    made = makeMember(cls, meta, (rest === 0 || covered === 0 ? names : [...names, rest]).join('|'), value);
    cache.set(value, made);
  }
  return made;
}

function outside(cls: any, value: number): string {
  const bits = metaOf(cls).members.reduce((all, member) => all | Number(member.value), 0);
  const digits = (n: number) => n.toString(2).padStart(Math.max(value, bits).toString(2).length, '0');
  return `${reprOf(cls).replace('enum', 'flag')} invalid value ${value}\n    given 0b0 ${digits(value)}\n  allowed 0b0 ${digits(bits)}`;
}

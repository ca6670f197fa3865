/** Types as values: the shared constants, joins, and questions about them. */
import type { ClassInfo, Entries, Type } from '../types.ts';

type Primitive = 'bool' | 'int' | 'float' | 'str' | 'bytes' | 'range';

export const any: Type = { t: 'any' };
/** A float if it is a number at all. */
export const real: Type = { t: 'float', sure: false, real: true };
/** A float or an int: both arrive there. */
const mixed: Type = { t: 'float', sure: false, real: false };
export const never: Type = { t: 'never', sure: true };
export const none: Type = { t: 'none', sure: true };

/** Certain values of a primitive kind, and values that an annotation says are of it. */
export const sure: Readonly<Record<Primitive, Type>> = {
  bool: { t: 'bool', sure: true },
  int: { t: 'int', sure: true },
  float: { t: 'float', sure: true },
  str: { t: 'str', sure: true },
  bytes: { t: 'bytes', sure: true },
  range: { t: 'range', sure: true },
};
export const hinted: Readonly<Record<Primitive, Type>> = {
  bool: { t: 'bool', sure: false },
  int: { t: 'int', sure: false },
  float: { t: 'float', sure: false },
  str: { t: 'str', sure: false },
  bytes: { t: 'bytes', sure: false },
  range: { t: 'range', sure: false },
};

const listOfAny: Type = { t: 'list', of: any, sure: true };
const listOfStr: Type = { t: 'list', of: hinted.str, sure: true };

export function listOf(of: Type, isSure: boolean): Type {
  if (isSure && of === any) return listOfAny;
  if (isSure && of === hinted.str) return listOfStr;
  return { t: 'list', of, sure: isSure };
}
export function iteratorOf(of: Type): Type {
  return { t: 'iterator', of, sure: true };
}
export function tupleOf(items: readonly Type[]): Type {
  let of: Type = never;
  for (const item of items) of = join(of, item);
  return { t: 'tuple', items, of, sure: true };
}
export function dictOf(key: Type, value: Type, isSure: boolean, entries?: Entries): Type {
  return { t: 'dict', key, value, entries, sure: isSure };
}
export function instanceOf(cls: ClassInfo, isSure: boolean): Type {
  return { t: 'instance', cls, sure: isSure };
}

/** An unknown value with what a declaration of TypeScript says of it. */
export function claimed(claim: Type): Type {
  return claim.t === 'any' ? claim : claim.t === 'never' ? any : { t: 'any', claim };
}

/** Type that rules go by: the one claimed of this very value, else its own. */
export function believed(type: Type): Type {
  return type.t === 'any' && type.claim?.sure === true ? type.claim : type;
}

/** Tells whether nothing is known about the kind of a value. */
export function isUnknown(type: Type): boolean {
  return type.t === 'union' || type.t === 'any';
}

/** Gives the type without the promise that it needs no guard: that of an element, a field or a result. */
export function doubted(type: Type): Type {
  if (type.t === 'any' && type.claim?.sure === true) return claimed(doubted(type.claim));
  if (type.t === 'float') return isMixed(type) ? mixed : hinted.float;
  if (type.sure !== true || type.t === 'never' || type.t === 'none') return type;
  switch (type.t) {
    case 'bool':
    case 'int':
    case 'str':
    case 'bytes':
    case 'range':
      return hinted[type.t];
    default:
      return { ...type, sure: false } as Type;
  }
}

export function isNumber(type: Type): boolean {
  return type.t === 'int' || type.t === 'float' || type.t === 'bool';
}

export function isContainer(type: Type): boolean {
  return type.t === 'list' || type.t === 'dict' || type.t === 'set' || type.t === 'tuple' || type.t === 'frozenset';
}

/** The type of a place where either may arrive. */
export function join(a: Type, b: Type): Type {
  if (a === b || b.t === 'never') return a;
  if (a.t === 'never') return b;
  if (a.t === 'any' || b.t === 'any') return joinAny(a, b);
  if (a.t === b.t) return joinSame(a, b);
  if (isIntBesideFloat(a, b)) return mixed;
  return unionOf([a, b]);
}

function isIntBesideFloat(a: Type, b: Type): boolean {
  return (a.t === 'float' && b.t === 'int') || (a.t === 'int' && b.t === 'float');
}

/** Is it a float, if it is a number at all? */
export function isProvenFloat(type: Type): boolean {
  return type.t === 'float' && (type.sure === true || type.real === true);
}

/** Do ints arrive there beside floats? */
export function isMixed(type: Type): boolean {
  return type.t === 'float' && type.real === false;
}

export function joinAll(types: readonly Type[]): Type {
  let all: Type = never;
  for (const type of types) all = join(all, type);
  return all;
}

function joinAny(a: Type, b: Type): Type {
  const [one, other] = [claimIn(a), claimIn(b)];
  return one === undefined || other === undefined ? any : claimed(unionOf([one, other]));
}

/** Gives the claim to join: only claims and None are, types that grow stay out of claims. */
function claimIn(type: Type): Type | undefined {
  return type.t === 'any' ? type.claim : type.t === 'none' ? type : undefined;
}

type DictType = Extract<Type, { t: 'dict' }>;
type TupleType = Extract<Type, { t: 'tuple' }>;

/** Dicts of one kind may lack some of the keys; one whose keys are not known may hold anything under them. */
function joinEntries(a: DictType, b: DictType): Entries | undefined {
  if (a.entries === b.entries) return a.entries;
  if (a.entries === undefined) return a.value.t === 'never' ? b.entries : undefined;
  if (b.entries === undefined) return b.value.t === 'never' ? a.entries : undefined;
  let joined: Map<string, Type> | undefined;
  for (const [name, type] of b.entries) {
    const before = a.entries.get(name);
    const both = before === undefined ? type : join(before, type);
    if (both !== before) (joined ??= new Map(a.entries)).set(name, both);
  }
  return joined ?? a.entries;
}

function sameEntries(a: Entries | undefined, b: Entries | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.size !== b.size) return false;
  for (const [name, type] of a) if (!sameType(type, b.get(name))) return false;
  return true;
}

/** A declared type together with what is known of the value behind it: which values lie under which keys of a dict, at any depth. */
export function withEntries(declared: Type, type: Type): Type {
  if (declared.t === 'any') return type.t === 'any' || hasEntries(type) ? doubted(type) : declared;
  const shown = withoutNone(type);
  switch (declared.t) {
    case 'list':
    case 'set':
    case 'frozenset': {
      if (shown.t !== declared.t) return declared;
      const of = withEntries(declared.of, shown.of);
      return of === declared.of ? declared : { ...declared, of };
    }
    case 'dict':
      return shown.t === 'dict' ? dictWithEntries(declared, shown) : declared;
    case 'tuple':
      return shown.t === 'tuple' ? tupleWithEntries(declared, shown) : declared;
    case 'union':
      return unionWithEntries(declared, shown);
    default:
      return declared;
  }
}

function dictWithEntries(declared: DictType, shown: DictType): Type {
  const [key, value] = [withEntries(declared.key, shown.key), withEntries(declared.value, shown.value)];
  const entries = declared.value.t === 'any' ? shown.entries : declared.entries;
  const isSame = key === declared.key && value === declared.value && entries === declared.entries;
  return isSame ? declared : { ...declared, key, value, entries };
}

function tupleWithEntries(declared: TupleType, shown: TupleType): Type {
  if (declared.items === undefined) {
    if (declared.of.t !== 'any') return declared;
    const of = withEntries(declared.of, shown.of);
    const items = shown.items?.map((item) => withEntries(any, item));
    return of === any && (items ?? []).every((item) => item === any) ? declared : { ...declared, items, of };
  }
  if (declared.items.length !== shown.items?.length) return declared;
  const items = declared.items.map((item, i) => withEntries(item, shown.items![i]!));
  return items.every((item, i) => item === declared.items![i])
    ? declared
    : { ...declared, items, of: items.reduce(join, never) };
}

/** `dict | None`: of the members that the value may be. */
function unionWithEntries(declared: Extract<Type, { t: 'union' }>, shown: Type): Type {
  const of = declared.of.map((member) => {
    const same = membersOf(shown).find(({ t }) => t === member.t);
    return same === undefined ? member : withEntries(member, same);
  });
  return of.every((member, i) => member === declared.of[i]) ? declared : unionOf(of);
}

/** Tells whether the value may hold something of which the declaration says nothing. */
export function isLeftOpen(declared: Type): boolean {
  switch (declared.t) {
    case 'any':
      return declared.claim === undefined;
    case 'list':
    case 'set':
    case 'frozenset':
      return isLeftOpen(declared.of);
    case 'dict':
      return isLeftOpen(declared.value);
    case 'tuple':
      return declared.items === undefined ? isLeftOpen(declared.of) : declared.items.some(isLeftOpen);
    case 'union':
      return declared.of.some(isLeftOpen);
    default:
      return false;
  }
}

/**
 * Gives the type of the value under a key that is written out; of values that are known for display only, those under
 * other keys say nothing of it.
 */
export function valueUnder({ entries, value }: DictType, key: string | undefined): Type {
  const known = key === undefined ? undefined : entries?.get(key);
  return known ?? value;
}

function hasEntries(type: Type): boolean {
  return type.t === 'list' ? hasEntries(type.of) : type.t === 'dict' && type.entries !== undefined;
}

function joinSame(a: Type, b: Type): Type {
  const both = a.sure === true && b.sure === true;
  switch (a.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator': {
      const of = join(a.of, (b as typeof a).of);
      if (of === a.of && (both || a.sure !== true)) return a;
      return { t: a.t, of, sure: both };
    }
    case 'dict': {
      const other = b as typeof a;
      const key = join(a.key, other.key);
      const value = join(a.value, other.value);
      const entries = joinEntries(a, other);
      if (key === a.key && value === a.value && entries === a.entries && (both || a.sure !== true)) return a;
      return { t: 'dict', key, value, entries, sure: both };
    }
    case 'tuple': {
      const other = b as typeof a;
      const items =
        a.items !== undefined && other.items !== undefined && a.items.length === other.items.length
          ? a.items.map((item, i) => join(item, other.items![i]!))
          : undefined;
      return { t: 'tuple', items, of: join(a.of, other.of), sure: both };
    }
    case 'union':
      return unionOf([a, b]);
    case 'instance':
    case 'class': {
      const other = b as typeof a;
      if (a.cls === other.cls) return both ? a : doubted(a);
      return unionOf([a, b]);
    }
    case 'awaitable':
      return { t: 'awaitable', of: join(a.of, (b as typeof a).of) };
    case 'function':
      return a.fn === (b as typeof a).fn ? a : any;
    case 'method':
      return a.fn === (b as typeof a).fn ? a : any;
    case 'builtin':
      return a.name === (b as typeof a).name ? a : any;
    case 'module':
      return a.module === (b as typeof a).module ? a : any;
    case 'std':
      return a.module === (b as typeof a).module && a.name === (b as typeof a).name ? a : any;
    case 'float':
      if (isMixed(a) || isMixed(b)) return mixed;
      return both ? sure.float : isProvenFloat(a) && isProvenFloat(b) ? real : hinted.float;
    default:
      return both ? a : doubted(a);
  }
}

/** A declared union keeps int and float apart; `any` in it makes it any. */
export function unionOf(types: readonly Type[]): Type {
  const members: Type[] = [];
  for (const type of types) {
    for (const member of type.t === 'union' ? type.of : [type]) {
      if (member.t === 'any') return any;
      if (member.t === 'never') continue;
      const at = members.findIndex((known) => sameKind(known, member));
      if (at >= 0) members[at] = joinSame(members[at]!, member);
      else if (members.push(member) > 8) return any;
    }
  }
  if (members.length === 0) return never;
  if (members.length === 1) return members[0]!;
  return { t: 'union', of: members, sure: members.every((member) => member.sure === true) };
}

function sameKind(a: Type, b: Type): boolean {
  if (a.t !== b.t) return false;
  if (a.t === 'instance' || a.t === 'class') return a.cls === (b as typeof a).cls;
  if (a.t === 'function' || a.t === 'method') return a.fn === (b as typeof a).fn;
  if (a.t === 'builtin') return a.name === (b as typeof a).name;
  if (a.t === 'module') return a.module === (b as typeof a).module;
  if (a.t === 'std') return a.module === (b as typeof a).module && a.name === (b as typeof a).name;
  return true;
}

/** Every member of a union, or the type itself. */
export function membersOf(type: Type): readonly Type[] {
  return type.t === 'union' ? type.of : [type];
}

export function withoutNone(type: Type): Type {
  if (type.t === 'any' && type.claim !== undefined && hasNone(type.claim)) return claimed(withoutNone(type.claim));
  if (type.t !== 'union') return type.t === 'none' ? never : type;
  return unionOf(type.of.filter((member) => member.t !== 'none'));
}

export function hasNone(type: Type): boolean {
  return type.t === 'none' || (type.t === 'union' && type.of.some((member) => member.t === 'none'));
}

/** Structural equality, as far as fixed points need it. */
export function sameType(a: Type | undefined, b: Type | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.t !== b.t || (a.sure === true) !== (b.sure === true)) return false;
  switch (a.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
    case 'awaitable':
      return sameType(a.of, (b as typeof a).of);
    case 'dict':
      return (
        sameType(a.key, (b as typeof a).key) &&
        sameType(a.value, (b as typeof a).value) &&
        sameEntries(a.entries, (b as typeof a).entries)
      );
    case 'tuple': {
      const other = b as typeof a;
      if (!sameType(a.of, other.of) || a.items?.length !== other.items?.length) return false;
      return a.items === undefined || a.items.every((item, i) => sameType(item, other.items![i]));
    }
    case 'union': {
      const other = b as typeof a;
      return a.of.length === other.of.length && a.of.every((item, i) => sameType(item, other.of[i]));
    }
    case 'float':
      return a.real === (b as typeof a).real;
    case 'any':
      return sameType(a.claim, (b as typeof a).claim);
    default:
      return sameKind(a, b);
  }
}

/** Deeper than this no type is followed: one that grows from round to round has to end. */
export const deepest = 5;

/** Gives the nesting depth of containers in a type: growing types are cut off. */
export function depthOf(type: Type): number {
  switch (type.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
    case 'awaitable':
      return 1 + depthOf(type.of);
    case 'dict':
      return 1 + Math.max(depthOf(type.key), depthOf(type.value), ...[...(type.entries?.values() ?? [])].map(depthOf));
    case 'tuple':
      return 1 + Math.max(depthOf(type.of), ...(type.items ?? []).map(depthOf));
    case 'union':
      return Math.max(...type.of.map(depthOf));
    default:
      return 0;
  }
}

/** Is an instance of `cls` one of `base`? */
export function isSubclass(cls: ClassInfo, base: ClassInfo): boolean {
  return cls === base || cls.bases.includes(base);
}

/** A type as people write it. */
export function typeText(type: Type): string {
  switch (type.t) {
    case 'none':
      return 'None';
    case 'list':
    case 'set':
    case 'frozenset':
      return type.of.t === 'any' || type.of.t === 'never' ? type.t : `${type.t}[${typeText(type.of)}]`;
    case 'iterator':
      return `Iterator[${typeText(type.of)}]`;
    case 'dict':
      return type.value.t === 'any' || type.value.t === 'never'
        ? 'dict'
        : `dict[${typeText(type.key)}, ${typeText(type.value)}]`;
    case 'tuple':
      return type.items === undefined ? 'tuple' : `tuple[${type.items.map(typeText).join(', ')}]`;
    case 'union':
      return type.of.map(typeText).join(' | ');
    case 'instance':
      return type.cls.name;
    case 'class':
      return `type ${type.cls.name}`;
    case 'function':
    case 'method':
      return 'function';
    case 'builtin':
    case 'std':
      return type.name;
    case 'awaitable':
      return `Awaitable[${typeText(type.of)}]`;
    default:
      return type.t;
  }
}

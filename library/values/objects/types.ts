/**
 * The built-in types as values: `int`, `list` … are functions that construct, and what `type(x)`, `isinstance` and `x.__class__` speak of.
 * library/builtins registers them; a kind of value without a registered type (`generator`, `method` …) gets one on first demand.
 */

import type { MethodTable } from '../calls/signature.ts';
import { Tuple } from '../containers/tuple.ts';
import { isFloat } from '../numbers/float-box.ts';
import { TypeError } from './exceptions.ts';
import { $isInstance, $isSubclass, $mro, $primitive, $typeName } from './protocol.ts';
import { $typeObject, className, isClass, isTypeObject, typeName } from './type-name.ts';
import { UnionType } from './union-type.ts';

export interface TypeInfo {
  readonly name: string;
  /** Is the value of this type, subtypes included? */
  readonly check: (x: unknown) => boolean;
  /** Methods of instances, receiver first: `str.upper` is a function of the text. */
  readonly methods?: MethodTable;
  /** `dict.fromkeys` and friends. */
  readonly statics?: Readonly<Record<string, unknown>>;
  /** The type above it, for `issubclass`. */
  readonly base?: string;
  /** JavaScript class of the values, when programs may derive from the type. */
  readonly cls?: any;
}

const registry = new Map<string, any>();

/** Makes `construct` the value that stands for a type; gives that value. */
export function registerType(construct: any, info: TypeInfo): any {
  const type = info.cls === undefined ? construct : derivable(construct, info.cls);
  type[$typeObject] = info;
  registry.set(info.name, type);
  return type;
}

// A class may extend the type: its instances then are made by the JavaScript class of the values.
function derivable(construct: any, cls: any): any {
  const type: any = function (this: unknown, a: unknown, b: unknown, c: unknown, d: unknown): unknown {
    return new.target === undefined ? construct(a, b, c, d) : Reflect.construct(cls, [], new.target);
  };
  for (const property of Reflect.ownKeys(construct)) {
    if (property !== 'length' && property !== 'prototype')
      Object.defineProperty(type, property, Object.getOwnPropertyDescriptor(construct, property)!);
  }
  type.prototype = cls.prototype;
  return type;
}

export function typeInfo(cls: any): TypeInfo | undefined {
  return typeof cls === 'function' && Object.hasOwn(cls, $typeObject) ? cls[$typeObject] : undefined;
}

/** The type object of a name; made when it has none. */
export function namedType(name: string): any {
  const known = registry.get(name);
  if (known !== undefined) return known;
  const made = () => {
    throw new TypeError(`cannot create '${name}' instances`);
  };
  return registerType(made, { name, check: (x) => typeName(x) === name });
}

/** `type(x)` */
export function typeOf(x: any): any {
  if (typeof x === 'number') return namedType(typeName(x));
  if (typeof x === 'object' && x !== null && (!Array.isArray(x) || x.constructor !== Array)) {
    const known = registry.get(typeName(x));
    if (known?.[$typeObject].check(x)) return known;
    const constructor = x.constructor;
    if (typeof constructor === 'function' && constructor !== Object && !(x instanceof Promise))
      return Object.hasOwn(x, $typeName) ? namedType(typeName(x)) : constructor;
  }
  return namedType(typeName(x));
}

/** `isinstance(x, cls)`; `cls` may be a tuple or a union. @throws TypeError */
export function isInstance(x: any, cls: any): boolean {
  if (cls instanceof Tuple) return cls.items.some((one) => isInstance(x, one));
  if (cls instanceof UnionType) return cls.members.some((one) => isInstance(x, one));
  if (cls === null || cls === undefined) {
    return x === null || x === undefined;
  }
  if (typeof cls !== 'function') {
    const own = cls[$isInstance];
    if (own !== undefined) return own.call(cls, x);
    throw notAType('isinstance', 'a type, a tuple of types, or a union');
  }
  const info = typeInfo(cls);
  if (info !== undefined) return info.check(x) || primitiveIs(x, info);
  const own = cls[$isInstance];
  if (own !== undefined) return own.call(cls, x);
  if (cls.prototype === undefined) throw notAType('isinstance', 'a type, a tuple of types, or a union');
  return x instanceof cls;
}

// Members of `enum E: int` are ints as well.
function primitiveIs(x: any, info: TypeInfo): boolean {
  if (typeof x !== 'object' || x === null || x[$primitive] === undefined) return false;
  return (!isFloat(x) && info.check(x[$primitive])) || (info.cls !== undefined && x instanceof info.cls);
}

/** `issubclass(cls, of)` */
export function isSubclass(cls: any, of: any): boolean {
  if (typeof cls !== 'function' || !isClass(cls)) throw new TypeError('issubclass() arg 1 must be a class');
  if (of instanceof Tuple) return of.items.some((one) => isSubclass(cls, one));
  if (of instanceof UnionType) return of.members.some((one) => isSubclass(cls, one));
  if (typeof of !== 'function') {
    const form = of?.[$isSubclass];
    if (form !== undefined) return form.call(of, cls);
    throw notAType('issubclass', 'a class, a tuple of classes, or a union');
  }
  if (cls === of || isObjectType(of)) return true;
  const own = (of as any)[$isSubclass];
  if (own !== undefined) return own.call(of, cls);
  const order: readonly unknown[] | undefined = Object.hasOwn(cls, $mro) ? (cls as any)[$mro] : undefined;
  if (order !== undefined) return order.includes(of);
  const info = typeInfo(cls);
  if (info !== undefined) return baseNames(info).includes(className(of));
  const target = typeInfo(of)?.cls ?? of;
  return target.prototype !== undefined && cls.prototype instanceof target;
}

function baseNames(info: TypeInfo): string[] {
  const names: string[] = [];
  for (let base = info.base; base !== undefined; base = typeInfo(registry.get(base))?.base) names.push(base);
  return names;
}

export function isObjectType(x: unknown): boolean {
  return isTypeObject(x) && typeInfo(x)?.name === 'object';
}

function notAType(what: string, wanted: string): TypeError {
  return new TypeError(`${what}() arg 2 must be ${wanted}`);
}

/** C3 order for `C.__mro__`. */
export function mroOf(cls: any): unknown[] {
  const own = Object.hasOwn(cls, $mro) ? cls[$mro] : undefined;
  const chain: unknown[] = own === undefined ? [] : [...own];
  if (own === undefined) {
    for (let at = cls; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
      if (at !== Error) chain.push(at);
    }
    const info = typeInfo(cls);
    if (info !== undefined) for (const base of baseNames(info)) if (base !== 'object') chain.push(registry.get(base));
  }
  const object = namedType('object');
  if (chain[chain.length - 1] !== object) chain.push(object);
  return chain;
}

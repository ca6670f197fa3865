/** Attribute access on every kind of value (docs/language/expressions.md#attributes). */

import {
  classAttribute,
  constructors,
  deleteOnFunction,
  functionAttribute,
  setOnFunction,
} from '../../classes/class-attributes.ts';
import { border } from '../calls/border.ts';
import { bindMethod, bindNative } from '../calls/calls.ts';
import { stepped } from '../calls/generators.ts';
import { type MethodTable, native } from '../calls/signature.ts';
import { bare, boxed, Float, isFloat } from '../numbers/float-box.ts';
import { readsClass } from './class-methods.ts';
import { keptBy } from './descriptors.ts';
import { AttributeError } from './exceptions.ts';
import { instanceDict } from './instance-dict.ts';
import { $corePrototype, tables } from './method-tables.ts';
import {
  $delattr,
  $getattr,
  $methods,
  $primitive,
  $setattr,
  $typeName,
  $vars,
  attributeName,
  key,
} from './protocol.ts';
import { specialOfType } from './special-methods.ts';
import { className, fullTypeName, isClass, typeName } from './type-name.ts';
import { typeOf } from './types.ts';

/** `o.name`. @throws AttributeError */
export function getattr(o: any, name: string): any {
  const value = lookup(o, name);
  if (value !== undefined) return value;
  throw missing(o, name);
}

/** The value of an attribute (a None is null), undefined when there is none. */
export function lookup(o: any, name: string): any {
  if (typeof o === 'object' && o !== null) return objectAttribute(o, name);
  if (typeof o === 'function') return isClass(o) ? classAttribute(o, name) : functionAttribute(o, name);
  return primitiveAttribute(o, name);
}

/** `o?.name`: None when `o` is None or has no such attribute. */
export function optattr(o: any, name: string): any {
  if (o === null || o === undefined) return null;
  return lookup(o, name) ?? null;
}

export function hasattr(o: any, name: string): boolean {
  try {
    return lookup(o, name) !== undefined;
  } catch (e) {
    if (e instanceof AttributeError) return false;
    throw e;
  }
}

/** `getattr(o, name, fallback)` */
export function getattrOr(o: any, name: string, fallback: unknown): unknown {
  try {
    const value = lookup(o, name);
    return value === undefined ? fallback : value;
  } catch (e) {
    if (e instanceof AttributeError) return fallback;
    throw e;
  }
}

export function missing(o: any, name: string): AttributeError {
  const error: any = new AttributeError(`${describe(o)} has no attribute '${name}'`);
  error.name = name;
  error.obj = o;
  return error;
}

function describe(o: any): string {
  if (isClass(o)) return `type object '${className(o)}'`;
  const module = o !== null && typeof o === 'object' ? (o[$moduleName] ?? moduleNames.get(o)) : undefined;
  return module === undefined ? `'${fullTypeName(o)}' object` : `module '${module}'`;
}

/** On a module object: its name, for `AttributeError: module 'x' has no attribute 'y'`. */
export const $moduleName: unique symbol = Symbol('svc.moduleName');

// Names of the modules of the program, which are objects of JavaScript that nothing can be put on.
const moduleNames = new WeakMap<object, string>();

/** Attributes that other modules have set on a module of the program besides its own variables. */
const putOn = new WeakMap<object, Map<string, unknown>>();

/** A module of the program as a value. */
export function asModule<T extends object>(namespace: T, name: string): T {
  moduleNames.set(namespace, name);
  return namespace;
}

function primitiveAttribute(o: any, name: string): any {
  const table = primitiveTable(o);
  const method = table?.[name];
  if (method !== undefined) return bindNative(bare(o), method);
  if (name === '__class__') return typeOf(o);
  if (name === '__doc__') return null;
  if (name.startsWith('__')) return boundSpecial(o, name);
  if (isFloat(o)) return name === 'real' ? o : name === 'imag' ? boxed(0) : undefined;
  if (typeof o === 'number' || typeof o === 'boolean' || typeof o === 'bigint') {
    if (name === 'real' || name === 'numerator') return Number(o) === o || typeof o === 'bigint' ? o : Number(o);
    if (name === 'imag') return 0;
    if (name === 'denominator') return 1;
  }
  return undefined;
}

/** The methods of a primitive or array. */
export function primitiveTable(o: unknown): MethodTable | undefined {
  switch (typeof o) {
    case 'string':
      return tables.str;
    case 'number':
      return Number.isSafeInteger(o) ? tables.int : tables.float;
    case 'boolean':
    case 'bigint':
      return tables.int;
    default:
      return Array.isArray(o) ? tables.list : o instanceof Float ? tables.float : undefined;
  }
}

function objectAttribute(o: any, name: string): any {
  const table: MethodTable | undefined = Array.isArray(o) ? tables.list : o[$methods];
  if (table !== undefined) return table === asking ? asked(o, name) : nativeAttribute(o, table, name);
  return instanceAttribute(o, name);
}

/** On the prototype of a class with `__getattribute__`, as its table of methods: every read asks it. */
export const asking: MethodTable = {};

function asked(o: any, name: string): any {
  try {
    return o.__getattribute__(name) ?? null;
  } catch (e) {
    if (e instanceof AttributeError && typeof o.__getattr__ === 'function') return o.__getattr__(name) ?? null;
    throw e;
  }
}

/** `object.__getattribute__(o, name)`. @throws AttributeError */
export function plainAttribute(o: any, name: string): any {
  const value = o?.[$methods] === asking ? instanceAttribute(o, name) : lookup(o, name);
  if (value !== undefined) return value;
  throw missing(o, name);
}

function instanceAttribute(o: any, name: string): any {
  const k = key(name);
  const value = o[k];
  if (value !== undefined && !(jsErrorNames.has(name) && o instanceof Error && !isOwnEnumerable(o, k))) {
    return typeof value === 'function' ? maybeBind(o, k, value) : value;
  }
  if (value === undefined && k in o) return null;
  return specialAttribute(o, name, k);
}

// `message`, `stack` … exist on every JavaScript error but not on an exception of the language.
const jsErrorNames = new Set(['message', 'name', 'stack', 'cause']);

function isOwnEnumerable(o: object, k: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(o, k);
}

// A function found on the prototype is a method; one stored in a field or given by a property is a value.
function maybeBind(o: any, k: string, value: any): any {
  if (Object.hasOwn(o, k)) return value;
  for (let at = Object.getPrototypeOf(o); at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, k);
    if (found !== undefined) return found.get === undefined && !isClass(value) ? bindMethod(o, value) : value;
  }
  return value;
}

function nativeAttribute(o: any, table: MethodTable, name: string): any {
  const core = Array.isArray(o) ? Array.prototype : o[$corePrototype];
  const prototype = Object.getPrototypeOf(o);
  const k = key(name);
  if (prototype !== core) {
    for (let at = prototype; at !== null && at !== core; at = Object.getPrototypeOf(at)) {
      if (!Object.hasOwn(at, k)) continue;
      // A field of a named tuple may be called `items`.
      const value = hiddenMembers.has(k) ? Reflect.get(at, k, o) : o[k];
      return typeof value === 'function' ? maybeBind(o, k, value) : value;
    }
  }
  const method = table[name];
  if (method !== undefined) return bindNative(o, method);
  if (Array.isArray(o)) {
    if (prototype !== core && Object.hasOwn(o, k) && k !== 'length') return (o as any)[k] ?? null;
    if (prototype !== core) return specialAttribute(o, name, k);
    return name === '__class__' ? typeOf(o) : name === '__doc__' ? null : boundSpecial(o, name);
  }
  if (o[$exposed]?.has(name)) return o[k] ?? null;
  if (prototype !== core && Object.hasOwn(o, k) && !hiddenMembers.has(k)) return o[k] ?? null;
  return specialAttribute(o, name, k);
}

/** On the prototype of a runtime class with a method table: names of properties a program may read. */
export const $exposed: unique symbol = Symbol('svc.exposed');
const hiddenMembers = new Set(['map', 'odd', 'items', 'data', 'length']);

function specialAttribute(o: any, name: string, k: string): any {
  const short = constructors[name];
  if (short !== undefined && typeof o[short] === 'function') return bindMethod(o, o[short]);
  const native = o[$getattr];
  if (native !== undefined) {
    const value = native.call(o, name);
    if (value !== undefined) return value;
  }
  if (name.startsWith('__') && name.endsWith('__')) {
    const value = dunder(o, name);
    if (value !== undefined) return value;
  }
  if (typeof o.__getattr__ === 'function' && o[$methods] !== asking)
    return ofClass(o, name, k) ?? o.__getattr__(name) ?? null;
  const found = ofClass(o, name, k);
  if (found !== undefined) return found;
  const primitive = o[$primitive];
  if (primitive !== undefined) return primitiveAttribute(isFloat(o) ? boxed(primitive) : primitive, name);
  if (k !== name && isForeign(o) && name in o)
    return typeof o[name] === 'function' && name !== 'constructor' ? maybeBind(o, name, o[name]) : o[name];
  const put = putOn.get(o);
  return put?.has(name) === true ? put.get(name) : border?.attribute(o, name);
}

/** Gives the value that the class keeps under the name. */
function ofClass(o: any, name: string, k: string): any {
  const cls = o.constructor;
  return typeof cls === 'function' && cls !== Object && k in cls ? classAttribute(cls, name, o) : undefined;
}

/** Tells whether an object is one of JavaScript, whose `toString` and the like are its own. */
function isForeign(o: any): boolean {
  return typeof o[$typeName] !== 'string' && o[$methods] === undefined && !(o instanceof Error);
}

function dunder(o: any, name: string): any {
  switch (name) {
    case '__class__':
      return typeOf(o);
    case '__dict__':
      return o[$methods] === undefined || o[$corePrototype] !== Object.getPrototypeOf(o) ? instanceDict(o) : undefined;
    case '__doc__':
    case '__module__':
      return classAttribute(o.constructor ?? Object, name) ?? null;
    case '__name__':
      return o[$moduleName] ?? moduleNames.get(o);
    case '__next__':
      return typeof o.next === 'function' && typeof o[Symbol.iterator] === 'function'
        ? bindNative(o, nextOf)
        : undefined;
    default:
      return o[$methods] === undefined && !Array.isArray(o) ? undefined : boundSpecial(o, name);
  }
}

/** `[1].__len__`: the operation as a method of the value. */
function boundSpecial(o: any, name: string): any {
  const type = Array.isArray(o) ? 'list' : (o?.[$corePrototype]?.[$typeName] ?? typeName(o));
  const method = specialOfType(type, name);
  return method === undefined ? undefined : bindNative(o, method);
}

const nextOf = native('__next__', '', (it: Iterator<unknown>) => stepped(it.next()));

/** The instance attributes: `vars(x)`. */
export function* varsOf(o: any): Generator<[string, unknown]> {
  for (const [k, value] of keptBy(o) ?? []) yield [attributeName(k), value];
  if (typeof o[$vars] === 'function') {
    yield* o[$vars]();
    return;
  }
  const core = o[$methods] !== undefined;
  const own = Array.isArray(o) ? Object.keys(o).slice(o.length) : Object.keys(o);
  for (const k of own) {
    if (k.charCodeAt(0) === 36 || (core && hiddenMembers.has(k)) || (o instanceof Error && hiddenErrorFields.has(k)))
      continue;
    yield [attributeName(k), o[k]];
  }
}

const hiddenErrorFields = new Set(['args', 'jsError', '__cause__', '__context__', '__suppress_context__']);

/** `o.name = value`. @throws AttributeError */
export function setattr(o: any, name: string, value: unknown): void {
  if (typeof o === 'function') {
    setOnFunction(o, name, value);
    return;
  }
  if (typeof o === 'object' && o !== null && typeof o.__setattr__ === 'function') o.__setattr__(name, value);
  else setPlain(o, name, value);
}

/** The assignment itself, without `__setattr__`. */
export function setPlain(o: any, name: string, value: unknown): void {
  if (typeof o !== 'object' || o === null || isSealed(o)) {
    const known = lookup(o, name) !== undefined;
    if (known) throw new AttributeError(`'${typeName(o)}' object attribute '${name}' is read-only`);
    throw missing(o, name);
  }
  if (o[$setattr]?.(name, value) === true) return;
  const mapped = key(name);
  const k = mapped !== name && isForeign(o) ? name : mapped;
  try {
    o[k] = border !== undefined && isForeign(o) ? border.give(value) : value;
  } catch (e) {
    if (!(e instanceof globalThis.TypeError)) throw e;
    // A module of the program sets its variables itself.
    if (typeof o.$assign === 'function' && o.$assign(name, value) === true) return;
    // The module keeps its functions and classes; the value is put beside them.
    if (typeName(o) !== 'module' || k in o)
      throw new AttributeError(`property '${name}' of '${typeName(o)}' object has no setter`);
    if (!putOn.has(o)) putOn.set(o, new Map());
    putOn.get(o)!.set(name, value);
  }
}

function isSealed(o: any): boolean {
  return (
    (Array.isArray(o) && Object.getPrototypeOf(o) === Array.prototype) ||
    (o[$methods] !== undefined && Object.getPrototypeOf(o) === o[$corePrototype] && !o[$open])
  );
}

/** On the prototype of a runtime class with a method table whose instances still take attributes. */
export const $open: unique symbol = Symbol('svc.open');

/** `del o.name`. @throws AttributeError */
export function delattr(o: any, name: string): void {
  if (typeof o === 'function') {
    deleteOnFunction(o, name);
    return;
  }
  if (typeof o === 'object' && o !== null && typeof o.__delattr__ === 'function') o.__delattr__(name);
  else deletePlain(o, name);
}

/** `del o.name`, giving what was there. */
export function takeattr(o: any, name: string): unknown {
  const held = typeof o?.__delattr__ === 'function' ? null : optattr(o, name);
  delattr(o, name);
  return held;
}

/** The deletion itself, without `__delattr__`. */
export function deletePlain(o: any, name: string): void {
  const k = key(name);
  if (typeof o === 'object' && o !== null && !isSealed(o)) {
    if (o[$delattr]?.(name) === true) return;
    // Deleter of a property, as the compiler names it.
    if (typeof o[`$del$${name}`] === 'function') {
      o[`$del$${name}`]();
      return;
    }
    if (putOn.get(o)?.delete(name) === true) return;
    if (Object.hasOwn(o, k)) {
      delete o[k];
      return;
    }
    const property = propertyOf(o, k);
    if (property !== undefined)
      throw new AttributeError(`property '${name}' of '${typeName(o)}' object has no deleter`);
  }
  throw missing(o, name);
}

function propertyOf(o: any, k: string): PropertyDescriptor | undefined {
  for (let at = Object.getPrototypeOf(o); at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, k);
    if (found !== undefined) return found.get === undefined || readsClass(found.get) ? undefined : found;
  }
  return undefined;
}

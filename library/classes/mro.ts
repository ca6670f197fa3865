/** C3 linearisation and classes with several bases (docs/language/archetypes.md#inheritance). */

import { $slotMethod, bindMethod, callkw } from '../values/calls/calls.ts';
import { native } from '../values/calls/signature.ts';
import type { Dict } from '../values/containers/dict.ts';
import type { Kwargs } from '../values/kwargs.ts';
import { managerOf } from '../values/objects/descriptors.ts';
import { closeEnumeration, Enum, isEnumClass } from '../values/objects/enums.ts';
import { RuntimeError, TypeError } from '../values/objects/exceptions.ts';
import { inheritedMember } from '../values/objects/object-members.ts';
import {
  $about,
  $construct,
  $form,
  $getattr,
  $isInstance,
  $isSubclass,
  $keywords,
  $mro,
  $spec,
  $superInit,
  $typeName,
  attributeName,
  key,
} from '../values/objects/protocol.ts';
import { className, isClass, typeName } from '../values/objects/type-name.ts';
import { isSubclass as isBelow, isInstance, typeInfo } from '../values/objects/types.ts';
import { constructors, hideInherited, makerOfBase, staticMethod, unbound } from './class-attributes.ts';

const $bases = Symbol('svc.bases');

/** Makes `cls` stand for its parent: a class that extends it has that as its base, and `cls` appears in no resolution order. */
export function standIn(cls: any, parent: any): void {
  Object.defineProperty(cls, $bases, { value: Object.hasOwn(parent, $bases) ? parent[$bases] : [parent] });
}

/** Direct bases of a class: those given to `mix`, else its JavaScript parent. */
export function basesOf(cls: any): readonly any[] {
  const parent = Object.getPrototypeOf(cls);
  if (parent === null || parent === Function.prototype) return [];
  return Object.hasOwn(parent, $bases) ? parent[$bases] : [parent];
}

/** The class and everything it inherits from, in C3 order. */
export function mroOf(cls: any): readonly any[] {
  if (Object.hasOwn(cls, $mro)) return cls[$mro];
  const bases = basesOf(cls);
  const order = [cls, ...merge([...bases.map((base) => [...mroOf(base)]), [...bases]])];
  Object.defineProperty(cls, $mro, { value: order, configurable: true });
  return order;
}

/** Resolution order of a class that would have these bases. Throws the TypeError of an inconsistent one. */
function merge(lists: any[][]): any[] {
  const order: any[] = [];
  for (;;) {
    lists = lists.filter((list) => list.length > 0);
    if (lists.length === 0) return order;
    const next = lists.map((list) => list[0]).find((head) => !lists.some((list) => list.indexOf(head, 1) > 0));
    if (next === undefined) {
      const names = [...new Set(lists.map((list) => className(list[0])))].join(', ');
      const twice = lists.find((list) => list.indexOf(list[0], 1) > 0);
      throw new TypeError(
        twice === undefined
          ? `Cannot create a consistent method resolution\norder (MRO) for bases ${names}`
          : `duplicate base class ${className(twice[0])}`,
      );
    }
    order.push(next);
    for (const list of lists) if (list[0] === next) list.shift();
  }
}

/** The JavaScript parent of a class with several bases: `class C extends mix(A, B)`. */
export function mix(...bases: any[]): any {
  for (const base of bases) {
    // Constructors of JavaScript may be plain functions.
    if (isClass(base) || (typeof base?.prototype === 'object' && base[$spec] === undefined)) continue;
    throw new TypeError(`a base has to be a class, not '${typeName(base)}'`);
  }
  if (bases.length === 1) return bases[0];
  const first = bases.find((base) => !Object.hasOwn(base, $form)) ?? bases[0];
  class Mixed extends first {}
  Object.defineProperty(Mixed, $bases, { value: bases });
  for (const name of ['name', 'length'] as const) Reflect.deleteProperty(Mixed, name);
  const order = merge([...bases.map((base) => [...mroOf(base)]), [...bases]]);
  Object.defineProperty(Mixed, $mro, { value: [Mixed, ...order], configurable: true });
  const bring = () => {
    inherit(Mixed, first, order, (cls) => cls, sharedBy);
    inherit(Mixed.prototype, first.prototype, order, (cls) => cls.prototype, Object.getOwnPropertyDescriptor);
    hideInherited(Mixed, order);
  };
  bring();
  for (const cls of order) mixed.set(cls, [...(mixed.get(cls) ?? []), bring]);
  for (const base of bases) for (const cls of mroOf(base)) answerForMixed(cls, first);
  return Mixed;
}

/** Gives the base of an enum with bases of the program: a mixture of them, and an enum in any case. */
export function enumBase(...bases: any[]): any {
  return bases.some((base) => base === Enum || base.prototype instanceof Enum) ? mix(...bases) : mix(...bases, Enum);
}

const mixed = new WeakMap<object, readonly (() => void)[]>();

/**
 * Behind what a class gets where it stands in the text: classes that have it among several bases get that too, its attributes learn their
 * names and stand before inherited methods, and its bases learn of it (docs/language/archetypes.md#classes).
 */
export function settle(cls: any, keywords?: readonly (readonly [string, unknown])[]): void {
  if (isEnumClass(cls)) closeEnumeration(cls);
  for (const bring of mixed.get(cls) ?? []) bring();
  for (const name of Object.keys(cls)) announce(cls, name);
  hideInherited(cls);
  const parent = Object.getPrototypeOf(cls);
  if (keywords !== undefined && parent[$keywords]?.(cls, new Map(keywords)) === true) return;
  if (parent !== null && parent[initSubclass] !== undefined)
    callkw(staticMethod(cls, parent[initSubclass]), [], keywords);
  else if (keywords !== undefined) takesNone(cls);
}

const initSubclass = '__init_subclass__';

function takesNone(cls: any): never {
  throw new TypeError(`${cls[$about]?.qualname ?? className(cls)}.__init_subclass__() takes no keyword arguments`);
}

function announce(cls: any, k: string): void {
  const value = managerOf(cls, k) ?? Object.getOwnPropertyDescriptor(cls, k)!.value;
  if (typeof value === 'object' && value !== null && typeof value.__set_name__ === 'function')
    value.__set_name__(cls, attributeName(k));
}

/** An attribute of a class as one of those below it sees it: its value at that time, until the class itself is given one. */
function sharedBy(holder: any, name: PropertyKey): PropertyDescriptor {
  const own = Object.getOwnPropertyDescriptor(holder, name)!;
  if (typeof name === 'symbol' || !own.enumerable || own.get !== undefined) return own;
  return {
    configurable: true,
    enumerable: true,
    get: () => holder[name],
    set(this: any, value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  };
}

// JavaScript finds members along the first base only: the others' members are copied where C3 puts them in front.
function inherit(
  target: any,
  chain: any,
  order: readonly any[],
  side: (cls: any) => any,
  described: (holder: any, name: PropertyKey) => PropertyDescriptor | undefined,
): void {
  const decided = new Set<PropertyKey>();
  for (const cls of order) {
    const holder = side(cls);
    for (const key of Reflect.ownKeys(holder)) {
      if (decided.has(key) || (machinery.has(key) && !isNamed(holder, key))) continue;
      decided.add(key);
      if (holderOf(chain, key) === holder) continue;
      Object.defineProperty(target, key, described(holder, key)!);
    }
  }
}

/** An attribute of the program that is called like something every class has. */
function isNamed(holder: any, key: PropertyKey): boolean {
  return (key === 'name' || key === 'length') && Object.getOwnPropertyDescriptor(holder, key)?.enumerable === true;
}

const machinery = new Set<PropertyKey>([
  'constructor',
  'prototype',
  'name',
  'length',
  'caller',
  'arguments',
  Symbol.hasInstance,
  $mro,
  $bases,
  $isInstance,
  $isSubclass,
  $about,
  $form,
]);

function holderOf(object: any, key: PropertyKey): unknown {
  for (let at = object; at !== null; at = Object.getPrototypeOf(at)) if (Object.hasOwn(at, key)) return at;
  return undefined;
}

// `instanceof` of a class that is the second base of another looks into the resolution order as well.
function answerForMixed(cls: any, first: any): void {
  if (cls === first || first.prototype instanceof cls || Object.hasOwn(cls, Symbol.hasInstance) || cls === Object)
    return;
  Object.defineProperty(cls, Symbol.hasInstance, {
    configurable: true,
    value(this: any, x: unknown): boolean {
      if (Function.prototype[Symbol.hasInstance].call(this, x)) return true;
      if (x === null || typeof x !== 'object') return false;
      const made = (x as any).constructor;
      return typeof made === 'function' && mroOf(made).includes(this);
    },
  });
  Object.defineProperty(cls, $isSubclass, {
    configurable: true,
    value(this: any, other: any): boolean {
      return typeof other === 'function' && mroOf(other).includes(this);
    },
  });
}

/** Is `cls` the class `base` or one that inherits from it, several bases included? */
export function isSubclass(cls: any, base: unknown): boolean {
  return typeof cls === 'function' && (cls === base || mroOf(cls).includes(base));
}

export type SuperInit = (self: any, args: readonly unknown[], kwargs: Kwargs) => void;

/**
 * `super` in a class with several bases: the next definition of `name` after `cls` in the order of the instance, bound to it; in a class method
 * `self` is the class.
 */
export function superMethod(cls: unknown, self: any, name: string): unknown {
  requireReceiver(cls, self);
  if (isClass(self)) return superOfClass(cls, self, name);
  const order = mroOf(self.constructor);
  for (let i = order.indexOf(cls) + 1; i < order.length; i++) {
    // Members of built-in types are the runtime's own; those of the language are on the layer.
    if (typeInfo(order[i]) !== undefined) continue;
    const found = Object.getOwnPropertyDescriptor(order[i].prototype, name);
    if (found !== undefined) return found.get !== undefined ? found.get.call(self) : bind(found.value, self);
    const ofClass = name === 'init' ? undefined : Object.getOwnPropertyDescriptor(order[i], name);
    if (ofClass?.enumerable === true || ofClass?.value?.[$spec] !== undefined)
      return kept(self.constructor, order[i][name]);
  }
  // A layer stands between the last class of the program and its built-in base.
  const layered = Object.getPrototypeOf((cls as any).prototype)[name];
  return layered === undefined ? inheritedMember(self, name) : bind(layered, self);
}

function requireReceiver(cls: unknown, self: unknown): void {
  if (cls === null || self === null || self === undefined) throw new RuntimeError('super(): no arguments');
}

// In a method of the class: its members behind `cls`, those of instances without a receiver.
function superOfClass(cls: unknown, self: any, name: string): unknown {
  const order = mroOf(self);
  for (const base of order.slice(order.indexOf(cls) + 1)) {
    const own = Object.getOwnPropertyDescriptor(base, name);
    if (own !== undefined) return kept(self, base[name]);
    const member = Object.getOwnPropertyDescriptor(base.prototype ?? {}, name)?.value;
    if (typeof member === 'function') return unbound(member);
  }
  return makerOfBase(self, name) ?? (name === initSubclass ? nothing(self) : undefined);
}

// Functions of a class get the class they are asked of; what else it keeps stays what it is.
function kept(cls: any, value: any): unknown {
  return typeof value === 'function' && value[$spec] !== undefined ? staticMethod(cls, value) : value;
}

const nothing = (cls: any) =>
  native('object.__init_subclass__', '**kwargs', (keywords?: Dict) => (keywords?.size ? takesNone(cls) : null));

/** `super` as a value: its attributes are those behind `cls` in the order of the instance. */
export function superObject(cls: unknown, self: any): object {
  const found = (name: string) => superMethod(cls, self, methodKey(name));
  const made: any = { [$typeName]: 'super', [$getattr]: found };
  made.__call__ = (args: readonly unknown[]) => {
    if (args.length >= 2) return superObject(classAbove(args[0], args[1]), args[1]);
    requireReceiver(cls, self);
    return made;
  };
  native('super', '*args', made.__call__);
  return made;
}

function classAbove(cls: any, self: any): unknown {
  if (!isClass(cls)) throw new TypeError(`super() argument 1 must be a type, not ${typeName(cls)}`);
  if (isClass(self) ? isBelow(self, cls) : isInstance(self, cls)) return cls;
  throw new TypeError('super(type, obj): obj must be an instance or subtype of type');
}

function methodKey(name: string): string {
  return constructors[name] ?? key(name);
}

function bind(value: any, self: any): unknown {
  if (typeof value !== 'function') return value;
  if (value[$spec] !== undefined || value[$slotMethod] !== undefined) return bindMethod(self, value);
  const bound = value.bind(self);
  const init: SuperInit | undefined = value[$superInit];
  if (init !== undefined)
    bound[$construct] = (args: readonly unknown[], kwargs: Kwargs) => {
      init(self, args, kwargs);
      return null;
    };
  return bound;
}

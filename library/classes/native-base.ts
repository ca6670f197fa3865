/**
 * Classes of the program that inherit from a built-in type or from a class of a standard module: `class Stack(list)`, `class P(namedtuple(…))`,
 * `class Name(str)`. What the base is made of is made by the base; the program's `init` runs on it. As in Python, a base that can be changed
 * starts empty and is filled by its own `__init__`; the others get the arguments when they are made.
 */

import { border } from '../values/calls/border.ts';
import { callkw } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { dictUpdate } from '../values/containers/dict-update.ts';
import { AnySet, FrozenSet } from '../values/containers/sets.ts';
import { Tuple } from '../values/containers/tuple.ts';
import type { Kwargs } from '../values/kwargs.ts';
import { bare } from '../values/numbers/float-box.ts';
import { Property } from '../values/objects/property.ts';
import { $construct, $primitive } from '../values/objects/protocol.ts';
import { type TypeInfo, typeInfo } from '../values/objects/types.ts';
import { bindArguments, pairsOf } from './bind.ts';
import { type DerivedLayout, type Maker, metaOf } from './meta.ts';
import type { ParamSpec } from './spec.ts';
import { superLayer } from './super-layer.ts';

/** Function on a base class of a standard module: makes the base that a class of the program really inherits from. */
export const $rebase: unique symbol = Symbol('svc.rebase');
export interface Rebased {
  /** The base in its place; absent: it stays. */
  readonly base?: any;
  /** Maker that runs when the class is called, for a base that cannot say. */
  readonly maker?: Maker;
}

/** The nearest class above `cls` that the program did not write, when it says itself how its instances are made. */
export function nativeBaseOf(cls: any): any {
  for (let at = Object.getPrototypeOf(cls); typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    const meta = metaOf(at);
    if (meta !== undefined && meta.module === '') return undefined;
    if (meta !== undefined) continue;
    // Classes with an `init` of their own are set up by it, like classes of the program.
    if (Object.hasOwn(at, 'prototype') && Object.hasOwn(at.prototype, 'init')) return undefined;
    const info = typeInfo(at);
    if (info !== undefined) return info.cls === undefined ? undefined : at;
    if (Object.hasOwn(at, $construct) || border?.isForeign(at) === true) return at;
  }
  return undefined;
}

/**
 * Gives the function that runs when a derived class is called. An `obj` without `init` takes its fields; a `class`
 * hands its arguments to the base.
 */
export function makerOfDerived(base: any, layout: DerivedLayout): Maker {
  if (border?.isForeign(base) === true) return border.makerOf(base, layout);
  const { cls, hasInit } = layout;
  const info = typeInfo(base);
  superLayer(cls, base, info, (self, args, kwargs) => {
    if (info === undefined) fillFromBase(self, base, args, kwargs);
    else if (isFilled(info)) fill(self, base, args, kwargs);
  });
  const allocate =
    info === undefined
      ? (args: readonly unknown[], kwargs?: Kwargs) => allocateOfClass(cls, base, args, kwargs, hasInit)
      : (args: readonly unknown[], kwargs?: Kwargs) => allocateOfType(cls, base, info, args, kwargs, hasInit);
  const takesFields = !hasInit && layout.kind !== 'class';
  const set = (self: any, slots: readonly unknown[]) => {
    for (const field of layout.fields) {
      const given = takesFields ? slots[layout.constructorFields.indexOf(field)] : undefined;
      if (given !== undefined) self[field.property] = given;
      else if (layout.kind !== 'class') self[field.property] = field.default === undefined ? null : field.default();
    }
    const finish = () => {
      if (info === undefined && !filled.has(self)) fillFromBase(self, base, [], undefined);
      const waits = typeof self.postinit === 'function' ? self.postinit() : undefined;
      return waits instanceof Promise ? waits.then(() => self) : self;
    };
    if (!hasInit) return finish();
    const waits = self.init(...slots);
    return waits instanceof Promise ? waits.then(finish) : finish();
  };
  const bind = (args: readonly unknown[], kwargs: Kwargs) =>
    bindArguments(layout.initName, layout.params, args, kwargs, 1);
  if (takesFields && layout.constructorFields.length > 0)
    return {
      make: (args, kwargs) => set(allocate([]), bind(args, kwargs)),
      fromSlots: (slots) => set(allocate([]), slots),
    };
  return {
    ...(hasInit ? { blank: makerOfBlank(cls, base, info) } : {}),
    make: (args, kwargs) => set(allocate(args, kwargs), hasInit ? bind(args, kwargs) : []),
    fromSlots: (slots) => set(allocate(hasInit ? positional(layout.params, slots) : slots), slots),
  };
}

// Makes instances without `init`: a base that takes its arguments in `__new__` gets them here, one that takes them in
// `init` does not.
function makerOfBlank(cls: any, base: any, info: TypeInfo | undefined): NonNullable<Maker['blank']> {
  return (args, kwargs) => {
    if (info === undefined) return allocateOfClass(cls, base, args, kwargs, !isGiven(args, kwargs));
    return isFilled(info)
      ? allocateOfType(cls, base, info, [], undefined, true)
      : allocateOfType(cls, base, info, args, kwargs, false);
  };
}

/** Gives the result of `T.__new__(cls, …)` of the base of `cls`; undefined when the base cannot make an instance. */
export function newOfBase(derived: Maker | undefined, args: readonly unknown[], kwargs: Kwargs): any {
  const made = derived?.blank?.(args, kwargs) ?? derived?.make(args, kwargs);
  if (filled.has(made) && isGiven(args, kwargs)) complete.add(made);
  return made;
}

function isGiven(args: readonly unknown[], kwargs: Kwargs): boolean {
  return args.length > 0 || pairsOf(kwargs).length > 0;
}

// Instances of classes of modules that `super().__new__(cls, …)` made of its arguments.
const complete = new WeakSet<object>();

/**
 * Tells whether `made` was made of arguments by `__new__` of its base. Then the base has no `__init__` that wants those
 * of the program's class.
 */
export function isComplete(made: object): boolean {
  return complete.has(made);
}

function positional(params: readonly ParamSpec[], slots: readonly unknown[]): unknown[] {
  return params.flatMap((param, i) => {
    if (param.kind === 'args') return (slots[i] as unknown[] | undefined) ?? [];
    return (param.kind === 'pos' || param.kind === 'any') && slots[i] !== undefined ? [slots[i]] : [];
  });
}

// ---------------------------------------------------------------- built-in types

function allocateOfType(
  cls: any,
  base: any,
  info: TypeInfo,
  args: readonly unknown[],
  kwargs: Kwargs,
  hasInit: boolean,
): any {
  if (isFilled(info)) {
    const self = Reflect.construct(info.cls, [], cls);
    if (!hasInit) fill(self, base, args, kwargs);
    return self;
  }
  const value = bare(callkw(base, hasInit ? args.slice(0, 1) : args, hasInit ? undefined : kwargs));
  if (value instanceof Tuple) return Reflect.construct(info.cls, [value.items], cls);
  if (value instanceof FrozenSet) return Reflect.construct(info.cls, [value.items], cls);
  if (value instanceof Property) return value.as(cls);
  if (typeof value === 'object') return Reflect.construct(info.cls, [value.data], cls);
  const self = Reflect.construct(info.cls, [], cls);
  Object.defineProperty(self, $primitive, { value });
  return self;
}

function isFilled(info: TypeInfo): boolean {
  return info.name === 'list' || info.name === 'dict' || info.name === 'set' || info.name === 'bytearray';
}

/** `list.__init__(self, …)`: takes over what the type makes of the arguments. */
function fill(self: any, base: any, args: readonly unknown[], kwargs: Kwargs): void {
  const value = callkw(base, args, kwargs);
  if (Array.isArray(self)) {
    self.length = 0;
    for (const item of value) Array.prototype.push.call(self, item);
  } else if (self instanceof Dict) dictUpdate(self, value);
  else if (self instanceof AnySet) for (const item of value.items) AnySet.prototype.add.call(self, item);
  else self.data = value.data;
}

// ---------------------------------------------------------------- classes of standard modules

// Instances whose base has set them up.
const filled = new WeakSet<object>();

function allocateOfClass(cls: any, base: any, args: readonly unknown[], kwargs: Kwargs, hasInit: boolean): any {
  if (hasInit && !(base.prototype instanceof Tuple)) {
    const self = Object.create(cls.prototype);
    if (self instanceof Dict) takeFrom(self, base[$construct].call(base, []));
    return self;
  }
  const self = base[$construct].call(cls, args, kwargs === undefined ? undefined : pairsOf(kwargs));
  if (Object.getPrototypeOf(self) !== cls.prototype) Object.setPrototypeOf(self, cls.prototype);
  filled.add(self);
  return self;
}

// Sets up an object as `super().__init__(…)` does: with everything that the constructor of the base sets on an object
// of its own.
function fillFromBase(self: any, base: any, args: readonly unknown[], kwargs: Kwargs): void {
  filled.add(self);
  takeFrom(self, base[$construct].call(base, args, kwargs === undefined ? undefined : pairsOf(kwargs)));
}

function takeFrom(self: any, sample: any): void {
  for (const property of Reflect.ownKeys(sample)) {
    const described = Object.getOwnPropertyDescriptor(sample, property)!;
    Object.defineProperty(self, property, { ...described, configurable: true });
  }
}

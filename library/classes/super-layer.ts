/**
 * The layer between a class of the program and the built-in type or module class it inherits from: the base's methods as functions of `this`,
 * which is what `super().method(…)` and plain calls reach. Dicts and sets are worked on through a bare object with the same contents,
 * because a method the program calls `get` or `add` would otherwise stand in the way of the runtime's own.
 */

import { $slotMethod, bindMethodSlots, type SlotMethod } from '../values/calls/calls.ts';
import { type MethodTable, signatureOf } from '../values/calls/signature.ts';
import { letListsAnswer } from '../values/containers/answering-lists.ts';
import { Dict } from '../values/containers/dict.ts';
import { fromIter } from '../values/containers/iteration.ts';
import { AnySet } from '../values/containers/sets.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { boxed, isFloat } from '../values/numbers/float-box.ts';
import { $methods, $primitive, $spec, $superInit, key } from '../values/objects/protocol.ts';
import { specialRules } from '../values/objects/special-methods.ts';
import type { TypeInfo } from '../values/objects/types.ts';
import type { SuperInit } from './mro.ts';

const layers = new WeakSet<object>();

/** Makes sure that the layer above `cls` exists and has what the class may ask for. `init` is the `__init__` of the base. */
export function superLayer(cls: any, base: any, info: TypeInfo | undefined, init: SuperInit): void {
  let layer = layerOf(cls.prototype);
  if (layer === undefined) {
    layer = makeLayer(cls, base, info, init);
    layers.add(layer);
    Object.setPrototypeOf(cls.prototype, layer);
    // A slice of a list is a list, also where the list is of a derived class.
    if (info?.name === 'list') Object.defineProperty(cls, Symbol.species, { value: Array });
  }
  for (const name of Object.keys(specialRules))
    if (Object.hasOwn(cls.prototype, name)) {
      addSpecial(layer, base, info, name);
      if (info?.name === 'list' && answered.has(name)) letListsAnswer();
      if (name === '__iter__' && (info?.name === 'list' || info?.name === 'tuple')) goThroughIter(cls.prototype);
    }
}

const answered: ReadonlySet<string> = new Set(
  '__getitem__ __setitem__ __delitem__ __contains__ __len__ __bool__ __iter__'.split(' '),
);

// The items of its instances are what they give when they are gone through.
function goThroughIter(prototype: any): void {
  Object.defineProperty(prototype, Symbol.iterator, {
    configurable: true,
    writable: true,
    value(this: any): Iterator<unknown> {
      return fromIter(this)[Symbol.iterator]();
    },
  });
}

function layerOf(prototype: any): any {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at)) if (layers.has(at)) return at;
  return undefined;
}

function makeLayer(cls: any, base: any, info: TypeInfo | undefined, init: SuperInit): any {
  const parent = Object.getPrototypeOf(cls.prototype);
  const layer: any = Object.create(parent);
  const table: MethodTable = (info === undefined ? parent[$methods] : info.methods) ?? {};
  for (const name of Object.keys(table)) {
    const method = table[name]!;
    const run = (self: any, slots: readonly unknown[]) => onBare(self, base, info, (bare) => method(bare, ...slots));
    define(layer, name, function (this: any, ...args: unknown[]) {
      return run(this, bindMethodSlots(signatureOf(method)!, args, undefined));
    });
    layer[key(name)][$slotMethod] = { spec: (method as any)[$spec], run } satisfies SlotMethod;
  }
  define(layer, 'init', function (this: any, ...args: unknown[]) {
    init(this, args, undefined);
    return null;
  });
  layer.init[$superInit] = init;
  // A field of the program may be called `size`.
  if (cls.prototype instanceof Dict || cls.prototype instanceof AnySet)
    Object.defineProperty(layer, 'size', {
      configurable: true,
      get(this: any): unknown {
        return (this.map ?? this.items).size;
      },
      set(this: any, value: unknown) {
        Object.defineProperty(this, 'size', { value, writable: true, enumerable: true, configurable: true });
      },
    });
  if (cls.prototype instanceof AnySet) for (const name of ofSets) addSpecial(layer, base, info, name);
  if (cls.prototype instanceof Dict) for (const name of ofDicts) addSpecial(layer, base, info, name);
  return layer;
}

const ofSets = ['__contains__', '__len__'];
const ofDicts = [...ofSets, '__getitem__', '__setitem__', '__delitem__'];

function addSpecial(layer: any, base: any, info: TypeInfo | undefined, name: string): void {
  const inherited = layer[name];
  if (Object.hasOwn(layer, name) || (typeof inherited === 'function' && info === undefined)) return;
  define(layer, name, function (this: any, ...args: unknown[]) {
    return onBare(this, base, info, (bare) => specialRules[name]!(bare, args, this)) ?? null;
  });
}

function define(layer: any, name: string, value: unknown): void {
  Object.defineProperty(layer, key(name), { value, writable: true, configurable: true });
}

/** Runs `use` on a value of the base alone that shares the contents of `self`. */
export function onBare(self: any, base: any, info: TypeInfo | undefined, use: (bare: any) => unknown): unknown {
  if (self[$primitive] !== undefined) return use(isFloat(self) ? boxed(self[$primitive]) : self[$primitive]);
  if (self instanceof Tuple && info !== undefined) return use(new Tuple(self.items));
  if (!(self instanceof Dict || self instanceof AnySet)) return use(self);
  const bare = Object.create((info?.cls ?? base).prototype);
  for (const own of Reflect.ownKeys(self)) if (own !== 'size') bare[own] = (self as any)[own];
  // Methods that make another object of the kind have to know the class.
  if (info === undefined) bare.constructor = self.constructor;
  const result = use(bare);
  self.odd = bare.odd;
  return result === bare ? self : result;
}

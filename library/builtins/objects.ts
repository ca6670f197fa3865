/** Built-ins about objects: attributes, types, text forms. */

import { staticNames } from '../classes/class-attributes.ts';
import { builtin } from '../values/calls/builtin.ts';
import { callable as isCallable } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import type { Hint } from '../values/hint.ts';
import {
  setattr as assign,
  getattr as attribute,
  delattr as deleteAttribute,
  getattrOr,
  hasattr as has,
  primitiveTable,
  varsOf,
} from '../values/objects/attributes.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { instanceDict } from '../values/objects/instance-dict.ts';
import { $corePrototype } from '../values/objects/method-tables.ts';
import { $methods, attributeName } from '../values/objects/protocol.ts';
import { asciiOf, reprOf } from '../values/objects/repr.ts';
import { isClass, typeName } from '../values/objects/type-name.ts';
import { isInstance, isSubclass, typeInfo } from '../values/objects/types.ts';
import { format as formatted } from '../values/text/format.ts';
import { attributeText, requireText } from '../values/text/text-arguments.ts';
import { print } from './print.ts';

export const getattr = builtin('getattr', (o: unknown, name: unknown, fallback?: unknown) =>
  fallback === undefined ? attribute(o, attributeText(name)) : getattrOr(o, attributeText(name), fallback),
);

export const setattr = builtin('setattr', (o: unknown, name: unknown, value: unknown) => {
  assign(o, attributeText(name), value);
  return null;
});

export const delattr = builtin('delattr', (o: unknown, name: unknown) => {
  deleteAttribute(o, attributeText(name));
  return null;
});

export const hasattr = builtin('hasattr', (o: unknown, name: unknown) => has(o, attributeText(name)));

/** The third argument is the compiler's float hint. */
export const isinstance = builtin('isinstance', (x: unknown, cls: unknown, hint?: Hint) => isInstance(x, cls, hint));

export const issubclass = builtin('issubclass', isSubclass);

export const callable = builtin('callable', isCallable);

export const repr = builtin('repr', (x: unknown) => reprOf(x));

export const ascii = builtin('ascii', (x: unknown) => asciiOf(x));

export const format = builtin('format', (x: unknown, spec?: unknown) =>
  formatted(x, spec === undefined ? '' : (spec as string)),
);

/** Tells whether a value is of a built-in type itself, not of a class of the program that inherits from one. */
function isBare(x: any): boolean {
  const core = Array.isArray(x) ? Array.prototype : x[$methods] === undefined ? undefined : x[$corePrototype];
  return core === Object.getPrototypeOf(x);
}

export const vars = builtin('vars', (x?: any) => {
  if (x === undefined) return new Dict();
  if (typeof x === 'function') return attribute(x, '__dict__');
  if (typeof x !== 'object' || x === null || isBare(x)) {
    throw new TypeError('vars() argument must have __dict__ attribute');
  }
  return instanceDict(x);
});

export const dir = builtin('dir', (x?: any) => {
  if (x === undefined) return [];
  if (typeof x?.__dir__ === 'function') return [...x.__dir__()].sort();
  const names = new Set<string>();
  const table = typeof x === 'object' && x !== null && !Array.isArray(x) ? x[$methods] : primitiveTable(x);
  for (const name of Object.keys(table ?? {})) names.add(name);
  if (typeof x === 'function') collectClass(x, names);
  else if (typeof x === 'object' && x !== null && names.size === 0) {
    for (const [name] of varsOf(x)) names.add(name);
    collectPrototype(Object.getPrototypeOf(x), names);
    for (const name of staticNames(x.constructor)) names.add(name);
  }
  if (names.delete('init')) names.add('__init__');
  return [...names].sort();
});

function collectClass(cls: any, names: Set<string>): void {
  const info = typeInfo(cls);
  if (info !== undefined)
    for (const name of [...Object.keys(info.methods ?? {}), ...Object.keys(info.statics ?? {})]) names.add(name);
  else if (isClass(cls)) {
    collectPrototype((cls as any).prototype, names);
    for (const name of staticNames(cls)) names.add(name);
  }
}

function collectPrototype(prototype: object | null, names: Set<string>): void {
  for (
    let at = prototype;
    at !== null && at !== Object.prototype && at !== Error.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const property of Object.getOwnPropertyNames(at)) {
      if (property !== 'constructor' && property.charCodeAt(0) !== 36) names.add(attributeName(property));
    }
  }
}

export const help = builtin('help', (x?: any) => {
  if (x === undefined) return null;
  const doc = getattrOr(x, '__doc__', null);
  const title =
    typeof x === 'function'
      ? `Help on ${isClass(x) ? 'class' : 'function'} ${getattrOr(x, '__name__', '')}:`
      : `Help on ${typeName(x)} object:`;
  print([`${title}\n\n${doc === null ? 'No documentation.' : requireText(doc)}`]);
  return null;
});

/**
 * Classes with `Protocol` among their bases (PEP 544, docs/language/archetypes.md#protocols). Compiled code says of
 * each that it is one: `svclang.protocols`.
 */

import type { Members } from '../builtins/module.ts';
import { annotationsOf } from '../classes/annotations.ts';
import { callable } from '../values/calls/calls.ts';
import { getattrOr, hasattr } from '../values/objects/attributes.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { $isInstance, $isSubclass, attributeName, key } from '../values/objects/protocol.ts';
import { reprOf } from '../values/objects/repr.ts';
import { isClass } from '../values/objects/type-name.ts';
import { mroOf } from '../values/objects/types.ts';

export function makeProtocols(): Members {
  return { protocol };
}

/** Protocols, and whether instances may be tested. */
const protocols = new WeakMap<object, { isTested: boolean }>();

/** Makes a class a protocol: it has no instances, unless it says itself how they begin. */
function protocol(cls: any): void {
  protocols.set(cls, { isTested: false });
  if (typeof cls.prototype.init !== 'function') define(cls, '$new', refuse);
  define(cls, $isInstance, isInstanceOf);
  define(cls, Symbol.hasInstance, isInstanceOf);
  define(cls, $isSubclass, isSubclassOf);
}

function define(cls: object, property: PropertyKey, value: unknown): void {
  Object.defineProperty(cls, property, { value, writable: true, configurable: true });
}

function refuse(): never {
  throw new TypeError('Protocols cannot be instantiated');
}

/** `@runtime_checkable`: `isinstance(x, P)` asks whether `x` has the members of the protocol. @throws TypeError for other classes */
export function runtimeCheckable(cls: any): unknown {
  const known = protocols.get(cls);
  if (known === undefined)
    throw new TypeError(`@runtime_checkable can be only applied to protocol classes, got ${reprOf(cls)}`);
  known.isTested = true;
  return cls;
}

function requireTested(cls: any): void {
  if (protocols.get(cls)?.isTested !== true)
    throw new TypeError('Instance and class checks can only be used with @runtime_checkable protocols');
}

// Inherited by the classes that implement a protocol, which are classes like others.
function isInstanceOf(this: any, x: any): boolean {
  if (!protocols.has(this))
    return Function.prototype[Symbol.hasInstance].call(this, x) || isBelow(x?.constructor, this);
  requireTested(this);
  if (isBelow(x?.constructor, this)) return true;
  return membersOf(this).every(
    (name) => hasattr(x, name) && !(isMethod(this, name) && getattrOr(x, name, null) === null),
  );
}

function isSubclassOf(this: any, cls: any): boolean {
  if (!protocols.has(this)) return isBelow(cls, this);
  requireTested(this);
  const names = membersOf(this);
  if (!names.every((name) => isMethod(this, name)))
    throw new TypeError("Protocols with non-method members don't support issubclass()");
  return isBelow(cls, this) || names.every((name) => getattrOr(cls, name, null) !== null);
}

function isBelow(cls: unknown, of: unknown): boolean {
  return isClass(cls) && mroOf(cls).includes(of);
}

const ownNames = new Set(['__init__', '__new__', '__doc__', '__module__', '__slots__', '__annotations__']);

/** Lists the members that a protocol asks for: those that it and the protocols below it declare. */
function membersOf(cls: any): readonly string[] {
  const declared = mroOf(cls).filter((one: any) => protocols.has(one));
  return [...new Set(declared.flatMap(declaredBy))].filter((name) => !ownNames.has(name));
}

const ofEveryClass = new Set(['length', 'name', 'prototype']);

function declaredBy(cls: any): string[] {
  const ofClass = Object.getOwnPropertyNames(cls).filter((name) => !ofEveryClass.has(name));
  const names = [...Object.getOwnPropertyNames(cls.prototype), ...ofClass];
  const written = names.filter((name) => name !== 'constructor' && name[0] !== '$').map(attributeName);
  return [...written, ...(annotationsOf(cls)?.keys() ?? [])].map(String);
}

function isMethod(cls: any, name: string): boolean {
  if (mroOf(cls).some((one: any) => protocols.has(one) && annotationsOf(one)?.has(name) === true)) return false;
  return callable(memberOf(cls, key(name)));
}

function memberOf(cls: any, property: string): unknown {
  for (let at = cls.prototype; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    const own = Object.getOwnPropertyDescriptor(at, property);
    if (own !== undefined) return own.value;
  }
  return cls[property];
}

/** The members every object has: `object.__setattr__`, and what `super().__repr__()` reaches behind the last class of the program. */

import { native } from '../calls/signature.ts';
import { deletePlain, plainAttribute, setPlain } from './attributes.ts';
import { TypeError } from './exceptions.ts';
import { $repr, $str } from './protocol.ts';
import { address, bareRepr, reprOf, strOf } from './repr.ts';
import { typeName } from './type-name.ts';

/** Members of every object by name; the receiver comes first. */
export const objectMembers: Readonly<Record<string, (self: any, ...args: any[]) => unknown>> = {
  __setattr__: native('object.__setattr__', 'self, name, value, /', (self: any, name: string, value: unknown) => {
    setPlain(self, name, value);
    return null;
  }),
  __delattr__: native('object.__delattr__', 'self, name, /', (self: any, name: string) => {
    deletePlain(self, name);
    return null;
  }),
  __getattribute__: native('object.__getattribute__', 'self, name, /', plainAttribute),
  __init__: native('object.__init__', 'self, /, *args, **kwargs', () => null),
  __repr__: native('object.__repr__', 'self, /', bareRepr),
  __str__: native('object.__str__', 'self, /', (self: unknown) => reprOf(self)),
  __format__: native('object.__format__', 'self, format_spec, /', (self: unknown, spec: string) => {
    if (spec === '') return strOf(self);
    throw new TypeError(`unsupported format string passed to ${typeName(self)}.__format__`);
  }),
  __eq__: native('object.__eq__', 'self, other, /', (self: unknown, other: unknown) => self === other),
  __ne__: native('object.__ne__', 'self, other, /', (self: unknown, other: unknown) => self !== other),
  __hash__: native('object.__hash__', 'self, /', hashOfIdentity),
};

/** Gives a member of a class the program did not write: archetypes show their fields, exceptions their arguments. */
export function inheritedMember(self: any, name: string): ((...args: any[]) => unknown) | undefined {
  if (name === 'init') return () => null;
  if (name === '__repr__') return () => self[$repr]?.({ active: new Set() }) ?? bareRepr(self);
  if (name === '__str__') return () => self[$str]?.() ?? reprOf(self);
  const member = Object.hasOwn(objectMembers, name) ? objectMembers[name] : undefined;
  return member === undefined ? undefined : (...args) => member(self, ...args);
}

function hashOfIdentity(x: unknown): number {
  return typeof x === 'object' && x !== null ? Number.parseInt(address(x), 16) / 16 : 0;
}

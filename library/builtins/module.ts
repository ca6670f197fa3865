/** Module objects: what `import math;` binds. */

import { native } from '../values/calls/signature.ts';
import { boxed } from '../values/numbers/float-box.ts';
import { $moduleName } from '../values/objects/attributes.ts';
import { AttributeError } from '../values/objects/exceptions.ts';
import { $repr, $typeName, key } from '../values/objects/protocol.ts';
import { $builtin } from '../values/objects/type-name.ts';
import { mayRunAgain } from './repeatable.ts';

/** Members by name. Getters are allowed: they are read on each access (`sys.stdout`). */
export type Members = Record<string, unknown>;

/**
 * A module object. A member that does not exist is an AttributeError, also for code that reads it as a plain property.
 */
export function makeModule(name: string, members: Members, doc?: string): any {
  const module = Object.create(guardOf(name));
  Object.defineProperty(module, $moduleName, { value: name });
  for (const member of Object.keys(members)) {
    const described = Object.getOwnPropertyDescriptor(members, member)!;
    mayRunAgain(name, described.value);
    if (typeof described.value === 'function' && described.value.name === member) describeFunction(described.value);
    Object.defineProperty(module, key(member), { ...described, enumerable: true, configurable: true });
  }
  if (!Object.hasOwn(module, '__doc__'))
    Object.defineProperty(module, '__doc__', { value: doc ?? null, writable: true, configurable: true });
  return module;
}

/** Functions of a module: name to `[parameters, function]`. Numbers that those named in `floats` give are floats. */
export function functions<T extends Record<string, readonly [string, (...args: any[]) => any]>>(
  module: string,
  entries: T,
  floats = '',
): { [K in keyof T]: T[K][1] } {
  const giveFloats = new Set(floats.split(' '));
  const made: any = {};
  for (const name of Object.keys(entries)) {
    const [parameters, run] = entries[name]!;
    const shown = giveFloats.has(name) ? (...args: any[]) => boxed(run(...args)) : run;
    made[name] = native(module === '' ? name : `${module}.${name}`, parameters, shown);
  }
  return made;
}

// Functions without a signature are the runtime's own all the same.
function describeFunction(fn: any): void {
  if (fn[$builtin] === undefined && fn.prototype === undefined) fn[$builtin] = true;
}

function guardOf(name: string): object {
  const base = {
    [$typeName]: 'module',
    [$repr]: () => `<module '${name}' (built-in)>`,
  };
  return new Proxy(base, {
    get(target, property, receiver) {
      if (typeof property === 'symbol') return Reflect.get(target, property, receiver);
      if (!/^[A-Za-z]/.test(property) || silent.has(property)) return undefined;
      throw new AttributeError(`module '${name}' has no attribute '${property}'`);
    },
  });
}

// JavaScript itself asks for these.
const silent = new Set([
  'then',
  'toJSON',
  'constructor',
  'toString',
  'valueOf',
  'nodeType',
  'asymmetricMatch',
  'inspect',
]);

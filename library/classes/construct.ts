/** `$.construct`: making an instance when the arguments are only known at run time. */

import { callkw } from '../values/calls/calls.ts';
import { native } from '../values/calls/signature.ts';
import type { Dict } from '../values/containers/dict.ts';
import { AnySet } from '../values/containers/sets.ts';
import type { Kwargs } from '../values/kwargs.ts';
import { getattr } from '../values/objects/attributes.ts';
import { isEnumClass } from '../values/objects/enums.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { $construct, $superInit, type Fn } from '../values/objects/protocol.ts';
import { className } from '../values/objects/type-name.ts';
import { isInstance, mroOf } from '../values/objects/types.ts';
import { bindArguments, pairsOf } from './bind.ts';
import { metaOf } from './meta.ts';
import { isComplete, newOfBase } from './native-base.ts';

/**
 * Calls a class of the program with positional and keyword arguments (docs/language/archetypes.md#constructor).
 *
 * @throws TypeError with Python's text when the arguments do not fit.
 */
export function construct(cls: any, args: readonly unknown[], kwargs?: Kwargs): any {
  const meta = metaOf(cls);
  if (meta === undefined) {
    if (typeof cls === 'function' && cls[$construct] !== undefined)
      throw new TypeError(`${className(cls)} is not a registered archetype`);
    // The name of the class has been given to something else.
    return callkw(cls, args, kwargs);
  }
  if ((typeof cls.__new__ === 'function' && !isEnumClass(cls)) || replaced.has(cls))
    return makeByNew(cls, args, kwargs);
  if (meta.isException) return cls.$raise(args, pairsOf(kwargs));
  if (meta.derived !== undefined && meta.missing.length === 0) return meta.derived.make(args, kwargs);
  if (
    meta.kind === 'class' &&
    meta.params.length === 0 &&
    !cls.prototype.init &&
    (args.length > 0 || pairsOf(kwargs).length > 0)
  ) {
    throw new TypeError(`${meta.name}() takes no arguments`);
  }
  return cls.$new(...bindArguments(meta.initName, meta.params, args, kwargs, 1));
}

const replaced = new WeakSet<object>();

/** `cls.__init__ = f`: from now on instances are constructed by what the class has then, whatever its declared parameters are. */
export function constructByName(cls: any): void {
  replaced.add(cls);
  const make = (...slots: unknown[]) => {
    while (slots.length > 0 && slots[slots.length - 1] === undefined) slots.pop();
    return construct(cls, slots);
  };
  Object.defineProperty(cls, '$new', { value: make, writable: true, configurable: true });
}

/** A class with `__new__`: what that gives, constructed as its own type says, and only when it is an instance of the class. */
function makeByNew(cls: any, args: readonly unknown[], kwargs?: Kwargs): unknown {
  const finish = (made: any) => {
    if (!isInstance(made, cls)) return made;
    if (typeof made.init !== 'function' && metaOf(cls)?.params.length === 0) return made;
    if (made.init?.[$superInit] !== undefined && isComplete(made)) return made;
    // The `__init__` of a list or set leaves keywords to a `__new__` of the program.
    const isNative = made.init?.[$superInit] !== undefined && (Array.isArray(made) || made instanceof AnySet);
    const done = callkw(getattr(made.constructor, '__init__'), [made, ...args], isNative ? undefined : kwargs);
    return done instanceof Promise ? done.then(() => made) : made;
  };
  const made = typeof cls.__new__ === 'function' ? callkw(cls.__new__, [cls, ...args], kwargs) : blank(cls);
  return made instanceof Promise ? made.then(finish) : finish(made);
}

/** `super().__new__` in the class `after`: the next one in the order of the class it is given, at last an instance without values. */
export function superNew(after: unknown): Fn {
  return native('__new__', 'cls, /, *args, **kwargs', (cls: any, args: readonly unknown[] = [], kwargs?: Dict) => {
    const order = mroOf(cls);
    const next: any = order.slice(order.indexOf(after) + 1).find((one) => Object.hasOwn(one as object, '__new__'));
    if (next !== undefined) return callkw(next.__new__, [cls, ...args], kwargs as Kwargs);
    return newOfBase(metaOf(cls)?.derived, args, kwargs as Kwargs) ?? blank(cls);
  });
}

/** `object.__new__` */
export function blank(cls: any): object {
  return metaOf(cls)?.blank() ?? Object.create(cls.prototype);
}

/** A copy of a graph object with the same fields and no place in the graph (`+>: e :+>` for further pairs). */
export function cloneFields(instance: any): any {
  const copy = instance.$meta.blank();
  for (const field of instance.$meta.fields) copy[field.slot] = instance[field.property];
  return copy;
}

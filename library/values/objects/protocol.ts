/**
 * Protocol by which a value class takes part in the language. Operators, `repr`, `getattr` … ask a value in this order:
 * its own special method as the language spells it (`__repr__`, `__add__`, found as a JavaScript property), then the
 * symbol method below, then the general rule. Runtime classes (archetypes, exceptions, enums) fill the symbols;
 * programs only ever write special methods.
 */
import type { FunctionSpec } from '../../classes/spec.ts';

/** On a prototype: the name `type(x).__name__` gives; on a class function the same for the class itself (`C.prototype[$typeName]`). */
export const $typeName: unique symbol = Symbol('svc.typeName');
/** `(this, state: ReprState) => string`: default `repr` when the class defines no `__repr__`. */
export const $repr: unique symbol = Symbol('svc.repr');
/** `(this) => string`: `str` when the class defines no `__str__` (exceptions, enums); absent: what `repr` gives, `__repr__` included. */
export const $str: unique symbol = Symbol('svc.str');
/** `(this) => boolean`. */
export const $truth: unique symbol = Symbol('svc.truth');
/** `(this, other) => boolean | undefined` (undefined: not comparable). */
export const $eq: unique symbol = Symbol('svc.eq');
/** `(this) => string | number`: equal values give equal results. Absent: identity. */
export const $hash: unique symbol = Symbol('svc.hash');
/** `(this, name) => unknown`: attribute that is not a plain property; undefined: there is none. */
export const $getattr: unique symbol = Symbol('svc.getattr');
/** `(this, name, value) => boolean`: false leaves the assignment to the general rule. */
export const $setattr: unique symbol = Symbol('svc.setattr');
/** `(this, name) => boolean`: false leaves the deletion to the general rule. */
export const $delattr: unique symbol = Symbol('svc.delattr');
/** `(this) => Iterable<[string, unknown]>`: what `vars(x)` and `x.__dict__` show; absent: own enumerable properties. */
export const $vars: unique symbol = Symbol('svc.vars');
/** On a class function: `(args, kwargs | undefined) => instance`, what calling the class does. Absent: `new cls(...args)`. */
export const $construct: unique symbol = Symbol('svc.construct');
/** On a class function: `(x) => boolean`; absent: `x instanceof cls`. */
export const $isInstance: unique symbol = Symbol('svc.isInstance');
/** On a class function: `(cls) => boolean`; absent: prototype chain. */
export const $isSubclass: unique symbol = Symbol('svc.isSubclass');
/** On a class function: `(derived, keywords) => boolean`, takes what a class is given besides its bases; false: `__init_subclass__` does. */
export const $keywords: unique symbol = Symbol('svc.keywords');
/** On a class function: names of positional sub-patterns of a class pattern, in order. */
export const $matchArgs: unique symbol = Symbol('svc.matchArgs');
/** On a class function: its C3 order, itself first (`C.__mro__`). */
export const $mro: unique symbol = Symbol('svc.mro');
/** On a class function: true when it is a base that only promises members, such as `ABC` or `Mapping`. */
export const $form: unique symbol = Symbol('svc.form');
/** On a class function: documentation text, declaring module and qualified name (`__doc__`, `__module__`, `__qualname__`). */
export const $about: unique symbol = Symbol('svc.about');
/** On the prototype of a built-in value class: its method table (receiver first). */
export const $methods: unique symbol = Symbol('svc.methods');
/** On an enum member of a primitive-based enum: the primitive value; operators use it in place of the member. */
export const $primitive: unique symbol = Symbol('svc.primitive');
/** On an object with a `$primitive` that is a float: `true`. */
export const $isFloat: unique symbol = Symbol('svc.isFloat');
/** On an enum class: true. */
export const $enumClass: unique symbol = Symbol('svc.enumClass');
/** On a function: its `FunctionSpec` (or a thunk of it). */
export const $spec: unique symbol = Symbol('svc.spec');
/** On a function that a program declared, not on those bound to it: `true`. */
export const $declared: unique symbol = Symbol('svc.declared');
/** On a bound method: `{ self, fn }`. */
export const $bound: unique symbol = Symbol('svc.bound');
/** On a value: `(this) => Promise<unknown>`: what `await x` waits for, without making `x` a thenable. */
export const $await: unique symbol = Symbol('svc.await');
/** On a thrown error: `except` never sees it (time-outs and replays of the runtime). */
export const $uncatchable: unique symbol = Symbol('svc.uncatchable');

/** On a special method of the program that waits: `true` (regions.ts). */
export const $asked: unique symbol = Symbol('svc.asked');
/**
 * On a function of the runtime: `true` when it may be run again, because it changes nothing before it has all answers, `'later'` when it makes an
 * iterator that may wait, `false` when it waits by itself (regions.ts).
 */
export const $again: unique symbol = Symbol('svc.again');

/** State passed down in one `repr`: the containers being shown, so that a cycle prints `[...]`. */
export interface ReprState {
  readonly active: Set<object>;
}

/** On a prototype of the runtime: forms of `collections.abc` its objects count as (`['Sequence']`). */
export const $counted: unique symbol = Symbol('svc.counted');

/** On the `init` of a built-in base (super-layer.ts): `(self, args, kwargs) => void`, for keyword arguments. */
export const $superInit: unique symbol = Symbol('svc.superInit');

export interface About {
  readonly module?: string;
  /** True for the program that is run: its classes are those of `__main__`, whatever the file is called. */
  readonly main?: boolean | undefined;
  readonly qualname?: string;
  /** True for a class method. */
  readonly ofClass?: boolean;
  readonly doc?: string | undefined;
}

/** A function as the language sees it: positional slots as the contract of generated code says. */
export type Fn = ((...args: any[]) => any) & { [$spec]?: FunctionSpec | (() => FunctionSpec) };

const machinery = new Set([
  'constructor',
  'prototype',
  'then',
  'toString',
  'toLocaleString',
  'valueOf',
  'toJSON',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
]);

/**
 * The JavaScript property that holds attribute `name`. Names that JavaScript itself gives a meaning get a `$` behind; the compiler emits
 * the same mapping.
 */
export function key(name: string): string {
  return machinery.has(name) ? `${name}$` : name;
}

/** The attribute name a property stands for; the inverse of `key`. */
export function attributeName(property: string): string {
  if (property.charCodeAt(property.length - 1) !== 36) return property;
  const bare = property.slice(0, -1);
  return machinery.has(bare) ? bare : property;
}

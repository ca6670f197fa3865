/**
 * Classes of standard modules: ordinary JavaScript classes whose members are what a program sees. Members that begin with `$` are hidden
 * from programs (no name of the language does). Operators and built-ins find special methods (`__add__`, `__len__` …) by name.
 */
import { bindArguments } from '../classes/bind.ts';
import type { ParamSpec } from '../classes/spec.ts';
import { native, parseParams } from '../values/calls/signature.ts';
import { $about, $construct, $counted, $typeName } from '../values/objects/protocol.ts';
import { $fullName } from '../values/objects/type-name.ts';
import { mayRunAgain } from './repeatable.ts';

export interface NativeClass {
  readonly name: string;
  readonly module?: string;
  /** Parameters of the constructor; the slots go to `make` (by default `new cls(...slots)`). */
  readonly params?: string;
  readonly make?: (cls: any, ...slots: any[]) => unknown;
  /** Name of the constructor in complaints about its arguments. */
  readonly constructorName?: '__new__';
  /** Parameters of methods that take any; the others keep theirs as JavaScript has them. */
  readonly methods?: Readonly<Record<string, string>>;
  /** Functions of the class itself. */
  readonly statics?: Readonly<Record<string, readonly [string, (...args: any[]) => unknown]>>;
  /** The same, whose first slot is the class they are called on: this one or one derived from it. */
  readonly classMethods?: Readonly<Record<string, readonly [string, (cls: any, ...args: any[]) => unknown]>>;
  /** Values of the class itself. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly doc?: string;
  /** Forms of `collections.abc` that objects of the class count as. */
  readonly countedAs?: readonly string[];
  /** Error texts name the type with its module. */
  readonly fullName?: boolean;
}

export function nativeClass<C extends { prototype: any }>(cls: C, about: NativeClass): C {
  hide(cls.prototype, $typeName, about.name);
  if (about.fullName === true) hide(cls.prototype, $fullName, `${about.module}.${about.name}`);
  if (about.countedAs !== undefined) hide(cls.prototype, $counted, about.countedAs);
  hide(cls, $about, { module: about.module ?? 'builtins', qualname: about.name, doc: about.doc, params: about.params });
  let params: ParamSpec[] | undefined;
  const make = about.make ?? ((made: any, ...slots: any[]) => new made(...slots));
  hide(cls, $construct, function construct(this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>) {
    params ??= parseParams(about.params ?? '');
    return make(
      this,
      ...bindArguments(`${about.name}.${about.constructorName ?? '__init__'}`, params, args, kwargs, 1),
    );
  });
  for (const [name, text] of Object.entries(about.methods ?? {}))
    native(`${about.name}.${name}`, text, cls.prototype[name]);
  for (const [name, [text, fn]] of Object.entries(about.statics ?? {})) {
    hide(cls, name, native(`${about.name}.${name}`, text, fn));
  }
  for (const [name, [text, fn]] of Object.entries(about.classMethods ?? {}))
    hideClassMethod(cls, name, (on) =>
      native(`${about.name}.${name}`, text, (...slots: unknown[]) => fn(on, ...slots)),
    );
  for (const [name, value] of Object.entries(about.values ?? {})) hide(cls, name, value);
  for (const method of Object.values(Object.getOwnPropertyDescriptors(cls.prototype)))
    mayRunAgain(about.module, method.value);
  return cls;
}

function hideClassMethod(cls: object, name: string, make: (on: object) => unknown): void {
  const own = make(cls);
  const derived = new WeakMap<object, unknown>();
  Object.defineProperty(cls, name, {
    configurable: true,
    get(this: object) {
      if (this === cls) return own;
      if (!derived.has(this)) derived.set(this, make(this));
      return derived.get(this);
    },
  });
}

function hide(target: object, property: PropertyKey, value: unknown): void {
  Object.defineProperty(target, property, { value, writable: true, enumerable: false, configurable: true });
}

/**
 * Bases of a class of the program that names a form of `typing` or `collections.abc`: `class Box(Generic[T])`, `class
 * Registry(Mapping)`. Forms that promise methods (`Mapping` from `__getitem__`, `__iter__` and `__len__`) bring them
 * along (modules/form-mixins.ts).
 */
import { mix } from '../classes/mro.ts';
import { native } from '../values/calls/signature.ts';
import { $about, $form, $typeName } from '../values/objects/protocol.ts';
import { isObjectType } from '../values/objects/types.ts';
import { GenericAlias } from '../values/objects/union-type.ts';
import { SpecialForm } from './special-form.ts';

export type Mixin = Readonly<Record<string, readonly [string, (self: any, ...slots: any[]) => unknown]>>;

let mixins: Readonly<Record<string, Mixin>> = {};

/** Says what forms promise; classes that stand for one get it, those that are there already too. */
export function setMixins(given: Readonly<Record<string, Mixin>>): void {
  mixins = given;
  for (const [label, cls] of bases) keepPromises(cls, label);
}

const bases = new Map<string, any>();

/** `class C extends $.base(X)`. */
export function base(x: any): any {
  if (x instanceof GenericAlias) return base(x.origin);
  return x instanceof SpecialForm ? (x.type ?? promising(x.label)) : x;
}

/** The class that stands for a form: what it promises is there. */
export function promising(label: string): any {
  let made = bases.get(label);
  if (made === undefined) {
    made = makeBase(label);
    bases.set(label, made);
  }
  return made;
}

/** `class C extends $.mix($.Obj, $.form(X))`, where `X` promises members and says nothing of how instances are made. */
export function form(x: any): any {
  const cls = base(x);
  if (!Object.hasOwn(cls, $form)) Object.defineProperty(cls, $form, { value: true });
  return cls;
}

/** `class C extends $.derive($.Obj, X, …)`, where only the values of the bases tell what they are; `kind` is what a class of its kind has at least. */
export function derive(kind: any, ...values: any[]): any {
  const classes = values.filter((x) => !isObjectType(x)).map(classOfBase);
  return mix(...(classes.every((cls) => Object.hasOwn(Object(cls), $form)) ? [kind, ...classes] : classes));
}

function classOfBase(x: any): any {
  if (x instanceof GenericAlias) return classOfBase(x.origin);
  return x instanceof SpecialForm ? form(x) : x;
}

function makeBase(label: string): any {
  const cls = { [label]: class {} }[label]!;
  hide(cls.prototype, $typeName, label);
  hide(cls, $about, { module: 'collections.abc', qualname: label });
  keepPromises(cls, label);
  return cls;
}

function keepPromises(cls: any, label: string): void {
  for (const [name, [params, fn]] of Object.entries(mixins[label] ?? {})) {
    const method = {
      [name](this: any, ...slots: unknown[]) {
        return fn(this, ...slots);
      },
    }[name]!;
    hide(cls.prototype, name, native(`${label}.${name}`, params, method));
  }
}

function hide(target: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

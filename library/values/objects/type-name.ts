/** The name of a value's type, as error messages and `type(x).__name__` give it. */
import { isPlainObject } from '../calls/border.ts';
import { $bound, $methods, $spec, $typeName } from './protocol.ts';

/** On a prototype: the name error texts give, with the module (`datetime.date`), where CPython writes it so. */
export const $fullName: unique symbol = Symbol('svc.fullName');

/** The type of a value as error texts name it. */
export function fullTypeName(x: any): string {
  const full = typeof x === 'object' && x !== null ? x[$fullName] : undefined;
  return full === undefined || !full.endsWith(typeName(x)) ? typeName(x) : full;
}

export function typeName(x: unknown): string {
  switch (typeof x) {
    case 'string':
      return 'str';
    case 'number':
      return Number.isSafeInteger(x) ? 'int' : 'float';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'NoneType';
    case 'bigint':
      return 'int';
    case 'symbol':
      return 'symbol';
    case 'function':
      return functionTypeName(x as any);
    default:
      return x === null ? 'NoneType' : objectTypeName(x as object);
  }
}

/**
 * Tells whether a value is something that `C(...)` constructs: a class of the program, of the runtime or of JavaScript,
 * or a built-in type.
 */
export function isClass(x: unknown): x is new (...args: any[]) => any {
  if (typeof x !== 'function') return false;
  if (isTypeObject(x)) return true;
  const prototype = (x as any).prototype;
  if (prototype === undefined || prototype === null || typeof prototype !== 'object') return false;
  return isClassSource(x);
}

/** Marks the functions that stand for built-in types (`int`, `str`, `list` …). */
export const $typeObject: unique symbol = Symbol('svc.typeObject');

export function isTypeObject(x: unknown): boolean {
  return typeof x === 'function' && Object.hasOwn(x, $typeObject);
}

/** The name a class has in the language. */
export function className(cls: any): string {
  if (Object.hasOwn(cls, $typeObject)) return cls[$typeObject].name;
  const declared = cls.prototype?.[$typeName];
  return typeof declared === 'string'
    ? declared
    : String(Object.getOwnPropertyDescriptor(cls, 'name')?.value ?? 'type');
}

const classSources = new WeakMap<object, boolean>();

// Only classes written in JavaScript reach the source text; it is read once per function.
function isClassSource(x: any): boolean {
  if (typeof x.prototype[$typeName] === 'string') return true;
  if (x[$spec] !== undefined) return false;
  let known = classSources.get(x);
  if (known === undefined) {
    const source = Function.prototype.toString.call(x);
    known = source.startsWith('class') || (/^[A-Z]/.test(x.name) && (nativeClass.test(source) || makesMembers(x)));
    classSources.set(x, known);
  }
  return known;
}

/** A function of older JavaScript that is called with `new`: its prototype has methods, or inherits them. */
function makesMembers({ prototype }: any): boolean {
  return Object.getOwnPropertyNames(prototype).length > 1 || Object.getPrototypeOf(prototype) !== Object.prototype;
}

const nativeClass = /\{\s*\[native code\]\s*\}$/;

function functionTypeName(x: any): string {
  if (x[$bound] !== undefined) return isOfBuiltin(x[$bound]) ? 'builtin_function_or_method' : 'method';
  if (isClass(x)) return 'type';
  if (x[$descriptor] !== undefined) return 'method_descriptor';
  return x[$builtin] === true ? 'builtin_function_or_method' : 'function';
}

/** Marks functions written in the runtime. */
export const $builtin: unique symbol = Symbol('svc.builtin');

/** Tells whether a bound function is a method of a value of a built-in type. */
export function isOfBuiltin({ self, fn }: { readonly self: any; readonly fn: any }): boolean {
  return fn?.[$builtin] === true && (typeof self !== 'object' || Array.isArray(self) || self?.[$methods] !== undefined);
}

/** On a method of a built-in type that was read from the type: the name of the type. */
export const $descriptor: unique symbol = Symbol('svc.descriptor');

function objectTypeName(x: object): string {
  if (Array.isArray(x)) return (x as any)[$typeName] ?? 'list';
  const declared = (x as any)[$typeName];
  if (typeof declared === 'string') return declared;
  if (x instanceof Promise) return 'coroutine';
  const constructor = Object.getPrototypeOf(x)?.constructor;
  if (isPlainObject(x)) return 'dict';
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : withoutClass(x);
}

function withoutClass(x: any): string {
  return x[Symbol.toStringTag] === 'Module' ? 'module' : 'object';
}

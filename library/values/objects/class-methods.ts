/**
 * Conversion of values that become attributes of a class (docs/language/archetypes.md#fields, as in Python): functions
 * turn into methods of the instances.
 */
import { call, callkw } from '../calls/calls.ts';
import { native, signatureOf } from '../calls/signature.ts';
import { isManager, manage } from './descriptors.ts';
import { $about, $bound, $declared, $spec, attributeName } from './protocol.ts';
import { $builtin, $descriptor, isClass } from './type-name.ts';

/** On a value that a class turns into something else: `property(…)`, `partialmethod(…)`. */
export const $member: unique symbol = Symbol('svc.member');
export interface Member {
  /** Gives the property that instances get under this name; functions of it take the receiver as `this`. */
  [$member](name: string): MemberDescriptor;
}
export interface MemberDescriptor extends PropertyDescriptor {
  /** Function that `del o.name` runs. */
  readonly remove?: (this: unknown) => void;
}

/** On a value that a class keeps as a function of its own: `classmethod(…)`, `staticmethod(…)`. */
export const $ofClass: unique symbol = Symbol('svc.ofClass');

/** Gives instances what `value` means as attribute `k` of their class. False: it is a plain value of the class. */
export function becomeMember(cls: any, k: string, value: any): boolean {
  if (isManager(value)) {
    manage(cls, k, value);
    return true;
  }
  if (value?.[$ofClass] !== undefined) {
    delete cls.prototype[k];
    Object.defineProperty(cls, k, { value: value[$ofClass](), writable: true, configurable: true });
    return true;
  }
  const described = memberOf(k, value);
  if (described === undefined) return false;
  if (Object.getOwnPropertyDescriptor(cls, k)?.set === undefined) delete cls[k];
  defineMember(cls.prototype, k, described);
  return true;
}

function defineMember(prototype: any, k: string, { remove, ...described }: MemberDescriptor): void {
  Object.defineProperty(prototype, k, { configurable: true, enumerable: false, ...described });
  if (remove !== undefined)
    Object.defineProperty(prototype, `$del$${attributeName(k)}`, { value: remove, configurable: true });
}

/** Instances read under `k` what `read` finds in their class, until they are given a value of their own. */
export function readFromClass(prototype: any, k: string, read: (self: any) => unknown): void {
  const get = function (this: any): unknown {
    return read(this);
  };
  readers.add(get);
  Object.defineProperty(prototype, k, {
    configurable: true,
    get,
    set(this: any, value: unknown) {
      Object.defineProperty(this, k, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}

const readers = new WeakSet<object>();

/** Tells whether a getter is the accessor of `readFromClass`. */
export function readsClass(get: object): boolean {
  return readers.has(get);
}

/** Functions of a class that know it, and what they run. */
export const runByClass = new WeakMap<object, unknown>();

/** Completes an assignment in the body of a class. */
export function attach(cls: any, k: string): void {
  const own = typeof cls[k] === 'function' ? runByClass.get(cls[k]) : undefined;
  // Another name of a class method or static method.
  if (own !== undefined) Object.defineProperty(cls, k, { value: own, writable: true, configurable: true });
  else becomeMember(cls, k, cls[k]);
}

function memberOf(k: string, value: any): MemberDescriptor | undefined {
  if (value === null || value === undefined) return undefined;
  if (value[$member] !== undefined) return value[$member](k);
  // `push = list.append` is a method, `size = len` is not.
  const isPlain = value[$builtin] === true && value[$descriptor] === undefined;
  if (typeof value !== 'function' || isPlain || value[$bound] !== undefined || isClass(value)) return undefined;
  return value[$spec] === undefined ? undefined : { value: methodOf(value), writable: true };
}

/** The method that runs a function whose first parameter is the receiver. */
export function methodOf(fn: any): any {
  // A method that is given a second name.
  if (fn[$method] !== undefined) return fn[$method];
  const method: any = {
    call(this: unknown, ...slots: unknown[]) {
      return fn(this, ...slots);
    },
  }.call;
  const params = signatureOf(fn)?.params ?? [];
  const [first] = params;
  if (first === undefined || first.kind === 'args' || first.kind === 'kw' || first.kind === 'kwargs')
    return methodOfAny(fn);
  method[$spec] = () => {
    const spec = typeof fn[$spec] === 'function' ? fn[$spec]() : fn[$spec];
    return { ...spec, params: params.slice(1) };
  };
  if (fn[$about] !== undefined) method[$about] = fn[$about];
  method[$plain] = fn;
  return method;
}

/** On a method: the function it runs, which takes its receiver first. */
export const $plain: unique symbol = Symbol('svc.plain');
/** On a function that stands for a method and takes its receiver first: the method. */
export const $method: unique symbol = Symbol('svc.method');

/** A method that hands everything to `target`, whatever its parameters are. */
export function methodOfAny(target: any): any {
  const run = {
    method(this: unknown, args: readonly unknown[] = [], kwargs?: any) {
      return kwargs === undefined || kwargs.size === 0
        ? call(target, this, ...args)
        : callkw(target, [this, ...args], kwargs);
    },
  }.method;
  const method: any = native(target?.[$about]?.qualname ?? 'method', '*args, **kwargs', run);
  delete method[$builtin];
  method[$target] = target;
  return method;
}

/** On a method that decorators made: what they gave, whose attributes it has. */
export const $target: unique symbol = Symbol('svc.target');

/**
 * Puts what decorators make of a method in its place. They see a function that takes the receiver first, described by `spec`; what they give is
 * called the same way.
 */
export function decorate(holder: any, k: string, decorated: (f: unknown) => any, spec: any): void | Promise<void> {
  const fn = holder[k];
  const plain: any = (self: unknown, ...slots: unknown[]) => fn.apply(self, slots);
  plain[$spec] = spec;
  plain[$declared] = true;
  const value = decorated(plain);
  if (value instanceof Promise) return value.then((made) => become(holder, k, made, spec));
  become(holder, k, value, spec);
}

function become(holder: any, k: string, value: any, spec: any): void {
  if (isManager(value)) {
    manage(holder.constructor, k, value);
    return;
  }
  if (value?.[$ofClass] !== undefined) {
    becomeMember(holder.constructor, k, value);
    return;
  }
  const special = value?.[$member]?.(k);
  if (special !== undefined) {
    defineMember(holder, k, special);
    return;
  }
  const method = methodOfAny(value);
  const own = typeof spec === 'function' ? spec : () => spec;
  method[$spec] = () => ({ ...own(), params: anything });
  method[$declared] = true;
  holder[k] = method;
}

const anything = [
  { name: 'args', kind: 'args', type: { t: 'any' } },
  { name: 'kwargs', kind: 'kwargs', type: { t: 'any' } },
] as const;

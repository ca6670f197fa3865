/** Attributes of classes, built-in types and functions. */

import { bindMethod, call, callkw } from '../values/calls/calls.ts';
import { native, signatureOf } from '../values/calls/signature.ts';
import { Dict } from '../values/containers/dict.ts';
import { Tuple } from '../values/containers/tuple.ts';
import type { Kwargs } from '../values/kwargs.ts';
import { lookup, missing } from '../values/objects/attributes.ts';
import {
  $method,
  $plain,
  $target,
  becomeMember,
  readFromClass,
  readsClass,
  runByClass,
} from '../values/objects/class-methods.ts';
import { AttributeError, TypeError } from '../values/objects/exceptions.ts';
import { instanceDict } from '../values/objects/instance-dict.ts';
import { propertyOfClass } from '../values/objects/property.ts';
import {
  $about,
  $bound,
  $enumClass,
  $matchArgs,
  $primitive,
  $spec,
  $superInit,
  $typeName,
  type About,
  attributeName,
  key,
} from '../values/objects/protocol.ts';
import { plainName, shownModule } from '../values/objects/repr.ts';
import { specialOfType } from '../values/objects/special-methods.ts';
import { $builtin, $descriptor, className, isClass, isTypeObject, typeName } from '../values/objects/type-name.ts';
import { mroOf, namedType, type TypeInfo, typeInfo } from '../values/objects/types.ts';
import { annotationsOf } from './annotations.ts';
import { bindArguments } from './bind.ts';
import { constructByName } from './construct.ts';
import { metaOf } from './meta.ts';
import { newOfBase } from './native-base.ts';
import { liveClasses } from './registry.ts';
import { onBare } from './super-layer.ts';

/** `C.name`; with `self` the class is asked on behalf of an instance. */
export function classAttribute(cls: any, name: string, self?: unknown): any {
  if (isTypeObject(cls)) return typeAttribute(cls, name);
  const k = key(name);
  const found = staticMember(cls, k);
  if (found !== undefined) {
    const value = cls[k];
    if (value === undefined) return null;
    if (typeof value !== 'function' || value[$spec] === undefined) return value;
    return bindStatic(cls, k, value);
  }
  const special = classSpecial(cls, name);
  if (special !== undefined) return special;
  const maker = makerOfBase(cls, name);
  if (maker !== undefined) return maker;
  if (self !== undefined) return undefined;
  if (name in constructors) return constructorOf(cls, constructors[name]!);
  const inherited = descriptorOf(cls.prototype, k);
  if (inherited === undefined) return name.startsWith('__') ? inheritedOfType(cls, name) : undefined;
  if (inherited.get !== undefined) return propertyOfClass(cls.prototype, name, inherited);
  return typeof inherited.value === 'function' ? unbound(inherited.value) : (inherited.value ?? null);
}

/** `C.fromkeys`, `C.from_bytes`, `C.fromhex` of a class that derives from a built-in type: makes instances of the class. */
export function makerOfBase(cls: any, name: string): unknown {
  const base = mroOf(cls).find((one: any) => isTypeObject(one) && Object.hasOwn(typeInfo(one)?.statics ?? {}, name));
  if (base === undefined || name.startsWith('__')) return undefined;
  const make: any = typeInfo(base)!.statics![name];
  if (name === 'maketrans') return make;
  const made: any = (...slots: unknown[]) =>
    name === 'fromkeys' ? withItems(call(cls), make(...slots)) : call(cls, make(...slots));
  made[$spec] = make[$spec];
  made[$about] = make[$about];
  return made;
}

function withItems(made: any, items: Dict): unknown {
  for (const [k, value] of items.entries())
    if (typeof made.__setitem__ === 'function') made.__setitem__(k, value);
    else made.set(k, value);
  return made;
}

// `Base.__setattr__(self, …)`, `Base.__repr__(self)` of a class that leaves it to the built-in type above it, at last to `object`.
function inheritedOfType(cls: any, name: string): unknown {
  const type = mroOf(cls).find(isTypeObject) ?? namedType('object');
  return typeAttribute(type, name) ?? typeAttribute(namedType('object'), name);
}

/** Python's names of the methods that the language knows by short names. */
export const constructors: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  __init__: 'init',
  __post_init__: 'postinit',
});

// `Base.__init__(self, …)` of a class without one of its own does what its generated constructor does.
function constructorOf(cls: any, name: string): any {
  const found = cls.prototype?.[name];
  if (typeof found === 'function') return unbound(found);
  const meta = metaOf(cls);
  if (name !== 'init' || meta === undefined) return undefined;
  return native('__init__', 'self, /, *args, **kwargs', (self: any, args: readonly unknown[] = [], kwargs?: Dict) => {
    const slots = bindArguments(meta.initName, meta.params, args, kwargs as Kwargs, 1);
    for (const [i, field] of meta.constructorFields.entries())
      self[field.property] = slots[i] === undefined ? (field.default?.() ?? null) : slots[i];
    return null;
  });
}

// A static member of a program class keeps its receiver: `class def` methods read `this` as the class.
function bindStatic(cls: any, k: string, value: any): any {
  const described = descriptorOf(cls, k);
  return described?.value === value && value[$bound] === undefined && isMethodLike(value)
    ? staticMethod(cls, value)
    : value;
}

function isMethodLike(value: any): boolean {
  return value.prototype === undefined && !value[$builtin];
}

const bindings = new WeakMap<object, WeakMap<object, any>>();

/** A function of a class, with `cls` as its receiver. */
export function staticMethod(cls: any, fn: any): any {
  let known = bindings.get(cls);
  if (known === undefined) {
    known = new WeakMap();
    bindings.set(cls, known);
  }
  let bound = known.get(fn);
  if (bound === undefined) {
    bound = (...args: unknown[]) => fn.apply(cls, args);
    bound[$spec] = fn[$spec];
    if (fn[$about] !== undefined) bound[$about] = fn[$about];
    if (specOf(fn)?.ofClass === true) bound[$bound] = { self: cls, fn };
    runByClass.set(bound, fn);
    known.set(fn, bound);
  }
  return bound;
}

// Own or inherited static, but nothing that every JavaScript function has.
function staticMember(cls: any, k: string): PropertyDescriptor | undefined {
  for (
    let at = cls;
    typeof at === 'function' && at !== Function.prototype && at !== Error;
    at = Object.getPrototypeOf(at)
  ) {
    const found = Object.getOwnPropertyDescriptor(at, k);
    if (found === undefined) continue;
    if (k === 'prototype' || ((k === 'name' || k === 'length') && !found.enumerable)) continue;
    return k.charCodeAt(0) === 36 ? undefined : found;
  }
  return undefined;
}

/** Attributes of the class and of those above it, for `dir`. */
export function* staticNames(cls: any): Generator<string> {
  for (
    let at = cls;
    typeof at === 'function' && at !== Function.prototype && at !== Error;
    at = Object.getPrototypeOf(at)
  )
    for (const k of Object.getOwnPropertyNames(at)) if (staticMember(at, k) !== undefined) yield attributeName(k);
}

/**
 * Makes a value that a class keeps under the name of an inherited method or property visible to its instances, until
 * they are given one of their own. `order`: for a class that stands for several bases, they and what is above them.
 */
export function hideInherited(cls: any, order: readonly any[] = [cls]): void {
  for (const [i, holder] of order.entries())
    for (const k of Object.getOwnPropertyNames(holder)) {
      if (Object.hasOwn(cls.prototype, k) && cls === holder) continue;
      if (staticMember(holder, k) === undefined || !isMethodOrProperty(cls.prototype, k)) continue;
      if (
        order
          .slice(0, i + 1)
          .some((one) => one !== cls && one.prototype !== undefined && Object.hasOwn(one.prototype, k))
      )
        continue;
      hide(cls.prototype, k);
    }
}

function hide(prototype: any, k: string): void {
  const name = attributeName(k);
  readFromClass(prototype, k, (self) => classAttribute(self.constructor, name, self));
}

// Written in a program: not the accessors of fields, nor those that read what the class keeps.
function isMethodOrProperty(prototype: any, k: string): boolean {
  const owner = ownerOf(prototype, k);
  const found = owner === undefined ? undefined : Object.getOwnPropertyDescriptor(owner, k);
  if (found === undefined) return false;
  if (typeof found.value === 'function') return found.value[$spec] !== undefined && found.value[$builtin] !== true;
  if (found.get === undefined || found.enumerable === true || readsClass(found.get)) return false;
  return mroOf(owner.constructor).some((cls: any) => metaOf(cls) !== undefined && Object.hasOwn(cls.prototype, k));
}

function ownerOf(o: any, k: string): any {
  for (let at = o; at !== null && at !== undefined && at !== Error.prototype; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, k)) return at;
  return undefined;
}

function descriptorOf(o: any, k: string): PropertyDescriptor | undefined {
  const owner = ownerOf(o, k);
  return owner === undefined ? undefined : Object.getOwnPropertyDescriptor(owner, k);
}

function classSpecial(cls: any, name: string): any {
  const about = Object.hasOwn(cls, $about) ? cls[$about] : undefined;
  switch (name) {
    case '__name__':
      return className(cls);
    case '__qualname__':
      return about?.qualname ?? className(cls);
    case '__module__':
      return shownModule(about) ?? 'builtins';
    case '__doc__':
      return about?.doc ?? null;
    case '__class__':
      return namedType('type');
    case '__mro__':
      return new Tuple(mroOf(cls).filter(isShown));
    case 'mro':
      return () => mroOf(cls).filter(isShown);
    case '__bases__':
      return new Tuple(shownBases(directBases(cls)));
    case '__base__':
      return shownBases(directBases(cls))[0] ?? null;
    case '__subclasses__':
      return () => [...liveClasses.all()].filter((one) => directBases(one).includes(cls));
    case '__match_args__':
      return cls[$matchArgs] === undefined ? undefined : new Tuple(cls[$matchArgs]);
    case '__annotations__':
      return annotationsOf(cls);
    case '__dict__':
      return classDict(cls);
    default:
      return undefined;
  }
}

const directBases = (cls: any): readonly unknown[] => cls[$about]?.bases ?? mroOf(cls).slice(1, 2);

function shownBases(bases: readonly unknown[]): unknown[] {
  const shown = bases.filter(isShown);
  return shown.length === 0 && bases.length > 0 ? [namedType('object')] : shown;
}

// The runtime's own layers between a class of the program and `object` are not part of the language.
function isShown(cls: any): boolean {
  return (
    cls !== Error &&
    cls?.[$about]?.module !== '' &&
    !(Object.hasOwn(cls.prototype ?? {}, 'constructor') && cls.name === 'Archetype')
  );
}

function classDict(cls: any): Dict {
  const members = new Dict();
  for (const k of Object.getOwnPropertyNames(cls)) {
    if (staticMember(cls, k) !== undefined) members.set(k, cls[k]);
  }
  for (const k of Object.getOwnPropertyNames(cls.prototype ?? {})) {
    if (k === 'constructor' || k.charCodeAt(0) === 36) continue;
    const described = Object.getOwnPropertyDescriptor(cls.prototype, k)!;
    // An accessor that only hides something inherited gives the value of the class.
    if (described.get !== undefined && members.has(k)) continue;
    members.set(k, described.value ?? described.get);
  }
  return members;
}

const unboundMethods = new WeakMap<object, any>();

// `C.m(self, x)`: the method as a function of its receiver.
export function unbound(fn: any): any {
  if (fn[$plain] !== undefined) return fn[$plain];
  let made = unboundMethods.get(fn);
  if (made === undefined) {
    made = (self: unknown, ...args: unknown[]) => fn.apply(self, args);
    made[$method] = fn;
    if (fn[$target] !== undefined) made[$target] = fn[$target];
    const signature = signatureOf(fn);
    if (signature !== undefined) {
      const own = fn[$spec];
      made[$spec] = () => {
        const spec = typeof own === 'function' ? own() : own;
        const self = { name: 'self', kind: 'any', type: { t: 'any' } };
        return { ...spec, params: [spec.bare ? { ...self, default: () => undefined } : self, ...spec.params] };
      };
      if (fn[$about] !== undefined) made[$about] = fn[$about];
    }
    unboundMethods.set(fn, made);
  }
  return made;
}

function typeAttribute(cls: any, name: string): any {
  const info = typeInfo(cls)!;
  if (info.statics !== undefined && Object.hasOwn(info.statics, name)) return info.statics[name];
  if (info.methods !== undefined && Object.hasOwn(info.methods, name))
    return unboundNative(info.methods[name]!, cls, info);
  const inner = info.cls === undefined ? undefined : staticMember(info.cls, key(name));
  if (inner !== undefined) return info.cls[key(name)];
  if (name === '__init__') return typeInit();
  if (name === '__new__') return newOfType;
  const special = specialOfType(info.name, name);
  if (special !== undefined) return unboundNative(special, cls, info);
  if (name === '__name__' || name === '__qualname__') return info.name;
  if (name === '__module__') return 'builtins';
  if (name === '__doc__') return cls[$about]?.doc ?? null;
  return name === '__class__' || name === '__mro__' || name === '__bases__' || name === 'mro'
    ? classSpecial(cls, name)
    : undefined;
}

// `tuple.__new__(cls, items)` in a class that inherits from the type.
const newOfType = native(
  '__new__',
  'cls, /, *args, **kwargs',
  (cls: any, args: readonly unknown[] = [], kwargs?: Dict) =>
    newOfBase(metaOf(cls)?.derived, args, kwargs as Kwargs) ?? callkw(cls, args, kwargs as Kwargs),
);

// `list.__init__(self, items)`: what `super().__init__(items)` does in a class that inherits from the type.
let initOfType: unknown;
function typeInit(): unknown {
  initOfType ??= native(
    '__init__',
    'self, /, *args, **kwargs',
    (self: any, args: readonly unknown[] = [], kwargs?: Dict) => {
      for (let at = self; at !== null && typeof at === 'object'; at = Object.getPrototypeOf(at)) {
        const own = Object.getOwnPropertyDescriptor(at, 'init')?.value;
        if (own?.[$superInit] !== undefined) {
          own[$superInit](self, args, kwargs);
          break;
        }
      }
      return null;
    },
  );
  return initOfType;
}

const unboundNatives = new WeakMap<TypeInfo, Map<unknown, any>>();

// Runtime methods already take the receiver first. A class of the program that inherits from the type may have methods of the same names.
function unboundNative(method: any, cls: any, info: TypeInfo): any {
  let ofType = unboundNatives.get(info);
  if (ofType === undefined) unboundNatives.set(info, (ofType = new Map()));
  let made = ofType.get(method);
  if (made === undefined) {
    const short = plainName(method);
    made = (self: any, ...args: unknown[]) => {
      if (!isReceiver(self, info)) throw wrongReceiver(self, short, info.name);
      return typeof self === 'object' && self.constructor !== info.cls
        ? onBare(self, cls, info, (bare) => method(bare, ...args))
        : method(self, ...args);
    };
    made[$descriptor] = info.name;
    const own = method[$spec];
    made[$builtin] = true;
    made[$spec] = () => {
      const spec = own();
      return { ...spec, params: [{ name: 'self', kind: 'pos', type: { t: 'any' } }, ...spec.params] };
    };
    ofType.set(method, made);
  }
  return made;
}

function isReceiver(self: any, info: TypeInfo): boolean {
  return info.check(self) || self?.[$primitive] !== undefined;
}

function wrongReceiver(self: unknown, name: string, type: string): TypeError {
  return new TypeError(
    name.startsWith('__')
      ? `descriptor '${name}' requires a '${type}' object but received a '${typeName(self)}'`
      : `descriptor '${name}' for '${type}' objects doesn't apply to a '${typeName(self)}' object`,
  );
}

const hiddenFunctionNames = new Set(['name', 'length', 'arguments', 'caller', 'prototype', 'call', 'apply', 'bind']);
const attributesOf = new WeakMap<object, Map<string, unknown>>();

/** Lists the attributes that a program has set on a function, besides those that every function has. */
export function attributesOfFunction(f: object): readonly [string, unknown][] {
  return [...(attributesOf.get(f) ?? [])].filter(([name]) => !ofEveryFunction.has(name));
}

const ofEveryFunction: ReadonlySet<string> = new Set(['__name__', '__qualname__', '__doc__', '__module__']);

/** `f.name` of a function or bound method. */
export function functionAttribute(f: any, name: string): any {
  // An attribute set on `C.method` is one of the method of the instances as well.
  const own = (attributesOf.get(f) ?? attributesOf.get(f[$plain] ?? unboundMethods.get(f)))?.get(name);
  if (own !== undefined) return own;
  const bound = f[$bound];
  switch (name) {
    case '__name__':
      return plainName(f);
    case '__qualname__':
      return qualifiedName(f);
    case '__doc__':
      return f[$about]?.doc ?? specOf(f)?.doc ?? bound?.fn?.[$about]?.doc ?? null;
    case '__module__':
      return f[$about]?.module ?? shownModule(specOf(f)) ?? null;
    case '__annotations__':
      return annotationsOf(f);
    case '__self__':
      return bound?.self;
    case '__func__':
      return bound && (bound.fn[$builtin] === true ? bound.fn : unbound(bound.fn));
    case '__class__':
      return namedType(typeName(f));
    case '__dict__':
      return dictOfFunction(f, bound?.fn ?? f[$target]);
    case '__call__':
      return f;
  }
  if (bound !== undefined) return functionAttribute(bound.fn, name);
  if (f[$target] !== undefined) return lookup(f[$target], name);
  const k = key(name);
  if (hiddenFunctionNames.has(k) || !(k in f)) return undefined;
  const value = f[k];
  return typeof value === 'function' && !Object.hasOwn(f, k) ? bindMethod(f, value) : (value ?? null);
}

// A method has the attributes of the function it runs.
function dictOfFunction(f: any, runs: any): unknown {
  return typeof runs === 'function'
    ? functionAttribute(runs, '__dict__')
    : instanceDict(f[$plain] ?? unboundMethods.get(f) ?? f);
}

function qualifiedName(f: any): string {
  const spec = typeof f[$spec] === 'function' ? f[$spec]() : f[$spec];
  return spec?.qualname ?? plainName(f);
}

function specOf(f: any): About | undefined {
  return typeof f[$spec] === 'function' ? f[$spec]() : f[$spec];
}

export function setOnFunction(f: any, name: string, value: unknown): void {
  if (isTypeObject(f)) throw new TypeError(`cannot set '${name}' attribute of immutable type '${className(f)}'`);
  const k = key(name);
  const described = staticMember(f, k);
  if (isMemberOfEnum(f, described)) throw new AttributeError(`cannot reassign member '${name}'`);
  if (described?.set !== undefined) {
    f[k] = value;
    return;
  }
  if (described !== undefined || isClass(f)) {
    if (isClass(f) && rename(f, name, value)) return;
    if (constructors[name] === 'init' && metaOf(f) !== undefined && becomeMember(f, 'init', value)) {
      constructByName(f);
      return;
    }
    if (!isClass(f) || !becomeMember(f, k, value)) {
      Object.defineProperty(f, k, { value, writable: true, enumerable: true, configurable: true });
      // Instances have found a method or property there so far.
      if (isMethodOrProperty(f.prototype, k))
        Object.defineProperty(f.prototype, k, { value, writable: true, enumerable: false, configurable: true });
    }
    return;
  }
  let own = attributesOf.get(f);
  if (own === undefined) {
    own = new Map();
    attributesOf.set(f, own);
  }
  own.set(name, value ?? null);
}

/** `C.__name__ = 'D'`: of this class alone. */
function rename(cls: any, name: string, value: unknown): boolean {
  const isName = name === '__name__';
  if (!isName && name !== '__qualname__') return false;
  Object.defineProperty(isName ? cls.prototype : cls, isName ? $typeName : $about, {
    value: isName ? value : { ...cls[$about], qualname: value },
    writable: true,
    configurable: true,
  });
  return true;
}

function isMemberOfEnum(cls: any, found: PropertyDescriptor | undefined): boolean {
  return cls[$enumClass] === true && found?.value instanceof cls;
}

export function deleteOnFunction(f: any, name: string): void {
  if (attributesOf.get(f)?.delete(name)) return;
  const k = key(name);
  const described = staticMember(f, k);
  const isOwn = described !== undefined && Object.hasOwn(f, k);
  const isMember = isClass(f) && metaOf(f) !== undefined && Object.hasOwn(f.prototype, k);
  if (!isOwn && !(isMember && isMethodOrProperty(f.prototype, k))) throw missing(f, name);
  if (isMemberOfEnum(f, described)) throw new AttributeError(`'${className(f)}' cannot delete member '${name}'.`);
  if (isOwn && !Reflect.deleteProperty(f, k)) throw new AttributeError(`cannot delete '${name}'`);
  // Instances have found it there.
  if (isMember) Reflect.deleteProperty(f.prototype, k);
}

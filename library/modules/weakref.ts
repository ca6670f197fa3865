/**
 * Module `weakref`: references that do not keep their object. Objects go when JavaScript collects them, at no set time; nothing happens the
 * moment the last name is deleted (docs/language/standard-modules.md#differences).
 */

import { promising } from '../builtins/class-base.ts';
import { call, callkw } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { dictUpdate } from '../values/containers/dict-update.ts';
import { iter, PyIterator } from '../values/containers/iteration.ts';
import { Tuple, tuple } from '../values/containers/tuple.ts';
import { getattr, setattr } from '../values/objects/attributes.ts';
import { same } from '../values/objects/equality.ts';
import { KeyError, ReferenceError, TypeError } from '../values/objects/exceptions.ts';
import { hashNumber, hashOf } from '../values/objects/hashing.ts';
import { $bound, $hash } from '../values/objects/protocol.ts';
import { reprOf } from '../values/objects/repr.ts';
import { NotImplemented } from '../values/objects/singletons.ts';
import { isTypeObject, typeName } from '../values/objects/type-name.ts';
import './typing/form-mixins.ts';
import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { runUnwatched } from '../builtins/strays.ts';

/** Called with the reference when its object has gone. */
const gone = new FinalizationRegistry<WeakRef<{ $onGone(): void }>>((watcher) => watcher.deref()?.$onGone());

function requireObject(x: any): object {
  const isObject = (typeof x === 'object' && x !== null) || typeof x === 'function';
  if (
    !isObject ||
    Array.isArray(x) ||
    isTypeObject(x) ||
    Object.getPrototypeOf(x) === Dict.prototype ||
    x instanceof Tuple
  )
    throw new TypeError(`cannot create weak reference to '${typeName(x)}' object`);
  return x;
}

class Ref {
  readonly $target: WeakRef<object>;
  readonly $hashed: string | undefined;
  readonly __callback__: unknown;

  constructor(target: object, callback: unknown = null) {
    this.$target = new WeakRef(target);
    this.$hashed = hashable(target);
    this.__callback__ = callback;
    if (callback !== null) gone.register(target, new WeakRef(this));
  }

  $onGone(): void {
    runUnwatched(
      () => `Exception ignored in: ${reprOf(this.__callback__)}`,
      () => call(this.__callback__, this),
    );
  }

  __call__(): unknown {
    return this.$target.deref() ?? null;
  }

  __eq__(other: unknown): unknown {
    if (!(other instanceof Ref)) return NotImplemented;
    const [a, b] = [this.$target.deref(), other.$target.deref()];
    return a === undefined || b === undefined ? this === other : same(a, b);
  }

  [$hash](): string {
    return this.$hashed ?? hashOf(this.$target.deref());
  }

  __hash__(): number {
    return hashNumber(this.__call__());
  }
}
nativeClass(Ref, {
  name: 'ReferenceType',
  module: 'weakref',
  params: 'o, callback=None, /',
  make: (cls, target, callback) => new cls(requireObject(target), callback),
  methods: { __call__: '' },
});

// Objects that cannot be keys may be referred to all the same.
function hashable(x: object): string | undefined {
  try {
    return hashOf(x);
  } catch (e) {
    if (e instanceof TypeError) return undefined;
    throw e;
  }
}

/** A reference to a method lives as long as the object of the method. */
class MethodRef {
  readonly $self: WeakRef<object>;
  readonly $name: string;

  constructor(method: any) {
    const bound = method?.[$bound];
    if (bound === undefined)
      throw new TypeError(`argument should be a bound method, not <class '${typeName(method)}'>`);
    this.$self = new WeakRef(bound.self);
    this.$name = getattr(method, '__name__');
  }

  __call__(): unknown {
    const self = this.$self.deref();
    return self === undefined ? null : getattr(self, this.$name);
  }

  __eq__(other: unknown): unknown {
    return other instanceof MethodRef
      ? this.$name === other.$name && this.$self.deref() === other.$self.deref()
      : NotImplemented;
  }

  __hash__(): number {
    return hashNumber(this.__call__());
  }
}
nativeClass(MethodRef, {
  name: 'WeakMethod',
  module: 'weakref',
  params: 'meth, callback=None',
  make: (cls, method) => new cls(method),
});

// ---------------------------------------------------------------- containers

const MutableMapping = promising('MutableMapping');

function fill(made: any, source: unknown, kwargs: Dict | undefined): any {
  const items = new Dict();
  if (source !== undefined && source !== null) dictUpdate(items, source);
  if (kwargs !== undefined) dictUpdate(items, kwargs);
  for (const [key, value] of items.entries()) made.__setitem__(key, value);
  return made;
}

class WeakValueDictionary extends MutableMapping {
  readonly $refs = new Dict();

  __getitem__(key: unknown): unknown {
    const value = (this.$refs.get(key) as Ref | undefined)?.$target.deref();
    if (value === undefined) throw new KeyError(key);
    return value;
  }

  __setitem__(key: unknown, value: unknown): void {
    const refs = this.$refs;
    const ref: Ref = new Ref(requireObject(value), () => {
      if (refs.get(key) === ref) refs.delete(key);
    });
    refs.set(key, ref);
  }

  __delitem__(key: unknown): void {
    if (!this.$refs.delete(key)) throw new KeyError(key);
  }

  __iter__(): PyIterator {
    const alive = [...this.$refs.entries()].filter(([, ref]) => (ref as Ref).$target.deref() !== undefined);
    return new PyIterator(alive.map(([key]) => key)[Symbol.iterator](), 'generator');
  }

  __len__(): number {
    return [...(this.__iter__() as Iterable<unknown>)].length;
  }

  copy(): WeakValueDictionary {
    return fill(new WeakValueDictionary(), this, undefined);
  }

  valuerefs(): unknown[] {
    return [...this.$refs.entries()].map(([, ref]) => ref);
  }
}
nativeClass(WeakValueDictionary, {
  name: 'WeakValueDictionary',
  module: 'weakref',
  params: 'other=None, /, **kw',
  make: (cls, other, kwargs) => fill(new cls(), other, kwargs),
});

/** Objects by references to them: what is in a `WeakKeyDictionary` and a `WeakSet`. */
function addKey(refs: Dict, key: unknown, value: unknown): void {
  const known = new Ref(requireObject(key));
  const ref = refs.has(known) ? known : new Ref(key as object, (dead: Ref) => refs.delete(dead));
  refs.set(ref, value);
}

const keyOf = (key: unknown): Ref | undefined => {
  try {
    return new Ref(requireObject(key));
  } catch {
    return undefined;
  }
};

function* aliveKeys(refs: Dict): Generator<unknown, undefined> {
  for (const [ref] of [...refs.entries()]) {
    const key = (ref as Ref).$target.deref();
    if (key !== undefined) yield key;
  }
  return undefined;
}

class WeakKeyDictionary extends MutableMapping {
  readonly $refs = new Dict();

  __getitem__(key: unknown): unknown {
    const value = this.$refs.get(new Ref(requireObject(key)));
    if (value === undefined) throw new KeyError(key);
    return value;
  }

  __setitem__(key: unknown, value: unknown): void {
    addKey(this.$refs, key, value);
  }

  __delitem__(key: unknown): void {
    if (!this.$refs.delete(new Ref(requireObject(key)))) throw new KeyError(key);
  }

  __contains__(key: unknown): boolean {
    const ref = keyOf(key);
    return ref !== undefined && this.$refs.has(ref);
  }

  __iter__(): PyIterator {
    return new PyIterator(aliveKeys(this.$refs), 'generator');
  }

  __len__(): number {
    return [...aliveKeys(this.$refs)].length;
  }

  copy(): WeakKeyDictionary {
    return fill(new WeakKeyDictionary(), this, undefined);
  }

  keyrefs(): unknown[] {
    return [...this.$refs.entries()].map(([ref]) => ref);
  }
}
nativeClass(WeakKeyDictionary, {
  name: 'WeakKeyDictionary',
  module: 'weakref',
  params: 'dict=None',
  make: (cls, other) => fill(new cls(), other, undefined),
});

class WeakSet extends promising('MutableSet') {
  readonly $refs = new Dict();

  constructor(items?: unknown) {
    super();
    if (items !== undefined && items !== null) this.update(items);
  }

  __contains__(item: unknown): boolean {
    const ref = keyOf(item);
    return ref !== undefined && this.$refs.has(ref);
  }

  __iter__(): PyIterator {
    return new PyIterator(aliveKeys(this.$refs), 'generator');
  }

  __len__(): number {
    return [...aliveKeys(this.$refs)].length;
  }

  add(item: unknown): void {
    addKey(this.$refs, item, true);
  }

  discard(item: unknown): void {
    const ref = keyOf(item);
    if (ref !== undefined) this.$refs.delete(ref);
  }

  update(items: unknown): void {
    for (const item of iter(items)) this.add(item);
  }

  copy(): WeakSet {
    return new WeakSet(this);
  }
}
nativeClass(WeakSet, {
  name: 'WeakSet',
  module: 'weakref',
  params: 'data=None',
  methods: { add: 'item', discard: 'item', update: 'other' },
});

// ---------------------------------------------------------------- proxies and what is done in the end

function proxy(x: unknown): unknown {
  const target = requireObject(x);
  const ref = new WeakRef(target);
  const alive = (): any => {
    const found = ref.deref();
    if (found === undefined) throw new ReferenceError('weakly-referenced object no longer exists');
    return found;
  };
  return new Proxy(Object.create(Object.getPrototypeOf(target)), {
    get: (_shell, name) => alive()[name],
    set(_shell, name, value) {
      typeof name === 'string' ? setattr(alive(), name, value) : Reflect.set(alive(), name, value);
      return true;
    },
    has: (_shell, name) => name in alive(),
    deleteProperty: (_shell, name) => Reflect.deleteProperty(alive(), name),
    getPrototypeOf: () => Object.getPrototypeOf(alive()),
    ownKeys: () => Reflect.ownKeys(alive()),
    getOwnPropertyDescriptor(_shell, name) {
      const found = Reflect.getOwnPropertyDescriptor(alive(), name);
      return found === undefined ? undefined : { ...found, configurable: true };
    },
  });
}

/** Calls a function once: when it is called itself, or when the object has gone. */
class Finalize {
  $work: [WeakRef<object>, unknown, readonly unknown[], Dict | undefined] | undefined;
  atexit = true;

  constructor(target: object, fn: unknown, args: readonly unknown[] = [], kwargs?: Dict) {
    this.$work = [new WeakRef(target), fn, args, kwargs];
    waiting.add(this);
    gone.register(target, new WeakRef(this));
  }

  get alive(): boolean {
    return this.$work !== undefined;
  }

  $onGone(): void {
    runUnwatched(
      () => 'Exception ignored in: weakref.finalize',
      () => this.__call__(),
    );
  }

  __call__(): unknown {
    const work = this.$take();
    return work === undefined ? null : callkw(work[1], work[2], work[3]);
  }

  detach(): Tuple | null {
    return described(this.$take());
  }

  peek(): Tuple | null {
    return described(this.$work);
  }

  $take(): Finalize['$work'] {
    const work = this.$work;
    this.$work = undefined;
    waiting.delete(this);
    return work;
  }
}
nativeClass(Finalize, {
  name: 'finalize',
  module: 'weakref',
  params: 'obj, func, /, *args, **kwargs',
  make: (cls, target, fn, args, kwargs) => new cls(requireObject(target), fn, args, kwargs),
  methods: { __call__: '' },
});

// They are kept until their object has gone, whether the program keeps them or not.
const waiting = new Set<Finalize>();

function described(work: Finalize['$work']): Tuple | null {
  const target = work?.[0].deref();
  return work === undefined || target === undefined
    ? null
    : tuple(target, work[1], new Tuple([...work[2]]), work[3] ?? new Dict());
}

export function makeWeakref(): Members {
  return {
    ReferenceType: Ref,
    WeakKeyDictionary,
    WeakMethod: MethodRef,
    WeakSet,
    WeakValueDictionary,
    finalize: Finalize,
    ref: Ref,
    ...functions('weakref', { proxy: ['object, callback=None, /', proxy] }),
  };
}

/**
 * Attributes that an object of a program class manages, as in Python: `x = Positive("x");` in a class, where `Positive` has `__get__`, `__set__`
 * or `__delete__`.
 */
import { Dict } from '../containers/dict.ts';
import { AttributeError } from './exceptions.ts';
import { attributeName } from './protocol.ts';
import { typeName } from './type-name.ts';

interface Manager {
  __get__?(owner: unknown, cls: unknown): unknown;
  __set__?(owner: unknown, value: unknown): void;
  __delete__?(owner: unknown): void;
}

export function isManager(value: any): value is Manager {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Dict) &&
    (typeof value.__get__ === 'function' || typeof value.__set__ === 'function')
  );
}

/** Makes `manager` answer for attribute `k` of the class and of its instances. */
export function manage(cls: any, k: string, manager: Manager): void {
  managers.set(cls, (managers.get(cls) ?? new Map()).set(k, manager));
  const name = attributeName(k);
  const managesWrites = typeof manager.__set__ === 'function' || typeof manager.__delete__ === 'function';
  const read = (owner: any, of: unknown): unknown => {
    if (typeof manager.__get__ === 'function') return manager.__get__(owner, of) ?? null;
    if (owner === null) return manager;
    const kept = keptBy(owner)?.get(k);
    if (kept === undefined) throw new AttributeError(`'${typeName(owner)}' object has no attribute '${name}'`);
    return kept;
  };
  Object.defineProperty(cls.prototype, k, {
    configurable: true,
    enumerable: false,
    get(this: any) {
      return read(this, this.constructor);
    },
    set(this: any, value: unknown) {
      if (!managesWrites)
        Object.defineProperty(this, k, { value, writable: true, enumerable: true, configurable: true });
      else if (typeof manager.__set__ === 'function') manager.__set__(this, value);
      else throw new AttributeError('__set__');
    },
  });
  if (managesWrites) managed.set(cls.prototype, (managed.get(cls.prototype) ?? new Set()).add(k));
  if (typeof manager.__delete__ === 'function')
    Object.defineProperty(cls.prototype, `$del$${name}`, {
      configurable: true,
      value(this: unknown) {
        manager.__delete__!(this);
      },
    });
  Object.defineProperty(cls, k, {
    configurable: true,
    enumerable: true,
    get(this: unknown) {
      return read(null, this);
    },
    set(this: any, value: unknown) {
      delete cls.prototype[k];
      Object.defineProperty(this, k, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}

const managers = new WeakMap<object, Map<string, Manager>>();

/** Gives the object that manages an attribute of this very class; undefined: none. */
export function managerOf(cls: object, k: string): unknown {
  return managers.get(cls)?.get(k);
}

const managed = new WeakMap<object, Set<string>>();
const kept = new WeakMap<object, Map<string, unknown>>();

/**
 * Tells whether `k` of this object is managed when it is written. Then what is put into `__dict__` under that name lies
 * beside it.
 */
export function isManaged(owner: object, k: string): boolean {
  for (let at = Object.getPrototypeOf(owner); at !== null; at = Object.getPrototypeOf(at))
    if (managed.get(at)?.has(k) === true) return true;
  return false;
}

/** Gives the values that were put into `__dict__` under names of managed attributes. */
export function keptBy(owner: object): ReadonlyMap<string, unknown> | undefined {
  return kept.get(owner);
}

export function keep(owner: object, k: string, value: unknown): void {
  let own = kept.get(owner);
  if (own === undefined) {
    own = new Map();
    kept.set(owner, own);
  }
  if (value === undefined) own.delete(k);
  else own.set(k, value);
}

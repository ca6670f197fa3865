/** Facts about a class of the program that the runtime works out when the class is registered. */
import type { Kwargs } from '../values/kwargs.ts';
import type { AbilitySpec, ArchetypeKind, ArchetypeSpec, FieldSpec, ParamSpec } from './spec.ts';

export type ArchetypeClass = (abstract new (...args: any[]) => any) & { $new(...args: any[]): any; prototype: any };

export interface Field extends FieldSpec {
  /** JavaScript property a program reads and writes. */
  readonly property: string;
  /** Own property that holds the value: `property`, or a hidden one behind an accessor on nodes and edges. */
  readonly slot: string;
  /** Bit of the instance's word of this name: the value may be a container or a reference and is decoded when first read. 0: plain value. */
  readonly bit: number;
  /** `$h`, past 32 such fields `$h1` and so on. */
  readonly word: string;
  /** Never bound from requests, never serialized (docs/server/programs.md#access). */
  readonly isPublic: boolean;
  /** Class that declared it, for messages. */
  readonly owner: string;
}

/** An ability with its place in the execution order decided (bases first, overridden in place). */
export interface Ability extends AbilitySpec {
  /** Resolved trigger classes; undefined before first use and for untyped abilities. */
  classes?: readonly unknown[];
}

export interface ClassMeta {
  readonly cls: ArchetypeClass;
  readonly spec: ArchetypeSpec;
  readonly kind: ArchetypeKind;
  readonly name: string;
  /** Name of its constructor in complaints about the arguments: `C.__init__`. */
  readonly initName: string;
  readonly module: string;
  /** C3 order, the class itself first, runtime base classes included. */
  readonly mro: readonly ArchetypeClass[];
  readonly mroSet: ReadonlySet<unknown>;
  /** Instance fields in constructor order, bases first. */
  readonly fields: readonly Field[];
  /** The same with those that are only handed to `postinit`. */
  readonly declared: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  /** Parameters of the generated constructor; of `init` when the class defines it. */
  readonly params: readonly ParamSpec[];
  /** Fields of the generated constructor in order; empty when there is `init`. */
  readonly constructorFields: readonly Field[];
  readonly abilities: readonly Ability[];
  readonly isAsync: boolean;
  readonly isException: boolean;
  /** Dense number of the class, index of dispatch tables; also on the prototype as `$cid`. */
  readonly cid: number;
  /** Set for classes that inherit from a built-in type or a class of a standard module: what calling the class does. */
  readonly derived?: Maker | undefined;
  /** An instance without values, for objects that come from a store. */
  readonly blank: () => any;
  /** Fills the fields of a blank instance from a decoded row; containers stay closed. */
  readonly load: (instance: any, row: any, session: any) => void;
  /** Calls `__svc_access__` when the class defines it. */
  readonly hasAccessHook: boolean;
  readonly hasPrivateFields: boolean;
  /** Words of the fields that may hold containers or references; [] where none may. */
  readonly words: readonly string[];
  /** Abstract methods nobody implements; such a class cannot be instantiated. */
  readonly missing: readonly string[];
}

/** Layout of a class of the program that derives from a built-in type or a class of a standard module. */
export interface DerivedLayout {
  readonly cls: any;
  readonly kind: string;
  readonly name: string;
  readonly initName: string;
  readonly fields: readonly Field[];
  /** Parameters of the program's `init`; else of the constructor fields. */
  readonly params: readonly ParamSpec[];
  readonly constructorFields: readonly Field[];
  /** Does the program define `init`, in this class or above? */
  readonly hasInit: boolean;
}

/** An instance, or a promise of it when `init` waits. */
export interface Maker {
  make(args: readonly unknown[], kwargs?: Kwargs): any;
  /** One value per parameter, `undefined` where none was given. */
  fromSlots(slots: readonly unknown[]): any;
  /** Makes an instance whose `init` has not run, as `__new__` of the base does. Absent: `make` does. */
  blank?(args: readonly unknown[], kwargs?: Kwargs): any;
}

const metas = new WeakMap<object, ClassMeta>();

/** The record of a registered class; undefined for other values. A subclass that was never registered has none of its own. */
export function metaOf(cls: unknown): ClassMeta | undefined {
  return typeof cls === 'function' ? metas.get(cls) : undefined;
}

export function requireMeta(cls: unknown): ClassMeta {
  const meta = metaOf(cls);
  if (meta === undefined) throw new Error(`not a registered archetype: ${String(cls)}`);
  return meta;
}

export function setMeta(cls: object, meta: ClassMeta): void {
  metas.set(cls, meta);
}

/** Name of a type in stored data: `module.Name`, or the bare name of a class of the runtime. */
export function typeKey(meta: { readonly module: string; readonly name: string }): string {
  return meta.module === '' ? meta.name : `${meta.module}.${meta.name}`;
}

/** The record of an instance's class. */
export function metaOfInstance(x: unknown): ClassMeta | undefined {
  return x !== null && typeof x === 'object' ? (x as any).$meta : undefined;
}

/** `class Task extends has(Node, { title: str() })`: a class with fields, written in TypeScript. */
import { Obj as ObjBase } from '../../library/classes/classes.ts';
import { type ClassMeta, metaOf } from '../../library/classes/meta.ts';
import { standIn } from '../../library/classes/mro.ts';
import type { FieldSpec } from '../../library/classes/spec.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import * as base from '../graph/objects.ts';
import { disengage, report, visit } from '../walkers/statements.ts';
import { type Convert, converterOf } from './convert.ts';
import { typeOf } from './fields.ts';
import { hold } from './pending.ts';
import type * as types from './types.ts';

/** The fields a stand-in adds to its base. */
const $fields = Symbol('svc.authoring.fields');
const reserved = new Set(['report', 'reports', 'visit', 'disengage', 'constructor', 'prototype']);

/** `has(Walker<Task>, …)` reports tasks. */
export interface WalkerClass {
  new <R = unknown>(): types.Walker<R>;
  readonly [types.fieldsOf]: Record<never, never>;
}

class WalkerBase extends base.Walker {
  report(value: unknown): void {
    report(undefined, value);
  }

  visit(places: unknown, index?: number): unknown {
    if (!(places instanceof Promise)) return visit(undefined, places, index);
    return hold(places.then((found) => visit(undefined, found, index)));
  }

  disengage(): void {
    disengage();
  }
}
standIn(WalkerBase, base.Walker);

export const Obj = ObjBase as unknown as types.ArchetypeClass<types.Obj, Record<never, never>>;
export const Node = base.Node as unknown as types.ArchetypeClass<types.Node, Record<never, never>>;
export const Edge = base.Edge as unknown as types.ArchetypeClass<types.Edge, Record<never, never>>;
export const Walker = WalkerBase as unknown as WalkerClass;
export const Root = base.Root as unknown as types.AnyClass<types.Root>;
export type Obj = types.Obj;
export type Node = types.Node;
export type Edge = types.Edge;
export type Walker<R = unknown> = types.Walker<R>;
export type Root = types.Root;

type FieldsIn<B> = B extends { readonly [types.fieldsOf]: infer F } ? F : Record<never, never>;
/** A class like `B` whose instances have the fields `F` as well. */
export type Has<B extends types.AnyClass, F> = types.ArchetypeClass<
  InstanceType<B> & types.Values<F>,
  types.Merged<FieldsIn<B>, F>
> &
  Omit<B, 'prototype' | typeof types.fieldsOf>;

/**
 * A base class with these fields on top of those of `parent`. `new` takes all of them by name; a field with a default may be left out.
 * Only declared fields are stored and served. The class itself is registered by `@node`, `@edge`, `@obj` or `@walker`.
 */
export function has<B extends types.AnyClass, const F extends types.Fields>(parent: B, fields: F): Has<B, F> {
  const Base = parent as any;
  for (const name of Object.keys(fields)) {
    if (name.startsWith('$') || reserved.has(name)) throw new TypeError(`a field cannot be named '${name}'`);
  }
  // Not a class: a constructor of a class would have to make an instance, and the generated function does that.
  function Fields(values?: Readonly<Record<string, unknown>>) {
    return make(new.target, values);
  }
  Object.setPrototypeOf(Fields, Base);
  Fields.prototype = Object.create(Base.prototype, { constructor: { value: Fields, configurable: true } });
  standIn(Fields, parent);
  Object.defineProperty(Fields, $fields, { value: { ...ownFields(parent), ...fields } });
  return Fields as unknown as Has<B, F>;
}

/** The fields of `has` directly above a class, as its registration takes them. */
export function fieldSpecsOf(cls: unknown): readonly FieldSpec[] {
  return Object.entries(ownFields(Object.getPrototypeOf(cls))).map(([name, field]): FieldSpec => {
    const { fallback, access, doc } = field.spec;
    const type = typeOf(field);
    const convert = fallback === undefined ? undefined : converterOf(type);
    return {
      name,
      type,
      ...(fallback === undefined ? {} : { default: convert === undefined ? fallback : () => convert(fallback()) }),
      ...(access === undefined ? {} : { access }),
      ...(doc === undefined ? {} : { doc }),
    };
  });
}

function ownFields(cls: any): types.Fields {
  return cls !== null && Object.hasOwn(cls, $fields) ? cls[$fields] : {};
}

const converters = new WeakMap<ClassMeta, readonly (readonly [string, Convert | undefined])[]>();

function make(cls: any, values: Readonly<Record<string, unknown>> | undefined): unknown {
  const meta = metaOf(cls);
  if (meta === undefined)
    throw new TypeError(`class ${cls.name} is not registered: put @node, @edge, @obj or @walker in front of it`);
  if (values === undefined) return cls.$new();
  for (const name of Object.keys(values)) {
    if (!meta.byName.has(name))
      throw new TypeError(`${meta.name}.__init__() got an unexpected keyword argument '${name}'`);
  }
  let order = converters.get(meta);
  if (order === undefined) {
    order = meta.constructorFields.map((field) => [field.name, converterOf(field.type)] as const);
    converters.set(meta, order);
  }
  return cls.$new(
    ...order.map(([name, convert]) => {
      const value = values[name];
      return value === undefined || convert === undefined ? value : convert(value);
    }),
  );
}

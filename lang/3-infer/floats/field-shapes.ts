/** Instances as the dicts `asdict`, `vars` and `__dict__` give, for the floats in them (decisions/0375). */
import { any, dictOf, hinted, joinAll, shaped, shapeOf, tupleOf } from '../classes/type-values.ts';
import type { ClassInfo, FieldInfo, Type } from '../types.ts';

/**
 * Gives the type by which `vars(x)` and `x.__dict__` are shown: fields under their names. Unknown where the class
 * declares none.
 */
export function fieldsShape(type: Type): Type {
  return type.t === 'instance' ? recordOf(type.cls, (field) => field.type) : any;
}

/** Gives the type by which `asdict(x)` is shown: objects in fields are dicts too, at any depth. */
export function asDictShape(type: Type): Type {
  return spread(type, [], (cls, part) => shapeOf(recordOf(cls, part)));
}

/** Gives the type by which `astuple(x)` is shown. */
export function asTupleShape(type: Type): Type {
  return spread(type, [], (cls, part) => tupleOf(kept(cls).map(part)));
}

type Build = (cls: ClassInfo, part: (field: FieldInfo) => Type) => Type;

function spread(type: Type, within: readonly ClassInfo[], build: Build): Type {
  const part = (of: Type): Type => {
    switch (of.t) {
      case 'instance':
        if (of.cls.decl?.kind !== 'Archetype' || within.includes(of.cls)) return any;
        return build(of.cls, (field) => spread(field.type, [...within, of.cls], build));
      case 'list':
        return { ...of, of: part(of.of), sure: false };
      case 'dict':
        return { ...of, value: part(of.value), sure: false };
      case 'union':
        return joinAll(of.of.map(part));
      default:
        return of;
    }
  };
  return shaped(part(type));
}

function recordOf(cls: ClassInfo, part: (field: FieldInfo) => Type): Type {
  const entries = kept(cls).map((field) => [field.name, part(field)] as const);
  return entries.length === 0 ? any : shaped(dictOf(hinted.str, any, false, new Map(entries)));
}

function kept(cls: ClassInfo): readonly FieldInfo[] {
  return [...cls.fields.values()].filter((field) => !field.static && !field.property);
}

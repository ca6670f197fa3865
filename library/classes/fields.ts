/**
 * The fields of a class in constructor order (docs/language/archetypes.md#fields): those of bases first, a redeclared
 * one in its inherited place.
 */
import { key } from '../values/objects/protocol.ts';
import { type Field, metaOf } from './meta.ts';
import type { ArchetypeKind, ArchetypeSpec, FieldSpec, TypeRef } from './spec.ts';

export function collectFields(spec: ArchetypeSpec, bases: readonly unknown[], mro: readonly unknown[]): Field[] {
  const names = new Set<string>();
  for (const base of bases) for (const field of metaOf(base)?.declared ?? []) names.add(field.name);
  const own = spec.kind === 'class' ? [] : spec.fields.filter((field) => field.static !== true);
  for (const field of own) names.add(field.name);
  const chosen = [...names].map((name) => {
    const declared = own.find((field) => field.name === name);
    if (declared !== undefined) return { field: declared, owner: spec.name };
    for (const cls of mro) {
      const meta = metaOf(cls);
      const field = meta?.spec.fields.find((known) => known.name === name && known.static !== true);
      if (field !== undefined) return { field, owner: meta!.name };
    }
    throw new Error(`field ${name} has no declaration`);
  });
  return layOut(chosen, spec.kind);
}

function layOut(order: readonly { field: FieldSpec; owner: string }[], kind: ArchetypeKind): Field[] {
  const stored = kind === 'node' || kind === 'edge';
  let next = 0;
  return order.map(({ field, owner }) => {
    const property = key(field.name);
    const at = stored && !isPlain(field.type) ? next++ : -1;
    return {
      ...field,
      property,
      slot: stored ? `$$${field.name}` : property,
      bit: at < 0 ? 0 : 1 << (at % 32),
      word: at < 32 ? '$h' : `$h${at >> 5}`,
      isPublic: field.access !== 'priv' && field.access !== 'protect' && !field.name.startsWith('_'),
      owner,
    };
  });
}

/** Do values of this type never change in place, and never refer to another object? */
export function isPlain(type: TypeRef): boolean {
  switch (type.t) {
    case 'none':
    case 'str':
    case 'int':
    case 'float':
    case 'bool':
    case 'bytes':
    case 'datetime':
    case 'date':
    case 'time':
    case 'timedelta':
    case 'uuid':
    case 'literal':
      return true;
    case 'union':
      return type.of.every(isPlain);
    default:
      return false;
  }
}

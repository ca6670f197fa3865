/** Fingerprints that identify the shape of a stored type (docs/server/storage.md#changing-types). */
import { createHash } from 'node:crypto';
import type { ClassMeta } from '../../library/classes/meta.ts';
import { metaOf } from '../../library/classes/meta.ts';
import type { TypeRef } from '../../library/classes/spec.ts';
import { typeText } from '../../library/classes/type-text.ts';
import { $enum, isEnumClass } from '../../library/values/objects/enums.ts';

const known = new WeakMap<ClassMeta, string>();

/** SHA-256 over kind, base types and ordered fields with their types, members of enums and fields of objects included, in hexadecimal. */
export function fingerprintOf(meta: ClassMeta): string {
  let print = known.get(meta);
  if (print === undefined) {
    const bases = meta.mro.slice(1).map((cls) => metaOf(cls)?.name ?? cls.name);
    print = createHash('sha256')
      .update([meta.kind, bases.join(','), ...shapesOf(meta, new Set())].join('\n'))
      .digest('hex');
    known.set(meta, print);
  }
  return print;
}

function shapesOf(meta: ClassMeta, seen: Set<unknown>): readonly string[] {
  return meta.fields.map((field) => `${field.name}:${typeText(field.type)}${insideOf(field.type, seen)}`);
}

/**
 * A member that goes makes values that no longer fit (docs/server/storage.md#changing-types), and an object is stored
 * inside of the node that holds it: so either makes another version of every type with such a field. `seen`: classes of
 * objects that are told already.
 */
function insideOf(type: TypeRef, seen: Set<unknown>): string {
  const inside = (each: TypeRef) => insideOf(each, seen);
  switch (type.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return inside(type.of);
    case 'tuple':
      return (type.items ?? (type.of === undefined ? [] : [type.of])).map(inside).join('');
    case 'dict':
      return inside(type.key) + inside(type.value);
    case 'union':
      return type.of.map(inside).join('');
    case 'ref': {
      const cls = type.get();
      if (isEnumClass(cls)) return `{${[...(cls as any)[$enum].byName.keys()].join(',')}}`;
      const meta = metaOf(cls);
      return meta?.kind === 'obj' && !seen.has(cls) ? `{${shapesOf(meta, seen.add(cls)).join(',')}}` : '';
    }
    default:
      return '';
  }
}

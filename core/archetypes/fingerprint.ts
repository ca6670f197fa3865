/** What identifies the shape of a stored type (server.md 15.9). */
import { createHash } from 'node:crypto';
import { $enum, isEnumClass } from '../values/enums.ts';
import type { ClassMeta } from './meta.ts';
import { metaOf } from './meta.ts';
import type { TypeRef } from './spec.ts';
import { typeText } from './type-text.ts';

const known = new WeakMap<ClassMeta, string>();

/** SHA-256 over kind, base types and ordered fields with their types, members of enums included, in hexadecimal. */
export function fingerprintOf(meta: ClassMeta): string {
  let print = known.get(meta);
  if (print === undefined) {
    const bases = meta.mro.slice(1).map((cls) => metaOf(cls)?.name ?? cls.name);
    const fields = meta.fields.map((field) => `${field.name}:${typeText(field.type)}${membersIn(field.type)}`);
    print = createHash('sha256')
      .update([meta.kind, bases.join(','), ...fields].join('\n'))
      .digest('hex');
    known.set(meta, print);
  }
  return print;
}

/** A member that goes makes values that no longer fit (server.md 15.9), so it makes another version of every type with such a field. */
function membersIn(type: TypeRef): string {
  switch (type.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return membersIn(type.of);
    case 'tuple':
      return (type.items ?? (type.of === undefined ? [] : [type.of])).map(membersIn).join('');
    case 'dict':
      return membersIn(type.key) + membersIn(type.value);
    case 'union':
      return type.of.map(membersIn).join('');
    case 'ref': {
      const cls = type.get();
      return isEnumClass(cls) ? `{${[...(cls as any)[$enum].byName.keys()].join(',')}}` : '';
    }
    default:
      return '';
  }
}

import { reprOf } from '../values/objects/repr.ts';
import type { TypeRef } from './spec.ts';

/** A declared type as a program writes it: `list[str | None]`. */
export function writtenType(type: TypeRef): string {
  switch (type.t) {
    case 'none':
      return 'None';
    case 'list':
    case 'set':
    case 'frozenset':
      return `${type.t}[${writtenType(type.of)}]`;
    case 'iterator':
      return `Iterator[${writtenType(type.of)}]`;
    case 'tuple':
      if (type.items !== undefined) return `tuple[${type.items.map(writtenType).join(', ')}]`;
      return type.of === undefined ? 'tuple' : `tuple[${writtenType(type.of)}, ...]`;
    case 'dict':
      return `dict[${writtenType(type.key)}, ${writtenType(type.value)}]`;
    case 'union':
      return type.of.map(writtenType).join(' | ');
    case 'literal':
      return `Literal[${type.values.map((value) => reprOf(value)).join(', ')}]`;
    case 'ref':
      return type.name;
    case 'unknown':
      return type.text;
    case 'uuid':
      return 'UUID';
    default:
      return type.t;
  }
}

import type { TypeRef } from '../../core/archetypes/spec.ts';

/** A declared type as a program writes it: `list[str] | None`. */
export function typeText(type: TypeRef): string {
  switch (type.t) {
    case 'none':
      return 'None';
    case 'list':
    case 'set':
    case 'frozenset':
      return `${type.t}[${typeText(type.of)}]`;
    case 'iterator':
      return `Iterator[${typeText(type.of)}]`;
    case 'tuple':
      if (type.items !== undefined) return `tuple[${type.items.map(typeText).join(', ')}]`;
      return type.of === undefined ? 'tuple' : `tuple[${typeText(type.of)}, ...]`;
    case 'dict':
      return `dict[${typeText(type.key)}, ${typeText(type.value)}]`;
    case 'union':
      return type.of.map(typeText).join(' | ');
    case 'literal':
      return `Literal[${type.values.map((value) => JSON.stringify(value)).join(', ')}]`;
    case 'ref':
      return type.name;
    case 'unknown':
      return type.text;
    default:
      return type.t;
  }
}

/** A declared type as text, for fingerprints and messages. */
import type { TypeRef } from './spec.ts';

export function typeText(type: TypeRef): string {
  switch (type.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return `${type.t}[${typeText(type.of)}]`;
    case 'tuple':
      return type.items !== undefined
        ? `tuple[${type.items.map(typeText).join(',')}]`
        : type.of === undefined
          ? 'tuple'
          : `tuple[${typeText(type.of)},...]`;
    case 'dict':
      return `dict[${typeText(type.key)},${typeText(type.value)}]`;
    case 'union':
      return type.of.map(typeText).join('|');
    case 'literal':
      return `Literal[${type.values.map((value) => JSON.stringify(value) ?? String(value)).join(',')}]`;
    case 'ref':
      return type.name;
    case 'unknown':
      return type.text;
    default:
      return type.t;
  }
}

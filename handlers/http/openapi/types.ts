import type { TypeRef } from '../../../library/classes/spec.ts';
import { Flag, isEnumClass, metaOf } from '../../../library/values/objects/enums.ts';

/** Tells whether any part of a type satisfies a condition; classes are not entered. */
export function mentions(type: TypeRef, isIt: (type: TypeRef) => boolean): boolean {
  if (isIt(type)) return true;
  switch (type.t) {
    case 'union':
      return type.of.some((one) => mentions(one, isIt));
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return mentions(type.of, isIt);
    case 'tuple':
      return [...(type.items ?? []), ...(type.of ? [type.of] : [])].some((one) => mentions(one, isIt));
    case 'dict':
      return mentions(type.value, isIt);
    default:
      return false;
  }
}

/**
 * Gives the type a reference stands for; undefined when it cannot be resolved, which is not for the description to
 * complain about.
 */
export function resolved(type: TypeRef & { t: 'ref' }): unknown {
  try {
    return type.get();
  } catch {
    return undefined;
  }
}

/** Values of an enumeration's members, or undefined when the value is none, or one whose members can be combined. */
export function enumValues(type: unknown): readonly unknown[] | undefined {
  if (!isEnumClass(type) || (type as { prototype: unknown }).prototype instanceof Flag) return undefined;
  return metaOf(type).members.map(({ value }) => value);
}

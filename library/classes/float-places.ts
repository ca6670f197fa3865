/** Places of a declared type that hold floats, where a plain number of JSON is one. */
import { boxed } from '../values/numbers/float-box.ts';
import type { TypeRef } from './spec.ts';

/** Is a number here a float, as the declaration says? */
export function isFloatPlace(type: TypeRef | undefined): boolean {
  if (type?.t === 'float') return type.bare !== true;
  return type?.t === 'union' && type.of.some(isFloatPlace) && !type.of.some(({ t }) => t === 'int' || t === 'any');
}

/** A number as a value of the place. */
export function placed(value: unknown, type: TypeRef | undefined): unknown {
  return typeof value === 'number' && isFloatPlace(type) ? boxed(value) : value;
}

/** The type of the items or, of a dict, the values. */
export function itemType(type: TypeRef | undefined, at: number): TypeRef | undefined {
  switch (type?.t) {
    case 'list':
    case 'set':
    case 'frozenset':
      return type.of;
    case 'tuple':
      return type.items === undefined ? type.of : type.items[at];
    case 'dict':
      return type.value;
    case 'union': {
      const containers = type.of.filter(({ t }) => t !== 'none');
      return containers.length === 1 ? itemType(containers[0], at) : undefined;
    }
    default:
      return undefined;
  }
}

/** `isinstance` for filters: what the language accepts, and lists of classes. */
import { isInstance } from '../../library/values/objects/types.ts';

export function matchesType(x: unknown, type: any): boolean {
  return Array.isArray(type) ? type.some((member) => matchesType(x, member)) : isInstance(x, type);
}

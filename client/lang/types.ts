/** `type`, `isinstance`, `issubclass` on JavaScript values. */
import { bool, dict, float, int, list, set } from './conversions.ts';
import { className, isMember, isPlain } from './kinds.ts';
import { str } from './text.ts';

/** Is the value one of a built-in type? Undefined where `wanted` is none. */
function isBuiltIn(value: unknown, wanted: unknown): boolean | undefined {
  switch (wanted) {
    case str:
      return typeof value === 'string';
    case int:
      return typeof value === 'boolean' || Number.isInteger(value);
    case float:
      return typeof value === 'number';
    case bool:
      return typeof value === 'boolean';
    case list: // A tuple is an array too: on the client they are one.
      return Array.isArray(value);
    case dict:
      return isPlain(value);
    case set:
      return value instanceof Set;
    default:
      return undefined;
  }
}

export function isinstance(value: unknown, wanted: any): boolean {
  if (Array.isArray(wanted)) return wanted.some((one) => isinstance(value, one));
  const found = isBuiltIn(value, wanted);
  if (found !== undefined) return found;
  if (wanted === null || wanted === undefined) return value === null || value === undefined;
  if (typeof wanted !== 'function')
    return isMember(value) && wanted?.$members !== undefined && value.$enum === wanted.$name;
  if (value instanceof wanted) return true;
  // Objects of a type of the server are known by its name.
  return typeof wanted.$type === 'string' && (value as { _svc_type?: string } | null)?._svc_type === wanted.$type;
}

export function issubclass(one: any, other: any): boolean {
  if (Array.isArray(other)) return other.some((each) => issubclass(one, each));
  return one === other || (typeof one === 'function' && typeof other === 'function' && one.prototype instanceof other);
}

/** The class of a value: a built-in type, or the class it was made by; that of `None` is null. */
export function type(value: any): any {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isInteger(value) ? int : float;
  return [str, bool, list, dict, set].find((one) => isBuiltIn(value, one)) ?? value.constructor;
}

const builtIns = { str, int, float, bool, list, dict, set };

/** `f.__name__`, `type(x).__name__`: small bundles have no names for built-in types. */
export function nameOf(value: any): string {
  if (value === null || value === undefined) return 'NoneType';
  const found = Object.entries(builtIns).find(([, one]) => one === value);
  return found?.[0] ?? value.$name ?? className(value);
}

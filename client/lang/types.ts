/** `type`, `isinstance`, `issubclass` on JavaScript values. */
import { bool, dict, float, int, list, set } from './conversions.ts';
import { isMember, isPlain } from './kinds.ts';
import { str } from './text.ts';

const tests = new Map<unknown, (value: unknown) => boolean>([
  [str, (value) => typeof value === 'string'],
  [int, (value) => typeof value === 'boolean' || Number.isInteger(value)],
  [float, (value) => typeof value === 'number'],
  [bool, (value) => typeof value === 'boolean'],
  // A tuple is an array too: on the client they are one.
  [list, Array.isArray],
  [dict, isPlain],
  [set, (value) => value instanceof Set],
]);

export function isinstance(value: unknown, wanted: any): boolean {
  if (Array.isArray(wanted)) return wanted.some((one) => isinstance(value, one));
  const test = tests.get(wanted);
  if (test !== undefined) return test(value);
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

/** The class of a value: a built-in type, or the class it was made by. */
export function type(value: any): any {
  if (value === null || value === undefined) return { name: 'NoneType' };
  if (typeof value === 'number') return Number.isInteger(value) ? int : float;
  for (const [one, test] of tests) if (one !== int && one !== float && test(value)) return one;
  return value.constructor;
}

import { asNumber, toFloat } from '../values/numbers/numbers.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { typeName } from '../values/objects/type-name.ts';

/** A real number as a float. @throws TypeError must be real number, not X */
export function real(x: any): number {
  if (typeof x === 'number') return x;
  const n = asNumber(x);
  if (n !== undefined) return toFloat(n);
  if (typeof x === 'object' && x !== null) {
    const own =
      typeof x.__float__ === 'function' ? x.__float__() : typeof x.__index__ === 'function' ? x.__index__() : undefined;
    const value = asNumber(own);
    if (value !== undefined) return toFloat(value);
  }
  throw new TypeError(`must be real number, not ${typeName(x)}`);
}

/** Values that may serve as an index: ints, bools and objects with `__index__`. */
import { TypeError } from '../objects/exceptions.ts';
import { typeName } from '../objects/type-name.ts';
import { asInt, type Num } from './numbers.ts';

/** The int, or undefined when `x` cannot be an index. */
export function indexOf(x: unknown): Num | undefined {
  const n = asInt(x);
  if (n !== undefined) return n;
  if (typeof x === 'object' && x !== null && typeof (x as any).__index__ === 'function')
    return asInt((x as any).__index__());
  return undefined;
}

/** @throws TypeError 'X' object cannot be interpreted as an integer */
export function requireIndex(x: unknown): Num {
  const n = indexOf(x);
  if (n === undefined) throw new TypeError(`'${typeName(x)}' object cannot be interpreted as an integer`);
  return n;
}

/** A count or position that has to fit a JavaScript number. */
export function requireSize(x: unknown): number {
  if (typeof x === 'number' && Number.isSafeInteger(x)) return x;
  return Number(requireIndex(x));
}

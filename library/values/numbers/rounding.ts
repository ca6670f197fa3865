import { boxed, isFloat } from './float-box.ts';
import { roundFloat } from './float-text.ts';
import { requireIndex } from './index-value.ts';
import { isInt, type Num, roundInt, roundToInt } from './numbers.ts';

/** `round(x, digits)` of a number of a built-in type, of which `n` is the value. */
export function rounded(x: unknown, n: Num, digits: unknown): unknown {
  if (digits === undefined || digits === null) return isInt(n) ? n : roundToInt(n as number);
  const places = Number(requireIndex(digits));
  return isFloat(x) ? boxed(roundFloat(n as number, places)) : roundInt(n, places);
}

import { roundFloat } from './float-text.ts';
import { requireIndex } from './index-value.ts';
import { isInt, type Num, roundInt, roundToInt } from './numbers.ts';

/** `round(n, digits)` of a number of a built-in type. */
export function rounded(n: Num, digits: unknown): unknown {
  if (digits === undefined || digits === null) return isInt(n) ? n : roundToInt(n as number);
  const places = Number(requireIndex(digits));
  return isInt(n) ? roundInt(n, places) : roundFloat(n as number, places);
}

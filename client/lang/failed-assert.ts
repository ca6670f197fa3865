import { AssertionError } from './exceptions.ts';
import { repr } from './text.ts';

/** Error of a comparison in a test that does not hold, with both sides as they look at that moment. */
export function failedAssert(sides: readonly [unknown, unknown], ...message: unknown[]): AssertionError {
  return Object.assign(new AssertionError(...message), { $sides: sides.map((side) => repr(side)) });
}

import { AssertionError } from '../objects/exceptions.ts';
import { reprOf } from '../objects/repr.ts';

const sides = new WeakMap<object, readonly [left: string, right: string]>();

/**
 * Makes the error of a comparison that did not hold under `svc test`: it remembers how both sides looked at that
 * moment.
 */
export function failedAssert(values: readonly [unknown, unknown], ...message: unknown[]): AssertionError {
  const error = new AssertionError(...message);
  holdSides(error, [shown(values[0]), shown(values[1])]);
  return error;
}

/** Remembers both sides of the comparison an error is about. */
export function holdSides(error: object, texts: readonly [left: string, right: string]): void {
  sides.set(error, texts);
}

/** `repr` of both sides of the comparison an assertion is about. */
export function sidesOf(error: unknown): readonly [left: string, right: string] | undefined {
  return typeof error === 'object' && error !== null ? sides.get(error) : undefined;
}

function shown(value: unknown): string {
  try {
    return reprOf(value);
  } catch {
    return '<repr failed>';
  }
}

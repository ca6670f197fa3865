import { call } from '../../values/calls/calls.ts';

/** Makes another object of the same class, which may be one of the program. */
export function alike<T extends object>(x: T, ...args: unknown[]): T {
  return call(x.constructor, ...args);
}

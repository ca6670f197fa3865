import type { MaybePromise } from '../../base/maybe-promise.ts';

/** Goes on at once when the value is there, else when it comes: no microtask where nothing waits. */
export function chain<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

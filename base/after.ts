import type { MaybePromise } from './maybe-promise.ts';

/** Goes on with a value at once when it is there, else when its promise resolves: no microtask unless something waits. */
export function after<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

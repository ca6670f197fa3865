/** A value, or a promise of it: runtime operations answer synchronously when they can (docs/language/async.md#async). */
export type MaybePromise<T> = T | Promise<T>;

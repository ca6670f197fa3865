/** A value, or a promise of it: runtime operations answer synchronously when they can (design.md 1). */
export type MaybePromise<T> = T | Promise<T>;

/** A value, or a promise of it: runtime operations answer synchronously when they can (decisions/0001). */
export type MaybePromise<T> = T | Promise<T>;

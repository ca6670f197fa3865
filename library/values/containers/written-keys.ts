/**
 * Record of the keys that would be operators to a database and were written in the text of the program, per dict
 * (docs/server/kvstore.md#documents, decisions/0412). Generated code says so where a constant key that begins with `$` is put into a
 * dict; copies of the dict have it, copies of its parts have not. Until the first such key everything here costs one
 * comparison.
 */
const writtenKeys = new WeakMap<object, Set<string>>();
let isInUse = false;

/** Notes that these keys of a dict are the program's own. Gives the dict; other values pass. */
export function written<T>(dict: T, ...keys: readonly string[]): T {
  if (typeof dict !== 'object' || dict === null) return dict;
  isInUse = true;
  const known = writtenKeys.get(dict);
  if (known === undefined) writtenKeys.set(dict, new Set(keys));
  else for (const key of keys) known.add(key);
  return dict;
}

export function isWritten(dict: object, key: string): boolean {
  return isInUse && writtenKeys.get(dict)?.has(key) === true;
}

/** `to` got the members of `from`. */
export function passWritten(from: object, to: object): void {
  const keys = isInUse ? writtenKeys.get(from) : undefined;
  if (keys !== undefined) written(to, ...keys);
}

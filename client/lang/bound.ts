/** Methods as values. */

const known = new WeakMap<object, Map<unknown, unknown>>();

/**
 * Values that `make` gives for an object and a key, made once: the function that `removeEventListener` is given is the one that was added, and an effect
 * that depends on it sees that nothing changed.
 */
export function once<T>(object: unknown, key: unknown, make: () => T): T {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return make();
  let made = known.get(object) as Map<unknown, T> | undefined;
  if (made === undefined) known.set(object, (made = new Map()));
  let value = made.get(key);
  if (value === undefined) made.set(key, (value = make()));
  return value;
}

/** `store.add` as a value: the method with its object. An attribute that is no function is what it is. */
export function bound(object: any, name: string): any {
  const value = object[name];
  return typeof value === 'function' ? once(object, value, () => value.bind(object)) : value;
}

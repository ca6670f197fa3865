/**
 * Makes a function whose answer about an object is found once and kept as long as the object. Further arguments are for finding it: they decide
 * nothing that the object does not.
 */
export function oncePer<K extends object, V, A extends readonly unknown[] = []>(
  find: (key: K, ...rest: A) => V,
): (key: K, ...rest: A) => V {
  const known = new WeakMap<K, { readonly found: V }>();
  return (key, ...rest) => {
    let kept = known.get(key);
    if (kept === undefined) known.set(key, (kept = { found: find(key, ...rest) }));
    return kept.found;
  };
}

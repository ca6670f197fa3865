/** Questions of one turn of the event loop, asked together. */
export function createBatch<K, V>(
  load: (keys: ReadonlySet<K>) => Promise<ReadonlyMap<K, V>>,
): (keys: readonly K[]) => Promise<(V | undefined)[]> {
  let wanted = new Set<K>();
  let coming: Promise<ReadonlyMap<K, V>> | undefined;
  const next = (): Promise<ReadonlyMap<K, V>> =>
    new Promise((resolve, reject) => {
      // Behind everything that runs because of the answers that have just come.
      setImmediate(() => {
        const keys = wanted;
        wanted = new Set();
        coming = undefined;
        load(keys).then(resolve, reject);
      });
    });
  return (keys) => {
    for (const key of keys) wanted.add(key);
    coming ??= next();
    return coming.then((found) => keys.map((key) => found.get(key)));
  };
}

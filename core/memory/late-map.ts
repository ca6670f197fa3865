/** A map that costs nothing until something is put into it: most units of work leave most of their tables empty. */
export class LateMap<K, V> {
  private map: Map<K, V> | undefined = undefined;

  get(key: K): V | undefined {
    return this.map?.get(key);
  }

  has(key: K): boolean {
    return this.map?.has(key) === true;
  }

  set(key: K, value: V): void {
    if (this.map === undefined) this.map = new Map();
    this.map.set(key, value);
  }

  delete(key: K): void {
    this.map?.delete(key);
  }

  clear(): void {
    this.map = undefined;
  }

  keys(): Iterable<K> {
    return this.map?.keys() ?? nothing;
  }

  values(): Iterable<V> {
    return this.map?.values() ?? nothing;
  }
}

const nothing: readonly never[] = [];

/** A value that knows until when it can be trusted without looking again. */
export interface Remembered {
  isHit: boolean;
}

/** A bounded map whose least used entries go first. */
export interface ClockCache<V extends Remembered> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  readonly size: number;
}

/**
 * The clock algorithm over insertion order: a hit costs one look-up and one bit, and only insertion into a full cache moves entries
 * (re-inserting on each hit costs twice as much).
 */
export function createClockCache<V extends Remembered>(capacity: number): ClockCache<V> {
  const entries = new Map<string, V>();

  function makeRoom(): void {
    for (const [key, value] of entries) {
      entries.delete(key);
      if (!value.isHit) return;
      value.isHit = false;
      entries.set(key, value); // a second chance, at the end; iteration reaches it again after all others
    }
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) value.isHit = true;
      return value;
    },
    set(key, value) {
      if (!entries.has(key) && entries.size >= capacity) makeRoom();
      entries.set(key, value);
    },
    delete(key) {
      entries.delete(key);
    },
    get size() {
      return entries.size;
    },
  };
}

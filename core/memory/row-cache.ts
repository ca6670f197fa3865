/** Rows this process has read, shared by all units (L1 and the in-process L2 of docs/server/storage.md#tiers). */
import type { Key, NodeRow } from './rows.ts';

export interface RowCache {
  get(key: Key): NodeRow | undefined;
  keyOf(uid: string): Key | undefined;
  put(row: NodeRow): void;
  /** The same for a row that was asked for by its public id, which is then remembered. */
  putNamed(row: NodeRow): void;
  drop(key: Key): void;
  clear(): void;
}

/**
 * Two generations: what is not asked for while the young one fills up is forgotten. No bookkeeping per read beyond moving a
 * row to the young generation once.
 */
export function createRowCache(maxRows = 100_000, maxBytes = 64 * 1024 * 1024): RowCache {
  let young = new Map<Key, NodeRow>();
  let old = new Map<Key, NodeRow>();
  let uids = new Map<string, Key>();
  let bytes = 0;
  const keep = (row: NodeRow) => {
    young.set(row.key, row);
    bytes += row.data.length * 2 + 200;
    if (young.size * 2 < maxRows && bytes * 2 < maxBytes) return;
    old = young;
    young = new Map();
    bytes = 0;
    if (uids.size > maxRows) uids = new Map();
  };
  const put = (row: NodeRow) => {
    old.delete(row.key);
    if (young.has(row.key)) young.set(row.key, row);
    else keep(row);
  };
  return {
    get(key) {
      const row = young.get(key);
      if (row !== undefined) return row;
      const aged = old.get(key);
      if (aged !== undefined) {
        old.delete(key);
        keep(aged);
      }
      return aged;
    },
    keyOf: (uid) => uids.get(uid),
    put,
    putNamed(row) {
      uids.set(row.uid, row.key);
      put(row);
    },
    drop(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      young = new Map();
      old = new Map();
      uids = new Map();
      bytes = 0;
    },
  };
}

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
  return new Generations(maxRows, maxBytes);
}

/** Units over a shared store have one each: it is one object, and maps that most of them do not need are made when something is put into them. */
class Generations implements RowCache {
  private readonly maxRows: number;
  private readonly maxBytes: number;
  private young = new Map<Key, NodeRow>();
  private old: Map<Key, NodeRow> | undefined = undefined;
  private uids: Map<string, Key> | undefined = undefined;
  private bytes = 0;

  constructor(maxRows: number, maxBytes: number) {
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
  }

  get(key: Key): NodeRow | undefined {
    const row = this.young.get(key);
    if (row !== undefined) return row;
    const aged = this.old?.get(key);
    if (aged !== undefined) {
      this.old!.delete(key);
      this.keep(aged);
    }
    return aged;
  }

  keyOf(uid: string): Key | undefined {
    return this.uids?.get(uid);
  }

  put(row: NodeRow): void {
    this.old?.delete(row.key);
    if (this.young.has(row.key)) this.young.set(row.key, row);
    else this.keep(row);
  }

  putNamed(row: NodeRow): void {
    this.uids ??= new Map();
    this.uids.set(row.uid, row.key);
    this.put(row);
  }

  drop(key: Key): void {
    this.young.delete(key);
    this.old?.delete(key);
  }

  clear(): void {
    if (this.young.size > 0) this.young = new Map();
    this.old = undefined;
    this.uids = undefined;
    this.bytes = 0;
  }

  private keep(row: NodeRow): void {
    this.young.set(row.key, row);
    this.bytes += row.data.length * 2 + 200;
    if (this.young.size * 2 < this.maxRows && this.bytes * 2 < this.maxBytes) return;
    this.old = this.young;
    this.young = new Map();
    this.bytes = 0;
    if (this.uids !== undefined && this.uids.size > this.maxRows) this.uids = undefined;
  }
}

/**
 * Rows that units of a store shared with other processes begin with in place of asking for them (docs/decisions/0730). They are
 * assumptions: a hop that starts at one tells whether it holds, the commit checks the others, and a unit that assumed what is no longer so runs
 * again with what the store says.
 */
import { createRowCache } from './row-cache.ts';
import type { Key, NodeRow } from './rows.ts';
import type { CommitLog } from './store.ts';

export interface Remembered {
  find(uid: string): NodeRow | undefined;
  put(row: NodeRow): void;
  /** Forgets rows that others have changed, and for a while does not take them up again: they would do so once more. */
  drop(keys: readonly Key[]): void;
}

/** A row that a unit assumes. */
export interface Assumed {
  readonly row: NodeRow;
  /** Number of its edges at the first hop from it, which found the row as it was assumed; undefined: nobody has looked yet. */
  topo: number | undefined;
}

const avoidMs = 10_000;
const mostAvoided = 10_000;

export function createRemembered(log: CommitLog, nowMs: () => number = Date.now): Remembered {
  const rows = createRowCache(50_000, 32 * 1024 * 1024);
  let known = log.position;
  let avoided = new Map<Key, number>();
  /** Forgets rows of which units of this process wrote another version. */
  const catchUp = (): void => {
    if (log.position === known) return;
    const entries = log.after(known);
    known = log.position;
    if (entries === undefined) rows.clear();
    else for (const { revs } of entries) for (const { key } of revs) rows.drop(key);
  };
  return {
    find(uid) {
      catchUp();
      const key = rows.keyOf(uid);
      return key === undefined ? undefined : rows.get(key)?.copy();
    },
    put(row) {
      catchUp();
      const until = avoided.get(row.key);
      if (until !== undefined && until > nowMs()) return;
      if (until !== undefined) avoided.delete(row.key);
      rows.putNamed(row);
    },
    drop(keys) {
      if (avoided.size > mostAvoided) avoided = new Map();
      for (const key of keys) {
        rows.drop(key);
        avoided.set(key, nowMs() + avoidMs);
      }
    },
  };
}

/**
 * Rows that units of a store shared with other processes begin with in place of asking for them (docs/decisions/0730). They are
 * assumptions: a hop that starts at one tells whether it holds, the commit checks the others, and a unit that assumed what is no longer so runs
 * again with what the store says.
 */
import { createRowCache, type RowCache } from './row-cache.ts';
import type { Key, LinkList, NodeRow } from './rows.ts';

export interface Remembered {
  /** Tells whether units with these settings find out at their end, and may run again. */
  suits(settings: UnitSettings): boolean;
  find(uid: string): NodeRow | undefined;
  put(row: NodeRow): void;
  /** Takes what a hop found of the node it starts at for what the unit assumed of it; false when that has changed. */
  confirm(unit: Unit, assumed: Assumed, node: { $row: any }, origin: LinkList['origin']): boolean;
  /** Forgets rows that others have changed, and for a while does not take them up again: they would do so once more. */
  drop(keys: readonly Key[]): void;
}

interface Unit {
  unsure: number;
  readonly rows: RowCache;
}

interface UnitSettings {
  readonly isolation: string;
  readonly onConflict: string;
  readonly conflictMaxAttempts: number;
}

/** Parts of a `CommitLog`. */
interface Log {
  readonly position: number;
  after(position: number): readonly { readonly revs: readonly { readonly key: Key }[] }[] | undefined;
}

/** A row that a unit assumes. */
export interface Assumed {
  readonly row: NodeRow;
  /** Number of its edges at the first hop from it, which found the row as it was assumed; undefined: nobody has looked yet. */
  topo: number | undefined;
}

const avoidMs = 10_000;
const mostAvoided = 10_000;

export function createRemembered(log: Log, nowMs: () => number = Date.now): Remembered {
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
    suits: ({ isolation, onConflict, conflictMaxAttempts }) =>
      isolation === 'serializable' && onConflict === 'retry' && conflictMaxAttempts > 1,
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
    confirm(unit, assumed, node, origin) {
      if (origin?.rev !== assumed.row.rev) return false;
      if (assumed.topo === undefined) unit.unsure--;
      // Of two answers that come in another order than they were asked for, the unit rests on the older one.
      else if (assumed.topo <= origin.topo) return true;
      assumed.topo = origin.topo;
      node.$row = node.$row.withTopo(origin.topo);
      unit.rows.put(node.$row);
      return true;
    },
    drop(keys) {
      if (avoided.size > mostAvoided) avoided = new Map();
      for (const key of keys) {
        if (rows.get(key) === undefined) continue;
        rows.drop(key);
        avoided.set(key, nowMs() + avoidMs);
      }
    },
  };
}

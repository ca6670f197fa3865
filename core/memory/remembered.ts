/**
 * Rows that units of a store shared with other processes begin with in place of asking for them (docs/decisions/0730). They are
 * assumptions: a hop that starts at one tells whether it holds, the commit checks the others, and a unit that assumed what is no longer so runs
 * again with what the store says.
 */
import { LateMap } from './late-map.ts';
import { createRowCache, type RowCache } from './row-cache.ts';
import type { Key, LinkList, NodeRow } from './rows.ts';

export interface Remembered {
  /** Begins the first run of a unit; undefined where it may not assume: its reads are not checked, or it cannot run again. */
  begin(unit: AssumingUnit): Assumptions | undefined;
  put(row: NodeRow): void;
  /** Forgets rows that others have changed, and for a while does not take them up again: they would do so once more. */
  drop(keys: readonly Key[]): void;
}

/** Rows that one unit assumes. */
export interface Assumptions {
  /** Gives a row in place of the store's; it is assumed from then on. */
  find(uid: string): NodeRow | undefined;
  /** False while there is a row that nobody has looked at since. */
  readonly isSure: boolean;
  /** Rows that have to be as they are for the unit to end. The caller's root counts as far as it is used. */
  rows(): Iterable<NodeRow>;
  /** Takes what a hop found of the nodes it starts at for what was assumed of them; gives the key of one that has changed. */
  changedOrigin(stored: readonly { $row: any }[], lists: readonly LinkList[]): Key | undefined;
}

/** Parts of a `Session`. */
interface AssumingUnit {
  readonly rows: RowCache;
  readonly rootKey: Key | undefined;
  readonly settings: { readonly isolation: string; readonly onConflict: string; readonly conflictMaxAttempts: number };
  readonly discards: boolean;
  readonly isReadOnly: boolean;
  readonly trace: { readonly story?: unknown } | undefined;
  readonly call: { canReplay?(): boolean } | undefined;
}

/** Parts of a `CommitLog`. */
interface Log {
  readonly position: number;
  after(position: number): readonly { readonly revs: readonly { readonly key: Key }[] }[] | undefined;
}

/** A row that a unit assumes. */
interface Assumed {
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
  const find = (uid: string): NodeRow | undefined => {
    catchUp();
    const key = rows.keyOf(uid);
    return key === undefined ? undefined : rows.get(key)?.copy();
  };
  return {
    begin: (unit) => (mayAssume(unit) ? new UnitAssumptions(unit, find) : undefined),
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
        if (rows.get(key) === undefined) continue;
        rows.drop(key);
        avoided.set(key, nowMs() + avoidMs);
      }
    },
  };
}

function mayAssume({ settings, discards, isReadOnly, trace, call }: AssumingUnit): boolean {
  const { isolation, onConflict, conflictMaxAttempts } = settings;
  const isChecked = isolation === 'serializable' && onConflict === 'retry' && conflictMaxAttempts > 1;
  return isChecked && !discards && !isReadOnly && trace?.story === undefined && call?.canReplay?.() !== false;
}

class UnitAssumptions implements Assumptions {
  private readonly unit: AssumingUnit;
  private readonly remembered: (uid: string) => NodeRow | undefined;
  private readonly assumed = new LateMap<Key, Assumed>();
  private unsure = 0;

  constructor(unit: AssumingUnit, remembered: (uid: string) => NodeRow | undefined) {
    this.unit = unit;
    this.remembered = remembered;
  }

  get isSure(): boolean {
    return this.unsure === 0;
  }

  find(uid: string): NodeRow | undefined {
    const row = this.remembered(uid);
    if (row === undefined) return undefined;
    this.assumed.set(row.key, { row, topo: undefined });
    this.unsure++;
    this.unit.rows.putNamed(row);
    return row;
  }

  *rows(): Iterable<NodeRow> {
    for (const { row } of this.assumed.values()) if (row.key !== this.unit.rootKey) yield row;
  }

  changedOrigin(stored: readonly { $row: any }[], lists: readonly LinkList[]): Key | undefined {
    for (let i = 0; i < stored.length; i++) {
      const node = stored[i]!;
      const assumed = this.assumed.get(node.$row.key);
      if (assumed !== undefined && !this.confirm(assumed, node, lists[i]!.origin)) return assumed.row.key;
    }
    return undefined;
  }

  private confirm(assumed: Assumed, node: { $row: any }, origin: LinkList['origin']): boolean {
    if (origin?.rev !== assumed.row.rev) return false;
    if (assumed.topo === undefined) this.unsure--;
    // Of two answers that come in another order than they were asked for, the unit rests on the older one.
    else if (assumed.topo <= origin.topo) return true;
    assumed.topo = origin.topo;
    node.$row = node.$row.withTopo(origin.topo);
    this.unit.rows.put(node.$row);
    return true;
  }
}

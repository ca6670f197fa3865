/**
 * Rows that units of a store shared with other processes begin with in place of asking for them (docs/decisions/0730). They are
 * assumptions: a hop that starts at one tells whether it holds, the commit checks the others, and a unit that assumed what is no longer so runs
 * again with what the store says.
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Node } from '../graph/objects.ts';
import { chain } from './chain.ts';
import { createRowCache } from './row-cache.ts';
import type { Key, LinkList, NodeRow } from './rows.ts';
import type { Session } from './session.ts';
import { type CommitLog, ConflictError } from './store.ts';

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
  /** What units of this process wrote is another version now. */
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

/** Takes what the hop found of its origins for what was assumed of them. @throws ConflictError when one has changed */
export function confirmOrigins(session: Session, stored: readonly Node[], lists: readonly LinkList[]): void {
  for (const [i, node] of stored.entries()) {
    const key: Key = node.$row.key;
    const assumed = session.assumed.get(key);
    if (assumed === undefined) continue;
    const origin = lists[i]!.origin;
    if (origin?.rev !== assumed.row.rev) throw new ConflictError([key], true, true);
    if (assumed.topo === undefined) session.unsure--;
    // Of two answers that come in another order than they were asked for, the unit rests on the older one.
    if (assumed.topo !== undefined && assumed.topo <= origin.topo) continue;
    assumed.topo = origin.topo;
    node.$row = (node.$row as NodeRow).withTopo(origin.topo);
    session.rows.put(node.$row);
  }
}

/** Before something of a unit goes out that no commit comes before. @throws ConflictError when what it assumed is no longer so */
export function confirmAssumed(session: Session): MaybePromise<void> {
  if (session.unsure === 0) return undefined;
  const nodes = [...session.assumed.values()]
    .filter(({ topo }) => topo === undefined)
    .map(({ row: { key, rev } }) => ({ key, rev }));
  const { since, seen } = session;
  const has = () => true;
  const reads = { since, seen, nodes, edges: [], listed: [], roots: undefined, searched: [], types: undefined };
  return chain(session.runtime.store.validate({ ...reads, mayHoldNode: has, mayHoldEdge: has }), (changed) => {
    if (changed.length > 0) throw new ConflictError(changed, true, true);
  });
}

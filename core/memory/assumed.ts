/** Checks of what a unit assumed (`remembered.ts`). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Node } from '../graph/objects.ts';
import { chain } from './chain.ts';
import type { Key, LinkList, NodeRow } from './rows.ts';
import type { Session } from './session.ts';
import { ConflictError } from './store.ts';

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

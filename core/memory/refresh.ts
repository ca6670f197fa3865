/** A session that goes on after a commit: what others committed meanwhile becomes visible. Where nobody did, everything stays. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { closeFields } from '../../library/classes/closed-fields.ts';
import { DELETED, FULL, HOPPED, LAZY } from '../../library/classes/state.ts';
import type { Node } from '../graph/objects.ts';
import { chain } from './chain.ts';
import { prefetch } from './prefetch.ts';
import type { NodeRow } from './rows.ts';
import type { Session } from './session.ts';
import { rowsOf } from './session-rows.ts';

export function refresh(session: Session): MaybePromise<void> {
  const { store } = session.runtime;
  const position = store.log.position;
  session.ahead.clear();
  // Rights are judged anew, by what is stored now.
  session.levels.clear();
  session.decided.clear();
  session.decidedEdges.clear();
  const alone = session.since < 0 || position <= session.since + 1;
  return chain(store.foreignChanges(), (seen) => {
    const foreign = session.since >= 0 && seen !== session.seen;
    session.runtime.catchUp(seen);
    session.since = position;
    session.seen = seen;
    session.typesSeen = undefined;
    if (!store.isSync) forgetRead(session);
    return alone && !foreign ? undefined : renewAll(session);
  });
}

/** Forgets the rows that were read for the unit alone. */
function forgetRead(session: Session): void {
  session.rows.clear();
  session.looked.clear();
  session.assumed = undefined;
}

function renewAll(session: Session): MaybePromise<void> {
  const stored = [...session.nodes.values()].filter((node) => (node.$st & DELETED) === 0);
  for (const edge of session.edges.values()) {
    if (edge.$row.hasRecord) edge.$st |= LAZY;
  }
  return chain(
    rowsOf(
      session,
      stored.map((node) => node.$row.key),
    ),
    (rows) => {
      const edges = [...session.edges.values()].map((edge) => [edge.$row.key, edge.$row] as const);
      const load = session.runtime.store.isSync ? undefined : prefetch(session, rows, new Map(edges));
      return chain(load, () => {
        for (const [i, node] of stored.entries()) renew(node, rows[i]);
      });
    },
  );
}

function renew(node: Node, row: NodeRow | undefined): void {
  node.$st &= ~(FULL | HOPPED);
  node.$out = null;
  node.$in = null;
  if (row === undefined) {
    node.$st |= DELETED;
    return;
  }
  if (row.rev !== node.$row.rev) {
    node.$st |= LAZY;
    closeFields(node);
  }
  node.$row = row;
}

/** Objects by public id (docs/language/graph.md#identity). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { DELETED } from '../../library/classes/state.ts';
import { READ } from '../access/rules.ts';
import { levelOfEdge, visible } from '../access/session-access.ts';
import type { Edge, GraphObject } from '../graph/objects.ts';
import { chain } from './chain.ts';
import { prefetch } from './prefetch.ts';
import type { EdgeRow, Key } from './rows.ts';
import type { Session } from './session.ts';
import { materialize, materializeEdge, openRoot, rowByUid, rowsOf } from './session-rows.ts';

const noRecords: ReadonlyMap<Key, EdgeRow> = new Map();

/** Null when there is none, it is deleted in this unit, or the caller may not read it. */
export function findById(session: Session, uid: string): MaybePromise<GraphObject | null> {
  const named = session.named.get(uid);
  if (named !== undefined) return (named.$st & DELETED) !== 0 ? null : named;
  if (uid === session.rootId) {
    session.sawOwn = true;
    return openRoot(session);
  }
  if (session.looked.has(uid)) return findEdge(session, uid);
  return chain(openRoot(session), () =>
    chain(rowByUid(session, uid), (row) => {
      if (row === undefined) return findEdge(session, uid);
      const load = session.runtime.store.isSync ? undefined : prefetch(session, [row], noRecords);
      return chain(load, () => visible(session, row) ?? null);
    }),
  );
}

function findEdge(session: Session, uid: string): MaybePromise<Edge | null> {
  const { looked, runtime } = session;
  return chain(looked.has(uid) ? looked.get(uid) : runtime.store.edgeByUid(uid), (row) => {
    if (row === undefined) {
      session.missed = true;
      return null;
    }
    return chain(rowsOf(session, [row.source, row.target]), ([from, to]) => {
      const source = from && materialize(session, from);
      const target = to && materialize(session, to);
      if (source === undefined || target === undefined) return null;
      const edge = materializeEdge(session, row, source, target);
      const load = session.runtime.store.isSync ? undefined : prefetch(session, [from, to], new Map([[row.key, row]]));
      return chain(load, () =>
        edge === undefined || (edge.$st & DELETED) !== 0 || levelOfEdge(session, edge) < READ ? null : edge,
      );
    });
  });
}

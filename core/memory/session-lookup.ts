/** Objects by public id, and ids of objects (docs/language/graph.md#identity). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { DELETED } from '../../library/classes/state.ts';
import { READ } from '../access/rules.ts';
import { newId } from '../graph/ids.ts';
import { Edge, type GraphObject } from '../graph/objects.ts';
import { chain } from './chain.ts';
import { prefetch } from './prefetch.ts';
import type { EdgeRow, Key, NodeRow } from './rows.ts';
import type { Session } from './session.ts';

const noRecords: ReadonlyMap<Key, EdgeRow> = new Map();

/** Null when there is none, it is deleted in this unit, or the caller may not read it. */
export function findById(session: Session, uid: string): MaybePromise<GraphObject | null> {
  const named = session.named.get(uid);
  if (named !== undefined) return (named.$st & DELETED) !== 0 ? null : named;
  if (uid === session.rootId) return session.open();
  if (session.looked.has(uid)) return findEdge(session, uid);
  return chain(session.open(), () =>
    chain(session.rowByUid(uid), (row) => {
      if (row === undefined) return findEdge(session, uid);
      const load = session.runtime.store.isSync ? undefined : prefetch(session, [row], noRecords);
      return chain(load, () => session.visible(row) ?? null);
    }),
  );
}

function findEdge(session: Session, uid: string): MaybePromise<Edge | null> {
  const { looked, runtime } = session;
  return chain(looked.has(uid) ? looked.get(uid) : runtime.store.edgeByUid(uid), (row) => {
    if (row === undefined) return null;
    return chain(session.rowsOf([row.source, row.target]), ([from, to]) => {
      const source = from && session.materialize(from);
      const target = to && session.materialize(to);
      if (source === undefined || target === undefined) return null;
      const edge = session.materializeEdge(row, source, target);
      const load = session.runtime.store.isSync ? undefined : prefetch(session, [from, to], new Map([[row.key, row]]));
      return chain(load, () =>
        edge === undefined || (edge.$st & DELETED) !== 0 || session.edgeLevel(edge) < READ ? null : edge,
      );
    });
  });
}

/** The id of an object of the session; a new one gets it now. */
export function idInSession(session: Session, x: GraphObject): string {
  const { store } = session.runtime;
  if (x instanceof Edge) {
    const row = x.$row as EdgeRow | null;
    if (row !== null) return row.uid === '' ? store.edgeUid(row.key, row.source) : row.uid;
    const id = newId();
    session.gaveId = true;
    session.named.set(id, x);
    return id;
  }
  if (x.$row !== null) return (x.$row as NodeRow).uid;
  const { key, uid } = store.reserveNode();
  session.gaveId = true;
  session.reserved.set(x, key);
  session.named.set(uid, x);
  return uid;
}

/** Public ids of the objects of a unit (docs/language/graph.md#identity). */
import { fromOutside } from '../../library/outside.ts';
import { newId } from '../graph/ids.ts';
import { Edge, type GraphObject } from '../graph/objects.ts';
import type { EdgeRow, NodeRow } from './rows.ts';
import type { Session } from './session.ts';

/** The id of an object of the session; a new one gets it now. */
export function idInSession(session: Session, x: GraphObject): string {
  const { store } = session.runtime;
  if (x instanceof Edge) {
    const row = x.$row as EdgeRow | null;
    if (row !== null) return row.uid === '' ? store.edgeUid(row.key, row.source) : row.uid;
    const id = fromOutside('id', newId);
    session.gaveId = true;
    session.named.set(id, x);
    return id;
  }
  if (x.$row !== null) return (x.$row as NodeRow).uid;
  const { key, uid } = fromOutside('id', () => store.reserveNode());
  session.gaveId = true;
  session.reserved.set(x, key);
  session.named.set(uid, x);
  return uid;
}

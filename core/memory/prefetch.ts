/**
 * Stores that cannot answer at once: what reading an object may need is loaded with it, level by level and batched, so that reading a field
 * or asking for a level never waits (design.md 1).
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { chain } from './chain.ts';
import type { EdgeRow, Key, NodeRow, Row } from './rows.ts';
import type { Session } from './session.ts';
import { rowsOf } from './session-rows.ts';

const references = /"\$t":"ref","v":"([0-9a-f]{32})"/g;

/** Owners of the records, and what their fields refer to. */
export function prefetch(
  session: Session,
  rows: readonly (NodeRow | undefined)[],
  records: ReadonlyMap<Key, EdgeRow>,
): MaybePromise<void> {
  return chain(loadOwners(session, rows, records), () => loadReferences(session, [...rows, ...records.values()]));
}

function loadOwners(
  session: Session,
  rows: readonly (NodeRow | undefined)[],
  records: ReadonlyMap<Key, EdgeRow>,
): MaybePromise<unknown> {
  if (session.isSystem) return undefined;
  const owners = new Set<Key>();
  for (const row of rows) if (row !== undefined) owners.add(row.owner);
  for (const record of records.values()) if (record.owner !== undefined) owners.add(record.owner);
  return rowsOf(session, [...owners]);
}

function loadReferences(session: Session, rows: readonly (Row | undefined)[]): MaybePromise<void> {
  const wanted = new Set<string>();
  for (const row of rows) {
    if (row === undefined || row.fields !== undefined || !row.data.includes('"$t":"ref"')) continue;
    for (const match of row.data.matchAll(references)) {
      const uid = match[1]!;
      if (session.rows.keyOf(uid) === undefined && !session.looked.has(uid)) wanted.add(uid);
    }
  }
  if (wanted.size === 0) return undefined;
  const uids = [...wanted];
  return chain(session.runtime.store.nodesByUid(uids), (found) => {
    for (const row of found) if (row !== undefined) session.rows.putNamed(row);
    const others = uids.filter((_, i) => found[i] === undefined);
    return chain(loadEdges(session, others), () => prefetch(session, found, none));
  });
}

/** Ids that name no node are looked up as edges; those that are neither were deleted. */
function loadEdges(session: Session, uids: readonly string[]): MaybePromise<void> {
  if (uids.length === 0) return undefined;
  const { store } = session.runtime;
  return Promise.all(uids.map((uid) => store.edgeByUid(uid))).then((found) => {
    for (const [i, uid] of uids.entries()) session.looked.set(uid, found[i]);
    const edges = found.filter((row) => row !== undefined);
    return chain(
      rowsOf(
        session,
        edges.flatMap(({ source, target }) => [source, target]),
      ),
      (ends) => prefetch(session, ends, new Map(edges.map((row) => [row.key, row]))),
    );
  });
}

const none: ReadonlyMap<Key, EdgeRow> = new Map();

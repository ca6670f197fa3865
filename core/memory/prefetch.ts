/**
 * Stores that cannot answer at once: what reading an object may need is loaded with it, level by level and batched, so that reading a field
 * or asking for a level never waits (design.md 1).
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { chain } from './chain.ts';
import type { EdgeRow, Key, NodeRow } from './rows.ts';
import type { Session } from './session.ts';

const references = /"\$t":"ref","v":"([0-9a-f]{32})"/g;

/** Owners of the records, and what their fields refer to. */
export function prefetch(
  session: Session,
  rows: readonly (NodeRow | undefined)[],
  records: ReadonlyMap<Key, EdgeRow>,
): MaybePromise<void> {
  return chain(loadOwners(session, rows, records), () => loadReferences(session, rows));
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
  return session.rowsOf([...owners]);
}

function loadReferences(session: Session, rows: readonly (NodeRow | undefined)[]): MaybePromise<void> {
  const wanted = new Set<string>();
  for (const row of rows) {
    if (row === undefined || row.fields !== undefined || !row.data.includes('"$t":"ref"')) continue;
    for (const match of row.data.matchAll(references)) {
      if (session.runtime.rows.keyOf(match[1]!) === undefined) wanted.add(match[1]!);
    }
  }
  if (wanted.size === 0) return undefined;
  return chain(session.runtime.store.nodesByUid([...wanted]), (found) => {
    for (const row of found) if (row !== undefined) session.runtime.rows.putNamed(row);
    return prefetch(session, found, none);
  });
}

const none: ReadonlyMap<Key, EdgeRow> = new Map();

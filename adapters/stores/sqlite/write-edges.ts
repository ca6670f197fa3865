/** Edges in the clustered adjacency, and the records of those that have one. */
import { edgeName } from '../../../core/memory/commit-log.ts';
import {
  ConflictError,
  changesLinks,
  type EdgeChange,
  FOREIGN,
  type NewEdge,
  RECORD,
  REVERSED,
  UNDIRECTED,
} from '../../../core/memory/store.ts';
import type { AddedRows } from './added-rows.ts';
import { findLink } from './find-link.ts';
import { keyOf, num, orNull, type WriterDeps } from './writer-deps.ts';

/** Place of an edge in the adjacency: its ends, and the types at the time. */
export interface Place {
  readonly edge: number;
  readonly source: number;
  readonly target: number;
  readonly etype: number;
  readonly stype: number;
  readonly ttype: number;
}

export function insertEdge(deps: WriterDeps, edge: NewEdge, now: number): void {
  const key = deps.nextKey();
  edge.key = key;
  const [source, target] = [keyOf(edge.source), keyOf(edge.target)];
  const hasRecord = edge.data !== '' || edge.access !== '' || edge.uid !== '' || edge.owner !== undefined;
  if (hasRecord) {
    deps
      .sql(
        'INSERT INTO edge (id, uid, type, source, target, undirected, owner, rev, created_at, updated_at, access, data) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)',
      )
      .run(
        key,
        orNull(edge.uid),
        edge.type.id,
        source,
        target,
        edge.undirected ? 1 : 0,
        edge.owner === undefined ? null : num(edge.owner),
        now,
        now,
        orNull(edge.access),
        edge.data,
      );
  }
  const isForeign = edge.owner !== undefined || edge.access !== '';
  const flags = (edge.undirected ? UNDIRECTED : 0) | (hasRecord ? RECORD : 0) | (isForeign ? FOREIGN : 0);
  insertLinks(
    deps.added,
    { edge: key, source, target, etype: edge.type.id, stype: edge.sourceType.id, ttype: edge.targetType.id },
    flags,
  );
}

// An undirected edge is listed from both ends in both directions, so every hop reads one table.
export function insertLinks(added: Pick<AddedRows, 'adj' | 'radj'>, at: Place, flags: number): void {
  added.adj(at.source, at.etype, at.ttype, at.edge, at.target, flags);
  added.radj(at.target, at.etype, at.stype, at.edge, at.source, flags);
  if ((flags & UNDIRECTED) === 0 || at.source === at.target) return;
  added.adj(at.target, at.etype, at.stype, at.edge, at.source, flags | REVERSED);
  added.radj(at.source, at.etype, at.ttype, at.edge, at.target, flags | REVERSED);
}

export function removeEdge(deps: WriterDeps, at: Place, undirected: boolean): void {
  removeLink(deps, 'adj', at.source, at.edge, at.etype, at.ttype);
  removeLink(deps, 'radj', at.target, at.edge, at.etype, at.stype);
  if (!undirected || at.source === at.target) return;
  removeLink(deps, 'adj', at.target, at.edge, at.etype, at.stype);
  removeLink(deps, 'radj', at.source, at.edge, at.etype, at.ttype);
}

/**
 * Removes a link by its key; when the types have new versions since it was made, by looking through the combinations.
 */
export function removeLink(
  deps: WriterDeps,
  table: 'adj' | 'radj',
  src: number,
  eid: number,
  etype: number,
  ntype: number,
): void {
  const done = deps
    .sql(`DELETE FROM ${table} WHERE src = ? AND etype = ? AND ntype = ? AND eid = ?`)
    .run(src, etype, ntype, eid);
  if (done > 0) return;
  const place = findLink(deps.sql, deps.types, table, src, eid);
  if (place !== undefined)
    deps
      .sql(`DELETE FROM ${table} WHERE src = ? AND etype = ? AND ntype = ? AND eid = ?`)
      .run(src, place.etype, place.ntype, eid);
}

export function updateEdge(deps: WriterDeps, change: EdgeChange, now: number): void {
  const { row, type, uid, owner, data, attic, access } = change;
  const key = num(row.key);
  if (row.hasRecord) {
    const changed = deps
      .sql('UPDATE edge SET type = ?, rev = ?, updated_at = ?, access = ?, data = ?, attic = ? WHERE id = ?')
      .run(type.id, row.rev + 1, now, orNull(access), data, orNull(attic), key);
    if (changed === 0) throw new ConflictError([edgeName(row.key)]);
  } else {
    deps
      .sql(
        'INSERT INTO edge (id, uid, type, source, target, undirected, owner, rev, created_at, updated_at, access, data, attic) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        key,
        orNull(uid),
        type.id,
        num(row.source),
        num(row.target),
        row.undirected ? 1 : 0,
        owner === undefined ? null : num(owner),
        row.rev + 1,
        now,
        now,
        orNull(access),
        data,
        orNull(attic),
      );
  }
  if (changesLinks(change)) setFlags(deps, change, RECORD | (access !== '' || owner !== undefined ? FOREIGN : 0));
}

// The links say that there is a record, and whether it decides who may see the edge.
function setFlags(deps: WriterDeps, { row }: EdgeChange, flags: number): void {
  const eid = num(row.key);
  for (const [table, src] of [
    ['adj', row.source],
    ['radj', row.target],
    ['adj', row.target],
    ['radj', row.source],
  ] as const) {
    const place = findLink(deps.sql, deps.types, table, num(src), eid, row.type.id);
    if (place === undefined) continue;
    deps
      .sql(
        `UPDATE ${table} SET x = (x & ${UNDIRECTED | REVERSED}) | ${flags} WHERE src = ? AND etype = ? AND ntype = ? AND eid = ?`,
      )
      .run(num(src), place.etype, place.ntype, eid);
  }
}

/** Checks that may refuse a commit (docs/server/storage.md#units): made inside the transaction, before the first write. */
import { edgeName } from '../../../core/memory/commit-log.ts';
import type { Key } from '../../../core/memory/rows.ts';
import {
  ANY_VERSION,
  ConflictError,
  type NodeChange,
  type ReadSet,
  type RemovedEdge,
  type UnitWrite,
} from '../../../core/memory/store.ts';
import { findLink } from './find-link.ts';
import { num, type WriterDeps } from './writer-deps.ts';

/** Keys of what has changed since it was read. */
export function changedReads(deps: WriterDeps, reads: ReadSet): readonly Key[] {
  const known = deps.log.changed(reads);
  if (known !== undefined && known.length > 0) return known;
  // This process's log has all there is, unless it is too short or others wrote as well.
  return known !== undefined && reads.seen === deps.foreign() ? known : compareVersions(deps, reads);
}

/** @throws ConflictError when something the unit rests on has changed */
export function checkUnit(deps: WriterDeps, unit: UnitWrite): void {
  const conflicts = changedReads(deps, unit.reads);
  if (conflicts.length > 0) throw new ConflictError(conflicts, unit.reads.seen !== deps.foreign());
  for (const change of unit.nodeChanges) if (change.merge !== undefined) merge(deps, change);
  for (const removed of unit.removedEdges) requireEdge(deps, removed);
}

/** One query for the versions of everything read: only when other processes wrote, or the unit is older than the log. */
function compareVersions(deps: WriterDeps, reads: ReadSet): Key[] {
  deps.added.flush();
  const changed: Key[] = [];
  const wanted = new Set<Key>([...reads.nodes.map((read) => read.key), ...reads.listed.map((read) => read.key)]);
  const versions = new Map<number, readonly [number, number]>();
  const text = deps
    .sql(
      "SELECT '[' || group_concat(n.id || ',' || n.rev || ',' || n.topo) || ']' AS v FROM json_each(?) j CROSS JOIN node n ON n.id = j.value",
    )
    .value(JSON.stringify([...wanted])) as string | null;
  const flat = text === null ? [] : (JSON.parse(text) as number[]);
  for (let i = 0; i < flat.length; i += 3) versions.set(flat[i]!, [flat[i + 1]!, flat[i + 2]!]);
  for (const { key, rev } of reads.nodes) {
    const now = versions.get(num(key));
    if (now === undefined || (rev !== ANY_VERSION && now[0] !== rev)) changed.push(key);
  }
  for (const { key, topo } of reads.listed) if (versions.get(num(key))?.[1] !== topo) changed.push(key);
  // A list is as old as its node's record, or as the types it was asked by when those are older.
  if (reads.types !== undefined && reads.types !== deps.types.size) changed.push('types');
  for (const { key, rev } of reads.edges) {
    if (rev === ANY_VERSION) continue; // its place is looked at when it is removed
    const now = deps.sql('SELECT rev AS v FROM edge WHERE id = ?').value(num(key)) as number | null;
    if ((now ?? 0) !== rev) changed.push(edgeName(key));
  }
  if (reads.roots !== undefined && reads.roots !== deps.rootsVersion()) changed.push('roots');
  // Results that the store filtered by fields cannot be compared; another process wrote, so they are searched again.
  if (reads.searched.length > 0) changed.push('searched');
  return changed;
}

function merge(deps: WriterDeps, change: NodeChange): void {
  const { row, type, access } = change;
  deps.added.flush();
  const current = deps.rows.nodes([num(row.key)])[0];
  if (current === undefined) throw new ConflictError([row.key]);
  change.merged = undefined;
  if (current.rev === row.rev) return;
  const made = change.merge!(current);
  if (made === undefined) throw new ConflictError([row.key]);
  change.merged = row.next({
    type,
    rev: current.rev + 1,
    topo: current.topo,
    access,
    data: made.data,
    attic: made.attic,
  });
}

function requireEdge(deps: WriterDeps, { row }: RemovedEdge): void {
  if (findLink(deps.sql, deps.types, 'adj', num(row.source), num(row.key), row.type.id) === undefined)
    throw new ConflictError([edgeName(row.key)]);
}

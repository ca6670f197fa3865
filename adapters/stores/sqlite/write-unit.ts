/** Writing one unit inside a transaction (server.md 15.4). Everything that can say no is asked before the first write. */
import type { CommitLog } from '../../../core/memory/commit-log.ts';
import { edgeName } from '../../../core/memory/commit-log.ts';
import type { Key, StoredType } from '../../../core/memory/rows.ts';
import {
  ANY_VERSION,
  ConflictError,
  type EdgeChange,
  FOREIGN,
  type NewEdge,
  type NewNode,
  type NodeChange,
  RECORD,
  type ReadSet,
  type RemovedEdge,
  type RemovedNode,
  REVERSED,
  type UnitWrite,
  UNDIRECTED,
} from '../../../core/memory/store.ts';
import { putIdempotency } from './accounts.ts';
import { findLink } from './find-link.ts';
import type { RowReader } from './read-rows.ts';
import type { Sql } from './sql-cache.ts';

export interface WriterDeps {
  readonly sql: Sql;
  readonly rows: RowReader;
  readonly log: CommitLog;
  readonly types: ReadonlyMap<number, StoredType>;
  readonly nowMs: () => number;
  /** The next free number of a node or edge. */
  readonly nextKey: () => number;
  /** How many changes by other processes have been seen, now that the write lock is held. */
  readonly foreign: () => number;
  readonly rootsVersion: () => number;
  readonly addRoot: (key: number) => void;
}

export interface Writer {
  /** @throws ConflictError when something the unit rests on has changed */
  check(unit: UnitWrite): void;
  write(unit: UnitWrite): void;
  /** Keys of what has changed since it was read. */
  changed(reads: ReadSet): readonly Key[];
}

export function createWriter(deps: WriterDeps): Writer {
  const changed = (reads: ReadSet): readonly Key[] => {
    const known = deps.log.changed(reads);
    if (known !== undefined && known.length > 0) return known;
    // This process's log has all there is, unless it is too short or others wrote as well.
    return known !== undefined && reads.seen === deps.foreign() ? known : compareVersions(deps, reads);
  };
  return {
    changed,
    check(unit) {
      const conflicts = changed(unit.reads);
      if (conflicts.length > 0) throw new ConflictError(conflicts, unit.reads.seen !== deps.foreign());
      for (const change of unit.nodeChanges) if (change.merge !== undefined) merge(deps, change);
      for (const removed of unit.removedEdges) requireEdge(deps, removed);
    },
    write(unit) {
      const now = deps.nowMs();
      const topos = new Map<number, number>();
      insertNodes(deps, unit, topos, now);
      for (const change of unit.nodeChanges) updateNode(deps, change, now);
      for (const edge of unit.newEdges) insertEdge(deps, edge, now);
      for (const change of unit.edgeChanges) updateEdge(deps, change, now);
      for (const { row, sourceType, targetType } of unit.removedEdges) {
        removeEdge(deps, { edge: num(row.key), source: num(row.source), target: num(row.target), etype: row.type.id, stype: sourceType.id, ttype: targetType.id }, row.undirected);
        if (row.hasRecord) deps.sql('DELETE FROM edge WHERE id = ?').run(num(row.key));
        for (const end of new Set([row.source, row.target])) count(topos, num(end));
      }
      for (const removed of unit.removedNodes) removeNode(deps, removed, topos);
      const bump = deps.sql('UPDATE node SET topo = topo + ? WHERE id = ?');
      for (const [key, n] of topos) bump.run(n, key);
      if (unit.answer !== undefined) putIdempotency(deps.sql, unit.answer);
      deps.log.append(unit.entry());
    },
  };
}

function num(key: Key): number {
  return key as number;
}

function count(topos: Map<number, number>, key: number): void {
  topos.set(key, (topos.get(key) ?? 0) + 1);
}

// ---------------------------------------------------------------- checks

/** One query for the versions of everything read: only when other processes wrote, or the unit is older than the log. */
function compareVersions(deps: WriterDeps, reads: ReadSet): Key[] {
  const changed: Key[] = [];
  const wanted = new Set<Key>([...reads.nodes.map((read) => read.key), ...reads.listed.map((read) => read.key)]);
  const versions = new Map<number, readonly [number, number]>();
  const text = deps
    .sql("SELECT '[' || group_concat(n.id || ',' || n.rev || ',' || n.topo) || ']' AS v FROM json_each(?) j CROSS JOIN node n ON n.id = j.value")
    .value(JSON.stringify([...wanted])) as string | null;
  const flat = text === null ? [] : (JSON.parse(text) as number[]);
  for (let i = 0; i < flat.length; i += 3) versions.set(flat[i]!, [flat[i + 1]!, flat[i + 2]!]);
  for (const { key, rev } of reads.nodes) {
    const now = versions.get(num(key));
    if (now === undefined || (rev !== ANY_VERSION && now[0] !== rev)) changed.push(key);
  }
  for (const { key, topo } of reads.listed) if (versions.get(num(key))?.[1] !== topo) changed.push(key);
  for (const { key, rev } of reads.edges) {
    if (rev === ANY_VERSION) continue; // its place is looked at when it is removed
    const now = deps.sql('SELECT rev AS v FROM edge WHERE id = ?').value(num(key)) as number | null;
    if (now !== rev) changed.push(edgeName(key));
  }
  if (reads.roots !== undefined && reads.roots !== deps.rootsVersion()) changed.push('roots');
  // What the store filtered by fields cannot be compared; another process wrote, so it is searched again.
  if (reads.searched.length > 0) changed.push('searched');
  return changed;
}

function merge(deps: WriterDeps, change: NodeChange): void {
  const { row, type, access } = change;
  const current = deps.rows.nodes([num(row.key)])[0];
  if (current === undefined) throw new ConflictError([row.key]);
  change.merged = undefined;
  if (current.rev === row.rev) return;
  const made = change.merge!(current);
  if (made === undefined) throw new ConflictError([row.key]);
  change.merged = row.next({ type, rev: current.rev + 1, topo: current.topo, access, data: made.data, attic: made.attic });
}

function requireEdge(deps: WriterDeps, { row }: RemovedEdge): void {
  if (findLink(deps.sql, deps.types, 'adj', num(row.source), num(row.key), row.type.id) === undefined) throw new ConflictError([edgeName(row.key)]);
}

// ---------------------------------------------------------------- nodes

function insertNodes(deps: WriterDeps, unit: UnitWrite, topos: Map<number, number>, now: number): void {
  for (const node of unit.newNodes) {
    node.key = node.reserved ?? deps.nextKey();
    node.topo = 0;
  }
  for (const { source, target } of unit.newEdges) {
    for (const end of source === target ? [source] : [source, target]) {
      if (typeof end === 'object') end.topo++;
      else count(topos, num(end));
    }
  }
  const insert = deps.sql('INSERT INTO node (id, uid, type, owner, rev, topo, created_at, updated_at, access, data) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?)');
  for (const node of unit.newNodes) {
    const key = num(node.key);
    insert.run(key, orNull(node.uid), node.type.id, node.owner === undefined ? key : num(node.owner), node.topo, now, now, orNull(node.access), node.data);
    if (node.isRoot) deps.addRoot(key);
  }
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

function updateNode(deps: WriterDeps, change: NodeChange, now: number): void {
  const { row, type, access } = change;
  const { data, attic } = change.merged ?? change;
  const changed = deps
    .sql('UPDATE node SET type = ?, rev = ?, updated_at = ?, access = ?, data = ?, attic = ? WHERE id = ?')
    .run(type.id, change.merged?.rev ?? row.rev + 1, now, orNull(access), data, orNull(attic), num(row.key));
  if (changed === 0) throw new ConflictError([row.key]);
}

/** A node goes with all its edges; their other ends learn of it. */
function removeNode(deps: WriterDeps, removed: RemovedNode, topos: Map<number, number>): void {
  const { sql } = deps;
  const key = num(removed.row.key);
  const edges = new Set<number>();
  const neighbours = new Set<number>();
  for (const [table, mirror] of [['adj', 'radj'], ['radj', 'adj']] as const) {
    for (const { eid, far, etype } of sql(`SELECT eid, far, etype FROM ${table} WHERE src = ?`).rows(key) as { eid: number; far: number; etype: number }[]) {
      edges.add(eid);
      if (far === key) continue;
      neighbours.add(far);
      count(topos, far);
      removeLink(deps, mirror, far, eid, etype, removed.row.type.id);
    }
    sql(`DELETE FROM ${table} WHERE src = ?`).run(key);
  }
  if (edges.size > 0) sql('DELETE FROM edge WHERE id IN (SELECT value FROM json_each(?))').run(JSON.stringify([...edges]));
  const gone = sql('DELETE FROM node WHERE id = ?').run(key);
  if (gone === 0) throw new ConflictError([key]);
  topos.delete(key);
  removed.edges = [...edges];
  removed.neighbours = [...neighbours];
}

// ---------------------------------------------------------------- edges

interface Place {
  readonly edge: number;
  readonly source: number;
  readonly target: number;
  readonly etype: number;
  readonly stype: number;
  readonly ttype: number;
}

function keyOf(end: Key | NewNode): number {
  return num(typeof end === 'object' ? end.key : end);
}

function insertEdge(deps: WriterDeps, edge: NewEdge, now: number): void {
  const key = deps.nextKey();
  edge.key = key;
  const [source, target] = [keyOf(edge.source), keyOf(edge.target)];
  const hasRecord = edge.data !== '' || edge.access !== '' || edge.uid !== '' || edge.owner !== undefined;
  if (hasRecord) {
    deps
      .sql('INSERT INTO edge (id, uid, type, source, target, undirected, owner, rev, created_at, updated_at, access, data) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)')
      .run(key, orNull(edge.uid), edge.type.id, source, target, edge.undirected ? 1 : 0, edge.owner === undefined ? null : num(edge.owner), now, now, orNull(edge.access), edge.data);
  }
  const isForeign = edge.owner !== undefined || edge.access !== '';
  const flags = (edge.undirected ? UNDIRECTED : 0) | (hasRecord ? RECORD : 0) | (isForeign ? FOREIGN : 0);
  insertLinks(deps, { edge: key, source, target, etype: edge.type.id, stype: edge.sourceType.id, ttype: edge.targetType.id }, flags);
}

// An undirected edge is listed from both ends in both directions, so every hop reads one table.
function insertLinks(deps: WriterDeps, at: Place, flags: number): void {
  const out = deps.sql('INSERT INTO adj (src, etype, ntype, eid, far, x) VALUES (?, ?, ?, ?, ?, ?)');
  const into = deps.sql('INSERT INTO radj (src, etype, ntype, eid, far, x) VALUES (?, ?, ?, ?, ?, ?)');
  out.run(at.source, at.etype, at.ttype, at.edge, at.target, flags);
  into.run(at.target, at.etype, at.stype, at.edge, at.source, flags);
  if ((flags & UNDIRECTED) === 0 || at.source === at.target) return;
  out.run(at.target, at.etype, at.stype, at.edge, at.source, flags | REVERSED);
  into.run(at.source, at.etype, at.ttype, at.edge, at.target, flags | REVERSED);
}

function removeEdge(deps: WriterDeps, at: Place, undirected: boolean): void {
  removeLink(deps, 'adj', at.source, at.edge, at.etype, at.ttype);
  removeLink(deps, 'radj', at.target, at.edge, at.etype, at.stype);
  if (!undirected || at.source === at.target) return;
  removeLink(deps, 'adj', at.target, at.edge, at.etype, at.stype);
  removeLink(deps, 'radj', at.source, at.edge, at.etype, at.ttype);
}

/** By its key; when the types have new versions since it was made, by looking through the combinations. */
function removeLink(deps: WriterDeps, table: 'adj' | 'radj', src: number, eid: number, etype: number, ntype: number): void {
  const done = deps.sql(`DELETE FROM ${table} WHERE src = ? AND etype = ? AND ntype = ? AND eid = ?`).run(src, etype, ntype, eid);
  if (done > 0) return;
  const place = findLink(deps.sql, deps.types, table, src, eid);
  if (place !== undefined) deps.sql(`DELETE FROM ${table} WHERE src = ? AND etype = ? AND ntype = ? AND eid = ?`).run(src, place.etype, place.ntype, eid);
}

function updateEdge(deps: WriterDeps, change: EdgeChange, now: number): void {
  const { row, type, uid, owner, data, attic, access } = change;
  const key = num(row.key);
  if (row.hasRecord) {
    const changed = deps
      .sql('UPDATE edge SET type = ?, rev = ?, updated_at = ?, access = ?, data = ?, attic = ? WHERE id = ?')
      .run(type.id, row.rev + 1, now, orNull(access), data, orNull(attic), key);
    if (changed === 0) throw new ConflictError([edgeName(row.key)]);
  } else {
    deps
      .sql('INSERT INTO edge (id, uid, type, source, target, undirected, owner, rev, created_at, updated_at, access, data, attic) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(key, orNull(uid), type.id, num(row.source), num(row.target), row.undirected ? 1 : 0, owner === undefined ? null : num(owner), row.rev + 1, now, now, orNull(access), data, orNull(attic));
  }
  if (row.hasRecord && access === row.access) return;
  setFlags(deps, change, RECORD | (access !== '' || owner !== undefined ? FOREIGN : 0));
}

// The links say that there is a record, and whether it decides who may see the edge.
function setFlags(deps: WriterDeps, { row }: EdgeChange, flags: number): void {
  const eid = num(row.key);
  for (const [table, src] of [['adj', row.source], ['radj', row.target], ['adj', row.target], ['radj', row.source]] as const) {
    const place = findLink(deps.sql, deps.types, table, num(src), eid, row.type.id);
    if (place === undefined) continue;
    deps
      .sql(`UPDATE ${table} SET x = (x & ${UNDIRECTED | REVERSED}) | ${flags} WHERE src = ? AND etype = ? AND ntype = ? AND eid = ?`)
      .run(num(src), place.etype, place.ntype, eid);
  }
}

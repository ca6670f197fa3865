/** Writing one unit inside a transaction (docs/server/storage.md#units). */
import type { EdgeRow } from '../../../core/memory/rows.ts';
import {
  ConflictError,
  changesLinks,
  type NodeChange,
  type RemovedNode,
  type UnitWrite,
} from '../../../core/memory/store.ts';
import { putIdempotency } from './accounts.ts';
import { insertEdge, removeEdge, removeLink, updateEdge } from './write-edges.ts';
import { count, num, orNull, type TopoCounts, type WriterDeps } from './writer-deps.ts';

/** Fills in the keys of new records on the way. */
export function writeUnit(deps: WriterDeps, unit: UnitWrite): void {
  const now = deps.nowMs();
  const topos = new Map<number, number>();
  insertNodes(deps, unit, topos, now);
  for (const change of unit.nodeChanges) updateNode(deps, change, now);
  for (const edge of unit.newEdges) insertEdge(deps, edge, now);
  for (const change of unit.edgeChanges) {
    updateEdge(deps, change, now);
    if (changesLinks(change)) countEnds(topos, change.row);
  }
  for (const { row, sourceType, targetType } of unit.removedEdges) {
    removeEdge(
      deps,
      {
        edge: num(row.key),
        source: num(row.source),
        target: num(row.target),
        etype: row.type.id,
        stype: sourceType.id,
        ttype: targetType.id,
      },
      row.undirected,
    );
    if (row.hasRecord) deps.sql('DELETE FROM edge WHERE id = ?').run(num(row.key));
    countEnds(topos, row);
  }
  for (const removed of unit.removedNodes) removeNode(deps, removed, topos);
  for (const [key, n] of topos) deps.added.countEdges(key, n);
  if (unit.answer !== undefined) putIdempotency(deps.sql, unit.answer);
  deps.log.append(unit.entry());
}

function countEnds(topos: TopoCounts, { source, target }: EdgeRow): void {
  count(topos, num(source));
  if (target !== source) count(topos, num(target));
}

function insertNodes(deps: WriterDeps, unit: UnitWrite, topos: TopoCounts, now: number): void {
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
  for (const node of unit.newNodes) {
    const key = num(node.key);
    deps.added.node(
      key,
      orNull(node.uid),
      node.type.id,
      node.owner === undefined ? key : num(node.owner),
      node.topo,
      now,
      now,
      orNull(node.access),
      node.data,
    );
    if (node.isRoot) deps.addRoot(key);
  }
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
function removeNode(deps: WriterDeps, removed: RemovedNode, topos: TopoCounts): void {
  const { sql, added } = deps;
  const key = num(removed.row.key);
  added.flush();
  const edges = new Set<number>();
  const neighbours: number[] = [];
  for (const [table, mirror] of [
    ['adj', 'radj'],
    ['radj', 'adj'],
  ] as const) {
    for (const { eid, far, etype } of sql(`SELECT eid, far, etype FROM ${table} WHERE src = ?`).rows(key) as {
      eid: number;
      far: number;
      etype: number;
    }[]) {
      edges.add(eid);
      if (far === key) continue;
      neighbours.push(far);
      count(topos, far);
      removeLink(deps, mirror, far, eid, etype, removed.row.type.id);
    }
    sql(`DELETE FROM ${table} WHERE src = ?`).run(key);
  }
  if (edges.size > 0)
    sql('DELETE FROM edge WHERE id IN (SELECT value FROM json_each(?))').run(JSON.stringify([...edges]));
  const gone = sql('DELETE FROM node WHERE id = ?').run(key);
  if (gone === 0) throw new ConflictError([key]);
  topos.delete(key);
  removed.edges = [...edges];
  removed.neighbours = neighbours;
}

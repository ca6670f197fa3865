/** After the store has written a unit: the log entry others check against, and the new state of the session's objects. */
import { throwOutside } from '../../base/throw-outside.ts';
import { isClosed } from '../../library/classes/closed-fields.ts';
import { ACCESS, DIRTY, ENUMERATED, FULL, FULL_IN, FULL_OUT, READ } from '../../library/classes/state.ts';
import { BrokenState } from '../broken-state.ts';
import type { Node } from '../graph/objects.ts';
import { linksAfter } from './known-links.ts';
import { EdgeRow, type Key, NodeRow } from './rows.ts';
import type { Session } from './session.ts';
import type { Draft } from './session-draft.ts';
import { watch } from './session-fields.ts';
import { type Changed, changesLinks, GONE, type LogEntry, type NodeChange } from './store.ts';

type Counts = ReadonlyMap<Key, number>;

/** Counts, per existing node, the edges it gained or lost and those whose access rules changed. */
function edgeCounts({ newEdges, edgeChanges, removedEdges, removedNodes }: Draft): Counts {
  if (newEdges.length + edgeChanges.length + removedEdges.length + removedNodes.length === 0) return none;
  const counts = new Map<Key, number>();
  const add = (key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { source, target } of newEdges) {
    if (typeof source !== 'object') add(source);
    if (typeof target !== 'object' && target !== source) add(target);
  }
  const addEnds = ({ source, target }: EdgeRow) => {
    add(source);
    if (target !== source) add(target);
  };
  for (const change of edgeChanges) if (changesLinks(change)) addEnds(change.row);
  for (const { row } of removedEdges) addEnds(row);
  for (const { neighbours } of removedNodes) for (const key of neighbours) add(key);
  return counts;
}

// Most units leave most parts of their entry empty.
const none: ReadonlyMap<Key, number> = new Map();
const unchanged: readonly Changed[] = [];

export function makeEntry(draft: Draft): () => LogEntry {
  return () => {
    const { rows } = draft.session;
    const { nodeChanges, edgeChanges, removedNodes, removedEdges } = draft;
    const counts = edgeCounts(draft);
    const revs: Changed[] = [];
    const edgeRevs: Changed[] = [];
    const topos: Changed[] = [];
    const types: number[] = [];
    for (const { type } of draft.newNodes) if (!types.includes(type.id)) types.push(type.id);
    for (const change of nodeChanges) {
      revs.push({ key: change.row.key, version: newRev(change) });
      if (!types.includes(change.type.id)) types.push(change.type.id);
    }
    for (const { row } of edgeChanges) edgeRevs.push({ key: row.key, version: row.rev + 1 });
    for (const { row } of removedEdges) edgeRevs.push({ key: row.key, version: GONE });
    for (const [key, count] of counts) topos.push({ key, version: (rows.get(key)?.topo ?? GONE) + count });
    for (const { row, edges } of removedNodes) {
      revs.push({ key: row.key, version: GONE });
      topos.push({ key: row.key, version: GONE });
      for (const edge of edges) edgeRevs.push({ key: edge, version: GONE });
    }
    const roots = draft.newNodes.some((place) => place.isRoot) ? GONE : undefined;
    const touched = draft.session.runtime.store.log.follower?.touched(draft, topos);
    return {
      revs: kept(revs),
      edgeRevs: kept(edgeRevs),
      topos: kept(topos),
      roots,
      types,
      touched,
      origin: draft.session.runtime.rows,
    };
  };
}

function kept(list: readonly Changed[]): readonly Changed[] {
  return list.length === 0 ? unchanged : list;
}

function newRev(change: NodeChange): number {
  return change.merged?.rev ?? change.row.rev + 1;
}

/** Takes over into memory what has been stored. A fault in it fails no call, as the unit is stored, but the process cannot go on. */
export function makeApplied(draft: Draft, isLast: boolean): () => void {
  return () => {
    try {
      apply(draft, isLast);
    } catch (error) {
      throwOutside(new BrokenState('what was stored could not be taken over into memory', error));
    }
  };
}

function apply(draft: Draft, isLast: boolean): void {
  const { session } = draft;
  applyNodes(draft);
  if (!isLast) applyEdges(draft);
  for (const [key, count] of edgeCounts(draft)) {
    const row = session.rows.get(key);
    if (row === undefined) continue;
    const moved = row.withTopo(row.topo + count);
    moved.links = linksAfter(row, draft);
    session.rows.put(moved);
    const node = session.nodes.get(key);
    if (node !== undefined) node.$row = moved;
  }
  for (const { row } of draft.removedNodes) session.rows.drop(row.key);
  session.onVisible?.();
  if (isLast) return;
  session.partlyCommitted = true;
  watchOpen(draft);
  settle(draft);
}

function applyNodes(draft: Draft): void {
  const { session } = draft;
  const { rows } = session;
  for (const place of draft.newNodes) {
    const node = draft.nodeOf.get(place)!;
    const row = new NodeRow(
      place.key,
      place.uid === '' ? session.runtime.store.nodeId : place.uid,
      place.type,
      place.owner ?? place.key,
      1,
      place.topo,
      place.access,
      place.data,
      '',
    );
    node.$row = row;
    session.nodes.set(place.key, node);
    rows.put(row);
  }
  for (const change of draft.nodeChanges) {
    const { row, type, access, data, attic } = change;
    const known = rows.get(row.key) ?? row;
    const fresh = change.merged ?? row.next({ type, rev: newRev(change), topo: known.topo, access, data, attic });
    if (fresh.topo === known.topo) fresh.links = known.links;
    rows.put(fresh);
    session.nodes.get(row.key)!.$row = fresh;
  }
}

function applyEdges(draft: Draft): void {
  const { session } = draft;
  for (const place of draft.newEdges) {
    const edge = draft.edgeOf.get(place)!;
    const [source, target] = [edge.$src.$row.key, edge.$dst.$row.key];
    const hasRecord = place.data !== '' || place.access !== '' || place.uid !== '' || place.owner !== undefined;
    edge.$seq = typeof place.key === 'number' ? place.key : 0;
    edge.$row = new EdgeRow({ ...place, source, target, rev: hasRecord ? 1 : 0, attic: '', hasRecord });
    session.edges.set(place.key, edge);
  }
  for (const { row, type, data, attic, access } of draft.edgeChanges) {
    session.edges.get(row.key)!.$row = new EdgeRow({
      ...row,
      type,
      data,
      attic,
      access,
      rev: row.rev + 1,
      hasRecord: true,
    });
  }
}

/** A program may still hold containers of what it just stored, and change them. */
function watchOpen(draft: Draft): void {
  const { session } = draft;
  for (const list of [draft.nodeOf.values(), draft.edgeOf.values(), session.dirty]) {
    for (const x of list) {
      const open = x.$meta.fields.some((field) => {
        const value = (x as any)[field.slot];
        return !isClosed(x, field) && value !== null && typeof value === 'object';
      });
      if (open) watch(session, x);
    }
  }
}

/** Clears everything that was pending. What is in memory counts as read by the unit that begins now. */
function settle(draft: Draft): void {
  const { session } = draft;
  for (const x of session.dirty) x.$st &= ~(DIRTY | ACCESS);
  for (const node of session.created) {
    node.$st = (node.$st & ~DIRTY) | READ | ENUMERATED;
    if (node.$row === null) continue;
    session.readNodes.push(node);
    session.listed.push(node);
  }
  for (const edge of session.joined) {
    edge.$st = (edge.$st & ~DIRTY) | READ;
    if (edge.$row !== null) session.readEdges.push(edge);
    dropOverlay(edge.$src);
    dropOverlay(edge.$dst);
  }
  forget(session);
}

function forget(session: Session): void {
  session.created = [];
  session.joined = [];
  session.dirty = [];
  session.removedNodes = [];
  session.removedEdges = [];
  session.rules.clear();
  session.decided.clear();
  session.decidedEdges.clear();
  session.levels.clear();
}

// Drops the overlay of a node: where only part of its edges is in memory, the store has the rest and, from now on,
// these too.
function dropOverlay(node: Node): void {
  if ((node.$st & FULL) === FULL) return;
  if ((node.$st & FULL_OUT) === 0) node.$out = null;
  if ((node.$st & FULL_IN) === 0) node.$in = null;
}

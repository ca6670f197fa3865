/**
 * Plan of a commit: from a unit of core to the changes of each document it rests on (docs/server/storage.md#units,
 * docs/server/stores.md#document-database).
 */
import type { Document } from 'mongodb';
import { newId } from '../../../core/graph/ids.ts';
import { edgeName as conflictName } from '../../../core/memory/commit-log.ts';
import type { EdgeRow, Key, NodeRow } from '../../../core/memory/rows.ts';
import {
  ANY_VERSION,
  changesLinks,
  type EdgeChange,
  type NewEdge,
  type NewNode,
  type NodeChange,
  type UnitWrite,
} from '../../../core/memory/store.ts';
import { edgeId, edgeName, sequenceOf, typeName } from '../edge-names.ts';
import type { Stored } from './collections.ts';
import { textChanges, textFields, typeFields } from './rows.ts';

/** One document a unit found there: what must hold, and what becomes of it. */
export interface Touch {
  readonly id: string;
  /** Key by which a conflict over it is reported. */
  readonly tell: Key;
  rev: number | undefined;
  topo: number | undefined;
  set: Document | undefined;
  unset: Document | undefined;
  /** Edges gained and lost. */
  bump: number;
  isGone: boolean;
  /** True for a mere neighbour of a removed node: it loses its edges whoever has a lease on it. */
  readonly isLoose?: true;
  /** A change that may be made on top of another version (isolation `merge`). */
  change: NodeChange | undefined;
}

export interface Plan {
  readonly nodes: ReadonlyMap<string, Touch>;
  readonly edges: ReadonlyMap<string, Touch>;
  readonly newNodes: readonly Stored[];
  /** Ids of nodes that take their edges with them. */
  readonly removed: readonly string[];
  /** Changes of the list of roots: the version seen, and the number of new ones. */
  readonly roots: { readonly seen: number | undefined; readonly added: number };
}

/** Gives keys to new nodes, and counts the edges they start with. */
export function nameNodes(unit: UnitWrite): void {
  for (const node of unit.newNodes) {
    node.key = node.reserved ?? (node.uid === '' ? newId() : node.uid);
    node.topo = 0;
  }
  for (const edge of unit.newEdges)
    for (const end of new Set([edge.source, edge.target])) if (typeof end === 'object') end.topo++;
}

/** Gives keys to new edges. Once the nodes are written nobody else connects to them, so the order of keys is the order of commits. */
export function nameEdges(unit: UnitWrite, { sequence, nowMs }: PlanDeps): readonly Stored[] {
  const at = new Date(nowMs()).toISOString();
  return unit.newEdges.map((edge) => {
    edge.key = edgeName(sequence(), edge.uid === '' ? newId() : edge.uid);
    return edgeDocument(edge, at);
  });
}

export interface PlanDeps {
  readonly sequence: () => string;
  readonly nowMs: () => number;
}

export function planUnit({ sequence, nowMs }: PlanDeps, unit: UnitWrite): Plan {
  const at = new Date(nowMs()).toISOString();
  const nodes = createTouches();
  const edges = createTouches();
  planReads(nodes, edges, unit);
  for (const change of unit.nodeChanges) planNodeChange(nodes, change, at);
  for (const change of unit.edgeChanges) planEdgeChange(nodes, edges, change, at);
  for (const edge of unit.newEdges)
    for (const end of new Set([edge.source, edge.target])) if (typeof end !== 'object') bump(nodes, end);
  for (const { row } of unit.removedEdges) planRemovedEdge(nodes, edges, row);
  for (const { row } of unit.removedNodes) planRemovedNode(nodes, row);
  return {
    nodes: nodes.all,
    edges: edges.all,
    newNodes: unit.newNodes.map((node) => nodeDocument(node, at, sequence)),
    removed: unit.removedNodes.map(({ row }) => String(row.key)),
    roots: { seen: unit.reads.roots, added: unit.newNodes.filter(({ isRoot }) => isRoot).length },
  };
}

// ---------------------------------------------------------------- what is there

interface Touches {
  readonly all: ReadonlyMap<string, Touch>;
  of(id: string, tell: Key): Touch;
}

function createTouches(): Touches {
  const all = new Map<string, Touch>();
  return {
    all,
    of(id, tell) {
      let touch = all.get(id);
      if (touch === undefined) {
        const nothing = { rev: undefined, topo: undefined, set: undefined, unset: undefined, change: undefined };
        touch = { id, tell, ...nothing, bump: 0, isGone: false };
        all.set(id, touch);
      }
      return touch;
    },
  };
}

function planReads(nodes: Touches, edges: Touches, { reads }: UnitWrite): void {
  for (const { key, rev } of reads.nodes) {
    const touch = nodes.of(String(key), key);
    if (rev !== ANY_VERSION) touch.rev = rev;
  }
  for (const { key, topo } of reads.listed) nodes.of(String(key), key).topo = topo;
  for (const { key, rev } of reads.edges) {
    const touch = edgeTouch(edges, key);
    if (rev !== ANY_VERSION) touch.rev = rev;
  }
}

function edgeTouch(edges: Touches, key: Key): Touch {
  return edges.of(edgeId(key), conflictName(key));
}

function bump(nodes: Touches, node: Key): void {
  nodes.of(String(node), node).bump++;
}

function bumpEnds(nodes: Touches, { source, target }: EdgeRow): void {
  for (const end of new Set([source, target])) bump(nodes, end);
}

function planNodeChange(nodes: Touches, change: NodeChange, at: string): void {
  const { row, type, access } = change;
  const { data, attic } = change.merged ?? change;
  const touch = nodes.of(String(row.key), row.key);
  touch.rev = change.merged === undefined ? row.rev : change.merged.rev - 1;
  touch.change = change;
  const { set, unset } = textChanges({ access, data, attic });
  touch.set = { ...typeFields(type), ...set, rev: touch.rev + 1, updated_at: at };
  touch.unset = unset;
}

function planEdgeChange(nodes: Touches, edges: Touches, change: EdgeChange, at: string): void {
  const { row, type, data, attic, access } = change;
  const touch = edgeTouch(edges, row.key);
  touch.rev = row.rev;
  const { set, unset } = textChanges({ access, data, attic });
  touch.set = { ...typeFields(type), ...set, rev: row.rev + 1, updated_at: at };
  touch.unset = unset;
  // Access rules of an edge are part of the lists of its ends.
  if (changesLinks(change)) bumpEnds(nodes, row);
}

function planRemovedEdge(nodes: Touches, edges: Touches, row: EdgeRow): void {
  edgeTouch(edges, row.key).isGone = true;
  bumpEnds(nodes, row);
}

function planRemovedNode(nodes: Touches, row: NodeRow): void {
  const touch = nodes.of(String(row.key), row.key);
  touch.isGone = true;
  touch.rev = row.rev;
}

// ---------------------------------------------------------------- what is new

function nodeDocument(node: NewNode, at: string, sequence: () => string): Stored {
  const { key, type, owner, access, data, topo, isRoot } = node;
  return {
    _id: String(key),
    ...typeFields(type),
    owner: String(owner ?? key),
    ...textFields({ access, data, attic: '' }),
    rev: 1,
    topo,
    ...(isRoot ? { seq: sequence() } : {}),
    created_at: at,
    updated_at: at,
  };
}

function edgeDocument(edge: NewEdge, at: string): Stored {
  const { type, access, data, undirected, owner } = edge;
  const key = String(edge.key);
  const hasRecord = data !== '' || access !== '' || edge.uid !== '' || owner !== undefined;
  return {
    _id: edgeId(key),
    ...typeFields(type),
    ...(owner === undefined ? {} : { owner: String(owner) }),
    ...textFields({ access, data, attic: '' }),
    rev: hasRecord ? 1 : 0,
    source: endOf(edge.source),
    target: endOf(edge.target),
    source_type: typeName(edge.sourceType),
    target_type: typeName(edge.targetType),
    undirected,
    seq: sequenceOf(key),
    created_at: at,
    updated_at: at,
  };
}

function endOf(end: Key | NewNode): string {
  return String(typeof end === 'object' ? end.key : end);
}

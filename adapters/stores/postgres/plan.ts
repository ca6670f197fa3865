/** Plan of a commit: what each record that a unit saw or changes must be, and what becomes of it (docs/server/storage.md#units). */
import { edgeName } from '../../../core/memory/commit-log.ts';
import type { Key } from '../../../core/memory/rows.ts';
import { ANY_VERSION, changesLinks, type NodeChange, type UnitWrite } from '../../../core/memory/store.ts';

/** One record that was there. */
export interface Touch {
  readonly key: number;
  /** Key by which a conflict over it is reported. */
  readonly tell: Key;
  /** Versions it must have; undefined: any. */
  rev: number | undefined;
  topo: number | undefined;
  /** Edges gained and lost. */
  bump: number;
  /** True when the record changes. */
  isWritten: boolean;
  isGone: boolean;
  /** A change that may be made on top of another version (isolation `merge`). */
  change: NodeChange | undefined;
}

export interface Plan {
  readonly unit: UnitWrite;
  readonly nodes: ReadonlyMap<number, Touch>;
  readonly edges: ReadonlyMap<number, Touch>;
  readonly seenRoots: number | undefined;
  readonly addedRoots: number;
  /** Records in all. */
  readonly size: number;
}

/** Tells whether a touch is more than a read. */
export function isChanged({ isWritten, bump, isGone }: Touch): boolean {
  return isWritten || bump > 0 || isGone;
}

export function planUnit(unit: UnitWrite): Plan {
  const nodes = new Map<number, Touch>();
  const edges = new Map<number, Touch>();
  const node = (key: Key) => touchOf(nodes, key as number, key);
  const edge = (key: Key) => touchOf(edges, key as number, edgeName(key));
  const bump = (...ends: Key[]) => {
    for (const end of new Set(ends)) node(end).bump++;
  };
  const { reads } = unit;
  for (const { key, rev } of reads.nodes)
    if (rev === ANY_VERSION) node(key);
    else node(key).rev = rev;
  for (const { key, topo } of reads.listed) node(key).topo = topo;
  for (const { key, rev } of reads.edges)
    if (rev === ANY_VERSION) edge(key);
    else edge(key).rev = rev;
  for (const change of unit.nodeChanges) {
    const touch = node(change.row.key);
    touch.rev = change.merged === undefined ? change.row.rev : change.merged.rev - 1;
    touch.isWritten = true;
    touch.change = change;
  }
  for (const change of unit.edgeChanges) {
    const touch = edge(change.row.key);
    touch.rev = change.row.rev;
    touch.isWritten = true;
    // Access rules of an edge are part of the lists of its ends.
    if (changesLinks(change)) bump(change.row.source, change.row.target);
  }
  for (const { source, target } of unit.newEdges) bump(...[source, target].filter((end) => typeof end !== 'object'));
  for (const { row } of unit.removedEdges) {
    edge(row.key).isGone = true;
    bump(row.source, row.target);
  }
  for (const { row } of unit.removedNodes) {
    const touch = node(row.key);
    touch.rev = row.rev;
    touch.isGone = true;
  }
  const addedRoots = unit.newNodes.filter(({ isRoot }) => isRoot).length;
  const size = nodes.size + edges.size + unit.newNodes.length + unit.newEdges.length;
  return { unit, nodes, edges, seenRoots: reads.roots, addedRoots, size };
}

function touchOf(touches: Map<number, Touch>, key: number, tell: Key): Touch {
  let touch = touches.get(key);
  if (touch === undefined) {
    const nothing = { rev: undefined, topo: undefined, change: undefined };
    touch = { key, tell, ...nothing, bump: 0, isWritten: false, isGone: false };
    touches.set(key, touch);
  }
  return touch;
}

/**
 * Plans of units that do not concern each other, as one. A class, not an object with getters: those would give every group a shape of its own,
 * which holds its units until a full collection (decisions/0910).
 */
export class Group {
  readonly plans: Plan[] = [];
  readonly nodes = new Map<number, Touch>();
  readonly edges = new Map<number, Touch>();
  seenRoots: number | undefined = undefined;
  addedRoots = 0;
  /** A removed node takes edges along that nobody knows yet. */
  private hasRemovals = false;

  /** False when the order of this unit and one of the others would matter. */
  admits(plan: Plan): boolean {
    const { plans, nodes, edges, seenRoots, addedRoots } = this;
    if (plans.length > 0 && (removes(plan) || this.hasRemovals)) return false;
    if (plan.seenRoots !== undefined && (addedRoots > 0 || (seenRoots ?? plan.seenRoots) !== plan.seenRoots))
      return false;
    if (plan.addedRoots > 0 && seenRoots !== undefined) return false;
    return goTogether(nodes, plan.nodes) && goTogether(edges, plan.edges);
  }

  add(plan: Plan): void {
    join(this.nodes, plan.nodes);
    join(this.edges, plan.edges);
    this.seenRoots ??= plan.seenRoots;
    this.addedRoots += plan.addedRoots;
    this.hasRemovals = removes(plan);
    this.plans.push(plan);
  }
}

function removes({ unit }: Plan): boolean {
  return unit.removedNodes.length > 0;
}

function goTogether(all: ReadonlyMap<number, Touch>, more: ReadonlyMap<number, Touch>): boolean {
  for (const [key, b] of more) {
    const a = all.get(key);
    if (a !== undefined && (isInTheWay(a, b) || isInTheWay(b, a))) return false;
  }
  return true;
}

function isInTheWay(a: Touch, b: Touch): boolean {
  if (a.isGone) return true;
  if (a.isWritten && (b.isWritten || b.rev !== undefined)) return true;
  if (a.bump > 0 && b.topo !== undefined) return true;
  return differ(a.rev, b.rev) || differ(a.topo, b.topo);
}

function differ(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function join(all: Map<number, Touch>, more: ReadonlyMap<number, Touch>): void {
  for (const [key, b] of more) {
    const a = all.get(key);
    if (a === undefined) {
      all.set(key, { ...b });
      continue;
    }
    a.rev ??= b.rev;
    a.topo ??= b.topo;
    a.bump += b.bump;
    a.isWritten ||= b.isWritten;
  }
}

/** Edges in memory: linking, unlinking and walking over them. */

import { BOTH_WAYS, DELETED, FULL_OUT, MIXED_OUT } from '../../library/classes/state.ts';
import type { Direction, Hop } from './hop.ts';
import { matchesType } from './matches.ts';
import type { Edge, Node } from './objects.ts';

let lastStamp = 0;
let lastOrder = 0;

/** Edges not yet written come after all written ones, whose order is their key in the store. */
const unwritten = 2 ** 52;

/** A number no node's `$mk` holds: nodes met in one enumeration get it, so that duplicates show. */
function nextStamp(): number {
  return ++lastStamp;
}

/** Joins two nodes by a fresh edge, in memory. */
export function link(edge: Edge, source: Node, target: Node, undirected: boolean): void {
  edge.$src = source;
  edge.$dst = target;
  if (undirected) edge.$st |= BOTH_WAYS;
  edge.$seq = unwritten + ++lastOrder;
  attachEnds(edge);
}

/** Enters an edge into the lists of its ends; an undirected one in both directions. */
function attachEnds(edge: Edge): void {
  const { $src: source, $dst: target } = edge;
  addOut(source, edge, target);
  addIn(target, edge);
  if ((edge.$st & BOTH_WAYS) !== 0 && source !== target) {
    addOut(target, edge, source);
    addIn(source, edge);
  }
}

// While far ends are newer each time no two can be the same: then a hop need not look at them.
function addOut(node: Node, edge: Edge, far: Node): void {
  const list = node.$out;
  if (list === null) {
    node.$out = [edge];
    return;
  }
  if (far.$no <= farEnd(list[list.length - 1]!, node, 'out').$no) node.$st |= MIXED_OUT;
  list.push(edge);
}

function addIn(node: Node, edge: Edge): void {
  const known = node.$in;
  if (known === null) {
    node.$in = edge;
    return;
  }
  if (Array.isArray(known)) known.push(edge);
  else node.$in = [known, edge];
}

/** The edges of `$out` or `$in` as a list. */
export function listed(edges: Edge[] | Edge | null): readonly Edge[] {
  return edges === null ? nothing : Array.isArray(edges) ? edges : [edges];
}

/** The edge is gone; lists drop it when they are next walked over, so that removing many edges of one node stays linear. */
export function markRemoved(edge: Edge): void {
  edge.$st |= DELETED;
}

/** Edges of a node in memory, in order of creation. Removed ones are dropped from the node's list on the way. */
export function edgesOf(node: Node, direction: Direction): readonly Edge[] {
  if (direction === 'out') return liveOut(node);
  if (direction === 'in') return liveIn(node);
  const [out, into] = [liveOut(node), liveIn(node)];
  if (out.length === 0 || into.length === 0) return out.length === 0 ? into : out;
  // Loops and edges without direction are in both lists.
  const incoming = into.filter((edge) => (edge.$st & BOTH_WAYS) === 0 && edge.$src !== edge.$dst);
  return [...out, ...incoming].sort(byAge);
}

/** Edges in order of creation. Where the store's keys are texts, those say it. */
export function byAge(a: Edge, b: Edge): number {
  const order = a.$seq - b.$seq;
  return order !== 0 || a.$seq !== 0 ? order : a.$row.key < b.$row.key ? -1 : 1;
}

const nothing: readonly Edge[] = [];

function liveOut(node: Node): readonly Edge[] {
  const list = listed(node.$out);
  if (!list.some(isRemoved)) return list;
  const kept = list.filter((edge) => !isRemoved(edge));
  node.$out = kept.length === 0 ? null : kept;
  return kept;
}

function liveIn(node: Node): readonly Edge[] {
  const list = listed(node.$in);
  if (!list.some(isRemoved)) return list;
  const kept = list.filter((edge) => !isRemoved(edge));
  node.$in = kept.length === 0 ? null : kept;
  return kept;
}

function isRemoved(edge: Edge): boolean {
  return (edge.$st & DELETED) !== 0;
}

/** The other end of an edge, seen from one of its ends. */
export function farEnd(edge: Edge, node: Node, direction: Direction): Node {
  return direction === 'in' ? (edge.$src === node ? edge.$dst : edge.$src) : edge.$dst === node ? edge.$src : edge.$dst;
}

/** A hop whose edges are all in memory. Nodes come once each; edges as they were created. */
export function hopInMemory(node: Node, hop: Hop, wantEdges: boolean): any[] {
  if (!wantEdges && hop.dir !== 'any') {
    if (isBare(hop)) return hop.dir === 'out' ? outgoing(node) : distinctHop(node, 'in', listed(node.$in));
    if (
      hop.edgeWhere === undefined &&
      hop.nodeWhere === undefined &&
      hop.only === undefined &&
      hop.limit === undefined
    ) {
      return typedHop(node, hop.dir, hop);
    }
  }
  const results: any[] = [];
  const isNew = firstTime(hop);
  const admit = admission(hop);
  for (const edge of edgesOf(node, hop.dir)) {
    const far = farEnd(edge, node, hop.dir);
    if ((far.$st & DELETED) !== 0 || !admit(edge, far)) continue;
    if (wantEdges) results.push(edge);
    else if (isNew(far)) results.push(far);
  }
  return slice(results, hop);
}

/** Is `x` a node whose outgoing edges are all in memory, lead to different nodes and to none that was removed in this session? */
export function hasPlainOut(x: any): x is Node {
  return (
    typeof x === 'object' &&
    x !== null &&
    x.$out !== undefined &&
    (x.$st & (FULL_OUT | MIXED_OUT)) === FULL_OUT &&
    (x.$s === null || x.$s.removedNodes.length === 0)
  );
}

/** `[-->]`, the commonest hop, without a closure or an intermediate list; small, so that it is compiled into its caller. */
export function outgoing(node: Node): Node[] {
  const list = node.$out;
  if (list === null) return [];
  if ((node.$st & MIXED_OUT) !== 0 || (node.$s !== null && node.$s.removedNodes.length > 0)) {
    return distinctHop(node, 'out', list);
  }
  const { length } = list;
  const results: Node[] = new Array(length);
  let states = 0;
  for (let i = 0; i < length; i++) {
    const edge = list[i]!;
    const far = edge.$dst;
    results[i] = far === node ? edge.$src : far;
    states |= edge.$st;
  }
  return (states & DELETED) !== 0 ? distinctHop(node, 'out', list) : results;
}

/** The same with a look at every far end: it may be there already, or gone. */
function distinctHop(node: Node, direction: 'out' | 'in', list: readonly Edge[]): Node[] {
  const stamp = ++lastStamp;
  const results: Node[] = [];
  for (let i = 0; i < list.length; i++) {
    const edge = list[i]!;
    const far = farEnd(edge, node, direction);
    if (far.$mk === stamp || ((edge.$st | far.$st) & DELETED) !== 0) continue;
    far.$mk = stamp;
    results.push(far);
  }
  return results;
}

/** A hop restricted by types alone. What a class answers is remembered while the class stays the same. */
function typedHop(node: Node, direction: 'out' | 'in', { type, nodeType }: Hop): Node[] {
  const list = direction === 'out' ? node.$out : listed(node.$in);
  if (list === null) return [];
  const stamp = ++lastStamp;
  const results: Node[] = [];
  let [edgeClass, edgeFits, nodeClass, nodeFits] = [0, true, 0, true];
  for (let i = 0; i < list.length; i++) {
    const edge = list[i]!;
    if (type !== undefined && edge.$cid !== edgeClass) {
      edgeClass = edge.$cid;
      edgeFits = matchesType(edge, type);
    }
    if (!edgeFits) continue;
    const far = farEnd(edge, node, direction);
    if (nodeType !== undefined && far.$cid !== nodeClass) {
      nodeClass = far.$cid;
      nodeFits = matchesType(far, nodeType);
    }
    if (!nodeFits || far.$mk === stamp || ((edge.$st | far.$st) & DELETED) !== 0) continue;
    far.$mk = stamp;
    results.push(far);
  }
  return results;
}

/** Is a far end met for the first time in this hop? By a stamp on the node, unless conditions may hop themselves. */
export function firstTime(hop: Hop): (far: Node) => boolean {
  if (hop.nodeWhere !== undefined || hop.edgeWhere !== undefined) {
    const seen = new Set<Node>();
    return (far) => seen.size < seen.add(far).size;
  }
  const stamp = nextStamp();
  return (far) => {
    if (far.$mk === stamp) return false;
    far.$mk = stamp;
    return true;
  };
}

export function isBare(hop: Hop): boolean {
  return (
    hop.type === undefined &&
    hop.nodeType === undefined &&
    hop.edgeWhere === undefined &&
    hop.nodeWhere === undefined &&
    hop.only === undefined &&
    hop.limit === undefined
  );
}

/** Does this edge to this far end belong to the hop? The answer about types is remembered per class. */
export function admission(hop: Hop): (edge: Edge, far: Node) => boolean {
  const { type, edgeWhere, nodeType, nodeWhere } = hop;
  const only = hop.only === undefined ? undefined : new Set(Array.isArray(hop.only) ? hop.only : [hop.only]);
  let edgeClass = 0;
  let edgeFits = false;
  let nodeClass = 0;
  let nodeFits = false;
  return (edge, far) => {
    if (type !== undefined) {
      if (edge.$cid !== edgeClass) {
        edgeClass = edge.$cid;
        edgeFits = matchesType(edge, type);
      }
      if (!edgeFits) return false;
    }
    if (nodeType !== undefined) {
      if (far.$cid !== nodeClass) {
        nodeClass = far.$cid;
        nodeFits = matchesType(far, nodeType);
      }
      if (!nodeFits) return false;
    }
    return (
      (only === undefined || only.has(far)) &&
      (edgeWhere === undefined || edgeWhere(edge)) &&
      (nodeWhere === undefined || nodeWhere(far))
    );
  };
}

export function slice<T>(results: T[], hop: Hop): T[] {
  if (hop.limit === undefined) return results;
  const from = hop.offset ?? 0;
  return results.slice(from, from + hop.limit);
}

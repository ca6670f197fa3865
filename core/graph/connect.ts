/**
 * `++>` and its relatives, `del -->` and the deletion of graph objects (docs/language/graph.md#connect,
 * docs/language/graph.md#deletion).
 */

import type { MaybePromise } from '../../base/maybe-promise.ts';
import { pairsOf } from '../../library/classes/bind.ts';
import { cloneFields, construct } from '../../library/classes/construct.ts';
import { metaOf } from '../../library/classes/meta.ts';
import { DELETED } from '../../library/classes/state.ts';
import { look } from '../../library/limits/look.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { AnySet } from '../../library/values/containers/sets.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import type { Kwargs } from '../../library/values/kwargs.ts';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { key } from '../../library/values/objects/protocol.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { compatibility } from '../memory/compatibility.ts';
import { requireWritable } from '../memory/read-only.ts';
import { edgesOf, link, markRemoved } from './adjacency.ts';
import type { Direction, Hop } from './hop.ts';
import { hops } from './hops.ts';
import { Edge, GenericEdge, Node, Root } from './objects.ts';

/**
 * Joins every node on the left with every node on the right. `dir` says how the operator points: `out` `++>`, `in`
 * `<++`, `any` `<++>` (one undirected edge). Gives the operand the operator points at, as it was written
 * (docs/language/graph.md#value-of-connect).
 *
 * @throws PermissionError without CONNECT on both ends; TypeError for operands that are not nodes.
 */
export function connect(left: unknown, right: unknown, dir: Direction, edge?: unknown, fields?: Kwargs): unknown {
  const lefts = operands(left);
  const rights = operands(right);
  const values = pairsOf(fields);
  let given = edge;
  for (const a of lefts) {
    for (const b of rights) {
      if ($due) look();
      const made = makeEdge(given, values);
      if (made === given) given = made.$meta.cls === GenericEdge ? undefined : new Used(made);
      join(made, dir === 'in' ? b : a, dir === 'in' ? a : b, dir === 'any');
    }
  }
  const value = dir === 'in' ? left : right;
  return compatibility().connectReturnsList ? operands(value) : value;
}

/** An edge instance that already joins a pair: further pairs get copies. */
class Used {
  readonly edge: Edge;
  constructor(edge: Edge) {
    this.edge = edge;
  }
}

function makeEdge(given: unknown, values: readonly (readonly [string, unknown])[]): Edge {
  const edge = given === undefined || given === null ? (GenericEdge as any).$new() : fromOperand(given);
  for (const [name, value] of values) {
    if (!edge.$meta.byName.has(name)) throw new ValueError(`Invalid attribute: ${name}`);
    edge[key(name)] = value;
  }
  return edge;
}

function fromOperand(given: unknown): any {
  if (given instanceof Used) return cloneFields(given.edge);
  if (given instanceof Edge) return given.$src === null ? given : cloneFields(given);
  if (metaOf(given)?.kind === 'edge') return construct(given, []);
  throw new TypeError(`an edge type is needed to connect, not '${typeName(given)}'`);
}

function join(edge: Edge, source: Node, target: Node, undirected: boolean): void {
  for (const end of [source, target]) {
    if ((end.$st & DELETED) !== 0) throw new ValueError(`cannot connect a deleted ${(end as any).$meta.name}`);
    if (end.$s !== null && !end.$s.mayConnect(end)) return;
  }
  const session = source.$s ?? target.$s;
  if (session !== null) requireWritable(session, 'connected nodes');
  link(edge, source, target, undirected);
  if (session !== null) session.adopt(edge);
}

function operands(x: unknown): Node[] {
  if (x instanceof Node) return [x];
  const items = x instanceof Tuple ? x.items : x;
  if (!Array.isArray(items)) throw new TypeError(`cannot connect a value of type '${typeName(x)}'`);
  return items.map((item) => {
    if (item instanceof Node) return item;
    throw new TypeError(`cannot connect a value of type '${typeName(item)}'`);
  });
}

/** `a del --> b`: removes every edge between the operands that fits the hop; was there one? */
export function disconnect(left: unknown, right: unknown, hop: Hop): MaybePromise<boolean> {
  const found = hops(operands(left), 'edge', [{ ...hop, only: operands(right), toCut: true }]);
  const remove = (edges: Edge[]) => edges.reduce((any, edge) => removeEdge(edge, 'disconnect') || any, false);
  return found instanceof Promise ? found.then(remove) : remove(found);
}

/**
 * `del x`: deletes the nodes and edges that `x` is or holds, in lists, tuples and sets and as values of dicts. A node takes its edges along.
 *
 * @throws ValueError for a root; PermissionError without WRITE.
 */
export function destroy(x: unknown): MaybePromise<null> {
  if (x instanceof Edge) {
    removeEdge(x, 'delete');
    return null;
  }
  if (x instanceof Node) return destroyNode(x);
  if (typeof x !== 'object' || x === null || itemsOf(x) === undefined) return null;
  const found = new Set<Node | Edge>();
  gather(x, found, new Set());
  let before = null as MaybePromise<null>;
  for (const one of found) before = before instanceof Promise ? before.then(() => destroy(one)) : destroy(one);
  return before;
}

function gather(x: unknown, found: Set<Node | Edge>, seen: Set<unknown>): void {
  if (x instanceof Node || x instanceof Edge) {
    found.add(x);
    return;
  }
  const items = itemsOf(x);
  if (items === undefined || seen.has(x)) return;
  seen.add(x);
  for (const item of items) gather(item, found, seen);
}

function itemsOf(x: unknown): Iterable<unknown> | undefined {
  if (Array.isArray(x)) return x;
  if (x instanceof Tuple) return x.items;
  if (x instanceof Dict) return x.values();
  return x instanceof AnySet ? x : undefined;
}

function destroyNode(node: Node): MaybePromise<null> {
  if (node instanceof Root) throw new ValueError('root cannot be deleted');
  if ((node.$st & DELETED) !== 0) return null;
  if (node.$s !== null && !node.$s.mayDelete(node)) return null;
  if (node.$s !== null && node.$row !== null) requireWritable(node.$s, 'deleted an object');
  for (const edge of edgesOf(node, 'any')) markRemoved(edge);
  node.$st |= DELETED;
  if (node.$s !== null) node.$s.removed(node);
  return null;
}

function removeEdge(edge: Edge, operation: 'disconnect' | 'delete'): boolean {
  if ((edge.$st & DELETED) !== 0 || edge.$src === null) return false;
  if (edge.$s !== null && !edge.$s.mayRemove(edge, operation)) return false;
  if (edge.$s !== null && edge.$row !== null) requireWritable(edge.$s, 'deleted an object');
  markRemoved(edge);
  if (edge.$s !== null) edge.$s.removed(edge);
  return true;
}

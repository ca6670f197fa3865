/** Edge references: `[here ->:E:-> [?:T]]` (docs/language/graph.md#edge-references). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { FULL, FULL_IN, FULL_OUT } from '../../library/classes/state.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { hopInMemory, isBare, outgoing } from './adjacency.ts';
import type { Hop } from './hop.ts';
import { Edge, Node } from './objects.ts';

const needed = { out: FULL_OUT, in: FULL_IN, any: FULL } as const;

/**
 * Follows the hops from a node, an edge (its target) or a list of them: nodes without duplicates in order of edge creation, or
 * the edges of the last hop. A snapshot. A promise only where the store cannot answer at once.
 */
export function hops(origin: unknown, want: 'node' | 'edge', path: readonly Hop[]): MaybePromise<any[]> {
  return toldOf === undefined ? findHops(origin, want, path) : toldOf(path, () => findHops(origin, want, path));
}

/** Follows hops and tells of them. */
export type TellHops = (path: readonly Hop[], find: () => MaybePromise<any[]>) => MaybePromise<any[]>;

let toldOf: TellHops | undefined;

/** Tells of each hop of this process from now on. */
export function tellHops(tell: TellHops): void {
  toldOf = tell;
}

function findHops(origin: unknown, want: 'node' | 'edge', path: readonly Hop[]): MaybePromise<any[]> {
  if (path.length === 1 && isNode(origin)) {
    const hop = path[0]!;
    // The commonest form by far gets the shortest way.
    if (want === 'node' && hop.dir === 'out' && (origin.$st & FULL_OUT) !== 0 && isBare(hop)) return outgoing(origin);
    return hopFrom(origin, hop, want === 'edge');
  }
  return follow(originNodes(origin), want, path, 0);
}

// Cheaper than `instanceof`, which walks up the prototypes.
function isNode(x: any): x is Node {
  return typeof x === 'object' && x !== null && x.$out !== undefined;
}

/** One hop from one node: in memory when all its edges are there, else through the session. */
export function hopFrom(node: Node, hop: Hop, wantEdges: boolean): MaybePromise<any[]> {
  const full = needed[hop.dir];
  return (node.$st & full) === full ? hopInMemory(node, hop, wantEdges) : node.$s.hop(node, hop, wantEdges);
}

function follow(from: readonly Node[], want: 'node' | 'edge', path: readonly Hop[], at: number): MaybePromise<any[]> {
  const last = at === path.length - 1;
  const found = hopAll(from, path[at]!, last && want === 'edge');
  if (last) return found;
  return found instanceof Promise
    ? found.then((nodes) => follow(nodes, want, path, at + 1))
    : follow(found, want, path, at + 1);
}

/** One hop from several nodes: results concatenated and de-duplicated; nodes that are not in memory are asked for together. */
function hopAll(from: readonly Node[], hop: Hop, wantEdges: boolean): MaybePromise<any[]> {
  if (from.length === 1) return hopFrom(from[0]!, hop, wantEdges);
  const full = needed[hop.dir];
  const outside = from.filter((node) => (node.$st & full) !== full);
  const whole: Hop = hop.limit === undefined ? hop : { ...hop, limit: Number.POSITIVE_INFINITY, offset: 0 };
  const join = (fetched: readonly (readonly any[])[]) => {
    const byNode = new Map(outside.map((node, i) => [node, fetched[i]!]));
    const results = new Set<any>();
    for (const node of from) for (const x of byNode.get(node) ?? hopInMemory(node, whole, wantEdges)) results.add(x);
    const all = [...results];
    return hop.limit === undefined ? all : all.slice(hop.offset ?? 0, (hop.offset ?? 0) + hop.limit);
  };
  if (outside.length === 0) return join([]);
  const fetched: MaybePromise<any[][]> = outside[0]!.$s.hopMany(outside, whole, wantEdges);
  return fetched instanceof Promise ? fetched.then(join) : join(fetched);
}

function originNodes(origin: unknown): Node[] {
  if (origin instanceof Node) return [origin];
  if (origin instanceof Edge) {
    const { target } = origin;
    return target === null ? [] : [target];
  }
  const items = origin instanceof Tuple ? origin.items : origin;
  if (!Array.isArray(items)) throw new TypeError(`an edge reference starts at a node, not at '${typeName(origin)}'`);
  return [...new Set(items.flatMap(originNodes))];
}

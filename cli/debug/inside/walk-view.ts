import { hops } from '../../../core/graph/hops.ts';
import { type Edge, GenericEdge, type Node } from '../../../core/graph/objects.ts';
import type { Walk } from '../../../core/walkers/walk.ts';
import { typeName } from '../../../library/values/objects/type-name.ts';
import type { Graph, GraphNode } from '../protocol.ts';
import { shortRepr } from './values.ts';

/** Places that a walk has been at, the last ones, and their number. */
export interface Trail {
  readonly places: unknown[];
  seen: number;
}

const keptPlaces = 200;

/** Notes that an ability runs at a place; several at the same one count once. */
export function notePlace(trails: WeakMap<Walk, Trail>, walk: Walk): void {
  let trail = trails.get(walk);
  if (trail === undefined) trails.set(walk, (trail = { places: [], seen: 0 }));
  if (trail.places.at(-1) === walk.here) return;
  trail.seen += 1;
  trail.places.push(walk.here);
  if (trail.places.length > keptPlaces * 2) trail.places.splice(0, keptPlaces);
}

export function queueOf(walk: Walk, most = Number.POSITIVE_INFINITY): readonly unknown[] {
  return walk.queue.slice(walk.head, walk.head + most);
}

/** Longest lists of places in an answer, and the most edges that are followed from one node. */
const shownPlaces = 100;

/** The nodes around a place, breadth first, at most `limit` and at most `depth` edges away. */
export function viewGraph(
  start: Node,
  walk: Walk | undefined,
  trail: Trail | undefined,
  { depth, limit }: { readonly depth: number; readonly limit: number },
): Graph {
  const numbers = new Map<unknown, number>();
  const nodes: GraphNode[] = [];
  const edges: { from: number; to: number; label: string }[] = [];
  const seen = new Set<Edge>();
  const open: { readonly node: Node; readonly depth: number }[] = [];
  let isCut = false;
  const meet = (node: Node, at: number): number | undefined => {
    const known = numbers.get(node);
    if (known !== undefined) return known;
    if (nodes.length >= limit) {
      isCut = true;
      return undefined;
    }
    numbers.set(node, nodes.length);
    nodes.push({ id: nodes.length, type: typeName(node), label: shortRepr(node) });
    open.push({ node, depth: at });
    return nodes.length - 1;
  };
  meet(start, 0);
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (at.depth >= depth) continue;
    const found = hops(at.node, 'edge', [{ dir: 'any' }]);
    // A store that answers later cannot be asked while the program stands.
    if (found instanceof Promise) {
      found.catch(() => {});
      isCut = true;
      continue;
    }
    for (const edge of found as readonly Edge[]) {
      if (edges.length >= limit * 2) {
        isCut = true;
        break;
      }
      if (seen.has(edge)) continue;
      seen.add(edge);
      const [from, to] = [meet(edge.$src, at.depth + 1), meet(edge.$dst, at.depth + 1)];
      if (from !== undefined && to !== undefined)
        edges.push({ from, to, label: edge instanceof GenericEdge ? '' : shortRepr(edge) });
    }
  }
  const numberOf = (place: unknown) => numbers.get(place) ?? null;
  const queue = walk === undefined ? [] : queueOf(walk, shownPlaces);
  const visited = (trail?.places ?? []).slice(-shownPlaces);
  return {
    nodes,
    edges,
    here: walk === undefined ? null : numberOf(walk.here),
    queue: queue.map(numberOf),
    visited: visited.map(numberOf),
    walk:
      walk === undefined
        ? null
        : {
            here: shortRepr(walk.here),
            queue: queue.map(shortRepr),
            visited: visited.map(shortRepr),
            queued: walk.queue.length - walk.head,
            seen: trail?.seen ?? 0,
          },
    isCut,
  };
}

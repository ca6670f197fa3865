/** Links of nodes as remote stores list them: from the ends of edges, each with its place in the order of creation. */
import type { Direction } from '../../core/graph/hop.ts';
import type { LinkList } from '../../core/memory/rows.ts';
import { FOREIGN, INCOMING, type NeighbourQuery, RECORD, REVERSED, UNDIRECTED } from '../../core/memory/store.ts';

export interface Link {
  /** Sorts in order of creation. */
  readonly edge: string;
  readonly far: string;
  readonly type: number;
  readonly flags: number;
}

/** Packs the facts about an edge that its links carry. */
export function linkFlags(undirected: boolean, hasRecord: boolean, isForeign: boolean): number {
  return (undirected ? UNDIRECTED : 0) | (hasRecord ? RECORD : 0) | (isForeign ? FOREIGN : 0);
}

/** Flags of an edge seen from one of its ends; undefined when a hop in this direction does not follow it. */
export function flagsSeen(dir: 'out' | 'in' | 'loop', flags: number, wanted: Direction): number | undefined {
  const undirected = (flags & UNDIRECTED) !== 0;
  if (dir === 'loop' || dir === wanted) return flags;
  if (wanted === 'any') return dir === 'out' ? flags : undirected ? flags | REVERSED : flags | INCOMING;
  return undirected ? flags | REVERSED : undefined;
}

/** Lists links in order of creation. */
export function listOf(links: readonly Link[], query: NeighbourQuery): LinkList {
  const ordered = [...links].sort((a, b) => (a.edge < b.edge ? -1 : a.edge > b.edge ? 1 : 0));
  const some = query.limit === undefined ? ordered : ordered.slice(0, query.limit);
  const nodes = some.map(({ far }) => far);
  if (!query.details && some.every(({ flags }) => flags === 0)) return { nodes, details: undefined };
  const details = {
    edges: some.map(({ edge }) => edge),
    types: some.map(({ type }) => type),
    flags: some.map(({ flags }) => flags),
  };
  return { nodes, details };
}

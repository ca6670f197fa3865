/**
 * Short lists of links remembered with a node's row (decisions/0070). A row says which version of the node's edges it belongs to (`topo`), and
 * for one version the lists are always the same: so a list can be wrong only together with its row, which the check at the commit
 * notices. A commit that adds an edge carries the lists over to the next version of the row.
 */
import type { Direction } from '../graph/hop.ts';
import type { KnownLinks, LinkList, NodeRow } from './rows.ts';
import type { NeighbourQuery, NewEdge } from './store.ts';

/** An edge that comes to a node, as its lists see it. */
interface NewLink {
  readonly edge: number;
  readonly dir: 'in' | 'out';
  readonly far: number;
  readonly edgeType: number;
  readonly farType: number;
  readonly isPlain: boolean;
}

/** Changes of a unit that concern edges. */
interface Changes {
  readonly newEdges: readonly NewEdge[];
  readonly edgeChanges: readonly unknown[];
  readonly removedEdges: readonly unknown[];
  readonly removedNodes: readonly unknown[];
}

/** Longest list that is remembered, and how many a row remembers. */
const mostLinks = 32;
const mostLists = 2;

/** Tells whether a node's list of links is short enough to be remembered. */
export function isShort(row: NodeRow, dir: Direction, limit: number | undefined): boolean {
  return dir !== 'any' && (limit ?? row.topo) <= mostLinks;
}

export function knownLinks(row: NodeRow, query: NeighbourQuery): LinkList | undefined {
  if (row.links === undefined) return undefined;
  for (const known of row.links) if (isSame(known, query)) return known.links;
  return undefined;
}

// Lists of types are made once for each set of classes (type-bindings.ts), so they need not be compared number by number.
function isSame(known: KnownLinks, query: NeighbourQuery): boolean {
  return (
    known.nodeTypes === query.nodeTypes &&
    known.edgeTypes === query.edgeTypes &&
    known.limit === query.limit &&
    known.dir === query.dir
  );
}

export function rememberLinks(row: NodeRow, query: NeighbourQuery, links: LinkList): void {
  if (links.last === undefined || links.nodes.length > mostLinks) return;
  const { dir, edgeTypes, nodeTypes, limit } = query;
  const others = row.links?.slice(0, mostLists - 1) ?? [];
  row.links = [{ dir, edgeTypes, nodeTypes, limit, links }, ...others];
}

/** A row's lists after a commit. Edges that come one by one are added; after anything else the store is asked again. */
export function linksAfter(row: NodeRow, changes: Changes): readonly KnownLinks[] | undefined {
  const { newEdges, edgeChanges, removedEdges, removedNodes } = changes;
  if (row.links === undefined || newEdges.length > mostLinks) return undefined;
  if (edgeChanges.length + removedEdges.length + removedNodes.length > 0) return undefined;
  let lists: readonly KnownLinks[] = row.links;
  for (const edge of newEdges) {
    const [source, target] = [keyOf(edge.source), keyOf(edge.target)];
    if (source !== row.key && target !== row.key) continue;
    if (edge.undirected || source === target) return undefined;
    const leaves = source === row.key;
    lists = withLink(lists, {
      edge: edge.key as number,
      dir: leaves ? 'out' : 'in',
      far: leaves ? target : source,
      edgeType: edge.type.id,
      farType: (leaves ? edge.targetType : edge.sourceType).id,
      isPlain: edge.data === '' && edge.access === '' && edge.uid === '' && edge.owner === undefined,
    });
  }
  return lists.length === 0 ? undefined : lists;
}

// Only stores that number edges give lists to remember.
function keyOf(end: NewEdge['source']): number {
  return (typeof end === 'object' ? end.key : end) as number;
}

function withLink(lists: readonly KnownLinks[], link: NewLink): readonly KnownLinks[] {
  const kept: KnownLinks[] = [];
  for (const known of lists) {
    const next = extend(known, link);
    if (next !== undefined) kept.push(next);
  }
  return kept;
}

function extend(known: KnownLinks, link: NewLink): KnownLinks | undefined {
  const { dir, edgeTypes, nodeTypes, limit, links } = known;
  const concerns =
    dir === link.dir &&
    (edgeTypes === undefined || edgeTypes.includes(link.edgeType)) &&
    (nodeTypes === undefined || nodeTypes.includes(link.farType));
  if (!concerns) return known;
  // Another process may have given out greater numbers already: then the edge does not come last.
  if (link.edge <= links.last!) return undefined;
  if (links.nodes.length === limit) return known;
  if (!link.isPlain || links.nodes.length === mostLinks) return undefined;
  return {
    dir,
    edgeTypes,
    nodeTypes,
    limit,
    links: { nodes: [...links.nodes, link.far], details: undefined, last: link.edge },
  };
}

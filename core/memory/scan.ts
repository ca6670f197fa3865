/** All of a store, by its port alone: for looking through it and for taking it elsewhere. */
import { type EdgeRow, type Key, NodeRow, type StoredType } from './rows.ts';
import { type GraphStore, RECORD, REVERSED, UNDIRECTED } from './store.ts';

export interface ScannedEdge {
  readonly key: Key;
  readonly uid: string;
  readonly type: StoredType;
  readonly source: Key;
  readonly target: Key;
  readonly undirected: boolean;
  /** Undefined for an edge that is known from its ends alone. */
  readonly row: EdgeRow | undefined;
}

export interface ScannedPage {
  readonly nodes: readonly NodeRow[];
  /** Edges that leave those nodes, of each one in order of creation. */
  readonly edges: readonly ScannedEdge[];
}

const pageLength = 200;
/** Edges asked for at once, about: a node may have more. */
const mostEdges = 10_000;
/** Edges in a page. */
const edgesPerPage = 2000;

/** Nodes with the edges that leave them; every object once. */
export async function* scanStore(store: GraphStore): AsyncGenerator<ScannedPage> {
  for await (const keys of nodeKeys(store)) yield* scanNodes(store, keys);
}

/** Reads the given nodes that are there, with the edges that leave them. */
export async function* scanNodes(store: GraphStore, keys: readonly Key[]): AsyncGenerator<ScannedPage> {
  for (let i = 0; i < keys.length; i += pageLength) {
    const rows = await store.nodes(keys.slice(i, i + pageLength));
    const nodes = rows.filter((row) => row instanceof NodeRow);
    for (const some of withFewEdges(nodes)) {
      let isFirst = true;
      for await (const edges of edgesFrom(store, some)) {
        yield { nodes: isFirst ? some : [], edges };
        isFirst = false;
      }
    }
  }
}

/** Parts of a list whose nodes have few edges together, or one that has many. */
function* withFewEdges(nodes: readonly NodeRow[]): Generator<readonly NodeRow[]> {
  let part: NodeRow[] = [];
  let count = 0;
  for (const node of nodes) {
    if (part.length > 0 && count + node.topo > mostEdges) {
      yield part;
      [part, count] = [[], 0];
    }
    part.push(node);
    count += node.topo;
  }
  if (part.length > 0) yield part;
}

/** Reads the given nodes that are there, without their edges. */
export async function* scanNodesAlone(store: GraphStore, keys: readonly Key[]): AsyncGenerator<readonly NodeRow[]> {
  for (let i = 0; i < keys.length; i += pageLength) {
    const rows = await store.nodes(keys.slice(i, i + pageLength));
    yield rows.filter((row) => row instanceof NodeRow);
  }
}

/** Reads all edges of a store that lists them. */
export async function* scanEdges(
  store: GraphStore,
  all: AsyncIterable<readonly EdgeRow[]>,
): AsyncGenerator<readonly ScannedEdge[]> {
  for await (const rows of all)
    yield rows.map((row): ScannedEdge => {
      const { key, type, source, target, undirected, hasRecord } = row;
      const uid = row.uid === '' ? store.edgeUid(key, source) : row.uid;
      return { key, uid, type, source, target, undirected, row: hasRecord ? row : undefined };
    });
}

/** Gives the keys of all nodes, in pages of any length. */
export async function* nodeKeys(store: GraphStore): AsyncGenerator<readonly Key[]> {
  if (store.nodeKeys !== undefined) {
    yield* store.nodeKeys();
    return;
  }
  const { keys } = await store.roots();
  yield keys;
  for (const root of keys) yield await store.ownedBy(root);
}

/** Pages of the edges that leave the nodes; one at least, which may be empty. */
async function* edgesFrom(store: GraphStore, nodes: readonly NodeRow[]): AsyncGenerator<readonly ScannedEdge[]> {
  const lists = await store.neighbours({
    from: nodes.map((node) => node.key),
    dir: 'out',
    edgeTypes: undefined,
    nodeTypes: undefined,
    where: undefined,
    details: true,
    limit: undefined,
    isShort: false,
  });
  let found: Found[] = [];
  for (const [i, { nodes: far, details }] of lists.entries())
    for (const [j, target] of far.entries()) {
      const flags = details!.flags[j]!;
      // An undirected edge is listed from both ends, a loop of that kind twice from one.
      if ((flags & REVERSED) !== 0) continue;
      found.push({ key: details!.edges[j]!, type: details!.types[j]!, flags, source: nodes[i]!.key, target });
      if (found.length < edgesPerPage) continue;
      yield await withRecords(store, found);
      found = [];
    }
  yield await withRecords(store, found);
}

interface Found {
  readonly key: Key;
  readonly type: number;
  readonly flags: number;
  readonly source: Key;
  readonly target: Key;
}

async function withRecords(store: GraphStore, found: readonly Found[]): Promise<readonly ScannedEdge[]> {
  const withRecord = found.filter(({ flags }) => (flags & RECORD) !== 0).map(({ key }) => key);
  const rows = new Map<Key, EdgeRow>();
  for (const row of withRecord.length === 0 ? [] : await store.edges(withRecord))
    if (row !== undefined) rows.set(row.key, row);
  return found.map(({ key, type, flags, source, target }) => {
    const row = rows.get(key);
    const uid = row === undefined || row.uid === '' ? store.edgeUid(key, source) : row.uid;
    return { key, uid, type: store.types.get(type)!, source, target, undirected: (flags & UNDIRECTED) !== 0, row };
  });
}

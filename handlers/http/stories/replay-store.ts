/** Store for a replay: it answers what the recorded call was answered, and writes nothing. */
import { chain } from '../../../core/memory/chain.ts';
import type { LinkList } from '../../../core/memory/rows.ts';
import type { CommitLog, GraphStore, NeighbourQuery, UnitWrite } from '../../../core/memory/store.ts';
import type { Changes } from './changes.ts';
import { linkQuestion, type Seen } from './seen.ts';

export interface ReplayStore {
  readonly store: GraphStore;
  /** Number of records and lists that the call had not been given: they are as they are now. */
  readonly strayed: () => number;
}

/** @param commits changes of the recorded call, whose keys those of the replay get as well */
export function openReplayStore(real: GraphStore, seen: Seen, commits: readonly Changes[]): ReplayStore {
  const { rows, uids, edges, edgeUids, links, roots, owned } = seen.state;
  let strayed = 0;
  let commit = 0;

  /** Recorded answers in the order asked, those that are not there from the store. */
  function answers<K, V>(keys: readonly K[], known: ReadonlyMap<K, V>, ask: (missing: K[]) => any): any {
    const missing = keys.filter((key) => !known.has(key));
    if (missing.length === 0) return keys.map((key) => known.get(key));
    strayed += missing.length;
    return chain(ask(missing), (found: readonly V[]) => {
      let next = 0;
      return keys.map((key) => (known.has(key) ? known.get(key) : found[next++]));
    });
  }

  function neighbours(query: NeighbourQuery) {
    const asked = [query, knownThen(query)].find((one) => query.from.every((key) => links.has(linkQuestion(one, key))));
    if (asked !== undefined) return query.from.map((key) => nextOf(links.get(linkQuestion(asked, key))!));
    const { edgeTypes, nodeTypes } = knownThen(query);
    if (edgeTypes?.length === 0 || nodeTypes?.length === 0) return query.from.map(() => noLinks);
    strayed += query.from.length;
    return real.neighbours(query);
  }

  /** The question without types that the store had not met when the call began. */
  function knownThen(query: NeighbourQuery): NeighbourQuery {
    const known = new Set([...real.types.keys()].slice(0, seen.knownTypes));
    const only = (types: readonly number[] | undefined) => types?.filter((type) => known.has(type));
    return { ...query, edgeTypes: only(query.edgeTypes), nodeTypes: only(query.nodeTypes) };
  }

  function write(unit: UnitWrite): Promise<void> {
    const created = commits[commit++]?.created ?? [];
    const known = (isEdge: boolean) => created.filter((one) => one.isEdge === isEdge);
    const [nodes, others] = [known(false), known(true)];
    unit.newNodes.forEach((place, i) => {
      place.key = place.reserved ?? nodes[i]?.key ?? real.reserveNode().key;
      place.topo = unit.newEdges.filter((edge) => edge.source === place || edge.target === place).length;
    });
    unit.newEdges.forEach((place, i) => {
      place.key = others[i]?.key ?? -(i + 1);
    });
    unit.applied();
    return Promise.resolve();
  }

  const own: Partial<GraphStore> = {
    nodes: (keys) => answers(keys, rows, (missing) => real.nodes(missing)),
    nodesByUid: (asked) => answers(asked, uids, (missing) => real.nodesByUid(missing)),
    edges: (keys) => answers(keys, edges, (missing) => real.edges(missing)),
    edgeByUid: (uid) =>
      chain(
        answers([uid], edgeUids, () => chain(real.edgeByUid(uid), (row) => [row])),
        ([row]: any) => row,
      ),
    neighbours,
    roots: () => roots ?? real.roots(),
    ownedBy: (root) => owned.get(root) ?? real.ownedBy(root),
    foreignChanges: () => 0,
    log: emptyLog,
    commit: write,
    commitNow: undefined as never,
    flush: () => Promise.resolve(),
    lease: undefined as never,
    validate: () => [],
    snapshot: undefined as never,
    quarantine: () => {},
  };
  const store = Object.create(real) as GraphStore;
  for (const [name, value] of Object.entries(own)) Object.defineProperty(store, name, { value });
  return { store, strayed: () => strayed };
}

function nextOf(lists: LinkList[]): LinkList {
  return lists.length === 1 ? lists[0]! : lists.shift()!;
}

const noLinks: LinkList = { nodes: [], details: undefined, last: 0 };

const emptyLog: CommitLog = {
  position: 0,
  append: () => {},
  truncate: () => {},
  changed: () => [],
  after: () => [],
  follower: undefined,
};

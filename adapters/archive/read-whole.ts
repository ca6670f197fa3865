/**
 * All of a store as it was at one moment, by its port alone (decisions/0087), brought to a place on the disk. A store that holds moments gives one. Any
 * other is read, and then looked through again: when every version is still what was read, all of it was there when the second look began. What has
 * changed meanwhile is read anew, and what keeps changing is leased until the look is through.
 */
import type { AccountStore } from '../../core/accounts/account-store.ts';
import { edgeName } from '../../core/memory/commit-log.ts';
import type { Key, NodeRow } from '../../core/memory/rows.ts';
import { nodeKeys, type ScannedEdge, scanEdges, scanNodes, scanNodesAlone } from '../../core/memory/scan.ts';
import type { GraphStore, ReadSet } from '../../core/memory/store.ts';
import type { Spool, SpooledEdge, SpooledNode } from './spool.ts';

export interface Whole {
  /** To be closed. */
  readonly spool: Spool;
  /** False: others changed too much for that, and calls of theirs may be in it in part. */
  readonly isOfOneMoment: boolean;
}

export interface ReadStore {
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
}

/** Looks through all of the store. */
const mostLooks = 30;
/** After so many of them what has changed is leased. */
const patientLooks = 2;
/** More than that is not kept from others. */
const mostLeased = 256;
/** Milliseconds that a lease lasts, also when this process dies before it gives the lease back. */
const leaseMs = 5000;
/** Nodes read at once. */
const pageLength = 1000;

/** `told` gets the number of nodes read so far, page by page. */
export async function readWhole(
  { graph, accounts }: ReadStore,
  openSpool: () => Spool,
  told: (nodes: number) => void,
): Promise<Whole> {
  const held = graph.snapshot?.();
  if (held === undefined) return await readInto(openSpool(), graph, accounts, false, told);
  try {
    return await readInto(openSpool(), held.store, accounts, true, told);
  } catch {
    // Moments are not held for ever.
    return await readInto(openSpool(), graph, accounts, false, told);
  } finally {
    held.end();
  }
}

async function readInto(
  spool: Spool,
  graph: GraphStore,
  accounts: AccountStore,
  isHeld: boolean,
  told: (nodes: number) => void,
): Promise<Whole> {
  try {
    const isOfOneMoment = await readFrom(createCopy(spool, graph, accounts, told), graph, isHeld);
    return { spool, isOfOneMoment };
  } catch (error) {
    spool.close();
    throw error;
  }
}

/** Tells whether all of it was there at one moment. */
async function readFrom(copy: ReturnType<typeof createCopy>, graph: GraphStore, isHeld: boolean): Promise<boolean> {
  const fence = createFence(graph);
  let [since, seen] = [graph.log.position, await graph.foreignChanges()];
  await copy.readRoots();
  try {
    let count = await copy.findNew();
    for (let look = 1; ; look++) {
      // A store whose log is too short says that everything has changed.
      if (count >= copy.size) [since, seen] = [graph.log.position, await graph.foreignChanges()];
      await copy.read();
      if (isHeld) return true;
      const changed = await copy.findChanged(since, seen);
      if (changed.haveRoots) await copy.readRoots();
      count = changed.count + (await copy.findNew());
      if (count === 0 && !changed.haveRoots) return true;
      if (look === mostLooks) return false;
      if (look > patientLooks) await fence.extend(changed.names);
    }
  } finally {
    await fence.end();
  }
}

/** The functions that bring a copy of a store up to date. */
function createCopy(spool: Spool, graph: GraphStore, accounts: AccountStore, told: (nodes: number) => void) {
  let roots: { readonly keys: readonly Key[]; readonly version: number } = { keys: [], version: 0 };
  const checked = async (reads: Partial<ReadSet>, since: number, seen: number): Promise<readonly Key[]> =>
    await graph.validate({
      ...{ since, seen, searched: [], mayHoldNode: () => true, mayHoldEdge: () => true },
      ...{ nodes: [], edges: [], listed: [], roots: undefined, types: undefined },
      ...reads,
    });
  return {
    get size() {
      return spool.size;
    },
    async readRoots(): Promise<void> {
      roots = await graph.roots();
      spool.putRoots(roots.keys);
      spool.dropAccounts();
      for await (const account of accounts.allAccounts()) spool.putAccount(account);
    },
    /** Marks nodes that were not there before; gives their number. */
    async findNew(): Promise<number> {
      let count = spool.want(roots.keys, true);
      for await (const keys of nodeKeys(graph)) count += spool.want(keys, true);
      return count;
    },
    /** Reads what is marked. The first time that is all there is: edges then follow without a question for each node, and none is too large for it. */
    async read(): Promise<void> {
      const edges = spool.size === 0 ? graph.allEdges?.() : undefined;
      for (;;) {
        const keys = spool.takeWanted(pageLength);
        if (keys.length === 0) break;
        if (edges !== undefined) {
          for await (const nodes of scanNodesAlone(graph, keys)) spool.putNodes(nodes.map(spooledNode));
          told(spool.size);
          continue;
        }
        for await (const page of scanNodes(graph, keys)) {
          spool.putNodes(page.nodes.map(spooledNode));
          spool.putEdges(page.edges.map(spooledEdge));
          told(spool.size);
        }
      }
      // A node that gained or lost one meanwhile has changed since it was read.
      if (edges !== undefined) for await (const page of scanEdges(graph, edges)) spool.putEdges(page.map(spooledEdge));
    },
    /** Marks what has changed. Each version is looked at once, after all of it was read. `names`: some of the keys, as conflicts name them. */
    async findChanged(since: number, seen: number) {
      const names = new Set<Key>();
      let count = 0;
      const mark = (name: Key, node: Key): void => {
        if (names.size < mostLeased * 2) names.add(name);
        count += spool.want([node], false);
      };
      const haveRoots = (await checked({ roots: roots.version }, since, seen)).length > 0;
      for (const rows of spool.nodeVersions())
        for (const key of await checked({ nodes: rows, listed: rows }, since, seen)) mark(key, key);
      for (const rows of spool.edgeVersions()) {
        const keys = new Map<Key, Key>(rows.map(({ key }) => [edgeName(key), key]));
        for (const found of await checked({ edges: rows }, since, seen)) {
          const key = keys.get(found) ?? found;
          mark(edgeName(key), spool.sourceOf(key)!);
        }
      }
      return { names: [...names], count, haveRoots };
    },
  };
}

function spooledNode(row: NodeRow): SpooledNode {
  const { key, uid, type, owner, rev, topo, access, data, attic } = row;
  return { key, uid, type: type.id, owner, rev, topo, access, data, attic };
}

function spooledEdge({ key, uid, type, source, target, undirected, row }: ScannedEdge): SpooledEdge {
  const { rev, owner, access, data, attic } = row ?? {};
  const record = row === undefined ? undefined : { rev: rev!, owner, access: access!, data: data!, attic: attic! };
  return { key, uid, type: type.id, source, target, undirected, record };
}

/** Leases on what keeps changing, where there are any. */
function createFence({ lease }: GraphStore) {
  const leased = new Set<Key>();
  const ends: (() => Promise<void>)[] = [];
  return {
    async extend(names: readonly Key[]): Promise<void> {
      const more = names.filter((name) => !leased.has(name)).slice(0, mostLeased - leased.size);
      if (lease === undefined || more.length === 0) return;
      for (const name of more) leased.add(name);
      ends.push(await lease(more, leaseMs));
    },
    async end(): Promise<void> {
      for (const end of ends) await end();
    },
  };
}

/**
 * All of a store as it was at one moment, by its port alone (decisions/0087). A store that holds moments gives one. Any
 * other is read, and then looked through again: when every version is still what was read, all of it was there when the
 * second look began. What has changed meanwhile is read anew, and what keeps changing is leased until the look is through.
 */
import type { AccountRecord, AccountStore } from '../accounts/account-store.ts';
import { edgeName } from '../memory/commit-log.ts';
import type { Key, NodeRow } from '../memory/rows.ts';
import { nodeKeys, type ScannedEdge, scanNodes } from '../memory/scan.ts';
import type { GraphStore, ReadSet } from '../memory/store.ts';

export interface Whole {
  readonly roots: readonly NodeRow[];
  readonly nodes: readonly NodeRow[];
  /** Nodes in no order. */
  readonly edges: readonly ScannedEdge[];
  readonly accounts: readonly AccountRecord[];
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
/** Versions asked for at once. */
const pageLength = 1000;

/** `told` gets the number of nodes read so far, page by page. */
export async function readWhole({ graph, accounts }: ReadStore, told: (nodes: number) => void): Promise<Whole> {
  const held = graph.snapshot?.();
  if (held === undefined) return await readFrom(graph, accounts, false, told);
  try {
    return await readFrom(held.store, accounts, true, told);
  } catch {
    // Moments are not held for ever.
    return await readFrom(graph, accounts, false, told);
  } finally {
    held.end();
  }
}

async function readFrom(
  graph: GraphStore,
  accounts: AccountStore,
  isHeld: boolean,
  told: (nodes: number) => void,
): Promise<Whole> {
  const fence = createFence(graph);
  let [since, seen] = [graph.log.position, await graph.foreignChanges()];
  const copy = createCopy(graph, accounts, told);
  await copy.readRoots();
  try {
    let changed: ReadonlySet<Key> = await copy.findNew();
    for (let look = 1; ; look++) {
      // A store whose log is too short says that everything has changed.
      if (changed.size >= copy.size) [since, seen] = [graph.log.position, await graph.foreignChanges()];
      if (changed.has('roots')) await copy.readRoots();
      await copy.read([...changed].filter((key) => key !== 'roots'));
      if (isHeld) return copy.whole(true);
      const names = await copy.findChanged(since, seen);
      changed = new Set([...(await copy.findNew()), ...names.map(copy.nodeOf)]);
      if (changed.size === 0) return copy.whole(true);
      if (look === mostLooks) return copy.whole(false);
      if (look > patientLooks) await fence.extend(names);
    }
  } finally {
    await fence.end();
  }
}

/** Makes an empty copy of a store and the functions that bring it up to date. */
function createCopy(graph: GraphStore, accounts: AccountStore, told: (nodes: number) => void) {
  const nodes = new Map<Key, { readonly row: NodeRow; readonly edges: ScannedEdge[] }>();
  /** All nodes that were ever met, also such as cannot be decoded. */
  const met = new Set<Key>();
  let roots: { readonly keys: readonly Key[]; readonly version: number } = { keys: [], version: 0 };
  let known: AccountRecord[] = [];
  /** Sources of edges, by the edge's own name and by its name in conflicts. */
  const sources = new Map<Key, Key>();
  return {
    get size() {
      return nodes.size;
    },
    async readRoots(): Promise<void> {
      roots = await graph.roots();
      known = [];
      for await (const account of accounts.allAccounts()) known.push(account);
    },
    /** Nodes that were not there before. */
    async findNew(): Promise<Set<Key>> {
      const found = new Set(roots.keys.filter((key) => !met.has(key)));
      for await (const keys of nodeKeys(graph)) for (const key of keys) if (!met.has(key)) found.add(key);
      return found;
    },
    async read(keys: readonly Key[]): Promise<void> {
      for (const key of keys) {
        met.add(key);
        nodes.delete(key);
      }
      for await (const page of scanNodes(graph, keys)) {
        for (const row of page.nodes) nodes.set(row.key, { row, edges: [] });
        for (const edge of page.edges) {
          nodes.get(edge.source)!.edges.push(edge);
          sources.set(edgeName(edge.key), edge.source);
        }
        told(nodes.size);
      }
    },
    /** Finds the keys that have changed, as conflicts name them. Each is looked at once, after all of it was read. */
    async findChanged(since: number, seen: number): Promise<Key[]> {
      const base = { since, seen, searched: [], mayHoldNode: () => true, mayHoldEdge: () => true };
      const nothing: ReadSet = { ...base, nodes: [], edges: [], listed: [], roots: undefined, types: undefined };
      const changed = new Set(await graph.validate({ ...nothing, roots: roots.version }));
      const all = [...nodes.values()];
      for (let i = 0; i < all.length; i += pageLength) {
        const page = all.slice(i, i + pageLength);
        const rows = page.map(({ row }) => row);
        const edges = page.flatMap(({ edges }) => edges.flatMap(({ row }) => row ?? []));
        for (const key of await graph.validate({ ...nothing, nodes: rows, listed: rows })) changed.add(key);
        for (const key of await graph.validate({ ...nothing, edges }))
          changed.add(sources.has(key) ? key : edgeName(key));
      }
      return [...changed];
    },
    /** The node that has to be read again because of it. */
    nodeOf: (name: Key): Key => sources.get(name) ?? name,
    whole(isOfOneMoment: boolean): Whole {
      const isRoot = new Set(roots.keys);
      const all = [...nodes.values()];
      return {
        roots: roots.keys.flatMap((key) => nodes.get(key)?.row ?? []),
        nodes: all.map(({ row }) => row).filter(({ key }) => !isRoot.has(key)),
        edges: all.flatMap(({ edges }) => edges),
        accounts: known,
        isOfOneMoment,
      };
    },
  };
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

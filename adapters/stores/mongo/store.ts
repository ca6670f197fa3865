/** The store over a document database: graph and accounts in one database of a replica set (docs/server/stores.md#document-database). */
import type { ClientSession, FindOptions } from 'mongodb';
import type { AccountStore } from '../../../core/accounts/account-store.ts';
import { newId, SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../../../core/graph/ids.ts';
import { createCommitLog } from '../../../core/memory/commit-log.ts';
import { rootShape } from '../../../core/memory/root-type.ts';
import type { EdgeRow, Key } from '../../../core/memory/rows.ts';
import { ANY_VERSION, type GraphStore, type NeighbourQuery, type ReadSet } from '../../../core/memory/store.ts';
import { createTurns } from '../../../core/memory/turns.ts';
import { edgeId } from '../edge-names.ts';
import { createLeaseHolder } from '../leases.ts';
import type { PayloadCache } from '../payload-cache.ts';
import { createBackground, remoteBasics } from '../remote.ts';
import { createSequence } from '../sequence.ts';
import { createStoredTypes, type StoredTypes, type TypeList } from '../stored-types.ts';
import { createAccounts } from './accounts.ts';
import { databaseOf } from './address.ts';
import { createCachedNodes } from './cached-nodes.ts';
import { openClient } from './client.ts';
import { type Collections, collectionsOf, prepareCollections, type Stored } from './collections.ts';
import { allAtOnce, type CommitDeps, type CommitStep, commitUnit, rootsId } from './commit.ts';
import { leasePlaces } from './leases.ts';
import { readLinks, type Within } from './read-links.ts';
import { edgeRow, nodeRow, typeFields } from './rows.ts';
import { asked, isDuplicate } from './trouble.ts';

export interface MongoOptions {
  readonly uri: string;
  /** Database, where the address names none. */
  readonly name: string;
  readonly connectTimeoutMs?: number;
  readonly operationTimeoutMs?: number;
  readonly poolSize?: number;
  readonly nowMs?: () => number;
  /** Called with each command before it is sent. */
  readonly onCommand?: (name: string) => void;
  readonly onStep?: (step: CommitStep) => unknown;
  /** Copies of records elsewhere; closed with the store. */
  readonly cache?: PayloadCache;
}

export interface MongoStore {
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
}

/** @throws Failure `SERVICE_UNAVAILABLE` when nobody answers; UnusableStore when it is no replica set */
export async function openMongoStore(options: MongoOptions): Promise<MongoStore> {
  const { uri, name, nowMs = Date.now, operationTimeoutMs = 10_000 } = options;
  const client = await openClient({
    uri,
    connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    operationTimeoutMs,
    poolSize: options.poolSize ?? 20,
    onCommand: options.onCommand,
  });
  try {
    const collections = collectionsOf(client, databaseOf(uri) ?? name);
    await asked(prepareCollections(collections));
    return await openOn(collections, { ...options, nowMs, patienceMs: operationTimeoutMs });
  } catch (error) {
    await client.close().catch(() => {});
    await options.cache?.close();
    throw error;
  }
}

interface Openness extends Pick<MongoOptions, 'onStep' | 'cache'> {
  readonly nowMs: () => number;
  readonly patienceMs: number;
}

async function openOn(collections: Collections, options: Openness): Promise<MongoStore> {
  const { nowMs, patienceMs, onStep, cache } = options;
  const { client, db, quarantine } = collections;
  const types = createStoredTypes(typeList(collections));
  const log = createCommitLog();
  const sequence = createSequence(nowMs);
  await types.load();
  const home = await addBuiltInRoots(collections, types, sequence);
  const leases = createLeaseHolder(leasePlaces(collections), nowMs);
  const turns = createTurns();
  const commits: CommitDeps = { collections, types, log, turns, leases, sequence, nowMs, patienceMs, onStep };
  const background = createBackground();
  const read = graphReads(collections, types);
  let cacheWatch: ((isHit: boolean) => void) | undefined;
  const cached =
    cache === undefined
      ? undefined
      : createCachedNodes({ cache, home, types, load: read.nodes, onAsked: (isHit) => cacheWatch?.(isHit) });
  const graph: GraphStore = {
    name: 'docdb',
    ...remoteBasics({ types, nowMs, background }),
    log,
    ...read,
    ...(cached === undefined
      ? {}
      : {
          nodes: (keys, versions) => (versions === undefined ? read.nodes(keys) : cached.read(keys, versions)),
          neighbours: (query) => readLinks({ collections, types, wantsVersions: true }, query),
        }),
    async commit(unit) {
      await commitUnit(commits, unit);
      cached?.refresh(unit);
    },
    lease: leases.lease,
    flush: async () => {},
    validate: (reads) => changedReads(collections, reads),
    snapshot() {
      const session = client.startSession({ snapshot: true });
      const then = graphReads(collections, types, session);
      // The first answer tells the moment, for all that follow.
      const moment = then.nodes([SYSTEM_ROOT_ID]);
      moment.catch(() => {});
      const at = <A extends unknown[], R>(read: (...asked: A) => Promise<R>) => {
        return async (...wanted: A) => moment.then(() => read(...wanted));
      };
      const store: GraphStore = {
        ...graph,
        nodes: at(then.nodes),
        nodesByUid: at(then.nodesByUid),
        edges: at(then.edges),
        edgeByUid: at(then.edgeByUid),
        neighbours: at(then.neighbours),
        roots: at(then.roots),
        ownedBy: at(then.ownedBy),
      };
      return { store, end: () => background.run(moment.then(() => session.endSession())) };
    },
    quarantine(uid, reason, record) {
      const at = new Date(nowMs()).toISOString();
      background.run(quarantine.updateOne({ _id: uid }, { $setOnInsert: { reason, record, at } }, { upsert: true }));
    },
    watchCache(onAsked) {
      cacheWatch = onAsked;
    },
    async ping() {
      await asked(db.command({ ping: 1 }));
    },
    async close() {
      leases.close();
      await background.idle();
      await cache?.close();
      await client.close();
    },
  };
  return { graph, accounts: createAccounts({ collections, types, sequence, nowMs, patienceMs }) };
}

const typePrefix = 'type:';

/** Versions of types stand in `svc_meta` (decisions/0115). */
function typeList({ meta }: Collections): TypeList {
  return {
    async add(name, fields) {
      await asked(meta.updateOne({ _id: typePrefix + name }, { $set: fields }, { upsert: true }));
    },
    read: () => asked(meta.find({ _id: { $gte: typePrefix, $lt: 'type;' } }).toArray()),
  };
}

/** The roots that are always there (docs/server/permissions.md#effective-level). Gives the name of the database. */
async function addBuiltInRoots(
  { nodes, meta }: Collections,
  types: StoredTypes,
  sequence: () => string,
): Promise<string> {
  const type = await types.intern(rootShape());
  const at = new Date(0).toISOString();
  for (const id of [SYSTEM_ROOT_ID, SHARED_ROOT_ID]) {
    const record = { ...typeFields(type), owner: id, data: {}, rev: 1, topo: 0, created_at: at, updated_at: at };
    await asked(
      orThere(nodes.updateOne({ _id: id }, { $setOnInsert: { ...record, seq: sequence() } }, { upsert: true })),
    );
  }
  const counter = { format: 1, topo: 0, home: newId() };
  await asked(orThere(meta.updateOne({ _id: rootsId }, { $setOnInsert: counter }, { upsert: true })));
  return String((await asked(meta.findOne({ _id: rootsId })))?.['home']);
}

/** Waits for an insertion; a record that another process made at the same moment is no error. */
async function orThere(work: Promise<unknown>): Promise<void> {
  await work.catch((error) => {
    if (!isDuplicate(error)) throw error;
  });
}

/** Reads the collections as they are now, or, in a session that holds a moment, as they were then. */
function graphReads(collections: Collections, types: StoredTypes, session?: ClientSession) {
  const { nodes, edges, meta } = collections;
  // The client's own level would come before that of the session.
  const within: Within = session === undefined ? {} : { session, readConcern: { level: 'snapshot' } };
  const rows =
    <T>(collection: Collections['nodes'], rowOf: (types: StoredTypes, record: Stored) => T) =>
    async (keys: readonly Key[]): Promise<(T | undefined)[]> => {
      if (keys.length === 0) return [];
      const ids = keys.map(String);
      const found = await asked(collection.find({ _id: { $in: ids } }, { ...within, batchSize: allAtOnce }).toArray());
      const byId = new Map(found.map((record) => [record._id, rowOf(types, record)]));
      return ids.map((id) => byId.get(id));
    };
  const [nodesById, edgesById] = [rows(nodes, nodeRow), rows(edges, edgeRow)];
  return {
    nodes: nodesById,
    nodesByUid: nodesById,
    edges: (keys: readonly Key[]) => edgesById(keys.map(edgeId)),
    edgeByUid: async (uid: string) => (await edgesById([uid]))[0],
    neighbours: (query: NeighbourQuery) => readLinks({ collections, types, wantsVersions: false, within }, query),
    /** The version first: a root added in between makes the answer old, never incomplete. */
    async roots(): Promise<{ keys: Key[]; version: number }> {
      const counter = await asked(meta.findOne({ _id: rootsId }, within));
      const { module, name } = rootShape();
      const options = { ...within, projection: { seq: 1 }, batchSize: allAtOnce };
      const found = await asked(nodes.find({ type: name, module }, options).toArray());
      const listed = found.map(({ _id, seq }) => [String(seq), _id] as const).sort(([a], [b]) => (a < b ? -1 : 1));
      return { keys: listed.map(([, id]) => id), version: Number(counter?.['topo'] ?? 0) };
    },
    async ownedBy(root: Key): Promise<Key[]> {
      const filter = { owner: String(root), _id: { $ne: String(root) } };
      const options = { ...within, projection: { _id: 1 }, batchSize: allAtOnce };
      return (await asked(nodes.find(filter, options).toArray())).map(({ _id }) => _id);
    },
    async *nodeKeys(): AsyncIterable<readonly Key[]> {
      for await (const page of pagesOf(nodes, { ...within, projection: { _id: 1 } })) yield page.map(({ _id }) => _id);
    },
    async *allEdges(): AsyncIterable<readonly EdgeRow[]> {
      for await (const page of pagesOf(edges, within)) yield page.map((record) => edgeRow(types, record));
    },
  };
}

/** All of a collection, in the order of ids: a cursor of the server would be closed while nobody asks it. */
async function* pagesOf(collection: Collections['nodes'], options: FindOptions): AsyncIterable<readonly Stored[]> {
  for (let last = ''; ; ) {
    const found = await asked(
      collection
        .find({ _id: { $gt: last } }, { ...options, batchSize: allAtOnce })
        .sort({ _id: 1 })
        .limit(pageLength)
        .toArray(),
    );
    if (found.length === 0) return;
    yield found;
    last = found.at(-1)!._id;
  }
}

const pageLength = 2000;

/** The versions of everything a unit saw, in one query per collection, at once (docs/server/storage.md#units). */
async function changedReads({ nodes, edges, meta }: Collections, reads: ReadSet): Promise<Key[]> {
  const wantedNodes = [...reads.nodes.map(({ key }) => String(key)), ...reads.listed.map(({ key }) => String(key))];
  const [nodesNow, edgesNow, roots] = await asked(
    Promise.all([
      versions(nodes, [...new Set(wantedNodes)]),
      versions(
        edges,
        reads.edges.map(({ key }) => edgeId(key)),
      ),
      reads.roots === undefined ? undefined : meta.findOne({ _id: rootsId }),
    ]),
  );
  const changed = new Set<Key>();
  for (const { key, rev } of reads.nodes) if (differs(nodesNow.get(String(key)), 'rev', rev)) changed.add(key);
  for (const { key, topo } of reads.listed) if (differs(nodesNow.get(String(key)), 'topo', topo)) changed.add(key);
  for (const { key, rev } of reads.edges) if (differs(edgesNow.get(edgeId(key)), 'rev', rev)) changed.add(key);
  if (reads.roots !== undefined && roots?.['topo'] !== reads.roots) changed.add('roots');
  return [...changed];
}

async function versions(collection: Collections['nodes'], ids: readonly string[]): Promise<Map<string, Stored>> {
  if (ids.length === 0) return new Map();
  const projection = { rev: 1, topo: 1 };
  const found = await collection.find({ _id: { $in: [...ids] } }, { projection, batchSize: allAtOnce }).toArray();
  return new Map(found.map((record) => [record._id, record]));
}

function differs(record: Stored | undefined, field: 'rev' | 'topo', version: number): boolean {
  return record === undefined || (version !== ANY_VERSION && record[field] !== version);
}

/** The store of the cloud target: one DynamoDB table for the graph and the accounts (docs/server/stores.md#dynamodb). */
import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import type { AccountStore } from '../../../core/accounts/account-store.ts';
import { SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../../../core/graph/ids.ts';
import { createCommitLog } from '../../../core/memory/commit-log.ts';
import { rootShape } from '../../../core/memory/root-type.ts';
import type { Key } from '../../../core/memory/rows.ts';
import { ANY_VERSION, type GraphStore, type ReadSet } from '../../../core/memory/store.ts';
import { edgeId } from '../edge-names.ts';
import { createLeaseHolder } from '../leases.ts';
import { createBackground, remoteBasics } from '../remote.ts';
import { createSequence } from '../sequence.ts';
import { createStoredTypes, type StoredTypes, type TypeList } from '../stored-types.ts';
import { createAccounts } from './accounts.ts';
import { openClient } from './client.ts';
import { type CommitDeps, type CommitStep, commitUnit } from './commit.ts';
import { createIntents, type Intents } from './intents.ts';
import type { Item, ItemKey } from './item.ts';
import { edgeKey, nodeKey, quarantineKey, rootKey, rootsCounter, rootsList, typesList } from './keys.ts';
import { leasePlaces } from './leases.ts';
import { readLinks } from './read-links.ts';
import { edgeRow, nodeRow, typeItem } from './rows.ts';
import { openTable, type Table } from './table.ts';
import { graphTable, requireTable } from './tables.ts';

export interface DynamoOptions {
  readonly tablePrefix: string;
  /** Address of an emulator, where tables are made when they are missing; '' for the service. */
  readonly endpoint: string;
  readonly region?: string;
  readonly connectTimeoutMs?: number;
  readonly operationTimeoutMs?: number;
  readonly poolSize?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly nowMs?: () => number;
  /** Milliseconds that a process may be silent in the middle of a large commit before others give the unit up. */
  readonly leaseMs?: number;
  readonly onStep?: (step: CommitStep) => unknown;
}

export interface DynamoStore {
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
}

/** @throws Failure `SERVICE_UNAVAILABLE` when the service does not answer or the table is missing */
export async function openDynamoStore(options: DynamoOptions): Promise<DynamoStore> {
  const { endpoint, tablePrefix, nowMs = Date.now } = options;
  const client = await openClient({
    endpoint,
    region: options.region ?? '',
    connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    operationTimeoutMs: options.operationTimeoutMs ?? 10_000,
    poolSize: options.poolSize ?? 20,
    env: options.env ?? process.env,
  });
  try {
    await requireTable(client, graphTable(`${tablePrefix}graph`), endpoint !== '');
    return await openOn(client, openTable(client, `${tablePrefix}graph`), { ...options, nowMs });
  } catch (error) {
    client.destroy();
    throw error;
  }
}

async function openOn(
  client: DynamoDB,
  table: Table,
  { nowMs, leaseMs = 20_000, onStep }: DynamoOptions & { readonly nowMs: () => number },
): Promise<DynamoStore> {
  const types = createStoredTypes(typeList(table));
  const intents = createIntents(table, nowMs);
  const log = createCommitLog();
  const sequence = createSequence(nowMs);
  await types.load();
  await addBuiltInRoots(table, types, sequence);
  await intents.recover();
  const leases = createLeaseHolder(leasePlaces(table), nowMs);
  const commits: CommitDeps = { table, intents, types, log, leases, sequence, nowMs, leaseMs, onStep };
  const background = createBackground();
  const read = readers(table, intents, types);
  const graph: GraphStore = {
    name: 'dynamodb',
    ...remoteBasics({ types, nowMs, background }),
    log,
    nodes: read.nodes,
    nodesByUid: read.nodes,
    edges: read.edges,
    edgeByUid: async (uid) => (await read.edgesById([uid]))[0],
    neighbours: (query) => readLinks({ table, intents, types }, query),
    async roots() {
      const items = (await intents.resolve(await table.query({ pk: rootsList }))).filter((item) => item !== undefined);
      const version = Number(items.find((item) => item['sk'] === rootsCounter.sk)?.['topo'] ?? 0);
      const listed = items
        .filter((item) => item['sk'] !== rootsCounter.sk)
        .map((item) => [order(item), String(item['sk'])]);
      return { keys: listed.sort(([a], [b]) => (a! < b! ? -1 : 1)).map(([, id]) => id!), version };
    },
    nodeKeys: () => nodeKeys(table, intents),
    ownedBy: (root) => ownedBy(table, intents, root),
    commit: (unit) => commitUnit(commits, unit),
    lease: leases.lease,
    flush: () => intents.idle(),
    validate: (reads) => changedReads(table, intents, reads),
    quarantine(uid, reason, record) {
      const at = new Date(nowMs()).toISOString();
      background.run(table.write({ key: quarantineKey(uid), put: { reason, record, at }, when: [['absent', 'pk']] }));
    },
    async ping() {
      await table.get(nodeKey(SYSTEM_ROOT_ID));
    },
    async close() {
      leases.close();
      await intents.idle();
      await background.idle();
      client.destroy();
    },
  };
  return { graph, accounts: createAccounts({ table, intents, types, sequence, nowMs }) };
}

function order(item: Item): string {
  return String(item['seq'] ?? item['created_at'] ?? '');
}

/** Versions of types stand in a list of their own (decisions/0055). */
function typeList(table: Table): TypeList {
  return {
    async add(name, fields) {
      await table.write({ key: { pk: typesList, sk: name }, put: fields, when: [] });
    },
    read: () => table.query({ pk: typesList }),
  };
}

/** The roots that are always there (docs/server/permissions.md#effective-level). */
async function addBuiltInRoots(table: Table, types: StoredTypes, sequence: () => string): Promise<void> {
  const type = await types.intern(rootShape());
  const known = await table.getMany([nodeKey(SYSTEM_ROOT_ID), nodeKey(SHARED_ROOT_ID), rootsCounter]);
  if (known.every((item) => item !== undefined)) return;
  for (const id of [SYSTEM_ROOT_ID, SHARED_ROOT_ID]) {
    const record = { ...typeItem(type), owner: id, access: '', data: '{}', attic: '', rev: 1, topo: 0 };
    await table.write({ key: nodeKey(id), put: record, when: [['absent', 'pk']] });
    await table.write({ key: rootKey(id), put: { seq: sequence() }, when: [['absent', 'pk']] });
  }
  await table.write({ key: rootsCounter, put: { topo: 0 }, when: [['absent', 'pk']] });
}

function readers(table: Table, intents: Intents, types: StoredTypes) {
  const images = async (keys: readonly ItemKey[]) => intents.resolve(await table.getMany(keys));
  const edgesById = async (ids: readonly string[]) =>
    (await images(ids.map(edgeKey))).map((item) => (item === undefined ? undefined : edgeRow(types, item)));
  return {
    nodes: async (keys: readonly Key[]) =>
      (await images(keys.map(nodeKey))).map((item) => (item === undefined ? undefined : nodeRow(types, item))),
    edges: (keys: readonly Key[]) => edgesById(keys.map(edgeId)),
    edgesById,
  };
}

/** One batch for the versions of everything a unit saw (docs/server/storage.md#units). */
async function changedReads(table: Table, intents: Intents, reads: ReadSet): Promise<Key[]> {
  const wanted = [
    ...reads.nodes.map(({ key, rev }) => ({ key, item: nodeKey(key), attribute: 'rev', version: rev })),
    ...reads.listed.map(({ key, topo }) => ({ key, item: nodeKey(key), attribute: 'topo', version: topo })),
    ...reads.edges.map(({ key, rev }) => ({ key, item: edgeKey(edgeId(key)), attribute: 'rev', version: rev })),
    ...(reads.roots === undefined
      ? []
      : [{ key: 'roots', item: rootsCounter, attribute: 'topo', version: reads.roots }]),
  ];
  const items = await intents.resolve(
    await table.getMany(
      wanted.map(({ item }) => item),
      ['pk', 'sk', 'rev', 'topo', 'intent'],
    ),
  );
  const changed = wanted.filter(({ attribute, version }, i) => {
    const item = items[i];
    return item === undefined || (version !== ANY_VERSION && item[attribute] !== version);
  });
  return [...new Set(changed.map(({ key }) => key))];
}

/** A table has no order of its own: pages come as the table gives them. */
async function* nodeKeys(table: Table, intents: Intents): AsyncGenerator<Key[]> {
  const filter = 'begins_with(pk, :n) AND sk = :a';
  for await (const page of table.scan(filter, {}, { ':n': 'N#', ':a': 'A' })) {
    const found: Key[] = [];
    for (const item of await intents.resolve(page)) if (item !== undefined) found.push(String(item['pk']).slice(2));
    if (found.length > 0) yield found;
  }
}

/** There is no list of what a root owns: the table is searched (decisions/0055). */
async function ownedBy(table: Table, intents: Intents, root: Key): Promise<Key[]> {
  const filter = 'begins_with(pk, :n) AND sk = :a AND (#owner = :r OR attribute_exists(intent))';
  const found: Key[] = [];
  const values = { ':n': 'N#', ':a': 'A', ':r': String(root) };
  for await (const page of table.scan(filter, { '#owner': 'owner' }, values)) {
    for (const item of await intents.resolve(page)) {
      const id = String(item?.['pk']).slice(2);
      if (item !== undefined && item['owner'] === root && id !== root) found.push(id);
    }
  }
  return found;
}

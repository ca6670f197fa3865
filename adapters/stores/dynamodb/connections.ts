/** Connections in the table `<prefix>connections` (docs/server/cloud.md#sockets). */
import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import {
  type ConnectionRecord,
  type ConnectionStore,
  connectionLifeSeconds,
  sequenceLockMs,
} from '../../../handlers/socket/connection-store.ts';
import { openClient } from './client.ts';
import { type Change, expressions, type Test } from './expression.ts';
import { fromWire, type Item, itemToWire, toWire } from './item.ts';
import { connectionsTable, requireTable } from './tables.ts';
import { isConditionFailed, unavailable } from './trouble.ts';

export interface DynamoConnectionOptions {
  readonly tablePrefix: string;
  /** Address of an emulator, where the table is made when it is missing; '' for the service. */
  readonly endpoint: string;
  readonly region?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly nowMs?: () => number;
}

/** @throws Failure `SERVICE_UNAVAILABLE` when the service does not answer or the table is missing */
export async function openDynamoConnections(options: DynamoConnectionOptions): Promise<ConnectionStore> {
  const { endpoint, tablePrefix, region = '', env = process.env, nowMs = Date.now } = options;
  const limits = { connectTimeoutMs: 5000, operationTimeoutMs: 10_000, poolSize: 20 };
  const client = await openClient({ endpoint, region, env, ...limits });
  const TableName = `${tablePrefix}connections`;
  try {
    await requireTable(client, connectionsTable(TableName), endpoint !== '');
  } catch (error) {
    client.destroy();
    throw error;
  }
  return connectionsIn(client, TableName, nowMs);
}

function connectionsIn(client: DynamoDB, TableName: string, nowMs: () => number): ConnectionStore {
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw unavailable(error);
    }
  };
  const keyOf = (cid: string) => ({ TableName, Key: { cid: toWire(cid) } });
  const isLive = ({ connectedAt }: ConnectionRecord) => connectedAt + connectionLifeSeconds * 1000 > nowMs();
  const update = async (cid: string, change: Change, tests: readonly Test[] = []): Promise<Item | undefined> => {
    const when: readonly Test[] = [['>', 'ttl', nowMs() / 1000], ...tests];
    try {
      const changed = await client.updateItem({ ...keyOf(cid), ...expressions(when, change), ReturnValues: 'ALL_NEW' });
      return fromWire(changed.Attributes!);
    } catch (error) {
      if (isConditionFailed(error)) return undefined;
      throw unavailable(error);
    }
  };
  async function* pages(
    read: (from: Record<string, any> | undefined) => Promise<{ Items?: any[] | undefined; LastEvaluatedKey?: any }>,
  ): AsyncIterable<readonly ConnectionRecord[]> {
    let from: Record<string, any> | undefined;
    do {
      const page = await guard(() => read(from));
      from = page.LastEvaluatedKey;
      yield (page.Items ?? []).map((wire) => recordOf(fromWire(wire)));
    } while (from !== undefined);
  }
  const query = (IndexName: string, attribute: string, value: string) =>
    live(
      pages((ExclusiveStartKey) =>
        client.query({
          TableName,
          IndexName,
          KeyConditionExpression: '#a = :v',
          ExpressionAttributeNames: { '#a': attribute },
          ExpressionAttributeValues: { ':v': toWire(value) },
          ExclusiveStartKey,
        }),
      ),
    );
  async function* live(found: AsyncIterable<readonly ConnectionRecord[]>): AsyncIterable<readonly ConnectionRecord[]> {
    for await (const page of found) yield page.filter(isLive);
  }
  return {
    add: (record) => guard(async () => void (await client.putItem({ TableName, Item: itemToWire(itemOf(record)) }))),
    find: (cid) =>
      guard(async () => {
        const { Item } = await client.getItem({ ...keyOf(cid), ConsistentRead: true });
        const record = Item === undefined ? undefined : recordOf(fromWire(Item));
        return record === undefined || !isLive(record) ? undefined : record;
      }),
    signIn: async (cid, { userId, ...token }) =>
      (await update(cid, { set: { user_id: userId, ...token, authenticated: true } })) !== undefined,
    remove: (cid) =>
      guard(async () => (await client.deleteItem({ ...keyOf(cid), ReturnValues: 'ALL_OLD' })).Attributes !== undefined),
    ofTarget: (target) => query('by_target', 'target', target),
    ofUser: (userId) => query('by_user', 'user_id', userId),
    all: () => pages((ExclusiveStartKey) => client.scan({ TableName, ExclusiveStartKey })),
    async lock(cid, holder) {
      const isFree: Test = [
        'any',
        [
          ['absent', 'lock'],
          ['=', 'lock', holder],
          ['<=', 'lock_until', nowMs()],
        ],
      ];
      const item = await update(cid, { set: { lock: holder, lock_until: nowMs() + sequenceLockMs } }, [isFree]);
      return item === undefined ? undefined : recordOf(item);
    },
    async unlock(cid, holder, used) {
      const set =
        used === undefined ? {} : { last_seen: used.lastSeen, tokens: used.rate.tokens, tokens_at: used.rate.at };
      await update(cid, { set, remove: ['lock', 'lock_until'] }, [['=', 'lock', holder]]);
    },
    async close() {
      client.destroy();
    },
  };
}

// An index leaves out items without its key, so nobody's connections have no `user_id`.
function itemOf(record: ConnectionRecord): Item {
  return {
    cid: record.cid,
    target: record.target,
    user_id: record.userId ?? undefined,
    sv: record.sv ?? undefined,
    exp: record.exp ?? undefined,
    jti: record.jti ?? undefined,
    connected_at: record.connectedAt,
    last_seen: record.lastSeen,
    authenticated: record.authenticated,
    subprotocol: record.subprotocol ?? undefined,
    tokens: record.rate.tokens,
    tokens_at: record.rate.at,
    ttl: Math.floor(record.connectedAt / 1000) + connectionLifeSeconds,
  };
}

function recordOf(item: Item): ConnectionRecord {
  const numberOrNull = (name: string) => (typeof item[name] === 'number' ? item[name] : null);
  const textOrNull = (name: string) => (typeof item[name] === 'string' ? item[name] : null);
  return {
    cid: String(item['cid']),
    target: String(item['target']),
    userId: textOrNull('user_id'),
    sv: numberOrNull('sv'),
    exp: numberOrNull('exp'),
    jti: textOrNull('jti'),
    connectedAt: Number(item['connected_at']),
    lastSeen: Number(item['last_seen']),
    authenticated: item['authenticated'] === true,
    subprotocol: textOrNull('subprotocol'),
    rate: { tokens: Number(item['tokens'] ?? 0), at: Number(item['tokens_at'] ?? 0) },
  };
}

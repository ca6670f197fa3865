/** The store over PostgreSQL: graph and accounts in one database (docs/server/stores.md#postgresql). */
import type { AccountStore } from '../../../core/accounts/account-store.ts';
import { createCommitLog } from '../../../core/memory/commit-log.ts';
import { createRemembered } from '../../../core/memory/remembered.ts';
import type { IdMaker } from '../../../core/memory/rows.ts';
import type { GraphStore } from '../../../core/memory/store.ts';
import { createLeaseHolder } from '../leases.ts';
import { createNodeIds } from '../node-ids.ts';
import { createBackground, remoteBasics } from '../remote.ts';
import { createAccounts } from './accounts.ts';
import { readAddress } from './address.ts';
import { createCommitter } from './commit.ts';
import { createKeys } from './keys.ts';
import { leasePlaces } from './leases.ts';
import { createLines, type Lines, statement } from './line.ts';
import { createPool, type Source } from './pool.ts';
import { createReads } from './reads.ts';
import { type Meta, prepareTables, SHARED_ROOT_KEY, SYSTEM_ROOT_KEY } from './schema.ts';
import { asked, unavailable } from './trouble.ts';
import { createTypes } from './types.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host,host/database?sslmode=…` */
  readonly url: string;
  readonly connectTimeoutMs?: number;
  readonly operationTimeoutMs?: number;
  readonly poolSize?: number;
  readonly nowMs?: () => number;
  /** Called with each round trip before it begins. */
  readonly onTrip?: (statements: number) => void;
}

export interface PostgresStore {
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
}

/** @throws Failure `SERVICE_UNAVAILABLE` when nobody answers; UnusableStore when a newer version made the tables */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { nowMs = Date.now, connectTimeoutMs = 5000, operationTimeoutMs = 10_000, poolSize = 20, onTrip } = options;
  const address = readAddress(options.url);
  const lines = await createLines({ address, connectTimeoutMs, operationTimeoutMs, onTrip });
  const { meta, durability } = await asked(prepare(lines, nowMs));
  const pool = createPool({ lines, size: poolSize, patienceMs: connectTimeoutMs });
  try {
    return await openOn({ ...options, pool, meta, durability, nowMs });
  } catch (error) {
    await pool.close();
    throw unavailable(error);
  }
}

const settings = statement("SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit')");

async function prepare(lines: Lines, nowMs: () => number): Promise<{ meta: Meta; durability: 'full' | 'normal' }> {
  const line = await lines.open();
  try {
    const meta = await prepareTables(line, nowMs());
    const found = await line.ask(settings, []);
    return { meta, durability: found.some(([, setting]) => setting === 'off') ? 'normal' : 'full' };
  } finally {
    await line.end();
  }
}

interface Openness extends PostgresOptions {
  readonly pool: ReturnType<typeof createPool>;
  readonly meta: Meta;
  readonly durability: 'full' | 'normal';
  readonly nowMs: () => number;
}

const beginMoment = statement('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
const endMoment = statement('COMMIT');
const quarantined = statement(
  'INSERT INTO svc_quarantine (id, reason, record, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
);
const ping = statement('SELECT 1');

async function openOn({ pool, meta, durability, nowMs }: Openness): Promise<PostgresStore> {
  const types = createTypes(pool);
  const keys = createKeys(pool);
  await Promise.all([types.load(), keys.enough(1)]);
  const log = createCommitLog();
  const leases = createLeaseHolder(leasePlaces(pool), nowMs);
  const background = createBackground();
  const nodeIds = createNodeIds(meta.nodeSecret);
  const edgeIds = createNodeIds(meta.edgeSecret);
  const nodeId: IdMaker = (key) => nodeIds.uidOf(key as number);
  const reading = (source: Source) => createReads({ source, types, nodeIds, edgeIds, nodeId });
  const reads = reading(pool);
  const committer = createCommitter({ pool, types, log, keys, leases, nodeId, nowMs });
  const graph: GraphStore = {
    name: 'postgres',
    ...remoteBasics({ types, nowMs, background }),
    durability,
    log,
    remembered: createRemembered(log, nowMs),
    systemRoot: SYSTEM_ROOT_KEY,
    sharedRoot: SHARED_ROOT_KEY,
    ...reads,
    edgeUid: (edge) => edgeIds.uidOf(edge as number),
    reserveNode() {
      const key = keys.next();
      return { key, uid: nodeId(key) };
    },
    nodeId,
    commit: committer.commit,
    lease: leases.lease,
    flush: committer.idle,
    snapshot() {
      const moment = momentOf(pool);
      const store: GraphStore = { ...graph, ...reading(moment.source) };
      return { store, end: () => background.run(moment.end()) };
    },
    quarantine(uid, reason, record) {
      background.run(pool.ask(quarantined, [uid, reason, record, new Date(nowMs()).toISOString()]));
    },
    async ping() {
      await pool.ask(ping, []);
    },
    async close() {
      leases.close();
      await committer.idle();
      await background.idle();
      await pool.close();
    },
  };
  return { graph, accounts: createAccounts({ pool, keys, nowMs }) };
}

/** A connection whose first answer tells the moment, for all that follow. */
function momentOf(pool: ReturnType<typeof createPool>): { readonly source: Source; end(): Promise<void> } {
  const held = (async () => {
    const line = await pool.hold();
    await line.ask(beginMoment, []);
    await line.ask(ping, []);
    return line;
  })();
  held.catch(() => {});
  return {
    source: { ask: async (what, values) => asked((await asked(held)).ask(what, values)) },
    async end() {
      const line = await held;
      await line.ask(endMoment, []);
      pool.release(line);
    },
  };
}

/** Stores that there are, and the choice among them by the configuration. */
import { join } from 'node:path';
import type { AccountStore } from '../../core/accounts/account-store.ts';
import type { Databases } from '../../core/kvstore/databases.ts';
import type { GraphStore } from '../../core/memory/store.ts';

export interface Stores {
  readonly name: string;
  readonly durability: 'full' | 'normal' | 'none';
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
  /** Databases that programs reach with `kvstore`. */
  readonly databases?: Databases;
  /** Rejects when the store cannot be reached: for health answers. */
  ping(): Promise<void>;
  /** Cache that keeps copies of records beside the store; absent: none. */
  readonly cache?: 'redis';
  /** Resolves with the name of the place to which all of the store went while it was open; absent: it cannot go. */
  readonly moved?: Promise<string>;
  /** Waits until everything is durable, then lets go of files and connections. */
  close(): Promise<void>;
}

export interface StoreConfig {
  readonly dataDir: string;
  readonly serve?: { readonly workers: number };
  readonly project?: { readonly name: string };
  readonly scale: {
    readonly database: {
      readonly store: string;
      readonly sqliteFile: string;
      readonly durability: 'full' | 'normal';
      readonly databaseUrl?: string;
      readonly docdbUri?: string;
      readonly docdbName?: string;
      readonly kvcacheUrl?: string;
      readonly cacheTtlSeconds?: number;
      readonly dynamodbTablePrefix?: string;
      readonly dynamodbEndpoint?: string;
      readonly connectTimeoutMs?: number;
      readonly operationTimeoutMs?: number;
      readonly poolSize?: number;
    };
    readonly cloud?: { readonly region: string };
  };
}

export type StoreKind = 'sqlite' | 'postgres' | 'docdb' | 'dynamodb';

/** Gives the kind of store that a configuration means (docs/server/storage.md#tiers). */
export function storeKind({ scale }: Pick<StoreConfig, 'scale'>): StoreKind {
  const { store, databaseUrl = '', docdbUri = '' } = scale.database;
  if (store !== '') return store as StoreKind;
  if (databaseUrl !== '') return 'postgres';
  return docdbUri === '' ? 'sqlite' : 'docdb';
}

/**
 * Opens the store the configuration asks for (docs/server/storage.md#tiers). `readOnly`: a file is only looked at.
 *
 * @throws Failure `SERVICE_UNAVAILABLE` saying why it cannot be used
 */
export async function openStore(config: StoreConfig, readOnly = false): Promise<Stores> {
  const kind = storeKind(config);
  if (kind === 'dynamodb') return await openDynamo(config);
  if (kind === 'docdb') return await openMongo(config);
  if (kind === 'postgres') return await openPostgres(config);
  const { sqliteFile, durability } = config.scale.database;
  const { openSqliteStore } = await import('./sqlite/store.ts');
  const shared = config.serve !== undefined && config.serve.workers !== 1;
  const file = join(config.dataDir, sqliteFile);
  const { graph, accounts, moved } = await openSqliteStore({ file, durability, shared, readOnly });
  return { ...assemble(graph, accounts), moved };
}

async function openDynamo({ scale }: StoreConfig): Promise<Stores> {
  const { openDynamoStore } = await import('./dynamodb/store.ts');
  const { dynamodbTablePrefix = '', dynamodbEndpoint = '', ...rest } = scale.database;
  const { graph, accounts } = await openDynamoStore({
    tablePrefix: dynamodbTablePrefix,
    endpoint: dynamodbEndpoint,
    region: scale.cloud?.region ?? '',
    connectTimeoutMs: rest.connectTimeoutMs ?? 5000,
    operationTimeoutMs: rest.operationTimeoutMs ?? 10_000,
    poolSize: rest.poolSize ?? 20,
  });
  return assemble(graph, accounts);
}

async function openPostgres({ scale: { database } }: StoreConfig): Promise<Stores> {
  const { openPostgresStore } = await import('./postgres/store.ts');
  const { graph, accounts } = await openPostgresStore({ ...database, url: database.databaseUrl ?? '' });
  return assemble(graph, accounts);
}

async function openMongo(config: StoreConfig): Promise<Stores> {
  const { openConfigured } = await import('./mongo/open-configured.ts');
  const { graph, accounts, cache } = await openConfigured(config);
  const stores = assemble(graph, accounts);
  return cache === undefined ? stores : { ...stores, cache: 'redis' };
}

/** Opens stores that keep nothing beyond the process: `--no-persist`, tests. */
export async function openMemory(): Promise<Stores> {
  const { openMemoryStore } = await import('./memory/store.ts');
  const { graph, accounts } = openMemoryStore();
  return assemble(graph, accounts);
}

function assemble(graph: GraphStore, accounts: AccountStore): Stores {
  return {
    name: graph.name,
    durability: graph.durability,
    graph,
    accounts,
    ping: () => graph.ping(),
    close: () => graph.close(),
  };
}

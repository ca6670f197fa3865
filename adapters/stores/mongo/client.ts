/** The official driver: loaded when a store is opened, never before. */
import type { MongoClient, MongoClientOptions } from 'mongodb';
import { Failure } from '../../../core/errors.ts';
import { UnusableStore } from '../unusable-store.ts';
import { unavailable } from './trouble.ts';

export interface ClientOptions {
  readonly uri: string;
  readonly connectTimeoutMs: number;
  readonly operationTimeoutMs: number;
  readonly poolSize: number;
  /** Called with each command before it is sent: one round trip each. */
  readonly onCommand?: ((name: string) => void) | undefined;
}

/** Answered means durable (docs/server/storage.md#durability), and what is read has been acknowledged by most members. */
const promises: MongoClientOptions = {
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
  retryReads: true,
  retryWrites: true,
  ignoreUndefined: true,
  appName: 'svc-scale',
};

/** @throws Failure `SERVICE_UNAVAILABLE`: not installed, nobody answers, refused; UnusableStore: a server of its own, which has no transactions */
export async function openClient(options: ClientOptions): Promise<MongoClient> {
  const { uri, connectTimeoutMs, operationTimeoutMs, poolSize, onCommand } = options;
  const driver = await loadDriver();
  let client: MongoClient;
  try {
    client = new driver.MongoClient(uri, {
      ...promises,
      maxPoolSize: poolSize,
      serverSelectionTimeoutMS: connectTimeoutMs,
      connectTimeoutMS: connectTimeoutMs,
      socketTimeoutMS: operationTimeoutMs,
      waitQueueTimeoutMS: operationTimeoutMs,
      monitorCommands: onCommand !== undefined,
    });
  } catch (cause) {
    // The driver's words may repeat the address with its password.
    throw new Failure('SERVICE_UNAVAILABLE', 'the address of the document database cannot be read', { cause });
  }
  if (onCommand !== undefined) client.on('commandStarted', ({ commandName }) => onCommand(commandName));
  try {
    await client.connect();
    await requireMember(client);
    return client;
  } catch (error) {
    await client.close().catch(() => {});
    throw unavailable(error);
  }
}

async function loadDriver(): Promise<typeof import('mongodb')> {
  try {
    return await import('mongodb');
  } catch (cause) {
    const message = 'the package mongodb is not installed: npm install mongodb';
    throw new Failure('SERVICE_UNAVAILABLE', message, { cause });
  }
}

/** A member of a replica set says its name, a router says what it is (docs/server/stores.md#document-database). */
async function requireMember(client: MongoClient): Promise<void> {
  const hello = await client.db('admin').command({ hello: 1 });
  if (hello['setName'] !== undefined || hello['msg'] === 'isdbgrid') return;
  throw new UnusableStore('the document database must be a replica set (a single member is enough)');
}

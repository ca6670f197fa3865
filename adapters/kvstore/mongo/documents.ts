/** `docdb` over MongoDB through the official driver (docs/server/kvstore.md#documents). */
import type { Collection, MongoClient } from 'mongodb';
import type { Documents } from '../../../core/kvstore/databases.ts';
import { unreachable } from '../../../core/kvstore/errors.ts';
import type { Projection } from '../../../core/kvstore/query.ts';
import type { Doc, ObjectId, Stored } from '../../../core/kvstore/stored.ts';
import { ModuleNotFoundError } from '../../../library/values/objects/exceptions.ts';
import { type Driver, makeBson, readDoc } from './bson.ts';
import { asProgramsSeeIt, isDuplicate } from './trouble.ts';

export interface MongoOptions {
  readonly uri: string;
  readonly connectTimeoutMs: number;
  readonly operationTimeoutMs: number;
  readonly poolSize: number;
}

export interface MongoConnection {
  database(name: string): Documents;
  close(): Promise<void>;
}

/** Two upserts at once may both find nothing: the later one looks again. */
const mostUpserts = 5;

/** 64 bits as they are; binary data not as buffers over the whole answer. */
const reading = { useBigInt64: true, promoteBuffers: false } as const;

/** A pool for one address; it connects when first asked and again after a loss. @throws ConnectionError for an address that is none */
export async function openMongo(options: MongoOptions): Promise<MongoConnection> {
  const driver = await loadDriver();
  const place = /^mongodb(?:\+srv)?:\/\/(?:[^/]*@)?([^/?]+)/.exec(options.uri)?.[1] ?? '?';
  const client = openClient(driver, options, place);
  return {
    database: (name) => documentsOf(driver, client, name, place),
    close: () => client.close(),
  };
}

async function loadDriver(): Promise<Driver> {
  try {
    return await import('mongodb');
  } catch {
    throw new ModuleNotFoundError('the package mongodb is not installed: npm install mongodb');
  }
}

function openClient({ MongoClient }: Driver, options: MongoOptions, place: string): MongoClient {
  try {
    return new MongoClient(options.uri, {
      maxPoolSize: options.poolSize,
      serverSelectionTimeoutMS: options.connectTimeoutMs,
      connectTimeoutMS: options.connectTimeoutMs,
      socketTimeoutMS: options.operationTimeoutMs,
      waitQueueTimeoutMS: options.operationTimeoutMs,
      appName: 'svc-scale kvstore',
    });
  } catch {
    // The driver's words may repeat the address with its password.
    throw unreachable('docdb', place);
  }
}

function documentsOf(driver: Driver, client: MongoClient, database: string, place: string): Documents {
  const bson = makeBson(driver);
  const write = bson.write as (value: Stored) => any;
  const ask = async <T>(name: string, work: (on: Collection) => Promise<T>, index?: string): Promise<T> => {
    try {
      return await work(client.db(database).collection(name, reading));
    } catch (error) {
      throw asProgramsSeeIt(error, { place, collection: name, ...(index === undefined ? {} : { index }) });
    }
  };

  return {
    find: (name, { filter, projection, sort, skip, limit }) =>
      ask(name, async (on) => {
        const found = await on
          .find(write(filter), {
            ...reading,
            ...(projection === undefined ? {} : { projection: projectionOf(projection) }),
            ...(sort.length === 0 ? {} : { sort: new Map(sort) }),
            skip,
            limit,
          })
          .toArray();
        return found.map(readDoc);
      }),
    insertOne: (name, doc) =>
      ask(name, async (on) => {
        const whole = withId(doc, bson.newId);
        await on.insertOne(write(whole));
        return whole.get('_id')!;
      }),
    insertMany: (name, docs) =>
      ask(name, async (on) => {
        const whole = docs.map((doc) => withId(doc, bson.newId));
        await on.insertMany(whole.map(write));
        return whole.map((doc) => doc.get('_id')!);
      }),
    replace: (name, doc) =>
      ask(name, (on) =>
        untilApart(async () => {
          const rest = new Map(doc);
          rest.delete('_id');
          await on.replaceOne({ _id: write(doc.get('_id')!) }, write(rest), { upsert: true });
        }),
      ),
    update: (name, filter, update, { many, upsert }) =>
      ask(name, (on) => {
        const [q, u] = [write(filter), Object.fromEntries(write(update))];
        const once = async () => {
          const { matchedCount, modifiedCount } = await (many
            ? on.updateMany(q, u, { upsert })
            : on.updateOne(q, u, { upsert }));
          return { matched: matchedCount, modified: modifiedCount };
        };
        return upsert ? untilApart(once) : once();
      }),
    delete: (name, filter, many) =>
      ask(name, async (on) => {
        const { deletedCount } = await (many ? on.deleteMany(write(filter)) : on.deleteOne(write(filter)));
        return deletedCount;
      }),
    count: (name, filter) => ask(name, (on) => on.countDocuments(write(filter))),
    createIndex: (name, { name: index, keys, unique, expireSeconds }) =>
      ask(
        name,
        async (on) => {
          await on.createIndex(new Map(keys), {
            name: index,
            ...(unique ? { unique } : {}),
            ...(expireSeconds === undefined ? {} : { expireAfterSeconds: expireSeconds }),
          });
        },
        index,
      ),
  };
}

async function untilApart<T>(upsert: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await upsert();
    } catch (error) {
      if (!isDuplicate(error) || attempt === mostUpserts) throw error;
    }
  }
}

/** Made here: the driver looks for it in plain objects, which do not keep the order of all names. */
function withId(doc: Doc, newId: () => ObjectId): Doc {
  if (!doc.has('_id')) return new Map<string, Stored>([['_id', newId()], ...doc]);
  return new Map([['_id', doc.get('_id')!], ...doc]);
}

function projectionOf({ keeps, paths, withId: hasId }: Projection): Record<string, 0 | 1> {
  const made: Record<string, 0 | 1> = {};
  for (const path of paths) made[path] = keeps ? 1 : 0;
  if (!hasId) made['_id'] = 0;
  else if (keeps && paths.length === 0) made['_id'] = 1;
  return made;
}

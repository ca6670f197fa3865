/** The backends of `kvstore`, each loaded and connected when a program first asks for it. */
import { join } from 'node:path';
import {
  type DatabaseKind,
  type Databases,
  type Documents,
  graphUri,
  type KeyValues,
  localUri,
} from '../../core/kvstore/databases.ts';
import type { EmbeddedDatabase } from './embedded/database.ts';
import type { MongoConnection } from './mongo/documents.ts';
import { type DatabasesOptions, embeddedFile, kindsElsewhere } from './options.ts';
import type { PostgresDatabase } from './postgres/database.ts';

export interface Backends extends Pick<Databases, 'documents' | 'keyValues'> {
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Waiting for another process stops this one: SQLite waits within the call. */
const longestWaitMs = 5000;

/** Opens nothing yet. */
export function createBackends(options: DatabasesOptions): Backends {
  const known = new Map<string, Promise<unknown>>();
  const closing: (() => Promise<void> | void)[] = [];

  /** Made once; a failure is not remembered. */
  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    let made = known.get(key) as Promise<T> | undefined;
    if (made === undefined) {
      made = make();
      known.set(key, made);
      made.catch(() => known.delete(key));
    }
    return made;
  };
  const embedded = (): Promise<EmbeddedDatabase> =>
    once(localUri, async () => {
      const { openEmbedded } = await import('./embedded/database.ts');
      const { embeddedIn = ':memory:', durability } = options;
      const file = embeddedIn === ':memory:' ? embeddedIn : join(embeddedIn, embeddedFile);
      const busyTimeoutMs = Math.min(options.operationTimeoutMs, longestWaitMs);
      const db = openEmbedded({ file, durability, busyTimeoutMs, elsewhere: kindsElsewhere(options) });
      closing.push(() => db.close());
      return db;
    });
  const mongo = (uri: string): Promise<MongoConnection> =>
    once(uri, async () => {
      const { openMongo } = await import('./mongo/documents.ts');
      const { connectTimeoutMs, operationTimeoutMs, poolSize } = options;
      const connection = await openMongo({ uri, connectTimeoutMs, operationTimeoutMs, poolSize });
      closing.push(connection.close);
      return connection;
    });
  const postgres = (kind: DatabaseKind): Promise<PostgresDatabase> =>
    once(graphUri, async () => {
      const { openPostgresDatabase } = await import('./postgres/database.ts');
      const { databaseUrl: url = '', connectTimeoutMs, operationTimeoutMs } = options;
      const db = await openPostgresDatabase({ kind, url, connectTimeoutMs, operationTimeoutMs });
      closing.push(db.close);
      return db;
    });

  return {
    documents: ({ uri, name }) =>
      once(`docdb ${uri} ${name}`, async (): Promise<Documents> => {
        if (uri.startsWith(localUri)) {
          const { embeddedDocuments } = await import('./embedded/documents.ts');
          return embeddedDocuments(await embedded(), name);
        }
        if (uri === graphUri) {
          const { postgresDocuments } = await import('./postgres/documents.ts');
          return postgresDocuments(await postgres('docdb'), name);
        }
        return (await mongo(uri)).database(name);
      }),
    keyValues: ({ uri, name }) =>
      once(`kvcache ${uri} ${name}`, async (): Promise<KeyValues> => {
        if (uri.startsWith(localUri)) {
          const { embeddedKeyValues } = await import('./embedded/key-values.ts');
          return embeddedKeyValues(await embedded(), Number(name));
        }
        if (uri === graphUri) {
          const { postgresKeyValues } = await import('./postgres/key-values.ts');
          return postgresKeyValues(await postgres('kvcache'), Number(name));
        }
        const { redisKeyValues } = await import('./redis/key-values.ts');
        const { connectTimeoutMs, operationTimeoutMs } = options;
        const number = name === '' ? undefined : Number(name);
        const opened = redisKeyValues({ uri, number, connectTimeoutMs, operationTimeoutMs });
        closing.push(opened.close);
        return opened;
      }),
    async close() {
      await Promise.all(closing.splice(0).map((end) => end()));
      known.clear();
    },
  };
}

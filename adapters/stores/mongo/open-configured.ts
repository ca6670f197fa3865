/** The document database that a configuration names, and the cache before it. */
import type { PayloadCache } from '../payload-cache.ts';
import { type MongoStore, openMongoStore } from './store.ts';

interface Configured {
  readonly project?: { readonly name: string };
  readonly scale: {
    readonly database: {
      readonly docdbUri?: string;
      readonly docdbName?: string;
      readonly kvcacheUrl?: string;
      readonly cacheTtlSeconds?: number;
      readonly connectTimeoutMs?: number;
      readonly operationTimeoutMs?: number;
      readonly poolSize?: number;
    };
  };
}

export async function openConfigured(config: Configured): Promise<MongoStore & { readonly cache?: PayloadCache }> {
  const { docdbUri = '', docdbName = 'svc', ...rest } = config.scale.database;
  const cache = await openCache(config);
  const store = await openMongoStore({
    uri: docdbUri,
    name: docdbName,
    connectTimeoutMs: rest.connectTimeoutMs ?? 5000,
    operationTimeoutMs: rest.operationTimeoutMs ?? 10_000,
    poolSize: rest.poolSize ?? 20,
    ...(cache === undefined ? {} : { cache }),
  });
  return cache === undefined ? store : { ...store, cache };
}

/**
 * L2 (docs/server/storage.md#tiers). Only before a document database: a file of this machine is faster, DynamoDB cannot
 * tell versions with its links.
 */
async function openCache({ project, scale }: Configured): Promise<PayloadCache | undefined> {
  const { kvcacheUrl = '', cacheTtlSeconds = 300 } = scale.database;
  if (kvcacheUrl === '' || cacheTtlSeconds === 0) return undefined;
  const { openRedisCache } = await import('../../redis/payload-cache.ts');
  return openRedisCache({ url: kvcacheUrl, prefix: `svc:${project?.name ?? ''}:`, ttlSeconds: cacheTtlSeconds });
}

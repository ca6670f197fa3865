/** `kvcache` over Redis or Valkey (docs/server/kvstore.md#keys). */

import type { KeyValues } from '../../../core/kvstore/databases.ts';
import {
  failedAt,
  notAnInteger,
  outOfRange,
  refusedBy,
  timedOut,
  unreachable,
  wrongKind,
} from '../../../core/kvstore/errors.ts';
import { Redis } from '../../redis/client.ts';

export interface RedisOptions {
  /** `redis://` or `rediss://`. */
  readonly uri: string;
  /** Number of the database; undefined: the one in the address. */
  readonly number: number | undefined;
  readonly connectTimeoutMs: number;
  readonly operationTimeoutMs: number;
}

export interface RedisKeyValues extends KeyValues {
  close(): void;
}

const deleteIfEquals =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

/** One page of a scan, in the server's own measure. */
const pageSize = '500';

/**
 * Connects when first asked, and again by the next call when the connection was lost. A command whose answer is lost with it fails: it may
 * have been done, so it is not sent again.
 */
export function redisKeyValues(options: RedisOptions): RedisKeyValues {
  const { uri, number, connectTimeoutMs, operationTimeoutMs } = options;
  const place = hostOf(uri);
  let lastError: Error | undefined;
  const settings = {
    ...(number === undefined ? {} : { db: number }),
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    commandTimeout: operationTimeoutMs,
    connectTimeout: connectTimeoutMs,
    keepAlive: 10_000,
    // Counters have 8 bytes, numbers of JavaScript less.
    stringNumbers: true,
    retryStrategy: () => null,
  };
  const make = (): Redis =>
    new Redis(uri, settings as never).on('error', (error: Error) => {
      lastError = error;
    });
  let redis = make();

  let opening: Promise<void> | undefined;
  const connect = async (): Promise<void> => {
    lastError = undefined;
    // One that was connected before may still be on its way out.
    if (redis.status !== 'wait') {
      redis.disconnect();
      redis = make();
    }
    const late = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(new Error('connecting took too long')), connectTimeoutMs);
      timer.unref();
    });
    try {
      await Promise.race([redis.connect(), late]);
    } catch (error) {
      redis.disconnect();
      throw refusal(lastError) ?? refusal(error as Error) ?? unreachable('kvcache', place, lastError ?? error);
    }
  };
  const ask = async <T>(command: (on: Redis) => Promise<T>): Promise<T> => {
    if (redis.status !== 'ready') {
      opening ??= connect().finally(() => {
        opening = undefined;
      });
      await opening;
    }
    try {
      return await command(redis);
    } catch (error) {
      throw asProgramsSeeIt(error as Error);
    }
  };

  const refusal = (error: Error | undefined): Error | undefined =>
    error !== undefined && /^(NOAUTH|WRONGPASS|NOPERM|ERR invalid password|ERR AUTH)/.test(error.message)
      ? refusedBy('kvcache', place, error)
      : undefined;
  const asProgramsSeeIt = (error: Error): Error => {
    const { message } = error;
    if (message.startsWith('WRONGTYPE')) return wrongKind();
    if (message.includes('value is not an integer')) return notAnInteger();
    if (message.includes('would overflow')) return outOfRange();
    if (message === 'Command timed out') return timedOut('kvcache', place, error);
    const isReply = error.name === 'ReplyError';
    if (!isReply || /^(LOADING|MASTERDOWN|CLUSTERDOWN)/.test(message)) return unreachable('kvcache', place, error);
    return refusal(error) ?? (/^(READONLY|MISCONF)/.test(message) ? refusedBy : failedAt)('kvcache', place, error);
  };

  return {
    get: async (key) => (await ask((on) => on.get(key))) ?? undefined,
    set: async (key, value, ttlSeconds, onlyNew) => {
      const expiry = ttlSeconds === undefined ? [] : ['EX', String(ttlSeconds)];
      const answer = await ask((on) => on.call('SET', key, value, ...expiry, ...(onlyNew ? ['NX'] : [])));
      return answer !== null;
    },
    delete: async (key) => Number(await ask((on) => on.del(key))),
    exists: async (key) => Number(await ask((on) => on.exists(key))) > 0,
    expire: async (key, seconds) => Number(await ask((on) => on.expire(key, seconds))) > 0,
    incr: async (key, amount) => BigInt((await ask((on) => on.call('INCRBY', key, String(amount)))) as string),
    deleteIfEquals: async (key, value) => Number(await ask((on) => on.eval(deleteIfEquals, 1, key, value))) > 0,
    scan: async (pattern, count, accepts) => {
      const found = new Set<string>();
      let cursor = '0';
      do {
        const page = await ask((on) => on.scan(cursor, 'MATCH', pattern, 'COUNT', pageSize));
        cursor = page[0];
        for (const key of page[1]) {
          if (accepts(key)) found.add(key);
          if (found.size === count) return [...found];
        }
      } while (cursor !== '0');
      return [...found];
    },
    close: () => redis.disconnect(),
  };
}

/** @throws ConnectionError for an address that is none, which may hold a password */
function hostOf(uri: string): string {
  try {
    return new URL(uri).host;
  } catch {
    throw unreachable('kvcache', 'an address that cannot be read');
  }
}

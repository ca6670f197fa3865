/** L2 in Redis or Valkey: a hash with version and record for each object (docs/server/stores.md#key-value-store). */

import { throwOutside } from '../../base/throw-outside.ts';
import type { Payload, PayloadCache } from '../stores/payload-cache.ts';
import { Redis, type RedisOptions } from './client.ts';

export interface RedisCacheOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Before every key. */
  readonly prefix: string;
  readonly ttlSeconds: number;
  /** Longer than this nobody waits for it. */
  readonly commandTimeoutMs?: number;
  readonly nowMs?: () => number;
  /** Called with each command before it is sent: one round trip each. */
  readonly onCommand?: (name: 'get' | 'put' | 'drop') => void;
}

/** After a command that failed it is left alone for so long. */
const restMs = 1000;
/** Commands that wait for an answer; more are not sent. */
const mostUnderWay = 1000;

/** KEYS: the hashes. */
const getScript = `local found = {}
for i, key in ipairs(KEYS) do found[i] = redis.call('HGET', key, 'v') end
return found`;

/** KEYS: the hashes. ARGV: life in seconds, then version and record of each. The higher version stays. */
const putScript = `for i, key in ipairs(KEYS) do
  local known = tonumber(redis.call('HGET', key, 'rev') or '-1')
  local rev = tonumber(ARGV[2 * i])
  if known == nil or rev >= known then
    redis.call('HSET', key, 'rev', ARGV[2 * i], 'v', ARGV[2 * i + 1])
    redis.call('EXPIRE', key, ARGV[1])
  end
end`;

interface Commands {
  svcGet(count: number, ...keys: string[]): Promise<readonly (string | null)[]>;
  svcPut(count: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
}

/** Resolves at once: while the server cannot be reached there are no hits, and it is looked for in the background. */
export function openRedisCache(options: RedisCacheOptions): PayloadCache {
  const { url, prefix, ttlSeconds, commandTimeoutMs = 250, nowMs = Date.now } = options;
  const settings: RedisOptions = {
    enableOfflineQueue: false,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2000,
    keepAlive: 10_000,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), 2000),
  };
  const redis = new Redis(url, settings as never);
  redis.defineCommand('svcGet', { lua: getScript });
  redis.defineCommand('svcPut', { lua: putScript });
  const commands = redis as unknown as Commands;
  // A lost connection only means no hits here; the other users of the server report it.
  redis.on('error', () => {});
  let restsUntil = 0;
  let underWay = 0;
  const isThere = () => redis.status === 'ready' && underWay < mostUnderWay && nowMs() >= restsUntil;
  const ask = async <T>(what: 'get' | 'put' | 'drop', work: () => Promise<T>): Promise<T | undefined> => {
    if (!isThere()) return undefined;
    underWay++;
    options.onCommand?.(what);
    try {
      return await work();
    } catch {
      restsUntil = nowMs() + restMs;
      return undefined;
    } finally {
      underWay--;
    }
  };
  const keyOf = (id: string) => `${prefix}obj:${id}`;
  return {
    async get(ids) {
      if (ids.length === 0) return [];
      const texts = await ask('get', () => commands.svcGet(ids.length, ...ids.map(keyOf)));
      return ids.map((id, i) => {
        const text = texts?.[i];
        return typeof text === 'string' ? readPayload(id, text) : undefined;
      });
    },
    put(payloads) {
      if (payloads.length === 0) return;
      const records = payloads.flatMap((payload) => [String(payload.rev), writePayload(payload)]);
      const keys = payloads.map(({ id }) => keyOf(id));
      ask('put', () => commands.svcPut(keys.length, ...keys, ttlSeconds, ...records)).catch(throwOutside);
    },
    drop(ids) {
      if (ids.length > 0) ask('drop', () => redis.del(...ids.map(keyOf))).catch(throwOutside);
    },
    async ping() {
      await redis.ping();
    },
    async close() {
      redis.disconnect();
    },
  };
}

function writePayload({ home, rev, module, type, schema, owner, access, data, attic }: Payload): string {
  return JSON.stringify([rev, home, module, type, schema, owner, access, data, attic]);
}

type Texts = [string, string, string, string, string, string, string, string];

/** Undefined for what cannot be read: whoever else writes to that server. */
function readPayload(id: string, text: string): Payload | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 9) return undefined;
  const [rev, ...texts] = parts;
  if (typeof rev !== 'number' || !texts.every((part) => typeof part === 'string')) return undefined;
  const [home, module, type, schema, owner, access, data, attic] = texts as Texts;
  return { id, home, rev, module, type, schema, owner, access, data, attic };
}

/** The key-value store that processes of one application share: Redis or Valkey. */

import type { Log } from '../../core/log/log.ts';
import { Redis, type RedisOptions } from './client.ts';

export interface RedisLinkOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Before the name of every key and channel. */
  readonly prefix: string;
  readonly log: Log;
  /** Milliseconds a command may take before it counts as failed. */
  readonly commandTimeoutMs?: number;
}

export interface RedisLink {
  readonly prefix: string;
  readonly commands: Redis;
  /** Connection for subscriptions: one that has some takes no other commands. */
  readonly subscriber: Redis;
  /** Calls `listener` each time the store can be reached again. */
  onBack(listener: () => void): void;
  /** Tells whether the store answers: `ok` or `degraded`. */
  state(): Promise<'ok' | 'degraded'>;
  close(): Promise<void>;
}

const longestDelayMs = 2000;

/**
 * Resolves when the server answered, or could not be reached for a first time; then it is tried again in the background. While it is away
 * everything is refused at once: what is subscribed is subscribed again when it is back.
 */
export async function openRedis(options: RedisLinkOptions): Promise<RedisLink> {
  const { url, prefix, log, commandTimeoutMs = 2000 } = options;
  const settings: RedisOptions = {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResubscribe: true,
    commandTimeout: commandTimeoutMs,
    connectTimeout: commandTimeoutMs,
    keepAlive: 10_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), longestDelayMs),
  };
  const commands = new Redis(url, settings as never);
  const subscriber = new Redis(url, settings as never);
  const report = createOutageReport(log);
  for (const connection of [commands, subscriber]) {
    connection.on('error', (error: Error) => report.away(error));
    connection.on('ready', report.back);
  }
  await Promise.all([commands, subscriber].map((connection) => connection.connect().catch(() => {})));
  return {
    prefix,
    commands,
    subscriber,
    onBack: (listener) => void commands.on('ready', listener),
    state: () =>
      commands.ping().then(
        () => 'ok',
        () => 'degraded',
      ),
    async close() {
      for (const connection of [commands, subscriber]) connection.disconnect();
    },
  };
}

/** A script that runs in the store as one step. Arguments: its keys, then its values; without `keys` their number comes first. */
export function defineScript(
  commands: Redis,
  name: string,
  keys: number | undefined,
  lua: string,
): (...args: readonly (string | number)[]) => Promise<unknown> {
  commands.defineCommand(name, keys === undefined ? { lua } : { numberOfKeys: keys, lua });
  return (...args) => (commands as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!(...args);
}

/** One line when the server is lost and one when it is back, not one for each attempt. */
function createOutageReport(log: Log): { away(error: Error): void; back(): void } {
  let isAway = false;
  return {
    away(error) {
      if (isAway) return;
      isAway = true;
      log.error('the key-value store cannot be reached: broadcasts stay in this process', { error: error.message });
    },
    back() {
      if (isAway) log.info('the key-value store is back');
      isAway = false;
    },
  };
}

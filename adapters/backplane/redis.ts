/** Broadcasts between processes of one application through Redis or Valkey (server.md 13.7). */
import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../../core/log/log.ts';
import type { Backplane } from '../../handlers/socket/backplane.ts';

export interface RedisBackplaneOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Before the name of every channel. */
  readonly prefix: string;
  readonly log: Log;
  /** How long a command may take before it counts as failed; milliseconds. */
  readonly commandTimeoutMs?: number;
}

export interface RedisBackplane extends Backplane {
  close(): Promise<void>;
}

const longestDelayMs = 2000;

/**
 * Resolves when the server answered, or could not be reached for a first time; then it is tried again in the background. While it is away
 * everything is refused at once: what is subscribed is subscribed again when it is back, what was published meanwhile is lost.
 */
export async function openRedisBackplane(options: RedisBackplaneOptions): Promise<RedisBackplane> {
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
  // Commands other than subscriptions are not allowed on a connection that has some.
  const publisher = new Redis(url, settings as never);
  const subscriber = new Redis(url, settings as never);
  const receivers = new Map<string, Set<(message: string) => void>>();
  // Redis gives a message to its sender too.
  const own = `${randomUUID()} `;
  const report = createOutageReport(log);
  for (const connection of [publisher, subscriber]) {
    connection.on('error', (error: Error) => report.away(error));
    connection.on('ready', report.back);
  }
  subscriber.on('message', (channel: string, text: string) => {
    if (text.startsWith(own)) return;
    const message = text.slice(own.length);
    for (const receive of receivers.get(channel) ?? []) receive(message);
  });
  await Promise.all([publisher, subscriber].map((connection) => connection.connect().catch(() => {})));

  return {
    async subscribe(name, receive) {
      const channel = prefix + name;
      const known = receivers.get(channel) ?? new Set();
      receivers.set(channel, known);
      const entry = (message: string) => receive(message);
      known.add(entry);
      const end = () => {
        if (!known.delete(entry) || known.size > 0 || receivers.get(channel) !== known) return;
        receivers.delete(channel);
        subscriber.unsubscribe(channel).catch(() => {});
      };
      try {
        await subscriber.subscribe(channel);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
    async publish(name, message) {
      await publisher.publish(prefix + name, own + message);
    },
    async close() {
      for (const connection of [publisher, subscriber]) connection.disconnect();
    },
  };
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

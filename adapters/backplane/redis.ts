/** Broadcasts between processes of one application through Redis or Valkey (docs/server/sockets.md#broadcast). */
import { randomUUID } from 'node:crypto';
import { throwOutside } from '../../base/throw-outside.ts';
import type { Backplane } from '../../handlers/socket/backplane.ts';
import type { RedisLink } from '../redis/open-redis.ts';

/** While the store is away everything is refused at once; what was published meanwhile is lost. */
export function createRedisBackplane({ prefix, commands, subscriber }: RedisLink): Backplane {
  const receivers = new Map<string, Set<(message: string) => void>>();
  // Redis gives a message to its sender too.
  const own = `${randomUUID()} `;
  subscriber.on('message', (channel: string, text: string) => {
    if (text.startsWith(own)) return;
    const message = text.slice(own.length);
    for (const receive of receivers.get(channel) ?? []) {
      try {
        receive(message);
      } catch (error) {
        throwOutside(error); // the client's parser would lose what came with the message
      }
    }
  });

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
      await commands.publish(prefix + name, own + message);
    },
  };
}

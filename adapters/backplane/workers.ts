/** Broadcasts between the workers of one process group, through their primary process (docs/server/sockets.md#broadcast). */
import type { Backplane } from '../../handlers/socket/backplane.ts';
import type { Channel } from '../workers/channel.ts';

interface Posted {
  readonly channel: string;
  readonly message: string;
}

/** The primary's part: passes each message on to those who subscribed, except its sender. */
export interface Exchange {
  /** Takes a worker in; gives what removes it. */
  join(worker: Channel): () => void;
}

/** A worker that has not taken so many messages misses further ones: it is stopped or far too slow, and memory is finite. */
const mostWaiting = 20_000;

export function createExchange(onDrop: () => void): Exchange {
  const subscribers = new Map<string, Set<Channel>>();
  return {
    join(worker) {
      worker.on('subscribe', (channel: string) => {
        const known = subscribers.get(channel);
        if (known === undefined) subscribers.set(channel, new Set([worker]));
        else known.add(worker);
      });
      const leave = (channel: string) => {
        const known = subscribers.get(channel);
        known?.delete(worker);
        if (known?.size === 0) subscribers.delete(channel);
      };
      worker.on('unsubscribe', leave);
      worker.on('publish', (posted: Posted) => {
        for (const other of subscribers.get(posted.channel) ?? []) {
          if (other === worker) continue;
          if (other.waiting >= mostWaiting) onDrop();
          else other.tell('published', posted).catch(onDrop);
        }
      });
      return () => {
        for (const channel of [...subscribers.keys()]) leave(channel);
      };
    },
  };
}

/** A worker's part. */
export function openWorkerBackplane(primary: Channel): Backplane {
  const receivers = new Map<string, Set<(message: string) => void>>();
  primary.on('published', ({ channel, message }: Posted) => {
    for (const receive of receivers.get(channel) ?? []) receive(message);
  });
  return {
    async subscribe(channel, receive) {
      const known = receivers.get(channel) ?? new Set();
      receivers.set(channel, known);
      // One function may be subscribed twice; each subscription ends by itself.
      const own = (message: string) => receive(message);
      known.add(own);
      const end = () => {
        if (!known.delete(own) || known.size > 0 || receivers.get(channel) !== known) return;
        receivers.delete(channel);
        primary.tell('unsubscribe', channel).catch(() => {});
      };
      try {
        await primary.ask('subscribe', channel);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
    publish: (channel, message) => primary.tell('publish', { channel, message }),
  };
}

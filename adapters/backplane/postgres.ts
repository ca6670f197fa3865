/** Broadcasts between processes of one application through the notifications of PostgreSQL (docs/server/sockets.md#broadcast). */
import { randomUUID } from 'node:crypto';
import { throwOutside } from '../../base/throw-outside.ts';
import type { Backplane } from '../../handlers/socket/backplane.ts';
import { type Bus, longestTold } from '../postgres/open-bus.ts';

/**
 * `[process, number of the message there, channel, text, number of parts that follow]`: no two are the same, because the
 * database tells equal ones once.
 */
type Part = readonly [from: string, message: number, channel: string, text: string, left: number];

/** Characters of a part: as JSON in JSON none of them takes more than seven bytes. */
const partLength = 1000;

/** While the database is away everything is refused at once; what was published meanwhile is lost. */
export function createPostgresBackplane(bus: Pick<Bus, 'hear' | 'tell' | 'isListening'>): Backplane {
  const receivers = new Map<string, Set<(message: string) => void>>();
  // The database gives a message to its sender too.
  const own = randomUUID();
  const begun = new Map<string, { readonly message: number; text: string }>();
  let last = 0;
  bus.hear((told) => {
    const [from, message, channel, text, left] = JSON.parse(told) as Part;
    if (from === own) return;
    const before = begun.get(from);
    const whole = before?.message === message ? before.text + text : text;
    if (left > 0) {
      begun.set(from, { message, text: whole });
      return;
    }
    begun.delete(from);
    for (const receive of receivers.get(channel) ?? []) {
      try {
        receive(whole);
      } catch (error) {
        throwOutside(error); // the driver's parser would lose what came with the message
      }
    }
  });
  return {
    async subscribe(channel, receive) {
      if (!bus.isListening) throw new Error('the database cannot be reached');
      const known = receivers.get(channel) ?? new Set();
      receivers.set(channel, known);
      // One function may be subscribed twice; each subscription ends by itself.
      const entry = (message: string) => receive(message);
      known.add(entry);
      return () => {
        if (known.delete(entry) && known.size === 0 && receivers.get(channel) === known) receivers.delete(channel);
      };
    },
    publish(channel, message) {
      const number = ++last;
      const part = (text: string, left: number) => JSON.stringify([own, number, channel, text, left] satisfies Part);
      const whole = part(message, 0);
      if (whole.length <= longestTold && Buffer.byteLength(whole) <= longestTold) return bus.tell([whole]);
      const texts: string[] = [];
      for (let at = 0; at < message.length; at += partLength)
        texts.push(part(message.slice(at, at + partLength), Math.ceil((message.length - at) / partLength) - 1));
      return bus.tell(texts);
    },
  };
}

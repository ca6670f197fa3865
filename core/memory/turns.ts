/**
 * Who goes first when units meet on the same records (server.md 15.4, "Fairness"). A unit that is replayed queues for the records it
 * conflicted on; while it has them, other units that touch one of them wait before they commit.
 */
import type { Key } from './rows.ts';

export interface Turns {
  /** Waits for all of the records, first come first served; gives what ends the turn. */
  take(keys: readonly Key[]): Promise<() => void>;
  /** Is one of these records held by somebody? Then a promise of its release. */
  wait(touches: (key: Key) => boolean): Promise<void> | undefined;
}

interface Queue {
  /** Resolves when the last one in line is done. */
  tail: Promise<void>;
  /** Resolves when the one whose turn it is is done. */
  current: Promise<void> | undefined;
  inLine: number;
}

export function createTurns(): Turns {
  const queues = new Map<Key, Queue>();
  const enter = (key: Key) => {
    const queue = queues.get(key) ?? { tail: Promise.resolve(), current: undefined, inLine: 0 };
    queues.set(key, queue);
    const before = queue.tail;
    let release!: () => void;
    const own = new Promise<void>((resolve) => {
      release = resolve;
    });
    queue.tail = own;
    queue.inLine++;
    return {
      async ready() {
        await before;
        queue.current = own;
      },
      leave() {
        queue.current = undefined;
        if (--queue.inLine === 0) queues.delete(key);
        release();
      },
    };
  };
  return {
    async take(keys) {
      // All places in line are taken at once, so two units can never each hold what the other waits for.
      const places = [...new Set(keys)].map(enter);
      for (const place of places) await place.ready();
      let left = false;
      return () => {
        if (left) return;
        left = true;
        for (const place of places) place.leave();
      };
    },
    wait(touches) {
      for (const [key, queue] of queues) if (queue.current !== undefined && touches(key)) return queue.current;
      return undefined;
    },
  };
}

/**
 * Order of units that meet on the same records (docs/server/storage.md#fairness). A unit that is replayed queues for the
 * records it conflicted on. Another unit that would write one of them meanwhile queues behind it, for the moment of its
 * commit: so nobody gets in between while a replayed unit runs, and nobody waits longer than those who came before.
 */
import type { Key } from './rows.ts';

export interface Turns {
  /** Waits for all of the records, first come first served; gives what ends the turn. */
  take(keys: readonly Key[]): Promise<() => void>;
  /** The same for those of the records somebody is in line for; undefined when nobody is. */
  follow(touches: (key: Key) => boolean): Promise<() => void> | undefined;
}

interface Queue {
  /** Resolves when the last one in line is done. */
  tail: Promise<void>;
  inLine: number;
}

export function createTurns(): Turns {
  const queues = new Map<Key, Queue>();
  const enter = (key: Key) => {
    const queue = queues.get(key) ?? { tail: Promise.resolve(), inLine: 0 };
    queues.set(key, queue);
    const before = queue.tail;
    let release!: () => void;
    queue.tail = new Promise<void>((resolve) => {
      release = resolve;
    });
    queue.inLine++;
    return {
      before,
      leave() {
        if (--queue.inLine === 0) queues.delete(key);
        release();
      },
    };
  };
  const take = async (keys: readonly Key[]): Promise<() => void> => {
    // All places in line are taken at once, so two units can never each hold what the other waits for.
    const places = [...new Set(keys)].map(enter);
    for (const place of places) await place.before;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const place of places) place.leave();
    };
  };
  return {
    take,
    follow(touches) {
      if (queues.size === 0) return undefined;
      const met = [...queues.keys()].filter(touches);
      return met.length === 0 ? undefined : take(met);
    },
  };
}

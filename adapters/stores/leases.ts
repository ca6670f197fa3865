/** Leases on records (docs/server/storage.md#leases), for stores that several processes share. */
import { backOff } from '../../base/back-off.ts';
import { newId } from '../../core/graph/ids.ts';
import type { Key } from '../../core/memory/rows.ts';
import type { GraphStore } from '../../core/memory/store.ts';

interface Lease {
  readonly holder: string;
  readonly now: number;
  readonly until: number;
}

/** Places of the leases in a store. A lease ends by itself at `until`. */
export interface LeasePlaces {
  /** False as long as another holder has it; true as well when there is nothing to lease. */
  take(key: Key, lease: Lease): Promise<boolean>;
  /** Gives the lease another `until`; false when the holder does not have it any more. */
  extend(key: Key, lease: Lease): Promise<boolean>;
  end(keys: readonly Key[], holder: string): Promise<void>;
}

export interface Leases {
  /** Takes them one after the other in an order all agree on. What is not had within the length of a lease is gone without. */
  readonly lease: NonNullable<GraphStore['lease']>;
  /** Tells whether this process has the lease of a record. Its units write such records, those of others do not. */
  holds(key: Key): boolean;
  /** Ends all extensions. */
  close(): void;
}

/** A run that hangs gives way after so many lengths of a lease. */
const mostLengths = 60;

export function createLeaseHolder(places: LeasePlaces, nowMs: () => number): Leases {
  const held = new Map<Key, number>();
  const extended = new Set<NodeJS.Timeout>();
  const takeAll = async (keys: readonly Key[], taken: Key[], holder: string, forMs: number): Promise<void> => {
    const giveUpAt = nowMs() + forMs;
    for (const key of [...new Set(keys)].sort((a, b) => (String(a) < String(b) ? -1 : 1))) {
      for (let attempt = 0; nowMs() < giveUpAt; attempt++) {
        const now = nowMs();
        if (await places.take(key, { holder, now, until: now + forMs })) {
          taken.push(key);
          held.set(key, now + forMs);
          break;
        }
        await backOff(Math.min(attempt, 3), { firstMs: 5, mostMs: 40 });
      }
    }
  };
  /** Extends leases from time to time, while the run goes on. Gives what ends that. */
  const extendAll = (taken: readonly Key[], holder: string, forMs: number, signal: AbortSignal | undefined) => {
    const lastAt = nowMs() + (mostLengths - 1) * forMs;
    const extend = async (key: Key): Promise<void> => {
      const now = nowMs();
      const isOurs = await places.extend(key, { holder, now, until: now + forMs });
      if (!extended.has(timer)) return;
      if (isOurs) held.set(key, now + forMs);
      else held.delete(key);
    };
    const stop = (): void => {
      clearInterval(timer);
      extended.delete(timer);
    };
    const timer = setInterval(() => {
      if (signal?.aborted === true || nowMs() > lastAt) return stop();
      // A store that does not answer now may do so the next time.
      for (const key of taken) void extend(key).catch(() => {});
    }, forMs / 3).unref();
    extended.add(timer);
    return stop;
  };
  return {
    holds: (key) => (held.get(key) ?? 0) > nowMs(),
    async lease(keys, forMs, signal) {
      const holder = newId();
      const taken: Key[] = [];
      const stop = extendAll(taken, holder, forMs, signal);
      const end = async (): Promise<void> => {
        stop();
        for (const key of taken) held.delete(key);
        // The unit has its outcome; what cannot be ended ends by itself.
        await places.end(taken, holder).catch(() => {});
      };
      try {
        await takeAll(keys, taken, holder, forMs);
        return end;
      } catch (error) {
        await end();
        throw error;
      }
    },
    close() {
      for (const timer of extended) clearInterval(timer);
      extended.clear();
    },
  };
}

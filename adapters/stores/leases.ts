/** Leases on records (server.md 15.4, "Fairness"), for stores that several processes share. */
import { backOff } from '../../base/back-off.ts';
import { newId } from '../../core/graph/ids.ts';
import { leaseMs } from '../../core/memory/leases.ts';
import type { Key } from '../../core/memory/rows.ts';
import type { GraphStore } from '../../core/memory/store.ts';

/** Where a store keeps them. A lease ends by itself at `until`. */
export interface LeasePlaces {
  /** False as long as another holder has it; true as well when there is nothing to lease. */
  take(key: Key, lease: { readonly holder: string; readonly now: number; readonly until: number }): Promise<boolean>;
  end(keys: readonly Key[], holder: string): Promise<void>;
}

export interface Leases {
  /** Takes them one after the other in an order all agree on. What is not had within 5 s is gone without. */
  readonly lease: NonNullable<GraphStore['lease']>;
  /** Does this process have it? Its units write such records, those of others do not. */
  holds(key: Key): boolean;
}

export function createLeaseHolder(places: LeasePlaces, nowMs: () => number): Leases {
  const held = new Map<Key, number>();
  return {
    holds: (key) => (held.get(key) ?? 0) > nowMs(),
    async lease(keys) {
      const holder = newId();
      const giveUpAt = nowMs() + leaseMs;
      const taken: Key[] = [];
      for (const key of [...new Set(keys)].sort((a, b) => (String(a) < String(b) ? -1 : 1))) {
        for (let attempt = 0; nowMs() < giveUpAt; attempt++) {
          const now = nowMs();
          if (await places.take(key, { holder, now, until: now + leaseMs })) {
            taken.push(key);
            held.set(key, now + leaseMs);
            break;
          }
          await backOff(Math.min(attempt, 3), { firstMs: 5, mostMs: 40 });
        }
      }
      return async () => {
        for (const key of taken) held.delete(key);
        await places.end(taken, holder);
      };
    },
  };
}

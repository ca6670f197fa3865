/**
 * Leases on records that units of several processes keep meeting on (docs/server/storage.md#leases). Within a process turns decide
 * (`turns.ts`); a lease lets one process at a time run a unit that has lost too often, and keeps what units of others would write (decisions/0118).
 */
import type { Key } from './rows.ts';
import type { GraphStore } from './store.ts';

export interface Leases {
  /** Before a run: waits for leases on the records when it is time for them. Gives what ends them; until then they last. */
  take(keys: readonly Key[], run: LeasedRun): Promise<(() => Promise<void>) | undefined>;
}

export interface LeasedRun {
  /** Counted from 1. */
  readonly attempt: number;
  /** The run before was refused because another process had one. */
  readonly isLeased: boolean;
  /** Milliseconds after which a lease of a dead process ends. */
  readonly leaseMs: number;
  /** Aborted: they last no longer than that. */
  readonly signal: AbortSignal | undefined;
}

/** Number of the first run with leases, counted from 1. */
const firstLeasedAttempt = 4;

/** @returns undefined for stores that no other process shares */
export function createLeases({ lease }: Pick<GraphStore, 'lease'>, nowMs: () => number = Date.now): Leases | undefined {
  if (lease === undefined) return undefined;
  /** Records a lease was needed for, until when: their later units take one at once, or they would get in before those that wait. */
  const contested = new Map<Key, number>();
  const isContested = (key: Key) => (contested.get(key) ?? 0) > nowMs();
  return {
    async take(keys, { attempt, isLeased, leaseMs, signal }) {
      if (attempt < firstLeasedAttempt && !isLeased && !keys.some(isContested)) return undefined;
      for (const [key, until] of contested) if (until <= nowMs()) contested.delete(key);
      for (const key of keys) contested.set(key, nowMs() + leaseMs);
      return await lease(keys, leaseMs, signal);
    },
  };
}

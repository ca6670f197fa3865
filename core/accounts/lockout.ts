import { createHash } from 'node:crypto';
import type { AccountStore } from './account-store.ts';
import { rateLimited } from './refusals.ts';

export interface LockoutRules {
  readonly maxFailures: number;
  readonly maxFailuresPerAddress: number;
  readonly windowSeconds: number;
}

/** Counts failed sign-ins per identity and per client address (server.md 9.3). Counters live in the store, shared by processes. */
export interface Lockout {
  /**
   * Runs one attempt at an identity and counts it when it fails; success clears the identity's counter. What `attempt` throws is
   * passed on and counts for nothing.
   *
   * @throws Failure `RATE_LIMITED` when the identity or the address has used up its attempts, whatever the attempt would have given.
   */
  guard(identity: string, clientKey: string, attempt: () => Promise<boolean>): Promise<boolean>;
  /** For what is not about one identity. @throws Failure `RATE_LIMITED` */
  checkAddress(clientKey: string): Promise<void>;
  countAddress(clientKey: string): Promise<void>;
}

interface Pending {
  count: number;
  readonly waiting: (() => void)[];
}

export function createLockout(
  store: AccountStore,
  rules: LockoutRules,
  now: () => number,
  onRefused: () => void = () => {},
): Lockout {
  const pendingByKey = new Map<string, Pending>();

  async function guard(identity: string, clientKey: string, attempt: () => Promise<boolean>): Promise<boolean> {
    await checkAddress(clientKey);
    const key = identityKey(identity);
    const { pending, failures } = await admit(key);
    try {
      const isRight = await attempt();
      if (!isRight) {
        await Promise.all([store.addToCounter(key, 1, rules.windowSeconds), countAddress(clientKey)]);
      } else if (failures > 0) {
        await store.clearCounter(key);
      }
      return isRight;
    } finally {
      pending.count -= 1;
      if (pending.count === 0) pendingByKey.delete(key);
      for (const wake of pending.waiting.splice(0)) wake();
    }
  }

  /**
   * Attempts under way count as failures until they are known not to be, or a burst of guesses would all pass before the first is
   * counted. Those in excess wait for the others rather than being refused: the password may be right.
   */
  async function admit(key: string): Promise<{ pending: Pending; failures: number }> {
    for (;;) {
      const failures = await failuresOf(key, rules.maxFailures);
      const pending = pendingByKey.get(key) ?? { count: 0, waiting: [] };
      if (failures + pending.count < rules.maxFailures) {
        pending.count += 1;
        pendingByKey.set(key, pending);
        return { pending, failures };
      }
      await new Promise<void>((wake) => pending.waiting.push(wake));
    }
  }

  async function failuresOf(key: string, limit: number): Promise<number> {
    const counter = await store.readCounter(key);
    const leftMs = counter ? counter.expiresAt - now() : 0;
    if (!counter || leftMs <= 0) return 0;
    if (counter.count < limit) return counter.count;
    onRefused();
    throw rateLimited(Math.max(1, Math.ceil(leftMs / 1000)));
  }

  async function checkAddress(clientKey: string): Promise<void> {
    await failuresOf(`login:address:${clientKey}`, rules.maxFailuresPerAddress);
  }

  async function countAddress(clientKey: string): Promise<void> {
    await store.addToCounter(`login:address:${clientKey}`, 1, rules.windowSeconds);
  }

  return { guard, checkAddress, countAddress };
}

function identityKey(identity: string): string {
  return `login:identity:${identityDigest(identity)}`;
}

/** Identities that may not exist are kept and logged as digests only: people type passwords into the wrong field. */
export function identityDigest(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}

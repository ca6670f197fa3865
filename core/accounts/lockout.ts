import type { AccountStore } from './account-store.ts';
import { identityDigest } from './identity-digest.ts';
import { rateLimited } from './refusals.ts';

export interface LockoutRules {
  readonly maxFailures: number;
  readonly maxFailuresPerAddress: number;
  readonly windowSeconds: number;
}

/**
 * Limits failed sign-ins per identity and per client address (docs/server/accounts.md#attempts). An attempt is counted
 * in the store before it begins and given back unless it failed, so that parallel guesses have no more tries than
 * guesses in a row, whichever processes they reach.
 */
export interface Lockout {
  /**
   * Runs one attempt at an identity and counts it when it fails; success clears the identity's counter. What `attempt` throws is
   * passed on and counts for nothing.
   *
   * @throws Failure `RATE_LIMITED` when the identity or the address has used up its attempts, whatever the attempt would have given.
   */
  guard(identity: string, clientKey: string, attempt: () => Promise<boolean>): Promise<boolean>;
  /**
   * Runs what is not about one identity; it counts for the address when what it throws `isFailure`.
   *
   * @throws Failure `RATE_LIMITED`
   */
  guardAddress<T>(clientKey: string, attempt: () => Promise<T>, isFailure: (error: unknown) => boolean): Promise<T>;
}

/** An attempt that is counted while it runs. */
interface Place {
  readonly key: string;
  /** End of the window in which it was counted, in Unix milliseconds. */
  readonly expiresAt: number;
  readonly failures: number;
}

/** Attempts that wait for others. */
interface Line {
  readonly wakes: (() => void)[];
  readonly timer: NodeJS.Timeout;
}

/** Weight of an attempt under way: a counter holds both how many those are and how many have failed. */
const underWay = 2 ** 24;
/** Attempts of other processes are looked at again after so long. */
const pauseMs = 50;
/** Milliseconds that a full queue of hashes takes, about. */
const longestWaitMs = 10_000;

export function createLockout(
  store: AccountStore,
  rules: LockoutRules,
  now: () => number,
  onRefused: () => void = () => {},
): Lockout {
  const waiting = new Map<string, Line>();

  async function guard(identity: string, clientKey: string, attempt: () => Promise<boolean>): Promise<boolean> {
    const ofAddress = await enter(addressKey(clientKey), rules.maxFailuresPerAddress);
    let ofIdentity: Place | undefined;
    let isRight: boolean | undefined;
    try {
      ofIdentity = await enter(identityKey(identity), rules.maxFailures);
      isRight = await attempt();
      return isRight;
    } finally {
      await Promise.all([
        leave(ofAddress, isRight === false),
        ofIdentity && leave(ofIdentity, isRight === false, isRight === true),
      ]);
    }
  }

  async function guardAddress<T>(
    clientKey: string,
    attempt: () => Promise<T>,
    isFailure: (error: unknown) => boolean,
  ): Promise<T> {
    const place = await enter(addressKey(clientKey), rules.maxFailuresPerAddress);
    let failed = false;
    try {
      return await attempt();
    } catch (error) {
      failed = isFailure(error);
      throw error;
    } finally {
      await leave(place, failed);
    }
  }

  /** Attempts in excess of the limit wait for those under way rather than being refused: the password may be right. */
  async function enter(key: string, limit: number): Promise<Place> {
    const until = performance.now() + longestWaitMs;
    try {
      for (;;) {
        const place = await tryToEnter(key, limit);
        if (place !== undefined) return place;
        if (performance.now() >= until) throw refused(1);
        await turn(key);
      }
    } finally {
      wakeNext(key);
    }
  }

  async function tryToEnter(key: string, limit: number): Promise<Place | undefined> {
    const counter = await store.readCounter(key);
    const isLive = counter !== undefined && counter.expiresAt > now();
    const seen = read(isLive ? counter.count : 0);
    if (isLive && seen.failures >= limit) throw refused(Math.ceil((counter.expiresAt - now()) / 1000));
    if (seen.failures + seen.underWay >= limit) return undefined;
    const { count, expiresAt } = await store.addToCounter(key, underWay, rules.windowSeconds);
    const { failures, underWay: all } = read(count);
    const place = { key, expiresAt, failures };
    if (failures + all <= limit) return place;
    await giveBack(place); // others were faster
    return undefined;
  }

  async function leave(place: Place, isFailure: boolean, isSuccess = false): Promise<void> {
    const { key, failures, expiresAt } = place;
    if (isFailure && now() < expiresAt) await add(key, 1 - underWay);
    else if (isFailure) await add(key, 1);
    else if (isSuccess && failures > 0 && (await giveBack(place)) < underWay) await store.clearCounter(key);
    else if (!isSuccess || failures === 0) await giveBack(place);
    wakeNext(key);
  }

  /** Gives the counter, 0 when its window is over. */
  async function giveBack({ key, expiresAt }: Place): Promise<number> {
    return now() < expiresAt ? add(key, -underWay) : 0;
  }

  async function add(key: string, amount: number): Promise<number> {
    const { count } = await store.addToCounter(key, amount, rules.windowSeconds);
    // The counter was cleared, or its window ended, while the attempt ran: what it gave back was not counted any more.
    return count < 0 && amount < 0 ? (await store.addToCounter(key, underWay, rules.windowSeconds)).count : count;
  }

  function refused(retryAfterSeconds: number): Error {
    onRefused();
    return rateLimited(Math.max(1, retryAfterSeconds));
  }

  /** Waits in line until an attempt of this process ends; the first also looks at what other processes do. */
  function turn(key: string): Promise<void> {
    return new Promise((resolve) => {
      const line = waiting.get(key);
      if (line === undefined) waiting.set(key, { wakes: [resolve], timer: setInterval(() => wakeNext(key), pauseMs) });
      else line.wakes.push(resolve);
    });
  }

  function wakeNext(key: string): void {
    const line = waiting.get(key);
    if (line === undefined) return;
    line.wakes.shift()?.();
    if (line.wakes.length > 0) return;
    clearInterval(line.timer);
    waiting.delete(key);
  }

  return { guard, guardAddress };
}

function read(count: number): { readonly failures: number; readonly underWay: number } {
  const all = Math.floor(Math.max(count, 0) / underWay);
  return { failures: Math.max(count, 0) - all * underWay, underWay: all };
}

function addressKey(clientKey: string): string {
  return `login:address:${clientKey}`;
}

function identityKey(identity: string): string {
  return `login:identity:${identityDigest(identity)}`;
}

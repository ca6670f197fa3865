import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { AccountRecord, AccountStore } from './account-store.ts';

/** An account as this process last saw it. */
export interface Session {
  readonly account: AccountRecord;
  /**
   * Rises when anything happened that may end a session: another session version, role, state, or a revoked token. What was
   * concluded under an older epoch has to be checked again.
   */
  readonly epoch: number;
  /** Unix milliseconds; then the store has to be asked again. */
  readonly freshUntilMs: number;
}

/**
 * Accounts remembered for `ttlMs` (docs/server/accounts.md#tokens, `session_cache_seconds`). Changes made through this
 * process show at once.
 */
export interface Sessions {
  /** Undefined when there is no such account. At once when it is remembered, or the store answers at once. */
  load(userId: string, nowMs: number): MaybePromise<Session | undefined>;
  /** Takes over a record that was just written. */
  changed(account: AccountRecord, nowMs: number): void;
  /** Notes a change of the account's tokens that is not in its record. */
  touch(userId: string): void;
  /** Forgets an account that another process changed, or its tokens: the store has to be asked again. */
  forget(userId: string): void;
}

interface Entry extends Session {
  account: AccountRecord;
  epoch: number;
  freshUntilMs: number;
}

interface Reading {
  readonly result: Promise<Session | undefined>;
  /** The account was written while it was being read, so what comes back may be the older record. */
  isStale: boolean;
}

export function createSessions(store: AccountStore, ttlMs: number, capacity = 10_000): Sessions {
  const entries = new Map<string, Entry>();
  const readings = new Map<string, Reading>();

  function load(userId: string, nowMs: number): MaybePromise<Session | undefined> {
    const known = entries.get(userId);
    if (known && nowMs < known.freshUntilMs) return known;
    const underWay = readings.get(userId);
    if (underWay && !underWay.isStale) return underWay.result;
    const found = store.accountById(userId);
    return found instanceof Promise ? follow(userId, found, nowMs) : keep(userId, found, nowMs);
  }

  function follow(
    userId: string,
    found: Promise<AccountRecord | undefined>,
    nowMs: number,
  ): Promise<Session | undefined> {
    const reading: Reading = {
      isStale: false,
      result: found
        .finally(() => readings.get(userId) === reading && readings.delete(userId))
        .then((account) => (reading.isStale ? load(userId, nowMs) : keep(userId, account, nowMs))),
    };
    readings.set(userId, reading);
    return reading.result;
  }

  function keep(userId: string, account: AccountRecord | undefined, nowMs: number): Session | undefined {
    const entry = entries.get(userId);
    if (!account) {
      drop(userId);
      return undefined;
    }
    if (entry) {
      if (isOtherSession(entry.account, account)) entry.epoch += 1;
      entry.account = account;
      entry.freshUntilMs = nowMs + ttlMs;
      return entry;
    }
    if (entries.size >= capacity) drop(entries.keys().next().value as string);
    const fresh: Entry = { account, epoch: 0, freshUntilMs: nowMs + ttlMs };
    entries.set(userId, fresh);
    return fresh;
  }

  /** Tokens remembered under the entry can no longer hear of changes, so they are made to look again. */
  function drop(userId: string): void {
    touch(userId);
    entries.delete(userId);
  }

  function touch(userId: string): void {
    const entry = entries.get(userId);
    if (entry) entry.epoch += 1;
    const reading = readings.get(userId);
    if (reading) reading.isStale = true;
  }

  return {
    load,
    touch,
    forget(userId) {
      touch(userId);
      const entry = entries.get(userId);
      if (entry) entry.freshUntilMs = 0;
    },
    changed(account, nowMs) {
      const reading = readings.get(account.userId);
      if (reading) reading.isStale = true;
      keep(account.userId, account, nowMs);
    },
  };
}

function isOtherSession(before: AccountRecord, now: AccountRecord): boolean {
  return (
    before.sessionVersion !== now.sessionVersion ||
    before.disabled !== now.disabled ||
    before.rootId !== now.rootId ||
    names(before) !== names(now)
  );
}

/** Identities decide the role, see `effectiveRole`. */
function names(account: AccountRecord): string {
  return account.identities.map(({ type, value }) => `${type} ${value}`).join('\n');
}

import { Failure } from '../errors.ts';
import type { Log } from '../log/log.ts';
import type { Meters } from '../metrics/meters.ts';
import { effectiveRole, preferredName, type Role } from './account.ts';
import type { AccountConfig } from './account-config.ts';
import type { AccountRecord, AccountStore } from './account-store.ts';
import type { AccountIds } from './ids.ts';
import type { Lockout } from './lockout.ts';
import type { Passwords } from './passwords.ts';
import { refusedToken } from './refusals.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** Dependencies and state that every account operation works with. Made once per application by `openAccounts`. */
export interface AccountDesk {
  readonly store: AccountStore;
  readonly config: AccountConfig['scale'];
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly lockout: Lockout;
  readonly ids: AccountIds;
  readonly log: Log;
  readonly meters: Meters | undefined;
  /** Normalised identities that have the role `admin`. */
  readonly admins: ReadonlySet<string>;
  /** Unix milliseconds. */
  now(): number;
  /** Tells who follows sessions, e.g. open sockets, that some ended; resolves when other processes know as well. */
  sessionEnded(ended: EndedSession): Promise<void>;
  /** Tells other processes to look at an account again. */
  accountChanged(userId: string): Promise<void>;
}

/** Sessions that are over: one token, or all of the user's. */
export interface EndedSession {
  readonly userId: string;
  readonly tokenId: string | null;
}

/** An account and, when it was signed in, its token. */
export interface SignedIn {
  readonly account: AccountRecord;
  readonly role: Role;
  readonly token: IssuedToken | undefined;
}

export interface IssuedToken {
  readonly text: string;
  readonly lifetimeSeconds: number;
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
}

const maxAttempts = 8;

/** @param authTime Unix seconds of the last sign-in; that of a refreshed token is kept */
export async function issueToken(desk: AccountDesk, account: AccountRecord, authTime: number): Promise<IssuedToken> {
  const nowSeconds = Math.floor(desk.now() / 1000);
  const lifetimeSeconds = tokenLifetimeSeconds(desk);
  const text = await desk.tokens.issue(
    {
      userId: account.userId,
      name: preferredName(account),
      role: effectiveRole(account, desk.admins),
      authTime,
      tokenId: desk.ids.tokenId(),
      sessionVersion: account.sessionVersion,
    },
    nowSeconds,
  );
  return { text, lifetimeSeconds, expiresAtMs: (nowSeconds + lifetimeSeconds) * 1000 };
}

export function tokenLifetimeSeconds(desk: AccountDesk): number {
  return desk.config.jwt.expDeltaDays * 86_400;
}

/**
 * Changes an account as it is in the store now, again when somebody else changed it meanwhile. `change` may be called several times
 * and may throw; undefined leaves the account alone. Gives the account as it is afterwards.
 *
 * @throws Failure `WRITE_CONFLICT` when others were always faster
 */
export async function changeAccount(
  desk: Pick<AccountDesk, 'store' | 'sessions' | 'now'>,
  userId: string,
  change: (account: AccountRecord) => AccountRecord | undefined,
): Promise<AccountRecord> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const account = await requireAccount(desk, userId);
    const changed = change(account);
    if (!changed) return account;
    if (await desk.store.updateAccount(changed, account.updatedAt)) {
      desk.sessions.changed(changed, desk.now());
      return changed;
    }
  }
  throw new Failure('WRITE_CONFLICT', 'The account was changed by others at the same time.', {
    details: { object: userId, type: 'account', attempts: maxAttempts },
    headers: { 'Retry-After': '1' },
  });
}

/** @throws Failure `UNAUTHORIZED` when the account was deleted after its token was checked */
export async function requireAccount(desk: Pick<AccountDesk, 'store'>, userId: string): Promise<AccountRecord> {
  const account = await desk.store.accountById(userId);
  if (!account) throw refusedToken('unknown_user');
  return account;
}

import type { AccountRecord, IdentityRecord } from './account-store.ts';
import { type LoginIdentity, normaliseIdentity } from './identity.ts';

export type Role = AccountRecord['role'];

/** The identity an account is shown under: its username, else its email address. */
export function preferredName(account: AccountRecord): string | null {
  return loginValue(account, 'username') ?? loginValue(account, 'email');
}

/** Value of the email or username identity, or null. */
function loginValue(account: AccountRecord, type: LoginIdentity['type']): string | null {
  return account.identities.find((identity) => identity.type === type)?.value ?? null;
}

/** Tells whether a value somebody typed is one of the account's own names. */
export function hasLogin(account: AccountRecord, value: string): boolean {
  const normal = normaliseIdentity(value);
  return account.identities.some((identity) => identity.type !== 'sso' && identity.value === normal);
}

/**
 * The role an account has now: `admin` is what the configuration lists (docs/server/accounts.md#record), so taking a
 * name off the list takes the role away; the built-in accounts stay what they are.
 *
 * @param admins normalised identities
 */
export function effectiveRole(account: AccountRecord, admins: ReadonlySet<string>): Role {
  if (account.role === 'system') return 'system';
  const isListed = account.identities.some((identity) => identity.type !== 'sso' && admins.has(identity.value));
  return isListed ? 'admin' : 'user';
}

export function newIdentity(identity: LoginIdentity, now: string): IdentityRecord {
  return { type: identity.type, value: identity.value, email: null, verified: false, createdAt: now };
}

/** The account as its owner sees it (docs/server/accounts.md#sessions). Subjects of identity providers are shown as the provider's name. */
export function accountView(account: AccountRecord, role: Role): Record<string, unknown> {
  return {
    user_id: account.userId,
    username: loginValue(account, 'username'),
    email: loginValue(account, 'email'),
    role,
    root_id: account.rootId,
    identities: account.identities.map(({ type, value, verified }) => ({
      type,
      value: type === 'sso' ? value.slice(0, value.indexOf(':')) : value,
      verified,
    })),
    profile: account.profile,
    created_at: account.createdAt,
  };
}

/** `email` and `username`, those that exist. */
export function loginNames(account: AccountRecord): Record<string, string> {
  const email = loginValue(account, 'email');
  const username = loginValue(account, 'username');
  return { ...(email === null ? {} : { email }), ...(username === null ? {} : { username }) };
}

/** A later time than `previous`, so that two changes within one millisecond are told apart by their stamps. */
export function laterStamp(nowMs: number, previous: string): string {
  return new Date(Math.max(nowMs, Date.parse(previous) + 1)).toISOString();
}

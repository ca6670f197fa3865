import { Failure } from '../errors.ts';
import { effectiveRole, laterStamp } from './account.ts';
import type { AccountRecord } from './account-store.ts';
import { audit, type Origin } from './audit.ts';
import { type AccountDesk, issueToken, type SignedIn } from './desk.ts';
import { normaliseIdentity } from './identity.ts';
import { accountDisabled, wrongCredentials } from './refusals.ts';

/**
 * Signs in with a name or address and a password (docs/server/accounts.md#login).
 *
 * @throws Failure `UNAUTHORIZED` with one and the same answer whatever was wrong, `ACCOUNT_DISABLED` once the password was right,
 * `RATE_LIMITED` after too many failures
 */
export async function login(desk: AccountDesk, name: string, password: string, origin: Origin): Promise<SignedIn> {
  const identity = normaliseIdentity(name);
  let found: AccountRecord | undefined;
  const attempt = async () => {
    found = await desk.store.accountByIdentity('login', identity);
    return isRightPassword(desk, found, password);
  };
  if (!(await guardAudited(desk, identity, origin, attempt)) || !found) {
    audit(desk, 'login', 'refused', { identity }, origin);
    throw wrongCredentials();
  }
  if (found.disabled) {
    audit(desk, 'login', 'disabled', { userId: found.userId }, origin);
    throw accountDisabled();
  }
  const account = await recordLogin(desk, found, password);
  audit(desk, 'login', 'success', { userId: account.userId }, origin);
  const token = await issueToken(desk, account, Math.floor(desk.now() / 1000));
  return { account, role: effectiveRole(account, desk.admins), token };
}

/** Verifies in any case, so that an account that cannot be signed in to takes as long as a wrong password. */
export async function isRightPassword(
  desk: AccountDesk,
  account: AccountRecord | undefined,
  password: string,
): Promise<boolean> {
  const stored = account && account.role !== 'system' ? account.passwordHash : null;
  // No password can be this long; hashing it would only be work for us.
  const isPossible = password.length <= desk.config.auth.passwordMaxLength * 8;
  return stored !== null && isPossible
    ? desk.passwords.verify(password, stored)
    : desk.passwords.verifyNothing(isPossible ? password : '');
}

/** Runs an attempt under the limits and leaves a record when they strike. */
export async function guardAudited(
  desk: AccountDesk,
  identity: string,
  origin: Origin,
  attempt: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await desk.lockout.guard(identity, origin.clientKey, attempt);
  } catch (error) {
    if (error instanceof Failure && error.code === 'RATE_LIMITED') {
      audit(desk, 'account_lock', 'refused', { identity }, origin);
    }
    throw error;
  }
}

/**
 * Notes the time, and hashes anew what was hashed more weakly than today. Neither must keep anybody out, so when the account is
 * changed by somebody else at this moment the note is dropped.
 */
async function recordLogin(desk: AccountDesk, account: AccountRecord, password: string): Promise<AccountRecord> {
  const stored = account.passwordHash as string;
  const passwordHash = (await desk.passwords.isWeaker(stored)) ? await desk.passwords.hash(password) : stored;
  const nowMs = desk.now();
  const noted: AccountRecord = {
    ...account,
    passwordHash,
    lastLoginAt: new Date(nowMs).toISOString(),
    updatedAt: laterStamp(nowMs, account.updatedAt),
  };
  if (!(await desk.store.updateAccount(noted, account.updatedAt))) return account;
  desk.sessions.changed(noted, nowMs);
  return noted;
}

import { Failure } from '../errors.ts';
import { refuseProblems } from '../problems.ts';
import { effectiveRole, laterStamp, preferredName } from './account.ts';
import type { AccountRecord } from './account-store.ts';
import { audit, type Origin } from './audit.ts';
import { requireOwnName } from './change-account.ts';
import { type AccountDesk, changeAccount, issueToken, requireAccount, type SignedIn } from './desk.ts';
import { guardAudited, isRightPassword } from './login.ts';
import { forbidden } from './refusals.ts';
import type { Claims } from './tokens.ts';

/** Longest time in seconds since the last sign-in at which the first password of an account may be set. */
const recentSeconds = 600;

export interface PasswordChange {
  /** Name that the caller gave: it must be one of the account's own; undefined: none. */
  readonly name: string | undefined;
  readonly currentPassword: string | undefined;
  readonly newPassword: string;
}

/**
 * Sets a new password and ends all other sessions (docs/server/accounts.md#sessions). A wrong current password counts as a failed sign-in.
 *
 * @throws Failure `UPDATE_FAILED`, `FORBIDDEN`, `RATE_LIMITED`
 */
export async function changePassword(
  desk: AccountDesk,
  claims: Claims,
  change: PasswordChange,
  origin: Origin,
): Promise<SignedIn> {
  const before = await requireAccount(desk, claims.userId);
  requireOwnName(before, change.name);
  const isProved = before.passwordHash !== null;
  if (isProved) await requirePassword(desk, before, change.currentPassword, origin);
  else requireRecentLogin(desk, claims);

  const passwordHash = await desk.passwords.hash(change.newPassword);
  const account = await changeAccount(desk, claims.userId, (current) => {
    // The checks above hold for this hash and this session only; a change in between voids them.
    if (current.passwordHash !== before.passwordHash || current.sessionVersion !== claims.sessionVersion) {
      throw new Failure('WRITE_CONFLICT', 'The password was changed by others at the same time.');
    }
    const now = laterStamp(desk.now(), current.updatedAt);
    return {
      ...current,
      passwordHash,
      sessionVersion: current.sessionVersion + 1,
      passwordChangedAt: now,
      updatedAt: now,
    };
  });
  await desk.sessionEnded({ userId: account.userId, tokenId: null });
  audit(desk, 'password_change', 'success', { userId: account.userId }, origin);
  const token = await issueToken(desk, account, isProved ? Math.floor(desk.now() / 1000) : claims.authTime);
  return { account, role: effectiveRole(account, desk.admins), token };
}

async function requirePassword(
  desk: AccountDesk,
  account: AccountRecord,
  password: string | undefined,
  origin: Origin,
): Promise<void> {
  if (password === undefined) {
    refuseProblems([{ loc: ['body', 'current_password'], type: 'missing', msg: 'is required' }]);
    return;
  }
  const identity = preferredName(account) ?? account.userId;
  if (await guardAudited(desk, identity, origin, () => isRightPassword(desk, account, password))) return;
  audit(desk, 'password_change', 'refused', { userId: account.userId }, origin);
  throw new Failure('UPDATE_FAILED', 'Current password is incorrect');
}

function requireRecentLogin(desk: AccountDesk, claims: Claims): void {
  if (Math.floor(desk.now() / 1000) - claims.authTime > recentSeconds) {
    throw forbidden('login_too_old', 'Sign in again to set a password.');
  }
}

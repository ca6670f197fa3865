import { refuseProblems } from '../problems.ts';
import { effectiveRole, hasLogin, laterStamp, newIdentity } from './account.ts';
import type { AccountRecord, IdentityRecord } from './account-store.ts';
import { audit, type Origin } from './audit.ts';
import { type AccountDesk, changeAccount, issueToken, requireAccount, type SignedIn } from './desk.ts';
import type { LoginIdentity } from './identity.ts';
import { mergeProfile, type Profile, profileSizeProblems } from './profile.ts';
import { forbidden } from './refusals.ts';
import type { Claims } from './tokens.ts';

/** The account behind a token, as it is in the store now. */
export async function readAccount(desk: AccountDesk, claims: Claims): Promise<SignedIn> {
  const account = await requireAccount(desk, claims.userId);
  return { account, role: effectiveRole(account, desk.admins), token: undefined };
}

/**
 * Merges members into the profile; null removes one.
 *
 * @param change judged by `profileProblems` before
 * @throws Failure `VALIDATION_ERROR` when the result is too large
 */
export async function changeProfile(
  desk: AccountDesk,
  claims: Claims,
  change: Profile,
  origin: Origin,
): Promise<SignedIn> {
  const account = await changeAccount(desk, claims.userId, (current) => {
    const profile = mergeProfile(current.profile, change);
    refuseProblems(profileSizeProblems(profile, ['body', 'profile']));
    return { ...current, profile, updatedAt: laterStamp(desk.now(), current.updatedAt) };
  });
  audit(desk, 'profile_change', 'success', { userId: account.userId }, origin);
  return { account, role: effectiveRole(account, desk.admins), token: undefined };
}

/**
 * Changes the username, or the email address when the new name is one, which is unverified from then on
 * (docs/server/accounts.md#sessions). All other sessions end (decisions/0130); the answer has a token with the new name.
 *
 * @throws Failure `FORBIDDEN` when `current` is not one of the caller's names, `IDENTITY_TAKEN`
 */
export async function changeLogin(
  desk: AccountDesk,
  claims: Claims,
  change: { readonly current: string | undefined; readonly identity: LoginIdentity },
  origin: Origin,
): Promise<SignedIn> {
  let isChanged = false;
  const account = await changeAccount(desk, claims.userId, (before) => {
    requireOwnName(before, change.current);
    const now = laterStamp(desk.now(), before.updatedAt);
    const identities = withIdentity(before.identities, newIdentity(change.identity, now));
    isChanged = identities !== undefined;
    return identities && { ...before, identities, sessionVersion: before.sessionVersion + 1, updatedAt: now };
  });
  if (isChanged) await desk.sessionEnded({ userId: account.userId, tokenId: null });
  audit(desk, 'username_change', 'success', { userId: account.userId }, origin);
  const token = await issueToken(desk, account, claims.authTime);
  return { account, role: effectiveRole(account, desk.admins), token };
}

/** @throws Failure `FORBIDDEN` */
export function requireOwnName(account: AccountRecord, name: string | undefined): void {
  if (name !== undefined && !hasLogin(account, name)) {
    throw forbidden('not_your_account', 'The given name is not one of this account.');
  }
}

/** Undefined when nothing changes. */
function withIdentity(identities: readonly IdentityRecord[], fresh: IdentityRecord): IdentityRecord[] | undefined {
  const index = identities.findIndex((identity) => identity.type === fresh.type);
  if (index < 0) return [...identities, fresh];
  return identities[index]?.value === fresh.value ? undefined : identities.with(index, fresh);
}

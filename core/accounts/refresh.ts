import { effectiveRole, laterStamp } from './account.ts';
import { audit, type Origin } from './audit.ts';
import { checkToken } from './check-token.ts';
import { type AccountDesk, changeAccount, issueToken, type SignedIn, tokenLifetimeSeconds } from './desk.ts';
import { revoke } from './logout.ts';
import { refusedToken } from './refusals.ts';
import type { Claims } from './tokens.ts';

/**
 * Exchanges a token that is valid, or expired no longer ago than it lived, while the sign-in behind it is young enough
 * (docs/server/accounts.md#sessions). The new token keeps the time of that sign-in. With `refresh_revokes_old` a token
 * can be exchanged once; one that comes back later was stolen from one of two who have it, so all sessions of the
 * account end (decisions/0130).
 *
 * @throws Failure `UNAUTHORIZED`, `ACCOUNT_DISABLED`
 */
export async function refresh(desk: AccountDesk, text: string, origin: Origin): Promise<SignedIn> {
  const { jwt } = desk.config;
  const checked = await checkToken(desk, text, tokenLifetimeSeconds(desk));
  if (typeof checked === 'string') {
    if (checked === 'revoked' && jwt.refreshRevokesOld) await endWhenReused(desk, text, origin);
    audit(desk, 'refresh', `refused_${checked}`, {}, origin);
    throw refusedToken(checked);
  }
  const { claims, session } = checked;
  const signedInSecondsAgo = Math.floor(desk.now() / 1000) - claims.authTime;
  if (signedInSecondsAgo > jwt.refreshMaxAgeDays * 86_400) {
    audit(desk, 'refresh', 'refused_expired', { userId: claims.userId }, origin);
    throw refusedToken('expired');
  }
  const { account } = session;
  if (jwt.refreshRevokesOld) await useUp(desk, claims, origin);
  const token = await issueToken(desk, account, claims.authTime);
  audit(desk, 'refresh', 'success', { userId: account.userId }, origin);
  return { account, role: effectiveRole(account, desk.admins), token };
}

/** Marks a token as exchanged: of several exchanges at the same time, in any process, one succeeds. */
async function useUp(desk: AccountDesk, claims: Claims, origin: Origin): Promise<void> {
  const { count } = await desk.store.addToCounter(useOf(claims), 1, useSeconds(desk));
  await revoke(desk, claims);
  if (count === 1) return;
  audit(desk, 'refresh', 'refused_revoked', { userId: claims.userId }, origin);
  throw refusedToken('revoked');
}

/** Tabs that refresh at the same moment are no theft: only what comes after the leeway ends sessions. */
async function endWhenReused(desk: AccountDesk, text: string, origin: Origin): Promise<void> {
  const nowMs = desk.now();
  const claims = await desk.tokens.read(text, Math.floor(nowMs / 1000), tokenLifetimeSeconds(desk));
  if (typeof claims === 'string') return;
  const use = await desk.store.readCounter(useOf(claims));
  if (use === undefined) return; // revoked by signing out
  const firstMs = use.expiresAt - useSeconds(desk) * 1000;
  if (nowMs - firstMs <= desk.config.jwt.leewaySeconds * 1000) return;
  let isEnded = false;
  await changeAccount(desk, claims.userId, (account) => {
    isEnded = account.sessionVersion === claims.sessionVersion; // else they ended since
    if (!isEnded) return undefined;
    const updatedAt = laterStamp(desk.now(), account.updatedAt);
    return { ...account, sessionVersion: account.sessionVersion + 1, updatedAt };
  });
  if (!isEnded) return;
  await desk.sessionEnded({ userId: claims.userId, tokenId: null });
  audit(desk, 'refresh', 'reused', { userId: claims.userId }, origin);
}

function useOf({ tokenId }: Claims): string {
  return `refresh:${tokenId}`;
}

/** Gives the seconds for which a token could be presented: it may be refreshed for one lifetime after its own. */
function useSeconds(desk: AccountDesk): number {
  return 2 * tokenLifetimeSeconds(desk) + 2 * desk.config.jwt.leewaySeconds;
}

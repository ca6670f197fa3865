import { effectiveRole } from './account.ts';
import { audit, type Origin } from './audit.ts';
import { checkToken } from './check-token.ts';
import { type AccountDesk, issueToken, type SignedIn, tokenLifetimeSeconds } from './desk.ts';
import { revoke } from './logout.ts';
import { refusedToken } from './refusals.ts';

/**
 * Exchanges a token that is valid, or expired no longer ago than it lived, while the sign-in behind it is young enough
 * (server.md 9.5). The new token keeps the time of that sign-in.
 *
 * @throws Failure `UNAUTHORIZED`, `ACCOUNT_DISABLED`
 */
export async function refresh(desk: AccountDesk, text: string, origin: Origin): Promise<SignedIn> {
  const { jwt } = desk.config;
  const checked = await checkToken(desk, text, tokenLifetimeSeconds(desk));
  if (typeof checked === 'string') {
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
  const token = await issueToken(desk, account, claims.authTime);
  if (jwt.refreshRevokesOld) await revoke(desk, claims);
  audit(desk, 'refresh', 'success', { userId: account.userId }, origin);
  return { account, role: effectiveRole(account, desk.admins), token };
}

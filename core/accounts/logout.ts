import { laterStamp } from './account.ts';
import { audit, type Origin } from './audit.ts';
import { type AccountDesk, changeAccount, tokenLifetimeSeconds } from './desk.ts';
import type { Claims } from './tokens.ts';

/** Ends the session of the presented token, or all sessions of its account. Durable when it resolves. */
export async function logout(desk: AccountDesk, claims: Claims, isForAll: boolean, origin: Origin): Promise<void> {
  if (isForAll) {
    await changeAccount(desk, claims.userId, (account) => ({
      ...account,
      sessionVersion: account.sessionVersion + 1,
      updatedAt: laterStamp(desk.now(), account.updatedAt),
    }));
    await desk.sessionEnded({ userId: claims.userId, tokenId: null });
  } else {
    await revoke(desk, claims);
  }
  audit(desk, 'logout', isForAll ? 'all' : 'success', { userId: claims.userId }, origin);
}

/**
 * Puts a token on the list of revoked ones. It stays there for as long as it could still be refreshed, which is one lifetime longer
 * than it could be used: a list kept to the expiry alone would let a token that was logged out come back by refreshing.
 */
export async function revoke(desk: AccountDesk, claims: Claims): Promise<void> {
  const { leewaySeconds } = desk.config.jwt;
  await desk.store.revokeToken(claims.tokenId, claims.expiresAt + leewaySeconds + tokenLifetimeSeconds(desk));
  desk.sessions.touch(claims.userId);
  await desk.sessionEnded({ userId: claims.userId, tokenId: claims.tokenId });
}

import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { AccountDesk } from './desk.ts';
import type { TokenRefusal } from './refusals.ts';
import type { Session } from './sessions.ts';
import type { Claims } from './tokens.ts';

/** A genuine token of a live account. Holds while `session.epoch` is `epoch`, until `untilMs`. */
export interface CheckedToken {
  readonly claims: Claims;
  readonly session: Session;
  readonly epoch: number;
  /** Unix milliseconds: when the token expires, leeway included, or other processes may have changed something. */
  readonly untilMs: number;
}

/** Checks a token completely, in the order of docs/server/accounts.md#tokens. */
export function checkToken(
  desk: AccountDesk,
  token: string,
  graceSeconds = 0,
): MaybePromise<CheckedToken | TokenRefusal> {
  const nowMs = desk.now();
  return after(desk.tokens.read(token, Math.floor(nowMs / 1000), graceSeconds), (claims) =>
    typeof claims === 'string' ? claims : checkClaims(desk, claims, nowMs),
  );
}

/** Checks what changes with time about a token that was checked before: its expiry, account, session version and revocation. */
export function recheckToken(desk: AccountDesk, claims: Claims): MaybePromise<CheckedToken | TokenRefusal> {
  const nowMs = desk.now();
  return nowMs >= lastMoment(desk, claims) ? 'expired' : checkClaims(desk, claims, nowMs);
}

function checkClaims(
  desk: AccountDesk,
  claims: Claims,
  nowMs: number,
  isRemembered = true,
): MaybePromise<CheckedToken | TokenRefusal> {
  return after(desk.sessions.load(claims.userId, nowMs), (session) => {
    if (!session || session.account.role === 'system') return 'unknown_user';
    const { account, epoch, freshUntilMs } = session; // before the store is asked: a change meanwhile must not go unnoticed
    if (account.disabled) return 'disabled';
    if (account.sessionVersion < claims.sessionVersion && isRemembered) {
      // Only the account can have made a higher version: another process did, and this one has not read it yet.
      desk.sessions.forget(claims.userId);
      return checkClaims(desk, claims, nowMs, false);
    }
    if (account.sessionVersion !== claims.sessionVersion) return 'revoked';
    const untilMs = Math.min(freshUntilMs, lastMoment(desk, claims));
    return after(desk.store.isRevoked(claims.tokenId), (isRevoked) =>
      isRevoked ? 'revoked' : { claims, session, epoch, untilMs },
    );
  });
}

/** The end of the second in which the token expires, leeway included, in Unix milliseconds. */
function lastMoment(desk: AccountDesk, claims: Claims): number {
  return (claims.expiresAt + desk.config.jwt.leewaySeconds + 1) * 1000;
}

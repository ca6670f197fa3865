import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Accounts } from '../../core/accounts/accounts.ts';
import type { CheckedToken } from '../../core/accounts/check-token.ts';
import { missingToken, refusedToken, type TokenRefusal } from '../../core/accounts/refusals.ts';
import type { Session } from '../../core/accounts/sessions.ts';
import { createClockCache } from '../../core/accounts/token-cache.ts';
import type { Claims } from '../../core/accounts/tokens.ts';
import { SHARED_ROOT_ID } from '../../core/graph/ids.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { AuthNeed } from '../routes.ts';

/** A signed-in caller with what its token said: what `bearer` endpoints of the account layer work on. */
export interface TokenCaller extends Caller {
  readonly kind: 'user';
  readonly userId: string;
  readonly claims: Claims;
}

export interface Identify {
  (call: Call, need: AuthNeed): MaybePromise<Caller>;
  /** The caller a bare token stands for, or why it is refused. For tokens that come by other ways than the header. */
  token(text: string): MaybePromise<TokenCaller | TokenRefusal>;
  /** The caller a token stands for that was found genuine before, by what it said. */
  claims(claims: Claims): MaybePromise<TokenCaller | TokenRefusal>;
}

export const guest: Caller = {
  kind: 'guest',
  userId: null,
  rootId: SHARED_ROOT_ID,
  role: 'guest',
  ignoredToken: false,
};
const guestWithBadToken: Caller = { ...guest, ignoredToken: true };

/** One `Authorization` header that was found good. */
interface RememberedCaller {
  readonly caller: TokenCaller;
  readonly session: Session;
  readonly epoch: number;
  readonly untilMs: number;
  isHit: boolean;
}

const maxRemembered = 10_000;

/**
 * Finds out who is calling (docs/server/accounts.md#authentication). A header that was checked before costs one
 * look-up: it holds until the token expires, the account has to be read again, or anything happened to the account's
 * sessions in this process.
 */
export function createIdentify(accounts: Accounts, clock: { now(): number }, capacity = maxRemembered): Identify {
  const remembered = createClockCache<RememberedCaller>(capacity);

  function identify(call: Call, need: AuthNeed): MaybePromise<Caller> {
    if (need === 'none') return guest;
    const header = call.header('authorization');
    if (header === undefined) return withoutToken(need);
    const known = remembered.get(header);
    if (known !== undefined && holds(known)) return known.caller;
    const token = bearerToken(header);
    if (token === undefined) return withoutToken(need);
    return after(identifyToken(token), (found) => {
      if (typeof found !== 'string') return found;
      if (need === 'bearer') throw refusedToken(found);
      return guestWithBadToken;
    });
  }

  /** Other spellings of the scheme share one entry, so that nobody can fill the cache with one token. */
  function identifyToken(token: string): MaybePromise<TokenCaller | TokenRefusal> {
    const key = `Bearer ${token}`;
    const known = remembered.get(key);
    return known !== undefined && holds(known) ? known.caller : check(key, token, known);
  }

  function holds(known: RememberedCaller): boolean {
    return known.epoch === known.session.epoch && clock.now() < known.untilMs;
  }

  function check(
    key: string,
    token: string,
    known: RememberedCaller | undefined,
  ): MaybePromise<TokenCaller | TokenRefusal> {
    const checked = known ? accounts.recheck(known.caller.claims) : accounts.checkToken(token);
    return after(checked, (result) => {
      if (typeof result === 'string') {
        remembered.delete(key);
        return result;
      }
      const caller = callerOf(result);
      remembered.set(key, {
        caller,
        session: result.session,
        epoch: result.epoch,
        untilMs: result.untilMs,
        isHit: false,
      });
      return caller;
    });
  }

  function callerOf({ claims, session: { account } }: CheckedToken): TokenCaller {
    const { userId, rootId } = account;
    return { kind: 'user', userId, rootId, role: accounts.roleOf(account), ignoredToken: false, claims };
  }

  function identifyClaims(claims: Claims): MaybePromise<TokenCaller | TokenRefusal> {
    return after(accounts.recheck(claims), (result) => (typeof result === 'string' ? result : callerOf(result)));
  }

  return Object.assign(identify, { token: identifyToken, claims: identifyClaims });
}

function withoutToken(need: AuthNeed): Caller {
  if (need === 'bearer') throw missingToken();
  return guest;
}

/** Gives the token behind the scheme `Bearer`; undefined for other schemes, which count as no token. */
export function bearerToken(header: string): string | undefined {
  return /^bearer[ \t]+([^ \t].*?)[ \t]*$/i.exec(header)?.[1];
}

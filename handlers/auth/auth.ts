import type { MaybePromise } from '../../base/maybe-promise.ts';
import { type AccountDeps, openAccounts } from '../../core/accounts/accounts.ts';
import type { ApiKeys } from '../../core/accounts/api-keys.ts';
import type { EndedSession } from '../../core/accounts/desk.ts';
import type { TokenRefusal } from '../../core/accounts/refusals.ts';
import type { Claims } from '../../core/accounts/tokens.ts';
import { accountRoutes } from '../http/accounts/routes.ts';
import type { Auth } from '../routes.ts';
import type { SsoParts } from '../sso/sso-parts.ts';
import { ssoRoutes } from '../sso/sso-routes.ts';
import { createIdentify, type TokenCaller } from './identify.ts';

/** `Auth` with what sockets need besides: tokens that come in messages, and sessions that end while a socket is open. */
export interface AccountAuth extends Auth {
  /** The caller a bare token stands for, or why it is refused. */
  identifyToken(token: string): MaybePromise<TokenCaller | TokenRefusal>;
  /** The same for what a token said that was found genuine before. */
  identifyClaims(claims: Claims): MaybePromise<TokenCaller | TokenRefusal>;
  readonly apiKeys: ApiKeys;
  /** Follows sessions that end by logout or a password change in this process; gives a function that stops following. */
  onSessionEnd(listener: (ended: EndedSession) => void): () => void;
  /** Stops following other processes. */
  close(): void;
}

export interface AuthDeps extends AccountDeps {
  /** Single sign-on; without it there are no such endpoints. */
  readonly sso?: SsoParts;
}

/**
 * Creates the authentication of callers, and the account endpoints. Reads the token keys, so it throws when `jwt.secret
 * = "auto"` cannot be kept or a key file is missing.
 */
export function createAuth(deps: AuthDeps): AccountAuth {
  const accounts = openAccounts(deps);
  const clock = deps.clock ?? Date;
  const identify = createIdentify(accounts, clock);
  const sso = deps.sso === undefined ? [] : ssoRoutes(accounts, deps.sso, () => clock.now());
  return {
    identify,
    identifyToken: identify.token,
    identifyClaims: identify.claims,
    routes: [...accountRoutes(accounts), ...sso],
    apiKeys: accounts.apiKeys,
    onSessionEnd: accounts.onSessionEnd,
    close: accounts.close,
  };
}

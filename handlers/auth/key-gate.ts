/**
 * Checks that all doors share which API keys open: webhooks, walkers and functions, sockets (docs/server/api-keys.md#keys,
 * docs/server/api-keys.md#scopes).
 */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { AccountStore, ApiKeyScope } from '../../core/accounts/account-store.ts';
import type { ApiKey, ApiKeys } from '../../core/accounts/api-keys.ts';
import { audit } from '../../core/accounts/audit.ts';
import { rateLimited } from '../../core/accounts/refusals.ts';
import { Failure } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { type ClientAddresses, limitKey } from '../client-address.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { AuthNeed } from '../routes.ts';
import { guest } from './identify.ts';
import { originOf } from './origin-of.ts';

export interface KeyGate {
  /** @throws Failure `UNAUTHORIZED`, one answer for every cause; `RATE_LIMITED` for an address that guesses */
  require(call: Call, presented: string): MaybePromise<ApiKey>;
  /** @throws Failure `UNAUTHORIZED` for keys of other scopes, `FORBIDDEN` for those of other targets */
  requireAllowed(key: ApiKey, scope: ApiKeyScope, target: string | undefined): void;
  /** Counts a call of a key. @throws Failure `RATE_LIMITED` */
  limit(key: ApiKey): MaybePromise<void>;
  /**
   * Finds the caller of a walker or function by its key. Where anybody may call, a key that is refused makes a guest,
   * and one that is not of ours is none.
   *
   * @throws Failure as the three above
   */
  identify(call: KeyedCall, need: AuthNeed): MaybePromise<KeyCaller | Caller>;
  /** The caller of a connection that was opened with a key, as it is now; undefined when the key is over. */
  again(keyId: string): MaybePromise<KeyCaller | undefined>;
}

/** A call as its key is judged. */
export interface KeyedCall {
  readonly call: Call;
  readonly requestId: string;
  /** Walker or function; undefined for a connection, whose subscriptions name theirs. */
  readonly target: string | undefined;
}

export interface KeyCaller extends Caller {
  readonly kind: 'user';
  readonly userId: string;
  readonly keyId: string;
  readonly allowed: readonly string[];
}

export interface KeyGateParts {
  readonly apiKeys: ApiKeys;
  /** Counts calls with unknown keys. */
  readonly counters: Pick<AccountStore, 'addToCounter'>;
  readonly clients: ClientAddresses;
  /** Rate limit of each key; undefined: none. */
  readonly rateLimit: RateLimit | undefined;
  readonly nowMs: () => number;
  readonly meters: Meters | undefined;
  readonly log: Log;
}

const maxUnknownKeys = 30;
const unknownKeysWindowSeconds = 60;

/** RFC 9110 11.6.1 wants a challenge with every 401. */
export const keyChallenge = 'ApiKey realm="svc"';

export function createKeyGate(parts: KeyGateParts): KeyGate {
  const { apiKeys, counters, clients, rateLimit, meters, log } = parts;

  function require(call: Call, presented: string): MaybePromise<ApiKey> {
    return after(apiKeys.check(presented), (key) => key ?? refuseUnknown(call));
  }

  /** Guessing is slowed down. */
  async function refuseUnknown(call: Call): Promise<never> {
    const address = limitKey(clients.address(call));
    const { count, expiresAt } = await counters.addToCounter(`api-key:${address}`, 1, unknownKeysWindowSeconds);
    if (count > maxUnknownKeys) {
      meters?.rateLimited('unknown_api_key');
      throw rateLimited(Math.max(1, Math.ceil((expiresAt - parts.nowMs()) / 1000)));
    }
    throw refusedKey('invalid', 'Invalid or expired API key');
  }

  function limit(key: ApiKey): MaybePromise<void> {
    if (rateLimit === undefined) return;
    return after(rateLimit.take(`api-key ${key.id}`), (retryAfter) => {
      if (retryAfter === 0) return;
      meters?.rateLimited('api_key');
      throw new Failure('RATE_LIMITED', 'Too many calls with this API key.', {
        details: { retry_after: retryAfter },
        headers: { 'Retry-After': String(retryAfter) },
      });
    });
  }

  function identify(keyed: KeyedCall, need: AuthNeed): MaybePromise<KeyCaller | Caller> {
    const { call, target } = keyed;
    const presented = call.header('x-api-key') ?? '';
    if (need === 'optional' && !presented.startsWith('svck_')) return guest;
    const refused = (error: unknown): Caller => {
      note(keyed, 'refused', undefined);
      if (need === 'optional' && error instanceof Failure && error.status < 429) return guestWithBadKey;
      throw error;
    };
    const admitted = (key: ApiKey): MaybePromise<KeyCaller> => {
      requireAllowed(key, 'call', target);
      return after(limit(key), () => {
        note(keyed, 'accepted', key.userId);
        return callerOf(key);
      });
    };
    try {
      const found = after(require(call, presented), admitted);
      return found instanceof Promise ? found.catch(refused) : found;
    } catch (error) {
      return refused(error);
    }
  }

  function note({ call, requestId }: KeyedCall, outcome: string, userId: string | undefined): void {
    audit({ log }, 'api_key_call', outcome, { userId }, originOf({ client: clients.address(call), requestId }));
  }

  return {
    require,
    requireAllowed,
    limit,
    identify,
    again: (keyId) => after(apiKeys.recheck(keyId), (key) => key && callerOf(key)),
  };
}

const guestWithBadKey: Caller = { ...guest, ignoredKey: true };

export function callerOf({ id, userId, rootId, role, allowedWalkers }: ApiKey): KeyCaller {
  return { kind: 'user', userId, rootId, role, ignoredToken: false, keyId: id, allowed: allowedWalkers };
}

export function refusedKey(reason: 'missing' | 'invalid' | 'scope', message: string): Failure {
  return new Failure('UNAUTHORIZED', message, { details: { reason }, headers: { 'WWW-Authenticate': keyChallenge } });
}

function requireAllowed({ scopes, allowedWalkers }: ApiKey, scope: ApiKeyScope, target: string | undefined): void {
  if (!scopes.includes(scope)) throw refusedKey('scope', `This API key does not have the scope "${scope}".`);
  if (target !== undefined) requireNamed(allowedWalkers, target);
}

/** @throws Failure `FORBIDDEN` for a target that a key is not for */
export function requireNamed(allowed: readonly string[], target: string): void {
  if (allowed.length === 0 || allowed.includes(target)) return;
  throw new Failure('FORBIDDEN', `This API key may not call ${target}.`, { details: { reason: 'walker_not_allowed' } });
}

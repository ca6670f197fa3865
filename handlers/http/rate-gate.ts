import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Failure } from '../../core/errors.ts';
import type { LimitScope, Meters } from '../../core/metrics/meters.ts';
import type { Caller } from '../caller.ts';
import { type ClientAddresses, limitKey } from '../client-address.ts';
import type { Exchange } from './exchange.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Counts requests and refuses those above the limit (docs/server/errors.md#limits). `app.ts` asks it before, after or
 * instead of identifying a caller.
 */
export interface RateGate {
  /** Counts a request by the address of its client. @throws Failure `RATE_LIMITED` */
  byAddress(exchange: Exchange): MaybePromise<void>;
  /** Counts a request by its user, that of a guest by its address. @throws Failure `RATE_LIMITED` */
  byCaller(exchange: Exchange, caller: Caller): MaybePromise<void>;
}

/** Makes the gate before one set of buckets. */
export function createRateGate(buckets: RateLimit, clients: ClientAddresses, meters: Meters | undefined): RateGate {
  return { byAddress, byCaller };

  function byAddress(exchange: Exchange): MaybePromise<void> {
    return take(exchange, limitKey(clients.address(exchange.call)), 'address');
  }

  function byCaller(exchange: Exchange, caller: Caller): MaybePromise<void> {
    return caller.userId === null ? byAddress(exchange) : take(exchange, `user ${caller.userId}`, 'user');
  }

  function take(exchange: Exchange, key: string, scope: LimitScope): MaybePromise<void> {
    if (exchange.isQuiet) return;
    return after(buckets.take(key), (retryAfter) => {
      if (retryAfter === 0) return;
      meters?.rateLimited(scope);
      throw new Failure('RATE_LIMITED', 'Too many requests.', {
        details: { retry_after: retryAfter },
        headers: { 'Retry-After': String(retryAfter) },
      });
    });
  }
}

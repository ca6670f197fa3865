import { createHash } from 'node:crypto';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { Failure } from '../../../core/errors.ts';
import type { Reply } from '../../call.ts';
import type { Exchange } from '../exchange.ts';
import type { Claim, IdempotencyKey, IdempotencyOptions } from './run-once.ts';

/** Idempotency keys (docs/server/requests.md#idempotency): an answer is given once and replayed after that. */
export interface Idempotency {
  /** The key a request carries, when it counts. Throws `BAD_REQUEST` for one that is not allowed. */
  keyOf(exchange: Exchange): string | undefined;
  /** Runs a call under a key: replays the stored answer, or stores the one `run` gives. */
  once(exchange: Exchange, key: IdempotencyKey, run: (claim: Claim) => MaybePromise<Reply>): Promise<Reply>;
}

/** Claims and replays are read with the first request that has a key: most processes never meet one. */
export function createIdempotency(options: IdempotencyOptions): Idempotency {
  return {
    keyOf(exchange) {
      const key = exchange.call.header('idempotency-key');
      if (key === undefined || exchange.caller?.kind !== 'user') return undefined;
      return requireKeyText(key);
    },
    async once(exchange, key, run) {
      const { runOnce } = await import('./run-once.ts');
      return runOnce(options, exchange, key, run);
    },
  };
}

/** @throws Failure `BAD_REQUEST` */
export function requireKeyText(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Failure('BAD_REQUEST', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
}

/** SHA-256 over what makes a request the same request. */
export function fingerprintOf(exchange: Exchange, body: Uint8Array | string): string {
  const { method, path, query } = exchange.call;
  return createHash('sha256').update(`${method}\n${path}\n${query}\n`).update(body).digest('hex');
}

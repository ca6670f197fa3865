import type { MaybePromise } from '../../base/maybe-promise.ts';
import { audit } from '../../core/accounts/audit.ts';
import { Failure } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters, WebhookOutcome } from '../../core/metrics/meters.ts';
import { originOf } from '../auth/origin-of.ts';
import type { Reply } from '../call.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../routes.ts';

export interface WebhookRecords {
  readonly meters?: Meters | undefined;
  readonly clients: ClientAddresses;
  readonly log: Log;
}

/**
 * Makes what counts the calls of a webhook and leaves an audit record of each, accepted and refused
 * (docs/server/accounts.md#audit, docs/server/observability.md#metric-values).
 */
export function createWebhookRecorder({ meters, clients, log }: WebhookRecords) {
  const isRecorded = meters !== undefined || log.enabled('info');

  return (name: string, serve: Route['serve']): Route['serve'] => {
    return isRecorded ? recorded : serve;

    function recorded(exchange: Exchange): MaybePromise<Reply> {
      let reply: MaybePromise<Reply>;
      try {
        reply = serve(exchange);
      } catch (error) {
        record(exchange, error);
        throw error;
      }
      if (reply instanceof Promise) return recordedLater(exchange, reply);
      record(exchange, undefined);
      return reply;
    }

    async function recordedLater(exchange: Exchange, pending: Promise<Reply>): Promise<Reply> {
      let reply: Reply;
      try {
        reply = await pending;
      } catch (error) {
        record(exchange, error);
        throw error;
      }
      record(exchange, undefined);
      return reply;
    }

    function record(exchange: Exchange, error: unknown): void {
      const outcome = outcomeOf(exchange, error);
      meters?.webhookAnswered(name, outcome);
      const { requestId, caller } = exchange;
      const from = originOf({ client: clients.address(exchange.call), requestId });
      audit({ log }, 'webhook', outcome, { userId: caller?.userId ?? undefined }, from);
    }
  };
}

/** Tells the outcome of a call, for metrics (decisions/0050). */
function outcomeOf(exchange: Exchange, error: unknown): WebhookOutcome {
  if (exchange.headers?.includes('Idempotent-Replayed') === true) return 'replayed';
  if (error === undefined) return 'ok';
  if (!(error instanceof Failure) || error.status >= 500) return 'error';
  if (error.status !== 401) return 'rejected';
  const { reason } = error.details as { readonly reason?: unknown };
  return reason === 'signature' || reason === 'timestamp' ? 'bad_signature' : 'unauthorized';
}

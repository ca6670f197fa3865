/** The webhook endpoints (docs/server/webhooks.md#call), with its checks in its order. */

import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { AccountStore } from '../../core/accounts/account-store.ts';
import type { ApiKey, ApiKeys } from '../../core/accounts/api-keys.ts';
import { callerOf, refusedKey } from '../auth/key-gate.ts';
import type { Call, Reply } from '../call.ts';
import { makeBinder } from '../http/bind/binder.ts';
import { bindAgain, bindNoted, type NotedBody, readNoted } from '../http/bind-long.ts';
import { bodyKind, unsupported } from '../http/body/media-type.ts';
import { requireIdentity } from '../http/body/read-body.ts';
import { parseBody } from '../http/body/read-json-body.ts';
import type { Exchange } from '../http/exchange.ts';
import { fingerprintOf, requireKeyText } from '../http/run/idempotency.ts';
import type { Claim } from '../http/run/run-once.ts';
import { tellUnknown } from '../http/tell-unknown.ts';
import type { Route } from '../routes.ts';
import { bindField, mayReferTo, type ServedTarget } from '../served-targets.ts';
import { createWebhookRecorder } from './record-webhook.ts';
import { createSenderRoute } from './sender-route.ts';
import { createSignatureCheck, type DeliveryId } from './signature.ts';
import type { WebhookParts } from './webhook-parts.ts';

export interface WebhookDeps {
  readonly apiKeys: ApiKeys;
  /** Counts calls with unknown keys. */
  readonly counters: Pick<AccountStore, 'addToCounter'>;
  /** Variables with the secrets of services that sign calls in their own ways. */
  readonly environment: (name: string) => string | undefined;
}

export type CreateWebhookRoutes = typeof createWebhookRoutes;

/** Prepares what all webhook endpoints share; the function it gives makes the route of one walker. */
export function createWebhookRoutes({ environment }: Pick<WebhookDeps, 'environment'>, parts: WebhookParts) {
  const { rules, keys, rateLimit } = parts;
  const recorded = createWebhookRecorder(parts);
  const checkSignature = createSignatureCheck(rules);

  return (target: ServedTarget): { readonly method: string; readonly route: Route } => {
    const serve =
      target.rest.verify === '' ? withKey(target) : createSenderRoute(target, parts, { environment, rateLimit });
    return {
      method: 'POST',
      route: {
        template: target.path,
        auth: 'none',
        isQuiet: false,
        target: target.name,
        maxBodyBytes: () => rules.maxBodyBytes,
        serve: recorded(target.name, serve),
      },
    };
  };

  function withKey(target: ServedTarget): Route['serve'] {
    const binder = makeBinder(target.fields.map(bindField), 'body', parts.limits.maxJsonDepth);
    const findUnknown = parts.createFindUnknown?.(target.fields);
    const mayRefer = target.fields.some((field) => !field.isHidden && mayReferTo(field.type));

    function check(exchange: Exchange): MaybePromise<Reply> {
      const presented = exchange.call.header('x-api-key');
      if (presented === undefined || presented === '') throw refusedKey('missing', 'Missing X-API-Key header');
      return after(keys.require(exchange.call, presented), (key) => admitted(exchange, key));
    }

    function admitted(exchange: Exchange, key: ApiKey): MaybePromise<Reply> {
      const { call } = exchange;
      requireJson(call);
      keys.requireAllowed(key, 'webhook', target.name);
      return after(keys.limit(key), () => identified(exchange, key));
    }

    function identified(exchange: Exchange, key: ApiKey): MaybePromise<Reply> {
      const { call } = exchange;
      exchange.caller = callerOf(key);
      return after(call.body(rules.maxBodyBytes), (body) => {
        exchange.bytesIn = body.length;
        exchange.body = body;
        const delivery = checkSignature(call, body, key, parts.nowSeconds());
        return received(exchange, key, body, delivery);
      });
    }

    function received(exchange: Exchange, key: ApiKey, bytes: Uint8Array, delivery: DeliveryId): MaybePromise<Reply> {
      return after(
        readNoted(() => parseBody(exchange, bytes, parts.limits)),
        (read) => once(exchange, key, read, delivery),
      );
    }

    function once(exchange: Exchange, key: ApiKey, read: NotedBody, delivery: DeliveryId): MaybePromise<Reply> {
      const text = exchange.call.header('idempotency-key') ?? exchange.call.header('webhook-id');
      if (text === undefined && delivery === undefined) return run(exchange, read, undefined);
      const named =
        text === undefined
          ? { key: delivery!, owner: `key:${key.id}` }
          : { key: requireKeyText(text), owner: key.userId };
      const fingerprint = fingerprintOf(exchange, exchange.body!);
      const claimed = { ...named, target: `${target.kind}:${target.name}`, fingerprint };
      return parts.idempotency.once(exchange, claimed, (claim) => run(exchange, read, claim));
    }

    // The same shape as that of HTTP calls: what runs them sees one kind of object.
    function run(exchange: Exchange, read: NotedBody, claim: Claim | undefined): MaybePromise<Reply> {
      const notes = findUnknown?.(read.body, undefined, exchange.large?.large);
      const bind = () => bindAgain(binder, exchange, read.body, parts.limits);
      const start = () =>
        after(bindNoted(binder, exchange, read, parts.limits), (args) =>
          parts.run({ exchange, target, args, bind, nodeId: undefined, mayRefer, claim, notes }),
        );
      return notes === undefined ? start() : tellUnknown(notes, start);
    }

    return check;
  }
}

/** Signed bytes must be the bytes that are parsed, so neither another type nor an encoding is taken. */
function requireJson(call: Call): void {
  const type = call.header('content-type');
  if (type === undefined || bodyKind(type, 'json') !== 'json') throw unsupported('json');
  requireIdentity(call);
}

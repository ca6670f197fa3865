/** Webhook calls of services that sign in their own ways (decisions/0420): the checks, in order, then the run as a guest. */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { interpolate } from '../../core/config/interpolate.ts';
import { Failure } from '../../core/errors.ts';
import { guest } from '../auth/identify.ts';
import type { Reply } from '../call.ts';
import { makeBinder, noSources } from '../http/bind/binder.ts';
import { bindAgain, bindNoted } from '../http/bind-long.ts';
import { requireIdentity } from '../http/body/read-body.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Claim } from '../http/run/run-once.ts';
import { answer, type Route } from '../routes.ts';
import { bindField, mayReferTo, type ServedTarget } from '../served-targets.ts';
import type { Mac } from './mac.ts';
import { readSenderBody, type SenderBody } from './read-sender-body.ts';
import { checkSender, refusedSender, type SenderScheme, senderSchemes } from './sender-schemes.ts';
import type { WebhookParts } from './webhook-parts.ts';

export interface SenderParts {
  readonly environment: (name: string) => string | undefined;
  readonly rateLimit: RateLimit | undefined;
}

/** A call whose sender is known, or need not be. */
interface Delivery {
  /** Names the delivery, the same for all attempts of it; undefined where nothing does. */
  readonly id: string | undefined;
  readonly bindFirst: () => MaybePromise<unknown[]>;
  readonly bind: () => unknown[];
}

/** Makes the route of one walker. */
export function createSenderRoute(
  target: ServedTarget,
  parts: WebhookParts,
  { environment, rateLimit }: SenderParts,
): Route['serve'] {
  const { rules } = parts;
  const { verify, secret } = target.rest;
  const scheme = verify === 'none' || verify === '' ? undefined : senderSchemes[verify];
  const binder = makeBinder(target.fields.map(bindField), 'body', parts.limits.maxJsonDepth);
  const declares = new Set(target.fields.filter(({ isHidden }) => !isHidden).map(({ name }) => name));
  const mayRefer = target.fields.some((field) => !field.isHidden && mayReferTo(field.type));
  let prepared: { readonly text: string; readonly mac: Mac } | undefined;

  return (exchange) => {
    const { call } = exchange;
    const mac = scheme === undefined ? undefined : macOf(scheme); // 503
    requireIdentity(call); // 415
    return after(call.body(rules.maxBodyBytes), (body) => {
      exchange.bytesIn = body.length;
      exchange.body = body;
      const digest = scheme === undefined ? undefined : checked(scheme, exchange, body, mac!); // 401
      exchange.caller = guest;
      return rateLimit === undefined
        ? received(exchange, body, digest)
        : after(limit(rateLimit), () => received(exchange, body, digest)); // 429
    });
  };

  /** Secrets may change while the server runs: those of functions are read again every few minutes. */
  function macOf({ macOf }: SenderScheme): Mac {
    const filled = interpolate(secret, environment);
    if ('problem' in filled) throw notConfigured(filled.problem);
    if (prepared?.text !== filled.text) prepared = { text: filled.text, mac: macOf(filled.text) };
    return prepared.mac;
  }

  function notConfigured(problem: string): Failure {
    const hint = `${problem}: set it in the environment or in the file .env beside svc.toml`;
    return new Failure('SERVICE_UNAVAILABLE', 'The secret of this webhook is not configured.', {
      details: { reason: 'not_configured' },
      hint,
    });
  }

  function checked(scheme: SenderScheme, { call }: Exchange, body: Uint8Array, mac: Mac): string | undefined {
    try {
      return checkSender(scheme, call, body, mac, requireFresh);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const hint = `calls are signed with the secret in ${secret} over the bytes of the body; svc webhook sign --scheme ${verify} makes such headers`;
      const { headers = {} } = error;
      throw new Failure(error.code, error.message, { details: error.details, hint, headers });
    }
  }

  function requireFresh(timestamp: string): void {
    const isFresh =
      /^\d{1,12}$/.test(timestamp) && Math.abs(parts.nowSeconds() - Number(timestamp)) <= rules.replayToleranceSeconds;
    if (!isFresh) throw refusedSender('timestamp', 'The webhook timestamp is outside the accepted window');
  }

  function limit(counts: RateLimit): MaybePromise<void> {
    return after(counts.take(`webhook ${target.name}`), (retryAfter) => {
      if (retryAfter === 0) return;
      parts.meters?.rateLimited('webhook');
      throw new Failure('RATE_LIMITED', 'Too many calls of this webhook.', {
        details: { retry_after: retryAfter },
        headers: { 'Retry-After': String(retryAfter) },
      });
    });
  }

  function received(exchange: Exchange, body: Uint8Array, digest: string | undefined): MaybePromise<Reply> {
    return after(readSenderBody(exchange, body, declares, parts.limits), (read) => understood(exchange, read, digest));
  }

  function understood(
    exchange: Exchange,
    { values, texts }: SenderBody,
    digest: string | undefined,
  ): MaybePromise<Reply> {
    if (verify === 'slack' && values['type'] === 'url_verification') return challenged(exchange, values['challenge']);
    const given = scheme?.deliveryOf(exchange.call, values);
    const id = given !== undefined && /^[\x21-\x7e]{1,255}$/.test(given) ? given : digest;
    if (texts === undefined) {
      const bindFirst = () => bindNoted(binder, exchange, { body: values, noted: undefined }, parts.limits);
      return run(exchange, { id, bindFirst, bind: () => bindAgain(binder, exchange, values, parts.limits) });
    }
    const bind = () => binder.bind({ ...noSources, form: { texts, files: noFiles, problems: noFiles } });
    return run(exchange, { id, bindFirst: bind, bind });
  }

  /** Slack asks once whether the address is this application's: https://docs.slack.dev/reference/events/url_verification */
  function challenged(exchange: Exchange, challenge: unknown): Reply {
    const raw = { contentType: 'text/plain; charset=utf-8', body: typeof challenge === 'string' ? challenge : '' };
    return parts.replies.raw(exchange, answer({ raw }));
  }

  /** Calls with one id of the sender are one delivery, whatever their bodies: those may count attempts. */
  function run(exchange: Exchange, { id, bindFirst, bind }: Delivery): MaybePromise<Reply> {
    const request = (claim: Claim | undefined) =>
      after(bindFirst(), (args) => parts.run({ exchange, target, args, bind, nodeId: undefined, mayRefer, claim }));
    if (id === undefined) return request(undefined);
    const key = { key: id, owner: `sender:${verify}`, target: `walker:${target.name}`, fingerprint: id };
    return parts.idempotency.once(exchange, { ...key, keepsFailures: false }, request);
  }
}

const noFiles: ReadonlyMap<string, never> = new Map<string, never>();

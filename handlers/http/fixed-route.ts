import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Reply } from '../call.ts';
import type { ClientAddresses } from '../client-address.ts';
import { type Answer, type FixedRoute, isAnswer, type Route, type RouteContext } from '../routes.ts';
import { bodyKind, unsupported } from './body/media-type.ts';
import { readBody } from './body/read-body.ts';
import { decodeUtf8, type JsonObject } from './body/read-json.ts';
import { type BodyLimits, looksLikeJson, parseBody, readJsonBody } from './body/read-json-body.ts';
import { parseQuery } from './body/read-query.ts';
import type { Exchange } from './exchange.ts';
import type { Replies } from './replies.ts';

export interface FixedRouteParts {
  readonly replies: Replies;
  readonly clients: ClientAddresses;
  readonly limits: BodyLimits;
}

/** Longest body in bytes that endpoints of the server itself accept, unless they say otherwise. */
export const usualBodyBytes = 65_536;

/** Wraps an endpoint of the server itself: reads its body, runs it, makes its reply. */
export function makeFixedRoute(fixed: FixedRoute, parts: FixedRouteParts): Route {
  const paramNames = [...fixed.template.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]!);
  const hasBody =
    fixed.body !== 'none' && (fixed.body !== undefined || ['POST', 'PUT', 'PATCH'].includes(fixed.method));
  const limits = {
    ...parts.limits,
    maxBodyBytes: fixed.maxBodyBytes ?? Math.min(parts.limits.maxBodyBytes, usualBodyBytes),
  };
  const run = (exchange: Exchange, body: JsonObject) =>
    after(fixed.run(contextOf(exchange, body, paramNames, parts.clients)), (result) =>
      toReply(exchange, result, parts.replies, fixed.unmirrored),
    );
  return {
    template: fixed.template,
    auth: fixed.auth,
    isQuiet: fixed.quiet === true,
    target: undefined,
    maxBodyBytes: () => (hasBody ? limits.maxBodyBytes : Number.POSITIVE_INFINITY),
    serve(exchange) {
      if (!hasBody) return run(exchange, empty);
      const body = fixed.body === 'form' ? readFormBody(exchange, limits) : readJsonBody(exchange, limits);
      return after(body, (ready) => run(exchange, ready));
    },
  };
}

/** Turns the result of an endpoint of the server into a reply. */
export function toReply(
  exchange: Exchange,
  result: Readonly<Record<string, unknown>> | Answer,
  replies: Replies,
  unmirrored?: readonly string[],
): Reply {
  if (!isAnswer(result)) return replies.data(exchange, { data: result, unmirrored });
  if (result.raw !== undefined || result.data === null) {
    exchange.isEndless = result.isEndless;
    return replies.raw(exchange, result);
  }
  return replies.data(exchange, { ...result, data: result.data, unmirrored });
}

export function contextOf(
  exchange: Exchange,
  body: JsonObject,
  paramNames: readonly string[],
  clients: ClientAddresses,
): RouteContext {
  return new ExchangeContext(exchange, body, paramNames, clients);
}

/** A class, as an object with getters would be kept until a full collection, and its call with it (decisions/0910). */
class ExchangeContext implements RouteContext {
  readonly call: RouteContext['call'];
  readonly caller: RouteContext['caller'];
  readonly params: RouteContext['params'];
  readonly body: JsonObject;
  readonly requestId: string;
  readonly traceId: string;
  private readonly clients: ClientAddresses;

  constructor(exchange: Exchange, body: JsonObject, paramNames: readonly string[], clients: ClientAddresses) {
    this.call = exchange.call;
    this.caller = exchange.caller!;
    this.params = Object.fromEntries(paramNames.map((name, i) => [name, exchange.params[i] ?? '']));
    this.body = body;
    this.requestId = exchange.requestId;
    this.traceId = exchange.traceId;
    this.clients = clients;
  }

  get query(): RouteContext['query'] {
    return parseQuery(this.call.query);
  }

  get client(): string {
    return this.clients.address(this.call);
  }

  get origin(): string {
    return this.clients.origin(this.call);
  }
}

const empty: JsonObject = Object.freeze({});

/** JSON or an urlencoded form, whose last value of a name counts. */
function readFormBody(exchange: Exchange, limits: BodyLimits): MaybePromise<JsonObject> {
  const { call } = exchange;
  const kind = bodyKind(call.header('content-type'), 'json-or-files');
  if (kind === 'multipart') throw unsupported('json');
  return after(readBody(call, limits.maxBodyBytes), (bytes) => {
    if (kind === 'json' || looksLikeJson(bytes)) return parseBody(exchange, bytes, limits);
    exchange.bytesIn = bytes.length;
    const values = [...parseQuery(decodeUtf8(bytes))].map(([name, list]) => [name, list.at(-1)] as const);
    return Object.fromEntries(values);
  });
}

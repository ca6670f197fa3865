import { after } from '../base/after.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { Failure } from '../core/errors.ts';
import type { LimitScope } from '../core/metrics/meters.ts';
import type { Program } from '../core/program/program.ts';
import { createRulesAudit } from './auth/audit-rules.ts';
import { bearerToken } from './auth/identify.ts';
import { createKeyGate } from './auth/key-gate.ts';
import type { Call, Reply } from './call.ts';
import { createClientAddresses, limitKey } from './client-address.ts';
import type { AppDeps } from './deps.ts';
import { streamOf, whenBodyEnds } from './http/body/when-body-ends.ts';
import type { Routes } from './http/build-routes.ts';
import { createClockText } from './http/clock-text.ts';
import { createCors } from './http/cors.ts';
import { addHeader, type Exchange, openExchange } from './http/exchange.ts';
import { createFailureOf } from './http/failure-of.ts';
import { createLifecycle, type Lifecycle } from './http/lifecycle.ts';
import { createProgramRoutes } from './http/program-routes.ts';
import { createRateLimit, type RateRules } from './http/rate-limit.ts';
import { createRecorder } from './http/record.ts';
import { closing, createReplies } from './http/replies.ts';
import { createDeadlines } from './http/run/deadlines.ts';
import { plainText } from './http/serialize/plain-text.ts';
import { createIdSource } from './identifiers.ts';
import type { Caller, Route } from './routes.ts';
import type { SocketApp } from './socket/socket-app.ts';

/** One loaded application: hosts give it calls and write its replies. */
export interface App {
  /** Never throws or rejects: what goes wrong is an answer. Answers at once where nothing has to wait. */
  handle(call: Call): MaybePromise<Reply>;
  /** The answer to a request that could not be read as one. */
  refuse(failure: Failure): Reply;
  /** Opens the record of a handshake, which ends in one of two ways. */
  handshake(call: Call): Handshake;
  /** Serves a new version of the program; calls that run finish on the old one. */
  swap(program: Program): void;
  /** What is served now. */
  readonly routes: Routes;
  /** Undefined when the host gave nothing to know users of sockets by. */
  readonly sockets: SocketApp | undefined;
  readonly lifecycle: Pick<Lifecycle, 'state' | 'running' | 'drain' | 'stop' | 'settled' | 'abort'>;
}

/** A request to become a socket: counted and logged like any other, with status 101 when it is accepted. */
export interface Handshake {
  accepted(target: string | undefined, caller: Caller | undefined): void;
  /** The answer instead of the upgrade. Errors other than a Failure are answered as internal and logged. */
  refused(error: unknown): Reply;
}

/** Prepares what does not change between requests. The steps of a request are those of server.md 6.1, in its order. */
export function createApp(program: Program, deps: AppDeps): App {
  const { config, log, meters, parts } = deps;
  const hintFor = config.mode === 'development' ? parts.telling?.hintFor : undefined;
  const nextId = deps.nextId ?? createIdSource();
  const lifecycle = createLifecycle();
  const cors = createCors(config.scale.cors);
  const clients = createClientAddresses(config.serve.trustedProxies);
  const replies = createReplies({
    cors,
    mirrorFields: config.serve.mirrorFields,
    responseHeaders: config.responseHeaders,
    timestamp: createClockText(deps.clock?.now ?? Date.now),
    toText: plainText,
    hintFor,
  });
  const { accessLog, slowRequestMs } = config.scale.logging;
  const recorder = createRecorder({
    log,
    accessLog,
    slowRequestMs,
    meters,
    clients,
    isTraced: deps.tracer !== undefined,
  });
  const failureOf = createFailureOf({ log, traces: deps.traces, showsErrors: config.mode !== 'production' });
  const { enabled, requestsPerMinute, burst } = config.scale.rateLimit;
  const limitBy = deps.rateLimit ?? ((rules: RateRules) => createRateLimit({ ...rules, now: () => performance.now() }));
  const rateLimit = enabled ? limitBy({ requestsPerMinute, burst }) : undefined;
  const perKey = config.scale.webhook.rateLimitPerMinute;
  const keyLimit = perKey > 0 ? limitBy({ requestsPerMinute: perKey, burst: perKey }) : undefined;
  const nowMs = deps.clock?.now ?? Date.now;
  const keys = deps.webhooks && createKeyGate({ ...deps.webhooks, clients, rateLimit: keyLimit, nowMs, meters, log });
  const makeRoutes = createProgramRoutes({ deps, replies, lifecycle, clients, failureOf, keys, keyLimit });
  const makeSockets =
    deps.sockets === undefined
      ? undefined
      : parts.createSocketApps?.({
          auth: deps.sockets,
          keys,
          config,
          lifecycle,
          failureOf,
          nextId,
          tracer: deps.tracer,
          runtime: deps.runtime,
          deadlines: createDeadlines(config.scale.websocket.executionTimeoutSeconds * 1000),
          warn: (message, fields) => log.warn(message, fields),
          withPrivate: config.serve.serializePrivate,
          tellsIdle: config.mode !== 'production',
          hintFor,
          createFindUnknown: parts.telling?.createFindUnknown,
          maxConcurrent: config.serve.maxConcurrent,
          rulesChanged: createRulesAudit({ log }, clients),
        });
  let routes = makeRoutes(program);
  let sockets = makeSockets?.(routes.targets);
  deps.onRoutes?.(routes);

  return {
    handle,
    refuse: (failure) => closing(replies.failure(openExchange(noCall, nextId, 0), failure)),
    handshake,
    swap(next) {
      routes = makeRoutes(next);
      sockets = makeSockets?.(routes.targets);
      deps.onRoutes?.(routes);
    },
    get routes() {
      return routes;
    },
    get sockets() {
      return sockets;
    },
    lifecycle,
  };

  function handshake(call: Call): Handshake {
    const exchange = openExchange(call, nextId, recorder.isOn ? performance.now() : 0, deps.tracer);
    routes.note(exchange);
    return {
      accepted(target, caller) {
        exchange.target = target;
        exchange.caller = caller;
        recorder.finished(exchange, { status: 101, body: undefined }, undefined);
      },
      refused(error) {
        const failure = failureOf(error, exchange);
        const reply = closing(replies.failure(exchange, failure));
        recorder.finished(exchange, reply, failure.code);
        return reply;
      },
    };
  }

  function handle(call: Call): MaybePromise<Reply> {
    const exchange = openExchange(call, nextId, recorder.isOn ? performance.now() : 0, deps.tracer);
    try {
      const reply = serve(exchange);
      if (!(reply instanceof Promise)) return finished(exchange, reply, undefined, undefined);
      const leave = enter(exchange);
      return reply.then(
        (ready) => finished(exchange, ready, undefined, leave),
        (error) => failed(exchange, error, leave),
      );
    } catch (error) {
      return failed(exchange, error, undefined);
    }
  }

  /** Takes note of a call that does not end at once; gives what to call when it has. */
  function enter(exchange: Exchange): () => void {
    const leave = lifecycle.enter();
    if (meters === undefined || exchange.isQuiet) return leave;
    meters.requestRuns(1);
    return () => {
      meters.requestRuns(-1);
      leave();
    };
  }

  function serve(exchange: Exchange): MaybePromise<Reply> {
    const { call, origin } = exchange;
    const closed = gate();
    if (closed !== undefined && !isQuiet(exchange)) throw closed;
    if (call.method === 'OPTIONS') {
      routes.note(exchange);
      const requested = call.header('access-control-request-method');
      if (origin === undefined || requested === undefined) return tellMethods(exchange);
      return replies.empty(exchange, cors.preflightHeaders(origin, call.header('access-control-request-headers')));
    }
    const route = routes.match(exchange); // 404, 405
    if (rateLimit === undefined || hasCredentials(call, route)) return identified(exchange, route);
    return after(limitByAddress(exchange), () => identified(exchange, route)); // 429
  }

  function identified(exchange: Exchange, route: Route): MaybePromise<Reply> {
    refuseLongBody(route, exchange.call); // 413
    const caller = identify(exchange, route); // 401
    return caller instanceof Promise
      ? caller.then((found) => admitted(exchange, route, found))
      : admitted(exchange, route, caller);
  }

  function admitted(exchange: Exchange, route: Route, caller: Caller): MaybePromise<Reply> {
    exchange.caller = caller;
    if (caller.ignoredToken) addHeader(exchange, 'Svc-Auth-Status', 'ignored-invalid-token');
    if (caller.ignoredKey) addHeader(exchange, 'Svc-Auth-Status', 'ignored-invalid-key');
    if (rateLimit === undefined || !hasCredentials(exchange.call, route)) return route.serve(exchange);
    return after(limitByCaller(exchange, caller), () => route.serve(exchange)); // the body, the unit of work, the answer
  }

  function gate(): Failure | undefined {
    if (lifecycle.state === 'stopped') return new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.');
    if (lifecycle.running < config.serve.maxConcurrent) return undefined;
    return new Failure('SERVICE_UNAVAILABLE', 'The server is overloaded.');
  }

  function isQuiet(exchange: Exchange): boolean {
    try {
      return routes.match(exchange).isQuiet;
    } catch {
      return false;
    }
  }

  function tellMethods(exchange: Exchange): Reply {
    const methods = routes.methodsAt(exchange.call.path);
    if (methods === undefined) throw new Failure('NOT_FOUND', 'There is nothing at this path.');
    return replies.empty(exchange, ['Allow', methods.join(', '), ...cors.answerHeaders(exchange.origin)]);
  }

  function identify(exchange: Exchange, route: Route): MaybePromise<Caller> {
    const refused = (error: unknown): MaybePromise<never> => {
      if (rateLimit === undefined || !hasCredentials(exchange.call, route)) throw error;
      return after(limitByAddress(exchange), () => {
        throw error;
      });
    };
    try {
      const { call, requestId } = exchange;
      const caller =
        keys !== undefined && hasKey(call, route)
          ? keys.identify({ call, requestId, target: route.target! }, route.auth)
          : deps.auth.identify(call, route.auth);
      return caller instanceof Promise ? caller.catch(refused) : caller;
    } catch (error) {
      return refused(error);
    }
  }

  function limitByCaller(exchange: Exchange, caller: Caller): MaybePromise<void> {
    return caller.userId === null ? limitByAddress(exchange) : limit(exchange, `user ${caller.userId}`, 'user');
  }

  function limitByAddress(exchange: Exchange): MaybePromise<void> {
    return limit(exchange, limitKey(clients.address(exchange.call)), 'address');
  }

  function limit(exchange: Exchange, key: string, scope: LimitScope): MaybePromise<void> {
    if (exchange.isQuiet) return;
    return after(rateLimit!.take(key), (retryAfter) => {
      if (retryAfter === 0) return;
      meters?.rateLimited(scope);
      throw new Failure('RATE_LIMITED', 'Too many requests.', {
        details: { retry_after: retryAfter },
        headers: { 'Retry-After': String(retryAfter) },
      });
    });
  }

  function finished(
    exchange: Exchange,
    reply: Reply,
    errorCode: string | undefined,
    leave: (() => void) | undefined,
  ): Reply {
    let made = reply;
    if (exchange.call.method === 'HEAD' && made.body !== undefined) made = withoutBody(made);
    if (lifecycle.state === 'stopped') made = closing(made);
    if (streamOf(made) === undefined) {
      leave?.();
      recorder.finished(exchange, made, errorCode);
      return made;
    }
    const answeredMs = recorder.isOn ? performance.now() : 0;
    return whenBodyEnds(made, (bytes) => {
      leave?.();
      recorder.finished(exchange, made, errorCode, { bytes, answeredMs });
    });
  }

  function failed(exchange: Exchange, error: unknown, leave: (() => void) | undefined): Reply {
    const failure = failureOf(error, exchange);
    return finished(exchange, replies.failure(exchange, failure), failure.code, leave);
  }
}

/** An API key counts where there is no token. */
function hasKey(call: Call, { takesKeys }: Route): boolean {
  if (takesKeys !== true || call.header('x-api-key') === undefined) return false;
  const header = call.header('authorization');
  return header === undefined || bearerToken(header) === undefined;
}

function hasCredentials(call: Call, route: Route): boolean {
  return call.header('authorization') !== undefined || hasKey(call, route);
}

/** A body that is declared longer than the route takes is not read at all. */
function refuseLongBody(route: Route, call: Call): void {
  const { contentLength } = call;
  if (contentLength === undefined || contentLength === 0) return;
  const limit = route.maxBodyBytes(call);
  if (contentLength > limit) {
    throw new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, { details: { limit } });
  }
}

function withoutBody(reply: Reply): Reply {
  streamOf(reply)
    ?.[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {});
  const { status, headers, close = false } = reply;
  return { status, headers, body: undefined, close };
}

/** Stands for a request that could not be read. */
const noCall: Call = {
  method: '',
  path: '',
  query: '',
  header: () => undefined,
  headers: () => [],
  contentLength: undefined,
  body: () => new Uint8Array(),
  async *stream() {},
  peer: '',
  signal: new AbortController().signal,
  onGone: () => () => {},
};

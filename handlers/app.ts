/** Front door of a loaded application. Hosts call `App.handle`; the steps of a request, in order, are those of `createServe`. */
import { after } from '../base/after.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { prefixOf, withoutPrefix } from '../core/config/prefix.ts';
import { Failure } from '../core/errors.ts';
import type { Program } from '../core/program/program.ts';
import { hasCredentials, hasKey } from './auth/credentials.ts';
import type { Call, Reply } from './call.ts';
import type { Caller } from './caller.ts';
import type { AppDeps } from './deps.ts';
import type { Routes } from './http/build-routes.ts';
import { addHeader, type Exchange, openExchange } from './http/exchange.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { answerOptions } from './http/options.ts';
import { closing } from './http/replies.ts';
import type { LiveApp } from './live/live-app.ts';
import { noCall } from './no-call.ts';
import { type PreparedApp, prepareApp } from './prepare-app.ts';
import type { Route } from './routes.ts';
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
  /** Routes of the program that is served now. */
  readonly routes: Routes;
  /** Undefined when the host gave nothing to know users of sockets by. */
  readonly sockets: SocketApp | undefined;
  /** Undefined where there are no live subscriptions. */
  readonly live: LiveApp | undefined;
  readonly lifecycle: Pick<Lifecycle, 'state' | 'running' | 'drain' | 'stop' | 'settled' | 'abort'>;
}

/** A request to become a socket: counted and logged like any other, with status 101 when it is accepted. */
export interface Handshake {
  accepted(target: string | undefined, caller: Caller | undefined): void;
  /** The answer instead of the upgrade. Errors other than a Failure are answered as internal and logged. */
  refused(error: unknown): Reply;
}

/** The version of the program that is served now. */
interface Version {
  readonly routes: Routes;
  readonly sockets: SocketApp | undefined;
  readonly live: LiveApp | undefined;
}

/** Opens an application for hosts. What does not change between requests is made here, once. */
export function createApp(program: Program, deps: AppDeps): App {
  const prepared = prepareApp(deps);
  const { nextId, lifecycle, replies, recorder, failureOf, finish } = prepared;
  let version = openVersion(program);
  deps.onRoutes?.(version.routes);
  const serve = createServe(prepared, deps, () => version.routes);
  const prefix = prefixOf(deps.config.serve.baseUrl);

  return {
    handle,
    refuse: (failure) => closing(replies.failure(openExchange(noCall, nextId, 0), failure)),
    handshake,
    swap(next) {
      version = openVersion(next);
      deps.onRoutes?.(version.routes);
    },
    get routes() {
      return version.routes;
    },
    get sockets() {
      return version.sockets;
    },
    get live() {
      return version.live;
    },
    lifecycle,
  };

  function openVersion(of: Program): Version {
    const routes = prepared.makeRoutes(of);
    const sockets = prepared.makeSockets?.(routes.targets);
    const live = prepared.makeLive?.(routes.targets);
    return { routes, sockets, live };
  }

  function handle(call: Call): MaybePromise<Reply> {
    if (prefix !== '') call.path = withoutPrefix(call.path, prefix);
    const exchange = openExchange(call, nextId, recorder.isOn ? performance.now() : 0, deps.tracer);
    try {
      const reply = serve(exchange);
      if (!(reply instanceof Promise)) return finish.finished(exchange, reply, undefined, undefined);
      const leave = finish.enter(exchange);
      return reply.then(
        (ready) => finish.finished(exchange, ready, undefined, leave),
        (error) => finish.failed(exchange, error, leave),
      );
    } catch (error) {
      return finish.failed(exchange, error, undefined);
    }
  }

  function handshake(call: Call): Handshake {
    if (prefix !== '') call.path = withoutPrefix(call.path, prefix);
    const exchange = openExchange(call, nextId, recorder.isOn ? performance.now() : 0, deps.tracer);
    version.routes.note(exchange);
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
}

/** Makes the way of a request from its route to its reply: the steps of docs/server/endpoints.md#order, in its order. */
function createServe(
  { lifecycle, rates, keys, replies, cors }: PreparedApp,
  { auth, config }: AppDeps,
  routesNow: () => Routes,
): (exchange: Exchange) => MaybePromise<Reply> {
  const { maxConcurrent } = config.serve;
  return serve;

  function serve(exchange: Exchange): MaybePromise<Reply> {
    const { call } = exchange;
    const routes = routesNow();
    const closed = gate();
    if (closed !== undefined && !isQuiet(routes, exchange)) throw closed; // 503
    if (call.method === 'OPTIONS') return answerOptions(exchange, routes, { replies, cors });
    const route = routes.match(exchange); // 404, 405
    if (rates === undefined || hasCredentials(call, route)) return identified(exchange, route);
    return after(rates.byAddress(exchange), () => identified(exchange, route)); // 429
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
    if (rates === undefined || !hasCredentials(exchange.call, route)) return route.serve(exchange);
    return after(rates.byCaller(exchange, caller), () => route.serve(exchange)); // the body, the unit of work, the answer
  }

  function gate(): Failure | undefined {
    if (lifecycle.state === 'stopped') return new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.');
    if (lifecycle.running < maxConcurrent) return undefined;
    return new Failure('SERVICE_UNAVAILABLE', 'The server is overloaded.');
  }

  function identify(exchange: Exchange, route: Route): MaybePromise<Caller> {
    const refused = (error: unknown): MaybePromise<never> => {
      if (rates === undefined || !hasCredentials(exchange.call, route)) throw error;
      return after(rates.byAddress(exchange), () => {
        throw error;
      });
    };
    try {
      const { call, requestId } = exchange;
      const caller =
        keys !== undefined && hasKey(call, route)
          ? keys.identify({ call, requestId, target: route.target! }, route.auth)
          : auth.identify(call, route.auth);
      return caller instanceof Promise ? caller.catch(refused) : caller;
    } catch (error) {
      return refused(error);
    }
  }
}

/** Health checks are answered by servers that take nothing else. */
function isQuiet(routes: Routes, exchange: Exchange): boolean {
  try {
    return routes.match(exchange).isQuiet;
  } catch {
    return false;
  }
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

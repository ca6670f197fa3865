/**
 * The route table of one program: its targets, the fixed endpoints, and what to say about everything else
 * (docs/server/endpoints.md#order, docs/server/endpoints.md#paths).
 */

import { after } from '../../base/after.ts';
import { didYouMean } from '../../base/did-you-mean.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Failure } from '../../core/errors.ts';
import { pagesTemplate } from '../../core/metrics/meters.ts';
import type { Answer, AuthNeed, FixedRoute, Route, RouteContext } from '../routes.ts';
import { placeOf, type ServedTarget } from '../served-targets.ts';
import { socketPaths } from '../socket/socket-paths.ts';
import type { Exchange } from './exchange.ts';
import { contextOf, type FixedRouteParts, makeFixedRoute, toReply } from './fixed-route.ts';
import { internalFunction, introspectionRoutes, unknownTarget } from './introspection.ts';
import type { NearestPlace } from './nearest-place.ts';
import { createRouteTable, type Match } from './route-table.ts';
import { makeTargetRoute, type TargetRouteParts } from './run/route.ts';
import type { RunAs } from './stories/run-as.ts';

export interface Routes {
  /** The route of a request, noted in the exchange. @throws Failure `NOT_FOUND`, `METHOD_NOT_ALLOWED`, `UPGRADE_REQUIRED` */
  match(exchange: Exchange): Route;
  /** Notes which path a request is about that no route answers, so that logs and metrics know it. */
  note(exchange: Exchange): void;
  /** Methods a path answers to, undefined when there is no such path. */
  methodsAt(path: string): readonly string[] | undefined;
  readonly targets: readonly ServedTarget[];
  readonly fixed: readonly FixedRoute[];
}

export interface BuildRoutesOptions {
  readonly targets: readonly ServedTarget[];
  readonly fixed: readonly FixedRoute[];
  /** Routes of other protocols' handlers. */
  readonly further: readonly { readonly method: string; readonly route: Route }[];
  readonly pages: ((context: RouteContext) => MaybePromise<Answer | undefined>) | undefined;
  readonly introspection: AuthNeed;
  readonly rootAlias: boolean;
  /** Unknown names are answered with those there are (development). */
  readonly tellsNames: boolean;
  /** Absent in production. */
  readonly nearestPlace: NearestPlace | undefined;
  /** Functions of the program that are not served. */
  readonly internal: readonly string[];
  /** Absent where calls are not run as other users. */
  readonly runAs: RunAs | undefined;
  readonly parts: TargetRouteParts & FixedRouteParts;
}

/** Builds the table. Where two things claim one method and path, the first wins: targets, fixed endpoints, introspection, aliases. */
export function buildRoutes(options: BuildRoutesOptions): Routes {
  const { targets, parts } = options;
  const table = createRouteTable<Route>();
  const add = (method: string, route: Route) => {
    const { methods } = table.entry(route.template);
    if (!methods.has(method)) methods.set(method, route);
  };

  const overHttp = targets.filter((target) => target.rest.protocol === 'HTTP');
  for (const target of overHttp) {
    for (const method of target.methods) {
      add(method, makeTargetRoute(target, { method, template: target.path, onNode: false }, parts));
      if (target.kind !== 'walker' || target.path !== generatedPath(target)) continue;
      add(method, makeTargetRoute(target, { method, template: `${target.path}/{nd}`, onNode: true }, parts));
    }
  }
  for (const { method, route } of options.further) add(method, route);
  const fixed = [...options.fixed, ...introspectionRoutes(targets, options.introspection)];
  for (const route of fixed) add(route.method, makeFixedRoute(route, parts));
  for (const target of targets)
    if (target.path !== generatedPath(target)) table.entry(generatedPath(target)).elsewhere = placeOf(target);
  for (const target of options.rootAlias ? overHttp : []) if (isAliased(target)) addAlias(target);

  function addAlias(target: ServedTarget): void {
    const { methods } = table.entry(`/${target.name}`);
    if (methods.has('POST')) return;
    // Metrics and logs count it under the canonical path.
    const canonical = table.entry(target.path).methods.get('POST');
    if (canonical !== undefined) methods.set('POST', canonical);
  }

  const sockets = new Set(targets.filter((target) => target.rest.protocol === 'WEBSOCKET').flatMap(socketPaths));
  const pages = options.pages === undefined ? undefined : makePagesRoute(options.pages, parts);

  function match(exchange: Exchange, path = exchange.call.path): Route {
    const found = table.match(path);
    const route = found === undefined ? undefined : routeFor(found, exchange.call.method);
    if (route === undefined) return miss(exchange, path, found);
    exchange.template = route.template;
    exchange.target = route.target;
    exchange.isQuiet = route.isQuiet;
    exchange.params = found!.params;
    return route;
  }

  function miss(exchange: Exchange, path: string, found: Match<Route> | undefined): Route {
    const { method } = exchange.call;
    const asUser = options.runAs?.(exchange, path, match, parts.clients);
    if (asUser !== undefined) return asUser;
    if (sockets.has(path)) {
      exchange.template = path;
      throw new Failure('UPGRADE_REQUIRED', 'This is a WebSocket endpoint.', { headers: { Upgrade: 'websocket' } });
    }
    noteFound(exchange, found);
    const failure = found === undefined ? notFound(path) : wrongMethod(found);
    if (pages === undefined || (method !== 'GET' && method !== 'HEAD')) throw failure;
    exchange.template = pages.template;
    exchange.pageMiss = failure;
    return pages;
  }

  function noteFound(exchange: Exchange, found: Match<Route> | undefined): void {
    const [route] = found?.entry.methods.values() ?? [];
    if (route === undefined) return;
    exchange.template = route.template;
    exchange.isQuiet = route.isQuiet;
  }

  function notFound(path: string): Failure {
    const [, kind, name] = path.split('/');
    const isNamed = kind === 'walker' || kind === 'function' || kind === 'webhook';
    if (!isNamed || name === undefined || name === '') {
      const hint = options.nearestPlace?.(path, { targets, fixed: options.fixed });
      return new Failure('NOT_FOUND', 'There is nothing at this path.', hint === undefined ? {} : { hint });
    }
    const ofKind = targets.filter((target) =>
      kind === 'webhook' ? target.rest.protocol === 'WEBHOOK' : target.kind === kind,
    );
    const known = ofKind.find((target) => target.name === name);
    if (known !== undefined && known.path !== generatedPath(known)) return new Failure('NOT_FOUND', placeOf(known));
    if (kind === 'function' && options.tellsNames && options.internal.includes(name)) return internalFunction(name);
    const names = ofKind.map((target) => target.name);
    const word = kind === 'webhook' ? 'webhook walker' : kind;
    const elsewhere = options.tellsNames ? targets.find((target) => target.name === name) : undefined;
    const nearest = didYouMean(name, names);
    return unknownTarget(word, name, names, {
      nearest,
      tellsNames: options.tellsNames,
      hint: elsewhere && placeOf(elsewhere),
    });
  }

  return {
    match,
    note(exchange) {
      const { path } = exchange.call;
      if (sockets.has(path)) exchange.template = path;
      else noteFound(exchange, table.match(path));
    },
    methodsAt(path) {
      const found = table.match(path);
      return found === undefined || found.entry.methods.size === 0 ? undefined : allowed(found);
    },
    targets,
    fixed,
  };
}

/** Gives the path of a target that asks for no other one. */
function generatedPath(target: Pick<ServedTarget, 'kind' | 'name'>): string {
  return `/${target.kind}/${target.name}`;
}

function routeFor(found: Match<Route>, method: string): Route | undefined {
  const { methods } = found.entry;
  return methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
}

function wrongMethod(found: Match<Route>): Failure {
  const { entry } = found;
  if (entry.elsewhere !== undefined) return new Failure('NOT_FOUND', entry.elsewhere);
  if (entry.methods.size === 0) return new Failure('NOT_FOUND', 'There is nothing at this path.');
  const headers = { Allow: allowed(found).join(', ') };
  return new Failure('METHOD_NOT_ALLOWED', 'The path does not answer to this method.', { headers });
}

function allowed(found: Match<Route>): string[] {
  const methods = [...found.entry.methods.keys()];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function isAliased(target: ServedTarget): boolean {
  const isPlain = target.path === generatedPath(target) && target.methods.includes('POST');
  return target.kind === 'walker' && target.isPublic && isPlain;
}

function makePagesRoute(pages: NonNullable<BuildRoutesOptions['pages']>, parts: FixedRouteParts): Route {
  return {
    template: pagesTemplate,
    auth: 'none',
    isQuiet: false,
    target: undefined,
    maxBodyBytes: () => Number.POSITIVE_INFINITY,
    serve(exchange) {
      return after(pages(contextOf(exchange, {}, [], parts.clients)), (page) => {
        if (page === undefined) {
          exchange.template = undefined;
          throw exchange.pageMiss;
        }
        return toReply(exchange, page, parts.replies);
      });
    },
  };
}

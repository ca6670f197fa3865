/** Addresses that the server answers itself: a page of the same address shows when a link leads there, but not when it is loaded (docs/server/client-pages.md). */
import type * as ast from '../1-parse/ast.ts';
import { elementsOf } from '../2-resolve/client-plan.ts';
import { isRestSpec } from '../2-resolve/is-marked.ts';
import type { Project } from '../project.ts';

/** Templates of the server's own `GET` routes, in alphabetical order. `test/client/server-routes.test.ts` compares them with what is served. */
export const serverRoutes: readonly string[] = [
  '/__build_status',
  '/api-key/list',
  '/asyncapi.json',
  '/cl/{name}',
  '/docs',
  '/functions',
  '/graph',
  '/graph/data',
  '/healthz',
  '/healthz/live',
  '/healthz/ready',
  '/live',
  '/live/{walker}',
  '/metrics',
  '/openapi.json',
  '/redoc',
  '/sso/{platform}/{operation}',
  '/sso/{platform}/{operation}/callback',
  '/studio/api/stories',
  '/studio/api/stories/{id}',
  '/user/info',
  '/user/me',
  '/walkers',
];

/** Routes that are there when the configuration says so. */
export const optionalRoutes: ReadonlySet<string> = new Set(['/metrics']);

export interface Hidden {
  /** Template of the server's route. */
  readonly route: string;
  readonly isOptional: boolean;
}

/** Gives the route of the server that answers wherever a page's would be shown; undefined when there is none. `page` is written `/users/:id`. */
export function hiddenBy(page: string, routes: readonly string[]): Hidden | undefined {
  const route = page.startsWith('/static/') ? '/static/{path}' : routes.find((one) => covers(one, page));
  return route === undefined ? undefined : { route, isOptional: optionalRoutes.has(route) };
}

function covers(route: string, page: string): boolean {
  const parts = page.split('/');
  const claimed = route.split('/');
  return (
    claimed.length === parts.length &&
    claimed.every((one, i) => (one.startsWith('{') ? parts[i] !== '*' : one === parts[i]))
  );
}

/** Lists the `GET` routes that the program declares, and those that describe its walkers and functions. */
export function programRoutes(project: Project): readonly string[] {
  return [...project.modules.values()].flatMap(({ tree }) => elementsOf(tree.body).flatMap(routesOf));
}

function routesOf(element: ast.Element): readonly string[] {
  const isWalker = element.kind === 'Archetype' && element.archetype === 'walker';
  if ((!isWalker && element.kind !== 'FunctionDecl') || element.name === undefined) return [];
  const own = `/${isWalker ? 'walker' : 'function'}/${element.name.text}`;
  return [own, ...element.decorators.filter(isRestSpec).flatMap(({ args }) => declared(args) ?? [])];
}

function declared(args: readonly ast.Argument[]): string | undefined {
  const given = new Map(args.map(({ name, value }) => [name?.text, value]));
  const path = given.get('path');
  const method = given.get('method');
  const isGet =
    method?.kind === 'StringLiteral'
      ? method.value === 'GET'
      : method?.kind === 'Attribute' && method.name.text === 'GET';
  return isGet && path?.kind === 'StringLiteral' ? path.value : undefined;
}

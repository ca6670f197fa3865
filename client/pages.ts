/** Routes of the files below `pages/` (`@svc/runtime/pages`), each page loaded when it is first shown. */
import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';
// Pages need it: here it is part of the file that all load, and no file of its own.
import 'react/jsx-runtime';
import { matchRoutes, Outlet, Route, Routes, useLocation } from 'react-router-dom';
import { kept, svcIsLoggedIn } from './auth.ts';
import { SvcClientErrorBoundary } from './boundary.ts';
import { AuthGuard, currentPath } from './router.ts';

export interface LazyRoute {
  readonly path?: string;
  readonly index?: true;
  /** Only for people who are signed in. */
  readonly guarded?: true;
  /** Page, or layout of the routes inside. */
  readonly load?: () => Promise<ComponentType<any>>;
  readonly children?: readonly LazyRoute[];
}

/** A component that is mounted when its first parts are there. */
export type ReadyComponent = ComponentType & { readonly ready: () => Promise<void> };

/** The component that shows the page of the current address. */
export function pageRoutes(routes: readonly LazyRoute[], authRedirect: string): ReadyComponent {
  const all = withRest(routes);
  const loaded: Loaded = new Map();
  let elements: readonly ReactNode[] | undefined;
  function Pages(): ReactNode {
    elements ??= all.map((route, i) => routeElement(route, i, authRedirect, loaded));
    return createElement(Routes, null, elements);
  }
  return Object.assign(Pages, { ready: () => loadFirst(all, authRedirect, loaded) });
}

type Load = NonNullable<LazyRoute['load']>;
type Loaded = Map<Load, ComponentType<any>>;

/** Milliseconds that nothing is shown for the sake of the first page. */
const patienceMs = 1000;

/**
 * Loads the page that is asked for before anything is mounted: React shows what it has had to wait for 300 ms later at the earliest. What fails, or takes
 * long, is met again by the page itself.
 */
async function loadFirst(routes: readonly LazyRoute[], redirect: string, loaded: Loaded): Promise<void> {
  const at = (path: string) =>
    (matchRoutes(routes as any, path) ?? []).map(({ route }) => route as unknown as LazyRoute);
  const asked = at(currentPath());
  const found = asked.some(({ guarded }) => guarded) && !svcIsLoggedIn() ? at(redirect) : asked;
  const loads = found.flatMap(({ load }) => (load ? [load().then((part) => void loaded.set(load, part))] : []));
  const patience = new Promise<void>((resolve) => void setTimeout(resolve, patienceMs));
  await Promise.race([patience, Promise.allSettled(loads)]);
}

/** Addresses that no page is for are told, in the frame of all pages where there is one. */
function withRest(routes: readonly LazyRoute[]): readonly LazyRoute[] {
  const [only, second] = routes;
  const frame = second === undefined && only?.path === undefined && only?.guarded !== true ? only?.children : undefined;
  if (frame === undefined) return [...routes, { path: '*', load: async () => NoPage }];
  return [{ ...only, children: withRest(frame) }];
}

/** An application without a start page among its pages has one of its own. */
function NoPage(): ReactNode {
  if (useLocation().pathname === '/') return null;
  return createElement('p', { role: 'alert' }, 'There is no page at this address.');
}

function routeElement(
  { path, index, guarded, load, children }: LazyRoute,
  key: number,
  redirect: string,
  loaded: Loaded,
): ReactNode {
  const page = load && createElement(loaded.get(load) ?? lazy(async () => ({ default: await loadOrReload(load) })));
  const shown = page === undefined ? undefined : createElement(Shown, null, page);
  const element = guarded ? createElement(AuthGuard, { redirect }, shown ?? createElement(Outlet)) : shown;
  const place = index === true ? { index: true as const } : path === undefined ? {} : { path };
  const inside = children?.map((child, i) => routeElement(child, i, redirect, loaded));
  return createElement(Route, { key, ...place, ...(element === undefined ? {} : { element }) } as any, inside);
}

/**
 * A page of the version that was loaded, which a server of another one may have no more: then the address is loaded anew, with that version, once. Without a
 * network nothing would come of that, so the page fails where it is.
 */
async function loadOrReload(load: Load): Promise<ComponentType<any>> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine && kept(isFirst)) location.reload();
    throw error;
  }
}

/** Tells whether this address was not loaded anew just before, and remembers that it will be. */
function isFirst(storage: Storage): boolean {
  const { href } = location;
  const before = storage['svc_anew'];
  storage['svc_anew'] = href;
  return before !== href;
}

/** A page, or what stands for it until it is loaded, or has failed: until another address is gone to. */
function Shown({ children }: { readonly children?: ReactNode }): ReactNode {
  const { key } = useLocation();
  return createElement(SvcClientErrorBoundary, { place: key }, createElement(Suspense, { fallback: null }, children));
}

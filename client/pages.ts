/** Routes of the files below `pages/` (`@svc/runtime/pages`), each page loaded when it is first shown. */
import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';
import { Outlet, Route, Routes, useLocation } from 'react-router-dom';
import { SvcClientErrorBoundary } from './boundary.ts';
import { AuthGuard } from './router.ts';

export interface LazyRoute {
  readonly path?: string;
  readonly index?: true;
  /** Only for people who are signed in. */
  readonly guarded?: true;
  /** Page, or layout of the routes inside. */
  readonly load?: () => Promise<ComponentType<any>>;
  readonly children?: readonly LazyRoute[];
}

/** The component that shows the page of the current address. */
export function pageRoutes(routes: readonly LazyRoute[], authRedirect: string): ComponentType {
  const elements = withRest(routes).map((route, i) => routeElement(route, i, authRedirect));
  return function Pages(): ReactNode {
    return createElement(Routes, null, elements);
  };
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

function routeElement({ path, index, guarded, load, children }: LazyRoute, key: number, redirect: string): ReactNode {
  const page = load && createElement(lazy(async () => ({ default: await load() })));
  const shown = page === undefined ? undefined : createElement(Shown, null, page);
  const element = guarded ? createElement(AuthGuard, { redirect }, shown ?? createElement(Outlet)) : shown;
  const place = index === true ? { index: true as const } : path === undefined ? {} : { path };
  const inside = children?.map((child, i) => routeElement(child, i, redirect));
  return createElement(Route, { key, ...place, ...(element === undefined ? {} : { element }) } as any, inside);
}

/** A page, or what stands for it until it is loaded, or has failed: until another address is gone to. */
function Shown({ children }: { readonly children?: ReactNode }): ReactNode {
  const { key } = useLocation();
  return createElement(SvcClientErrorBoundary, { place: key }, createElement(Suspense, { fallback: null }, children));
}

/** Routes of the files below `pages/` (`@svc/runtime/pages`), each page loaded when it is first shown. */
import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';
import { Outlet, Route, Routes } from 'react-router-dom';
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
  const elements = routes.map((route, i) => routeElement(route, i, authRedirect));
  return function Pages(): ReactNode {
    return createElement(Routes, null, elements);
  };
}

function routeElement({ path, index, guarded, load, children }: LazyRoute, key: number, redirect: string): ReactNode {
  const page = load && createElement(lazy(async () => ({ default: await load() })));
  const shown = page === undefined ? undefined : createElement(Suspense, { fallback: null }, page);
  const element = guarded ? createElement(AuthGuard, { redirect }, shown ?? createElement(Outlet)) : shown;
  const place = index === true ? { index: true as const } : path === undefined ? {} : { path };
  const inside = children?.map((child, i) => routeElement(child, i, redirect));
  return createElement(Route, { key, ...place, ...(element === undefined ? {} : { element }) } as any, inside);
}

/** The router of `@svc/runtime`: that of React, with hooks that programs of both eras know. Loaded by programs that route. */
import { createElement, type ReactNode, useEffect } from 'react';
import {
  BrowserRouter,
  HashRouter,
  Navigate,
  type NavigateFunction,
  Outlet,
  useInRouterContext,
  useLocation,
  useNavigate,
  useParams,
} from 'react-router-dom';
import { svcIsLoggedIn } from './auth.ts';
import { prefix } from './net/page.ts';

export {
  createSearchParams,
  generatePath,
  Link,
  matchPath,
  Navigate,
  NavLink,
  Outlet,
  Route,
  Routes,
  useHref,
  useLocation,
  useMatch,
  useNavigate,
  useNavigationType,
  useOutlet,
  useOutletContext,
  useParams,
  useResolvedPath,
  useRoutes,
  useSearchParams,
} from 'react-router-dom';

let kind: 'history' | 'hash' = 'history';

/** `[plugins.client] router`. */
export function setRouterKind(chosen: 'history' | 'hash'): void {
  kind = chosen;
}

/** A router around its children; inside of another it is nothing, so that programs may write one where the application has it already. */
export function Router({ children }: { readonly children?: ReactNode }): ReactNode {
  if (useInRouterContext()) return children;
  const inside = [createElement(Bridge, { key: 'bridge' }), createElement(Inside, { key: 'inside' }, children)];
  return kind === 'hash'
    ? createElement(HashRouter, null, inside)
    : createElement(BrowserRouter, { basename: prefix() }, inside);
}
export { Router as BrowserRouter, Router as HashRouter };

function Inside({ children }: { readonly children?: ReactNode }): ReactNode {
  return children;
}

let current: NavigateFunction | undefined;

/** Lets `navigate` outside of components reach the router. */
function Bridge(): ReactNode {
  const go = useNavigate();
  useEffect(() => {
    current = go;
  }, [go]);
  return null;
}

/** Goes to a path of the application, from anywhere. */
export function navigate(path: string, options?: { readonly replace?: boolean }): void {
  if (current !== undefined) void current(path, options ?? {});
  else if (kind === 'hash') globalThis.location.hash = path;
  else globalThis.location.assign(prefix() + path);
}

/** Place, parameters and `navigate` in one. */
export function useRouter(): Record<string, unknown> {
  const location = useLocation();
  const go = useNavigate();
  const params = useParams();
  const { pathname, search, hash } = location;
  return {
    location,
    navigate: go,
    push: go,
    path: pathname,
    pathname,
    search,
    hash,
    params,
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Path of the application that the browser is at. */
export function currentPath(): string {
  return kind === 'hash'
    ? globalThis.location.hash.slice(1) || '/'
    : globalThis.location.pathname.slice(prefix().length) || '/';
}

/** Shows its children, or the routes inside, to who is signed in; sends others to `redirect`. */
export function AuthGuard({
  redirect = '/login',
  children,
}: {
  readonly redirect?: string;
  readonly children?: ReactNode;
}): ReactNode {
  const { pathname, search } = useLocation();
  if (!svcIsLoggedIn())
    return createElement(Navigate, { to: redirect, replace: true, state: { from: pathname + search } });
  return children ?? createElement(Outlet);
}

/** Names that programs import of `@svc/runtime`, by the part that has them. Helpers that begin with `svc` are known without an import. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const routerNames: ReadonlySet<string> = words(
  `Router BrowserRouter HashRouter Routes Route Link NavLink Navigate Outlet AuthGuard useNavigate useLocation useParams useSearchParams useRouter navigate
   useHref useMatch useNavigationType useOutlet useOutletContext useResolvedPath useRoutes createSearchParams generatePath matchPath`,
);

export const formNames: ReadonlySet<string> = words('SvcForm useSvcForm SvcSchema');

export const liveNames: ReadonlySet<string> = words('live subscribe useAction useLive');

const reactNames = words(
  `useState useEffect useRef useMemo useCallback useContext useReducer useLayoutEffect useId useDebugValue useDeferredValue
   useImperativeHandle useInsertionEffect useSyncExternalStore useTransition startTransition createContext forwardRef Fragment
   StrictMode Suspense lazy memo`,
);

const otherNames = words(
  `svcLogin svcSignup svcLogout svcIsLoggedIn svcSetToken svcSsoLogin svcSpawn svcConnect
   SvcAwaiting SvcClientErrorBoundary ErrorFallback errorOverlay CallError SpawnError`,
);

/** All of them; `client/svc-runtime.test.ts` compares them with what the runtime exports. */
export const runtimeNames: ReadonlySet<string> = new Set([
  ...routerNames,
  ...formNames,
  ...liveNames,
  ...reactNames,
  ...otherNames,
]);

/** Gives the hook whose result is usually called so: `useNavigate` for `navigate`. What `live` gives has other names. */
export function hookFor(name: string): string | undefined {
  if (liveNames.has(name)) return undefined;
  const hook = `use${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return runtimeNames.has(hook) ? hook : undefined;
}

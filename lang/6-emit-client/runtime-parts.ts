/** Gives the module of the browser runtime that has a member of `@svc/runtime`: parts that need packages are apart. */
export function runtimePart(member: string): string {
  if (routing.has(member)) return '@svc/runtime/router';
  if (forms.has(member)) return '@svc/runtime/forms';
  return live.has(member) ? '@svc/runtime/live' : '@svc/runtime';
}

const routing: ReadonlySet<string> = new Set(
  'Router BrowserRouter HashRouter Routes Route Link NavLink Navigate Outlet AuthGuard useNavigate useLocation useParams useSearchParams useRouter navigate'.split(
    ' ',
  ),
);

const forms: ReadonlySet<string> = new Set(['SvcForm', 'useSvcForm', 'SvcSchema']);

const live: ReadonlySet<string> = new Set(['live', 'subscribe', 'useAction', 'useLive']);

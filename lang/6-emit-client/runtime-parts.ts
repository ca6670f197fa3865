/** Gives the module of the browser runtime that has a member of `@svc/runtime`: parts that need packages are apart. */
export function runtimePart(member: string): string {
  return routing.has(member) ? '@svc/runtime/router' : forms.has(member) ? '@svc/runtime/forms' : '@svc/runtime';
}

const routing: ReadonlySet<string> = new Set(
  'Router BrowserRouter HashRouter Routes Route Link NavLink Navigate Outlet AuthGuard useNavigate useLocation useParams useSearchParams useRouter navigate'.split(
    ' ',
  ),
);

const forms: ReadonlySet<string> = new Set(['SvcForm', 'useSvcForm', 'SvcSchema']);

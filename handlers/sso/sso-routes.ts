import type { Accounts } from '../../core/accounts/accounts.ts';
import type { Answer, FixedRoute, RouteContext } from '../routes.ts';
import type { SignIn } from './sign-in-types.ts';
import type { SsoParts } from './sso-parts.ts';

/** The endpoints of single sign-on (docs/server/sign-on.md). What they do is read when the first of them is called. */
export function ssoRoutes(accounts: Accounts, parts: SsoParts, now: () => number): readonly FixedRoute[] {
  let opened: Promise<SignIn> | undefined;
  const open = async () => (await import('./sign-in.ts')).createSignIn(accounts, parts, now);
  const signIn = () => (opened ??= open());
  const common = { auth: 'none', tag: 'SSO APIs' } as const;
  const started = { ...common, method: 'GET', body: 'none', status: 302 } as const;
  const byQuery = {
    ...common,
    method: 'GET',
    run: async (context: RouteContext) => (await signIn()).finish(context, 'query'),
  } as const;
  const byForm = {
    ...common,
    method: 'POST',
    body: 'form',
    operationId: '',
    maxBodyBytes: 65_536,
    run: async (context: RouteContext) => (await signIn()).finish(context, 'form'),
  } as const;
  const refuseOperation = {
    ...common,
    method: 'GET',
    operationId: '',
    run: async (context: RouteContext): Promise<Answer> => (await signIn()).refuse(context),
  } as const;
  return [
    {
      ...started,
      template: '/sso/{platform}/login',
      operationId: 'sso_login',
      summary: 'Sign in with a provider: sends the browser there',
      run: async (context) => (await signIn()).start(context, 'login'),
    },
    {
      ...started,
      template: '/sso/{platform}/register',
      operationId: 'sso_register',
      summary: 'Create an account with a provider: sends the browser there',
      run: async (context) => (await signIn()).start(context, 'register'),
    },
    {
      ...byQuery,
      template: '/sso/{platform}/login/callback',
      operationId: 'sso_login_callback',
      summary: 'Where the provider sends the browser back to',
    },
    { ...byQuery, template: '/sso/{platform}/register/callback', operationId: '' },
    { ...byQuery, template: '/sso/{platform}/callback', operationId: '' },
    { ...byForm, template: '/sso/{platform}/login/callback' },
    { ...byForm, template: '/sso/{platform}/callback' },
    { ...refuseOperation, template: '/sso/{platform}/{operation}' },
    { ...refuseOperation, template: '/sso/{platform}/{operation}/callback' },
  ];
}

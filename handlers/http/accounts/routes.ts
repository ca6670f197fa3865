import { accountView, loginNames, preferredName } from '../../../core/accounts/account.ts';
import type { Accounts } from '../../../core/accounts/accounts.ts';
import type { IssuedToken, SignedIn } from '../../../core/accounts/desk.ts';
import type { Claims } from '../../../core/accounts/tokens.ts';
import { Failure } from '../../../core/errors.ts';
import { bearerToken, type TokenCaller } from '../../auth/identify.ts';
import { originOf } from '../../auth/origin-of.ts';
import { answer, type FixedRoute, type RouteContext } from '../../routes.ts';

/** Read when the first of them comes. */
const readBodies = () => import('./bodies.ts');

const tag = 'User APIs';

/** The account and session endpoints (docs/server/accounts.md). */
export function accountRoutes(accounts: Accounts): readonly FixedRoute[] {
  const me: Omit<FixedRoute, 'template' | 'operationId'> = {
    method: 'GET',
    auth: 'bearer',
    tag,
    summary: 'The account of the caller',
    run: async (context) => viewOf(await accounts.current(claimsOf(context))),
  };
  const routes: FixedRoute[] = [
    {
      method: 'POST',
      template: '/user/register',
      auth: 'none',
      tag,
      operationId: 'user_register',
      summary: 'Create an account',
      status: 201,
      // Repeats `access_token`, which is mirrored.
      unmirrored: ['token'],
      async run(context) {
        accounts.requireOpenRegistration();
        const bodies = await readBodies();
        const registration = bodies.readRegistration(context.body, accounts.passwordRules);
        const result = await accounts.register(registration, originOf(context));
        return answer({
          status: 201,
          data: { ...accountData(result), message: 'User registered successfully', ...tokenData(result.token) },
        });
      },
    },
    {
      method: 'POST',
      template: '/user/login',
      auth: 'none',
      tag,
      operationId: 'user_login',
      summary: 'Sign in with a name or address and a password',
      async run(context) {
        const bodies = await readBodies();
        const { name, password } = bodies.readCredentials(context.body);
        const result = await accounts.login(name, password, originOf(context));
        const expires = result.token && { expires_at: new Date(result.token.expiresAtMs).toISOString() };
        return { ...accountData(result), ...tokenData(result.token), ...expires };
      },
    },
    {
      method: 'POST',
      template: '/user/refresh-token',
      auth: 'none',
      tag,
      operationId: 'user_refresh_token',
      summary: 'Exchange a token for a new one',
      async run(context) {
        const bodies = await readBodies();
        const token = bodies.readRefreshToken(context.body) ?? bearerToken(context.call.header('authorization') ?? '');
        if (token === undefined) throw new Failure('VALIDATION_ERROR', 'Token is required', { status: 400 });
        const result = await accounts.refresh(token, originOf(context));
        return { ...tokenData(result.token), message: 'Token refreshed successfully' };
      },
    },
    {
      method: 'POST',
      template: '/user/logout',
      auth: 'bearer',
      tag,
      operationId: 'user_logout',
      summary: 'End this session, or all of them',
      async run(context) {
        const bodies = await readBodies();
        await accounts.logout(claimsOf(context), bodies.readLogout(context.body), originOf(context));
        return { message: 'Logged out' };
      },
    },
    { ...me, template: '/user/me', operationId: 'user_me' },
    { ...me, template: '/user/info', operationId: 'user_info' },
    {
      method: 'PATCH',
      template: '/user/me',
      auth: 'bearer',
      tag,
      operationId: 'user_update_profile',
      summary: 'Merge members into the profile',
      async run(context) {
        const bodies = await readBodies();
        const change = bodies.readProfileChange(context.body);
        return viewOf(await accounts.changeProfile(claimsOf(context), change, originOf(context)));
      },
    },
    {
      method: 'PUT',
      template: '/user/username',
      auth: 'bearer',
      tag,
      operationId: 'user_update_username',
      summary: 'Change the username, or the email address',
      async run(context) {
        const bodies = await readBodies();
        const change = bodies.readNameChange(context.body);
        const result = await accounts.changeLogin(claimsOf(context), change, originOf(context));
        return changeData(result, 'Username updated successfully', change.identity.value);
      },
    },
    {
      method: 'PUT',
      template: '/user/password',
      auth: 'bearer',
      tag,
      operationId: 'user_update_password',
      summary: 'Change the password; ends all other sessions',
      async run(context) {
        const claims = claimsOf(context);
        const bodies = await readBodies();
        const change = bodies.readPasswordChange(
          context.body,
          accounts.passwordRules,
          (await accounts.current(claims)).account.identities.flatMap(({ type, value }) =>
            type === 'sso' ? [] : [{ type, value }],
          ),
        );
        const result = await accounts.changePassword(claims, change, originOf(context));
        return changeData(result, 'Password updated successfully', preferredName(result.account));
      },
    },
  ];
  return routes;
}

/** Endpoints that need a token get a caller that `identify` made from one. */
function claimsOf(context: RouteContext): Claims {
  return (context.caller as TokenCaller).claims;
}

function accountData({ account, role }: SignedIn): Record<string, unknown> {
  return { user_id: account.userId, root_id: account.rootId, role, ...loginNames(account) };
}

function viewOf({ account, role }: SignedIn): Record<string, unknown> {
  return accountView(account, role);
}

function tokenData(token: IssuedToken | undefined): Record<string, unknown> {
  if (!token) return {};
  return { access_token: token.text, token: token.text, token_type: 'bearer', expires_in: token.lifetimeSeconds };
}

function changeData(result: SignedIn, message: string, username: string | null): Record<string, unknown> {
  return { message, username, user_id: result.account.userId, ...tokenData(result.token) };
}

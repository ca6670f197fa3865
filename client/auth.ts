/** Signing in and out. */
import { baseUrl, prefix } from './net/page.ts';
import { request, SpawnError } from './net/request.ts';
import { isSignedIn, storedToken, storeToken } from './net/token.ts';

/** A name or address, or the long form: an identity object or a list of them. */
export type Identity =
  | string
  | { readonly type?: string; readonly value: string }
  | readonly { readonly type?: string; readonly value: string }[];

function credentials(identity: Identity, password: string, many: boolean): Record<string, unknown> {
  if (typeof identity === 'string') return { [identity.includes('@') ? 'email' : 'username']: identity, password };
  const identities = Array.isArray(identity) ? identity : [identity];
  return { ...(many ? { identities } : { identity: identities[0] }), credential: { type: 'password', password } };
}

async function tokenOf(response: Response): Promise<{ token: string | undefined; answer: any }> {
  const answer = await response.json().catch(() => undefined);
  const token = answer?.data?.access_token ?? answer?.data?.token ?? answer?.access_token ?? answer?.token;
  return { token: typeof token === 'string' ? token : undefined, answer };
}

/** Signs in. Is it done? */
export async function svcLogin(identity: Identity, password: string): Promise<boolean> {
  const response = await post('/user/login', credentials(identity, password, false));
  if (response === undefined) return false;
  // Also of a refusal: a browser counts an answer that nobody reads as a request that was given up.
  const { token } = await tokenOf(response);
  if (!response.ok || token === undefined) return false;
  storeToken(token);
  return true;
}

export type SignupResult =
  | { readonly success: true; readonly user_id: string; readonly root_id: string }
  | { readonly success: false; readonly error: string; readonly code: string };

/** Makes an account, and signs in when the server gives a token with it. */
export async function svcSignup(identity: Identity, password: string): Promise<SignupResult> {
  const response = await post('/user/register', credentials(identity, password, true));
  if (response === undefined) return { success: false, error: 'the server cannot be reached', code: 'NETWORK' };
  const { token, answer } = await tokenOf(response);
  const data = answer?.data ?? answer ?? {};
  if (!response.ok)
    return {
      success: false,
      error: answer?.error?.message ?? `the server answered ${response.status}`,
      code: answer?.error?.code ?? `HTTP_${response.status}`,
    };
  if (token !== undefined) storeToken(token);
  return { success: true, user_id: data.user_id, root_id: data.root_id };
}

async function post(path: string, fields: Record<string, unknown>): Promise<Response | undefined> {
  try {
    return await request({ method: 'POST', path, fields, keepsToken: true });
  } catch (error) {
    if (error instanceof SpawnError) return undefined;
    throw error;
  }
}

/** Signs out at once; the server is told and not waited for. */
export function svcLogout(): void {
  const token = storedToken();
  if (token !== null) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    fetch(`${baseUrl()}/user/logout`, { method: 'POST', headers, body: '{}', keepalive: true }).catch(() => undefined);
  }
  storeToken(null);
}

export function svcIsLoggedIn(): boolean {
  return isSignedIn();
}

export function svcSetToken(token: string | null): void {
  storeToken(token);
}

/** Key of the browser's storage for the page that was left. */
export const leftKey = 'svc_place';

/** Leaves the page for an identity provider. `takeReturn` (sign-on-return.ts) reads what it brings back and goes on where the person was. */
export function svcSsoLogin(provider = 'google', operation: 'login' | 'register' = 'login'): void {
  const { origin, hostname, pathname, search, hash } = globalThis.location;
  const left = { path: pathname + search + hash, state: globalThis.history.state };
  kept((storage) => storage.setItem(leftKey, JSON.stringify(left)));
  // The server returns to its own start page and to programs on this machine. To other hosts it returns where it is configured to.
  const asks = origin === new URL(baseUrl()).origin || hostname === '127.0.0.1' || hostname === '[::1]';
  const back = asks ? `?client_callback=${encodeURIComponent(`${origin}${prefix()}/`)}` : '';
  globalThis.location.assign(`${baseUrl()}/sso/${encodeURIComponent(provider)}/${operation}${back}`);
}

/** Gives what `use` does, or undefined where storage is closed to the page, or full. */
export function kept<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(globalThis.sessionStorage);
  } catch {
    return undefined;
  }
}

/** The token of the person who is signed in, kept by the browser under `svc_token`. */
const name = 'svc_token';

export function storedToken(): string | null {
  // Storage may be closed to a page; then nobody is signed in longer than the page lives.
  try {
    return globalThis.localStorage.getItem(name);
  } catch {
    return memory;
  }
}

let memory: string | null = null;

export function storeToken(token: string | null): void {
  memory = token;
  try {
    if (token === null) globalThis.localStorage.removeItem(name);
    else globalThis.localStorage.setItem(name, token);
  } catch {
    // Kept in memory alone.
  }
  globalThis.dispatchEvent?.(new Event('svc:token'));
}

/** Is a token stored whose time has not run out? */
export function isSignedIn(): boolean {
  const token = storedToken();
  if (token === null || token === '') return false;
  const expiry = expiryOf(token);
  return expiry === undefined || expiry * 1000 > Date.now();
}

/** Seconds since 1970 at which the token ends, as it says itself; only the server judges. */
function expiryOf(token: string): number | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp : undefined;
  } catch {
    return undefined;
  }
}

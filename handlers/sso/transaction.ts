import { createHash, randomBytes } from 'node:crypto';
import type { DataKey } from '../../core/accounts/data-key.ts';
import { Failure } from '../../core/errors.ts';
import { isSameSecret } from './is-same-secret.ts';
import type { Provider } from './provider.ts';

export type SsoOperation = 'login' | 'register';

/** A sign-in between its start and the provider's callback (docs/server/sign-on.md#start). The browser keeps it, sealed. */
export interface Transaction {
  readonly state: string;
  readonly nonce: string;
  /** PKCE code verifier. */
  readonly verifier: string;
  readonly operation: SsoOperation;
  readonly platform: string;
  /** Address as it was told to the provider, which wants to hear it again with the code. */
  readonly redirectUri: string;
  /** Address to which the browser goes in the end; null: it gets JSON. */
  readonly target: string | null;
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
}

const cookieName = 'svc_sso';
const sealContext = 'sso transaction';

export function newTransaction(
  parts: Pick<Transaction, 'operation' | 'platform' | 'redirectUri' | 'target' | 'expiresAtMs'>,
): Transaction {
  const random = () => randomBytes(32).toString('base64url');
  return { ...parts, state: random(), nonce: random(), verifier: random() };
}

/** PKCE challenge, method S256 (RFC 7636). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** `Set-Cookie` that gives the browser the transaction to keep. */
export function keepCookie(key: DataKey, transaction: Transaction, provider: Provider, ttlSeconds: number): string {
  const sealed = key.seal(JSON.stringify(transaction), sealContext);
  return `${cookieName}=${sealed}; ${attributes(transaction.redirectUri, provider)}; Max-Age=${ttlSeconds}`;
}

/** `Set-Cookie` that takes it back. */
export function clearCookie(redirectUri: string, provider: Provider): string {
  return `${cookieName}=; ${attributes(redirectUri, provider)}; Max-Age=0`;
}

/** Cookies only come along with a provider's form when they may come from other sites, which browsers allow secure ones only. */
function attributes(redirectUri: string, { platform, responseMode }: Provider): string {
  const { protocol, pathname } = new URL(redirectUri);
  const path = pathname.slice(0, pathname.lastIndexOf(`/${platform}/`)) || '/';
  const isForm = responseMode === 'form_post';
  const isSecure = isForm || protocol === 'https:';
  return `HttpOnly; SameSite=${isForm ? 'None' : 'Lax'}; Path=${path}${isSecure ? '; Secure' : ''}`;
}

/** The transaction a request brings back, if it is one of this platform that has not expired. */
export function readTransaction(
  key: DataKey,
  cookies: string | undefined,
  platform: string,
  nowMs: number,
): Transaction | undefined {
  for (const part of (cookies ?? '').split(/[;,]/)) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name !== cookieName) continue;
    const opened = key.open(value, sealContext);
    const transaction = opened && (JSON.parse(opened.secret) as Transaction);
    if (transaction && transaction.platform === platform && nowMs < transaction.expiresAtMs) return transaction;
  }
  return undefined;
}

/** @throws Failure `INVALID_STATE` when there is no transaction, or it is not the one the provider answers to */
export function requireState(transaction: Transaction | undefined, state: string): Transaction {
  if (transaction === undefined || !isSameSecret(transaction.state, state)) throw invalidState();
  return transaction;
}

export function invalidState(): Failure {
  return new Failure('INVALID_STATE', 'This sign-in has expired or was started elsewhere. Start again.');
}

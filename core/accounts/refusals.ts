import { Failure } from '../errors.ts';
import type { Refusal } from './tokens.ts';

export type TokenRefusal = Refusal | 'unknown_user' | 'revoked' | 'disabled';

const challenge = 'Bearer realm="svc"';

/** Makes the failure of a call without credentials where they are needed. */
export function missingToken(): Failure {
  return new Failure('UNAUTHORIZED', 'Authentication is required.', {
    details: { reason: 'missing' },
    headers: { 'WWW-Authenticate': challenge },
  });
}

/** A token was given and is not accepted. */
export function refusedToken(reason: TokenRefusal): Failure {
  if (reason === 'disabled') return accountDisabled();
  return new Failure('UNAUTHORIZED', 'Invalid or expired token', {
    details: { reason },
    headers: { 'WWW-Authenticate': `${challenge}, error="invalid_token"` },
  });
}

/** One answer for an unknown identity, a wrong password, an account without one and a built-in account. */
export function wrongCredentials(): Failure {
  return new Failure('UNAUTHORIZED', 'Invalid credentials', {
    details: { reason: 'credentials' },
    headers: { 'WWW-Authenticate': challenge },
  });
}

export function accountDisabled(): Failure {
  return new Failure('ACCOUNT_DISABLED', 'This account is switched off.');
}

export function forbidden(reason: string, message: string): Failure {
  return new Failure('FORBIDDEN', message, { details: { reason } });
}

export function rateLimited(retryAfterSeconds: number): Failure {
  return new Failure('RATE_LIMITED', 'Too many failed attempts; try again later.', {
    details: { retry_after: retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

import { createHash } from 'node:crypto';
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { TokenKeys } from './token-keys.ts';

/** Contents of a token, after every check that needs no look at the account (docs/server/accounts.md#tokens). */
export interface Claims {
  readonly userId: string;
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Last sign-in with a password or a provider; the time of issue for tokens that do not say. */
  readonly authTime: number;
  /** Names the token in the list of revoked ones; a digest for legacy tokens without an id of their own. */
  readonly tokenId: string;
  /** Absent counts as 0. */
  readonly sessionVersion: number;
}

export type Refusal = 'invalid' | 'expired' | 'wrong_type';

export interface NewToken {
  readonly userId: string;
  readonly name: string | null;
  readonly role: string;
  readonly authTime: number;
  readonly tokenId: string;
  readonly sessionVersion: number;
}

export interface Tokens {
  /** Signs an access token issued at `nowSeconds`. */
  issue(token: NewToken, nowSeconds: number): MaybePromise<string>;
  /**
   * Claims of a genuine token, or why it is refused. `graceSeconds` accepts tokens that expired no longer ago than that; those that
   * are not for access are refused either way.
   */
  read(token: string, nowSeconds: number, graceSeconds?: number): MaybePromise<Claims | Refusal>;
}

export interface TokenRules {
  readonly issuer: string;
  readonly lifetimeSeconds: number;
  readonly leewaySeconds: number;
}

const maxTokenLength = 4096;

export function createTokens(keys: TokenKeys, rules: TokenRules): Tokens {
  const ownHeader = encode({ alg: keys.algorithm, typ: 'JWT', kid: keys.kid });

  function issue(token: NewToken, nowSeconds: number): MaybePromise<string> {
    const payload = {
      iss: rules.issuer,
      sub: token.userId,
      user_id: token.userId,
      ...(token.name === null ? {} : { preferred_username: token.name }),
      role: token.role,
      type: 'access',
      iat: nowSeconds,
      exp: nowSeconds + rules.lifetimeSeconds,
      auth_time: token.authTime,
      jti: token.tokenId,
      sv: token.sessionVersion,
    };
    return keys.sign(ownHeader, encode(payload));
  }

  function read(token: string, nowSeconds: number, graceSeconds = 0): MaybePromise<Claims | Refusal> {
    if (token.length > maxTokenLength) return 'invalid';
    const headerEnd = token.indexOf('.');
    const payloadEnd = token.indexOf('.', headerEnd + 1);
    if (headerEnd < 1 || payloadEnd < 0 || token.indexOf('.', payloadEnd + 1) >= 0) return 'invalid';
    const header = token.slice(0, headerEnd);
    const kid = header === ownHeader ? keys.kid : readKeyName(header, keys.algorithm);
    if (kid === false) return 'invalid';
    const input = token.slice(0, payloadEnd);
    return after(keys.verify(token, input, token.slice(payloadEnd + 1), kid ?? undefined), (isGenuine) => {
      const payload = isGenuine && decode(token.slice(headerEnd + 1, payloadEnd));
      return payload ? judge(payload, input, rules, nowSeconds, graceSeconds) : 'invalid';
    });
  }

  return { issue, read };
}

/** The `kid` of a foreign header, null when it has none, false when the header is refused. Nothing else in it is looked at. */
function readKeyName(header: string, algorithm: string): string | null | false {
  const parsed = decode(header);
  if (!parsed || parsed['alg'] !== algorithm || 'crit' in parsed) return false;
  return typeof parsed['kid'] === 'string' ? parsed['kid'] : null;
}

function judge(
  payload: Record<string, unknown>,
  input: string,
  rules: TokenRules,
  nowSeconds: number,
  graceSeconds: number,
): Claims | Refusal {
  const { exp, iat, nbf, iss, aud, type, sub, user_id: user, auth_time: authTime, jti, sv } = payload;
  if (!isTime(exp)) return 'invalid';
  if (nowSeconds > exp + rules.leewaySeconds + graceSeconds) return 'expired';
  if (isTooEarly(iat, nowSeconds, rules) || isTooEarly(nbf, nowSeconds, rules)) return 'invalid';
  if (iss !== undefined && iss !== rules.issuer) return 'invalid';
  // RFC 7519 4.1.3: a token for somebody is refused by everybody else, and no token of ours names an audience.
  if (aud !== undefined) return 'invalid';
  if (type !== undefined && type !== 'access') return 'wrong_type';
  const userId = sub ?? user;
  if (typeof userId !== 'string' || userId === '' || (user !== undefined && user !== userId)) return 'invalid';
  if (sv !== undefined && !Number.isSafeInteger(sv)) return 'invalid';
  const issuedAt = isTime(iat) ? iat : exp - rules.lifetimeSeconds;
  return {
    userId,
    issuedAt,
    expiresAt: exp,
    authTime: isTime(authTime) ? authTime : issuedAt,
    tokenId: typeof jti === 'string' && jti !== '' ? jti : createHash('sha256').update(input).digest('base64url'),
    sessionVersion: typeof sv === 'number' ? sv : 0,
  };
}

function isTooEarly(time: unknown, nowSeconds: number, rules: TokenRules): boolean {
  return time !== undefined && (!isTime(time) || time > nowSeconds + rules.leewaySeconds);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
}

function decode(segment: string): Record<string, unknown> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(segment)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

import type { JSONWebKeySet, JWTPayload, JWTVerifyOptions } from 'jose';
import { isSameSecret } from './is-same-secret.ts';
import { providerError } from './provider-error.ts';

const algorithms = ['RS256', 'ES256', 'EdDSA', 'PS256'];
const leewaySeconds = 30;

export interface IdTokenExpectation {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

export interface IdClaims {
  readonly subject: string;
  readonly claims: JWTPayload;
}

/**
 * Checks an ID token (docs/server/sign-on.md#callback). Keys are fetched anew once when none of those remembered fits.
 *
 * @throws Failure `SSO_PROVIDER_ERROR`
 */
export async function checkIdToken(
  token: string,
  expected: IdTokenExpectation,
  keys: (isFresh: boolean) => Promise<JSONWebKeySet>,
): Promise<IdClaims> {
  const { errors } = await import('jose');
  const options: JWTVerifyOptions = {
    algorithms,
    issuer: expected.issuer,
    audience: expected.clientId,
    requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
    clockTolerance: leewaySeconds,
    currentDate: new Date(expected.nowMs),
  };
  const remembered = await keys(false);
  const claims = await verify(token, remembered, options)
    .catch(async (error) => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return verify(token, await keys(true), options);
    })
    .catch((error) => {
      throw error instanceof errors.JOSEError ? providerError(`ID token refused: ${error.message}`) : error;
    });
  refuseOddClaims(claims, expected);
  return { subject: claims.sub as string, claims };
}

async function verify(token: string, set: JSONWebKeySet, options: JWTVerifyOptions): Promise<JWTPayload> {
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose');
  try {
    return (await jwtVerify(token, createLocalJWKSet(set), options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const found = await jwtVerify(token, key, options).catch((wrong) => {
        if (!(wrong instanceof errors.JWSSignatureVerificationFailed)) throw wrong;
      });
      if (found) return found.payload;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** Refuses claims that are valid in a JWT but not in an ID token for this sign-in. */
function refuseOddClaims(claims: JWTPayload, { clientId, nonce, nowMs }: IdTokenExpectation): void {
  const { sub, azp, aud, iat } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) throw providerError('ID token without a subject');
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForSeveral : azp !== clientId) throw providerError('ID token for another client');
  if ((iat as number) > nowMs / 1000 + leewaySeconds) throw providerError('ID token from the future');
  if (!isSameSecret(String(claims['nonce']), nonce)) throw providerError('ID token of another sign-in');
}

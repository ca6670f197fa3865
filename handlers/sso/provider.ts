import type { ScaleConfig, SsoProvider } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';

/** A provider people can sign in with. */
export interface Provider extends SsoProvider {
  /** Name of the provider in paths. */
  readonly platform: string;
}

const googleIssuer = 'https://accounts.google.com';

/**
 * The provider a path names (docs/server/sign-on.md#providers, docs/server/sign-on.md#endpoints).
 *
 * @throws Failure `INVALID_PLATFORM` when there is none, `SSO_NOT_CONFIGURED` when it lacks credentials
 */
export function requireProvider(providers: ScaleConfig['sso']['providers'], platform: string): Provider {
  const found = Object.hasOwn(providers, platform) ? providers[platform] : undefined;
  const issuer = found?.issuer || (platform === 'google' ? googleIssuer : '');
  if (found === undefined || issuer === '') throw new Failure('INVALID_PLATFORM', 'There is no such sign-in provider.');
  if (found.clientId === '' || found.clientSecret === '') {
    throw new Failure('SSO_NOT_CONFIGURED', 'Sign-in with this provider is not configured.');
  }
  return { ...found, issuer, platform };
}

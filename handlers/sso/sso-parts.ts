/** Parts of the application that signing in with an identity provider works with. */
import type { ScaleConfig } from '../../core/config/config.ts';
import type { ProviderRequest } from './provider-request.ts';

export interface SsoParts {
  readonly settings: ScaleConfig['sso'];
  /** Public address of the server; empty: the one a request came to. */
  readonly baseUrl: string;
  readonly send: ProviderRequest;
}

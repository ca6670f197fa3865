import type { Config, ScaleConfig } from '../config/config.ts';

/** The part of the configuration that accounts and tokens depend on. */
export interface AccountConfig extends Pick<Config, 'mode' | 'projectDir'> {
  readonly scale: Pick<ScaleConfig, 'jwt' | 'auth'> & {
    readonly sso: Pick<ScaleConfig['sso'], 'autoRegister'>;
    readonly webhook: Pick<ScaleConfig['webhook'], 'maxKeysPerUser'>;
  };
}

export type JwtConfig = ScaleConfig['jwt'];

export const secondsPerDay = 86_400;

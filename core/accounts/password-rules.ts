import type { AccountConfig } from './account-config.ts';

export interface PasswordRules {
  readonly minLength: number;
  readonly maxLength: number;
  /** Production also refuses common passwords and those equal to an identity. */
  readonly isStrict: boolean;
}

export function passwordRulesOf({ mode, scale: { auth } }: Pick<AccountConfig, 'mode' | 'scale'>): PasswordRules {
  return { minLength: auth.passwordMinLength, maxLength: auth.passwordMaxLength, isStrict: mode === 'production' };
}

/** Problems of new passwords. Apart from the rules themselves: the list of common ones is read when somebody sets a password. */
import type { FieldProblem } from '../problems.ts';
import { isCommonPassword } from './common-passwords.ts';
import type { LoginIdentity } from './identity.ts';
import type { PasswordRules } from './password-rules.ts';

/** Lists every fault of a new password (docs/server/accounts.md#passwords). Length is counted in code points after NFKC. */
export function passwordProblems(
  password: string,
  identities: readonly LoginIdentity[],
  rules: PasswordRules,
  loc: readonly (string | number)[],
): FieldProblem[] {
  const normal = password.normalize('NFKC');
  const length = [...normal].length;
  if (length < rules.minLength) {
    return [{ loc, type: 'string_too_short', msg: `must be at least ${counted(rules.minLength)}` }];
  }
  if (length > rules.maxLength) {
    return [{ loc, type: 'string_too_long', msg: `must be at most ${counted(rules.maxLength)}` }];
  }
  if (!rules.isStrict) return [];
  if (identities.some(({ value }) => value === normal.toLowerCase())) {
    return [{ loc, type: 'value_error', msg: 'must differ from the name or address' }];
  }
  return isCommonPassword(normal) ? [{ loc, type: 'value_error', msg: 'is one of the most common passwords' }] : [];
}

function counted(length: number): string {
  return `${length} ${length === 1 ? 'character' : 'characters'}`;
}

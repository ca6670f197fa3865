import type { Config } from '../../core/config/config.ts';
import { defaultJwtSecret } from '../../core/config/options.ts';
import type { LeftOut } from '../../core/config/packed-settings.ts';
import { secretVariables } from '../../core/program/missing-secrets.ts';
import type { Program } from '../../core/program/program.ts';

/** Names the variables that have to be set where a bundle runs: its files hold none of their values. */
export function deployedSecrets(
  { scale }: Config,
  program: Program | undefined,
  leftOut: readonly LeftOut[],
): readonly string[] {
  const { jwt } = scale;
  const makesTokens = jwt.algorithm.startsWith('HS') && (jwt.secret === defaultJwtSecret || jwt.secret === '');
  const names = [
    ...(makesTokens ? ['JWT_SECRET'] : []),
    ...leftOut.map(({ variable }) => variable),
    ...Object.keys(scale.secrets),
    ...(program === undefined ? [] : secretVariables(program)),
  ];
  return [...new Set(names)];
}

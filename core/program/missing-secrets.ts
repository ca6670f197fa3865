import { interpolate } from '../config/interpolate.ts';
import type { Program } from './program.ts';

/** A webhook whose secret is not there: which variable lacks, in words. */
export interface MissingSecret {
  readonly walker: string;
  readonly problem: string;
}

/** Webhooks that name a variable for their secret which is not set (decisions/0420). */
export function missingSecrets(
  { walkers }: Pick<Program, 'walkers'>,
  environment: (name: string) => string | undefined,
): MissingSecret[] {
  return walkers.flatMap(({ name, rest }) => {
    const filled = rest.secret === '' ? { text: '' } : interpolate(rest.secret, environment);
    return 'problem' in filled ? [{ walker: name, problem: filled.problem }] : [];
  });
}

/** Names of the variables that webhooks have their secrets from. */
export function secretVariables({ walkers }: Pick<Program, 'walkers'>): readonly string[] {
  return [...new Set(walkers.flatMap(({ rest }) => [...rest.secret.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)))];
}

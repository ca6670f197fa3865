import { basename, dirname } from 'node:path';
import type { ConfigPath } from '../../core/config/config.ts';
import { tomlKey } from '../../core/config/options.ts';

/**
 * A warning when secrets stand in a configuration file that git tracks (docs/server/configuration.md#default-secrets);
 * undefined otherwise.
 */
export async function warnTrackedSecrets(
  file: string | undefined,
  secrets: readonly ConfigPath[],
): Promise<string | undefined> {
  if (file === undefined || secrets.length === 0) return undefined;
  const { execFile } = await import('node:child_process');
  const keys = secrets.map((path) => tomlKey(path).replace(/^plugins\.scale\./, '')).join(', ');
  return await new Promise((resolve) => {
    execFile('git', ['ls-files', '--error-unmatch', basename(file)], { cwd: dirname(file) }, (error) => {
      resolve(error ? undefined : `warning: ${basename(file)} is tracked by git and holds a secret: ${keys}`);
    });
  });
}

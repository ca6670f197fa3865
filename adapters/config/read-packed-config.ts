import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, mergeEnv, readMode } from '../../core/config/env.ts';
import { type PackedSettings, unpackSettings } from '../../core/config/packed-settings.ts';
import { type Resolved, resolveConfig } from '../../core/config/resolve.ts';

/** Path of the file in which a package keeps its settings, below its folder. */
export const settingsFile = 'settings.json';

/** The configuration of an application packaged in `folder`: its settings, and the environment, which has the secrets. */
export function readPackedConfig(folder: string, processEnv: Environment): Resolved {
  const env = mergeEnv(processEnv, {});
  return resolveConfig({
    file: unpackSettings(JSON.parse(readFileSync(join(folder, settingsFile), 'utf8')) as PackedSettings),
    env,
    mode: readMode(env) ?? 'production',
    profile: env['SVC_PROFILE'],
    projectDir: folder,
    dataDir: env['SVC_DATA_PATH'] ?? join(folder, '.svc', 'data'),
  });
}

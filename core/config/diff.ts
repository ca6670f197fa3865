import type { Config, ConfigPath } from './config.ts';
import { optionAt, optionPaths } from './options.ts';

/**
 * Differences between two readings of the configuration, split by whether `--reload` may apply them (docs/server/commands.md#reload).
 */
export interface ConfigChanges {
  readonly reloadable: readonly ConfigPath[];
  readonly needRestart: readonly ConfigPath[];
}

export function diffConfig(before: Config, after: Config): ConfigChanges {
  const changed = optionPaths.filter(
    (path) => JSON.stringify(valueAt(before, path)) !== JSON.stringify(valueAt(after, path)),
  );
  return {
    reloadable: changed.filter((path) => optionAt(path).reloadable),
    needRestart: changed.filter((path) => !optionAt(path).reloadable),
  };
}

/** The running configuration with the reloadable keys of `after`, and further ones. */
export function applyReloadable(before: Config, after: Config, further: readonly ConfigPath[] = []): Config {
  const result = structuredClone(before) as Config;
  for (const path of [...diffConfig(before, after).reloadable, ...further]) setAt(result, path, valueAt(after, path));
  return result;
}

export function valueAt(config: Config, path: ConfigPath): unknown {
  return path.split('.').reduce<unknown>((table, name) => (table as Record<string, unknown>)[name], config);
}

function setAt(config: Config, path: ConfigPath, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  const table = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], config);
  (table as Record<string, unknown>)[last] = value;
}

import type { Config } from './config.ts';
import { valueAt } from './diff.ts';
import { interpolate } from './interpolate.ts';
import { optionAt, optionPaths, providerOptions } from './options.ts';

/**
 * Every secret of a configuration as it would look in a text: what logs must never show
 * (docs/server/observability.md#redaction). Built-in defaults are no secrets. `lookup` gives the environment, for
 * secrets that are references until the application is deployed.
 */
export function secretValues(config: Config, lookup: (name: string) => string | undefined): readonly string[] {
  const values = new Set<string>();
  for (const path of optionPaths) {
    const { secret, default: standard } = optionAt(path);
    if (secret !== true) continue;
    const value = valueAt(config, path);
    if (typeof value === 'string' && value !== standard) add(value);
    else if (Array.isArray(value)) value.forEach(add);
  }
  for (const provider of Object.values(config.scale.sso.providers)) {
    for (const key of Object.keys(providerOptions) as (keyof typeof providerOptions)[]) {
      if (providerOptions[key].secret === true) add(String(provider[key]));
    }
  }
  for (const [name, text] of Object.entries(config.scale.secrets)) {
    const filled = interpolate(text, lookup);
    if ('text' in filled) add(filled.text);
    add(lookup(name) ?? '');
  }
  return [...values];

  function add(value: string): void {
    if (value !== '') values.add(value);
    // Drivers put parts of an address into their messages.
    const password = /^[\w+.-]+:\/\/[^/@]*:([^/@]+)@/.exec(value)?.[1];
    if (password !== undefined) values.add(password).add(decoded(password));
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

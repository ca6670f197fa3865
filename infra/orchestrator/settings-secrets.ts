/** Secrets that stand in the configuration outside `[plugins.scale.secrets]`: what the deployed application has to be given instead. */
import { interpolate } from '../../core/config/interpolate.ts';
import { envNames, optionAt, providerOptions, providerVariable } from '../../core/config/options.ts';
import { isReferences } from '../../core/config/packed-settings.ts';
import type { TomlTable } from '../../core/config/toml-nodes.ts';
import { memberAt, type WrittenKey, writtenKeys } from '../../core/config/written-keys.ts';

export type Lookup = (name: string) => string | undefined;

export interface ResolvedTexts {
  readonly texts: Readonly<Record<string, string>>;
  /** `OPENAI_API_KEY is not set` */
  readonly unresolved: readonly string[];
}

/** Fills in the references of a table such as `[plugins.scale.secrets]` (docs/server/orchestrator.md#secrets). */
export function resolveTexts(table: Readonly<Record<string, string>>, lookup: Lookup): ResolvedTexts {
  const texts: Record<string, string> = {};
  const unresolved: string[] = [];
  for (const [name, text] of Object.entries(table)) {
    const filled = interpolate(text, lookup);
    if ('text' in filled) texts[name] = filled.text;
    else unresolved.push(filled.problem.replace(/^environment variable /, ''));
  }
  return { texts, unresolved: [...new Set(unresolved)] };
}

/**
 * The secrets written in a file, by variable: a literal by the one that sets its key, a reference by the one it names, which the packaged file
 * still asks for (decisions/0061).
 */
export function settingsSecrets(root: TomlTable, profile: string | undefined, lookup: Lookup): ResolvedTexts {
  const named = profile === undefined ? undefined : memberAt(root, ['environments', profile]);
  const tables = [root, ...(named?.kind === 'table' ? [named] : [])];
  const table: Record<string, string> = {};
  for (const { variable, values } of tables.flatMap((one) => writtenKeys(one)).flatMap(secretsOf)) {
    if (!values.every(isReferences)) table[variable] = values.join(',');
    else for (const name of values.flatMap(variablesOf)) table[name] = `\${${name}}`;
  }
  return resolveTexts(table, lookup);
}

interface WrittenSecret {
  readonly variable: string;
  readonly values: readonly string[];
}

function secretsOf(key: WrittenKey): WrittenSecret[] {
  if (key.kind === 'provider')
    return key.fields.flatMap(({ field, node }) =>
      node.kind === 'value' && providerOptions[field].secret === true
        ? written(providerVariable(key.name, field), node.value, '')
        : [],
    );
  if (key.kind !== 'option' || key.node.kind !== 'value' || optionAt(key.path).secret !== true) return [];
  if (key.path.startsWith('scale.registry.')) return [];
  return written(envNames(key.path)[0]!, key.node.value, optionAt(key.path).default);
}

/** Built-in defaults are never deployed, and `auto` has the deployment make one (docs/server/configuration.md#default-secrets). */
function written(variable: string, value: unknown, standard: unknown): WrittenSecret[] {
  const values = (Array.isArray(value) ? value : [value]).map(String);
  const isSet = values.some((text) => text !== '' && text !== standard && text !== 'auto');
  return isSet ? [{ variable, values }] : [];
}

function variablesOf(text: string): string[] {
  return [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name]) => name!);
}

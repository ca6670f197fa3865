import { didYouMean } from '../../base/did-you-mean.ts';
import type { ConfigPath, SsoProvider } from './config.ts';
import { optionPaths, providerOptions, tomlKey } from './options.ts';
import type { Place, TomlNode, TomlTable } from './toml.ts';

/** A key of a file that something here knows, or one that nothing knows. */
export type WrittenKey =
  | { readonly kind: 'option'; readonly path: ConfigPath; readonly at: readonly string[]; readonly node: TomlNode }
  | {
      readonly kind: 'provider';
      readonly name: string;
      readonly place: Place;
      readonly at: readonly string[];
      readonly fields: readonly ProviderField[];
    }
  | {
      readonly kind: 'unknown';
      readonly isTable: boolean;
      readonly place: Place;
      readonly at: readonly string[];
      readonly problem: string;
    };

export interface ProviderField {
  readonly field: keyof SsoProvider;
  readonly at: readonly string[];
  readonly node: TomlNode;
}

/**
 * Finds the keys in the known tables of a file, or of one profile in it, by their full names. Top-level tables of other tools are not
 * looked at.
 */
export function writtenKeys(root: TomlTable): WrittenKey[] {
  const found: WrittenKey[] = [];
  for (const [name, node] of root.members) {
    const canonical = aliases.get(name) ?? [name];
    if (canonical.join('.') === 'plugins' && node.kind === 'table') {
      for (const [plugin, inner] of node.members) {
        if (tables.has(`plugins.${plugin}`)) visit(['plugins', plugin], inner, found);
      }
    } else if (name !== 'environments' && tables.has(canonical.join('.'))) visit(canonical, node, found);
  }
  const headers = memberAt(root, headersAt);
  if (headers !== undefined) visit(headersAt, headers, found);
  return found;
}

/** Some part of a file, be it for one profile, sets an option. */
export function writesOption(root: TomlTable, path: ConfigPath): boolean {
  const profiles = memberAt(root, ['environments']);
  const layers = [root, ...(profiles?.kind === 'table' ? profiles.members.values() : [])];
  return layers.some(
    (layer) => layer.kind === 'table' && writtenKeys(layer).some((key) => key.kind === 'option' && key.path === path),
  );
}

/** The table or value at a path of names. */
export function memberAt(root: TomlTable, path: readonly string[]): TomlNode | undefined {
  let node: TomlNode | undefined = root;
  for (const name of path) node = node?.kind === 'table' ? node.members.get(name) : undefined;
  return node;
}

const headersAt = ['environments', 'response', 'headers'];

// The older flat names (language.md, Appendix D).
const aliases = new Map([
  ['scale', ['plugins', 'scale']],
  ['client', ['plugins', 'client']],
  ['byllm', ['plugins', 'byllm']],
  ['llm', ['plugins', 'byllm']],
]);

/** Paths by normalised name in the file, and every table on the way to one. */
const paths = new Map<string, ConfigPath>();
const tables = new Set<string>();
for (const path of optionPaths) {
  const key = normal(tomlKey(path));
  paths.set(key, path);
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) tables.add(key.slice(0, dot));
}
tables.add('plugins.scale.sso');
paths.delete('plugins.scale.sso');

// Tables of the language's client side that have no option here.
const foreignTables = new Set(['plugins.client.routing', 'plugins.client.paths']);

const providerKeys = new Map<string, keyof SsoProvider>(
  (Object.keys(providerOptions) as (keyof SsoProvider)[]).map((field) => [snake(field), field]),
);

/** `clientSecret` as `client_secret`. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function normal(key: string): string {
  return key.replaceAll('-', '_');
}

function visit(at: readonly string[], node: TomlNode, found: WrittenKey[]): void {
  const path = paths.get(normal(at.join('.')));
  if (path !== undefined) found.push({ kind: 'option', path, at, node });
  else if (node.kind === 'value') {
    found.push({ kind: 'unknown', isTable: true, place: node.at, at, problem: 'expected a table' });
  } else visitTable(at, node, found);
}

function visitTable(at: readonly string[], table: TomlTable, found: WrittenKey[]): void {
  const key = at.join('.');
  for (const [name, node] of table.members) {
    const child = normal(`${key}.${name}`);
    if (paths.has(child) || tables.has(child)) visit([...at, name], node, found);
    else if (key === 'plugins.scale.sso' && node.kind === 'table') visitProvider(name, [...at, name], node, found);
    else if (!foreignTables.has(child)) {
      const siblings = [...paths.keys(), ...tables]
        .filter((known) => known.startsWith(`${key}.`))
        .map((known) => known.slice(key.length + 1).split('.')[0]!);
      found.push(unknownKey([...at, name], node.at, siblings));
    }
  }
}

function visitProvider(name: string, at: readonly string[], table: TomlTable, found: WrittenKey[]): void {
  const fields: ProviderField[] = [];
  for (const [member, node] of table.members) {
    const field = providerKeys.get(normal(member));
    if (field === undefined) found.push(unknownKey([...at, member], node.at, providerKeys.keys()));
    else fields.push({ field, at: [...at, member], node });
  }
  found.push({ kind: 'provider', name, place: table.at, at, fields });
}

function unknownKey(at: readonly string[], place: Place, known: Iterable<string>): WrittenKey {
  const name = at[at.length - 1]!;
  const nearest = didYouMean(name, new Set(known));
  const hint = nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
  return { kind: 'unknown', isTable: false, place, at, problem: `unknown key '${name}'${hint}` };
}

import type { ConfigPath, SsoProvider } from './config.ts';
import { optionAt, optionPaths, providerOptions, tomlKey } from './options.ts';
import type { Place, TomlNode, TomlTable } from './toml-nodes.ts';

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
      /** True for a table: nothing below it can be read. */
      readonly isTable: boolean;
      readonly place: Place;
      readonly at: readonly string[];
      readonly problem: string;
    }
  /** Accepted without an option (other-keys.ts); `shown` is '' where nobody expects an effect. */
  | { readonly kind: 'other'; readonly place: Place; readonly at: readonly string[]; readonly shown: string };

export interface ProviderField {
  readonly field: keyof SsoProvider;
  readonly at: readonly string[];
  readonly node: TomlNode;
}

/**
 * Tells what a name is that no option has (unknown-keys.ts). Whoever reads settings that `svc` packed needs none: there are no such names in them
 * (packed-settings.ts).
 */
export type TellUnknown = (at: readonly string[], node: TomlNode, under: readonly string[]) => readonly WrittenKey[];

/**
 * Finds the keys of a file by their full names, or of one profile in it, whose place is `under`. Other profiles are not looked at; names that no
 * option has are passed over without `tell`.
 */
export function writtenKeys(root: TomlTable, under: readonly string[] = [], tell?: TellUnknown): WrittenKey[] {
  const search: Search = { under, tell, found: [] };
  for (const [name, node] of root.members) {
    const older = olderNames.find(([one]) => one === name);
    if (name !== 'environments') visit(older?.[1].split('.') ?? [name], node, search);
  }
  const headers = memberAt(root, headersAt);
  if (headers !== undefined) visit(headersAt, headers, search);
  return search.found;
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

/**
 * Older names of tables and keys (docs/language/older-programs.md#renamed-names, and the targets' aliases of
 * docs/server/commands.md#names), as normalised names.
 */
export const olderNames: readonly (readonly [older: string, name: string])[] = [
  ['scale', 'plugins.scale'],
  ['client', 'plugins.client'],
  ['byllm', 'plugins.byllm'],
  ['llm', 'plugins.byllm'],
  ['plugins.byllm.model', 'plugins.byllm'],
  ['plugins.scale.kubernetes', 'plugins.scale.orchestrator'],
  ['plugins.scale.k8s', 'plugins.scale.orchestrator'],
  ['plugins.scale.monitoring', 'plugins.scale.metrics'],
  ['plugins.scale.server.docs_enabled', 'serve.docs_enabled'],
  ['serve.graph_enabled', 'serve.graph_view'],
];

/** Paths by normalised name in the file. */
export const paths = new Map<string, ConfigPath>();
/** Every table on the way to an option, as it is written, by normalised name. */
export const tables = new Map<string, string>();
for (const path of optionPaths) {
  const key = tomlKey(path);
  paths.set(normal(key), path);
  addTables(optionAt(path).type.kind === 'table' ? `${key}.` : key);
}
tables.set('plugins.scale.sso', 'plugins.scale.sso');
paths.delete('plugins.scale.sso');

/** Every table before a dot of `key`: the name by which it is found, and as it is written. */
function addTables(key: string): void {
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    const name = key.slice(0, dot);
    tables.set(normal(name), name);
  }
}

/** Fields of a provider by their names in the file. */
export const providerKeys = new Map<string, keyof SsoProvider>(
  (Object.keys(providerOptions) as (keyof SsoProvider)[]).map((field) => [snake(field), field]),
);

/** `clientSecret` as `client_secret`. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function normal(key: string): string {
  return key.replaceAll('-', '_');
}

/** The name by which the tables of this file know a key: with `_` for `-`, older names replaced. */
export function keyOf(at: readonly string[]): string {
  const key = normal(at.join('.'));
  const older = olderNames.find(([one]) => one.includes('.') && `${key}.`.startsWith(`${one}.`));
  return older === undefined ? key : older[1] + key.slice(older[0].length);
}

interface Search {
  /** The profile that is looked at: `environments`, its name. */
  readonly under: readonly string[];
  readonly tell: TellUnknown | undefined;
  readonly found: WrittenKey[];
}

function visit(at: readonly string[], node: TomlNode, search: Search): void {
  const key = keyOf(at);
  const path = paths.get(key);
  const isInSso = at.length === 4 && key.startsWith('plugins.scale.sso.');
  if (path !== undefined) visitOption(path, at, node, search);
  else if (tables.has(key) && node.kind === 'table') visitTable(at, node, search);
  else if (isInSso && node.kind === 'table') visitProvider(at, node, search);
  else search.found.push(...(search.tell?.(at, node, search.under) ?? []));
}

function visitTable(at: readonly string[], table: TomlTable, search: Search): void {
  for (const [name, node] of table.members) visit([...at, name], node, search);
}

/** A free table may have options of their own in it. */
function visitOption(path: ConfigPath, at: readonly string[], node: TomlNode, search: Search): void {
  if (node.kind === 'value') return void search.found.push({ kind: 'option', path, at, node });
  const isOption = ([name]: [string, TomlNode]) => paths.has(keyOf([...at, name]));
  const members = [...node.members];
  const own = members.filter((member) => !isOption(member));
  if (own.length > 0 || members.length === 0)
    search.found.push({ kind: 'option', path, at, node: { ...node, members: new Map(own) } });
  for (const [name, member] of members.filter(isOption)) visit([...at, name], member, search);
}

function visitProvider(at: readonly string[], table: TomlTable, search: Search): void {
  const fields: ProviderField[] = [];
  for (const [member, node] of table.members) {
    const field = providerKeys.get(normal(member));
    if (field !== undefined) fields.push({ field, at: [...at, member], node });
    else search.found.push(...(search.tell?.([...at, member], node, search.under) ?? []));
  }
  search.found.push({ kind: 'provider', name: at.at(-1)!, place: table.at, at, fields });
}

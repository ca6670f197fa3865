import { didYouMean } from '../../base/did-you-mean.ts';
import type { ConfigPath, SsoProvider } from './config.ts';
import type { Finding } from './finding.ts';
import { interpolate } from './interpolate.ts';
import type { Option } from './option.ts';
import { optionAt, optionPaths, providerOptions, tomlKey } from './options.ts';
import { type Read, readTyped } from './read-value.ts';
import type { Place, TomlNode, TomlTable } from './toml.ts';

/** What one source says: a value for each key it sets, and where. */
export interface Layer {
  readonly values: Map<ConfigPath, Written>;
  readonly findings: Finding[];
}

export interface Written {
  readonly value: unknown;
  readonly where: string;
  /** Contained no `${…}`: what stands in the file is the value itself. */
  readonly literal: boolean;
}

export interface LayerInput {
  readonly file: string;
  readonly lookup: (name: string) => string | undefined;
  readonly strict: boolean;
}

/** Reads the known tables of a file, or of one profile in it. Top-level tables of other tools are not looked at. */
export function readLayer(root: TomlTable, input: LayerInput): Layer {
  const layer: Layer = { values: new Map(), findings: [] };
  for (const [name, node] of root.members) {
    const canonical = aliases.get(name) ?? name;
    if (canonical === 'plugins' && node.kind === 'table') {
      for (const [plugin, inner] of node.members) {
        const key = `plugins.${plugin}`;
        if (tables.has(key)) readNode(key, inner, layer, input);
      }
    } else if (name !== 'environments' && tables.has(canonical)) readNode(canonical, node, layer, input);
  }
  const headers = memberAt(root, ['environments', 'response', 'headers']);
  if (headers !== undefined) readNode('environments.response.headers', headers, layer, input);
  return layer;
}

/** The table or value at a path of names. */
export function memberAt(root: TomlTable, path: readonly string[]): TomlNode | undefined {
  let node: TomlNode | undefined = root;
  for (const name of path) node = node?.kind === 'table' ? node.members.get(name) : undefined;
  return node;
}

// The older flat names (language.md, Appendix D).
const aliases = new Map([
  ['scale', 'plugins.scale'],
  ['client', 'plugins.client'],
  ['byllm', 'plugins.byllm'],
  ['llm', 'plugins.byllm'],
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

function normal(key: string): string {
  return key.replaceAll('-', '_');
}

function readNode(key: string, node: TomlNode, layer: Layer, input: LayerInput): void {
  const path = paths.get(normal(key));
  if (path !== undefined) readOption(path, key, node, layer, input);
  else if (node.kind === 'value') addFinding(layer, input, node.at, key, 'expected a table');
  else readTable(key, node, layer, input);
}

function readTable(key: string, table: TomlTable, layer: Layer, input: LayerInput): void {
  for (const [name, node] of table.members) {
    const child = `${key}.${name}`;
    if (paths.has(normal(child)) || tables.has(normal(child))) readNode(child, node, layer, input);
    else if (key === 'plugins.scale.sso' && node.kind === 'table') readProvider(name, node, layer, input);
    else if (!foreignTables.has(child)) unknownKey(key, name, node.at, layer, input);
  }
}

function unknownKey(table: string, name: string, at: Place, layer: Layer, input: LayerInput): void {
  const siblings = [...paths.keys(), ...tables]
    .filter((key) => key.startsWith(`${table}.`))
    .map((key) => key.slice(table.length + 1).split('.')[0]!);
  const nearest = didYouMean(name, new Set(siblings));
  const hint = nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
  const severity = input.strict ? 'error' : 'warning';
  addFinding(layer, input, at, `${table}.${name}`, `unknown key '${name}'${hint}`, severity);
}

function readOption(path: ConfigPath, key: string, node: TomlNode, layer: Layer, input: LayerInput): void {
  const result = readMember(optionAt(path), node, input);
  if ('problem' in result) addFinding(layer, input, node.at, shortKey(key), result.problem);
  else layer.values.set(path, { value: result.value, where: placeText(input, node.at), literal: result.literal });
}

type Member = { readonly value: unknown; readonly literal: boolean } | { readonly problem: string };

function readMember(option: Option, node: TomlNode, input: LayerInput): Member {
  if (node.kind === 'table' && option.type.kind !== 'table') return { problem: 'expected a value, got a table' };
  const raw = node.kind === 'table' ? flatTable(node, '') : node.value;
  const filled = option.deferred ? { value: raw, changed: false } : fill(raw, input);
  if ('problem' in filled) return filled;
  const read: Read = readTyped(option.type, filled.value, filled.changed);
  return 'problem' in read ? read : { value: read.value, literal: !filled.changed };
}

/** A free table: `"Task.name" = "title"` and `Task.name = "title"` mean the same. */
function flatTable(table: TomlTable, prefix: string): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, node] of table.members) {
    if (node.kind === 'value') result[prefix + name] = node.value;
    else Object.assign(result, flatTable(node, `${prefix}${name}.`));
  }
  return result;
}

type Filled = { readonly value: unknown; readonly changed: boolean } | { readonly problem: string };

function fill(raw: unknown, input: LayerInput): Filled {
  if (typeof raw === 'string') {
    const result = interpolate(raw, input.lookup);
    return 'problem' in result ? result : { value: result.text, changed: result.text !== raw };
  }
  if (typeof raw !== 'object' || raw === null || raw instanceof Date) return { value: raw, changed: false };
  const parts: [string, Filled][] = Object.entries(raw).map(([name, item]) => [name, fill(item, input)]);
  const problem = parts.find(([, part]) => 'problem' in part)?.[1];
  if (problem !== undefined) return problem;
  const values = parts.map(([name, part]) => [name, (part as { value: unknown }).value] as const);
  const changed = parts.some(([, part]) => (part as { changed: boolean }).changed);
  return { value: Array.isArray(raw) ? values.map(([, value]) => value) : Object.fromEntries(values), changed };
}

function readProvider(name: string, table: TomlTable, layer: Layer, input: LayerInput): void {
  const key = `plugins.scale.sso.${name}`;
  const provider: Record<string, unknown> = {};
  let literal = false;
  for (const [member, node] of table.members) {
    const field = providerKeys.get(normal(member));
    if (field === undefined) {
      const nearest = didYouMean(member, providerKeys.keys());
      const hint = nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
      addFinding(
        layer,
        input,
        node.at,
        `${key}.${member}`,
        `unknown key '${member}'${hint}`,
        input.strict ? 'error' : 'warning',
      );
      continue;
    }
    const result = readMember(providerOptions[field], node, input);
    if ('problem' in result) addFinding(layer, input, node.at, shortKey(`${key}.${member}`), result.problem);
    else {
      provider[field] = result.value;
      literal ||= field === 'clientSecret' && result.literal && result.value !== '';
    }
  }
  const known = layer.values.get('scale.sso.providers');
  const value = { ...(known?.value as object | undefined), [name]: provider };
  layer.values.set('scale.sso.providers', {
    value,
    where: known?.where ?? placeText(input, table.at),
    literal: literal || (known?.literal ?? false),
  });
}

const providerKeys = new Map<string, keyof SsoProvider>(
  (Object.keys(providerOptions) as (keyof SsoProvider)[]).map((field) => [snake(field), field]),
);

/** `clientSecret` as `client_secret`. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Messages leave `plugins.scale.` out, as the documentation does. */
function shortKey(key: string): string {
  return key.replace(/^plugins\.scale\./, '');
}

function placeText(input: LayerInput, at: Place): string {
  return `${input.file}:${at.line}:${at.col}`;
}

function addFinding(
  layer: Layer,
  input: LayerInput,
  at: Place,
  key: string,
  problem: string,
  severity: Finding['severity'] = 'error',
): void {
  layer.findings.push({ severity, where: placeText(input, at), key: shortKey(key), problem });
}

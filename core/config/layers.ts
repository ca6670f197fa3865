import type { ConfigPath } from './config.ts';
import type { Finding } from './finding.ts';
import { interpolate, type Unfilled } from './interpolate.ts';
import type { Option } from './option.ts';
import { optionAt, providerOptions } from './options.ts';
import { type Read, readTyped } from './read-value.ts';
import { type Place, plainTable, type TomlNode, type TomlTable } from './toml-nodes.ts';
import { keyOf, normal, type TellUnknown, type WrittenKey, writtenKeys } from './written-keys.ts';

/** Settings of one source: a value for each key it sets, and where it is written. */
export interface Layer {
  readonly values: Map<ConfigPath, Written>;
  readonly findings: Finding[];
  /** Keys that are written and have no effect, as messages call them. */
  readonly idle: string[];
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
  readonly tellUnknown: TellUnknown | undefined;
}

/** Reads the known tables of a file, or of one profile in it. */
export function readLayer(root: TomlTable, input: LayerInput): Layer {
  const layer: Layer = { values: new Map(), findings: [], idle: [] };
  for (const key of writtenKeys(root, [], input.tellUnknown)) {
    if (key.kind === 'option') readOption(key, layer, input);
    else if (key.kind === 'provider') readProvider(key, layer, input);
    else if (key.kind === 'unknown') addUnknown(key, layer, input);
    else if (key.shown !== '') layer.idle.push(key.shown);
  }
  return { ...layer, idle: [...new Set(layer.idle)] };
}

/** Unknown names in a part of a file that does not count now, such as another profile: `at` is where it stands. */
export function checkNames(table: TomlTable, at: readonly string[], input: LayerInput): readonly Finding[] {
  const layer: Layer = { values: new Map(), findings: [], idle: [] };
  for (const key of writtenKeys(table, at, input.tellUnknown))
    if (key.kind === 'unknown') addUnknown(key, layer, input);
  return layer.findings;
}

/**
 * Adds the finding of an unknown key: nothing below an unknown table can take effect; an unknown key leaves a default
 * in its place (decisions/0430).
 */
function addUnknown({ isTable, place, at, problem }: Kind<'unknown'>, layer: Layer, input: LayerInput): void {
  addFinding(layer, input, place, at, { problem }, isTable || input.strict ? 'error' : 'warning');
}

/** Takes what is written by the name that the option has now before what is written by an older one. */
function readOption({ path, at, node }: Kind<'option'>, layer: Layer, input: LayerInput): void {
  const result = readMember(optionAt(path), node, input);
  if ('problem' in result) addFinding(layer, input, node.at, at, result);
  else if (!layer.values.has(path) || keyOf(at) === normal(at.join('.')))
    layer.values.set(path, { value: result.value, where: placeText(input, node.at), literal: result.literal });
}

type Kind<K> = Extract<WrittenKey, { readonly kind: K }>;

type Member = { readonly value: unknown; readonly literal: boolean } | Unfilled;

function readMember(option: Option, node: TomlNode, input: LayerInput): Member {
  if (node.kind === 'table' && option.type.kind !== 'table') return { problem: 'expected a value, got a table' };
  const raw = node.kind === 'value' ? node.value : isFree(option) ? plainTable(node) : flatTable(node, '');
  const filled = option.deferred ? { value: raw, changed: false } : fill(raw, input);
  if ('problem' in filled) return filled;
  const read: Read = readTyped(option.type, filled.value, filled.changed);
  return 'problem' in read ? read : { value: read.value, literal: !filled.changed };
}

/** Tells whether tables in a table of this option mean tables. */
function isFree({ type }: Option): boolean {
  return type.kind === 'table' && type.holds === 'anything';
}

/** A table of texts: `"Task.name" = "title"` and `Task.name = "title"` mean the same. */
function flatTable(table: TomlTable, prefix: string): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, node] of table.members) {
    if (node.kind === 'value') result[prefix + name] = node.value;
    else Object.assign(result, flatTable(node, `${prefix}${name}.`));
  }
  return result;
}

type Filled = { readonly value: unknown; readonly changed: boolean } | Unfilled;

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

function readProvider({ name, place, fields }: Kind<'provider'>, layer: Layer, input: LayerInput): void {
  const provider: Record<string, unknown> = {};
  let literal = false;
  for (const { field, at, node } of fields) {
    const result = readMember(providerOptions[field], node, input);
    if ('problem' in result) addFinding(layer, input, node.at, at, result);
    else {
      provider[field] = result.value;
      literal ||= field === 'clientSecret' && result.literal && result.value !== '';
    }
  }
  const known = layer.values.get('scale.sso.providers');
  layer.values.set('scale.sso.providers', {
    value: { ...(known?.value as object | undefined), [name]: provider },
    where: known?.where ?? placeText(input, place),
    literal: literal || (known?.literal ?? false),
  });
}

/** Messages leave `plugins.scale.` out, as the documentation does. */
export function shortKey(at: readonly string[]): string {
  return at.join('.').replace(/^plugins\.scale\./, '');
}

function placeText(input: LayerInput, at: Place): string {
  return `${input.file}:${at.line}:${at.col}`;
}

function addFinding(
  layer: Layer,
  input: LayerInput,
  place: Place,
  at: readonly string[],
  { problem, unset }: Unfilled,
  severity: Finding['severity'] = 'error',
): void {
  const where = placeText(input, place);
  layer.findings.push({ severity, where, key: shortKey(at), problem, ...(unset === true ? { unset } : {}) });
}

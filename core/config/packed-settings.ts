/**
 * Settings as they are packaged with an application: what `svc.toml` says, without its secrets
 * (docs/server/cloud.md#environment, decisions/0061). Keys that nothing here knows, tables of other tools and comments
 * are left behind too, because any of them may hold a secret.
 */
import type { ConfigPath } from './config.ts';
import { shortKey } from './layers.ts';
import { envNames, optionAt, providerOptions, providerVariable } from './options.ts';
import type { ConfigFile } from './resolve.ts';
import type { Place, TomlNode, TomlTable, TomlValue } from './toml-nodes.ts';
import { memberAt, type WrittenKey, writtenKeys } from './written-keys.ts';

/** JSON: a table has members, a value a value. */
export type PackedNode = { readonly at: readonly [line: number, col: number] } & (
  | { readonly members: Readonly<Record<string, PackedNode>> }
  | { readonly value: unknown }
);

export interface PackedSettings {
  /** Name of the file they come from, in messages. */
  readonly name: string;
  readonly root: PackedNode;
}

/** A secret that is not among the packaged settings. */
export interface LeftOut {
  /** `jwt.secret`, `environments.prod.jwt.secret` */
  readonly key: string;
  readonly place: Place;
  /** Environment variable that sets it instead. */
  readonly variable: string;
}

export interface Packed {
  readonly settings: PackedSettings;
  readonly leftOut: readonly LeftOut[];
}

/** `isNeeded` says which options the reader of the package asks for; those of the deployment itself are never packed. */
export function packSettings({ name, root }: ConfigFile, isNeeded: IsNeeded = () => true): Packed {
  const leftOut: LeftOut[] = [];
  const packed = withoutSecrets(root, '', isNeeded, leftOut);
  const profiles = memberAt(root, ['environments']);
  for (const [profile, table] of profiles?.kind === 'table' ? profiles.members : []) {
    if (profile === 'response' || table.kind !== 'table') continue;
    putAt(packed, ['environments', profile], withoutSecrets(table, `environments.${profile}.`, isNeeded, leftOut));
  }
  return { settings: { name, root: toJson(packed) }, leftOut };
}

export function unpackSettings({ name, root }: PackedSettings): ConfigFile {
  return { name, root: fromJson(root) as TomlTable, findings: [] };
}

/** Settings of the deployment itself, which the deployed application does not ask for. */
const ofDeployment = /^scale\.(registry\.|orchestrator\.env$|cloud\.env$)/;

function withoutSecrets(root: TomlTable, prefix: string, isNeeded: IsNeeded, leftOut: LeftOut[]): TomlTable {
  const kept: TomlTable = { kind: 'table', at: root.at, members: new Map() };
  const leave = (at: readonly string[], place: Place, variable: string) =>
    leftOut.push({ key: prefix + shortKey(at), place, variable });
  for (const key of writtenKeys(root)) {
    if (key.kind === 'option') {
      if (isNeeded(key.path) && !ofDeployment.test(key.path)) packOption(key, kept, leave);
    } else if (key.kind === 'provider' && isNeeded('scale.sso.providers')) packProvider(key, kept, leave);
  }
  return kept;
}

type IsNeeded = (path: ConfigPath) => boolean;
type Leave = (at: readonly string[], place: Place, variable: string) => void;
type Kind<K> = Extract<WrittenKey, { readonly kind: K }>;

function packOption({ path, at, node }: Kind<'option'>, kept: TomlTable, leave: Leave): void {
  if (path === 'scale.secrets' && node.kind === 'table') putAt(kept, at, packSecrets(at, node, leave));
  else if (node.kind === 'table' || isHarmless(path, node.value)) putAt(kept, at, node);
  else if (!isDefault(path, node.value)) leave(at, node.at, envNames(path)[0]!);
}

/** Their names stay: values under them are hidden in logs. */
function packSecrets(at: readonly string[], table: TomlTable, leave: Leave): TomlTable {
  const kept: TomlTable = { ...table, members: new Map() };
  for (const [name, node] of table.members) {
    if (node.kind === 'value' && !isReferences(node.value)) leave([...at, name], node.at, name);
    if (node.kind === 'value') kept.members.set(name, { ...node, value: `\${${name}}` });
  }
  return kept;
}

function packProvider({ name, place, at, fields }: Kind<'provider'>, kept: TomlTable, leave: Leave): void {
  const provider: TomlTable = { kind: 'table', at: place, members: new Map() };
  putAt(kept, at, provider);
  for (const { field, at, node } of fields) {
    if (node.kind === 'table') continue;
    const { value } = node;
    const isKept = providerOptions[field].secret === true ? isReferences(value) || value === '' : !hasPassword(value);
    if (isKept) provider.members.set(at[at.length - 1]!, node);
    else leave(at, node.at, providerVariable(name, field));
  }
}

const addresses: ReadonlySet<ConfigPath> = new Set([
  'scale.database.databaseUrl',
  'scale.database.docdbUri',
  'scale.database.kvcacheUrl',
]);

function isHarmless(path: ConfigPath, value: unknown): boolean {
  if (optionAt(path).secret !== true || addresses.has(path)) return !hasPassword(value);
  return Array.isArray(value) ? value.every(isReferences) : isReferences(value);
}

function isDefault(path: ConfigPath, value: unknown): boolean {
  return value === '' || value === optionAt(path).default || (Array.isArray(value) && value.length === 0);
}

/** Tells whether a value is nothing but references to the environment, none of them with a default. */
export function isReferences(value: unknown): boolean {
  return typeof value === 'string' && /^(\$\{[A-Za-z_][A-Za-z0-9_]*(:\?[^}]*)?\})+$/.test(value);
}

/** An address with a user or password in it, or with a parameter that looks like one. */
function hasPassword(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPassword);
  if (typeof value !== 'string') return false;
  if (/\$\{[^}]*:-/.test(value) && value.includes('://')) return /@|pass|secret|token|key|sig/i.test(value);
  const user = /^[\w+.-]+:\/\/(.*)@/s.exec(value)?.[1];
  if (user !== undefined && !user.split(':').every((part) => part === '' || isReferences(part))) return true;
  const parameters = value.includes('://') ? value.matchAll(/[?&]([^=&]*)=([^&]*)/g) : [];
  return [...parameters].some(([, name, text]) => /pass|secret|token|key|sig/i.test(name!) && !isReferences(text));
}

function putAt(root: TomlTable, at: readonly string[], node: TomlNode): void {
  let table = root;
  for (const name of at.slice(0, -1)) {
    const known = table.members.get(name);
    const next: TomlTable = known?.kind === 'table' ? known : { kind: 'table', at: node.at, members: new Map() };
    table.members.set(name, next);
    table = next;
  }
  table.members.set(at[at.length - 1]!, node);
}

function toJson(node: TomlNode): PackedNode {
  const at = [node.at.line, node.at.col] as const;
  if (node.kind === 'value') return { at, value: node.value };
  return { at, members: Object.fromEntries([...node.members].map(([name, member]) => [name, toJson(member)])) };
}

function fromJson(node: PackedNode): TomlNode {
  const at = { line: node.at[0], col: node.at[1] };
  if ('value' in node) return { kind: 'value', at, value: node.value } satisfies TomlValue;
  return {
    kind: 'table',
    at,
    members: new Map(Object.entries(node.members).map(([name, member]) => [name, fromJson(member)])),
  };
}

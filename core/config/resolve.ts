import { didYouMean } from '../../base/did-you-mean.ts';
import { entryOfApp } from './apps.ts';
import { checkConfig } from './checks.ts';
import type { Config, ConfigPath, ConfigValue, Mode, SsoProvider } from './config.ts';
import { derive } from './derive.ts';
import type { Finding } from './finding.ts';
import { checkNames, type Layer, readLayer, type Written } from './layers.ts';
import { envNames, optionAt, optionPaths, providerOptions, providerVariable, tomlKey } from './options.ts';
import { readText } from './read-value.ts';
import type { Source } from './source.ts';
import type { ParsedToml } from './toml.ts';
import type { TomlTable } from './toml-nodes.ts';
import { memberAt, type TellUnknown } from './written-keys.ts';

/** `name` is how messages call it. */
export interface ConfigFile extends ParsedToml {
  readonly name: string;
}

/** Input of the resolver: nothing is read from the process or the disk here. */
export interface ResolveInput {
  readonly file?: ConfigFile | undefined;
  /** Tells of names that no option has; absent for packed settings, which have none. */
  readonly tellUnknown?: TellUnknown;
  /** The process environment, `.env` already filled in behind it (`mergeEnv`). */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mode: Mode;
  readonly profile?: string | undefined;
  /** Command-line options, already typed. */
  readonly flags?: { readonly [P in ConfigPath]?: ConfigValue<P> };
  readonly projectDir: string;
  readonly dataDir: string;
  /** Standard output is a terminal: decides the format of logs. */
  readonly isTerminal?: boolean;
  /** True when nothing will be served: secrets need not be strong. */
  readonly isScript?: boolean;
  /** Outside production, variables that are not set are warnings: nothing will be run (`svc check`, decisions/0430). */
  readonly mayLackVariables?: boolean;
}

export interface Resolved {
  /** Complete even with problems, so that everything can be checked at once; use it only when `problems` is empty. */
  readonly config: Config;
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Notes on settings without effect, one line for each source. */
  readonly notes: readonly Finding[];
  readonly sourceOf: (path: ConfigPath) => Source;
  /** `svc.toml:3:1`, `environment`, `command line` or `default`. */
  readonly whereOf: (path: ConfigPath) => string;
  /** Keys marked secret whose value stands in the file itself. */
  readonly literalSecrets: readonly ConfigPath[];
}

/**
 * Puts the sources together (docs/server/configuration.md#precedence), fills in what is derived and lists everything
 * that is wrong. Pure.
 */
export function resolveConfig(input: ResolveInput): Resolved {
  const findings: Finding[] = [];
  const file = readFileLayers(input, findings);
  const environment = readEnvironment(input.env, findings);
  const flags = readFlags(input.flags ?? {});
  const preferFile = pickValue('storage.preferFile', [file.profile, file.base, environment])?.written.value ?? true;
  const chosen = new Map<ConfigPath, Chosen>();
  for (const path of optionPaths) {
    const fileFirst = preferFile === true && path.startsWith('storage.');
    const order = fileFirst
      ? [flags, file.profile, file.base, environment]
      : [flags, environment, file.profile, file.base];
    const picked = pickValue(path, order);
    if (picked !== undefined) chosen.set(path, picked);
    if (fileFirst) warnShadowed(path, picked, environment, findings);
  }
  const ofApp = input.file === undefined ? undefined : entryOfApp(input.file.root);
  if (ofApp !== undefined && !chosen.has('project.entryPoint'))
    chosen.set('project.entryPoint', {
      source: 'file',
      written: { value: ofApp, where: input.file!.name, literal: true },
    });
  const sourceOf = (path: ConfigPath): Source => chosen.get(path)?.source ?? 'default';
  const whereOf = (path: ConfigPath): string => chosen.get(path)?.written.where ?? 'default';
  const config = derive(assemble(input, chosen), { sourceOf, isTerminal: input.isTerminal ?? false });
  const broken = checkConfig(config, { whereOf, sourceOf, isScript: input.isScript ?? false });
  const forgives = input.mayLackVariables === true && input.mode !== 'production';
  const isProblem = ({ severity, unset }: Finding) => severity === 'error' && !(forgives && unset);
  const unset = findings.filter((finding) => finding.unset && !isProblem(finding));
  findings.push(...broken.filter(({ key }) => !unset.some((one) => one.key.startsWith(tableOf(key)))));
  return {
    config,
    problems: findings.filter(isProblem),
    warnings: [
      ...findings.filter(({ severity }) => severity === 'warning'),
      ...unset.map((finding) => ({ ...finding, severity: 'warning' as const })),
    ],
    notes: findings.filter((finding) => finding.severity === 'note'),
    sourceOf,
    whereOf,
    literalSecrets: literalSecrets([file.profile, file.base]),
  };
}

/** Table of a key with its dot: what is wrong between the keys of one may come of a key there that has its default for want of a variable. */
function tableOf(key: string): string {
  return key.slice(0, key.lastIndexOf('.') + 1) || key;
}

/** The configuration of an application that sets nothing. */
export function defaultConfig(mode: Mode = 'development', flags: NonNullable<ResolveInput['flags']> = {}): Config {
  return resolveConfig({ env: {}, mode, flags, projectDir: '/', dataDir: '/.svc/data' }).config;
}

interface SourceLayer {
  readonly source: Source;
  readonly values: ReadonlyMap<ConfigPath, Written>;
}

interface Chosen {
  readonly source: Source;
  readonly written: Written;
}

function pickValue(path: ConfigPath, order: readonly SourceLayer[]): Chosen | undefined {
  for (const layer of order) {
    const written = layer.values.get(path);
    if (written !== undefined) return { source: layer.source, written };
  }
  return undefined;
}

function readFileLayers(input: ResolveInput, findings: Finding[]): { base: SourceLayer; profile: SourceLayer } {
  const name = input.file?.name ?? 'svc.toml';
  findings.push(...(input.file?.findings ?? []));
  const root = input.file?.root;
  const lookup = (variable: string) => input.env[variable] || undefined;
  const strict = input.env['SVC_STRICT_CONFIG'] === '1';
  const layerInput = { file: name, lookup, strict, tellUnknown: input.tellUnknown };
  const base = root === undefined ? emptyLayer : readLayer(root, layerInput);
  findings.push(...base.findings);
  if (root !== undefined) findings.push(...checkResponseTable(root, name));
  const table = profileTable(root, input.profile, name, findings);
  const profile = table === undefined ? emptyLayer : readLayer(table, layerInput);
  findings.push(...profile.findings);
  for (const [other, node] of profilesOf(root)) {
    if (node !== table) findings.push(...checkNames(node, ['environments', other], layerInput));
  }
  findings.push(...idleNote(name, [...base.idle, ...profile.idle]));
  return { base: { source: 'file', values: base.values }, profile: { source: 'profile', values: profile.values } };
}

const emptyLayer: Layer = { values: new Map(), findings: [], idle: [] };

function profilesOf(root: TomlTable | undefined): [name: string, table: TomlTable][] {
  const profiles = root === undefined ? undefined : memberAt(root, ['environments']);
  if (profiles?.kind !== 'table') return [];
  return [...profiles.members].flatMap(([name, node]) =>
    name === 'response' || node.kind !== 'table' ? [] : [[name, node] as [string, TomlTable]],
  );
}

/** Makes one note for all settings without effect, however many. */
function idleNote(where: string, idle: readonly string[]): Finding[] {
  if (idle.length === 0) return [];
  const names = [...new Set(idle)].join(', ');
  return [{ severity: 'note', where, key: '', problem: `no effect in this release: ${names}` }];
}

function profileTable(
  root: TomlTable | undefined,
  profile: string | undefined,
  file: string,
  findings: Finding[],
): TomlTable | undefined {
  if (profile === undefined || profile === '') return undefined;
  const error = (problem: string) =>
    findings.push({ severity: 'error', where: file, key: `environments.${profile}`, problem });
  if (profile === 'response') {
    error('a profile cannot be named response: the name is taken by response headers');
    return undefined;
  }
  const profiles = new Map(profilesOf(root));
  const table = profiles.get(profile);
  if (table !== undefined) return table;
  const names = [...profiles.keys()];
  const nearest = didYouMean(profile, names);
  error(
    `no such profile${nearest ? ` (did you mean '${nearest}'?)` : names.length > 0 ? ` (there are: ${names.join(', ')})` : ''}`,
  );
  return undefined;
}

function checkResponseTable(root: TomlTable, file: string): Finding[] {
  const response = memberAt(root, ['environments', 'response']);
  if (response?.kind !== 'table') return [];
  return [...response.members]
    .filter(([name]) => name !== 'headers')
    .map(([name, node]) => ({
      severity: 'error',
      where: `${file}:${node.at.line}:${node.at.col}`,
      key: `environments.response.${name}`,
      problem: 'a profile cannot be named response: the name is taken by response headers',
    }));
}

function readEnvironment(env: ResolveInput['env'], findings: Finding[]): SourceLayer {
  const values = new Map<ConfigPath, Written>();
  for (const path of optionPaths) {
    const { type } = optionAt(path);
    if (type.kind === 'providers') continue;
    const name = envNames(path).find((candidate) => env[candidate]);
    if (name === undefined) continue;
    const read = readText(type, env[name]!);
    const secret = optionAt(path).secret === true;
    if ('problem' in read) {
      findings.push({
        severity: 'error',
        where: 'environment',
        key: name,
        problem: secret ? 'not a valid value' : read.problem,
      });
      continue;
    }
    values.set(path, { value: read.value, where: `environment: ${name}`, literal: false });
  }
  return { source: 'environment', values };
}

function readFlags(flags: NonNullable<ResolveInput['flags']>): SourceLayer {
  const values = new Map<ConfigPath, Written>();
  for (const path of optionPaths) {
    const value = flags[path];
    if (value !== undefined) values.set(path, { value, where: 'command line', literal: false });
  }
  return { source: 'flag', values };
}

function warnShadowed(
  path: ConfigPath,
  picked: Chosen | undefined,
  environment: SourceLayer,
  findings: Finding[],
): void {
  const other = environment.values.get(path);
  if (other === undefined || picked === undefined || (picked.source !== 'file' && picked.source !== 'profile')) return;
  if (other.value === picked.written.value) return;
  const variable = other.where.slice('environment: '.length);
  const problem = `'${picked.written.value}' from the file is used, not '${other.value}' from ${variable}`;
  findings.push({ severity: 'warning', where: picked.written.where, key: tomlKey(path), problem });
}

function assemble(input: ResolveInput, chosen: ReadonlyMap<ConfigPath, Chosen>): Config {
  const config: Record<string, unknown> = {
    mode: input.mode,
    profile: input.profile || undefined,
    projectDir: input.projectDir,
    dataDir: input.dataDir,
  };
  for (const path of optionPaths) {
    const option = optionAt(path);
    const fallback = option.defaultIn?.[input.mode] ?? option.default;
    let value = chosen.get(path)?.written.value ?? fallback;
    if (path === 'scale.sso.providers') value = completeProviders(value as Record<string, object>, input.env);
    put(config, path.split('.'), value);
  }
  return config as unknown as Config;
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let table = into;
  for (const name of path.slice(0, -1)) table = (table[name] ??= {}) as Record<string, unknown>;
  table[path[path.length - 1]!] = value;
}

function completeProviders(
  written: Readonly<Record<string, object>>,
  env: ResolveInput['env'],
): Record<string, SsoProvider> {
  const result: Record<string, SsoProvider> = {};
  for (const name of new Set(['google', ...Object.keys(written)])) {
    const provider: Record<string, unknown> = {};
    for (const [field, option] of Object.entries(providerOptions)) {
      const variable = providerVariable(name, field);
      const given = env[variable] ? readText(option.type, env[variable]) : undefined;
      const fromEnv = given !== undefined && 'value' in given ? given.value : undefined;
      provider[field] = fromEnv ?? (written[name] as Record<string, unknown> | undefined)?.[field] ?? option.default;
    }
    result[name] = provider as unknown as SsoProvider;
  }
  return result;
}

function literalSecrets(layers: readonly SourceLayer[]): ConfigPath[] {
  const isLiteral = (path: ConfigPath) =>
    layers.some(({ values }) => {
      const written = values.get(path);
      return written?.literal === true && !isEmptyOrAuto(path, written.value);
    });
  return optionPaths.filter((path) => (optionAt(path).secret || path === 'scale.sso.providers') && isLiteral(path));
}

function isEmptyOrAuto(path: ConfigPath, value: unknown): boolean {
  if (path === 'scale.secrets') return Object.values(value as object).every((item) => String(item).includes('${'));
  return (
    value === '' ||
    value === optionAt(path).default ||
    (path === 'scale.jwt.secret' && value === 'auto') ||
    (Array.isArray(value) && value.length === 0)
  );
}

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { invalidUtf8 } from '../../base/invalid-utf8.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import { type Environment, mergeEnv, parseDotEnv, readMode } from '../../core/config/env.ts';
import type { Finding } from '../../core/config/finding.ts';
import { unknownVariables } from '../../core/config/own-variables.ts';
import { type ConfigFile, type Resolved, type ResolveInput, resolveConfig } from '../../core/config/resolve.ts';
import { parseToml } from '../../core/config/toml.ts';
import { tellUnknown } from '../../core/config/unknown-keys.ts';

export interface ConfigRequest {
  /** Directory where the search for `svc.toml` begins: that of the application file. Absolute. */
  readonly startDir: string;
  /** Base of paths in messages: the directory the command was called in. */
  readonly cwd: string;
  readonly env: Environment;
  /** `--config`. */
  readonly configFile?: string | undefined;
  /** `--profile`. */
  readonly profile?: string | undefined;
  readonly flags?: NonNullable<ResolveInput['flags']>;
  readonly isTerminal: boolean;
  /** True when nothing will be served (`svc run`, `svc check`). */
  readonly isScript?: boolean;
  /** Variables that the file asks for may be missing, outside production (`svc check`). */
  readonly mayLackVariables?: boolean;
}

export interface ReadConfig extends Resolved {
  /** Absolute path of the configuration file, if there is one. */
  readonly file: string | undefined;
  /** Contents of the file; undefined without one. */
  readonly parsed: ConfigFile | undefined;
  /** The process environment with `.env` behind it. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that only `.env` sets. */
  readonly dotEnv: Readonly<Record<string, string>>;
}

/** Finds `svc.toml` and `.env`, reads them and resolves the configuration (docs/server/configuration.md#precedence). */
export function readConfig(request: ConfigRequest): ReadConfig {
  const findings: Finding[] = [];
  const mode = readMode(request.env) ?? wrongMode(request.env, findings);
  const file = findConfigFile(request, findings);
  const projectDir = file === undefined ? request.startDir : dirname(file);
  const read = (path: string) => readText(path, shownPath(request, path), findings);
  const dotEnv = mode === 'production' ? {} : parseDotEnv(read(join(projectDir, '.env')) ?? '');
  const env = mergeEnv(request.env, dotEnv);
  const text = file === undefined ? undefined : read(file);
  if (file !== undefined && text === undefined) {
    findings.push({ severity: 'error', where: shownPath(request, file), key: '', problem: 'cannot be read' });
  }
  const name = file === undefined ? '' : shownPath(request, file);
  const parsed = text === undefined ? undefined : { name, ...parseToml(text, name) };
  const resolved = resolveConfig({
    file: parsed,
    tellUnknown,
    env,
    mode,
    profile: request.profile ?? env['SVC_PROFILE'],
    flags: request.flags ?? {},
    projectDir,
    dataDir: resolve(projectDir, env['SVC_DATA_PATH'] ?? join('.svc', 'data')),
    isTerminal: request.isTerminal,
    isScript: request.isScript ?? false,
    mayLackVariables: request.mayLackVariables ?? false,
  });
  const isNew = ([name]: [string, string]) => !request.env[name];
  return {
    ...resolved,
    problems: [...findings, ...resolved.problems],
    warnings: [...resolved.warnings, ...unknownVariables(env, parsed?.root)],
    file,
    parsed,
    env,
    dotEnv: Object.fromEntries(Object.entries(dotEnv).filter(isNew)),
  };
}

function wrongMode(env: Environment, findings: Finding[]): 'development' {
  const problem = `expected one of development, production, test, got '${env['SVC_ENV']}'`;
  findings.push({ severity: 'error', where: 'environment', key: 'SVC_ENV', problem });
  return 'development';
}

function findConfigFile({ startDir, cwd, env, configFile }: ConfigRequest, findings: Finding[]): string | undefined {
  const named = configFile ?? (env['SVC_CONFIG'] || undefined);
  if (named !== undefined) {
    const file = resolve(cwd, named);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    findings.push({ severity: 'error', where: named, key: '', problem: 'no such file' });
    return undefined;
  }
  return findProjectFile(startDir);
}

/** `svc.toml` in a directory or the nearest one above it. */
export function findProjectFile(directory: string): string | undefined {
  for (let dir = directory; ; dir = dirname(dir)) {
    const file = join(dir, 'svc.toml');
    if (existsSync(file)) return file;
    if (dirname(dir) === dir) return undefined;
  }
}

/** Undefined when it cannot be read. */
function readText(file: string, where: string, findings: Finding[]): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  const invalid = invalidUtf8(bytes);
  if (invalid !== undefined)
    findings.push({ severity: 'error', where, key: '', problem: `byte ${invalid.byte} is not UTF-8` });
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

function shownPath({ cwd }: ConfigRequest, file: string): string {
  return shownPathFrom(cwd, file);
}

import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { keyFilePath } from '../../core/accounts/jwt-secret.ts';
import type { Config } from '../../core/config/config.ts';
import { formatFinding } from '../../core/config/finding.ts';
import { fingerprintOf } from '../../core/stored/fingerprint.ts';
import { KubeError } from '../../infra/cluster/client.ts';
import type { Files } from '../../infra/files.ts';
import { type AppFiles, readAppFiles } from '../../infra/orchestrator/bundle/app-files.ts';
import { DeployFailure } from '../../infra/orchestrator/deploy-failure.ts';
import { type ImageRegistry, pullSecretOf, type RegistryRequest } from '../../infra/orchestrator/image/registry.ts';
import { type Deploy, type DeployInput, deployInput } from '../../infra/orchestrator/input.ts';
import type { Revision } from '../../infra/targets/target.ts';
import { type ClassMeta, metaOf } from '../../library/classes/meta.ts';
import { snapshotClasses } from '../../library/classes/registry.ts';
import { typeText } from '../../library/classes/type-text.ts';
import type { AppFile } from '../app-file.ts';
import type { OptionValues } from '../cli-option.ts';
import type { CommandArgs } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CompiledApp, compileApp } from '../program/compile-app.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { readApp } from '../program/read-app.ts';
import { type Declared, readDeclared } from '../program/read-declared.ts';
import { forRunning, reportDiagnostics } from '../program/report-diagnostics.ts';
import { progressTerminal } from '../progress-terminal.ts';
import { tellIdle } from '../report-config.ts';
import type { Terminal } from '../terminal.ts';
import { Interrupted } from './open-target.ts';

export type StoredTypes = Required<Pick<Revision, 'schema' | 'fields'>>;

/** An application that can be deployed. */
export interface DeployJob {
  readonly read: ReadConfig;
  readonly file: AppFile;
  /** Types that are stored, `node main.Task`: their fingerprints and fields. Empty where the start-up code does not run here. */
  readonly types: StoredTypes;
  readonly input: DeployInput;
  readonly appFiles: PackedApp;
}

/** A configuration as another target than the orchestrator sees it. */
export type View = (read: ReadConfig) => Config;

/**
 * Steps 1 and 2 of docs/server/orchestrator.md#steps: everything that may be wrong is found here, before anything is
 * made. @throws CommandFailure
 */
export async function prepareDeploy(
  args: CommandArgs,
  command: 'start' | 'build',
  view: View = ({ config }) => config,
): Promise<DeployJob> {
  const { options, terminal } = args;
  const { file, read } = readApp(command, args, false);
  if (options['experimental'] === true) requireRepository(read.config);
  tellIdle(read, terminal);
  const input = inputOf(read, view(read), file, terminal);
  const out = outFolder(command === 'build' ? options['out'] : undefined, read.config.projectDir, terminal);
  const appFiles = await packApp({ read, file, store: input.store, out, terminal: progressTerminal(args) });
  return { read, file, types: storedTypes(), input, appFiles };
}

export interface PackedApp extends AppFiles {
  /** Undefined where the start-up code does not run here. */
  readonly declared: Declared | undefined;
}

export interface PackRequest {
  readonly read: ReadConfig;
  readonly file: AppFile;
  readonly store: DeployInput['store'];
  /** Folder for what is made, which is no part of the application. */
  readonly out: string;
  readonly terminal: Terminal;
}

/** Gives everything of an application that travels, when it compiles: its files and its built browser half. @throws CommandFailure */
export async function packApp({ read, file, store, out, terminal }: PackRequest): Promise<PackedApp> {
  const { compiled, declared } = await compileOrRefuse(read, file, store, terminal);
  const { projectDir, dataDir, storage } = read.config;
  const appFiles = readAppFiles({
    projectDir,
    configFile: read.parsed,
    exclude: [dataDir, resolve(file.directory, storage.basePath), out, ...(read.file === undefined ? [] : [read.file])],
  });
  for (const path of appFiles.keyFiles) terminal.err(`note: ${path} looks like a key and stays here\n`);
  const client = await clientFiles(compiled, read.config, terminal);
  return { ...appFiles, declared, files: { ...appFiles.files, ...client } };
}

/** `--experimental` installs from a repository, which has to be named. @throws CommandFailure */
export function requireRepository({ scale: { repository } }: Config): void {
  if (repository !== '') return;
  throw new CommandFailure(exitCodes.invalid, '--experimental has no repository to install from', '', [
    'set [plugins.scale] repository to a git address',
  ]);
}

/** Types of the program that was just loaded. */
export function storedTypes(): StoredTypes {
  const metas = [...snapshotClasses().all()].flatMap((cls) => metaOf(cls) ?? []);
  const stored = metas
    .filter(({ kind }) => kind === 'node' || kind === 'edge')
    .map((meta) => [`${meta.kind} ${meta.module}.${meta.name}`, meta] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const fieldsOf = ({ fields }: ClassMeta) =>
    Object.fromEntries(fields.map(({ name, type }) => [name, typeText(type)]));
  return {
    schema: Object.fromEntries(stored.map(([name, meta]) => [name, fingerprintOf(meta)])),
    fields: Object.fromEntries(stored.map(([name, meta]) => [name, fieldsOf(meta)])),
  };
}

/** Programs without client code load nothing for it. */
async function clientFiles(compiled: CompiledApp, config: Config, terminal: Terminal): Promise<Files> {
  if (compiled.client === undefined) return {};
  const { shippedClient } = await import('../client/shipped-client.ts');
  return await shippedClient(compiled, config, terminal);
}

/** Gives the folder into which `svc build` puts its output. */
export function outFolder(
  given: OptionValues[string] | undefined,
  projectDir: string,
  terminal: Terminal,
  target = 'orchestrator',
): string {
  return resolve(terminal.cwd, given === undefined ? join(projectDir, '.svc/build', target) : String(given));
}

function inputOf(read: ReadConfig, config: Config, file: AppFile, terminal: Terminal): DeployInput {
  const entry = entryOf(read, file);
  const deploy: Deploy = deployInput({
    config,
    whereOf: read.whereOf,
    configFile: read.parsed,
    lookup: (name) => read.env[name] || undefined,
    entry,
    readKeyFile: (path) => readKey(keyFilePath(config, path)),
  });
  if ('unresolved' in deploy)
    throw new CommandFailure(exitCodes.invalid, 'cannot resolve secrets', deploy.unresolved.join(', '));
  if ('problems' in deploy) {
    for (const finding of deploy.problems) terminal.err(`${formatFinding(finding)}\n`);
    throw new CommandFailure(exitCodes.invalid, 'this cannot be deployed', 'see above', [
      'the application gets svc.toml without its secrets, and the variables of [plugins.scale.secrets] and [plugins.scale.orchestrator.env]',
    ]);
  }
  for (const line of deploy.warnings) terminal.err(`warning: ${line}\n`);
  return deploy.input;
}

/** The application file below the project's folder. @throws CommandFailure when it is elsewhere */
export function entryOf({ config }: ReadConfig, file: AppFile): string {
  const entry = relative(config.projectDir, file.path);
  if (!entry.startsWith('..')) return entry;
  throw new CommandFailure(exitCodes.invalid, `cannot deploy ${file.shown}`, 'it is not below the folder of svc.toml');
}

export function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandFailure(exitCodes.invalid, `cannot read ${path}`, String((error as NodeJS.ErrnoException).code));
  }
}

async function compileOrRefuse(
  read: ReadConfig,
  file: AppFile,
  store: DeployInput['store'],
  terminal: Terminal,
): Promise<{ readonly compiled: CompiledApp; readonly declared: Declared | undefined }> {
  const { config, env } = read;
  const compiled = await compileApp({
    file: file.path,
    config,
    purpose: 'serve',
    env,
    runtimeNames,
    graph: store === 'sqlite' ? 'sync' : 'async',
    client: { mode: 'production', app: config.serve.baseRouteApp },
  });
  const { directory, diagnostics } = compiled;
  await reportDiagnostics(forRunning(diagnostics), { terminal, stream: 'err', projectDir: config.projectDir });
  if (directory === undefined)
    throw new CommandFailure(exitCodes.invalid, `cannot deploy ${file.shown}`, 'the program has errors, shown above');
  const declared = await readDeclared({ ...compiled, directory }, config, terminal);
  if (declared === undefined)
    terminal.err('warning: what the program declares is not checked without its start-up code\n');
  return { compiled, declared };
}

export function registryRequest({ read, input }: DeployJob, { options }: CommandArgs): RegistryRequest {
  const settings = read.config.scale.registry;
  const kind = (options['registry'] as typeof settings.kind | undefined) ?? settings.kind;
  return { kind, settings, appName: input.name };
}

/** Passwords of tools end too soon to be kept for nodes that pull later. */
export function pullSecret({ read }: DeployJob, registry: ImageRegistry): { readonly pullSecret?: string } {
  const { username, password } = read.config.scale.registry;
  return username === '' || password === '' ? {} : { pullSecret: pullSecretOf(registry, { username, password }) };
}

/** A failure of a deployment as the command line ends with it. */
export async function withDeployFailures<T>(terminal: Terminal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Interrupted) throw new CommandFailure(exitCodes.failure, error.message, '');
    if ((error as Error).name === 'AbortError' && (error as Error).cause instanceof Interrupted)
      throw new CommandFailure(exitCodes.failure, ((error as Error).cause as Error).message, '');
    if (error instanceof KubeError) throw new CommandFailure(exitCodes.deployFailed, error.message, '');
    if (!(error instanceof DeployFailure)) throw error;
    for (const line of error.output) terminal.err(`${line}\n`);
    throw new CommandFailure(codes[error.kind], error.message, '', error.hints);
  }
}

const codes = {
  invalid: exitCodes.invalid,
  failed: exitCodes.deployFailed,
  late: exitCodes.notReadyInTime,
  prerequisite: exitCodes.prerequisite,
} as const;

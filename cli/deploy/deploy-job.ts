import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type ReadConfig, readConfig } from '../../adapters/config/read-config.ts';
import { keyFilePath } from '../../core/accounts/jwt-secret.ts';
import { formatFinding } from '../../core/config/finding.ts';
import { type AppFiles, readAppFiles } from '../../infra/bundle/app-files.ts';
import { DeployFailure } from '../../infra/deploy-failure.ts';
import { type ImageRegistry, pullSecretOf, type RegistryRequest } from '../../infra/image/registry.ts';
import { type Deploy, type DeployInput, deployInput } from '../../infra/input.ts';
import { type AppFile, findAppFile } from '../app-file.ts';
import type { OptionValues } from '../cli-option.ts';
import type { CommandArgs } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { compileApp } from '../program/compile-app.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { forRunning, reportDiagnostics } from '../program/report-diagnostics.ts';
import { reportConfig } from '../report-config.ts';
import type { Terminal } from '../terminal.ts';

/** An application that can be deployed to the orchestrator. */
export interface DeployJob {
  readonly read: ReadConfig;
  readonly input: DeployInput;
  readonly appFiles: AppFiles;
}

/** Steps 1 and 2 of server.md 20.1: everything that may be wrong is found here, before anything is made. @throws CommandFailure */
export async function prepareDeploy(
  { operands, options, terminal }: CommandArgs,
  command: 'start' | 'build',
): Promise<DeployJob> {
  const configFile = options['config'] as string | undefined;
  const file = findAppFile(command, operands[0], terminal, configFile);
  const read = readConfig({
    startDir: file.directory,
    cwd: terminal.cwd,
    env: terminal.env,
    configFile,
    profile: options['profile'] as string | undefined,
    isTerminal: false,
    isScript: true,
  });
  reportConfig(read, terminal);
  const input = inputOf(read, file, terminal);
  await compileOrRefuse(read, file, input, terminal);
  const { projectDir, dataDir, storage } = read.config;
  const appFiles = readAppFiles({
    projectDir,
    configFile: read.parsed,
    exclude: [
      dataDir,
      resolve(file.directory, storage.basePath),
      outFolder(command === 'build' ? options['out'] : undefined, projectDir, terminal),
      ...(read.file === undefined ? [] : [read.file]),
    ],
  });
  for (const path of appFiles.keyFiles) terminal.err(`note: ${path} looks like a key and stays here\n`);
  return { read, input, appFiles };
}

/** Where `svc build` puts what it makes. */
export function outFolder(given: OptionValues[string] | undefined, projectDir: string, terminal: Terminal): string {
  return resolve(terminal.cwd, given === undefined ? join(projectDir, '.svc/build/orchestrator') : String(given));
}

function inputOf(read: ReadConfig, file: AppFile, terminal: Terminal): DeployInput {
  const { config } = read;
  const entry = relative(config.projectDir, file.path);
  if (entry.startsWith('..'))
    throw new CommandFailure(
      exitCodes.invalid,
      `cannot deploy ${file.shown}`,
      'it is not below the folder of svc.toml',
    );
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

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandFailure(exitCodes.invalid, `cannot read ${path}`, String((error as NodeJS.ErrnoException).code));
  }
}

async function compileOrRefuse(read: ReadConfig, file: AppFile, input: DeployInput, terminal: Terminal): Promise<void> {
  const { config, env } = read;
  const { directory, diagnostics } = await compileApp({
    file: file.path,
    config,
    purpose: 'serve',
    env,
    runtimeNames,
    graph: input.store === 'sqlite' ? 'sync' : 'async',
  });
  await reportDiagnostics(forRunning(diagnostics), { terminal, stream: 'err', projectDir: config.projectDir });
  if (directory !== undefined) return;
  throw new CommandFailure(exitCodes.invalid, `cannot deploy ${file.shown}`, 'the program has errors, shown above');
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
    if (!(error instanceof DeployFailure)) throw error;
    for (const line of error.output) terminal.err(`${line}\n`);
    throw new CommandFailure(codes[error.kind], error.message, '', error.hints);
  }
}

const codes = {
  invalid: exitCodes.invalid,
  failed: exitCodes.deployFailed,
  prerequisite: exitCodes.prerequisite,
} as const;

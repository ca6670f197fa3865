import { join, resolve } from 'node:path';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { deployedConfig } from '../../adapters/hosts/lambda/function-config.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Program } from '../../core/program/program.ts';
import { checkFunctions, checkOtherFunctions } from '../../infra/check-deployment.ts';
import { commonVariables, type Variables } from '../../infra/cloud/environment.ts';
import { callsOnly } from '../../infra/cloud/gateways.ts';
import { type Needs, neededFunctions } from '../../infra/cloud/needs.ts';
import { makeService } from '../../infra/cloud/service.ts';
import { awsLimits } from '../../infra/limits/aws-limits.ts';
import { userCache } from '../../infra/user-cache.ts';
import type { AppFile } from '../app-file.ts';
import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CompiledApp } from '../program/compile-app.ts';
import { progressTerminal } from '../progress-terminal.ts';
import { createSteps, type Steps } from '../steps.ts';
import type { Terminal } from '../terminal.ts';
import { buildId } from '../version.ts';
import { bundleFunctions, type FunctionBundles } from './bundle-functions.ts';
import { checkEnvironment, checkSizes } from './check-limits.ts';
import { clientOf, compileBundled, refuseBundle, tellLeftOut } from './compile-bundled.ts';
import { readNeeds } from './read-needs.ts';
import { serviceFile, writeFunctions } from './write-functions.ts';

/** `svc build --target cloud`: an archive for each function the program needs, and what describes their deployment (decisions/0061). */
export async function buildFunctions(args: CommandArgs): Promise<number> {
  const { options, terminal } = args;
  const { read, needs, variables, bundles } = await packageFunctions('build', args, createSteps(terminal, true), {
    hasMaps: true,
  });
  const { config } = read;
  const out = (options['out'] as string | undefined) ?? join(config.projectDir, '.svc/build/cloud');
  const service = serviceFile(makeService(config, needs, variables));
  const files = await writeFunctions(resolve(terminal.cwd, out), bundles, { 'serverless.yml': service });
  for (const { path, bytes } of files) tellFile(shownPathFrom(terminal.cwd, path), bytes, terminal);
  tellLeftOut(
    bundles.leftOut,
    read.parsed?.name ?? '',
    'archives; set them as parameters below SVC_SECRETS_PATH or in the environment',
    terminal,
  );
  return exitCodes.success;
}

export interface PackagedFunctions {
  readonly file: AppFile;
  readonly read: ReadConfig;
  readonly needs: Needs;
  /** Undefined where the start-up code does not run here. */
  readonly program: Program | undefined;
  /** Variables that all functions have. */
  readonly variables: Variables;
  readonly bundles: FunctionBundles;
  /** Files of the pages; absent for a program without any. */
  readonly client: Awaited<ReturnType<typeof clientOf>>;
}

export interface PackageOptions {
  /** Variables of the shell that a deployment does not take over. */
  readonly ownOfShell?: readonly string[];
  /** The http function takes all there is. */
  readonly callsOnly?: boolean;
  /** They go into an image, which may be larger than archives. */
  readonly isImage?: boolean;
  readonly hasMaps?: boolean;
}

/**
 * Compiles a program and bundles its functions; nothing is written.
 *
 * @throws CommandFailure
 */
export async function packageFunctions(
  command: string,
  args: CommandArgs,
  steps: Steps,
  { ownOfShell = [], callsOnly: isCallsOnly = false, isImage = false, hasMaps = false }: PackageOptions = {},
): Promise<PackagedFunctions> {
  const { terminal } = args;
  const { file, read, compiled } = await compileBundled(args, {
    ...{ command, steps },
    adapt: deployedConfig,
    check: isCallsOnly ? checkOtherFunctions : checkFunctions,
  });
  const { config } = read;
  const { needs: all, program } = await readNeeds(compiled, config, terminal, command === 'start');
  const needs = isCallsOnly ? callsOnly(all) : all;
  const lookUp = (name: string) => (ownOfShell.includes(name) ? undefined : read.env[name] || undefined);
  const variables = commonVariables(config, needs, lookUp);
  checkEnvironment(variables, config, needs);
  const client = await clientOf(compiled, config, progressTerminal(args));
  const bundles = await steps
    .run('Bundling functions', () =>
      bundleFunctions({
        compiled,
        configFile: read.parsed,
        database: config.scale.database,
        node: /\d+/.exec(config.scale.cloud.runtime)?.[0] ?? '22',
        functions: neededFunctions(needs),
        client,
        hasMaps,
        ...cachesOf(compiled, read),
      }),
    )
    .catch(refuseBundle);
  checkSizes(bundles.functions, isImage);
  return { file, read, needs, program, variables, bundles, client };
}

/** Folders that keep what is bundled. From source nothing is kept. */
export function cachesOf(
  { isTemporary }: Pick<CompiledApp, 'isTemporary'>,
  { config, env }: ReadConfig,
): { readonly cache?: string; readonly ownCache?: string } {
  if (buildId === undefined || isTemporary) return {};
  return { cache: join(config.projectDir, '.svc/cache'), ownCache: userCache(env, 'functions') };
}

function tellFile(path: string, bytes: number, terminal: Terminal): void {
  terminal.out(`  ${path}  ${Math.ceil(bytes / 1024)} KB\n`);
  if (bytes > awsLimits.directBytes.value)
    terminal.err(`note: ${path} has to be uploaded through a bucket, which osls does\n`);
}

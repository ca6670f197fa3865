import { join, resolve } from 'node:path';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { deployedConfig } from '../../adapters/hosts/lambda/function-config.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import type { LeftOut } from '../../core/config/packed-settings.ts';
import { checkFunctions } from '../../infra/check-deployment.ts';
import { commonVariables, type Variables } from '../../infra/cloud/environment.ts';
import { type Needs, neededFunctions } from '../../infra/cloud/needs.ts';
import { makeService } from '../../infra/cloud/service.ts';
import { sizeLimits } from '../../infra/cloud/sizes.ts';
import type { AppFile } from '../app-file.ts';
import type { CommandArgs } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CompiledApp, compileApp } from '../program/compile-app.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { graphForm } from '../program/open-stores.ts';
import { readApp } from '../program/read-app.ts';
import { forRunning, reportDiagnostics } from '../program/report-diagnostics.ts';
import { reportConfig, tellIdle } from '../report-config.ts';
import { createSteps, type Steps } from '../steps.ts';
import type { Terminal } from '../terminal.ts';
import { bundleFunctions, type FunctionBundles } from './bundle-functions.ts';
import { checkEnvironment, checkSizes } from './check-limits.ts';
import { readNeeds } from './read-needs.ts';
import { writeFunctions } from './write-functions.ts';

/** `svc build --target cloud`: an archive for each function the program needs, and what describes their deployment (decisions/0061). */
export async function buildFunctions(args: CommandArgs): Promise<number> {
  const { options, terminal } = args;
  const { read, needs, variables, bundles } = await packageFunctions('build', args, createSteps(terminal, true));
  const { config } = read;
  const out = (options['out'] as string | undefined) ?? join(config.projectDir, '.svc/build/cloud');
  const files = await writeFunctions(resolve(terminal.cwd, out), bundles, makeService(config, needs, variables));
  for (const { path, bytes } of files) tellFile(shownPathFrom(terminal.cwd, path), bytes, terminal);
  tellLeftOut(bundles.leftOut, read.parsed?.name ?? '', terminal);
  return exitCodes.success;
}

export interface PackagedFunctions {
  readonly file: AppFile;
  readonly read: ReadConfig;
  readonly needs: Needs;
  /** Variables that all functions have. */
  readonly variables: Variables;
  readonly bundles: FunctionBundles;
}

/**
 * Compiles a program and bundles its functions; nothing is written. `ownOfShell`: variables of the shell that a deployment does not take over.
 *
 * @throws CommandFailure
 */
export async function packageFunctions(
  command: string,
  args: CommandArgs,
  steps: Steps,
  ownOfShell: readonly string[] = [],
): Promise<PackagedFunctions> {
  const { terminal } = args;
  const { file, read, compiled } = await compileForCloud(command, args, steps);
  const { config } = read;
  const needs = await readNeeds(compiled, config, terminal);
  const lookUp = (name: string) => (ownOfShell.includes(name) ? undefined : read.env[name] || undefined);
  const variables = commonVariables(config, needs, lookUp);
  checkEnvironment(variables, config, needs);
  const client = await clientOf(compiled, config, terminal);
  const bundles = await steps
    .run('Bundling functions', () =>
      bundleFunctions({
        compiled,
        configFile: read.parsed,
        database: config.scale.database,
        node: /\d+/.exec(config.scale.cloud.runtime)?.[0] ?? '22',
        functions: neededFunctions(needs),
        client,
      }),
    )
    .catch((error: Error) => {
      if (error instanceof CommandFailure) throw error;
      throw new CommandFailure(exitCodes.failure, 'the functions cannot be bundled', error.message);
    });
  checkSizes(bundles.functions);
  return { file, read, needs, variables, bundles };
}

/** The program with its configuration, as functions run it. @throws CommandFailure for a program with errors */
async function compileForCloud(command: string, args: CommandArgs, steps: Steps) {
  const { terminal } = args;
  const { file, read } = readApp(command, args);
  tellIdle(read, terminal);
  const { config } = read;
  reportConfig({ problems: checkFunctions(config, read.whereOf), warnings: [] }, terminal);
  const graph = graphForm(deployedConfig(config), true);
  const client = { mode: 'production', app: config.serve.baseRouteApp } as const;
  const compiled = await steps.run(`Compiling ${file.shown}`, () =>
    compileApp({ file: file.path, config, purpose: 'serve', env: read.env, runtimeNames, graph, client }),
  );
  const { directory, diagnostics } = compiled;
  await reportDiagnostics(forRunning(diagnostics), { terminal, stream: 'err', projectDir: config.projectDir });
  if (directory !== undefined) return { file, read, compiled: { ...compiled, directory } };
  const verb = command === 'build' ? 'build' : 'deploy';
  throw new CommandFailure(exitCodes.invalid, `cannot ${verb} ${file.shown}`, 'the program has errors, shown above');
}

/** Programs without client code load nothing for it. */
async function clientOf(compiled: CompiledApp, config: Config, terminal: Terminal) {
  if (compiled.client === undefined) return undefined;
  const { addressedFiles, shippedClient, shippedPage } = await import('../client/shipped-client.ts');
  const files = { ...addressedFiles(config), ...(await shippedClient(compiled, config, terminal)) };
  return { page: shippedPage(compiled.client, config), files };
}

function tellFile(path: string, bytes: number, terminal: Terminal): void {
  terminal.out(`  ${path}  ${Math.ceil(bytes / 1024)} KB\n`);
  if (bytes > sizeLimits.directBytes)
    terminal.err(`note: ${path} has to be uploaded through a bucket, which osls does\n`);
}

/** Whoever deploys has to put them where functions read them. */
function tellLeftOut(leftOut: readonly LeftOut[], file: string, terminal: Terminal): void {
  if (leftOut.length === 0) return;
  terminal.err(
    'note: secrets stay out of the archives; set them as parameters below SVC_SECRETS_PATH or in the environment:\n',
  );
  for (const { key, place, variable } of leftOut) {
    terminal.err(`  ${variable}  instead of ${key} (${file}:${place.line}:${place.col})\n`);
  }
}

import { join, resolve } from 'node:path';
import { deployedConfig } from '../../adapters/hosts/lambda/function-config.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { LeftOut } from '../../core/config/packed-settings.ts';
import { checkFunctions } from '../../infra/check-deployment.ts';
import { commonVariables } from '../../infra/cloud/environment.ts';
import { neededFunctions } from '../../infra/cloud/needs.ts';
import { makeService } from '../../infra/cloud/service.ts';
import { sizeLimits } from '../../infra/cloud/sizes.ts';
import { bundleFunctions } from '../build/bundle-functions.ts';
import { checkEnvironment, checkSizes } from '../build/check-limits.ts';
import { readNeeds } from '../build/read-needs.ts';
import { writeFunctions } from '../build/write-functions.ts';
import { flagType } from '../cli-option.ts';
import type { Command, CommandArgs } from '../command.ts';
import { CommandFailure, notAvailable, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { compileApp } from '../program/compile-app.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { graphForm } from '../program/open-stores.ts';
import { readApp } from '../program/read-app.ts';
import { forRunning, reportDiagnostics } from '../program/report-diagnostics.ts';
import { reportConfig } from '../report-config.ts';
import { createSteps } from '../steps.ts';
import { registryType, requireTarget, targetType } from '../target.ts';
import type { Terminal } from '../terminal.ts';

export const command: Command = {
  name: 'build',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Packages an application for a deployment target without deploying it.',
  options: [
    {
      name: 'target',
      short: 't',
      type: targetType,
      about: 'What to build for: cloud or orchestrator.',
      default: 'cloud',
    },
    {
      name: 'out',
      short: 'o',
      type: { kind: 'text', placeholder: 'DIR' },
      about: 'Output folder.',
      default: '.svc/build/<target>',
    },
    { name: 'push', type: flagType, about: 'Build a container image and push it, with --target orchestrator.' },
    { name: 'registry', short: 'r', type: registryType, about: 'Image registry, with --push.', default: 'dockerhub' },
    { name: 'config', type: { kind: 'text', placeholder: 'PATH' }, about: 'Configuration file.', default: 'svc.toml' },
    {
      name: 'profile',
      type: { kind: 'text', placeholder: 'NAME' },
      about: 'Apply [environments.<name>] over the file.',
      default: 'SVC_PROFILE',
    },
  ],
  notes: [
    'For the cloud it writes an archive for each function the program needs: http.zip always; webhook.zip and websocket.zip when it has walkers of these protocols, stream.zip when an address that streams is configured: the program and the runtime, without the compiler; and sweeper.zip, which clears away what connections and broken-off commits leave behind. serverless.yml beside them describes the deployment to osls. Source maps are in the folder maps.',
    'For the orchestrator it writes manifests.yaml: every object of the deployment but its Secrets, with images by their digests. The application is in it as a bundle; with --push it is in an image, whose recipe is in the same folder.',
    'To see what the program declares its modules are loaded, with an empty store that is forgotten.',
  ],
  run: build,
};

async function build(args: CommandArgs): Promise<number> {
  const target = args.options['target'] ?? 'cloud';
  requireTarget(target);
  if (target === 'orchestrator') {
    const { buildDeployment } = await import('../deploy/build-deployment.ts');
    return await buildDeployment(args);
  }
  if (target !== 'cloud') throw notAvailable(`--target ${target}`, ['svc build --target cloud']);
  if (args.options['push'] === true) throw usageFailure('--push', 'needs --target orchestrator');
  return await buildFunctions(args);
}

async function buildFunctions(args: CommandArgs): Promise<number> {
  const { options, terminal } = args;
  const { read, compiled, steps } = await compileForCloud(args);
  const { config } = read;
  const needs = await readNeeds(compiled, config, terminal);
  const variables = commonVariables(config, needs, (name) => read.env[name] || undefined);
  checkEnvironment(variables, config, needs);
  const bundles = await steps
    .run('Bundling functions', () =>
      bundleFunctions({
        compiled,
        configFile: read.parsed,
        database: config.scale.database,
        node: /\d+/.exec(config.scale.cloud.runtime)?.[0] ?? '22',
        functions: neededFunctions(needs),
      }),
    )
    .catch((error: Error) => {
      throw new CommandFailure(exitCodes.failure, 'the functions cannot be bundled', error.message);
    });
  checkSizes(bundles.functions);
  const out = (options['out'] as string | undefined) ?? join(config.projectDir, '.svc/build/cloud');
  const files = await writeFunctions(resolve(terminal.cwd, out), bundles, makeService(config, needs, variables));
  for (const { path, bytes } of files) tellFile(shownPathFrom(terminal.cwd, path), bytes, terminal);
  tellLeftOut(bundles.leftOut, read.parsed?.name ?? '', terminal);
  return exitCodes.success;
}

/** The program with its configuration, as functions run it. @throws CommandFailure for a program with errors */
async function compileForCloud(args: CommandArgs) {
  const { terminal } = args;
  const { file, read } = readApp('build', args);
  const { config } = read;
  reportConfig({ problems: checkFunctions(config, read.whereOf), warnings: [] }, terminal);
  const graph = graphForm(deployedConfig(config), true);
  const steps = createSteps(terminal, true);
  const compiled = await steps.run(`Compiling ${file.shown}`, () =>
    compileApp({ file: file.path, config, purpose: 'serve', env: read.env, runtimeNames, graph }),
  );
  const { directory, diagnostics } = compiled;
  await reportDiagnostics(forRunning(diagnostics), { terminal, stream: 'err', projectDir: config.projectDir });
  if (directory !== undefined) return { read, compiled: { ...compiled, directory }, steps };
  throw new CommandFailure(exitCodes.invalid, `cannot build ${file.shown}`, 'the program has errors, shown above');
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

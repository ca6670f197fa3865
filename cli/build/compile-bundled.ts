/** First steps of a build that bundles: of functions and of workers. */
import type { Config, ConfigPath } from '../../core/config/config.ts';
import type { Finding } from '../../core/config/finding.ts';
import type { LeftOut } from '../../core/config/packed-settings.ts';
import type { CommandArgs } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CompiledApp, compileApp } from '../program/compile-app.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { graphForm } from '../program/open-stores.ts';
import { readApp } from '../program/read-app.ts';
import { forRunning, reportDiagnostics } from '../program/report-diagnostics.ts';
import { reportConfig, tellIdle } from '../report-config.ts';
import type { Steps } from '../steps.ts';
import type { Terminal } from '../terminal.ts';

interface Target {
  /** Name of the command, for what is said of failures. */
  readonly command: string;
  readonly steps: Steps;
  /** The configuration as the target has it. */
  readonly adapt: (config: Config) => Config;
  readonly check: (config: Config, whereOf: (path: ConfigPath) => string) => readonly Finding[];
}

/** The program with its configuration, as the target runs it. @throws CommandFailure for a program with errors, or a configuration */
export async function compileBundled(args: CommandArgs, { command, steps, adapt, check }: Target) {
  const { terminal } = args;
  const { file, read } = readApp(command, args);
  tellIdle(read, terminal);
  const { config } = read;
  reportConfig({ problems: check(config, read.whereOf), warnings: [] }, terminal);
  const graph = graphForm(adapt(config), true);
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

/** The built pages. Programs without client code load nothing for it. */
export async function clientOf(compiled: CompiledApp, config: Config, terminal: Terminal) {
  if (compiled.client === undefined) return undefined;
  const { addressedFiles, shippedClient, shippedPage } = await import('../client/shipped-client.ts');
  const files = { ...addressedFiles(config), ...(await shippedClient(compiled, config, terminal)) };
  return { page: shippedPage(compiled.client, config), files };
}

/** @throws CommandFailure with what the bundler said */
export function refuseBundle(error: Error): never {
  if (error instanceof CommandFailure) throw error;
  throw new CommandFailure(exitCodes.failure, 'the application cannot be bundled', error.message);
}

/** Whoever deploys has to put them where the application reads them, which `how` says. */
export function tellLeftOut(leftOut: readonly LeftOut[], file: string, how: string, terminal: Terminal): void {
  if (leftOut.length === 0) return;
  terminal.err(`note: secrets stay out of the ${how}:\n`);
  for (const { key, place, variable } of leftOut) {
    terminal.err(`  ${variable}  instead of ${key} (${file}:${place.line}:${place.col})\n`);
  }
}

import { createTraces } from '../../adapters/modules/traces.ts';
import { setArguments } from '../../core/builtins/modules/sys.ts';
import type { Config } from '../../core/config/config.ts';
import { createTurns } from '../../core/memory/turns.ts';
import { ProgramError } from '../../core/program/program.ts';
import type { ServedTarget } from '../../handlers/http/served-target.ts';
import type { Command } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { compileApp, shownPath } from '../program/compile-app.ts';
import { installRuntime, runtimeNames } from '../program/open-runtime.ts';
import { graphForm, openStores } from '../program/open-stores.ts';
import { forRunning, reportDiagnostics, sourcesOf } from '../program/report-diagnostics.ts';
import { endpointLines, endpointTable } from '../start/endpoint-table.ts';
import { openProcessLog } from '../start/open-log.ts';
import { openServedMetrics } from '../start/open-metrics.ts';
import { openTracing } from '../start/open-tracing.ts';
import { openVersion, type Version } from '../start/open-version.ts';
import { startOptions } from '../start/options.ts';
import type { Reloading, Runnable } from '../start/reload.ts';
import { serve } from '../start/serve.ts';
import { prepareStart, type StartJob } from '../start/start-job.ts';
import { createSteps } from '../steps.ts';
import { hasColour } from '../terminal.ts';
import { describeUncaught } from '../uncaught.ts';

export const command: Command = {
  name: 'start',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Serves an application: every walker an endpoint, every user a graph of their own.',
  options: startOptions,
  async run(args) {
    const job = prepareStart(args);
    const { config, terminal } = job;
    const compiled = await compileOrRefuse(job);
    const stores = await openStores(config, terminal, !job.isFaux);
    try {
      const processLog = openProcessLog(config, terminal);
      // Frames of the runtime come first; the author's must not fall off the end.
      Error.stackTraceLimit = 25;
      setArguments([job.file.shown]);
      installRuntime();
      let reloading: Reloading | undefined;
      const turns = job.reloads ? createTurns() : undefined;
      const metrics = await openServedMetrics(config, stores.name);
      const tracing = await openTracing(config, processLog.log);
      const open = (next: Runnable, nextConfig: Config) =>
        openVersion({
          config: nextConfig,
          stores,
          log: processLog.log,
          metrics,
          tracer: tracing?.tracer,
          compiled: next,
          print: (line) => terminal.out(`${line}\n`),
          buildStatus: job.reloads ? () => reloading?.status() ?? { status: 'ok' } : undefined,
          turns,
        });
      const first = await open(compiled, config).catch((error: unknown) => refuseProgram(error, compiled, job));
      if (first === undefined) return exitCodes.failure;
      for (const line of [...first.program.warnings, ...unservedProtocols(first.app.routes.targets)])
        terminal.err(`warning: ${line}\n`);
      if (job.isFaux) return printEndpoints(first, job);
      const onReloading = (started: Reloading) => {
        reloading = started;
      };
      return await serve({ job, stores, processLog, metrics, tracing, compiled, first, open, onReloading });
    } finally {
      await stores.close();
    }
  },
};

async function compileOrRefuse({ terminal, file, config, read, isJson, isFaux }: StartJob): Promise<Runnable> {
  const steps = createSteps(terminal, !isJson && config.mode === 'development');
  const graph = graphForm(config, !isFaux);
  const request = { file: file.path, config, purpose: 'serve', env: read.env, runtimeNames, graph } as const;
  const compiled = await steps.run(`Compiling ${file.shown}`, () => compileApp(request));
  const { directory, diagnostics } = compiled;
  await reportDiagnostics(forRunning(diagnostics), { terminal, stream: 'err', projectDir: config.projectDir });
  if (directory !== undefined) return { ...compiled, directory };
  throw new CommandFailure(exitCodes.invalid, `cannot start ${file.shown}`, 'the program has errors, shown above');
}

/** Says why a program is not served. @throws CommandFailure unless it is what an entry block threw */
function refuseProgram(error: unknown, compiled: Runnable, { config, terminal }: StartJob): undefined {
  if (error instanceof CommandFailure) throw error;
  if (error instanceof ProgramError) {
    const count = error.problems.length === 1 ? '1 problem' : `${error.problems.length} problems`;
    terminal.err(`${error.message}\n`);
    throw new CommandFailure(exitCodes.invalid, 'the application cannot be served', `${count}, listed above`);
  }
  const { projectDir } = config;
  const text = describeUncaught(error, {
    traces: createTraces(compiled.directory),
    sourceOf: sourcesOf(projectDir),
    showPath: (path) => shownPath(projectDir, terminal.cwd, path),
    colour: hasColour(terminal, 'err'),
  });
  terminal.err(text);
  return undefined;
}

function printEndpoints({ app }: Version, { terminal, isJson }: StartJob): number {
  const { targets, fixed } = app.routes;
  terminal.out(isJson ? endpointLines(targets, fixed) : endpointTable(targets, fixed));
  return exitCodes.success;
}

/** Targets of protocols whose handlers are not part of this release. */
function unservedProtocols(targets: readonly ServedTarget[]): string[] {
  return targets
    .filter(({ rest }) => rest.protocol !== 'HTTP')
    .map(({ kind, name, rest }) => `${kind} ${name}: protocol ${rest.protocol} is not served in this release`);
}

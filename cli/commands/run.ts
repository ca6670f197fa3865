import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadModules } from '../../adapters/modules/load-modules.ts';
import { removeStaleModules } from '../../adapters/modules/place-modules.ts';
import { createTraces, type Traces } from '../../adapters/modules/traces.ts';
import { storeKind } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import type { Runtime } from '../../core/memory/runtime.ts';
import { tracedStore } from '../../core/memory/traced-store.ts';
import { wireLiveValues } from '../../core/stored/codec.ts';
import { createLiveValues } from '../../core/stored/live-values.ts';
import type { Trace } from '../../core/trace/trace.ts';
import { runExitFunctions } from '../../library/builtins/exit-functions.ts';
import { output } from '../../library/builtins/output.ts';
import { setArguments } from '../../library/modules/sys.ts';
import { setPlaces } from '../../library/values/calls/stack-frames.ts';
import { RuntimeError, SystemExit } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import type { AppFile } from '../app-file.ts';
import { configOption, flagType, profileOption } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { inspectedPorts, inspectOption } from '../debug/inspect-option.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CompiledApp, compileApp } from '../program/compile-app.ts';
import { warnOfForgotten } from '../program/forgotten-kept.ts';
import { installRuntime, openRuntime, runtimeNames } from '../program/open-runtime.ts';
import { graphForm, openWholeStores, storeFile } from '../program/open-stores.ts';
import { readApp } from '../program/read-app.ts';
import { forRunning, reportDiagnostics } from '../program/report-diagnostics.ts';
import { runScript } from '../program/run-script.ts';
import { runWalker } from '../program/run-walker.ts';
import { takeStandardStreams } from '../program/standard-streams.ts';
import { warningLine } from '../program/warning-line.ts';
import type { Terminal } from '../terminal.ts';
import { describeUncaught, uncaughtOptions } from '../uncaught.ts';

export const command: Command = {
  name: 'run',
  operands: '[app_file] [args...]',
  arity: [0, Number.POSITIVE_INFINITY],
  about: 'Runs a program once: its entry blocks, with the graph of the project.',
  examples: [
    ['svc run main.svc', 'with the stored graph'],
    ['svc run main.svc --no-persist -- --verbose', 'an empty graph, and an argument'],
  ],
  options: [
    inspectOption,
    { name: 'story', type: flagType, about: 'Tell at the end what the program did, step by step, on standard error.' },
    { name: 'no-persist', type: flagType, about: 'Begin with an empty graph and keep nothing.' },
    {
      name: 'entry',
      type: { kind: 'text', placeholder: 'NAME' },
      about: 'Run the entry blocks of this name instead, or the walker of this name at the root.',
      default: '__main__',
    },
    configOption,
    profileOption,
  ],
  notes: ['What follows the file, or -- when it begins with a dash, is given to the program as sys.argv.'],
  async run(args) {
    const { operands, options, rest, terminal } = args;
    const { file, read } = readApp('run', args);
    const label = options['entry'] as string | undefined;
    const persist = options['no-persist'] !== true;
    const ports = inspectedPorts(options['inspect']);
    const request = {
      file: file.path,
      config: read.config,
      purpose: 'run',
      entryLabel: label ?? '__main__',
      env: read.env,
      runtimeNames,
      graph: graphForm(read.config, persist),
      debug: ports !== undefined,
      marks: options['story'] === true,
    } as const;
    const first = await compileApp(request);
    const walker = label === undefined || first.labels.includes(label) ? undefined : label;
    const isWalker = walker !== undefined && first.directory !== undefined;
    const compiled = isWalker ? await compileApp({ ...request, withoutEntries: true }) : first;
    await reportDiagnostics(forRunning(compiled.diagnostics), {
      terminal,
      stream: 'err',
      projectDir: read.config.projectDir,
    });
    if (compiled.directory === undefined) return exitCodes.failure;
    return await runCompiled({
      file,
      compiled,
      directory: compiled.directory,
      config: read.config,
      persist,
      ports,
      tellsStory: options['story'] === true,
      walker,
      rest: [...operands.slice(1), ...rest],
      terminal,
    });
  },
};

interface Running {
  readonly file: AppFile;
  readonly compiled: CompiledApp;
  readonly directory: string;
  readonly config: Config;
  readonly persist: boolean;
  /** Port of the inspector, for a program that is debugged. */
  readonly ports: readonly number[] | undefined;
  readonly tellsStory: boolean;
  /** Runs at the root instead of the entry blocks. */
  readonly walker: string | undefined;
  readonly rest: readonly string[];
  readonly terminal: Terminal;
}

async function runCompiled(running: Running): Promise<number> {
  const { file, compiled, directory, config, persist, ports, walker, rest, terminal } = running;
  const isFirst =
    persist && storeKind(config) === 'sqlite' && !existsSync(join(config.dataDir, config.scale.database.sqliteFile));
  const stores = await openWholeStores(config, terminal, persist);
  if (persist) await warnOfForgotten(config, terminal);
  if (isFirst)
    terminal.err(`svc: the graph is kept in ${storeFile(config, terminal)} (--no-persist runs without it)\n`);
  const traces = createTraces(config.projectDir, directory);
  // Frames of the runtime come first; the author's must not fall off the end.
  Error.stackTraceLimit = 40;
  takeStandardStreams();
  setArguments([file.shown, ...rest]);
  setPlaces(traces.place);
  installRuntime();
  const told = running.tellsStory
    ? (await import('../story/local-story.ts')).openLocalStory({ name: file.shown }, config, traces)
    : undefined;
  const runtime = openRuntime(() => config, {
    store: told === undefined ? stores.graph : tracedStore(stores.graph),
    databases: stores.databases,
    sharedIsOwn: true,
    echo: (value) => output().out(`${strOf(value)}\n`),
    warn: (message, fields) => terminal.err(`${warningLine(message, fields)}\n`),
  });
  const warnOnce = (kind: string) =>
    terminal.err(`svc: a value of type '${kind}' in the graph is kept for this run only\n`);
  wireLiveValues(createLiveValues(persist ? warnOnce : undefined));
  const report = (error: unknown) => reportUncaught(error, traces, config, terminal);
  const onStray = (error: unknown) => process.exit(report(error));
  // Nothing is left that could wake the program up.
  const onIdle = () => onStray(new RuntimeError('the program waits for something that never happens'));
  process.on('uncaughtException', onStray);
  process.on('beforeExit', onIdle);
  const load = async () => {
    const exports = await loadModules(directory, compiled.entryFile);
    if (walker !== undefined) await runWalker(walker, exports, compiled.labels);
  };
  try {
    if (ports !== undefined) {
      const { openInspector } = await import('../debug/open-inspector.ts');
      const start =
        walker === undefined
          ? ({ by: 'entry', module: compiled.entryId } as const)
          : ({ by: 'walker', walker } as const);
      const { projectDir } = config;
      await openInspector({ ports, waits: true, directory, projectDir, graph: graphForm(config, persist), start });
    }
    return await runToEnd(runtime, load, report, told?.story);
  } finally {
    if (told !== undefined) terminal.err(told.text(runtime));
    wireLiveValues(undefined);
    await stores.close();
    process.off('uncaughtException', onStray);
    process.off('beforeExit', onIdle);
    if (compiled.isTemporary) await rm(directory, { recursive: true, force: true });
    else if (!compiled.wasCached) await removeStaleModules(`${config.projectDir}/.svc/cache`, Date.now());
  }
}

/** The exit code of the program. What it registered for its end (`atexit`) runs last: after it has been told what the program failed with. */
async function runToEnd(
  runtime: Runtime,
  load: () => Promise<unknown>,
  report: (error: unknown) => number,
  story: Trace | undefined,
): Promise<number> {
  const end = () => runExitFunctions(report);
  const work = async () => {
    try {
      await load();
    } catch (error) {
      if (error instanceof SystemExit) await end();
      throw error;
    }
    await end();
  };
  try {
    await runScript(runtime, work, story);
    return exitCodes.success;
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = report(error);
    await end();
    return code;
  }
}

/** Prints what nobody caught and gives the exit code it means. */
function reportUncaught(error: unknown, traces: Traces, config: Config, terminal: Terminal): number {
  if (error instanceof SystemExit) return exitCodeOf(error, terminal);
  terminal.err(describeUncaught(error, uncaughtOptions(traces, config.projectDir, terminal)));
  return exitCodes.failure;
}

/** `sys.exit(n)` exits with n, `sys.exit()` with 0, anything else is printed and exits with 1. */
function exitCodeOf({ code }: SystemExit, terminal: Terminal): number {
  if (code === null || code === undefined) return exitCodes.success;
  if (typeof code === 'bigint' || (typeof code === 'number' && Number.isInteger(code)))
    return Number(BigInt.asUintN(8, BigInt(code)));
  if (typeof code === 'boolean') return code ? 1 : 0;
  terminal.err(`${strOf(code)}\n`);
  return exitCodes.failure;
}

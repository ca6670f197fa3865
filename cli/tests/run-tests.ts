/** Runs tests: each in a graph of its own, in memory, as the system (docs/language/modules.md#tests). */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ClientProgram } from '../../adapters/client/client-program.ts';
import { configuredDatabases } from '../../adapters/kvstore/with-databases.ts';
import { loadModules } from '../../adapters/modules/load-modules.ts';
import { createTraces, type Traces } from '../../adapters/modules/traces.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import type { Databases } from '../../core/kvstore/databases.ts';
import type { Runtime } from '../../core/memory/runtime.ts';
import { openVolatileStore } from '../../core/memory/volatile-store.ts';
import { takeAddedTests } from '../../core/program/parametrized-tests.ts';
import { setTestBrowser } from '../../core/program/test-browser-host.ts';
import { setTestHost } from '../../core/program/test-host.ts';
import { wireLiveValues } from '../../core/stored/codec.ts';
import { createLiveValues } from '../../core/stored/live-values.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import { SkipTest } from '../../library/builtins/expectations.ts';
import { type ClassTable, snapshotClasses } from '../../library/classes/registry.ts';
import { setArguments } from '../../library/modules/sys.ts';
import { call } from '../../library/values/calls/calls.ts';
import { setPlaces } from '../../library/values/calls/stack-frames.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { type CompiledApp, compileApp, shownPath } from '../program/compile-app.ts';
import type { TestedModule } from '../program/compile-request.ts';
import { installRuntime, openRuntime, runtimeNames } from '../program/open-runtime.ts';
import { forRunning, reportDiagnostics } from '../program/report-diagnostics.ts';
import { runScript } from '../program/run-script.ts';
import { warningLine } from '../program/warning-line.ts';
import type { LocalStory } from '../story/local-story.ts';
import type { Terminal } from '../terminal.ts';
import { describeUncaught, titleOf, uncaughtOptions } from '../uncaught.ts';
import type { BrowserOfTests } from './browser/open-test-browser.ts';
import type { Wanted } from './find-tests.ts';
import { createTestHost } from './test-host.ts';
import type { BrokenFile, TestFailure, TestResult } from './test-result.ts';

export interface TestJob {
  readonly wanted: readonly Wanted[];
  readonly config: Config;
  readonly env: Readonly<Record<string, string>>;
  readonly terminal: Terminal;
  /** Text that the names of tests must contain; undefined: all tests run. */
  readonly filter: string | undefined;
  /** Ends after the first failure. */
  readonly bail: boolean;
  /** Tells below a failure what the test did. */
  readonly tellsStory?: boolean;
  readonly json: boolean;
  /** Pages can be opened (`svc test --browser`). */
  readonly inBrowser: boolean;
  /** Port of the inspector, for tests that are debugged. */
  readonly inspectorPorts?: readonly number[] | undefined;
  /** A program's modules have been loaded, which ran its entry blocks. */
  readonly onLoaded: (file: string) => void;
  readonly onResult: (result: TestResult) => void;
  /** A file that does not compile or whose module fails while it is loaded. Diagnostics have been printed already. */
  readonly onBroken: (broken: BrokenFile) => void;
}

/** Names of all tests that were looked at, those that the filter left out too. */
export async function runTests(job: TestJob): Promise<readonly string[]> {
  // Frames of the runtime come first; the author's must not fall off the end.
  Error.stackTraceLimit = 40;
  installRuntime();
  wireLiveValues(createLiveValues());
  const strays = catchStrays();
  const seen: string[] = [];
  const browser = job.inBrowser ? await browserFor(job) : undefined;
  setTestBrowser(browser);
  const covered = new Set<string>();
  const told = new Set<string>();
  let failed = false;
  const state: State = {
    job: {
      ...job,
      onResult(result) {
        failed ||= result.failure !== undefined;
        job.onResult(result);
      },
      onBroken(broken) {
        failed = true;
        job.onBroken(broken);
      },
    },
    strays,
    browser,
    seen,
    covered,
    told,
    mayGoOn: () => !(job.bail && failed),
  };
  try {
    for (const { module } of job.wanted) if (!covered.has(module) && state.mayGoOn()) await runProgram(state, module);
  } finally {
    strays.end();
    wireLiveValues(undefined);
    await browser?.close();
  }
  return seen;
}

async function browserFor({ config, terminal }: TestJob): Promise<BrowserOfTests> {
  const { openTestBrowser } = await import('./browser/open-test-browser.ts');
  const { projectDir } = config;
  return openTestBrowser({
    entry: entryOf(config),
    projectDir,
    cwd: terminal.cwd,
    env: { ...process.env, ...terminal.env },
  });
}

/** Absolute path of the project's program. */
function entryOf({ projectDir, project }: Config): string {
  return resolve(projectDir, project.entryPoint === '' ? 'main.svc' : project.entryPoint);
}

interface State {
  readonly job: TestJob;
  readonly strays: Strays;
  readonly browser: BrowserOfTests | undefined;
  readonly seen: string[];
  /** Modules whose tests have been run. */
  readonly covered: Set<string>;
  /** Diagnostics that have been printed. */
  readonly told: Set<string>;
  readonly mayGoOn: () => boolean;
}

/** The tests of a module and of those it imports, as far as they are wanted. */
async function runProgram(state: State, file: string): Promise<void> {
  const { job, covered } = state;
  const { config, env, terminal } = job;
  covered.add(file);
  const client = { mode: 'development', app: config.serve.baseRouteApp } as const;
  const compiled = await compileApp({
    file,
    config,
    purpose: 'test',
    env,
    runtimeNames,
    client,
    debug: job.inspectorPorts !== undefined,
    marks: job.tellsStory,
  });
  await tellDiagnostics(state, compiled.diagnostics);
  const shown = shownPathFrom(terminal.cwd, file);
  const { directory } = compiled;
  if (directory === undefined) return job.onBroken({ file: shown, failure: undefined });
  const modules = compiled.modules.flatMap((module) => {
    const wanted = job.wanted.find((one) => one.module === module.files[0]);
    if (wanted === undefined || (covered.has(wanted.module) && wanted.module !== file)) return [];
    covered.add(wanted.module);
    return module.hasTests ? [{ module, files: wanted.files }] : [];
  });
  try {
    if (modules.length > 0) await runModules(state, { ...compiled, directory }, file, shown, modules);
    if (compiled.client !== undefined) await runBrowserHalf(state, compiled.client, file, modules);
  } finally {
    if (compiled.isTemporary) await rm(directory, { recursive: true, force: true });
  }
}

/** Tests of components, loaded with what they need only where there are some. */
async function runBrowserHalf(
  { job, strays, seen, mayGoOn }: State,
  program: ClientProgram,
  file: string,
  wanted: readonly WantedModule[],
): Promise<void> {
  const { modulesWithTests, runClientTests } = await import('./client/run-client-tests.ts');
  const byPath = new Map(wanted.map(({ module, files }) => [module.files[0], files]));
  const modules = modulesWithTests(program).filter((path) => byPath.has(path));
  if (modules.length === 0 || !mayGoOn()) return;
  const { config, terminal, json, onResult, onBroken } = job;
  const { serveForTests } = await import('./serve-for-tests.ts');
  const entry = entryOf(config);
  await runClientTests({
    program,
    config,
    terminal,
    json,
    modules,
    wants(path, name) {
      const only = wanted.find(({ module }) => module.files.includes(path))?.files;
      if (only !== undefined && !only.has(path)) return false;
      seen.push(name);
      return job.filter === undefined || name.includes(job.filter);
    },
    mayGoOn,
    openApp: () => serveForTests(existsSync(entry) ? entry : file, config, () => {}),
    during: strays.during,
    onResult,
    onBroken,
  });
}

async function tellDiagnostics({ job, told }: State, diagnostics: readonly Diagnostic[]): Promise<void> {
  const fresh = forRunning(diagnostics).filter((one) => {
    const key = `${one.path}:${one.start}:${one.code}:${one.message}`;
    return told.has(key) ? false : told.add(key);
  });
  const { terminal, config, json } = job;
  await reportDiagnostics(fresh, { terminal, stream: 'err', projectDir: config.projectDir, json });
}

interface WantedModule {
  readonly module: TestedModule;
  readonly files: ReadonlySet<string> | undefined;
}

async function runModules(
  state: State,
  compiled: CompiledApp & { readonly directory: string },
  entry: string,
  shown: string,
  modules: readonly WantedModule[],
): Promise<void> {
  const { job, strays } = state;
  const { directory } = compiled;
  const traces = createTraces(job.config.projectDir, directory);
  await inspect(job, directory);
  setArguments([shown]);
  setPlaces(traces.place);
  const once = warnOnce(job.terminal);
  // Each test has data of its own, unless an address is configured.
  const inRuntime = async (
    work: () => Promise<unknown>,
    classes?: () => ClassTable,
    told?: LocalStory,
  ): Promise<void> => {
    const databases = configuredDatabases(job.config, ':memory:');
    const runtime = openTestRuntime(job.config, once, databases, classes);
    try {
      await runScript(runtime, work, told?.story);
    } catch (error) {
      if (told !== undefined) story = told.text(runtime);
      throw error;
    } finally {
      await databases.close();
    }
  };
  let story = '';
  const loaded: { readonly tests: readonly ExportedTest[]; readonly files: ReadonlySet<string> | undefined }[] = [];
  try {
    const load = () => loadAll(directory, compiled.entryFile, modules, job.config.projectDir, loaded);
    await strays.during(() => inRuntime(load));
  } catch (error) {
    return job.onBroken({ file: shown, failure: describe(error, traces, job) });
  }
  job.onLoaded(shown);
  const classes = snapshotClasses();
  const { config, terminal } = job;
  setTestHost(createTestHost({ file: entry, config, cwd: terminal.cwd, onLoaded: () => setPlaces(traces.place) }));
  const openStory = job.tellsStory === true ? (await import('../story/local-story.ts')).openLocalStory : undefined;
  for (const { tests, files } of loaded)
    for (const test of tests) {
      const at = placeOf(test);
      if (files !== undefined && !files.has(resolve(job.config.projectDir, at.file))) continue;
      state.seen.push(test.name);
      if (job.filter !== undefined && !test.name.includes(job.filter)) continue;
      if (!state.mayGoOn()) return;
      const began = performance.now();
      let failure: TestFailure | undefined;
      let skipped: string | undefined;
      try {
        await strays.during(() =>
          inRuntime(
            async () => await call(test.$run),
            () => classes,
            openStory?.({ name: test.name, at: test.at }, config, traces),
          ),
        );
      } catch (error) {
        if (error instanceof SkipTest) skipped = strOf(error);
        else failure = describe(error, traces, job);
      }
      if (failure !== undefined && story !== '')
        failure = { ...failure, text: `${failure.text.trimEnd()}\n\n${story}` };
      story = '';
      const pictures = (await state.browser?.endTest(test.name, failure !== undefined)) ?? [];
      if (failure !== undefined && pictures.length > 0) {
        const shown = pictures.map((path) => `  the page then: ${shownPathFrom(terminal.cwd, path)}\n`);
        failure = { ...failure, text: failure.text + shown.join('') };
      }
      const ms = performance.now() - began;
      const path = shownPath(job.config.projectDir, job.terminal.cwd, at.file);
      job.onResult({ ...at, file: path, name: test.name, ms, failure, skipped });
    }
}

/** Export of a compiled module for a `test` block. */
interface ExportedTest {
  readonly name: string;
  /** `file:line:column` */
  readonly at: string;
  readonly $run: unknown;
}

/** Lets a debugger connect, before any of the program runs. */
async function inspect({ inspectorPorts: ports, config }: TestJob, directory: string): Promise<void> {
  if (ports === undefined) return;
  const { openInspector } = await import('../debug/open-inspector.ts');
  const { projectDir } = config;
  // Tests run on a store in memory.
  await openInspector({ ports, waits: true, directory, projectDir, graph: 'sync', start: { by: 'test' } });
}

async function loadAll(
  directory: string,
  entry: string,
  modules: readonly WantedModule[],
  projectDir: string,
  into: { tests: readonly ExportedTest[]; files: ReadonlySet<string> | undefined }[],
): Promise<void> {
  await loadModules(directory, entry);
  for (const { module, files } of modules) {
    const exported = await loadModules(directory, module.path);
    // A module that is only imported inside functions has not begun yet.
    await (exported['$init'] as (() => unknown) | undefined)?.();
    into.push({ tests: (exported['$tests'] ?? []) as readonly ExportedTest[], files });
  }
  const added = takeAddedTests().map(({ name, at, run }) => ({ name, at, $run: run }));
  const isOf = ({ at }: ExportedTest, module: TestedModule) =>
    module.files.includes(resolve(projectDir, placeOf({ at }).file));
  for (const { module, files } of modules) into.push({ tests: added.filter((test) => isOf(test, module)), files });
}

function placeOf({ at }: Pick<ExportedTest, 'at'>): { file: string; line: number; column: number } {
  const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(at) ?? [];
  return { file, line: Number(line), column: Number(column) };
}

function openTestRuntime(
  config: Config,
  warn: (line: string) => void,
  databases: Databases,
  classes?: () => ClassTable,
): Runtime {
  return openRuntime(() => config, {
    store: openVolatileStore(),
    databases,
    sharedIsOwn: true,
    warn: (message, fields) => warn(warningLine(message, fields)),
    compatibility: { warn },
    ...(classes === undefined ? {} : { classes }),
  });
}

function warnOnce(terminal: Terminal): (line: string) => void {
  const told = new Set<string>();
  return (line) => {
    if (told.has(line)) return;
    told.add(line);
    terminal.err(`${line}\n`);
  };
}

function describe(error: unknown, traces: Traces, { config, terminal, json }: TestJob): TestFailure {
  const options = uncaughtOptions(traces, config.projectDir, terminal, 'out');
  const [innermost] = traces.frames(error);
  return {
    title: titleOf(error, traces),
    text: describeUncaught(error, json ? { ...options, colour: false } : options),
    at: innermost && { file: options.showPath(innermost.file), line: innermost.line, column: innermost.column },
  };
}

/** Errors that nothing waits for belong to the test that is running. */
interface Strays {
  during<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

function catchStrays(): Strays {
  let reject: (error: unknown) => void = () => {};
  const onStray = (error: unknown) => reject(error);
  // Nothing is left that could wake the test up.
  const onIdle = () => reject(new RuntimeError('the test waits for something that never happens'));
  process.on('uncaughtException', onStray);
  process.on('beforeExit', onIdle);
  return {
    async during(work) {
      const stray = new Promise<never>((_, fail) => {
        reject = fail;
      });
      stray.catch(() => {});
      try {
        return await Promise.race([work(), stray]);
      } finally {
        reject = () => {};
      }
    },
    end() {
      process.off('uncaughtException', onStray);
      process.off('beforeExit', onIdle);
    },
  };
}

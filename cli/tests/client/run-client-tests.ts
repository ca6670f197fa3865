/** Runs the tests of the browser half: components in a DOM of this process, what they ask answered by the program itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { buildTests, missingForTests } from '../../../adapters/client/build-tests.ts';
import type { ClientProgram } from '../../../adapters/client/client-program.ts';
import { describeFailure } from '../../../adapters/client/failure.ts';
import { createTraces, type Traces } from '../../../adapters/modules/traces.ts';
import type { Config } from '../../../core/config/config.ts';
import type { TestApp } from '../../../core/program/test-host.ts';
import { output } from '../../../library/builtins/output.ts';
import { holdSides } from '../../../library/values/calls/failed-assert.ts';
import { bringPackages, tellInVain } from '../../client/prepare-page.ts';
import { shownPath } from '../../program/compile-app.ts';
import type { Terminal } from '../../terminal.ts';
import { describeBelowTitle, uncaughtOptions } from '../../uncaught.ts';
import type { BrokenFile, TestFailure, TestResult } from '../test-result.ts';
import { openDom } from './dom.ts';

export interface ClientTestJob {
  readonly program: ClientProgram;
  readonly config: Config;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** Absolute paths of modules whose tests run. */
  readonly modules: readonly string[];
  /** Is a test wanted? `file` is absolute. */
  readonly wants: (file: string, name: string) => boolean;
  readonly mayGoOn: () => boolean;
  /** The program with an empty graph: opened for a test that asks something of the server. */
  readonly openApp: () => Promise<TestApp>;
  /** Waits for a test; errors that nothing catches meanwhile are its own. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onResult: (result: TestResult) => void;
  readonly onBroken: (broken: BrokenFile) => void;
}

interface ClientTest {
  readonly name: string;
  /** `file:line:column` */
  readonly at: string;
  readonly run: () => Promise<void>;
}

interface TestBundle {
  readonly files: readonly { readonly path: string; readonly tests: readonly ClientTest[] }[];
  readonly cleanup: () => void;
}

/** Modules of a program that hold tests of the browser half. */
export function modulesWithTests(program: ClientProgram): readonly string[] {
  return [...program.modules()].flatMap(([path, { code }]) =>
    code.includes('\nexport const $tests = [') ? [path] : [],
  );
}

export async function runClientTests(job: ClientTestJob): Promise<void> {
  const { config, terminal } = job;
  const { projectDir } = config;
  const shown = shownPath(projectDir, terminal.cwd, job.modules[0]!);
  const missing = missingForTests(projectDir);
  if (missing.length > 0) return job.onBroken({ file: shown, failure: missingPackages(missing) });
  const directory = await mkdtemp(join(tmpdir(), 'svc-client-tests-'));
  let app: Promise<TestApp> | undefined;
  const dom = await openDom(projectDir, async (request) => answer(await (app ??= job.openApp()), request));
  const restoreConsole = printToOutput();
  try {
    const bundle = await load(job, directory).catch((error: unknown) => {
      job.onBroken({ file: shown, failure: loadFailure(error, job, directory) });
      return undefined;
    });
    if (bundle === undefined) return;
    const traces = createTraces(projectDir, directory);
    for (const test of bundle.files.flatMap(({ tests }) => tests)) {
      const at = placeOf(test.at);
      if (!job.wants(resolve(projectDir, at.file), test.name)) continue;
      if (!job.mayGoOn()) return;
      const began = performance.now();
      let failure: TestFailure | undefined;
      try {
        await job.during(test.run);
      } catch (error) {
        failure = describe(error, traces, job);
      }
      const ms = performance.now() - began;
      bundle.cleanup();
      dom.reset();
      await (await app)?.close();
      app = undefined;
      const file = shownPath(projectDir, terminal.cwd, at.file);
      job.onResult({ ...at, file, name: test.name, ms, failure, skipped: undefined });
    }
  } finally {
    restoreConsole();
    await dom.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function load(
  { program, config, terminal, json, modules }: ClientTestJob,
  directory: string,
): Promise<TestBundle> {
  await bringPackages({ program, config }, 'build', { terminal, tells: !json });
  await tellInVain(config, terminal);
  await buildTests({ program, config }, modules, directory);
  return (await import(pathToFileURL(join(directory, 'tests.mjs')).href)) as TestBundle;
}

function placeOf(at: string): { file: string; line: number; column: number } {
  const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(at) ?? [];
  return { file, line: Number(line), column: Number(column) };
}

async function answer(app: TestApp, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const reply = await app.send({
    method: request.method,
    target: pathname + search,
    headers: [...request.headers],
    body,
  });
  const headers = [...reply.headers].map(([name, value]): [string, string] => [name, value]);
  const isEmpty = [204, 205, 304].includes(reply.status);
  return new Response(isEmpty ? null : new Uint8Array(reply.body), { status: reply.status, headers });
}

/** Puts into the report what a test prints, as what a program prints. */
function printToOutput(): () => void {
  const { log, info } = console;
  const print = (...values: unknown[]) => output().out(`${format(...values)}\n`);
  Object.assign(console, { log: print, info: print });
  return () => void Object.assign(console, { log, info });
}

function describe(error: unknown, traces: Traces, { config, terminal, json }: ClientTestJob): TestFailure {
  const options = uncaughtOptions(traces, config.projectDir, terminal, 'out');
  const { name, message: said } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  const message = said.replace(/\u001b\[[0-9;]*m/g, '');
  const frames = traces
    .frames(error)
    .filter(({ file }) => file.endsWith('.svc'))
    .map((frame) => (frame.function === 'run' ? { ...frame, function: undefined } : frame));
  const [innermost] = frames;
  const { $sides } = Object(error) as { readonly $sides?: readonly [string, string] };
  if ($sides !== undefined) holdSides(error as object, $sides);
  const title = message === '' ? name : `${name}: ${message}`;
  const below = describeBelowTitle(error, { name, message, frames }, json ? { ...options, colour: false } : options);
  return {
    title: title.split('\n', 1)[0]!,
    text: `Error: ${title}\n${below}`,
    at: innermost && { file: options.showPath(innermost.file), line: innermost.line, column: innermost.column },
  };
}

function loadFailure(error: unknown, job: ClientTestJob, directory: string): TestFailure {
  const traces = createTraces(job.config.projectDir, directory);
  if (traces.frames(error).length > 0) return describe(error, traces, job);
  const { problems } = describeFailure(error, { program: job.program, config: job.config });
  const lines = problems.map(({ message, file, line, column }) => {
    const path = file === undefined ? '' : shownPath(job.config.projectDir, job.terminal.cwd, file);
    return `Error: ${message}${file === undefined ? '' : `\n --> ${path}${line === undefined ? '' : `:${line}:${column ?? 1}`}`}\n`;
  });
  return { title: problems[0]?.message ?? 'cannot be built', text: lines.join(''), at: undefined };
}

function missingPackages(missing: readonly string[]): TestFailure {
  const title = `tests of components need ${missing.join(', ')}`;
  return { title, text: `Error: ${title}\n  npm install --save-dev ${missing.join(' ')}\n`, at: undefined };
}

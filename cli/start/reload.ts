import { basename, dirname, resolve } from 'node:path';
import type { ClientProblem } from '../../adapters/client/failure.ts';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { removeStaleModules } from '../../adapters/modules/place-modules.ts';
import { watchFiles } from '../../adapters/watch/watch-files.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import type { Config, ConfigPath } from '../../core/config/config.ts';
import { applyReloadable, diffConfig, valueAt } from '../../core/config/diff.ts';
import { formatFinding } from '../../core/config/finding.ts';
import { tomlKey } from '../../core/config/options.ts';
import type { SourceFrame } from '../../core/log/read-error.ts';
import type { BuildStatus } from '../../handlers/deps.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { KeptFiles } from '../../lang/project/kept-files.ts';
import { positionAt } from '../../lang/source.ts';
import type { LiveClient } from '../client/live-client.ts';
import { type CompiledApp, compileApp } from '../program/compile-app.ts';
import type { AskedServer, CompileRequest, ServerTexts } from '../program/compile-request.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { graphForm } from '../program/open-stores.ts';
import {
  checksAtStart,
  forStarting,
  reportDiagnostics,
  shownAtStart,
  sourcesOf,
} from '../program/report-diagnostics.ts';
import type { Terminal } from '../terminal.ts';
import { titleOf } from '../uncaught.ts';
import { keepsStories } from './keeps-stories.ts';

/** A compiled program that can run. */
export interface Runnable extends CompiledApp {
  readonly directory: string;
  /** The browser application, when the program has one. */
  readonly page?: PageFacts | undefined;
  /** Gives what the entry module exports, once it and all that it imports have run; absent: it is imported from the directory. */
  readonly load?: () => Promise<Readonly<Record<string, unknown>>>;
}

/** Reason why a compiled program is not served: the message for `/__build_status`, and the text that is printed. */
export interface Refusal {
  readonly message: string;
  readonly text: string;
  /** Place of what the program did not survive, where one is known. */
  readonly at?: SourceFrame | undefined;
}

/** Puts newly compiled modules in the place of what is served, or says why that cannot be. */
export type Offer = (compiled: Runnable, config: Config) => Promise<Refusal | undefined>;

export interface ReloadOptions {
  readonly terminal: Terminal;
  /** Time from which on files were read for the version that is served at first. */
  readonly since?: number;
  /** Absolute path of the entry file. */
  readonly file: string;
  readonly config: Config;
  readonly readConfig: () => ReadConfig;
  readonly offer: Offer;
  /** Called when the result of `status` has changed; resolves when all that answer with it know. */
  readonly onStatus?: (status: BuildStatus) => Promise<void>;
  readonly print: (line: string) => void;
  /** Trees of the files of the compilation before. */
  readonly kept: KeptFiles | undefined;
  /** Findings of the start, and whether a person has been told them. */
  readonly findings: { all(): Promise<readonly Diagnostic[]>; areTold(): boolean };
  /** Request for the browser half: absent where the program has none. */
  readonly client?: CompileRequest['client'];
  /** The program that is served at first: the digest and the texts of its server code. */
  readonly running?: Pick<CompiledApp, 'digest' | 'asked'>;
  /** Tells whether the version that is served has a walker or function of this name. */
  readonly serves?: (name: string) => boolean;
  /** A debugger may attach. */
  readonly debug?: boolean;
  /** The development server of the browser half. */
  readonly live?: LiveClient | undefined;
  /** Builds the browser half, where there is no development server. */
  readonly withPage?: (compiled: Runnable, config: Config) => Promise<Runnable>;
}

export interface Reloading {
  status(): BuildStatus;
  /**
   * Reads the program as it is served, where an earlier process compiled it: without this the first save would have to load the compiler, and pages would wait for
   * the server although its code is the same. For when nobody waits for anything.
   */
  warm(): Promise<void>;
  /** Tells whether pages may be ahead of the server in what they know of a walker or function: a saved script is shown at once, whatever was saved with it. */
  isAhead(name: string): boolean;
  close(): void;
}

const quietMs = 150;
const liveQuietMs = 12;
/** Within this time after a script an editor has saved what was to be saved with it. */
const savedTogetherMs = 500;
/** Builds in a row that give way to files that were saved meanwhile. */
const mostPutOff = 4;
const ignoredDirectories = new Set(['.svc', 'node_modules', '.git', 'dist']);
const sourceEndings = ['.svc', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.css', '.toml'];

/**
 * Watches the project and serves each version that compiles; what does not compile is told once and changes nothing
 * (docs/server/commands.md#reload).
 */
export function startReloading(options: ReloadOptions): Reloading {
  const { terminal, print, live } = options;
  let served = options.running?.digest;
  let texts = options.running?.asked?.texts;
  let { config } = options;
  let status: BuildStatus = { status: 'ok' };
  let heard: Promise<void> | undefined;
  let lastTold = '';
  let mistakes: ReadonlySet<string> | undefined;
  /** Names of the findings of the last version that compiled, once they are told. */
  let told: ReadonlySet<string> = new Set();
  let serial = 0;
  let running = false;
  let building: readonly string[] = [];
  let scriptsBuilt = Number.NEGATIVE_INFINITY;
  const waiting = new Set<string>();
  let putOff = 0;

  const watcher = watchFiles({
    directory: config.projectDir,
    ignore: ignoredDirectories,
    ignorePaths: new Set([resolve(config.projectDir, config.storage.basePath), config.dataDir]),
    matches: (name) =>
      name === '.env' ||
      (live !== undefined && name.startsWith('.env.')) ||
      sourceEndings.some((ending) => name.endsWith(ending)),
    // A page that is looked at should not wait.
    quietMs: live === undefined ? quietMs : liveQuietMs,
    ...(options.since === undefined ? {} : { since: options.since }),
    onChange(paths) {
      for (const path of paths) if (live === undefined || !isPlainSheet(path)) waiting.add(path);
      work().catch(throwOutside);
    },
  });

  function tell(next: BuildStatus): void {
    status = next;
    heard = options.onStatus?.(next);
  }

  // One build at a time; what changes meanwhile starts the next one.
  async function work(first?: () => Promise<void>): Promise<void> {
    if (running) return;
    running = true;
    try {
      await first?.();
      while (waiting.size > 0) {
        building = [...waiting];
        waiting.clear();
        await rebuild(building).catch((error: unknown) => fail({ message: titleOf(error) }, `${titleOf(error)}\n`));
        if (building.some(isScript)) scriptsBuilt = performance.now();
        building = [];
      }
    } finally {
      building = [];
      running = false;
    }
  }

  async function rebuild(paths: readonly string[]): Promise<void> {
    const began = performance.now();
    tell({ status: 'compiling' });
    if (mistakes === undefined) {
      const known = await options.findings.all();
      mistakes = new Set(known.filter(isMistake).map(nameOf));
      if (options.findings.areTold()) told = new Set(known.map(nameOf));
    }
    const next = paths.some(isConfigFile) ? await nextConfig() : config;
    if (next === undefined) return;
    if (live !== undefined && (paths.some(isOfVite) || ofVite.some((path) => differs(path, next))))
      live.reconfigure(next);
    const compiled = await compileApp({
      ...request(next),
      // Without the development server, pages are built with every version.
      running: live !== undefined && paths.every(isOfProgram) ? served : undefined,
      glance: live && {
        wants: (path) => paths.includes(path) || !live.has(path),
        suits: (asked) => !asksForMore(asked) && isServedText(asked.texts, paths),
        show: live.glance,
      },
    });
    const { directory } = compiled;
    if (directory === undefined) return await failOn(forStarting(compiled.diagnostics, config.mode));
    const isSame = compiled.digest !== undefined && compiled.digest === served && directory === '';
    // The other half of a page may be in a file that was saved a moment later.
    if (live !== undefined && waiting.size > 0 && asksForMore(compiled.asked) && ++putOff < mostPutOff) {
      for (const path of paths) waiting.add(path);
      return;
    }
    putOff = 0;
    if (!isSame) {
      const runnable = { ...compiled, directory };
      const whole = live === undefined ? ((await options.withPage?.(runnable, next)) ?? runnable) : runnable;
      const refusal = await options.offer(whole, next);
      if (refusal !== undefined) return await fail({ message: refusal.message }, refusal.text, refusal.at);
      served = compiled.digest;
    }
    texts = compiled.asked?.texts;
    // Now the server knows all that these pages ask for.
    if (live !== undefined && compiled.client !== undefined) live.update(compiled.client);
    live?.show(newMistakes(compiled.diagnostics).map((one) => problemOf(one, config.projectDir)));
    const fresh = compiled.diagnostics.filter((one) => isMistake(one) || !told.has(nameOf(one)));
    const others = compiled.diagnostics.length - fresh.length;
    if (fresh.length > 0) await tellOnce(forStarting(fresh, config.mode));
    else lastTold = '';
    told = new Set(compiled.diagnostics.map(nameOf));
    config = next;
    tell({ status: 'ok' });
    await heard;
    const asBefore = others === 0 ? '' : `; ${others} warning${others === 1 ? '' : 's'} as before`;
    print(
      `${isSame ? 'Page updated' : 'Reloaded'} in ${Math.round(performance.now() - began)} ms (${describeChange(paths)}${asBefore})`,
    );
    if (!isSame) removeStaleModules(dirname(directory), Date.now()).catch(throwOutside);
  }

  function request(next: Config) {
    return {
      file: options.file,
      config: next,
      purpose: 'serve',
      env: process.env,
      runtimeNames,
      graph: graphForm(options.config, true),
      checks: checksAtStart(next),
      client: options.client,
      debug: options.debug,
      marks: keepsStories(next),
      reload: `${process.pid}.${++serial}`,
      kept: options.kept,
    } satisfies CompileRequest;
  }

  /** Does client code ask for a walker or function that the version which is served does not have? */
  function asksForMore(asked: AskedServer | undefined): boolean {
    return options.serves !== undefined && [...(asked?.asks ?? [])].some((name) => !options.serves!(name));
  }

  /** Is the server code that of the version which is served? Where that was compiled by an earlier process, saved files must have none. */
  function isServedText(now: ServerTexts, paths: readonly string[]): boolean {
    if (texts === undefined) return paths.every((path) => scopedSheet.test(path) || now.get(path) === '');
    return [...now].every(([path, text]) => text === (texts!.get(path) ?? ''));
  }

  async function nextConfig(): Promise<Config | undefined> {
    const read = options.readConfig();
    if (read.problems.length > 0) {
      const lines = read.problems.map(formatFinding);
      await fail({ file: 'svc.toml', message: lines[0]! }, lines.map((line) => `${line}\n`).join(''));
      return undefined;
    }
    Object.assign(process.env, read.dotEnv);
    const taken = live === undefined ? [] : ofVite;
    for (const path of diffConfig(config, read.config).needRestart)
      if (!taken.includes(path)) print(`restart needed: ${tomlKey(path)}`);
    return applyReloadable(config, read.config, taken);
  }

  function differs(path: ConfigPath, next: Config): boolean {
    return JSON.stringify(valueAt(config, path)) !== JSON.stringify(valueAt(next, path));
  }

  async function failOn(diagnostics: readonly Diagnostic[]): Promise<void> {
    const [first] = diagnostics;
    tell({ status: 'error', file: first!.path, message: first!.message });
    live?.show(diagnostics.flatMap((one) => (one.blocking ? [problemOf(one, config.projectDir)] : [])));
    if (!(await tellOnce(diagnostics))) return;
    await heard;
    print(stillServing);
  }

  /** Selects the mistakes that came while the program is served: a page that has shown itself in spite of others is not covered by them. */
  function newMistakes(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const found = diagnostics.filter(isMistake);
    const names = new Set(found.map(nameOf));
    const before = [...(mistakes ?? [])].filter((name) => names.has(name));
    mistakes = new Set(before);
    return found.filter((one) => !before.includes(nameOf(one)));
  }

  /** Prints diagnostics unless they are those of the last time. */
  async function tellOnce(diagnostics: readonly Diagnostic[]): Promise<boolean> {
    const text = JSON.stringify(diagnostics);
    if (text === lastTold) return false;
    lastTold = text;
    await reportDiagnostics(diagnostics, {
      terminal,
      stream: 'err',
      projectDir: config.projectDir,
      shown: shownAtStart,
    });
    return true;
  }

  async function fail(what: Omit<BuildStatus, 'status'>, text: string, at?: SourceFrame): Promise<void> {
    tell({ status: 'error', ...what });
    const { message = '' } = what;
    live?.show([at === undefined ? { message } : problemAt(message, at, config.projectDir)]);
    if (text === lastTold) return;
    lastTold = text;
    terminal.err(text);
    await heard;
    print(stillServing);
  }

  function describeChange(paths: readonly string[]): string {
    const [first = ''] = paths;
    const shown = shownPathFrom(terminal.cwd, first);
    return paths.length === 1 ? shown : `${shown} and ${paths.length - 1} more`;
  }

  return {
    status: () => status,
    warm: () =>
      work(async () => {
        if (live === undefined || texts !== undefined || served === undefined) return;
        const { digest, asked } = await compileApp({ ...request(config), running: served });
        if (digest === served) texts = asked?.texts;
      }),
    isAhead(name) {
      const paths = [...building, ...waiting, ...watcher.pending()];
      if (paths.some(isScript)) return true;
      const mayCome = paths.length > 0 || performance.now() < scriptsBuilt + savedTogetherMs;
      return mayCome && options.serves?.(name) === false;
    },
    close: () => watcher.close(),
  };
}

/** An error of `svc check`, or a name that nobody knows: code of the browser that comes there throws. */
function isMistake({ code, severity }: Diagnostic): boolean {
  return severity === 'error' || code === 'W0641';
}

/** Name of a finding that stays when lines move. */
function nameOf({ code, path, message }: Diagnostic): string {
  return `${code} ${path} ${message}`;
}

/** A finding as the page shows it. */
function problemOf({ code, message, help, path, start }: Diagnostic, projectDir: string): ClientProblem {
  const file = resolve(projectDir, path);
  const text = `${code}: ${message}${help === undefined ? '' : ` (${help})`}`;
  const source = sourcesOf(projectDir)(path);
  return source === undefined
    ? { message: text, file }
    : { message: text, file, ...positionAt(source, start), source: source.text };
}

function problemAt(message: string, { file, line, column }: SourceFrame, projectDir: string): ClientProblem {
  const source = sourcesOf(projectDir)(file);
  const problem = { message, file: resolve(projectDir, file), line, column };
  return source === undefined ? problem : { ...problem, source: source.text };
}

function isScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

const scopedSheet = /\.style\.(css|scss|sass|less)$/;

/** Vite alone has to do with it; classes of scoped sheets are in compiled modules too. */
function isPlainSheet(path: string): boolean {
  return /\.(css|scss|sass|less|pcss)$/.test(path) && !scopedSheet.test(path);
}

const stillServing = 'Not reloaded; still serving the last version that worked';

/** Keys that the development server of the client takes when it begins again. */
const ofVite: readonly ConfigPath[] = [
  'dependencies.npm',
  'dependencies.npmDev',
  'client.paths',
  'client.vite.plugins',
  'client.vite.libImports',
  'client.vite.define',
  'client.configs.postcss',
  'client.configs.tailwind',
];

/** Tells whether Vite reads its settings of a file. */
function isOfVite(path: string): boolean {
  return /^(vite\.config\.\w+|\.env(\..+)?)$/.test(basename(path));
}

function isOfProgram(path: string): boolean {
  return path.endsWith('.svc') || scopedSheet.test(path);
}

function isConfigFile(path: string): boolean {
  return basename(path) === 'svc.toml' || basename(path) === '.env';
}

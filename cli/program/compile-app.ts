import { basename, join } from 'node:path';
import type { ClientModules, ClientProgram } from '../../adapters/client/client-program.ts';
import { findCompiled, type IndexKey, rememberCompiled } from '../../adapters/modules/compile-index.ts';
import type { CompiledModule } from '../../adapters/modules/compiled-module.ts';
import { placeModules } from '../../adapters/modules/place-modules.ts';
import { hashText } from '../../adapters/modules/recorded-files.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { KeptFiles } from '../../lang/project/kept-files.ts';
import { buildId } from '../version.ts';
import { installApi } from './open-runtime.ts';
import { type RememberedClient, recallClient, rememberClient } from './remember-client.ts';

export type GraphForm = 'sync' | 'async';

export interface CompileRequest {
  /** Absolute path of the entry file. */
  readonly file: string;
  readonly config: Pick<Config, 'projectDir' | 'placement' | 'dependencies'> & {
    readonly client: Pick<Config['client'], 'paths' | 'router'>;
  };
  /** `test` takes test annexes and `test` blocks along. */
  readonly purpose: 'run' | 'serve' | 'test';
  /** Labelled entry blocks that run: `__main__` unless another is asked for. */
  readonly entryLabel?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `async` for a store that cannot answer at once (decisions/0001); `sync` when absent. */
  readonly graph?: GraphForm;
  readonly runtimeNames: readonly string[];
  /** Compile for a debugger: modules tell of their statements. */
  readonly debug?: boolean | undefined;
  /** Compile for stories: modules say which statement runs. */
  readonly marks?: boolean | undefined;
  /** Entry blocks of the entry module do not run: a walker runs instead. */
  readonly withoutEntries?: boolean | undefined;
  /** Compile the browser half too, `app`: name of its first component. Absent: the server's alone. */
  readonly client?: { readonly mode: 'development' | 'production'; readonly app: string } | undefined;
  /** Mistakes that keep nothing from running are looked for too, by what `[check]` says; their diagnostics are remembered like others. */
  readonly checks?: Config['check'] | undefined;
  /** They are looked for when `check` of the result is called: what waits for the program need not wait for them. */
  readonly checksLater?: boolean | undefined;
  /** A reload of a process that has loaded other versions: what was compiled before is not used. Different each time. */
  readonly reload?: string;
  /** Digest of the code that a server runs: when only the browser half has changed, nothing is placed on disk. */
  readonly running?: string | undefined;
  /** Files of the version before. */
  readonly kept?: KeptFiles | undefined;
  /** Pages that are open and wait for what was saved. */
  readonly glance?: Glance | undefined;
}

/** Takes the modules of the browser half that were saved before the rest is compiled. */
export interface Glance {
  /** Tells whether a file is wanted: it was saved, or the pages have never had it. */
  wants(path: string): boolean;
  /** Tells whether the server that runs is the one that the pages would ask. Else they wait for the next version of it. */
  suits(asked: AskedServer): boolean;
  /** Resolves when the pages have what they need: the rest of the compilation would keep them waiting. */
  show(modules: ClientModules): Promise<void>;
}

/** Server code as the modules of the browser half that were saved want it. */
export interface AskedServer {
  /** Names of walkers and functions that they ask for. */
  readonly asks: ReadonlySet<string>;
  readonly texts: ServerTexts;
}

/** Text of the server's elements, by the path of their module. */
export type ServerTexts = ReadonlyMap<string, string>;

export interface CompiledApp {
  /** Folder with the modules; undefined when a diagnostic keeps the program from running. */
  readonly directory: string | undefined;
  readonly isTemporary: boolean;
  /** Path of the entry module in that folder, and its id. */
  readonly entryFile: string;
  readonly entryId: string;
  /** Labels of entry blocks of the entry module. */
  readonly labels: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Parts of the program are TypeScript. */
  readonly hasScripts: boolean;
  /** All modules of the program when its purpose is `test`, else none. */
  readonly modules: readonly TestedModule[];
  readonly wasCached: boolean;
  /** Undefined when the program has no client code, or it was not asked for. */
  readonly client?: ClientProgram | undefined;
  /** Endpoints that pages ask for, and texts of server code; undefined without `kept` of the request, without client code, and for what an earlier process compiled. */
  readonly asked?: AskedServer | undefined;
  /** Digest of the server's code; absent for what was compiled by an earlier process. */
  readonly digest?: string;
  /**
   * Looks for the mistakes that were put off, remembers the compilation, and gives all diagnostics. To be called once; absent where nothing was
   * put off.
   */
  readonly check?: () => Promise<readonly Diagnostic[]>;
}

/** A module as `svc test` looks at it. */
export interface TestedModule {
  /** Path of the generated module in the folder. */
  readonly path: string;
  /** Absolute paths of the files it was written in, annexes too. */
  readonly files: readonly string[];
  readonly hasTests: boolean;
}

/** Facts about a compilation that are remembered besides its modules. */
export interface Notes {
  readonly entryId: string;
  readonly labels: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly modules: readonly TestedModule[];
  /** Parts of the program are TypeScript. */
  readonly hasScripts: boolean;
  readonly client?: RememberedClient | undefined;
  /** See `CompiledApp`. */
  readonly digest?: string;
}

/**
 * The program at a file as modules on disk. What an unchanged program gave the last time is used again without loading the compiler.
 * Never throws on bad source: what is wrong is in `diagnostics`.
 */
export async function compileApp(request: CompileRequest): Promise<CompiledApp> {
  const cacheDir = join(request.config.projectDir, '.svc', 'cache');
  const key: IndexKey = { cacheDir, identity: identityOf(request) };
  const known = buildId === undefined || request.reload !== undefined ? undefined : findCompiled<Notes>(key);
  const client = known && recallClient(cacheDir, known.notes.client);
  if (known !== undefined && (client === undefined) === (known.notes.client === undefined)) {
    if (known.notes.hasScripts) await installApi();
    return {
      ...known.notes,
      client,
      directory: join(cacheDir, known.folder),
      entryFile: known.entry,
      isTemporary: false,
      wasCached: true,
    };
  }
  const { buildProgram } = await import('./build-program.ts');
  const { notes, modules, client: browser, asked, inputs, check } = await buildProgram(request);
  if (notes.hasScripts) await installApi();
  const [entry] = modules;
  const compiled = { ...notes, client: browser, asked, isTemporary: false, wasCached: false };
  if (entry === undefined) return { ...compiled, directory: undefined, entryFile: '' };
  const digest = digestOf(modules, request.reload);
  if (digest === request.running) return { ...compiled, directory: '', entryFile: entry.path, digest };
  const placed = await placeModules(modules, { cacheDir, runtimeNames: request.runtimeNames, apart: request.reload });
  const made = { ...compiled, ...placed, entryFile: entry.path, digest };
  if (check === undefined) {
    await remember(notes.diagnostics);
    return made;
  }
  return {
    ...made,
    async check() {
      const diagnostics = check();
      await remember(diagnostics);
      return diagnostics;
    },
  };

  async function remember(diagnostics: readonly Diagnostic[]): Promise<void> {
    if (buildId === undefined || placed.isTemporary) return;
    const client = browser && (await rememberClient(cacheDir, browser));
    await rememberCompiled<Notes>(key, {
      folder: basename(placed.directory),
      entry: entry!.path,
      digests: placed.digests,
      inputs,
      notes: { ...notes, diagnostics, digest, client },
    });
  }
}

/** Tells whether server code differs, but for what each reload writes into it. */
function digestOf(modules: readonly CompiledModule[], reload = ''): string {
  // Lines that move are no reason to load the program anew.
  const text = modules.map(({ path, code }) => `${path}\0${code.replace(markLines, '')}`).join('\0');
  return hashText(reload === '' ? text : text.replaceAll(reload, ''));
}

const markLines = /^\s*\$at\.place = .*\n/gm;

function identityOf({
  file,
  config,
  purpose,
  entryLabel,
  env,
  runtimeNames,
  graph,
  checks,
  client,
  debug,
  marks,
  withoutEntries,
}: CompileRequest): readonly unknown[] {
  return [
    buildId,
    file,
    config.projectDir,
    config.placement.pins,
    config.client.paths,
    config.client.router,
    listedPackages(config),
    purpose,
    entryLabel ?? null,
    graph ?? 'sync',
    env['SVC_PATH'] ?? '',
    runtimeNames.length,
    checks ?? null,
    client ?? null,
    ...(debug === true ? ['debug'] : []),
    ...(marks === true ? ['marks'] : []),
    ...(withoutEntries === true ? ['without entries'] : []),
  ];
}

/** Gives the options for reading a project from disk: shared by everything that compiles. */
export function projectOptions({ config, env }: Pick<CompileRequest, 'config' | 'env'>) {
  return {
    root: config.projectDir,
    svcPath: (env['SVC_PATH'] ?? '').split(':').filter((path) => path !== ''),
    pins: config.placement.pins as Readonly<Record<string, 'server' | 'client'>>,
    aliases: config.client.paths,
    router: config.client.router,
    packages: listedPackages(config),
  };
}

function listedPackages({ dependencies: { npm, npmDev } }: CompileRequest['config']): readonly string[] {
  return [...Object.keys(npm), ...Object.keys(npmDev)];
}

/** A path of a diagnostic or source map (from the project root) as people see it: from the working directory. */
export function shownPath(projectDir: string, cwd: string, path: string): string {
  return shownPathFrom(cwd, path.startsWith('/') ? path : join(projectDir, path));
}

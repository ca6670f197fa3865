import { basename, join } from 'node:path';
import type { ClientProgram } from '../../adapters/client/client-program.ts';
import { findCompiled, type IndexKey, rememberCompiled } from '../../adapters/modules/compile-index.ts';
import type { CompiledModule } from '../../adapters/modules/compiled-module.ts';
import { placeModules } from '../../adapters/modules/place-modules.ts';
import { hashText } from '../../adapters/modules/recorded-files.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import { buildId } from '../version.ts';
import type { AskedServer, CompileRequest, Notes, TestedModule } from './compile-request.ts';
import { installApi } from './open-runtime.ts';
import { listedPackages } from './project-options.ts';
import { recallClient, rememberClient } from './remember-client.ts';

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
    await rememberBoth(diagnostics).catch(ignoreFull);
  }

  async function rememberBoth(diagnostics: readonly Diagnostic[]): Promise<void> {
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

/** Ignores that a disk is full: what it does not take is compiled again the next time. */
function ignoreFull(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
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

/** A path of a diagnostic or source map (from the project root) as people see it: from the working directory. */
export function shownPath(projectDir: string, cwd: string, path: string): string {
  return shownPathFrom(cwd, path.startsWith('/') ? path : join(projectDir, path));
}

import { basename, join } from 'node:path';
import { findCompiled, type IndexKey, rememberCompiled } from '../../adapters/modules/compile-index.ts';
import { placeModules } from '../../adapters/modules/place-modules.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import { buildId } from '../version.ts';
import { installApi } from './open-runtime.ts';

export type GraphForm = 'sync' | 'async';

export interface CompileRequest {
  /** Absolute path of the entry file. */
  readonly file: string;
  readonly config: Pick<Config, 'projectDir' | 'placement'>;
  /** `test` takes test annexes and `test` blocks along. */
  readonly purpose: 'run' | 'serve' | 'test';
  /** Labelled entry blocks that run: `__main__` unless another is asked for. */
  readonly entryLabel?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `async` for a store that cannot answer at once (decisions/0001); `sync` when absent. */
  readonly graph?: GraphForm;
  readonly runtimeNames: readonly string[];
  /** Mistakes that keep nothing from running are looked for too, by what `[check]` says; their diagnostics are remembered like others. */
  readonly checks?: Config['check'] | undefined;
  /** A reload of a process that has loaded other versions: what was compiled before is not used. Different each time. */
  readonly reload?: string;
}

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
}

/**
 * The program at a file as modules on disk. What an unchanged program gave the last time is used again without loading the compiler.
 * Never throws on bad source: what is wrong is in `diagnostics`.
 */
export async function compileApp(request: CompileRequest): Promise<CompiledApp> {
  const cacheDir = join(request.config.projectDir, '.svc', 'cache');
  const key: IndexKey = { cacheDir, identity: identityOf(request) };
  const known = buildId === undefined || request.reload !== undefined ? undefined : findCompiled<Notes>(key);
  if (known !== undefined) {
    if (known.notes.hasScripts) await installApi();
    return {
      ...known.notes,
      directory: join(cacheDir, known.folder),
      entryFile: known.entry,
      isTemporary: false,
      wasCached: true,
    };
  }
  const { buildProgram } = await import('./build-program.ts');
  const { notes, modules, inputs } = await buildProgram(request);
  if (notes.hasScripts) await installApi();
  const [entry] = modules;
  if (entry === undefined)
    return { ...notes, directory: undefined, entryFile: '', isTemporary: false, wasCached: false };
  const placed = await placeModules(modules, { cacheDir, runtimeNames: request.runtimeNames, apart: request.reload });
  if (buildId !== undefined && !placed.isTemporary) {
    const folder = basename(placed.directory);
    await rememberCompiled<Notes>(key, { folder, entry: entry.path, digests: placed.digests, inputs, notes });
  }
  return { ...notes, ...placed, entryFile: entry.path, wasCached: false };
}

function identityOf({
  file,
  config,
  purpose,
  entryLabel,
  env,
  runtimeNames,
  graph,
  checks,
}: CompileRequest): readonly unknown[] {
  return [
    buildId,
    file,
    config.projectDir,
    config.placement.pins,
    purpose,
    entryLabel ?? null,
    graph ?? 'sync',
    env['SVC_PATH'] ?? '',
    runtimeNames.length,
    checks ?? null,
  ];
}

/** Gives the options for reading a project from disk: shared by everything that compiles. */
export function projectOptions({ config, env }: Pick<CompileRequest, 'config' | 'env'>) {
  return {
    root: config.projectDir,
    svcPath: (env['SVC_PATH'] ?? '').split(':').filter((path) => path !== ''),
    pins: config.placement.pins as Readonly<Record<string, 'server' | 'client'>>,
  };
}

/** A path of a diagnostic or source map (from the project root) as people see it: from the working directory. */
export function shownPath(projectDir: string, cwd: string, path: string): string {
  return shownPathFrom(cwd, path.startsWith('/') ? path : join(projectDir, path));
}

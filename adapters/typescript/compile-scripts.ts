/**
 * TypeScript to ES modules beside those of `.svc` files. esbuild strips the types and lowers decorators, one file to one module; what a file
 * imports is decided here, so that both languages share their modules. Types are not checked (`check-types.ts` does).
 */
import { createRequire, isBuiltin } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import type { BuildResult, Message, OnResolveArgs, OnResolveResult, OutputFile, Plugin, PluginBuild } from 'esbuild';
import type { CompiledModule } from '../modules/compiled-module.ts';
import { appSpecifier, runtimeSpecifier } from '../modules/compiled-module.ts';
import type { DiskFiles } from '../modules/disk-files.ts';
import { apiModule, apiOutput } from './api-module.ts';
import { askInLoops } from './ask-in-loops.ts';
import { below, bridgeOutput, isScriptFile, scriptId, scriptOutput } from './script-files.ts';

export interface ScriptRequest {
  /** Absolute paths. */
  readonly entries: readonly string[];
  /** Project root. */
  readonly root: string;
  /** Files of the project; every read is recorded there. */
  readonly files: DiskFiles;
  /** The file whose `main` runs, if any. */
  readonly main: string | undefined;
  /** Files export the tests they declare. */
  readonly tests: boolean;
  /** Names that `svc-scale` exports. */
  readonly apiNames: readonly string[];
  /** Address of a JavaScript file, which is not compiled. */
  readonly addressOf: (path: string) => string;
}

export interface CompiledScripts {
  /** Modules in the order they were reached, each followed by its parts; those of the entries first. */
  readonly modules: readonly CompiledModule[];
  /** Absolute paths of the files that were compiled. */
  readonly scripts: readonly string[];
  /** Absolute paths of the `.svc` files they import. */
  readonly svcFiles: ReadonlySet<string>;
  /** Names that each file exports; undefined where it passes on those of another one. */
  readonly exports: ReadonlyMap<string, readonly string[] | undefined>;
  readonly problems: readonly ScriptProblem[];
}

/** Error in the text of a file. */
export interface ScriptProblem {
  /** Absolute. */
  readonly path: string;
  /** Line from 1; the column counts UTF-8 bytes from 0, as esbuild does. */
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly message: string;
}

export class MissingCompiler extends Error {}

/** @throws MissingCompiler when esbuild is not installed */
export async function compileScripts(request: ScriptRequest): Promise<CompiledScripts> {
  const { build, transform } = await loadCompiler(request);
  const state: State = {
    request,
    reached: [],
    known: new Set(),
    svcFiles: new Set(),
    exports: new Map(),
    problems: [],
  };
  for (const entry of request.entries) reach(state, entry);
  const modules: CompiledModule[] = [];
  for (let done = 0; done < state.reached.length; ) {
    const wave = state.reached.slice(done);
    done = state.reached.length;
    const result = await build({
      absWorkingDir: request.root,
      entryPoints: wave.map((path) => ({ in: path, out: scriptOutput(path, request.root).replace(/\.mjs$/, '') })),
      outdir: join(request.root, outFolder),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      sourcemap: 'external',
      sourcesContent: false,
      charset: 'utf8',
      keepNames: true,
      logLevel: 'silent',
      metafile: true,
      plugins: [linker(state)],
    }).catch((error: unknown) => {
      const { errors } = error as { errors?: readonly Message[] };
      if (!Array.isArray(errors)) throw error;
      state.problems.push(...errors.map((message) => problemOf(message, wave[0]!, request.root)));
      return undefined;
    });
    if (result === undefined) break;
    for (const path of wave) {
      const written = moduleOf(state, path, result.outputFiles);
      modules.push({ ...written[0], code: await asking(written[0].code, transform) }, written[1]);
    }
    noteExports(state, wave, result);
  }
  const { reached: scripts, svcFiles, exports, problems } = state;
  return { modules, scripts, svcFiles, exports, problems };
}

type Built = BuildResult<{ metafile: true; write: false }>;

interface State {
  readonly request: ScriptRequest;
  readonly reached: string[];
  readonly known: Set<string>;
  readonly svcFiles: Set<string>;
  readonly exports: Map<string, readonly string[] | undefined>;
  readonly problems: ScriptProblem[];
}

const outFolder = '.svc/scripts';

async function loadCompiler({ files }: ScriptRequest): Promise<typeof import('esbuild')> {
  try {
    const compiler = await import('esbuild');
    // Another version may compile the same text to something else.
    files.readFile(createRequire(import.meta.url).resolve('esbuild/package.json'));
    return compiler;
  } catch (error) {
    throw new MissingCompiler('esbuild, which compiles TypeScript, is not installed', { cause: error });
  }
}

function reach(state: State, path: string): void {
  if (state.known.has(path)) return;
  state.known.add(path);
  state.reached.push(path);
}

/** Decides every import; all but JSON stay imports, of the modules that take the place of the files. */
function linker(state: State): Plugin {
  const { request } = state;
  return {
    name: 'svc',
    setup(build) {
      build.onResolve({ filter: /.*/ }, (args) => link(state, build, args));
      build.onLoad({ filter: /\.[mc]?tsx?$/ }, ({ path }) => {
        const contents = request.files.readFile(path);
        if (contents === undefined) return undefined;
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

const ours = 'svc';

async function link(state: State, build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
  const { request } = state;
  const { root, files } = request;
  if (args.kind === 'entry-point' || args.pluginData === ours) return undefined;
  const { path: specifier, importer } = args;
  const external = (path: string): OnResolveResult => ({ path, external: true });
  if (specifier === 'svc-scale') return external(appSpecifier + apiOutput(importer, root));
  if (specifier === 'svc-scale/runtime') return external(runtimeSpecifier);
  if (isBuiltin(specifier)) return external(specifier);
  if (specifier.endsWith('.svc')) return linkSvc(state, args);
  const { resolveDir, kind, with: attributes } = args;
  const found = await build.resolve(specifier, { resolveDir, importer, kind, with: attributes, pluginData: ours });
  if (found.errors.length > 0) return { errors: [{ text: `cannot find module '${specifier}'` }] };
  const { path } = found;
  if (found.external || /[/\\]node_modules[/\\]/.test(path)) return external(specifier);
  // Other files in the folder decide which file an import means, so the folder is read.
  files.listDir(dirname(path));
  if (isScriptFile(path)) {
    reach(state, path);
    return external(appSpecifier + scriptOutput(path, root));
  }
  if (path.endsWith('.json')) {
    files.readFile(path);
    return { path };
  }
  if (/\.[mc]?js$/.test(path)) return external(request.addressOf(path));
  return { errors: [{ text: `server code cannot import '${extname(path)}' files` }] };
}

function linkSvc({ request, svcFiles }: State, { path, resolveDir }: OnResolveArgs): OnResolveResult {
  const file = path.startsWith('.') ? resolve(resolveDir, path) : resolve(request.root, path);
  if (request.files.exists(file) !== 'file') return { errors: [{ text: `cannot find ${below(file, request.root)}` }] };
  svcFiles.add(file);
  return { path: appSpecifier + bridgeOutput(file, request.root), external: true };
}

function moduleOf(
  state: State,
  path: string,
  outputs: readonly OutputFile[],
): [own: CompiledModule, api: CompiledModule] {
  const { request } = state;
  const { root } = request;
  const output = scriptOutput(path, root);
  const target = join(root, outFolder, output);
  const code = outputs.find((file) => file.path === target)?.text ?? '';
  const map = outputs.find((file) => file.path === `${target}.map`)?.text ?? '{}';
  const info = {
    id: scriptId(path, root),
    file: below(path, root),
    isMain: path === request.main,
    text: request.files.readFile(path) ?? '',
  };
  const api = apiOutput(path, root);
  return [
    {
      path: output,
      code: request.tests ? `${code}export { $tests } from ${JSON.stringify(appSpecifier + api)};` : code,
      map: placeSources(map, target, root),
    },
    { path: api, code: apiModule(info, request.apiNames), map: emptyMap },
  ];
}

/** Text that asks whether its time is up, unless what came of it is no JavaScript. */
async function asking(code: string, transform: (text: string) => Promise<unknown>): Promise<string> {
  const text = askInLoops(code);
  return transform(text).then(
    () => text,
    () => code,
  );
}

function noteExports({ request, exports }: State, wave: readonly string[], { metafile, outputFiles }: Built): void {
  for (const path of wave) {
    const output = `${outFolder}/${scriptOutput(path, request.root)}`;
    const code = outputFiles.find((file) => file.path === join(request.root, output))?.text ?? '';
    exports.set(path, /^export \* from/m.test(code) ? undefined : metafile.outputs[output]?.exports);
  }
}

const emptyMap = '{"version":3,"sources":[],"names":[],"mappings":""}';

/** esbuild names sources from the output file; traces name them from the project root. */
function placeSources(text: string, target: string, root: string): string {
  const map = JSON.parse(text) as { sources?: string[] };
  const sources = (map.sources ?? []).map((source) => below(resolve(dirname(target), source), root));
  return JSON.stringify({ ...map, sources });
}

function problemOf({ text, location }: Message, fallback: string, root: string): ScriptProblem {
  return {
    path: location === null ? fallback : resolve(root, location.file),
    line: location?.line ?? 1,
    column: location?.column ?? 0,
    length: location?.length ?? 0,
    message: text,
  };
}

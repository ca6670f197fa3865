/** The compiled program of a bundle, with its settings and pages: the part that functions and workers have in common. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { settingsFile } from '../../adapters/config/read-packed-config.ts';
import { keepResult, type Made } from '../../adapters/modules/kept-result.ts';
import { isRare } from '../../library/registry.ts';
import '../../core/modules/modules.ts';
import { type LeftOut, type Packed, packSettings } from '../../core/config/packed-settings.ts';
import type { ConfigFile } from '../../core/config/resolve.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import type { Files } from '../../infra/files.ts';
import type { BundledProgram } from '../functions/open-bundle.ts';
import type { Runnable } from '../start/reload.ts';
import { buildId } from '../version.ts';
import { loadBundler } from './load-bundler.ts';
import { filesRead, type Outputs, readOutputs, sizesOf } from './outputs.ts';

export interface ProgramRequest {
  readonly compiled: Runnable;
  /** `svc.toml`, if there is one. */
  readonly configFile: ConfigFile | undefined;
  /** The built browser application with its files; absent when the program has none. */
  readonly client?: { readonly page: PageFacts; readonly files: Files } | undefined;
  /** Folder of the project that keeps the bundled program; absent: it is bundled each time. */
  readonly cache?: string | undefined;
}

export interface ProgramBundle {
  readonly outputs: Outputs;
  /** Modules, maps of places, settings, pages. */
  readonly files: Files;
  /** Secrets of the configuration, which are in none of the files. */
  readonly leftOut: readonly LeftOut[];
  /** The program or what it imports asks for `kvstore`. */
  readonly asksDatabases: boolean;
  /** The program may import standard modules that hardly any program does. */
  readonly keepsRare: boolean;
  /** Bytes of the files by where they come from: packages, the program. */
  readonly sizes: ReadonlyMap<string, number>;
}

/**
 * `options`: those of the target, with what stays outside of the bundle. `isCalled`: the bundle's module runs nothing by itself, it exports
 * `load`, which does and gives the exports of the program's entry module.
 */
export async function bundleProgram(
  { compiled, configFile, client, cache }: ProgramRequest,
  options: BuildOptions & { readonly banner?: { readonly js: string } },
  isCalled = false,
): Promise<ProgramBundle> {
  const { build, version } = await loadBundler();
  const entry = join(compiled.directory, compiled.entryFile);
  // The folder is named by what is in it.
  const identity = [
    buildId,
    version,
    compiled.directory,
    compiled.entryFile,
    compiled.hasScripts,
    isCalled,
    shown(options),
  ];
  const key = cache === undefined ? undefined : { folder: cache, name: 'bundle', identity };
  const { outputs, ...made } = await keepResult(key, async (): Promise<Made<BundledOutputs>> => {
    const result = await build({
      ...options,
      write: false,
      metafile: true,
      entryPoints: { 'app/main': isCalled ? 'called-program' : entry },
      chunkNames: 'app/[name]-[hash]',
      plugins: [fileAddresses, ...(isCalled ? [calledProgram(entry)] : []), ...(options.plugins ?? [])],
    });
    const outputs = readOutputs(result, options.banner?.js);
    return {
      result: {
        outputs,
        sizes: [...sizesOf(result.metafile, Object.keys(outputs), 'the program')],
        asksDatabases: Object.values(outputs).some(({ text }) => /\bkvstore\b/.test(text)),
        keepsRare: compiled.hasScripts || (await importsRareModules(result.metafile, compiled.directory)),
      },
      files: filesRead(result.metafile),
    };
  });
  const packed = packSettings(configFile ?? noFile);
  return {
    ...{ ...made, outputs, leftOut: packed.leftOut },
    sizes: new Map(made.sizes),
    files: {
      ...textsOf(outputs),
      ...placesOf(outputs, compiled.directory),
      ...settingsOf(packed),
      ...client?.files,
    },
  };
}

interface BundledOutputs extends Pick<ProgramBundle, 'outputs' | 'asksDatabases' | 'keepsRare'> {
  readonly sizes: readonly (readonly [string, number])[];
}

/** Options by which builds differ; of plugins their names. */
function shown({ plugins = [], ...options }: BuildOptions): unknown {
  return { ...options, plugins: plugins.map(({ name }) => name) };
}

/** `app/program.json`; `all`: every file of the bundle but that one. */
export function programNote(
  { compiled, client, hasLive = false }: ProgramRequest & { readonly hasLive?: boolean },
  drivers: BundledProgram['drivers'],
  all: Files,
): Files {
  const note: BundledProgram = {
    entryFile: 'main.mjs',
    entryId: compiled.entryId,
    hasScripts: compiled.hasScripts,
    drivers,
    ...(hasLive ? { hasLive } : {}),
    ...(client === undefined ? {} : { page: client.page }),
    deployment: digestOf(all),
  };
  return { 'app/program.json': Buffer.from(JSON.stringify(note)) };
}

/** Compiled modules name what they load in one line before anything else (library/registry.ts); what cannot be read for sure counts as rare. */
async function importsRareModules({ inputs }: Metafile, directory: string): Promise<boolean> {
  const compiled = Object.keys(inputs).filter((path) => resolve(path).startsWith(directory));
  const texts = await Promise.all(compiled.map((path) => readFile(path, 'utf8')));
  return texts.some((text) =>
    [...text.matchAll(/\.load\(([^)]*)\)/g)].some(([, names]) => {
      const isList = /^"[\w.]+"(, "[\w.]+")*$/.test(names!);
      return !isList || (JSON.parse(`[${names}]`) as string[]).some(isRare);
    }),
  );
}

/** Leaves out the standard modules that hardly any program imports; together they are a quarter of an archive. */
export const noRareModules: Plugin = {
  name: 'no-rare-modules',
  setup(build) {
    build.onResolve({ filter: /\/rare-modules(-\w+)?\.m?[jt]s$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'rare-modules', namespace: 'left-out' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'export const readRare = () => [];' }));
  },
};

/** Leaves out live subscriptions and topics, which a program that has none never asks for. */
export const noLive: Plugin = {
  name: 'no-live',
  setup(build) {
    build.onResolve({ filter: /\/(?:open-live|live-app|live-routes)(-\w+)?\.m?[jt]s$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'live', namespace: 'no-live' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'no-live' }, () => ({ contents: 'export {};' }));
  },
};

export const noFile: ConfigFile = {
  name: 'svc.toml',
  root: { kind: 'table', at: { line: 1, col: 1 }, members: new Map() },
  findings: [],
};

export function settingsOf({ settings }: Packed): Files {
  return {
    'package.json': Buffer.from('{"type":"module"}'),
    [settingsFile]: Buffer.from(JSON.stringify(settings)),
  };
}

/** A bundler that splits nothing makes functions of modules that are imported when they are needed. */
function calledProgram(entry: string): Plugin {
  return {
    name: 'called-program',
    setup(build) {
      build.onResolve({ filter: /^called-program$/ }, ({ path }) => ({ path, namespace: 'called' }));
      build.onLoad({ filter: /./, namespace: 'called' }, () => ({
        contents: `export const load = () => import(${JSON.stringify(entry)});`,
        resolveDir: dirname(entry),
      }));
    },
  };
}

/** Compiled code names JavaScript files of the project by address. */
const fileAddresses: Plugin = {
  name: 'file-addresses',
  setup(build) {
    build.onResolve({ filter: /^file:/ }, ({ path }) => ({
      path: fileURLToPath(new URL(path).href.replace(/\?.*$/, '')),
    }));
  },
};

export function textsOf(outputs: Outputs): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(outputs).map(([path, { text }]) => [path, Buffer.from(text)]));
}

/** Maps of the program that lead to lines of its source and hold none of it: for the places in answers and logs (decisions/0060). */
function placesOf(outputs: Outputs, directory: string): Record<string, Uint8Array> {
  const places = Object.entries(outputs).flatMap(([path, { map }]) => {
    if (map === undefined) return [];
    const { version, sources, names, mappings } = JSON.parse(map) as SourceMap;
    const shown = sources.map((source) => relative(directory, join('/', dirname(path), source)));
    return [[`${path}.map`, Buffer.from(JSON.stringify({ version, sources: shown, names, mappings }))] as const];
  });
  return Object.fromEntries(places);
}

interface SourceMap {
  readonly version: number;
  readonly sources: readonly string[];
  readonly names: readonly string[];
  readonly mappings: string;
}

/** The entry as this process has it: a source file, or a file of the bundled command line. */
export function bundleEntry(name: string): string {
  const self = import.meta.url;
  const folder = self.endsWith('.ts') ? new URL('../functions/', self) : bundledFunctions(self);
  return fileURLToPath(new URL(self.endsWith('.ts') ? `${name}.ts` : `${name}.mjs`, folder));
}

function bundledFunctions(self: string): URL {
  return new URL(self.includes('/chunks/') ? '../functions/' : './functions/', self);
}

function digestOf(files: Files): string {
  const hash = createHash('sha256');
  for (const [path, contents] of sorted(files)) hash.update(`${path}\0${contents.length}\0`).update(contents);
  return hash.digest('hex').slice(0, 32);
}

export function sorted(files: Files): [string, Uint8Array][] {
  return Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Bundles a compiled program and the runtime into the functions of the cloud target (server.md 21.3). */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild';
import type { ZipInputFile } from 'fflate';
import { settingsFile } from '../../adapters/config/read-packed-config.ts';
import { isRare } from '../../library/registry.ts';
import '../../core/modules/modules.ts';
import type { Config, ConfigPath } from '../../core/config/config.ts';
import { optionAt } from '../../core/config/options.ts';
import { type LeftOut, type Packed, packSettings } from '../../core/config/packed-settings.ts';
import type { ConfigFile } from '../../core/config/resolve.ts';
import { writesOption } from '../../core/config/written-keys.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import type { FunctionName } from '../../infra/cloud/needs.ts';
import type { Files } from '../../infra/files.ts';
import { type BundledProgram, type Driver, drivers } from '../functions/open-function.ts';
import type { Runnable } from '../start/reload.ts';
import { joinStart } from './join-start.ts';
import { loadBundler } from './load-bundler.ts';
import { archivePath, type Outputs, reachable, readOutputs } from './outputs.ts';

export interface FunctionBundle {
  readonly name: FunctionName;
  readonly files: Files;
  /** Bytes of the archive's files by where they come from: packages, the program, the runtime. */
  readonly packages: ReadonlyMap<string, number>;
}

export interface FunctionBundles {
  readonly functions: readonly FunctionBundle[];
  /** Source maps of the runtime's and the program's files, by the same paths and `.map`. Not part of any function. */
  readonly maps: Files;
  /** Secrets of the configuration, which are in no function. */
  readonly leftOut: readonly LeftOut[];
  /** Source files that went into a function, for those who want to know. */
  readonly inputs: readonly string[];
}

export interface BundleRequest {
  readonly compiled: Runnable;
  /** `svc.toml`, if there is one. */
  readonly configFile: ConfigFile | undefined;
  readonly database: Config['scale']['database'];
  /** Node version, `22`. */
  readonly node: string;
  readonly functions: readonly FunctionName[];
  /** The built browser application with its files; absent when the program has none. */
  readonly client?: { readonly page: PageFacts; readonly files: Files } | undefined;
}

/** Parts of the function's runtime environment, and what functions have no use for. */
const external = [
  '@aws-sdk/*',
  '@smithy/*',
  '@node-rs/*',
  'libsql',
  '@libsql/*',
  'better-sqlite3',
  'esbuild',
  'typescript',
];

export async function bundleFunctions(request: BundleRequest): Promise<FunctionBundles> {
  const { build } = await loadBundler();
  const { compiled, node } = request;
  const shared = {
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: `node${node}`,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: 'external',
    outdir: '/',
    logLevel: 'silent',
  } as const satisfies BuildOptions;
  // CommonJS packages need `require`. It is made when it is called: most files never do.
  const banner = {
    js: "const require=/* @__PURE__ */Object.assign(id=>$$r()(id),{resolve:id=>$$r().resolve(id)});function $$r(){return process.getBuiltinModule('node:module').createRequire(import.meta.url)}",
  };
  const entryPoints = Object.fromEntries(request.functions.map((name) => [`handlers/${name}`, functionEntry(name)]));
  const program = await build({
    ...shared,
    external: [...external, ...drivers],
    entryPoints: { 'app/main': join(compiled.directory, compiled.entryFile) },
    chunkNames: 'app/[name]-[hash]',
    plugins: [fileAddresses],
  });
  const used = usedDrivers(request, program.outputFiles);
  const unused = drivers.filter((name) => !used.includes(name));
  const keepsRare = compiled.hasScripts || (await importsRareModules(program.metafile, compiled.directory));
  const runtime = await build({
    ...shared,
    external: [...external, ...unused],
    plugins: [...(used.includes('mongodb') ? [namedExports('mongodb')] : []), ...(keepsRare ? [] : [noRareModules])],
    entryPoints,
    banner,
  });
  const outputs = readOutputs(runtime, banner.js);
  const ofCalls = request.functions.filter((name) => name !== 'sweeper');
  const started = await joinStart(outputs, ofCalls.map(entryOf), shared);
  const sweeps = ofCalls.length < request.functions.length;
  const swept = sweeps ? pick(outputs, reachable(outputs, entryOf('sweeper'))) : {};
  const packed = packSettings(request.configFile ?? noFile);
  const settings = settingsOf(packed);
  const app = readOutputs(program);
  const { page, files: pageFiles = {} } = request.client ?? {};
  const parts: Files = { ...textsOf(app), ...placesOf(app, compiled.directory), ...settings, ...pageFiles };
  const note: BundledProgram = {
    entryFile: 'main.mjs',
    entryId: compiled.entryId,
    hasScripts: compiled.hasScripts,
    drivers: used,
    ...(page === undefined ? {} : { page }),
    deployment: digestOf({ ...textsOf({ ...swept, ...started }), ...parts }),
  };
  const common: Files = { ...parts, 'app/program.json': Buffer.from(JSON.stringify(note)) };
  const ofProgram = sizesOf(program.metafile, Object.keys(app), 'the program');
  const bundleOf = (name: FunctionName): FunctionBundle => {
    const ofRuntime = sizesOf(runtime.metafile, reachable(outputs, entryOf(name)), 'the runtime');
    if (name === 'sweeper') {
      const files = { ...textsOf(swept), ...settingsOf(packSettings(request.configFile ?? noFile, ofSweeper)) };
      return { name, files, packages: ofRuntime };
    }
    const own = textsOf(pick(started, reachable(started, entryOf(name))));
    return { name, files: { ...own, ...common }, packages: joined(ofRuntime, ofProgram) };
  };
  return {
    functions: request.functions.map(bundleOf),
    leftOut: packed.leftOut,
    maps: { ...mapsOf(swept), ...mapsOf(started), ...mapsOf(app) },
    inputs: Object.keys(runtime.metafile.inputs),
  };
}

/**
 * A driver is packaged when the configuration names a database of its kind, in any profile, or when the program may name one itself
 * (server.md 21.3, decisions/0109). All of them are loaded when first asked.
 */
function usedDrivers({ configFile, database }: BundleRequest, program: readonly OutputFile[]): Driver[] {
  const isWritten = (path: ConfigPath) => configFile !== undefined && writesOption(configFile.root, path);
  const asksItself = program.some(({ path, text }) => !path.endsWith('.map') && /\bkvstore\b/.test(text));
  const hasMongo = database.docdbUri !== '' || database.store === 'docdb' || isWritten('scale.database.docdbUri');
  const hasRedis = database.kvcacheUrl !== '' || isWritten('scale.database.kvcacheUrl');
  return [
    ...(asksItself || hasMongo ? ['mongodb' as const] : []),
    ...(asksItself || hasRedis ? ['ioredis' as const] : []),
  ];
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
const noRareModules: Plugin = {
  name: 'no-rare-modules',
  setup(build) {
    build.onResolve({ filter: /\/rare-modules(-\w+)?\.m?[jt]s$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'rare-modules', namespace: 'left-out' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'export const readRare = () => [];' }));
  },
};

const noFile: ConfigFile = {
  name: 'svc.toml',
  root: { kind: 'table', at: { line: 1, col: 1 }, members: new Map() },
  findings: [],
};

/** The sweeper has no secrets and is asked for nothing that needs some. */
const ofSweeper = (path: ConfigPath) =>
  /^(project|scale\.(database|websocket|logging|orchestrator|cloud))\./.test(path) &&
  path !== 'scale.database.store' &&
  optionAt(path).secret !== true;

function settingsOf({ settings }: Packed): Files {
  return {
    'package.json': Buffer.from('{"type":"module"}'),
    [settingsFile]: Buffer.from(JSON.stringify(settings)),
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

/** A lazily loaded CommonJS package keeps the named exports that Node gives it; bundled as it is, it would have a default one only. */
function namedExports(name: string): Plugin {
  return {
    name: 'named-exports',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind, resolveDir }) =>
        kind === 'dynamic-import' ? { path: name, namespace: 'named-exports', pluginData: resolveDir } : undefined,
      );
      build.onLoad({ filter: /./, namespace: 'named-exports' }, async ({ pluginData }) => {
        const names = Object.keys(await import(name)).filter(
          (one) => /^[A-Za-z_$][\w$]*$/.test(one) && one !== 'default',
        );
        return { contents: `export { ${names.join(', ')} } from '${name}';`, resolveDir: String(pluginData) };
      });
    },
  };
}

/** The entry as this process has it: a source file, or a file of the bundled command line. */
function functionEntry(name: FunctionName): string {
  const self = import.meta.url;
  const folder = self.endsWith('.ts') ? new URL('../functions/', self) : bundledFunctions(self);
  return fileURLToPath(new URL(self.endsWith('.ts') ? `${name}.ts` : `${name}.mjs`, folder));
}

function bundledFunctions(self: string): URL {
  return new URL(self.includes('/chunks/') ? '../functions/' : './functions/', self);
}

function entryOf(name: string): string {
  return `handlers/${name}.mjs`;
}

function pick(outputs: Outputs, paths: Iterable<string>): Outputs {
  return Object.fromEntries([...paths].map((path) => [path, outputs[path]!]));
}

/** Counts the bytes that each package, and the code of none of them, puts into outputs. */
function sizesOf({ outputs }: Metafile, paths: Iterable<string>, rest: string): Map<string, number> {
  const wanted = new Set(paths);
  const sizes = new Map<string, number>();
  for (const [path, { inputs }] of Object.entries(outputs)) {
    if (!wanted.has(archivePath(path))) continue;
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? rest;
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return sizes;
}

function joined(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map(some);
  for (const [name, bytes] of others) sums.set(name, (sums.get(name) ?? 0) + bytes);
  return sums;
}

function textsOf(outputs: Outputs): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(outputs).map(([path, { text }]) => [path, Buffer.from(text)]));
}

function mapsOf(outputs: Outputs): Record<string, Uint8Array> {
  const entries = Object.entries(outputs).filter(([, { map }]) => map !== undefined);
  return Object.fromEntries(entries.map(([path, { map }]) => [`${path}.map`, Buffer.from(map!)]));
}

/** Maps of the program that lead to lines of its source and hold none of it: for the places in answers and logs (decisions/0105). */
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

function digestOf(files: Files): string {
  const hash = createHash('sha256');
  for (const [path, contents] of sorted(files)) hash.update(`${path}\0${contents.length}\0`).update(contents);
  return hash.digest('hex').slice(0, 32);
}

function sorted(files: Files): [string, Uint8Array][] {
  return Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The archives of functions, reproducible: same files and same version of Node, same bytes. Deflated by Node, 3 % smaller than by fflate. */
export async function zipFiles(files: Files): Promise<Uint8Array> {
  const { Zip } = await import('fflate');
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  for (const [filename, contents] of sorted(files)) {
    const mtime = new Date(1980, 0, 1);
    const file: ZipInputFile = { filename, size: contents.length, crc: crc32(contents), compression: deflated, mtime };
    zip.add(file);
    file.ondata!(null, deflateRawSync(contents, { level: 9, memLevel: 9 }), true);
  }
  zip.end();
  return Buffer.concat(pieces);
}

/** Method 8 of PKZIP's APPNOTE, 4.4.5. */
const deflated = 8;

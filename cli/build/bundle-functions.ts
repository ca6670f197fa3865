/** Bundles a compiled program and the runtime into the functions of the cloud target (docs/server/cloud.md#archives). */
import { crc32, deflateRawSync } from 'node:zlib';
import type { BuildOptions, Plugin } from 'esbuild';
import type { ZipInputFile } from 'fflate';
import { keepResult, type Made } from '../../adapters/modules/kept-result.ts';
import type { Config, ConfigPath } from '../../core/config/config.ts';
import { optionAt } from '../../core/config/options.ts';
import { type LeftOut, packSettings } from '../../core/config/packed-settings.ts';
import { writesOption } from '../../core/config/written-keys.ts';
import type { FunctionName } from '../../infra/cloud/needs.ts';
import type { Files } from '../../infra/files.ts';
import { type Driver, drivers } from '../functions/open-bundle.ts';
import { buildId } from '../version.ts';
import {
  bundleEntry,
  bundleProgram,
  noFile,
  noLive,
  noRareModules,
  type ProgramRequest,
  programNote,
  settingsOf,
  sorted,
  textsOf,
} from './bundle-program.ts';
import { joinStart } from './join-start.ts';
import { loadBundler } from './load-bundler.ts';
import { filesRead, type Outputs, reachable, readOutputs, sizesOf } from './outputs.ts';

/** Functions of AWS, or the one of Azure. */
export type BundledFunction = FunctionName | 'azure';

export interface FunctionBundle {
  readonly name: BundledFunction;
  readonly files: Files;
  /** Bytes of the archive's files by where they come from: packages, the program, the runtime. */
  readonly packages: ReadonlyMap<string, number>;
}

export interface FunctionBundles {
  readonly functions: readonly FunctionBundle[];
  /** Source maps of the runtime's and the program's files, by the same paths and `.map`. Not part of any function; empty unless asked for. */
  readonly maps: Files;
  /** Secrets of the configuration, which are in no function. */
  readonly leftOut: readonly LeftOut[];
}

export interface BundleRequest extends ProgramRequest {
  readonly database: Config['scale']['database'];
  /** File storage, where the platform does not bring the client for buckets along. */
  readonly storage?: Pick<Config['storage'], 'storageType' | 's3'>;
  /** Node version, `22`. */
  readonly node: string;
  readonly functions: readonly BundledFunction[];
  /** Source maps are wanted as well, which nothing that is deployed has: joining them is a quarter of the work. */
  readonly hasMaps?: boolean;
  /** Folder that keeps the bundled runtime for all programs; absent: it is bundled each time. */
  readonly ownCache?: string | undefined;
}

/** Packages that are there where functions of AWS run. */
const ofAws = ['@aws-sdk/*', '@smithy/*'];

/** Packages of AWS that an application elsewhere has no use for. */
const notElsewhere = ['@aws-sdk/client-apigatewaymanagementapi', '@aws-sdk/client-ssm'];

/** Parts of the runtime environment of Azure, and what functions have no use for. */
const external = [
  '@azure/functions-core',
  '@node-rs/*',
  'libsql',
  '@libsql/*',
  'better-sqlite3',
  'esbuild',
  'typescript',
];

export async function bundleFunctions(request: BundleRequest): Promise<FunctionBundles> {
  const { build, version } = await loadBundler();
  const { node } = request;
  const own = ownClients(request);
  const outside = [...external, ...outsideOf(own)];
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
  const program = await bundleProgram(request, { ...shared, external: [...outside, ...drivers] });
  const used = usedDrivers(request, program.asksDatabases);
  const unused = drivers.filter((name) => !used.includes(name));
  const { keepsRare } = program;
  const { functions, ownCache, hasMaps = false } = request;
  const hasLive = functions.includes('live');
  const identity = [buildId, version, node, functions, used, keepsRare, hasLive, own, hasMaps];
  const key = ownCache === undefined ? undefined : { folder: ownCache, name: 'functions', identity };
  const { started, swept, sizes } = await keepResult(key, async (): Promise<Made<RuntimeBundle>> => {
    const runtime = await build({
      ...shared,
      external: [...outside, ...unused],
      plugins: [
        ...(used.includes('mongodb') ? [namedExports('mongodb')] : []),
        ...own.map(namedExports),
        ...(keepsRare ? [] : [noRareModules]),
        ...(hasLive ? [] : [noLive]),
      ],
      entryPoints: Object.fromEntries(functions.map((name) => [`handlers/${name}`, bundleEntry(name)])),
      banner,
    });
    // Names of files depend on whether there are maps, so that those of a build fit what is deployed they are made, and left there.
    const made = readOutputs(runtime, banner.js);
    const outputs = hasMaps ? made : withoutMaps(made);
    const ofCalls = functions.filter((name) => name !== 'sweeper' && name !== 'live');
    const sizesOfOne = (name: BundledFunction) =>
      sizesOf(runtime.metafile, reachable(outputs, entryOf(name)), 'the runtime');
    return {
      result: {
        started: await joinStart(
          outputs,
          ofCalls.map(entryOf),
          hasMaps ? shared : { ...shared, sourcemap: false },
          hasLive ? [entryOf('live')] : [],
        ),
        swept: functions.includes('sweeper') ? pick(outputs, reachable(outputs, entryOf('sweeper'))) : {},
        sizes: Object.fromEntries(functions.map((name) => [name, [...sizesOfOne(name)]])),
      },
      files: filesRead(runtime.metafile),
    };
  });
  const texts = { ...textsOf(swept), ...textsOf(started) };
  const note = programNote({ ...request, hasLive }, used, { ...texts, ...program.files });
  const common: Files = { ...program.files, ...note };
  const bundleOf = (name: BundledFunction): FunctionBundle => {
    const ofRuntime = new Map(sizes[name]);
    if (name === 'sweeper') {
      const files = { ...textsOf(swept), ...settingsOf(packSettings(request.configFile ?? noFile, ofSweeper)) };
      return { name, files, packages: ofRuntime };
    }
    const own = Object.fromEntries([...reachable(started, entryOf(name))].map((path) => [path, texts[path]!]));
    return { name, files: { ...own, ...common }, packages: joined(ofRuntime, program.sizes) };
  };
  return {
    functions: functions.map(bundleOf),
    leftOut: program.leftOut,
    maps: hasMaps ? { ...mapsOf(swept), ...mapsOf(started), ...mapsOf(program.outputs) } : {},
  };
}

/** The runtime in functions, which is the same for programs that need the same. */
interface RuntimeBundle {
  /** Files of the functions that run the program. */
  readonly started: Outputs;
  readonly swept: Outputs;
  readonly sizes: Readonly<Record<string, readonly (readonly [string, number])[]>>;
}

/** Clients of AWS that an application elsewhere reaches: of its table, unless its graph is in a document database, and of its buckets. */
function ownClients({ functions, database, storage }: BundleRequest): string[] {
  if (!functions.includes('azure')) return [];
  const isElsewhere = database.databaseUrl !== '' || database.docdbUri !== '';
  const hasTable = !isElsewhere && database.store !== 'docdb' && database.store !== 'postgres';
  const hasBuckets = storage?.storageType === 's3' || (storage?.s3.bucket ?? '') !== '';
  return [...(hasTable ? [clients.table] : []), ...(hasBuckets ? [clients.buckets] : [])];
}

const clients = { table: '@aws-sdk/client-dynamodb', buckets: '@aws-sdk/client-s3' };

function outsideOf(own: readonly string[]): readonly string[] {
  if (own.length === 0) return ofAws;
  return [...notElsewhere, ...Object.values(clients).filter((name) => !own.includes(name))];
}

/**
 * A driver is packaged when the configuration names a database of its kind, in any profile, or when the program may name one itself
 * (docs/server/cloud.md#archives, decisions/0061). All of them are loaded when first asked.
 */
function usedDrivers({ configFile, database }: BundleRequest, asksItself: boolean): Driver[] {
  const isWritten = (path: ConfigPath) => configFile !== undefined && writesOption(configFile.root, path);
  const hasMongo = database.docdbUri !== '' || database.store === 'docdb' || isWritten('scale.database.docdbUri');
  const hasPostgres =
    database.databaseUrl !== '' || database.store === 'postgres' || isWritten('scale.database.databaseUrl');
  const hasRedis = database.kvcacheUrl !== '' || isWritten('scale.database.kvcacheUrl');
  return [
    ...(asksItself || hasMongo ? ['mongodb' as const] : []),
    ...(asksItself || hasRedis ? ['ioredis' as const] : []),
    ...(hasPostgres ? ['pg' as const] : []),
  ];
}

/** The sweeper has no secrets and is asked for nothing that needs some. */
const ofSweeper = (path: ConfigPath) =>
  /^(project|scale\.(database|websocket|logging|orchestrator|cloud))\./.test(path) &&
  path !== 'scale.database.store' &&
  optionAt(path).secret !== true;

/** A lazily loaded CommonJS package keeps the named exports that Node gives it; bundled as it is, it would have a default one only. */
function namedExports(name: string): Plugin {
  return {
    name: 'named-exports',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind, resolveDir }) =>
        kind === 'dynamic-import' ? { path: name, namespace: 'named-exports', pluginData: resolveDir } : undefined,
      );
      // One plugin of this kind loads for all of them.
      build.onLoad({ filter: /./, namespace: 'named-exports' }, async ({ path, pluginData }) => {
        const names = Object.keys(await import(path)).filter(
          (one) => /^[A-Za-z_$][\w$]*$/.test(one) && one !== 'default',
        );
        return { contents: `export { ${names.join(', ')} } from '${path}';`, resolveDir: String(pluginData) };
      });
    },
  };
}

function entryOf(name: string): string {
  return `handlers/${name}.mjs`;
}

function pick(outputs: Outputs, paths: Iterable<string>): Outputs {
  return Object.fromEntries([...paths].map((path) => [path, outputs[path]!]));
}

function joined(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map(some);
  for (const [name, bytes] of others) sums.set(name, (sums.get(name) ?? 0) + bytes);
  return sums;
}

function withoutMaps(outputs: Outputs): Outputs {
  return Object.fromEntries(Object.entries(outputs).map(([path, output]) => [path, { ...output, map: undefined }]));
}

function mapsOf(outputs: Outputs): Record<string, Uint8Array> {
  const entries = Object.entries(outputs).filter(([, { map }]) => map !== undefined);
  return Object.fromEntries(entries.map(([path, { map }]) => [`${path}.map`, Buffer.from(map!)]));
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

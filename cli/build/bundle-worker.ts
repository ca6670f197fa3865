/** Bundles a compiled program and the runtime into a worker for the edge (docs/hono.md#edge): the layout of a function's archive. */
import { builtinModules } from 'node:module';
import type { BuildOptions, Plugin } from 'esbuild';
import type { LeftOut } from '../../core/config/packed-settings.ts';
import type { Files } from '../../infra/files.ts';
import {
  bundleEntry,
  bundleProgram,
  noRareModules,
  type ProgramRequest,
  programNote,
  textsOf,
} from './bundle-program.ts';
import { loadBundler } from './load-bundler.ts';
import { readOutputs } from './outputs.ts';

export interface WorkerBundle {
  /** Modules of the worker and files it reads, by path. */
  readonly files: Files;
  /** Secrets of the configuration, which are not in the worker. */
  readonly leftOut: readonly LeftOut[];
  readonly asksDatabases: boolean;
}

/** @throws Error of the bundler */
export async function bundleWorker(request: ProgramRequest): Promise<WorkerBundle> {
  const { build } = await loadBundler();
  const shared = {
    bundle: true,
    format: 'esm',
    // Packages that have a build for browsers speak Fetch there; what they need of Node is in workerd all the same.
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    outExtension: { '.js': '.mjs' },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: 'external',
    outdir: '/',
    logLevel: 'silent',
    loader: { '.html': 'text', '.css': 'text', '.svg': 'text' },
    plugins: [builtins, absentPackages],
    banner: { js: 'const require=id=>process.getBuiltinModule(id);' },
    // A module of a worker has no address; the runtime knows its own code by it.
    define: { 'import.meta.url': '"file:///bundle/runtime/worker.mjs"' },
  } as const satisfies BuildOptions;
  // A module may not use the network while it is imported there, however late that is: entry blocks are called.
  const program = await bundleProgram(request, { ...shared, plugins: [...shared.plugins], define: {} }, true);
  const runtime = await build({
    ...shared,
    plugins: [...shared.plugins, ...(program.keepsRare ? [] : [noRareModules])],
    // The program, which the worker imports when it needs it.
    external: ['../app/main.mjs'],
    entryPoints: { 'runtime/worker': bundleEntry('worker') },
    write: false,
    metafile: true,
  });
  const { 'package.json': _, ...ofProgram } = program.files;
  const files = { ...textsOf(readOutputs(runtime, shared.banner.js)), ...ofProgram };
  return {
    files: { ...files, ...programNote(request, [], files) },
    leftOut: program.leftOut,
    asksDatabases: program.asksDatabases,
  };
}

/** Node's own modules by the names that workerd knows them by. */
const builtins: Plugin = {
  name: 'builtins',
  setup(build) {
    const names = builtinModules.filter((name) => !name.startsWith('_'));
    build.onResolve({ filter: new RegExp(`^(node:.*|${names.join('|')})$`) }, ({ path }) => ({
      path: path.startsWith('node:') ? path : `node:${path}`,
      external: true,
    }));
  },
};

/** Packages that cannot run in a worker, or that it has no use for: whoever loads one is told that it is not installed. */
const absentPackages: Plugin = {
  name: 'absent-packages',
  setup(build) {
    const filter =
      /^(@node-rs\/.*|libsql|@libsql\/.*|better-sqlite3|esbuild|typescript|mongodb|ioredis|pg|@aws-sdk\/client-(s3|api.*))$/;
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'absent' }));
    build.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `module.exports = {}; throw Object.assign(new Error('the package ${path} is not in a worker'), { code: 'ERR_MODULE_NOT_FOUND' });`,
    }));
  },
};

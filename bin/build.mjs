/**
 * Bundles the command line and the runtime: `dist/cli.mjs`, `dist/index.mjs`, `dist/runtime.mjs`, `dist/hono.mjs` and the chunks they share, each command's own parts in
 * chunks of their own that load when needed, and declarations in `dist/types`. `--out DIR` and `--id TEXT` are for `svc.mjs`, which keeps builds of a checkout apart.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { parametersOnly } from './parameters.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function argument(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

const target = argument('--out') ?? join(root, 'dist');
const temporary = `${target}.${process.pid}.tmp`;

const parameters = {
  name: 'parameters',
  setup({ onLoad }) {
    onLoad({ filter: /library[/\\]signatures[/\\]parameters\.ts$/ }, async ({ path }) => ({
      contents: parametersOnly(await readFile(join(dirname(path), 'builtins.ts'), 'utf8')),
      loader: 'ts',
    }));
  },
};

const result = await build({
  absWorkingDir: root,
  entryPoints: {
    cli: 'cli/main.ts',
    index: 'core/typescript.ts',
    runtime: 'core/runtime.ts',
    hono: 'cli/hono/hono.ts',
    // What `svc build` bundles with a program.
    'functions/http': 'cli/functions/http.ts',
    'functions/stream': 'cli/functions/stream.ts',
    'functions/webhook': 'cli/functions/webhook.ts',
    'functions/websocket': 'cli/functions/websocket.ts',
    'functions/sweeper': 'cli/functions/sweeper.ts',
  },
  outdir: temporary,
  write: false,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // Native and optional packages, and those that only development or deployment needs, stay outside.
  external: [
    'libsql',
    '@libsql/*',
    '@node-rs/*',
    'better-sqlite3',
    'mongodb',
    'ioredis',
    'redis',
    '@aws-sdk/*',
    'esbuild',
    'hono',
    'bufferutil',
    'utf-8-validate',
  ],
  // CommonJS packages need `require`. It is made when it is called: most files never do.
  banner: {
    js: "const require=/* @__PURE__ */Object.assign((id)=>__ownRequire()(id),{resolve:(id)=>__ownRequire().resolve(id)});function __ownRequire(){return process.getBuiltinModule('node:module').createRequire(import.meta.url)}",
  },
  define: { __SVC_VERSION__: JSON.stringify(version), __SVC_BUILD__: '"__SVC_BUILD_ID__"' },
  plugins: [parameters],
  logLevel: 'warning',
}).catch(() => process.exit(1)); // esbuild has printed what is wrong

// The identity of a build is what it contains.
const id = argument('--id') ?? hashOf(result.outputFiles);
for (const folder of ['chunks', 'functions']) await mkdir(join(temporary, folder), { recursive: true });
await Promise.all(result.outputFiles.map((file) => writeFile(file.path, file.text.replaceAll('__SVC_BUILD_ID__', id))));
if (argument('--out') === undefined) {
  await writeClient(join(temporary, 'client'));
  await writeTypes(join(temporary, 'types'));
  // What `svc explain` prints.
  await cp(join(root, 'docs/reference/codes'), join(temporary, 'codes'), { recursive: true });
  // What `svc new` copies.
  for (const name of ['web', 'web-tailwind'])
    await cp(join(root, 'cli/templates', name), join(temporary, 'templates', name), { recursive: true });
}

if (argument('--out') === undefined) {
  await rm(target, { recursive: true, force: true });
  await rename(temporary, target);
} else {
  // Another process may have finished the same build meanwhile; then ours is not needed.
  await rename(temporary, target).catch(() => rm(temporary, { recursive: true, force: true }));
}

/** The browser runtime, module by module: a bundler takes of it what a program uses. A checkout has its sources. */
async function writeClient(folder) {
  const from = join(root, 'client');
  const files = (await readdir(from, { recursive: true })).filter((name) => /^(?!.*\.(test|d)\.ts$).*\.ts$/.test(name));
  const { outputFiles } = await build({
    absWorkingDir: from,
    entryPoints: files,
    outdir: folder,
    outbase: from,
    write: false,
    format: 'esm',
    target: 'es2022',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text.replace(/((?:from|import|import\() ?")(\.[^"]*)\.ts"/g, '$1$2.mjs"'));
  }
}

/** The declarations of `svc-scale`, `svc-scale/runtime` and `svc-scale/hono`: those that TypeScript writes, with the extensions it finds them by. */
async function writeTypes(folder) {
  const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
  const project = join(root, 'tsconfig.types.json');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', folder], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
  for (const name of files) {
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), text.replace(/((?:from|import|import\() ?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
  }
  // What `.svc` modules are to TypeScript comes with the types of the package.
  await copyFile(join(root, 'core', 'svc-modules.d.ts'), join(folder, 'core', 'svc-modules.d.ts'));
  const front = join(folder, 'core', 'typescript.d.ts');
  await writeFile(front, `/// <reference path="./svc-modules.d.ts" />\n${await readFile(front, 'utf8')}`);
}

function hashOf(files) {
  const hash = createHash('sha256').update(version);
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) hash.update(file.contents);
  return hash.digest('hex').slice(0, 16);
}

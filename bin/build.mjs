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
import { rolldown } from 'rolldown';
import { parametersOnly } from './parameters.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function argument(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

const target = argument('--out') ?? join(root, 'dist');
const temporary = `${target}.${process.pid}.tmp`;

/** Text files of pages, imported `with { type: 'text' }`: those in JavaScript as they are too, because a browser runs them. */
const pageScript = /[/\\]handlers[/\\]http[/\\]pages[/\\].*\.js$/;
const parametersFile = /[/\\]library[/\\]signatures[/\\]parameters\.ts$/;

const sources = {
  name: 'sources',
  load: {
    filter: { id: [pageScript, parametersFile] },
    async handler(id) {
      if (pageScript.test(id)) return { code: await readFile(id, 'utf8'), moduleType: 'text' };
      return { code: parametersOnly(await readFile(join(dirname(id), 'builtins.ts'), 'utf8')), moduleType: 'ts' };
    },
  },
};

/** Files that export all that a source file does: an entry that were in a joined chunk would export the rest of the chunk as well. */
const entries = {
  cli: 'all-of:cli/main.ts',
  index: 'all-of:core/typescript.ts',
  runtime: 'all-of:core/runtime.ts',
  hono: 'all-of:cli/hono/hono.ts',
  'kept-script': 'all-of:cli/kept-script.ts',
};
const allOf = {
  name: 'all-of',
  resolveId: { filter: { id: /^all-of:/ }, handler: (id) => id },
  load: {
    filter: { id: /^all-of:/ },
    handler: (id) => `export * from ${JSON.stringify(join(root, id.slice('all-of:'.length)))};`,
  },
};

/** Files that the command line loads before it knows the command, that each `svc start` of a compiled program loads, and that each compilation loads. */
const loadedTogether = [
  ['cli/main.ts', 'cli/kept-script.ts'],
  [
    'cli/commands/start.ts',
    'cli/start/open-pages.ts',
    'handlers/http/graph/routes.ts',
    'handlers/http/telling.ts',
    'handlers/live/live-app.ts',
    'handlers/live/live-routes.ts',
    'handlers/socket/socket-app.ts',
    'adapters/stores/sqlite/store.ts',
  ],
  ['lang/phases.ts', 'lang/project.ts', 'cli/program/build-program.ts'],
];

/** What some starts load besides: those that keep stories, those of programs with pages, and of these those with `--dev`. */
const loadedBesides = {
  stories: ['handlers/http/stories/story-book.ts', 'cli/start/open-studio.ts'],
  pages: ['cli/client/prepare-page.ts', 'cli/start/client-front.ts'],
  dev: [
    'cli/client/open-live-client.ts',
    'adapters/client/job.ts',
    'adapters/client/missing-packages.ts',
    'adapters/client/own-copies.ts',
  ],
};

/**
 * Joins the hundreds of files that are loaded together, with what they import, into one chunk each (decisions/0460): of each module the chunk is
 * known by which of `loadedTogether` import it, so that nobody loads what only others need, else by the first of `loadedBesides`. All other modules
 * stay in chunks that load when needed.
 */
function joined() {
  const importsOf = new Map();
  let together;
  let besides;
  function reachable(paths) {
    const found = new Set();
    const visit = (id) => {
      if (found.has(id) || !importsOf.has(id)) return;
      found.add(id);
      for (const next of importsOf.get(id)) visit(next);
    };
    for (const path of paths) visit(join(root, path));
    return found;
  }
  const chunkOf = (id) => {
    together ??= loadedTogether.map(reachable);
    besides ??= Object.entries(loadedBesides).map(([name, paths]) => [name, reachable(paths)]);
    const who = together.map((set) => (set.has(id) ? '1' : '0')).join('');
    const kind = who.includes('1') ? who : besides.find(([, set]) => set.has(id))?.[0];
    return kind === undefined ? null : `joined-${kind}`;
  };
  return {
    plugin: { name: 'imports', moduleParsed: ({ id, importedIds }) => void importsOf.set(id, importedIds) },
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf, debugName: 'joined' }] },
  };
}

/** Bundles `input` and gives the files. Their paths are below `folder`. */
async function bundle(folder, input, { plugin, codeSplitting } = {}) {
  const made = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    // Native and optional packages, and those that only development or deployment needs, stay outside.
    external:
      /^(node:|(libsql|@libsql|@node-rs|better-sqlite3|mongodb|ioredis|pg|redis|@aws-sdk|@azure\/functions-core|esbuild|hono|bufferutil|utf-8-validate)(\/|$))/,
    moduleTypes: { '.html': 'text', '.css': 'text', '.svg': 'text' },
    transform: {
      target: 'node20.19',
      define: { __SVC_VERSION__: JSON.stringify(version), __SVC_BUILD__: '"__SVC_BUILD_ID__"' },
    },
    preserveEntrySignatures: 'allow-extension',
    plugins: [sources, allOf, plugin],
    // Of the rare standard modules some import others at once; they are loaded together. How long this machine took stands in no output of a command.
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
  });
  const { output } = await made.generate({
    format: 'esm',
    entryFileNames: `${folder}[name].mjs`,
    chunkFileNames: `${folder}chunks/[name]-[hash].mjs`,
    hashCharacters: 'hex',
    minify: {
      compress: { keepNames: { function: true, class: true } },
      mangle: false,
      codegen: { removeWhitespace: true },
    },
    comments: { legal: false },
    codeSplitting,
  });
  await made.close();
  return output.flatMap(({ fileName, code, imports }) => {
    const file = { fileName, code: inAscii(requireLazily(code)) };
    if (!isKept.test(fileName)) return [file];
    const sources = output
      .filter((one) => [fileName, ...imports].includes(one.fileName))
      .flatMap(({ moduleIds }) => moduleIds);
    const changing = sources
      .filter((id) => id.startsWith(root))
      .flatMap((id) => [...readFileSync(id, 'utf8').matchAll(/^export let (\w+)/gm)].map(([, name]) => name));
    return asScript(file, changing);
  });
}

/** The server, the compiler, and its emission of the browser half. */
const isKept = /^chunks\/(joined-010|joined-001|emitter)-/;

/**
 * Makes a script of a module, which can be kept compiled (`cli/kept-script.ts`), and a module in its place that hands it what it imports. What is
 * handed over must not change later, as the variables named in `changing` do.
 */
function asScript({ fileName, code }, changing) {
  const parts = /^((?:import(?:\{[^}]*\}|\*as \w+ )from"[^"]+";)+)(.*)export\{([^}]*)\};\s*$/s.exec(code);
  if (parts === null) throw new Error(`${fileName} is not understood`);
  const [, imports, text, exports] = parts;
  // A script that was kept cannot import by itself.
  const body = text
    .replace(/\bimport\((?=`(\.\/[\w-]+\.mjs|node:\w+)`\)|pathToFileURL\()/g, '$load(')
    .replaceAll('import.meta.url', '$url');
  if (/\bimport(\.meta\b|\(["'`])/.test(body)) throw new Error(`${fileName} imports what is not understood`);
  const given = [...imports.matchAll(/import(?:\*as (\w+) |(\{[^}]*\}))from("[^"]+");/g)];
  const taken = given.map(
    ([, all, some], i) => `const ${all ?? some.replace(/([\w$]+) as ([\w$]+)/g, '$1:$2')}=$${i};`,
  );
  const names = exports.split(',').map((one) => {
    const [local, name = local] = one.split(' as ');
    return { local, name };
  });
  const handed = [...names.map(({ local }) => local), ...taken.join().match(/[\w$]+/g)];
  const changed = handed.find((name) => changing.includes(name.replace(/\$\d+$/, '')));
  if (changed !== undefined) throw new Error(`${fileName} takes or gives what changes: ${changed}`);
  const scriptCode = `(function($load,$url,${given.map((_, i) => `$${i}`).join(',')}){"use strict";${taken.join('')}${body};return{${names.map(({ local, name }) => `${name}:${local}`).join(',')}}})`;
  if (scriptCode.includes('__SVC_BUILD_ID__')) throw new Error(`${fileName} would be kept for another build`);
  // V8 looks at the length of a script alone: whatever changes it changes its name.
  const script = fileName.replace(/[^-]*$/, `${createHash('sha256').update(scriptCode).digest('hex').slice(0, 8)}.js`);
  return [
    { fileName: script, code: scriptCode },
    {
      fileName,
      code: `${given.map(([, , , from], i) => `import*as $${i} from${from};`).join('')}import{runScript}from"../kept-script.mjs";const{${names.map(({ name }) => `${name}:_${name}`).join(',')}}=runScript(new URL("./${script.slice('chunks/'.length)}",import.meta.url).href,[(path)=>import(path),import.meta.url,${given.map((_, i) => `$${i}`).join(',')}]);export{${names.map(({ name }) => `_${name} as ${name}`).join(',')}};`,
    },
  ];
}

/** CommonJS packages need `require`, which Rolldown makes for all files at once, and hardly any needs. It is made when it is called. */
function requireLazily(code) {
  const made = /\bcreateRequire\(import\.meta\.url\)(?=;export)/;
  if (!/\b__commonJSMin=/.test(code)) return code;
  if (!made.test(code)) throw new Error('the file with the helpers of Rolldown is not understood');
  return code
    .replace(
      made,
      '(id)=>process.getBuiltinModule(id)??process.getBuiltinModule("node:module").createRequire(import.meta.url)(id)',
    )
    .replace(/^import\{createRequire\}from"node:module";/, '');
}

/** Escapes what is not ASCII. V8 keeps the text of a module as long as it runs: with one such letter in it in two bytes a letter, else in one. */
function inAscii(code) {
  // An escape after a backslash would be another text.
  const [kept] = /(?<!\\)\\(?:\\\\)*[^\x00-\x7f]|String\.raw`[^`]*[^\x00-\x7f]/.exec(code) ?? [];
  if (kept !== undefined) throw new Error(`${kept}: a letter that cannot be escaped there`);
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const functions = Object.fromEntries(
  ['http', 'stream', 'webhook', 'websocket', 'live', 'sweeper', 'worker', 'azure'].map((name) => [
    name,
    `cli/functions/${name}.ts`,
  ]),
);
// `svc build` bundles functions with a program, and takes single modules of theirs.
const files = (await Promise.all([bundle('', entries, joined()), bundle('functions/', functions)])).flat();

// The identity of a build is what it contains.
const id = argument('--id') ?? hashOf(files);
for (const folder of ['chunks', 'functions/chunks']) await mkdir(join(temporary, folder), { recursive: true });
await Promise.all(
  files.map(({ fileName, code }) => writeFile(join(temporary, fileName), code.replaceAll('__SVC_BUILD_ID__', id))),
);
await writeDevelopmentClient(join(temporary, 'client-dev'));
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

/** The browser runtime for development, in few files: pages load it as it stands (`adapters/client/unbundled-packages.ts`). */
async function writeDevelopmentClient(folder) {
  const names = ['mount', 'runtime', 'router', 'pages', 'lang', 'wire', 'early'];
  for (const name of await readdir(join(root, 'client/modules')))
    if (/^(?!.*\.(test|d)\.ts$).*\.ts$/.test(name)) names.push(`modules/${name.slice(0, -3)}`);
  const made = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(root, `client/${name}.ts`)])),
    external: /^react/,
    transform: {
      target: 'es2022',
      define: { 'import.meta.env': JSON.stringify({ DEV: true, MODE: 'development', SVC_BUILD: id }) },
    },
    preserveEntrySignatures: 'allow-extension',
  });
  await made.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await made.close();
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
  // What `svc generate client` writes in TypeScript.
  for (const name of ['sdk', 'net/kept-socket', 'net/live-socket', 'net/connection', 'net/events'])
    await copyFile(join(from, `${name}.ts`), join(folder, `${name}.ts`));
}

/** The declarations of `svc-scale`, `svc-scale/runtime` and `svc-scale/hono`: those that TypeScript writes, with the extensions it finds them by. */
async function writeTypes(folder) {
  const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
  const project = join(root, 'tsconfig.types.json');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', folder], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  // TypeScript writes those of all modules that it read for these.
  const relativeImport = /((?:from|import|import\() ?['"]\.[^'"]*)\.ts(['"])/g;
  const written = new Set();
  const visit = async (file) => {
    if (written.has(file)) return;
    written.add(file);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(relativeImport, '$1.js$2'));
    for (const [, start] of text.matchAll(relativeImport))
      await visit(join(dirname(file), `${/['"](.*)$/.exec(start)[1]}.d.ts`));
  };
  for (const name of ['core/typescript', 'core/runtime', 'cli/hono/app-types'])
    await visit(join(folder, `${name}.d.ts`));
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith('.d.ts') && !written.has(join(folder, name))) await rm(join(folder, name));
  // What `.svc` modules are to TypeScript comes with the types of the package.
  await copyFile(join(root, 'core', 'svc-modules.d.ts'), join(folder, 'core', 'svc-modules.d.ts'));
  await mkdir(join(folder, 'client'), { recursive: true });
  await copyFile(join(root, 'client', 'svc-runtime.d.ts'), join(folder, 'client', 'svc-runtime.d.ts'));
  const front = join(folder, 'core', 'typescript.d.ts');
  await writeFile(front, `/// <reference path="./svc-modules.d.ts" />\n${await readFile(front, 'utf8')}`);
}

function hashOf(files) {
  const hash = createHash('sha256').update(version);
  for (const { code } of [...files].sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) hash.update(code);
  return hash.digest('hex').slice(0, 16);
}

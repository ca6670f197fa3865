/** The browser half as files for a page: Vite's build, through its JavaScript API. */
import { existsSync, readdirSync } from 'node:fs';
import { access, constants, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import type { PageRoute } from '../../lang/6-emit-client/pages.ts';
import { hashText, recordFiles } from '../modules/recorded-files.ts';
import { placeInSheet } from './broken-sheet.ts';
import { baseOf, type ClientManifest, keyOf, manifestName, mapsName, outDirOf } from './built-client.ts';
import { ClientBuildError, describeFailure } from './failure.ts';
import { type ClientJob, configNames } from './job.ts';
import { importPackage } from './packages.ts';
import { type FilesOf, pageFiles } from './page-files.ts';
import { plainImports } from './plain-imports.ts';
import { entryId } from './plugin.ts';
import { findRuntime, type RuntimeFiles } from './runtime-files.ts';
import { serverPackages } from './server-packages.ts';
import { type Vite, viteConfig } from './vite-config.ts';

/** Programs read the names of classes: exceptions tell theirs, and so does `repr` of an object. */
const keepsClasses = { function: false, class: true };
const keepingClassNames = {
  compress: { keepNames: keepsClasses },
  mangle: { keepNames: keepsClasses },
  codegen: true,
} as const;

/** Does the project's configuration say how its code is made small? */
function minifiesOtherwise(written: unknown): boolean {
  return written !== undefined && written !== true && written !== 'oxc';
}

/**
 * Builds into `[plugins.client] out_dir`; `tell` is called with a line for what may not work in a page.
 *
 * @throws ClientBuildError with places in the author's files
 */
export async function buildClient(
  job: ClientJob,
  buildId: string,
  tell: (line: string) => void,
): Promise<ClientManifest> {
  const outDir = outDirOf(job);
  const building = `${outDir}.${process.pid}.tmp`;
  // Libraries choose their development parts by it.
  const environment = process.env['NODE_ENV'];
  const watched: string[] = [];
  const tellServer = (name: string, module: string) =>
    tell(
      `note: ${name} needs the module ${module} of Node.js, which browsers do not have: use it in a function of the server, \`def:pub …\`, and await that`,
    );
  process.env['NODE_ENV'] = 'production';
  try {
    const vite = await importPackage<Vite>('vite', job.config.projectDir);
    const runtime = findRuntime();
    const onRead = (file: string) => watched.push(file);
    const config = await viteConfig({ vite, command: 'build', job: () => job, runtime, onRead });
    const result = (await vite.build({
      ...config,
      logLevel: 'silent',
      plugins: [...(config.plugins ?? []), serverPackages(tellServer), noteModules(watched), plainImports()],
      build: {
        ...config.build,
        outDir: building,
        emptyOutDir: true,
        copyPublicDir: false,
        assetsDir: '',
        sourcemap: 'hidden',
        reportCompressedSize: false,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
        rolldownOptions: {
          // Who imports a part of the runtime from `@svc/runtime` loads no other part with it.
          treeshake: { moduleSideEffects: (id) => (runtime.holds(id) ? false : undefined) },
          ...config.build?.rolldownOptions,
          // Timings of plug-ins are of no use to who starts an application.
          checks: { pluginTimings: false, ...config.build?.rolldownOptions?.checks },
          input: { client: entryId },
          output: {
            entryFileNames: 'client.[hash].js',
            chunkFileNames: '[name].[hash].js',
            assetFileNames: '[name].[hash][extname]',
            hashCharacters: 'hex',
            ...(minifiesOtherwise(config.build?.minify) ? {} : { minify: keepingClassNames }),
          },
        },
      },
    })) as Rolldown.RolldownOutput;
    if (job.config.client.typescript) {
      const { refuseWrongTypes } = await import('./client-types.ts');
      await refuseWrongTypes(watched, job);
    }
    const found = {
      base: baseOf(job.config),
      key: keyOf(job, buildId),
      inputs: inputsOf(job, watched, runtime),
      routes: job.program.outline.pages,
    };
    const manifest = manifestOf(result.output, found);
    await placeMaps(building);
    await writeFile(join(building, manifestName), JSON.stringify(manifest));
    await place(building, outDir);
    return manifest;
  } catch (error) {
    await rm(building, { recursive: true, force: true }).catch(() => {});
    if (/inside rolldown/.test(String(error))) await refuseUnwritable(building, job.config.projectDir);
    throw describeFailure(await placeInSheet(error, watched, job.config.projectDir), job);
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = environment;
  }
}

/** Says why no file can be written, which the bundler calls a fault of its own. @throws ClientBuildError */
async function refuseUnwritable(directory: string, projectDir: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'probe'), Buffer.alloc(1 << 20));
  } catch (error) {
    // A folder that cannot be made where nothing can be written is `ENOENT`.
    const { message } = await access(projectDir, constants.W_OK).then(
      () => error as Error,
      (reason: Error) => reason,
    );
    throw new ClientBuildError([{ message: `the pages cannot be written: ${message}` }]);
  } finally {
    await rm(directory, { recursive: true, force: true }).catch(() => {});
  }
}

function noteModules(ids: string[]): Plugin {
  return {
    name: 'svc:inputs',
    buildEnd() {
      ids.push(...this.getModuleIds());
    },
  };
}

type Output = Rolldown.RolldownOutput['output'];

function manifestOf(
  output: Output,
  {
    base,
    key,
    inputs,
    routes,
  }: Pick<ClientManifest, 'base' | 'key' | 'inputs'> & { readonly routes: readonly PageRoute[] },
): ClientManifest {
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])));
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry)!;
  const filesFrom = (chunk: Rolldown.OutputChunk) => {
    const loaded = new Set([chunk]);
    for (const { imports } of loaded) {
      for (const name of imports) {
        const next = chunks.get(name);
        if (next !== undefined) loaded.add(next);
      }
    }
    const styles = [...loaded].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
    return { scripts: [...loaded].map(({ fileName }) => fileName), styles: [...new Set(styles)] };
  };
  const { scripts, styles } = filesFrom(entry);
  const filesOf: FilesOf = (path) => {
    const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(path));
    const files = chunk === undefined ? { scripts: [], styles: [] } : filesFrom(chunk);
    return {
      scripts: files.scripts.filter((name) => !scripts.includes(name)),
      styles: files.styles.filter((name) => !styles.includes(name)),
    };
  };
  return {
    base,
    key,
    inputs,
    entry: entry.fileName,
    preloads: scripts.filter((name) => name !== entry.fileName),
    styles,
    pages: pageFiles(routes, filesOf),
    files: output.map(({ fileName }) => fileName).filter((name) => !name.endsWith('.map')),
  };
}

/** Files that Vite and its plug-ins read by their names, where they are. */
const readBeside = [
  'package-lock.json',
  'tsconfig.json',
  '.env',
  '.env.local',
  '.env.production',
  '.env.production.local',
  ...['.postcssrc', '.postcssrc.json', 'postcss.config.js', 'postcss.config.mjs', 'postcss.config.cjs'],
  ...['tailwind.config.js', 'tailwind.config.mjs', 'tailwind.config.ts'],
];

const sheet = /\.(css|scss|sass|less|pcss)$/;

/** Files of the project that the result depends on besides its modules, whose digest is in the key. Packages count by their versions. */
function inputsOf({ config }: ClientJob, ids: readonly string[], runtime: RuntimeFiles): ClientManifest['inputs'] {
  const { projectDir } = config;
  const files = recordFiles();
  const read = ids
    .map((id) => id.replace(/[?#].*$/, ''))
    .filter((file) => file.startsWith('/') && !file.endsWith('.svc'))
    .filter((file) => !file.includes('/node_modules/') && !runtime.holds(file));
  // Sheets bring others along, which are no modules.
  const sheets = read.some((file) => sheet.test(file)) ? sheetsBelow(projectDir) : [];
  const beside = [...configNames, ...readBeside].map((name) => join(projectDir, name));
  for (const file of new Set([...read, ...sheets, ...beside])) files.readFile(file);
  return files.inputs();
}

const notOurs = new Set(['node_modules', 'dist']);

function sheetsBelow(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || notOurs.has(entry.name)) return [];
    const path = join(directory, entry.name);
    return entry.isDirectory() ? sheetsBelow(path) : sheet.test(entry.name) ? [path] : [];
  });
}

/** Maps stay on the server: they hold the author's text. */
async function placeMaps(directory: string): Promise<void> {
  for (const name of await readdir(directory, { recursive: true })) {
    if (!name.endsWith('.map')) continue;
    const place = join(directory, mapsName, name);
    await mkdir(dirname(place), { recursive: true });
    await rename(join(directory, name), place);
  }
}

/** Appears at once; a page that was delivered before may still ask for files of the build before it. */
async function place(building: string, outDir: string): Promise<void> {
  await mkdir(dirname(outDir), { recursive: true });
  const old = `${outDir}.${hashText(building).slice(0, 6)}.old`;
  if (existsSync(outDir)) await rename(outDir, old);
  await rename(building, outDir);
  await rm(old, { recursive: true, force: true }).catch(() => {});
}

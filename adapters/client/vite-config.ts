/** Vite's configuration for a program: ours, then `[plugins.client.vite]` and `[plugins.client.configs]`, then the project's own `vite.config.*`. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InlineConfig, PluginOption } from 'vite';
import { prefixOf } from '../../core/config/prefix.ts';
import { hashText } from '../modules/recorded-files.ts';
import { baseOf } from './built-client.ts';
import { componentsText, entryText } from './entry.ts';
import { ClientBuildError, messageOf } from './failure.ts';
import type { ClientJob } from './job.ts';
import { packageMaps } from './package-maps.ts';
import { folderOfPackage, importPackage, listedPackages, placeOfPackage } from './packages.ts';
import { entryStands } from './page-watch.ts';
import { sharedPackages, svcPlugin } from './plugin.ts';
import { postCss } from './post-css.ts';
import { prefixedMarkup } from './prefixed-markup.ts';
import type { PreparedPackages } from './prepared-packages.ts';
import { readProjectConfig } from './project-config.ts';
import type { RuntimeFiles } from './runtime-files.ts';
import { runtimeImports } from './runtime-imports.ts';
import { scopedStyles } from './scoped-styles.ts';
import type { UnbundledPackages } from './unbundled-packages.ts';

export type Vite = typeof import('vite');

export interface ConfigParts {
  readonly vite: Vite;
  readonly command: 'build' | 'serve';
  /** The program as it is now: another one after each reload. */
  readonly job: () => ClientJob;
  readonly runtime: RuntimeFiles;
  /** Hears of each file of the project that the configuration was read from. */
  readonly onRead?: (file: string) => void;
  /** Text of the first module; absent: the one that puts the application into the page. */
  readonly entry?: () => string;
  /** Packages that are bundled before a page asks, for development. */
  readonly prepared?: PreparedPackages | undefined;
  readonly unbundled?: UnbundledPackages | undefined;
  readonly onOther?: (() => Promise<void>) | undefined;
  /** Script of a page, for development (`page-watch.ts`). */
  readonly pageScript?: () => string;
  /** Hears, in development, of each file of a module that has changed, before pages do. */
  readonly onChange?: () => void;
}

/** @throws ClientBuildError when the project's own configuration cannot be read */
export async function viteConfig({
  vite,
  command,
  job,
  runtime,
  onRead = () => {},
  entry,
  prepared,
  unbundled,
  onOther,
  pageScript,
  onChange,
}: ConfigParts): Promise<InlineConfig> {
  const { config } = job();
  const { projectDir, client, serve } = config;
  const prefix = prefixOf(serve.baseUrl);
  const isBuild = command === 'build';
  const mode = isBuild ? 'production' : 'development';
  const { default: react } = await importPackage<typeof import('@vitejs/plugin-react')>(
    '@vitejs/plugin-react',
    projectDir,
  );
  const appEntry = () =>
    entryText(job().program.outline, {
      router: client.router,
      authRedirect: client.routing.authRedirect,
      isDevelopment: !isBuild,
    }) + (isBuild ? '' : entryStands);
  const found = await readProjectConfig(vite, { command, mode }, projectDir);
  found?.files.forEach(onRead);
  const theirs = await withoutReact(found?.config.plugins);
  const postcss = await postCss(config);
  const own: InlineConfig = {
    plugins: [
      ...(prefix === '' ? [] : [prefixedMarkup(prefix)]),
      svcPlugin({
        modules: () => job().program.modules(),
        entry: entry ?? appEntry,
        components: () => componentsText(job().program.outline),
        runtime,
        projectDir,
        packagesFrom: (name) => placeOfPackage(name, projectDir),
        prepared: prepared?.runtime,
        unbundled,
        onOther,
        pageScript,
        onChange,
      }),
      runtimeImports(),
      scopedStyles(projectDir),
      ...(isBuild ? [] : [packageMaps()]),
      ...(isBuild ? [] : react({ include: /\.(svc|[jt]sx?)$/, exclude: [/\/node_modules\//, /\/\.svc\/vite\//] })),
      ...(theirs.some(isTailwind) ? [] : await tailwind(job())),
      ...(await listedPlugins(client.vite, projectDir, onRead)),
      ...(unbundled === undefined ? [] : [withoutBundles(unbundled)]),
    ],
    resolve: {
      alias: [
        ...(prepared?.alias ?? []),
        ...aliases(client.paths, projectDir),
        ...(isBuild ? leanRouter(projectDir) : []),
      ],
      ...(isBuild ? { conditions: ['module', 'browser', 'production'] } : {}),
      // A package that brings its own copy of them gets that of the project.
      dedupe: sharedPackages.filter((name) => folderOfPackage(name, projectDir) !== undefined),
    },
    // Packages written for Node.js first call the global object `global`.
    define: { global: 'globalThis', ...client.vite.define },
    ...(postcss === undefined ? {} : { css: { postcss } }),
    // A proxy or a tunnel passes on the name that people type.
    ...(URL.canParse(serve.baseUrl) ? { server: { allowedHosts: [new URL(serve.baseUrl).hostname] } } : {}),
    // Compiled modules bring the calls of Fast Refresh along (decisions/0740).
    oxc: { jsx: { runtime: 'automatic' }, ...(isBuild ? {} : { jsxRefreshExclude: [/\.svc(\?|$)/] }) },
  };
  const merged = found === undefined ? own : vite.mergeConfig(own, { ...found.config, plugins: theirs });
  return {
    ...merged,
    configFile: false,
    root: projectDir,
    base: baseOf(config),
    mode,
    ...(prefix === '' ? { publicDir: false } : prefixedPublic(prefix, config)),
    appType: 'custom',
    clearScreen: false,
    envPrefix: ['SVC_PUBLIC_', 'VITE_'],
    cacheDir: join(projectDir, '.svc', 'vite'),
  };
}

/** Sheets name files of `public_dir` from where the application begins. The files are not part of what is built. */
function prefixedPublic(prefix: string, { projectDir, client }: ClientJob['config']): InlineConfig {
  return {
    publicDir: client.publicDir === '' ? false : resolve(projectDir, client.publicDir),
    experimental: { renderBuiltUrl: (name, { type }) => (type === 'public' ? `${prefix}/${name}` : undefined) },
  };
}

/** Takes from what Vite bundles before a page asks, which other plug-ins have said, what needs no bundle. */
function withoutBundles({ has }: UnbundledPackages): PluginOption {
  return {
    name: 'svc:without-bundles',
    enforce: 'post',
    config({ optimizeDeps }) {
      if (optimizeDeps?.include !== undefined) optimizeDeps.include = optimizeDeps.include.filter((one) => !has(one));
    },
  };
}

/** Ours is there already. */
async function withoutReact(plugins: readonly PluginOption[] = []): Promise<PluginOption[]> {
  const flat = (await Promise.all(plugins)).flat() as PluginOption[];
  const kept: PluginOption[] = [];
  for (const one of flat) {
    if (Array.isArray(one) || one instanceof Promise) kept.push(...(await withoutReact([one])));
    else if (one && !/^vite:react/.test((one as { name?: string }).name ?? '')) kept.push(one);
  }
  return kept;
}

/** Plugin of Tailwind, where the project lists it among its packages and does not add it by itself. */
async function tailwind({ config }: ClientJob): Promise<PluginOption[]> {
  const { projectDir, client } = config;
  const isListed = listedPackages(config)[tailwindPlugin] !== undefined;
  if (!isListed || client.vite.libImports.some((line) => line.includes(tailwindPlugin))) return [];
  const { default: plugin } = await importPackage<{ readonly default: () => PluginOption }>(tailwindPlugin, projectDir);
  return [plugin()];
}

const tailwindPlugin = '@tailwindcss/vite';

function isTailwind(plugin: PluginOption): boolean {
  return typeof plugin === 'object' && 'name' in plugin! && plugin.name.startsWith(tailwindPlugin);
}

/**
 * `plugins = ["tailwindcss()"]` with `lib_imports = ["import tailwindcss from '@tailwindcss/vite'"]`: expressions of a module of the project, in
 * which `./` is the project's folder, or that of the configuration that the language's other compiler writes there.
 *
 * @throws ClientBuildError that says what fails in them
 */
async function listedPlugins(
  { plugins, libImports }: ClientJob['config']['client']['vite'],
  projectDir: string,
  onRead: (file: string) => void,
): Promise<PluginOption[]> {
  if (plugins.length === 0) return [];
  const imports = libImports.map((line) =>
    line.replace(/;?\s*$/, ';').replace(/(['"])(\.{1,2}\/[^'"]+)\1/, (_, quote: string, path: string) => {
      const places = [projectDir, join(projectDir, '.svc/client/configs')].map((folder) => resolve(folder, path));
      const file = places.find(existsSync) ?? places[0]!;
      onRead(file);
      return quote + pathToFileURL(file).href + quote;
    }),
  );
  const text = `${imports.join('\n')}\nexport default [${plugins.join(', ')}];\n`;
  const file = join(projectDir, '.svc', `vite-plugins-${hashText(text).slice(0, 8)}.mjs`);
  await mkdir(join(projectDir, '.svc'), { recursive: true });
  await writeFile(file, text);
  try {
    const { default: made } = (await import(pathToFileURL(file).href)) as { default: PluginOption[] };
    return made;
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${messageOf(error.message)}` : String(error);
    throw new ClientBuildError([
      { message: `[plugins.client.vite] of svc.toml cannot be used: ${reason.replaceAll(file, 'svc.toml')}` },
    ]);
  }
}

/** `"@components/*" = "./components/*"` */
function aliases(paths: Readonly<Record<string, string>>, projectDir: string) {
  return Object.entries(paths).map(([name, place]) => {
    const to = place.startsWith('.')
      ? resolve(projectDir, place)
      : isAbsolute(place)
        ? place
        : resolve(projectDir, place);
    if (!name.endsWith('/*')) return { find: new RegExp(`^${escaped(name)}$`), replacement: to };
    return { find: new RegExp(`^${escaped(name.slice(0, -1))}(.*)$`), replacement: `${to.replace(/\*$/, '')}$1` };
  });
}

/** The router's package names its development files alone; those without warnings, half a kilobyte less, stand beside them. */
function leanRouter(projectDir: string) {
  const from = placeOfPackage('react-router', projectDir);
  const folder = from === undefined ? undefined : folderOfPackage('react-router', from);
  const file = folder === undefined ? '' : join(folder, 'dist', 'production', 'index.mjs');
  return existsSync(file) ? [{ find: /^react-router$/, replacement: file }] : [];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Vite's configuration for a program: ours, then `[plugins.client.vite]`, then the project's own `vite.config.*`. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InlineConfig, PluginOption } from 'vite';
import { hashText } from '../modules/recorded-files.ts';
import { entryText } from './entry.ts';
import type { ClientJob } from './job.ts';
import { folderOfPackage, importPackage, placeOfPackage } from './packages.ts';
import { svcPlugin } from './plugin.ts';
import type { PreparedPackages } from './prepared-packages.ts';
import type { RuntimeFiles } from './runtime-files.ts';
import { scopedStyles } from './scoped-styles.ts';

export type Vite = typeof import('vite');

/** Path that everything a page loads stands below. */
export const base = '/static/';

export interface ConfigParts {
  readonly vite: Vite;
  readonly command: 'build' | 'serve';
  /** The program as it is now: another one after each reload. */
  readonly job: () => ClientJob;
  readonly runtime: RuntimeFiles;
  /** Text of the first module; absent: the one that puts the application into the page. */
  readonly entry?: () => string;
  /** Packages that are bundled before a page asks, for development. */
  readonly prepared?: PreparedPackages;
}

export async function viteConfig({ vite, command, job, runtime, entry, prepared }: ConfigParts): Promise<InlineConfig> {
  const { config } = job();
  const { projectDir, client } = config;
  const isBuild = command === 'build';
  const mode = isBuild ? 'production' : 'development';
  const { default: react } = await importPackage<typeof import('@vitejs/plugin-react')>(
    '@vitejs/plugin-react',
    projectDir,
  );
  const appEntry = () =>
    entryText(job().program.outline, { router: client.router, authRedirect: client.routing.authRedirect });
  const own: InlineConfig = {
    plugins: [
      svcPlugin({
        modules: () => job().program.modules(),
        entry: entry ?? appEntry,
        runtime,
        projectDir,
        packagesFrom: (name) => placeOfPackage(name, projectDir),
        prepared: prepared?.runtime,
      }),
      scopedStyles(projectDir),
      ...(isBuild ? [] : react({ include: /\.(svc|[jt]sx?)$/ })),
      ...(await tailwind(job())),
      ...(await listedPlugins(client.vite, projectDir)),
    ],
    resolve: {
      alias: [
        ...(prepared?.alias ?? []),
        ...aliases(client.paths, projectDir),
        ...(isBuild ? leanRouter(projectDir) : []),
      ],
      ...(isBuild ? { conditions: ['module', 'browser', 'production'] } : {}),
    },
    oxc: { jsx: { runtime: 'automatic' } },
  };
  const found = await vite.loadConfigFromFile({ command, mode }, undefined, projectDir, 'silent');
  const merged =
    found === null
      ? own
      : vite.mergeConfig(own, { ...found.config, plugins: await withoutReact(found.config.plugins) });
  return {
    ...merged,
    configFile: false,
    root: projectDir,
    base,
    mode,
    publicDir: false,
    appType: 'custom',
    clearScreen: false,
    envPrefix: ['SVC_PUBLIC_', 'VITE_'],
    cacheDir: join(projectDir, '.svc', 'vite'),
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
async function tailwind({ config: { projectDir, client, dependencies } }: ClientJob): Promise<PluginOption[]> {
  const name = '@tailwindcss/vite';
  const isListed = dependencies.npm[name] !== undefined || dependencies.npmDev[name] !== undefined;
  if (!isListed || client.vite.libImports.some((line) => line.includes(name))) return [];
  const { default: plugin } = await importPackage<{ readonly default: () => PluginOption }>(name, projectDir);
  return [plugin()];
}

/** `plugins = ["tailwindcss()"]` with `lib_imports = ["import tailwindcss from '@tailwindcss/vite'"]`: expressions of a module in the project. */
async function listedPlugins(
  { plugins, libImports }: ClientJob['config']['client']['vite'],
  projectDir: string,
): Promise<PluginOption[]> {
  if (plugins.length === 0) return [];
  const text = `${libImports.map((line) => `${line.replace(/;?\s*$/, '')};`).join('\n')}\nexport default [${plugins.join(', ')}];\n`;
  const file = join(projectDir, '.svc', `vite-plugins-${hashText(text).slice(0, 8)}.mjs`);
  await mkdir(join(projectDir, '.svc'), { recursive: true });
  await writeFile(file, text);
  const { default: made } = (await import(pathToFileURL(file).href)) as { default: PluginOption[] };
  return made;
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

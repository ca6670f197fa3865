/** PostCSS as `[plugins.client.configs]` of `svc.toml` has it, with Tailwind 3 as one of its plug-ins. */
import { createRequire } from 'node:module';
import { isAbsolute, join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CSSOptions } from 'vite';
import type { AnyTable } from '../../core/config/config.ts';
import { ClientBuildError } from './failure.ts';
import { importPackage } from './packages.ts';
import { isEmpty, type Listed, listOf, pluginsOf, type Settings, tailwindName } from './post-css-plugins.ts';

/**
 * Settings for Vite; undefined where `svc.toml` has none and Vite looks for `postcss.config.*`.
 *
 * @throws ClientBuildError that names the plug-in which is not there or fails
 */
export async function postCss({ client, projectDir }: Settings): Promise<CSSOptions['postcss']> {
  const { plugins: _, ...options } = client.configs.postcss;
  const listed = pluginsOf({ client, projectDir });
  if (listed.length === 0 && isEmpty(options)) return undefined;
  const tailwind = isEmpty(client.configs.tailwind)
    ? undefined
    : await tailwindConfig(client.configs.tailwind, projectDir);
  const plugins = await loadAll(
    listed.map(([name, given]) => [name, given ?? (name === tailwindName ? tailwind : undefined)]),
    projectDir,
    (plugin, given) => (typeof plugin === 'function' ? plugin(given) : plugin),
  );
  return { ...options, plugins } as CSSOptions['postcss'];
}

/** The table as Tailwind takes it: plug-ins loaded, and places to look for classes that do not depend on where `svc` was started. */
async function tailwindConfig({ content, plugins, presets, ...rest }: AnyTable, projectDir: string) {
  const isList = Array.isArray(content);
  const { files = [], ...more } = (isList ? { files: content } : (content ?? {})) as {
    readonly files?: readonly unknown[];
  };
  const load = (names: unknown) =>
    loadAll(listOf(names), projectDir, (one, given) => (given === undefined ? one : one(given)));
  return {
    ...rest,
    content: { ...more, files: [...files.flatMap((file) => placeOf(file, projectDir)), ...sourcesIn(projectDir)] },
    plugins: await load(plugins),
    ...(presets === undefined ? {} : { presets: await load(presets) }),
  };
}

/** Files of the language have classes, wherever they are in the project. */
function sourcesIn(projectDir: string): readonly string[] {
  return ['*.svc', '!(node_modules|dist|.*)/**/*.svc'].map((pattern) => below(projectDir, pattern));
}

/** A pattern of files, with `!` or without, below the project. Those of compiled modules mean the sources, which are looked at anyway. */
function placeOf(file: unknown, projectDir: string): readonly unknown[] {
  if (typeof file !== 'string') return [file];
  const [, not, pattern] = /^(!?)(.*)$/s.exec(file)!;
  if (/^(\.\/)?\.svc\//.test(pattern!)) return [];
  return [not + below(projectDir, pattern!)];
}

/** From the folder that Tailwind counts from: the folders above that one are then no part of a pattern, whatever characters they have. */
function below(projectDir: string, pattern: string): string {
  if (isAbsolute(pattern)) return pattern;
  return posix.join(relative(process.cwd(), projectDir).split(sep).join('/'), pattern);
}

async function loadAll<T>(
  listed: readonly Listed[],
  projectDir: string,
  use: (plugin: (options: unknown) => T, options: unknown) => T,
): Promise<T[]> {
  const loaded: T[] = [];
  for (const [name, options] of listed) {
    try {
      loaded.push(use(await load(name, projectDir), options));
    } catch (error) {
      throw new ClientBuildError([
        { message: `[plugins.client.configs] of svc.toml cannot be used: ${reasonOf(name, error)}` },
      ]);
    }
  }
  return loaded;
}

/** Imports a package, a part of one or a module of the project, as `require` and `import` find it. */
async function load(name: string, projectDir: string): Promise<any> {
  const found = await importAt(name, projectDir);
  const { default: main = found } = found;
  return main?.default ?? main;
}

async function importAt(name: string, projectDir: string): Promise<any> {
  try {
    const file = createRequire(join(projectDir, 'package.json')).resolve(name);
    return await import(pathToFileURL(file).href);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    return await importPackage(name, projectDir);
  }
}

function reasonOf(name: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'MODULE_NOT_FOUND'
    ? `"${name}" is not there: list the package in [dependencies.npm.dev]`
    : `"${name}": ${message?.split('\n')[0] ?? String(error)}`;
}

/** npm packages of the browser half: where they are, and which are missing. Packages belong to the project (client.md 1). */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Versions that svc was tested with, for projects that do not say otherwise. */
export const testedVersions: Readonly<Record<string, string>> = {
  vite: '^8.3.8',
  '@vitejs/plugin-react': '^6.3.0',
  react: '^19.3.1',
  'react-dom': '^19.3.1',
  'react-router-dom': '^7.18.5',
  zod: '^4.6.7',
  '@tanstack/react-form': '^1.33.5',
};

export interface PackageNeeds {
  readonly projectDir: string;
  /** `[dependencies.npm]` with `[dependencies.npm.dev]`. */
  readonly listed: Readonly<Record<string, string>>;
  readonly usesRouter: boolean;
  readonly usesForms: boolean;
}

/** The folder, with `node_modules` in or above it, that a package is found from: the project's, else that of svc itself. */
export function placeOfPackage(name: string, projectDir: string): string | undefined {
  return [projectDir, dirname(fileURLToPath(import.meta.url))].find(
    (from) => folderOfPackage(name, from) !== undefined,
  );
}

/** The folder of a package as seen from another folder. */
export function folderOfPackage(name: string, from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const folder = join(directory, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(directory) === directory) return undefined;
  }
}

/** `name@range` of what is not there, in order. */
export function missingPackages(needs: PackageNeeds): readonly string[] {
  const wanted = { ...ownNeeds(needs), ...manifestOf(needs.projectDir), ...needs.listed };
  return Object.entries(wanted).flatMap(([name, range]) =>
    placeOfPackage(name, needs.projectDir) === undefined ? [`${name}@${range === '' ? 'latest' : range}`] : [],
  );
}

function ownNeeds({ usesRouter, usesForms }: PackageNeeds): Record<string, string> {
  const names = [
    'vite',
    '@vitejs/plugin-react',
    'react',
    'react-dom',
    ...(usesRouter ? ['react-router-dom'] : []),
    ...(usesForms ? ['zod', '@tanstack/react-form'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, testedVersions[name]!]));
}

function manifestOf(projectDir: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')).dependencies ?? {};
  } catch {
    return {};
  }
}

/** Version of the copy that is used; '' when there is none. */
export function versionOf(name: string, projectDir: string): string {
  const from = placeOfPackage(name, projectDir);
  const folder = from === undefined ? undefined : folderOfPackage(name, from);
  try {
    return JSON.parse(readFileSync(join(folder!, 'package.json'), 'utf8')).version ?? '';
  } catch {
    return '';
  }
}

/** Imports a package of the project, of svc where the project has none. */
export async function importPackage<T>(name: string, projectDir: string): Promise<T> {
  const from = placeOfPackage(name, projectDir);
  const folder = from === undefined ? undefined : folderOfPackage(name, from);
  if (folder === undefined) throw new Error(`the package ${name} is not installed`);
  return (await import(pathToFileURL(join(folder, mainOf(folder))).href)) as T;
}

/** The module that `import` of a package loads. */
function mainOf(folder: string): string {
  const { exports, module, main = 'index.js' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entry = typeof exports === 'object' && exports !== null ? (exports['.'] ?? exports) : exports;
  return targetOf(entry) ?? module ?? main;
}

function targetOf(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  if (typeof entry !== 'object' || entry === null) return undefined;
  for (const [condition, target] of Object.entries(entry)) {
    if (condition !== 'import' && condition !== 'node' && condition !== 'default') continue;
    const found = targetOf(target);
    if (found !== undefined) return found;
  }
  return undefined;
}

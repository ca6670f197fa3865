/** npm packages of the browser half: where they are. Packages belong to the project (client.md 1). */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Config } from '../../core/config/config.ts';

export type Ranges = Readonly<Record<string, string>>;

/** `@scope/name/part` -> `@scope/name`. */
export function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Tools whose plug-ins and options svc is written for, by their major versions. A copy in another one is the project's own affair, and builds nothing here. */
export const buildTools: Ranges = { vite: '8', '@vitejs/plugin-react': '6' };

/** The folder, with `node_modules` in or above it, that a package is found from: the project's, else that of svc itself. */
export function placeOfPackage(name: string, projectDir: string): string | undefined {
  const major = buildTools[name];
  return [projectDir, placeOfSvc].find((from) => {
    const folder = folderOfPackage(name, from);
    return folder !== undefined && (major === undefined || versionIn(folder).split('.', 1)[0] === major);
  });
}

/** Folder that the packages of svc itself are found from. */
export const placeOfSvc: string = dirname(fileURLToPath(import.meta.url));

/** The folder of a package as seen from another folder. */
export function folderOfPackage(name: string, from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const folder = join(directory, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(directory) === directory) return undefined;
  }
}

/** Packages that a project lists by their ranges, in `svc.toml` and in `package.json`, of every kind. */
export function listedPackages({
  projectDir,
  dependencies: { npm, npmDev },
}: Pick<Config, 'projectDir' | 'dependencies'>): Ranges {
  const { dependencies, devDependencies } = readManifest(projectDir);
  return { ...devDependencies, ...dependencies, ...npmDev, ...npm };
}

export interface PackageManifest {
  readonly dependencies: Ranges;
  readonly devDependencies: Ranges;
  /** Neighbours that the package needs. */
  readonly peers: Ranges;
}

/** `package.json` of a folder, as far as there is one. */
export function readManifest(directory: string): PackageManifest {
  try {
    const {
      dependencies = {},
      devDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const needed = Object.entries(peerDependencies as Ranges).filter(
      ([name]) => peerDependenciesMeta[name]?.optional !== true,
    );
    return { dependencies, devDependencies, peers: Object.fromEntries(needed) };
  } catch {
    return { dependencies: {}, devDependencies: {}, peers: {} };
  }
}

/** Version of the copy that is used; '' when there is none. */
export function versionOf(name: string, projectDir: string): string {
  const from = placeOfPackage(name, projectDir);
  const folder = from === undefined ? undefined : folderOfPackage(name, from);
  return folder === undefined ? '' : versionIn(folder);
}

/** Version of the package in a folder; '' when there is none. */
export function versionIn(folder: string): string {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version ?? '';
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

/** Is what `import` of the package in a folder loads an ES module, or a source of one? */
export function isEsPackage(folder: string): boolean {
  const { type, module } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return type === 'module' || module !== undefined || /\.(mjs|mts|tsx?|jsx)$/.test(mainOf(folder));
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

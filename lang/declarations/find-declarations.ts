/** Declarations of a JavaScript module: a TypeScript file, the package's own, `@types`. */
import type { ProjectFiles } from '../project/files.ts';
import { dirName, joinPath } from '../project/paths.ts';
import { isNodeModule } from '../project/standard-modules.ts';

/** Path of the file, or undefined. `from`: the directory of the importing file. */
export function findDeclarations(specifier: string, from: string, files: ProjectFiles): string | undefined {
  if (/^\.\.?(\/|$)/.test(specifier)) return ofFile(joinPath(from, specifier), files);
  if (specifier.startsWith('/')) return ofFile(specifier, files);
  if (isNodeModule(specifier)) return ofNodeModule(specifier.replace(/^node:/, ''), from, files);
  return ofPackage(specifier, from, files);
}

/** The file at a path as code names it: `./util`, `./util.js` and `./util.ts` may all be `util.ts`. `.tsx` is client code. */
export function ofFile(path: string, files: ProjectFiles): string | undefined {
  if (/\.(svc|tsx|jsx|json)$/.test(path)) return undefined;
  const isFile = (candidate: string) => files.exists(candidate) === 'file';
  // A path may name the JavaScript file that was made from `util.ts`.
  const code = /\.([mc]?)ts$/.exec(path);
  if (code !== null) return [path, `${path.slice(0, -code[0].length)}.d.${code[1]}ts`].find(isFile);
  const script = /\.([mc]?)js$/.exec(path);
  if (script !== null) {
    const stem = path.slice(0, -script[0].length);
    return [`.${script[1]}ts`, `.d.${script[1]}ts`].map((suffix) => stem + suffix).find(isFile);
  }
  const suffixes = ['.ts', '.d.ts', '.mts', '.d.mts', '.d.cts', '/index.ts', '/index.d.ts'];
  return suffixes.map((suffix) => path + suffix).find(isFile);
}

// A file of `@types/node` declares the modules that are named like it.
function ofNodeModule(name: string, from: string, files: ProjectFiles): string | undefined {
  const folder = packageFolder('@types/node', from, files);
  return folder === undefined ? undefined : ofFile(joinPath(folder, `${name}.d.ts`), files);
}

function ofPackage(specifier: string, from: string, files: ProjectFiles): string | undefined {
  const [, name, below = ''] = /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const folder = packageFolder(name, from, files);
  const found = folder === undefined ? undefined : inPackage(folder, below.slice(1), files);
  if (found !== undefined || name.startsWith('@types/')) return found;
  return ofPackage(`@types/${name.replace(/^@(.+)\//, '$1__')}${below}`, from, files);
}

function packageFolder(name: string, from: string, files: ProjectFiles): string | undefined {
  for (let dir = from; ; dir = dirName(dir)) {
    const folder = joinPath(dir, 'node_modules', name);
    if (files.exists(folder) === 'directory') return folder;
    if (dirName(dir) === dir) return undefined;
  }
}

interface Manifest {
  readonly types?: unknown;
  readonly typings?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
}

function inPackage(folder: string, below: string, files: ProjectFiles): string | undefined {
  const manifest = readManifest(joinPath(folder, 'package.json'), files);
  const at = (path: unknown) => (typeof path === 'string' ? ofTarget(joinPath(folder, path), files) : undefined);
  if (manifest.exports !== undefined) {
    const found = fromExports(manifest.exports, below === '' ? '.' : `./${below}`, at);
    if (found !== undefined) return found;
  }
  if (below !== '') return manifest.exports === undefined ? at(below) : undefined;
  return at(manifest.types ?? manifest.typings) ?? at(manifest.main ?? 'index.js') ?? at('index.d.ts');
}

function ofTarget(path: string, files: ProjectFiles): string | undefined {
  // Code in a package is never TypeScript.
  const found = ofFile(path, files);
  return found !== undefined && /\.d\.[mc]?ts$/.test(found) ? found : undefined;
}

function readManifest(path: string, files: ProjectFiles): Manifest {
  try {
    const manifest: unknown = JSON.parse(files.readFile(path) ?? '{}');
    return typeof manifest === 'object' && manifest !== null ? manifest : {};
  } catch {
    return {};
  }
}

type At = (path: unknown) => string | undefined;

/** `exports` of a manifest: a path, conditions, or entries by subpath. */
function fromExports(exports: unknown, subpath: string, at: At): string | undefined {
  if (typeof exports !== 'object' || exports === null || Array.isArray(exports)) {
    return subpath === '.' ? fromConditions(exports, '', at) : undefined;
  }
  const entries = Object.entries(exports);
  if (!entries.some(([key]) => key.startsWith('.')))
    return subpath === '.' ? fromConditions(exports, '', at) : undefined;
  for (const [key, target] of entries) {
    if (key === subpath) return fromConditions(target, '', at);
  }
  for (const [key, target] of entries) {
    const star = key.indexOf('*');
    if (star < 0 || !subpath.startsWith(key.slice(0, star)) || !subpath.endsWith(key.slice(star + 1))) continue;
    return fromConditions(target, subpath.slice(star, subpath.length - (key.length - star - 1)), at);
  }
  return undefined;
}

const conditions = new Set(['types', 'import', 'node', 'module-sync', 'default']);

/** The first target with declarations, in the order of the manifest, as its readers take it. */
function fromConditions(target: unknown, star: string, at: At): string | undefined {
  if (typeof target === 'string') return at(target.replaceAll('*', star));
  if (typeof target !== 'object' || target === null) return undefined;
  const parts = Array.isArray(target)
    ? target
    : Object.entries(target).flatMap(([key, value]) => (conditions.has(key) ? [value] : []));
  // A package of CommonJS modules alone.
  if ('require' in target) parts.push(target.require);
  for (const part of parts) {
    const found = fromConditions(part, star, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

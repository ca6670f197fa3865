/**
 * Search for the target of an import (docs/language/imports.md#lookup): the candidates in their order, and the first
 * that exists.
 */
import type { ProjectFiles } from './files.ts';
import { joinPath, pathBelow } from './paths.ts';
import { cpythonReplacement, isNodeModule } from './standard-modules.ts';

export interface Place {
  /** Directory of the importing file. */
  readonly dir: string;
  /** A client module: `.cl.svc`, TypeScript and JavaScript files are candidates too. */
  readonly client: boolean;
  /**
   * The importing file. One that is called like a standard module means that one by its name, not itself
   * (docs/language/imports.md#lookup).
   */
  readonly file?: string;
}

export interface Lookup {
  readonly files: ProjectFiles;
  readonly root: string;
  readonly entryDir: string;
  readonly svcPath: readonly string[];
  /** Canonical name of a standard module. */
  readonly standard: (name: string) => string | undefined;
  /** `[plugins.client.paths]` */
  readonly aliases: Readonly<Record<string, string>>;
  /** Tells whether the project lists a package of npm, which is found by its name whether it is installed yet or not. */
  readonly isListed: (name: string) => boolean;
}

export type Found =
  /** A module file, or a directory: a package with `__init__.svc`, else a namespace. `base` is where the search began. */
  | { readonly of: 'file'; readonly path: string; readonly base: string; readonly segments: readonly string[] }
  | { readonly of: 'directory'; readonly path: string; readonly base: string; readonly segments: readonly string[] }
  | { readonly of: 'standard'; readonly name: string }
  /** A JavaScript or TypeScript file, a style sheet or another asset: `path` of the file. Without it a package or Node module. */
  | { readonly of: 'js'; readonly specifier: string; readonly path: string | undefined; readonly asset: boolean }
  | { readonly of: 'cpython'; readonly name: string; readonly instead: string }
  | { readonly of: 'missing'; readonly name: string; readonly tried: readonly string[] };

const moduleSuffixes = ['.svc', '.sv.svc', '.cl.svc', '.na.svc'];
const scriptSuffixes = ['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
const knownExtension = /\.(js|mjs|cjs|ts|tsx|jsx|css|scss|sass|less|json|wasm|svg|png|jpg)$/;
const assetExtension = /\.(css|scss|sass|less|wasm|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|mp[34]|webm|pdf)$/;

/** The runtime, which early programs import as `"@svc-client/utils"`, and tutorials of their time as `svc_client`. */
const runtimeItself: Found = { of: 'js', specifier: '@svc/runtime', path: undefined, asset: false };

/** Is the file one that only a bundler makes something of? Node.js loads scripts and data. */
function isAsset(path: string): boolean {
  return !/\.([cm]?[jt]sx?|json|node)$/.test(path);
}

/** An unquoted module name: `segments` with `level` leading dots. */
export function findDotted(level: number, segments: readonly string[], place: Place, lookup: Lookup): Found {
  const tried: string[] = [];
  const name = segments.join('.');
  const standard = level === 0 ? lookup.standard(name) : undefined;
  for (const base of searchBases(level, place, lookup)) {
    const found = findUnder(base, segments, place.client, lookup, level > 0, tried);
    if (found !== undefined && !(isSelf(found, place) && standard !== undefined)) return found;
  }
  if (level === 0) {
    const isListed = lookup.isListed(segments[0]!);
    // `uuid` is a package as well as a module of Python: in client code a listed package is meant, elsewhere the module.
    if (standard !== undefined && !(isListed && place.client)) return { of: 'standard', name: standard };
    const specifier = segments.join('/');
    if (
      isListed ||
      lookup.files.exists(joinPath(lookup.root, 'node_modules', specifier)) !== undefined ||
      isNodeModule(specifier)
    ) {
      return { of: 'js', specifier, path: undefined, asset: false };
    }
    const instead = cpythonReplacement(name);
    if (instead !== undefined) return { of: 'cpython', name, instead };
    if (place.client && name === 'svc_client') return runtimeItself;
  }
  return { of: 'missing', name: '.'.repeat(level) + name, tried };
}

function isSelf(found: Found, { file }: Place): boolean {
  return found.of === 'file' && found.path === file;
}

/** A quoted module path, `level` counting dots before the quote. */
export function findQuoted(level: number, text: string, place: Place, lookup: Lookup): Found {
  let { dir } = place;
  for (let up = 1; up < level; up++) dir = joinPath(dir, '..');
  if (level > 0 && !text.startsWith('.')) return findFile(dir, [`./${text}`], text, lookup);
  if (/^\.\.?\//.test(text)) {
    const found = findFile(dir, [text], text, lookup);
    return (found.of === 'missing' && fileFromEmitted(dir, text, lookup)) || found;
  }
  const dots = /^\.+/.exec(text)?.[0] ?? '';
  if (dots !== '') return findFile(dir, dottedPaths(text, dots), text, lookup);
  // No package is called so.
  if (text.endsWith('.svc')) return findFile(dir, [`./${text}`], text, lookup);
  const aliased = aliasedPath(text, lookup);
  const found = aliased === undefined ? undefined : findFile(lookup.root, [aliased], text, lookup);
  // Folders with an index and the like are left to the bundler; nothing at all is no package either.
  if (found !== undefined && (found.of !== 'missing' || !isThere(aliased!, lookup))) return found;
  const own = ownModule(text, place, lookup);
  if (own !== undefined) return own;
  if (text === '@svc-client/utils') return runtimeItself;
  return { of: 'js', specifier: text, path: undefined, asset: assetExtension.test(text) };
}

/**
 * File that `text` leads to from where the language's other compiler puts the client half of a module, which bundlers
 * there read: `"../../../components/icons"` in a module of the project's own folder.
 */
function fileFromEmitted(dir: string, text: string, lookup: Lookup): Found | undefined {
  const below = dir === lookup.root ? '' : pathBelow(dir, lookup.root);
  if (below === undefined) return undefined;
  const found = findFile(joinPath(lookup.root, '.svc/client/compiled', below), [text], text, lookup);
  return found.of === 'missing' ? undefined : found;
}

/** Module of the project that `"main"` or `"services.trips"` means: a package of that name would have to be listed. Otherwise npm would bring a stranger's. */
function ownModule(text: string, place: Place, lookup: Lookup): Found | undefined {
  const segments = text.split(/[./]/);
  // In a script the bundler decides.
  if (place.file === undefined || !segments.every((segment) => /^\w+$/.test(segment)) || isNodeModule(text))
    return undefined;
  const own = searchBases(0, place, lookup)
    .map((base) => findUnder(base, segments, false, lookup, false, []))
    .find((found) => found?.of === 'file');
  // Only a program with such a module depends on what its packages are.
  return own === undefined || lookup.isListed(segments[0]!) || lookup.isListed(text) ? undefined : own;
}

/** `@parts/Card` of `"@parts/*" = "./components/*"` is `./components/Card`. */
function aliasedPath(text: string, { aliases }: Lookup): string | undefined {
  for (const [name, place] of Object.entries(aliases)) {
    if (name === text) return place;
    const stem = name.endsWith('*') ? name.slice(0, -1) : undefined;
    if (stem !== undefined && text.startsWith(stem)) return place.replace(/\*?$/, '') + text.slice(stem.length);
  }
  return undefined;
}

function isThere(place: string, { files, root }: Lookup): boolean {
  return files.exists(place.startsWith('/') ? place : joinPath(root, place)) !== undefined;
}

/** Does the module look like client code by its source alone (docs/language/placement.md#inference)? A TypeScript file may serve either side. */
export function isClientSource(found: Found): boolean {
  if (found.of === 'file') return found.path.endsWith('.cl.svc');
  if (found.of === 'missing') return assetExtension.test(found.name) || /\.[jt]sx$/.test(found.name);
  if (found.of !== 'js') return false;
  if (found.path !== undefined) return found.asset || /\.(tsx|jsx)$/.test(found.path);
  return !isNodeModule(found.specifier);
}

/** `lib.util` below `base`, or undefined; what was looked for is added to `tried`. */
export function findUnder(
  base: string,
  segments: readonly string[],
  client: boolean,
  lookup: Lookup,
  bareDirectories: boolean,
  tried: string[],
): Found | undefined {
  const { files } = lookup;
  const path = joinPath(base, ...segments);
  if (segments.length > 0) {
    tried.push(`${pathBelow(path, lookup.root) ?? path}.svc`);
    for (const suffix of moduleSuffixes) {
      if (files.exists(path + suffix) === 'file') return { of: 'file', path: path + suffix, base, segments };
    }
    if (client) {
      const script = scriptSuffixes.find((suffix) => files.exists(path + suffix) === 'file');
      if (script !== undefined) return { of: 'js', specifier: path + script, path: path + script, asset: false };
    }
  }
  if (files.exists(path) !== 'directory') return undefined;
  if (files.exists(joinPath(path, '__init__.svc')) === 'file') return { of: 'directory', path, base, segments };
  // A directory without `__init__.svc` is a namespace, unless its name is one of a standard module.
  const isNamespace = bareDirectories || lookup.standard(segments.join('.')) === undefined;
  return isNamespace && holdsModules(path, files) ? { of: 'directory', path, base, segments } : undefined;
}

function holdsModules(path: string, files: ProjectFiles): boolean {
  return files
    .listDir(path)
    .some(
      (name) =>
        name.endsWith('.svc') ||
        (!name.startsWith('.') && name !== 'node_modules' && files.exists(joinPath(path, name)) === 'directory'),
    );
}

function searchBases(level: number, place: Place, { root, entryDir, svcPath }: Lookup): readonly string[] {
  if (level === 0)
    return [...new Set([place.dir, root, entryDir, ...svcPath, ...testedFolder(place.dir), ...testedFolder(entryDir)])];
  const dirs = [place.dir];
  for (let up = 1; up < level; up++) dirs.push(joinPath(dirs.at(-1)!, '..'));
  // Dots that lead out of the project mean its root, if there is nothing outside.
  return [dirs.at(-1)!, ...(dirs.slice(0, -1).includes(root) ? [root] : [])];
}

/**
 * Gives the folder beside `tests/`: its modules are those that files below `tests/` test, with or without a `svc.toml`
 * there (docs/language/imports.md#lookup).
 */
function testedFolder(dir: string): readonly string[] {
  const above = /^(.+)\/tests?(?:\/|$)/.exec(dir)?.[1];
  return above === undefined ? [] : [above];
}

/** `.styles.global.css` is `./styles/global.css`, else `./styles.global.css`; `..lib.utils` is `../lib/utils`. */
function dottedPaths(text: string, dots: string): readonly string[] {
  const rest = text.slice(dots.length);
  const prefix = dots.length === 1 ? './' : '../'.repeat(dots.length - 1);
  const extension = knownExtension.exec(rest)?.[0] ?? '';
  const stem = rest.slice(0, rest.length - extension.length);
  return [prefix + stem.replaceAll('.', '/') + extension, prefix + rest];
}

function findFile(dir: string, relatives: readonly string[], text: string, lookup: Lookup): Found {
  const { files, root } = lookup;
  const tried: string[] = [];
  for (const written of relatives) {
    const [relative = '', ...query] = written.split('?');
    const path = joinPath(dir, relative);
    // `./logo.svg?raw`: the bundler makes something else of the file.
    const asked = query.length > 0 && ['', ...scriptSuffixes].find((suffix) => files.exists(path + suffix) === 'file');
    if (typeof asked === 'string')
      return { of: 'js', specifier: `${path}${asked}?${query.join('?')}`, path: path + asked, asset: true };
    for (const suffix of ['', ...moduleSuffixes, ...scriptSuffixes]) {
      const candidate = path + suffix;
      tried.push(pathBelow(candidate, root) ?? candidate);
      if (files.exists(candidate) !== 'file') continue;
      if (!candidate.endsWith('.svc')) {
        return { of: 'js', specifier: candidate, path: candidate, asset: isAsset(candidate) };
      }
      const base = pathBelow(candidate, root) === undefined ? dir : root;
      const name = (pathBelow(candidate, base) ?? candidate).replace(/(\.(cl|sv|na))?\.svc$/, '');
      return { of: 'file', path: candidate, base, segments: name.split('/') };
    }
  }
  return { of: 'missing', name: text, tried: tried.slice(0, 4) };
}

/**
 * Reader of a project, from an entry file to all modules it needs (docs/language/placement.md#placement,
 * docs/language/imports.md#imports, docs/language/implementations.md#impl): follows imports, joins annexes to their
 * module, decides placement. Reading is an argument; nothing here touches a file system.
 */
import type * as ast from './1-parse/ast.ts';
import { parse } from './1-parse/parse.ts';
import type { Caught } from './2-resolve/caught-imports.ts';
import type { Finding } from './2-resolve/find-by-word.ts';
import { createDeclarations, type Declarations } from './declarations/declarations.ts';
import { compareDiagnostics, createReporter, type Diagnostic, type Reporter } from './diagnostics.ts';
import { withoutFollowUps, withoutTwins } from './follow-ups.ts';
import { annexKind, findAnnexes } from './project/annexes.ts';
import { declaredNames } from './project/declared-names.ts';
import { type ProjectFiles, rememberFiles } from './project/files.ts';
import { findImports } from './project/find-imports.ts';
import {
  type Found,
  findDotted,
  findQuoted,
  findUnder,
  isClientSource,
  type Lookup,
  type Place,
} from './project/find-module.ts';
import type { KeptFiles } from './project/kept-files.ts';
import { baseName, dirName, joinPath, normalizePath, pathBelow } from './project/paths.ts';
import { type Placed, placeElements } from './project/placement.ts';
import { isNodeModule, standardModule } from './project/standard-modules.ts';
import { calledImports, isScript, scriptImports } from './project/unlisted-imports.ts';
import { reportBug } from './report-bug.ts';
import type { Source } from './source.ts';

export interface ProjectOptions {
  /** Project root: the directory of `svc.toml`, else the entry's. */
  readonly root?: string;
  /** Further directories to search (`SVC_PATH`). */
  readonly svcPath?: readonly string[];
  /** Further modules to read, which nothing in the language imports: those that TypeScript files do. */
  readonly also?: readonly string[];
  /** Modules of the browser half that nothing imports: those of `pages/`, and the application's where it stands beside the entry. */
  readonly browser?: readonly string[];
  /** The program does not begin with any of these modules: TypeScript imports them. */
  readonly isLibrary?: boolean;
  /** Read `*.test.svc` annexes too. */
  readonly tests?: boolean;
  /** Names of `[dependencies.npm]`, which imports may name without quotes. */
  readonly packages?: readonly string[];
  /** `[placement.pins]`. */
  readonly pins?: Readonly<Record<string, 'server' | 'client'>>;
  /** `[plugins.client.paths]`: names of modules in quotes, with `*` at the end or without, to where they are from the root. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Names of `[plugins.client.vite.define]`, which stand for values in client code. */
  readonly defined?: readonly string[];
  /** `[plugins.client] router`; `auto` when absent. */
  readonly router?: 'auto' | 'history' | 'hash';
  /**
   * Canonical name of a standard module, or undefined; by default those of docs/language/standard-modules.md#modules.
   */
  readonly standard?: (name: string) => string | undefined;
  /** Gives the name of a file in diagnostics; by default its path from the project root. */
  readonly displayPath?: (path: string) => string;
  /** Files of the last reading, for who reads a project again and again. */
  readonly kept?: KeptFiles | undefined;
}

export interface Project {
  /** Module id of the entry. */
  readonly entry: string;
  readonly isLibrary: boolean;
  /** Parts of the program are TypeScript: its abilities may wait, and any walk may come to them. */
  readonly hasScripts: boolean;
  /** Does an import inside of a function, entry block or test name a module of the project? */
  readonly importsLater: boolean;
  readonly root: string;
  readonly router: 'auto' | 'history' | 'hash';
  /** Names that the bundler puts values for. */
  readonly defined: ReadonlySet<string>;
  /** Files of this reading, when there are several: what phases find out about one that stays the same may be used again. */
  readonly kept: KeptFiles | undefined;
  /** Declarations of JavaScript modules, read when they are asked for. */
  readonly declarations: Declarations;
  /** Modules by id, in the order of first import: the entry first, an importer before the modules it imports. */
  readonly modules: ReadonlyMap<string, ProjectModule>;
  /** Ids of modules that scripts import, or calls of `import`: these may ask for a `default`. */
  readonly byScripts: ReadonlySet<string>;
  /** Lists the findings of all phases so far, by file and position. */
  diagnostics(): readonly Diagnostic[];
}

/** Target of the path of an import statement. */
export type ModuleTarget =
  /**
   * A module of the project. `loads` are the packages above it and itself; `first` is the module of the first segment (what `import a.b.c`
   * binds); `submodules` are names of an import list that are modules below it rather than members.
   */
  | {
      readonly of: 'project';
      readonly id: string;
      readonly loads: readonly string[];
      readonly first: string;
      readonly submodules: ReadonlyMap<string, string>;
    }
  | Exclude<Found, { readonly of: 'file' | 'directory' }>
  /** `__future__`: nothing. */
  | { readonly of: 'nothing' };

export interface ProjectModule {
  /** Dotted path from the project root: `main`, `lib.util`. */
  readonly id: string;
  /** Path of the base file; the directory for a namespace package (which has an empty tree). */
  readonly path: string;
  readonly source: Source;
  /** The base file's elements, then those of its implementation annexes, then those of its test annexes. */
  readonly tree: ast.Module;
  /** All files of the module, the base first. */
  readonly sources: readonly Source[];
  readonly suffix: ast.Placement | undefined;
  /** Modules below a package that the program loads, by name. */
  readonly submodules: ReadonlyMap<string, string>;
  readonly imports: ReadonlyMap<ast.ModulePath, ModuleTarget>;
  /** Import statements that the program itself handles where they fail. */
  readonly caughtImports: ReadonlyMap<ast.Node, Caught>;
  readonly placement: ReadonlyMap<ast.Node, Placed>;
  /** Scoped sheet beside the module, `Card.style.css`: its name, and its text. */
  readonly sheet: { readonly name: string; readonly text: string } | undefined;
  /** The file an element was written in. For a node inside one, ask for the element (or member `impl`) around it. */
  sourceOf(element: ast.Node): Source;
  reporterOf(source: Source): Reporter;
}

interface Building extends ProjectModule {
  tree: ast.Module;
  readonly sources: Source[];
  readonly submodules: Map<string, string>;
  readonly imports: Map<ast.ModulePath, ModuleTarget>;
  readonly caughtImports: Map<ast.Node, Caught>;
  placement: ReadonlyMap<ast.Node, Placed>;
  readonly annexSources: Map<ast.Node, Source>;
  /** Directories of annexes that stand in another one than the module. */
  readonly annexDirs: Map<Source, string>;
  readonly reporters: Map<Source, Reporter>;
  readonly names: ReadonlySet<string>;
}

interface Reading {
  readonly lookup: Lookup;
  readonly options: ProjectOptions;
  readonly modules: Map<string, Building>;
  readonly byPath: Map<string, Building>;
  readonly display: (path: string) => string;
  readonly byScripts: Set<string>;
  /** Scripts whose imports were followed. */
  readonly scripts: Set<string>;
  entry: Building | undefined;
  importsLater: boolean;
  /** True when the module read now is reached only by an import that may never run. */
  isPerhaps: boolean;
}

/** Reads the module at `entry` and everything it imports. Files that are missing or broken are in `diagnostics`. */
export function readProject(entry: string, files: ProjectFiles, options: ProjectOptions = {}): Project {
  options.kept?.begin();
  const path = normalizePath(entry);
  const root = normalizePath(options.root ?? dirName(path));
  const reading: Reading = {
    lookup: {
      files: rememberFiles(files),
      root,
      entryDir: dirName(path),
      svcPath: (options.svcPath ?? []).map(normalizePath),
      standard: options.standard ?? standardModule,
      aliases: options.aliases ?? {},
      isListed: listedPackages(root, files, options.packages ?? []),
    },
    options,
    modules: new Map(),
    byPath: new Map(),
    byScripts: new Set(),
    scripts: new Set(),
    display: options.displayPath ?? ((file) => pathBelow(file, root) ?? file),
    entry: undefined,
    importsLater: false,
    isPerhaps: false,
  };
  const load = (file: string) => loadFile(reading, file, idOf(reading, file, [baseName(file).replace(/\..*$/, '')]));
  const module = load(path);
  for (const file of [...(options.also ?? []), ...(options.browser ?? [])]) load(normalizePath(file));
  return {
    entry: module.id,
    isLibrary: options.isLibrary ?? false,
    hasScripts: (options.also?.length ?? 0) > 0 || options.isLibrary === true || importsScripts(reading),
    importsLater: reading.importsLater,
    root,
    router: options.router ?? 'auto',
    defined: new Set(options.defined),
    kept: options.kept,
    declarations: createDeclarations(files, root),
    modules: reading.modules,
    byScripts: reading.byScripts,
    diagnostics: () =>
      withoutTwins(
        [...reading.modules.values()].flatMap((one) =>
          [...one.reporters.values()].flatMap((report) => withoutFollowUps(report.sorted(), report.source)),
        ),
      ).toSorted(compareDiagnostics),
  };
}

/** Packages that `[dependencies.npm]` names, or the `package.json` of the project. */
function listedPackages(root: string, files: ProjectFiles, named: readonly string[]): (name: string) => boolean {
  const known = new Set(named);
  let manifest: ReadonlySet<string> | undefined;
  return (name) => {
    manifest ??= manifestPackages(files.readFile(joinPath(root, 'package.json')));
    return known.has(name) || manifest.has(name);
  };
}

function manifestPackages(text: string | undefined): ReadonlySet<string> {
  try {
    const { dependencies, devDependencies } = JSON.parse(text ?? '{}');
    return new Set(Object.keys({ ...dependencies, ...devDependencies }));
  } catch {
    return new Set();
  }
}

function importsScripts({ modules }: Reading): boolean {
  return [...modules.values()].some(({ imports }) => [...imports.values()].some(isScriptTarget));
}

function isScriptTarget(target: ModuleTarget | undefined): boolean {
  return target?.of === 'js' && /\.[mc]?ts$/.test(target.path ?? '');
}

function isEitherSide(target: ModuleTarget | undefined): boolean {
  if (target?.of !== 'js') return false;
  return target.path === undefined ? !isNodeModule(target.specifier) : /\.([mc]?[jt]s|json)$/.test(target.path);
}

/** The project of one text without files around it: for tests and tools. */
export function projectOfText(text: string, path = 'main.svc'): Project {
  const files: ProjectFiles = {
    readFile: (name) => (name === path ? text : undefined),
    exists: (name) => (name === path ? 'file' : undefined),
    listDir: () => [path],
  };
  return readProject(path, files, { root: dirName(path) });
}

function loadFile(reading: Reading, path: string, id: string): Building {
  const known = reading.byPath.get(path);
  if (known !== undefined) return known;
  const { source, report } = readSource(reading, path);
  const tree = parseSafely(reading, id, source, report);
  const module = makeModule(id, path, source, tree, report);
  reading.byPath.set(path, module);
  reading.modules.set(id, module);
  reading.entry ??= module;
  appendAnnexes(reading, module);
  (module as { sheet: ProjectModule['sheet'] }).sheet = scopedSheet(path, reading.lookup.files);
  (module as { names: ReadonlySet<string> }).names = declaredNames(module.tree, module.id);
  for (const site of findImports(module.tree, (element) => module.sourceOf(element))) {
    if (site.caught !== undefined) module.caughtImports.set(site.node, site.caught);
    for (const each of importPaths(site.node)) {
      module.imports.set(each.path, followImport(reading, module, each, site));
    }
  }
  for (const text of calledImports(module.tree, module.sourceOf)) followUnlisted(reading, dirName(path), text);
  module.placement = placeElements({
    id,
    tree: module.tree,
    suffix: module.suffix,
    pins: reading.options.pins ?? {},
    sourceOf: module.sourceOf,
    isClientImport: (modulePath) => isClientTarget(reading, modulePath, module.imports.get(modulePath)),
    isEitherSide: (modulePath) => isEitherSide(module.imports.get(modulePath)),
  });
  return module;
}

function scopedSheet(path: string, files: ProjectFiles): ProjectModule['sheet'] {
  const stem = `${baseName(path).replace(/(\.(cl|sv|na))?\.svc$/, '')}.style.`;
  const name = files
    .listDir(dirName(path))
    .find((one) => one.startsWith(stem) && /^(css|scss|sass|less)$/.test(one.slice(stem.length)));
  return name === undefined ? undefined : { name, text: files.readFile(joinPath(dirName(path), name)) ?? '' };
}

/** A file that is not UTF-8 is told as that and nothing else: what its replaced characters lead to is no mistake of its author. */
function readSource(reading: Reading, path: string): { source: Source; report: Reporter } {
  const { files } = reading.lookup;
  const [shown, text] = [reading.display(path), files.readFile(path) ?? ''];
  const isBroken = text.includes('\ufffd');
  const source = (isBroken ? undefined : reading.options.kept?.source(shown, text)) ?? { path: shown, text };
  const report = createReporter(source);
  const invalid = isBroken ? files.invalidUtf8?.(path) : undefined;
  if (invalid === undefined) return { source, report };
  const help = 'save the file as UTF-8';
  report.at('E0108', { start: invalid.at, end: invalid.at + 1 }, { byte: invalid.byte }, { help });
  return { source, report: { ...report, at() {}, suppress() {}, isBroken: () => true } };
}

function parseSafely(
  { options: { kept } }: Reading,
  id: string,
  source: Source,
  report: Reporter,
  base?: Source,
): ast.Module {
  try {
    return kept === undefined ? parse(source, report, base) : kept.tree(source, report, base, parse);
  } catch (error) {
    reportBug({ id, source, reporterOf: () => report }, 'parse', error);
    return { ...emptyTree };
  }
}

const emptyTree: ast.Module = { kind: 'Module', start: 0, end: 0, doc: undefined, body: [], spines: new Map() };

function makeModule(id: string, path: string, source: Source, tree: ast.Module, report: Reporter): Building {
  const annexSources = new Map<ast.Node, Source>();
  const reporters = new Map([[source, report]]);
  const suffix = /\.(cl|sv|na)\.svc$/.exec(path)?.[1] as ast.Placement | undefined;
  return {
    id,
    path,
    source,
    tree,
    sources: [source],
    suffix,
    submodules: new Map(),
    imports: new Map(),
    caughtImports: new Map(),
    placement: new Map(),
    sheet: undefined,
    annexSources,
    annexDirs: new Map(),
    reporters,
    names: new Set(),
    sourceOf: (element) => (annexSources.size === 0 ? source : (annexSources.get(element) ?? source)),
    reporterOf: (of) => reporters.get(of) ?? report,
  };
}

function appendAnnexes(reading: Reading, module: Building): void {
  if (annexKind(module.path) !== undefined) return;
  const { files } = reading.lookup;
  const kinds = reading.options.tests === true ? (['impl', 'test'] as const) : (['impl'] as const);
  const bodies: ast.Element[] = [];
  const spines = [...module.tree.spines];
  for (const kind of kinds) {
    for (const path of findAnnexes(module.path, kind, files)) {
      const { source, report } = readSource(reading, path);
      const tree = parseSafely(reading, module.id, source, report, module.source);
      module.sources.push(source);
      module.reporters.set(source, report);
      if (dirName(path) !== dirName(module.path)) module.annexDirs.set(source, dirName(path));
      spines.push(...tree.spines);
      for (const element of tree.body) {
        bodies.push(element);
        noteSource(element, source, module.annexSources);
      }
    }
  }
  if (bodies.length > 0) module.tree = joinedTree(module.tree, bodies, new Map(spines));
}

const joinedTrees = new WeakMap<ast.Module, ast.Module>();

/** The tree of a module with its annexes; the same one as long as all are the same. */
function joinedTree(base: ast.Module, annexed: readonly ast.Element[], spines: ast.Module['spines']): ast.Module {
  const body = [...base.body, ...annexed];
  const known = joinedTrees.get(base);
  if (known?.body.length === body.length && body.every((element, i) => element === known.body[i])) return known;
  const joined = { ...base, body, spines };
  joinedTrees.set(base, joined);
  return joined;
}

function noteSource(element: ast.Element, source: Source, sources: Map<ast.Node, Source>): void {
  sources.set(element, source);
  if (element.kind === 'PlacedBlock') for (const inner of element.body) noteSource(inner, source, sources);
}

interface ImportPath {
  readonly path: ast.ModulePath;
  /** Names of the import list, for submodules. */
  readonly names: readonly ast.Name[];
  readonly isForeign: boolean;
}

function importPaths(node: ast.ImportModules | ast.ImportFrom | ast.Include): readonly ImportPath[] {
  if (node.kind === 'ImportModules')
    return node.items.map((item) => ({ path: item.path, names: [], isForeign: false }));
  const names = node.kind === 'ImportFrom' ? node.items.flatMap((item) => item.name ?? []) : [];
  return [{ path: node.path, names, isForeign: node.kind === 'ImportFrom' && node.isForeign === true }];
}

function followImport(
  reading: Reading,
  module: Building,
  { path, names, isForeign }: ImportPath,
  { nested, placement, caught, source }: Omit<Finding<ast.Node>, 'node'>,
): ModuleTarget {
  const client = (placement ?? module.suffix) === 'cl';
  const place = { dir: dirName(module.path), client, file: module.path };
  const beside = module.annexDirs.get(source);
  const first = findImport(reading, place, path);
  // An annex in a folder of its own may name files from where it stands, too.
  const other =
    first.of === 'missing' && beside !== undefined ? findImport(reading, { ...place, dir: beside }, path) : first;
  const found = other.of === 'missing' ? first : other;
  if (found.of === 'file' || found.of === 'directory') {
    reading.importsLater ||= nested;
    const around = reading.isPerhaps;
    reading.isPerhaps ||= nested || caught !== undefined;
    const target = loadFound(reading, module, found, names);
    reading.isPerhaps = around;
    return target;
  }
  if (found.of === 'standard') return standardTarget(found.name);
  if (found.of === 'js') followScript(reading, found.path);
  if (isForeign || (caught !== undefined && !client)) return found;
  const report = module.reporterOf(source);
  const isLater = nested || reading.isPerhaps;
  if (found.of === 'missing') {
    const tried = found.tried.slice(0, 5).join(', ');
    const blocking = !isLater && !client && !isClientSource(found);
    const { files, root } = reading.lookup;
    const python = found.tried
      .map((file) => file.replace(/\.svc$/, '.py'))
      .find((file) => file.endsWith('.py') && files.exists(joinPath(root, file)) === 'file');
    const help =
      python === undefined
        ? (elsewhere(reading, place, path) ?? memberOf(reading, place, path))
        : `\`${python}\` is a module of Python, which svc does not run: write it in the language, or serve it and call it over HTTP; imported inside of the function that uses it, it lets the rest start`;
    report.at('E0701', path, { m: found.name, tried: tried === '' ? 'nothing' : tried }, { help, blocking });
  } else if (found.of === 'cpython') {
    const help = found.instead === '' ? undefined : found.instead;
    report.at('E0902', path, { m: found.name }, { help, blocking: !isLater && !client });
  }
  return found;
}

/** Says with how many dots a relative import finds its module in a folder above. */
function elsewhere({ lookup }: Reading, place: Place, path: ast.ModulePath): string | undefined {
  if (path.level === 0 || path.quoted !== undefined) return undefined;
  const segments = path.segments.map((segment) => segment.text);
  for (let level = path.level + 1, { dir } = place; dir !== lookup.root && level < 20; level++) {
    if (findDotted(level, segments, place, lookup).of === 'file')
      return `did you mean \`${'.'.repeat(level)}${segments.join('.')}\`?`;
    dir = dirName(dir);
  }
  return undefined;
}

/** `import math.sqrt;`: what was taken for a module is a member of one. */
function memberOf(reading: Reading, place: Place, path: ast.ModulePath): string | undefined {
  const segments = path.segments.slice(0, -1);
  if (path.quoted !== undefined || segments.length === 0) return undefined;
  const { of } = findImport(reading, place, { ...path, segments });
  if (of !== 'standard' && of !== 'file') return undefined;
  const module = '.'.repeat(path.level) + segments.map(({ text }) => text).join('.');
  return `a member of \`${module}\` is imported by \`import from ${module} { ${path.segments.at(-1)!.text} }\``;
}

/** Reads the module of the language that a script, or a call of `import`, names, or the next script. The bundler tells what is missing. */
function followUnlisted(reading: Reading, dir: string, text: string): void {
  const found = findQuoted(0, text, { dir, client: true }, reading.lookup);
  if (found.of === 'js') followScript(reading, found.path);
  if (found.of !== 'file') return;
  reading.byScripts.add(loadFile(reading, found.path, idOf(reading, found.path, found.segments)).id);
}

function followScript(reading: Reading, path: string | undefined): void {
  const { scripts, lookup } = reading;
  if (path === undefined || !isScript(path) || scripts.has(path) || scripts.size >= mostScripts) return;
  scripts.add(path);
  for (const text of scriptImports(lookup.files.readFile(path) ?? '')) followUnlisted(reading, dirName(path), text);
}

const mostScripts = 1000;

function findImport(reading: Reading, place: Place, path: ast.ModulePath): Found | { of: 'standard'; name: string } {
  const { lookup } = reading;
  if (path.quoted !== undefined) return findQuoted(path.level, path.quoted.value, place, lookup);
  const segments = path.segments.map((segment) => segment.text);
  const first = segments[0];
  if (path.level === 0 && first === '__future__') return { of: 'standard', name: '__future__' };
  if (path.level === 0 && first === '__main__' && reading.entry !== undefined) {
    const { path: file, id } = reading.entry;
    return { of: 'file', path: file, base: dirName(file), segments: [id] };
  }
  const found = findDotted(path.level, segments, place, lookup);
  if (found.of === 'missing' && !place.client) {
    const client = findDotted(path.level, segments, { ...place, client: true }, lookup);
    if (client.of !== 'missing') return client;
  }
  const isUnknown = found.of === 'missing' || found.of === 'cpython';
  if (!isUnknown || path.level > 0) return found;
  const isPackage = segments.length === 1 ? place.client || isFrontEnd(first!) : false;
  return isPackage || isHyphenated(first!)
    ? { of: 'js', specifier: segments.join('/'), path: undefined, asset: false }
    : found;
}

/**
 * Tells whether a name has a hyphen: no module of another kind than a package of npm has one, so it is one as if it
 * were quoted (docs/language/imports.md#hyphens).
 */
function isHyphenated(name: string): boolean {
  return name.includes('-');
}

/** `react`, `react-dom` and their like mean the package of npm, marked as client code or not, installed beside the program or not. */
function isFrontEnd(name: string): boolean {
  return /^react([-_]|$)/.test(name);
}

function standardTarget(name: string): ModuleTarget {
  return name === '__future__' ? { of: 'nothing' } : { of: 'standard', name };
}

function loadFound(
  reading: Reading,
  importer: Building,
  found: Extract<Found, { of: 'file' | 'directory' }>,
  names: readonly ast.Name[],
): ModuleTarget {
  const loads: string[] = [];
  let above = packageAt(reading, found.base);
  for (let count = 1; count < found.segments.length; count++) {
    const segments = found.segments.slice(0, count);
    const part = loadDirectory(reading, joinPath(found.base, ...segments), segments);
    if (part === undefined) continue;
    above?.submodules.set(segments[count - 1]!, part.id);
    loads.push(part.id);
    above = part;
  }
  const module =
    found.of === 'file'
      ? loadFile(reading, found.path, idOf(reading, found.path, found.segments))
      : loadDirectory(reading, found.path, found.segments)!;
  const last = found.segments[found.segments.length - 1];
  if (last !== undefined) above?.submodules.set(last, module.id);
  loads.push(module.id);
  return {
    of: 'project',
    id: module.id,
    loads,
    first: loads[0] ?? module.id,
    submodules: found.of === 'directory' ? loadSubmodules(reading, importer, module, found.path, names) : new Map(),
  };
}

/** The package of a folder, when it is loaded: what is imported from below it becomes an attribute of it. */
function packageAt({ byPath }: Reading, folder: string): Building | undefined {
  return byPath.get(joinPath(folder, '__init__.svc')) ?? byPath.get(folder);
}

/** Names of an import list that the package has no member for, but a module. What it imports from itself is no member yet. */
function loadSubmodules(
  reading: Reading,
  importer: Building,
  module: Building,
  path: string,
  names: readonly ast.Name[],
): ReadonlyMap<string, string> {
  const submodules = new Map<string, string>();
  for (const { text } of names) {
    // A name that is still to be written is none.
    if (text === '') continue;
    if (module !== importer && (module.names.has(text) || comesByStar(reading, module, text))) continue;
    const found = findUnder(path, [text], false, reading.lookup, true, []);
    const client = found ?? findUnder(path, [text], true, reading.lookup, true, []);
    if (client === undefined || (client.of !== 'file' && client.of !== 'directory')) continue;
    const below =
      client.of === 'file'
        ? loadFile(reading, client.path, idOf(reading, client.path, [module.id, text]))
        : loadDirectory(reading, client.path, [module.id, text])!;
    module.submodules.set(text, below.id);
    submodules.set(text, below.id);
  }
  return submodules;
}

/** Does an import with `*` of the package bring the name? It hides a module of that name below the package. */
function comesByStar(reading: Reading, module: Building, name: string, seen = new Set([module])): boolean {
  if (name.startsWith('_')) return false;
  for (const element of module.tree.body) {
    if (element.kind !== 'ImportFrom' || !element.items.some((item) => item.what === 'star')) continue;
    const target = module.imports.get(element.path);
    const other = target?.of === 'project' ? reading.modules.get(target.id) : undefined;
    if (other === undefined || seen.has(other)) continue;
    seen.add(other);
    if (other.names.has(name) || comesByStar(reading, other, name, seen)) return true;
  }
  return false;
}

function loadDirectory(reading: Reading, path: string, segments: readonly string[]): Building | undefined {
  const { files } = reading.lookup;
  if (files.exists(path) !== 'directory') return undefined;
  const init = joinPath(path, '__init__.svc');
  const id = idOf(reading, path, segments);
  if (files.exists(init) === 'file') return loadFile(reading, init, id);
  const known = reading.byPath.get(path);
  if (known !== undefined) return known;
  const source: Source = { path: reading.display(path), text: '' };
  const module = makeModule(id, path, source, { ...emptyTree }, createReporter(source));
  reading.byPath.set(path, module);
  reading.modules.set(id, module);
  return module;
}

/** Dotted path from the project root; for files elsewhere the name they were imported by. Unique in the project. */
function idOf(reading: Reading, path: string, segments: readonly string[]): string {
  const below = pathBelow(path, reading.lookup.root)?.replace(/(\.(cl|sv|na))?\.svc$/, '');
  const name =
    path === reading.lookup.root
      ? '__root__'
      : (below?.replaceAll('...', '').replaceAll('/', '.') ?? segments.join('.'));
  for (let count = 1; ; count++) {
    const id = count === 1 ? name : `${name}_${count}`;
    const other = reading.modules.get(id);
    if (other === undefined || other.path === path || other.path === joinPath(path, '__init__.svc')) return id;
  }
}

function isClientTarget(reading: Reading, { quoted }: ast.ModulePath, target: ModuleTarget | undefined): boolean {
  if (target === undefined) return false;
  // Names without quotes are looked up on the server (docs/language/imports.md#lookup), packages too.
  if (target.of === 'js' && target.path === undefined && quoted === undefined && !isHyphenated(target.specifier))
    return isFrontEnd(target.specifier);
  if (target.of === 'project') return reading.modules.get(target.id)?.suffix === 'cl';
  return target.of !== 'nothing' && isClientSource(target);
}

/**
 * Declarations of a module: its bindings by name, and where its imports lead (docs/language/modules.md#elements,
 * docs/language/imports.md#imports).
 */

import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../1-parse/ast.ts';
import { placeParams } from '../diagnostics.ts';
import type { ModuleTarget, Project, ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';
import { ambientName } from './ambient.ts';
import { hasBody } from './impls.ts';
import type { ImportPlan, ImportTarget, ModuleBinding } from './names.ts';
import { type ModuleRecord, makeModuleRecord } from './records.ts';
import { runtimeNames } from './runtime-names.ts';

export interface Declared {
  readonly bindings: Map<string, ModuleRecord>;
  /** Module-level imports with `*` and includes, with what they import. */
  readonly stars: { readonly node: ast.ImportFrom | ast.Include; readonly target: ModuleTarget }[];
  /** Names that `__all__` lists; undefined in a module without it. */
  all: ReadonlySet<string> | undefined;
  /** A star import whose names are not known here: undefined names are then no errors. */
  openStar: boolean;
}

type ImportNode = ast.ImportModules | ast.ImportFrom | ast.Include;

/** Bindings of a module's declarations; W0203, E0203 and W0204 are reported. Names of stars and entry blocks come later. */
export function declareModule(module: ProjectModule): Declared {
  const bindings = new Map<string, ModuleRecord>();
  const stars: { node: ast.ImportFrom | ast.Include; target: ModuleTarget }[] = [];
  const places = new Map<string, { span: ast.Span; source: Source; placed: string }>();
  const add = (element: ast.Node, name: ast.Name, record: ModuleRecord): void => {
    const source = module.sourceOf(element);
    const before = bindings.get(name.text);
    const placed = placedOn(module, element);
    const place = places.get(name.text);
    if (before !== undefined && place !== undefined && place.placed === placed) {
      if (before.role === 'import' && record.role !== 'import') {
        module.reporterOf(source).at('W0204', name, { name: name.text });
      } else if (isDuplicate(before, record)) {
        const at = placeParams(place.source, place.span.start);
        const related = [{ message: 'first defined here', path: place.source.path, ...spanOf(place.span) }];
        const replaces = isReplaceable(before.decl) && isReplaceable(element) && !derivesFromItsName(element);
        const code = replaces ? 'W0203' : 'E0203';
        module.reporterOf(source).at(code, name, { name: name.text, ...at }, { related });
      }
    }
    // A server declaration is the one server code means; a forward declaration yields to its body.
    if (before === undefined || placed !== 'client' || place?.placed === 'client') {
      if (before !== undefined && before.role === record.role && record.role === 'glob') before.reassigned = true;
      else if (before === undefined || !isForward(record)) {
        bindings.set(name.text, record);
        places.set(name.text, { span: name, source, placed });
      }
    }
  };
  const visit = (element: ast.Element): void => {
    switch (element.kind) {
      case 'PlacedBlock':
        element.body.forEach(visit);
        return;
      case 'FunctionDecl':
        if (element.name !== undefined)
          add(element, element.name, record(module, element.name, 'function', element, element.access));
        return;
      case 'Archetype':
        add(element, element.name, record(module, element.name, 'archetype', element, element.access));
        return;
      case 'EnumDecl':
        add(element, element.name, record(module, element.name, 'enum', element, element.access));
        return;
      case 'TypeAlias':
        add(element, element.name, record(module, element.name, 'alias', element, element.access));
        return;
      case 'GlobDecl':
        for (const item of element.items) {
          for (const name of [item.name, ...item.chained])
            add(element, name, record(module, name, 'glob', item, element.access));
        }
        return;
      case 'ImportModules':
      case 'ImportFrom':
      case 'Include':
        for (const [name, decl, target] of importedNames(module, element)) {
          // An import of the module's own declaration, often in an annex, binds nothing new.
          if (target.of === 'member' && target.module === module.id && target.member === name.text) continue;
          add(element, name, makeModuleRecord(module.id, name.text, 'import', decl, undefined, target));
        }
        if (isStar(element)) stars.push({ node: element, target: targetOf(module, element.path) });
        return;
      default:
    }
  };
  module.tree.body.forEach(visit);
  return { bindings, stars, all: listedNames(module.tree.body), openStar: isCutShort(module) };
}

/** The public names of a standard module; undefined where they are not known. */
export type StandardNames = (module: string) => ReadonlySet<string> | undefined;

/** `import from .core { make }` in a package makes `core` a name of it, where nothing else has that name. */
export function bindSubmodules(project: Project, declared: ReadonlyMap<string, Declared>): void {
  for (const module of project.modules.values()) {
    if (module.submodules.size === 0) continue;
    const { bindings } = declared.get(module.id)!;
    const names = new Map([...module.submodules].map(([name, id]) => [id, name]));
    for (const element of module.tree.body) {
      if (element.kind !== 'ImportFrom') continue;
      const target = targetOf(module, element.path);
      const name = target.of === 'project' ? names.get(target.id) : undefined;
      if (target.of !== 'project' || name === undefined || bindings.has(name)) continue;
      const whole = { of: 'module', module: target.id } as const;
      bindings.set(name, makeModuleRecord(module.id, name, 'import', element, undefined, whole));
    }
  }
}

/** Adds the names of `*` imports to every module, until nothing changes. */
export function expandStars(
  project: Project,
  declared: ReadonlyMap<string, Declared>,
  standardNames?: StandardNames,
): void {
  for (const module of project.modules.values()) bringStandardNames(declared.get(module.id)!, module.id, standardNames);
  for (let changed = true; changed; ) {
    changed = false;
    for (const module of project.modules.values()) {
      const mine = declared.get(module.id)!;
      for (const { node, target } of mine.stars) {
        const other = target.of === 'project' ? declared.get(target.id) : undefined;
        if (other === undefined) {
          if (target.of !== 'nothing' && !(target.of === 'standard' && standardNames?.(target.name) !== undefined))
            mine.openStar = true;
          continue;
        }
        if (other.openStar && !mine.openStar) changed = mine.openStar = true;
        for (const name of publicNames(other)) {
          const known = mine.bindings.get(name);
          if (other === mine || (known !== undefined && known.role !== 'entry' && !isOfEarlierStar(mine, known, node)))
            continue;
          const from = { of: 'member', module: (target as { id: string }).id, member: name } as const;
          if (known?.role === 'import' && leadsTo(declared, from, module.id)) continue;
          if (known?.role === 'entry' && !isVariable(other.bindings.get(name)!)) {
            // The name is a variable of this module, which the import fills first (decisions/0211).
            Object.assign(known, { reassigned: true, mayBeUnbound: true });
            continue;
          }
          bringName(mine, makeModuleRecord(module.id, name, 'import', node, undefined, from));
          changed = true;
        }
      }
    }
  }
}

function isVariable({ role }: ModuleRecord): boolean {
  return role === 'glob' || role === 'entry';
}

/**
 * Tells whether the star that brought a known name stands before this one: of two stars that bring a name the later one
 * counts.
 */
function isOfEarlierStar(mine: Declared, known: ModuleRecord, star: ast.Node): boolean {
  const place = (decl: ast.Node | undefined) => mine.stars.findIndex(({ node }) => node === decl);
  return known.role === 'import' && place(known.decl) >= 0 && place(known.decl) < place(star);
}

/** Does a module have the name only because it imports it from `home`, perhaps by others? Then it is what `home` has already. */
function leadsTo(
  declared: ReadonlyMap<string, Declared>,
  from: ImportTarget & { of: 'member' },
  home: string,
): boolean {
  let at: ImportTarget | undefined = from;
  for (let steps = 0; at?.of === 'member' && steps < 100; steps += 1) {
    if (at.module === home) return at.member === from.member;
    at = declared.get(at.module)?.bindings.get(at.member)?.import;
  }
  return false;
}

function bringName(mine: Declared, brought: ModuleRecord): void {
  const known = mine.bindings.get(brought.name);
  if (known?.role !== 'entry') {
    mine.bindings.set(brought.name, brought);
    return;
  }
  // An entry block assigns the name that was brought: it begins with the imported value.
  const { role, decl } = brought;
  Object.assign(known, { role, import: brought.import, decl, reassigned: true, mayBeUnbound: false });
}

function bringStandardNames(mine: Declared, id: string, standardNames: StandardNames | undefined): void {
  for (const { node, target } of mine.stars) {
    if (target.of !== 'standard') continue;
    for (const name of standardNames?.(target.name) ?? []) {
      const known = mine.bindings.get(name);
      if (name.startsWith('_') || (known !== undefined && known.role !== 'entry')) continue;
      const from: ImportTarget = { of: 'builtin', module: target.name, member: name };
      bringName(mine, makeModuleRecord(id, name, 'import', node, undefined, from));
    }
  }
}

/**
 * Tells whether a string or comment without its end has taken in the rest of a file. What was declared there is not
 * known.
 */
function isCutShort(module: ProjectModule): boolean {
  return module.sources.some((source) =>
    module
      .reporterOf(source)
      .sorted()
      .some(
        ({ code, start }) =>
          code === 'E0101' || (code === 'E0100' && /^\w*("""|''')/.test(source.text.slice(start, start + 6))),
      ),
  );
}

/** Lists the names that `import *` brings: those in `__all__`, else all without an underscore. */
export function publicNames({ bindings, all }: Declared): readonly string[] {
  const names = [...bindings.keys()];
  return names.filter((name) => (all === undefined ? !name.startsWith('_') : all.has(name)));
}

/** `glob __all__ = ["area", "Circle"];` */
function listedNames(body: readonly ast.Element[]): ReadonlySet<string> | undefined {
  for (const element of body) {
    const item = element.kind === 'GlobDecl' ? element.items.find(({ name }) => name.text === '__all__') : undefined;
    const list = item?.value;
    if (list?.kind !== 'ListExpr' && list?.kind !== 'TupleExpr') continue;
    return new Set(list.items.flatMap((one) => (one.kind === 'StringLiteral' ? [one.value] : [])));
  }
  return undefined;
}

/** Makes the plan of an import for code generation: the target of each item. */
export function makeImportPlan(
  module: ProjectModule,
  node: ImportNode,
  declared: ReadonlyMap<string, Declared>,
): ImportPlan {
  const loads: string[] = [];
  const paths = node.kind === 'ImportModules' ? node.items.map((item) => item.path) : [node.path];
  for (const path of paths) {
    const target = targetOf(module, path);
    if (target.of !== 'project') continue;
    loads.push(...target.loads, ...target.submodules.values());
  }
  if (node.kind === 'ImportModules') {
    return {
      loads: [...new Set(loads)],
      targets: node.items.map((item) => moduleItemTarget(module, item)),
      stars: node.items.map(() => []),
    };
  }
  const target = targetOf(module, node.path);
  const star = (): readonly ModuleBinding[] => {
    const other = target.of === 'project' ? declared.get(target.id) : undefined;
    return other === undefined ? [] : publicNames(other).map((name) => other.bindings.get(name)!);
  };
  const source = target.of === 'project' ? target.id : undefined;
  if (node.kind === 'Include') {
    const whole = wholeTarget(target);
    return { loads: [...new Set(loads)], source, targets: [whole], stars: [node.alias === undefined ? star() : []] };
  }
  return {
    loads: [...new Set(loads)],
    source,
    targets: node.items.map((item) => itemTarget(target, item, node.typeOnly)),
    stars: node.items.map((item) => (item.what === 'star' && item.alias === undefined ? star() : [])),
  };
}

/** Tells whether an import names a member of its own module, which the module does not declare. */
function isOfItself({ name, module, import: target }: ModuleBinding): boolean {
  return target?.of === 'member' && target.module === module && target.member === name;
}

/** E0702: names that a found module does not have. Asked when every module's bindings are complete. */
export function checkMembers(
  module: ProjectModule,
  node: ImportNode,
  source: Source,
  declared: ReadonlyMap<string, Declared>,
): void {
  if (node.kind !== 'ImportFrom' || module.caughtImports.get(node) === 'all') return;
  const target = targetOf(module, node.path);
  if (target.of === 'js' && target.specifier === '@svc/runtime') checkRuntimeNames(module, node, source);
  if (target.of !== 'project') return;
  const other = declared.get(target.id);
  if (other === undefined || other.openStar) return;
  for (const item of node.items) {
    const name = item.name?.text;
    if (name === undefined || target.submodules.has(name)) continue;
    const found = other.bindings.get(name);
    if (found !== undefined && !isOfItself(found)) continue;
    const near = didYouMean(
      name,
      [...other.bindings.keys()].filter((known) => known !== name),
    );
    const help = near === undefined ? undefined : `did you mean \`${near}\`?`;
    module.reporterOf(source).at('E0702', item, { m: target.id, n: name }, { help, blocking: false });
  }
}

/** E0702 of the runtime of browsers; names that begin with `__` are the compiler's, which early programs import. */
function checkRuntimeNames(module: ProjectModule, node: ast.ImportFrom, source: Source): void {
  if (node.typeOnly) return;
  for (const item of node.items) {
    const name = item.what === 'name' ? item.name?.text : undefined;
    if (name === undefined || name.startsWith('__') || runtimeNames.has(name)) continue;
    const near = didYouMean(name, runtimeNames);
    const help = /^(call|use)Walker$/.test(name)
      ? 'a walker is called by `root spawn W(…)`, or kept up to date by `live(root spawn W(…))`'
      : near && `did you mean \`${near}\`?`;
    module.reporterOf(source).at('E0702', item, { m: '@svc/runtime', n: name }, { help, blocking: false });
  }
}

/** Name, declaring node and target of everything an import statement binds by name. */
export function importedNames(
  module: ProjectModule,
  node: ImportNode,
): readonly (readonly [ast.Name, ast.Node, ImportTarget])[] {
  if (node.kind === 'ImportModules') {
    return node.items.flatMap((item) => {
      const name = item.alias ?? item.path.segments[0];
      return name === undefined ? [] : [[name, item, moduleItemTarget(module, item)] as const];
    });
  }
  const target = targetOf(module, node.path);
  if (node.kind === 'Include') {
    return node.alias === undefined ? [] : [[node.alias, node, wholeTarget(target)] as const];
  }
  return node.items.flatMap((item) => {
    const name = item.alias ?? item.name;
    return name === undefined ? [] : [[name, item, itemTarget(target, item, node.typeOnly)] as const];
  });
}

export function targetOf(module: ProjectModule, path: ast.ModulePath): ModuleTarget {
  return module.imports.get(path) ?? { of: 'missing', name: pathText(path), tried: [] };
}

function isStar(node: ImportNode): node is ast.ImportFrom | ast.Include {
  if (node.kind === 'Include') return node.alias === undefined;
  return node.kind === 'ImportFrom' && node.items.some((item) => item.what === 'star' && item.alias === undefined);
}

function moduleItemTarget(module: ProjectModule, item: ast.ImportModuleItem): ImportTarget {
  const target = targetOf(module, item.path);
  const isFirstOnly = item.alias === undefined && item.path.segments.length > 1;
  if (target.of === 'project') {
    return isFirstOnly
      ? { of: 'module', module: target.first, loads: target.loads }
      : { of: 'module', module: target.id };
  }
  if (target.of === 'standard' && isFirstOnly) {
    return { of: 'builtin', module: target.name.split('.')[0]!, member: undefined };
  }
  if (target.of === 'js' && item.path.quoted === undefined)
    return { of: 'js', specifier: target.specifier, member: undefined, isName: true };
  return wholeTarget(target);
}

function wholeTarget(target: ModuleTarget): ImportTarget {
  switch (target.of) {
    case 'project':
      return { of: 'module', module: target.id };
    case 'standard':
      return { of: 'builtin', module: target.name, member: undefined };
    case 'js':
      return { of: 'js', specifier: target.specifier, member: undefined };
    case 'nothing':
      return { of: 'erased', module: '__future__', member: undefined };
    case 'cpython':
    case 'missing':
      return unavailable(target);
  }
}

function itemTarget(target: ModuleTarget, item: ast.ImportItem, typeOnly: boolean): ImportTarget {
  const member = item.what === 'name' ? item.name?.text : item.what === 'default' ? 'default' : undefined;
  if (target.of === 'nothing') return { of: 'erased', module: '__future__', member };
  if (member === undefined) return wholeTarget(target);
  if (target.of === 'project') {
    const below = target.submodules.get(member);
    if (below !== undefined) return { of: 'module', module: below };
    return { of: 'member', module: target.id, member };
  }
  if (typeOnly) return { of: 'erased', module: nameOf(target), member };
  if (target.of === 'standard') {
    // `import from svclang { Root }`: whatever is ambient is the ambient thing
    // (docs/language/standard-modules.md#modules).
    const ambient = /^svclang(\.|$)/.test(target.name) ? ambientName(facadeNames.get(member) ?? member) : undefined;
    return { of: 'builtin', module: target.name, member: ambient ?? member };
  }
  if (target.of === 'js') return { of: 'js', specifier: target.specifier, member };
  return unavailable(target);
}

/** Names of the runtime's own modules, by what is ambient today (docs/language/older-programs.md#renamed-names). */
const facadeNames: ReadonlyMap<string, string> = new Map([
  ...['SvcRuntime', 'SvcRuntimeInterface', 'SvcFeature', 'SvcMachine', 'SvcMachineInterface'].map(
    (name) => [name, 'Svc'] as const,
  ),
  ['Architype', 'Archetype'],
  ...['Node', 'Edge', 'Walker'].flatMap(
    (name) =>
      [
        [`${name}Archetype`, name],
        [`${name}Architype`, name],
      ] as const,
  ),
]);

function unavailable(target: Extract<ModuleTarget, { of: 'cpython' | 'missing' }>): ImportTarget {
  const message =
    target.of === 'cpython'
      ? `module ${target.name} is a CPython package and is not available on this runtime`
      : `No module named '${target.name}'`;
  return { of: 'unavailable', module: target.name, message };
}

function nameOf(target: Exclude<ModuleTarget, { of: 'nothing' } | { of: 'project' }>): string {
  return target.of === 'js' ? target.specifier : target.name;
}

function pathText(path: ast.ModulePath): string {
  return path.quoted?.value ?? '.'.repeat(path.level) + path.segments.map((segment) => segment.text).join('.');
}

function record(
  module: ProjectModule,
  name: ast.Name,
  role: ModuleBinding['role'],
  decl: ast.Node,
  access: ast.Access | undefined,
): ModuleRecord {
  return makeModuleRecord(module.id, name.text, role, decl, access);
}

function isDuplicate(before: ModuleRecord, now: ModuleRecord): boolean {
  const roles = ['function', 'archetype', 'enum'];
  return (
    roles.includes(before.role) &&
    roles.includes(now.role) &&
    !isForward(before) &&
    !isForward(now) &&
    (!isHandedOver(before) || (isReplaceable(now.decl) && derivesFromItsName(now.decl)))
  );
}

/**
 * Tells whether a declaration's name is free for the next one: decorators have taken its function (`@show.register`,
 * `@on("click")`, `@overload`; docs/language/modules.md#given-twice).
 */
export function isHandedOver({ decl }: { readonly decl: ast.Node | undefined }): boolean {
  return isReplaceable(decl) && decl.decorators.length > 0;
}

/**
 * A second declaration replaces it, as in Python (docs/language/modules.md#given-twice); storage and endpoints know the
 * other types by their names.
 */
export function isReplaceable(decl: ast.Node | undefined): decl is ast.FunctionDecl | ast.Archetype {
  if (decl?.kind === 'FunctionDecl') return true;
  return decl?.kind === 'Archetype' && (decl.archetype === 'obj' || decl.archetype === 'class');
}

/** `class C(C)`: the name means the last one everywhere, so the one before has none. */
function derivesFromItsName(decl: ast.FunctionDecl | ast.Archetype): boolean {
  if (decl.kind === 'FunctionDecl') return false;
  return decl.bases.some((base) => base.kind === 'NameRef' && base.name === decl.name.text);
}

/** `obj A;` and `def f;`: the body is elsewhere. */
function isForward({ decl }: ModuleRecord): boolean {
  if (decl?.kind !== 'Archetype' && decl?.kind !== 'EnumDecl' && decl?.kind !== 'FunctionDecl') return false;
  return !hasBody(decl);
}

function placedOn(module: ProjectModule, element: ast.Node): string {
  const placed = module.placement.get(element);
  return placed?.client === true && !placed.server ? 'client' : 'server';
}

function spanOf(span: ast.Span): { start: number; end: number } {
  return { start: span.start, end: span.end };
}

/**
 * Phase 2: names to bindings. All modules of a project at once, because imports with `*`, re-exports and members need each other's
 * declarations; every module still gets a table of its own.
 */
import { oncePer } from '../../base/once-per.ts';
import type * as ast from '../1-parse/ast.ts';
import type { NodeMap } from '../node-map.ts';
import type { Project, ProjectModule } from '../project.ts';
import { ambientBinding } from './bind-scopes.ts';
import type { Built, Finding } from './build-scopes.ts';
import { type ClientPlan, globsOf, planClient } from './client-plan.ts';
import { type ClientUse, findClientUses } from './client-uses.ts';
import { isMarked } from './is-marked.ts';
import { mentionsIn } from './mentions.ts';
import {
  bindSubmodules,
  checkMembers,
  type Declared,
  expandStars,
  makeImportPlan,
  type StandardNames,
} from './module-bindings.ts';
import { closeScopes, openScopes } from './module-scopes.ts';
import type { Binding, ImportPlan, ImportTarget, ModuleBinding, Names, Scope, UnknownName } from './names.ts';
import type { Frame } from './records.ts';
import { bindUnimported, type FindWalker, walkerFinder } from './unimported.ts';

/** Names of every module of a project. */
export interface ProjectNames {
  of(module: string): Names;
  /** The declaration an import leads to, through re-exports; the binding itself when it is none; undefined outside the project. */
  follow(binding: ModuleBinding): ModuleBinding | undefined;
  /**
   * Gives the target of an import outside of the project, through re-exports: a member of a standard module, of
   * JavaScript …
   */
  origin(target: ImportTarget): ImportTarget | undefined;
  /** Gives the server functions that client code asks for, by declaration. */
  clientUses(): ReadonlyMap<ast.Node, ClientUse>;
  /** Gives the declarations that are emitted for the browser. */
  clientPlan(): ClientPlan;
}

/**
 * Resolves all names. What is wrong goes to the reporters of the project's modules. `standardNames`: what `import from math { * }` brings;
 * without it such a module may bring any name.
 */
export function resolve(project: Project, standardNames?: StandardNames): ProjectNames {
  const scopes = openScopes(project);
  const declared = new Map([...scopes].map(([id, one]) => [id, one.declared]));
  const built = new Map([...scopes].map(([id, one]) => [id, one.built]));
  expandStars(project, declared, standardNames);
  bindSubmodules(project, declared);
  closeScopes(project, scopes, declared, standardNames);
  const used = [...scopes.values()].map((one) => one.used!);
  const sides: Sides = { staying: new Set(), left: new Set() };
  const keepUsed = () => {
    for (const [record, elements] of used.flatMap((one) => [...one])) {
      if (elements.every((element) => sides.left.has(element))) continue;
      const whole = keepImports(record, sides.staying, built, declared);
      if (whole?.of === 'module')
        for (const id of [whole.module, ...(whole.loads ?? [])]) keepModule(project, id, sides.staying);
    }
  };
  keepUsed();
  const names = new Map<string, Names>();
  const follow = (binding: ModuleBinding) => followImport(binding, declared);
  const findWalker = walkerFinder(project, declared, follow);
  const idOfPath = new Map([...project.modules.values()].map(({ path, id }) => [path, id]));
  for (const module of project.modules.values()) {
    const beside = idOfPath.get(pathBeside(module) ?? '');
    const bindings = beside === undefined ? undefined : declared.get(beside)?.bindings;
    names.set(module.id, finish(module, built.get(module.id)!, declared, sides, findWalker, bindings));
  }
  const namesOf = (module: string) => names.get(module)!;
  let uses: ReadonlyMap<ast.Node, ClientUse> | undefined;
  let plan: ClientPlan | undefined;
  const clientPlan = () => (plan ??= planClient(project, { of: namesOf, follow }));
  for (const element of leavingServer(project, namesOf, clientPlan)) sides.left.add(element);
  if (sides.left.size > 0) {
    sides.staying.clear();
    keepUsed();
  }
  for (const module of project.modules.values())
    reportOpen(module, built.get(module.id)!, names.get(module.id)!, clientPlan);
  return {
    of: namesOf,
    follow,
    clientPlan,
    clientUses: () =>
      (uses ??= findClientUses({
        modules: project.modules,
        entry: project.entry,
        namesOf,
        follow,
        plan: clientPlan(),
      })),
    origin: (target) => (target.of === 'member' ? endOfImport(memberOf(target, declared), declared)?.import : target),
  };
}

/**
 * Server code uses an import: its statement stays on the server, and those of the modules that hand the name on. Gives what the last of them
 * imports.
 */
function keepImports(
  record: ModuleBinding,
  staying: Set<ast.Node>,
  built: ReadonlyMap<string, Built>,
  declared: AllDeclared,
): ImportTarget | undefined {
  let target: ImportTarget | undefined;
  for (let at: ModuleBinding | undefined = record, steps = 0; at?.role === 'import' && steps < 100; steps++) {
    if (at.decl !== undefined) staying.add(built.get(at.module)?.statementOf.get(at.decl) ?? at.decl);
    target = at.import;
    at = target?.of === 'member' ? memberOf(target, declared) : undefined;
  }
  return target;
}

/** Server code uses a module as a whole, `kit.pad(text)`: what it imports may be meant, unless it has code of the client. */
function keepModule(project: Project, id: string, staying: Set<ast.Node>): void {
  const module = project.modules.get(id);
  if (module === undefined || staying.has(module.tree)) return;
  staying.add(module.tree);
  const imports = [...module.placement].filter(([, { ifUsed }]) => ifUsed);
  const hasClient = [...module.placement.values()].some((place) => place.client && !place.server && !place.ifUsed);
  if (!hasClient) for (const [statement] of imports) staying.add(statement);
  for (const below of module.submodules.values()) keepModule(project, below, staying);
}

/** Sides of elements whose placement is inferred, as far as use decides them. */
interface Sides {
  /** Imports of client code that stay on the server too. */
  readonly staying: Set<ast.Node>;
  /** Functions and variables of either side that nothing on the server uses. */
  readonly left: Set<ast.Node>;
}

/**
 * Functions and variables that only client code uses leave the server: their values may ask for what only browsers have, and for packages
 * that only they load. So do types whose bases come from such a package.
 */
function leavingServer(project: Project, namesOf: (module: string) => Names, plan: () => ClientPlan): ast.Node[] {
  const modules = [...project.modules.values()];
  if (!modules.some(({ placement }) => hasClient(placement))) return [];
  return modules.flatMap((module) => {
    const names = namesOf(module.id);
    return undecided(module.placement).filter(
      (element) =>
        (element.kind === 'GlobDecl' ||
          (element.kind === 'Archetype' && asksScripts(element, names, namesOf)) ||
          (element.kind === 'FunctionDecl' &&
            (!isMarked(element, names) || (element.access === 'pub' && element.decorators.length === 0)))) &&
        names.isServer(element) &&
        plan().isOnlyHere(element),
    );
  });
}

/** Is a base of the type, or one of its bases, what a script or package gives? */
function asksScripts({ bases }: ast.Archetype, names: Names, namesOf: (module: string) => Names, depth = 0): boolean {
  return bases.some((base) => {
    const root = base.kind === 'Attribute' ? base.object : base;
    const binding = root.kind === 'NameRef' ? names.binding(root) : undefined;
    if (binding?.sort !== 'module' || depth > 100) return false;
    if (binding.import?.of === 'js') return true;
    const home = binding.import?.of === 'member' ? namesOf(binding.import.module) : names;
    const declared = binding.import?.of === 'member' ? home.bindings.get(binding.import.member) : binding;
    return declared?.decl?.kind === 'Archetype' && asksScripts(declared.decl, home, namesOf, depth + 1);
  });
}

const hasClient = oncePer((placement: ProjectModule['placement']) =>
  [...placement.values()].some(({ client }) => client),
);

type Undecided = ast.GlobDecl | ast.FunctionDecl | ast.Archetype;

/** Declarations whose side use decides. */
const undecided = oncePer((placement: ProjectModule['placement']): readonly Undecided[] =>
  [...placement].flatMap(([element, { inferred }]) =>
    inferred &&
    (element.kind === 'GlobDecl' ||
      element.kind === 'FunctionDecl' ||
      (element.kind === 'Archetype' && (element as ast.Archetype).bases.length > 0))
      ? [element as Undecided]
      : [],
  ),
);

/** Path of the module whose half in the browser a module is: `app.svc` of `app.cl.svc`. */
function pathBeside({ path }: ProjectModule): string | undefined {
  return path.endsWith('.cl.svc') ? `${path.slice(0, -'.cl.svc'.length)}.svc` : undefined;
}

function finish(
  module: ProjectModule,
  built: Built,
  all: AllDeclared,
  { staying, left }: Sides,
  findWalker: FindWalker,
  beside: ReadonlyMap<string, ModuleBinding> | undefined,
): Names {
  const declared = all.get(module.id)!;
  const globs = globsOf(module.tree.body);
  const isServer = (node: ast.Node): boolean => {
    const element = (node.kind === 'GlobItem' ? globs.get(node) : undefined) ?? node;
    const place = module.placement.get(element);
    return place === undefined || (place.server && !left.has(element)) || (place.ifUsed && staying.has(element));
  };
  for (const { node, source } of built.imports) checkMembers(module, node, source, all);
  for (const finding of built.findings) {
    if (isServer(finding.element) && !isOpen(module, finding)) report(module, finding);
  }
  const names = makeNames(module, built, declared, all, isServer);
  const walkers = bindUnimported(module, built, findWalker, beside);
  return walkers === undefined ? names : { ...names, binding: (node) => walkers.get(node) ?? names.binding(node) };
}

/** No mistake in code of a browser, which the element may turn out to be. */
function isOpen(module: ProjectModule, { code, element }: Finding): boolean {
  return (code === 'E0301' || code === 'E0310') && module.placement.get(element)?.inferred === true;
}

function report(module: ProjectModule, { source, code, span, params, details }: Finding): void {
  module.reporterOf(source).at(code, span, params, details);
}

/**
 * Reports names that are not defined and `await` in plain functions, but for those of client code: the browser may have
 * the names, and a function that waits is asynchronous there.
 */
function reportOpen(module: ProjectModule, { findings }: Built, names: Names, plan: () => ClientPlan): void {
  for (const finding of findings) {
    const { element, source, span, params, details } = finding;
    if (finding.code === 'E0301' && names.binding(span as ast.NameRef).sort === 'module') continue;
    const isServer = names.isServer(element);
    if (isServer && !isOpen(module, finding)) continue;
    const decl = element.kind === 'ImplDecl' ? names.declOf(element) : element;
    if (isServer && (decl === undefined || !plan().isOnlyHere(decl))) report(module, finding);
    else if (finding.code === 'E0301')
      (names.unknownNames as UnknownName[]).push({
        name: String(params?.['name']),
        span,
        source,
        get help() {
          return details?.help;
        },
      });
  }
}

function makeNames(
  module: ProjectModule,
  built: Built,
  declared: Declared,
  all: ReadonlyMap<string, Declared>,
  isServer: (element: ast.Node) => boolean,
): Names {
  const plans = new Map<ast.Node, ImportPlan>();
  const { impls, uses, specials, scopes, hereMembers } = built;
  return {
    module: built.frame.scope,
    bindings: declared.bindings,
    isOpen: declared.openStar,
    unknownNames: [],
    binding: (node) =>
      uses.get(node)?.binding ?? { sort: 'unresolved', name: node.kind === 'Name' ? node.text : node.name },
    special: (node) => {
      const binding = specials.get(node)?.binding;
      return binding?.sort === 'local' ? binding : undefined;
    },
    memberOfHere: (node) => hereMembers.get(node),
    scope: (node) => (scopes.get(node) ?? built.frame).scope,
    lookup: (name, scope) => lookup(name, scope, scopes, declared),
    importPlan(node) {
      let plan = plans.get(node);
      if (plan === undefined) plans.set(node, (plan = makeImportPlan(module, node, all)));
      return plan;
    },
    implOf: (decl) => impls.joined(decl),
    declOf: (impl) => impls.declOf(impl),
    mentions: (element) => mentionsIn(built, element),
    isServer,
    assignedAttributes: built.assignedAttributes,
    createdAttributes: built.createdAttributes,
    attributeAssignments: built.attributeAssignments,
    deletedAttributes: built.deletedAttributes,
    derivedTypes: built.derivedTypes,
    asksForHandled: built.asksForHandled,
    hasInnerClasses: built.frames.some(({ kind, parent }) => kind === 'class' && isInFunction(parent)),
    isClient: (element) => module.placement.get(element)?.client ?? false,
  };
}

function isInFunction(frame: Frame | undefined): boolean {
  for (let at = frame; at !== undefined; at = at.parent) if (at.kind !== 'class' && at.kind !== 'module') return true;
  return false;
}

function lookup(name: string, scope: Scope, scopes: NodeMap<Frame>, declared: Declared): Binding {
  for (let frame = scopes.get(scope.node); frame !== undefined && frame.kind !== 'module'; frame = frame.parent) {
    const binding = frame.scope.locals.get(name);
    if (binding !== undefined) return binding;
  }
  const ofModule = declared.bindings.get(name);
  if (ofModule !== undefined) return ofModule;
  return ambientBinding(name) ?? { sort: 'unresolved', name };
}

type AllDeclared = ReadonlyMap<string, Declared>;

function followImport(binding: ModuleBinding, declared: AllDeclared): ModuleBinding | undefined {
  const end = endOfImport(binding, declared);
  return end?.role === 'import' ? undefined : end;
}

/**
 * Finds the end of re-exports: a declaration, or an import from outside of the project. Undefined when they go in a
 * circle.
 */
function endOfImport(binding: ModuleBinding | undefined, declared: AllDeclared): ModuleBinding | undefined {
  let at = binding;
  for (let steps = 0; at?.import?.of === 'member'; steps++) {
    if (steps === 100) return undefined;
    at = memberOf(at.import, declared);
  }
  return at;
}

function memberOf(target: ImportTarget & { of: 'member' }, declared: AllDeclared): ModuleBinding | undefined {
  return declared.get(target.module)?.bindings.get(target.member);
}

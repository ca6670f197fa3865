/**
 * The elements of the program that are emitted for the browser: those placed there, and what they use of code that could be either (language
 * reference, placement). Everything else they name is asked of the server.
 */
import { oncePer } from '../../base/once-per.ts';
import type * as ast from '../1-parse/ast.ts';
import type { Project, ProjectModule } from '../project.ts';
import { type BrowserNeed, browserNeeds } from './browser-needs.ts';
import { forEachChild, walkInOrder } from './children.ts';
import { erasedModules, isClientModule } from './client-modules.ts';
import { isEnumClass } from './enum-classes.ts';
import { type MemberOfName, type Mentions, type Named, serverKinds } from './mentions.ts';
import { changedOwner, mutators } from './mutators.ts';
import type { Binding, LocalBinding, ModuleBinding, Names } from './names.ts';

export type Placed = Exclude<ast.Element, ast.PlacedBlock>;

interface AllNames {
  of(module: string): Names;
  follow(binding: ModuleBinding): ModuleBinding | undefined;
}

export interface ClientPlan {
  /** Elements emitted for the client, by module id, in textual order. Modules without any are absent. */
  readonly elements: ReadonlyMap<string, readonly Placed[]>;
  /** Declarations that are emitted for the client. */
  isHere(decl: ast.Node): boolean;
  /**
   * Is an element that could be either used by nothing but code of the client? Then it is client code for who reads the
   * program.
   */
  isOnlyHere(element: ast.Node): boolean;
  /** Functions that are used as tags somewhere in the program, each with the names of the properties that tags give it. */
  readonly tags: ReadonlyMap<ast.Node, ReadonlySet<string>>;
  /** Names that other modules import, by module id. */
  readonly shared: ReadonlyMap<string, ReadonlySet<string>>;
  /** Sets of keywords at calls of functions that are known only while the program runs; an empty one where `**named` hands them on. */
  readonly keywords: readonly (readonly string[])[];
  /** Is an enum among the declarations? Then any value may be a member of it. */
  readonly hasEnums: boolean;
  /** Does a class among the declarations say itself what `o[k]` means? Then any value may be an object of it. */
  readonly hasItems: boolean;
  /** The same of `f"{o}"`. */
  readonly hasFormats: boolean;
  /** The same of `a - b`, `-a` and other signs; distances of `datetime` are such objects, too. */
  readonly hasOperators: boolean;
  /** Is a class among the declarations kept or given to somebody, or has one `__call__`? Then any value that is called may be a class or an object. */
  readonly hasCallables: boolean;
}

/** Finds what the client needs, from the declarations placed on it outwards, until nothing new comes. */
export function planClient(project: Project, names: AllNames): ClientPlan {
  const planning: Planning = {
    project,
    names,
    here: new Map(),
    declared: new Set(),
    tags: new Map(),
    shared: new Map(),
    keywords: new Map(),
    awaited: new Set(),
    waiting: [],
    serverOnly: new Map(),
    needOf: browserNeeds({ project, ...names }),
    changed: undefined,
    named: undefined,
    hasClassValues: false,
  };
  for (const module of project.modules.values()) {
    for (const element of elementsOf(module.tree.body))
      if (names.of(module.id).isClient(element)) take(planning, module, element);
  }
  for (let next = planning.waiting.pop(); next !== undefined; next = planning.waiting.pop()) visit(planning, next);
  let asked: ReadonlySet<ast.Node> | undefined;
  return {
    isOnlyHere: (element) =>
      planning.declared.has(element) && !(asked ??= findAsked(planning)).has(element) && !project.isLibrary,
    elements: new Map(
      [...planning.here].map(([id, found]) => [
        id,
        elementsOf(project.modules.get(id)!.tree.body).filter((element) => found.has(element)),
      ]),
    ),
    isHere: (decl) => planning.declared.has(decl),
    tags: planning.tags,
    shared: planning.shared,
    keywords: [...planning.keywords.values()],
    hasEnums: [...planning.declared].some((decl) => decl.kind === 'EnumDecl' || isEnumClass(decl)),
    hasItems: hasMethod(planning, /^__[gs]etitem__$/),
    hasFormats: hasMethod(planning, /^__format__$/),
    hasOperators:
      hasMethod(planning, operatorMethods) ||
      [...planning.here.keys()].some((id) =>
        project.modules.get(id)?.sources.some(({ text }) => /\bdatetime\b/.test(text)),
      ),
    hasCallables: planning.hasClassValues || hasMethod(planning, /^__call__$/),
  };
}

const operatorMethods =
  /^__([ir]?(add|sub|mul|truediv|floordiv|mod|pow|matmul|and|or|xor|[lr]shift)|neg|pos|invert)__$/;

/** Has a class among the declarations a method of such a name? */
function hasMethod({ declared }: Planning, name: RegExp): boolean {
  return [...declared].some(
    (decl) =>
      decl.kind === 'Archetype' &&
      (decl as ast.Archetype).members?.some(
        (member) => member.kind === 'FunctionDecl' && name.test(member.name?.text ?? ''),
      ),
  );
}

interface Planning {
  readonly project: Project;
  readonly names: AllNames;
  readonly here: Map<string, Set<Placed>>;
  readonly declared: Set<ast.Node>;
  readonly tags: Map<ast.Node, Set<string>>;
  readonly shared: Map<string, Set<string>>;
  readonly keywords: Map<string, readonly string[]>;
  /** Functions whose calls the client awaits: they are meant to be asked of the server. */
  readonly awaited: Set<ast.Node>;
  readonly waiting: { readonly module: ProjectModule; readonly element: Placed }[];
  /** Functions and variables by whether they need the server, as far as they were asked about. */
  readonly serverOnly: Map<ast.Node, boolean>;
  /** Needs of functions and variables, asked of a browser. */
  needOf(module: ProjectModule, decl: ast.Node): BrowserNeed;
  /** Variables that code of the server changes in place, and those that it names; found when first asked for. */
  changed: ReadonlySet<ast.Node> | undefined;
  named: ReadonlySet<ast.Node> | undefined;
  hasClassValues: boolean;
}

/** Elements of a module, those inside of `cl { }` and `sv { }` included. */
export const elementsOf = oncePer((body: readonly ast.Element[]): readonly Placed[] =>
  body.flatMap((element): readonly Placed[] => (element.kind === 'PlacedBlock' ? elementsOf(element.body) : [element])),
);

function take(p: Planning, module: ProjectModule, element: Placed): void {
  let found = p.here.get(module.id);
  if (found === undefined) p.here.set(module.id, (found = new Set()));
  if (found.has(element)) return;
  found.add(element);
  p.declared.add(element);
  if (element.kind === 'GlobDecl') for (const item of element.items) p.declared.add(item);
  if (element.kind === 'ImportFrom' || element.kind === 'ImportModules') return;
  p.waiting.push({ module, element });
}

function visit(p: Planning, { module, element }: Planning['waiting'][number]): void {
  const names = p.names.of(module.id);
  const look = (part: ast.Node): void => {
    const mentions = names.mentions(part);
    p.hasClassValues ||= mentions.handed.some((name) => declarationOf(p, module, name)?.decl?.kind === 'Archetype');
    for (const lead of leadsOf(mentions, names)) {
      if (lead.to === 'use' && isTaken(p, module, lead)) continue;
      if (lead.to === 'keywords') p.keywords.set(lead.key, lead.words);
      else if (lead.to === 'impl') look(names.implOf(lead.node)!.impl);
      else {
        if (lead.to === 'tag' && lead.binding.sort === 'local' && lead.binding.role === 'def')
          noteTag(p, lead.binding.decl, lead.given);
        const declared =
          lead.node.kind === 'Attribute' ? memberOf(p, module, lead.node) : ofBinding(p, bindingOf(names, lead));
        if (declared === undefined) continue;
        if (lead.to === 'tag') noteTag(p, declared.decl, lead.given);
        else useBinding(p, module, declared, lead.isAwaited);
      }
    }
  };
  for (const part of partsOf(names, element)) look(part);
}

/** Is it a plain use of a declaration of the same module that is taken already? There are many, and they change nothing. */
function isTaken(
  { declared }: Planning,
  { id }: ProjectModule,
  { binding, isAwaited }: Lead & { readonly to: 'use' | 'tag' },
): boolean {
  if (isAwaited || binding?.sort !== 'module' || binding.role === 'import' || binding.module !== id) return false;
  return binding.decl !== undefined && declared.has(binding.decl);
}

/** A place in the text of an element that leads to another declaration, or tells of keywords. */
type Lead =
  | { readonly to: 'keywords'; readonly key: string; readonly words: readonly string[] }
  | { readonly to: 'impl'; readonly node: ast.Node }
  | {
      readonly to: 'use';
      readonly node: Named;
      /** Undefined where it may change while the scopes of the module are kept. */
      readonly binding: Binding | undefined;
      readonly isAwaited: boolean;
    }
  | {
      readonly to: 'tag';
      readonly node: Named;
      readonly binding: Binding;
      readonly isAwaited: false;
      readonly given: ReadonlySet<string>;
    };

/** Leads in the order of the mentions. Names of what is built in lead nowhere. */
const leadsOf = oncePer(({ nodes, awaited }: Mentions, names: Names): readonly Lead[] => {
  const tags = new Map<Binding, Set<string>>();
  return nodes.flatMap((node): Lead | readonly Lead[] => {
    switch (node.kind) {
      case 'Call':
        return keywordsOf(names, node);
      case 'NameRef': {
        const binding = names.binding(node);
        if (binding.sort === 'builtin' || isOutside(binding)) return [];
        return { to: 'use', node, binding: isFixed(binding) ? binding : undefined, isAwaited: awaited.has(node) };
      }
      case 'Attribute':
        return { to: 'use', node: node as MemberOfName, binding: undefined, isAwaited: false };
      case 'Markup': {
        const tag = node.tag as ast.NameRef;
        const binding = names.binding(tag);
        if (!isFixed(binding) || binding.sort === 'builtin') return [];
        const known = tags.get(binding);
        const given = known ?? new Set();
        for (const name of givenBy(node)) given.add(name);
        if (known !== undefined) return [];
        tags.set(binding, given);
        return { to: 'tag', node: tag, binding, isAwaited: false, given };
      }
      default:
        return names.implOf(node) === undefined ? [] : { to: 'impl', node };
    }
  });
});

/** Names of the properties that a tag gives, `children` for what it holds, `**` for those of an object. */
function givenBy({ attributes, children }: ast.Markup): readonly string[] {
  const names = attributes.map(({ name }) => name ?? '**');
  return children.length > 0 ? [...names, 'children'] : names;
}

/** An import of something that is no member of a module of the program: a module, or what is not of the program. */
function isOutside(binding: Binding): boolean {
  return binding.sort === 'module' && binding.role === 'import' && binding.import?.of !== 'member';
}

/** A name that nothing in the module declares may be that of a walker elsewhere. */
function isFixed(binding: Binding): boolean {
  return binding.sort !== 'unresolved' && !(binding.sort === 'module' && binding.decl === undefined);
}

function bindingOf(names: Names, { node, binding }: Lead & { readonly to: 'use' | 'tag' }): Binding {
  return binding ?? names.binding(node as ast.NameRef);
}

/** A declaration with the `impl` that is joined to it. */
function partsOf(names: Names, decl: ast.Node): readonly ast.Node[] {
  const joined = names.implOf(decl)?.impl;
  return joined === undefined ? [decl] : [decl, joined];
}

function keywordsOf(names: Names, { callee, args }: ast.Call): readonly Lead[] {
  let words = args.flatMap(({ sort, name }) => (sort === 'keyword' && name !== undefined ? [name.text] : []));
  if (callee.kind === 'NameRef') {
    const binding = names.binding(callee);
    if (binding.sort !== 'local' || (binding.role !== 'param' && binding.role !== 'local')) {
      if (!handsKeywordsOn(binding)) return [];
      const params = binding.decl?.kind === 'FunctionDecl' ? binding.decl.signature.params : [];
      words = words.filter((word) => !params.some(({ name }) => name?.text === word));
      if (words.length === 0) return [];
    }
  } else if (callee.kind === 'Attribute' && builtinMethods.has(callee.name.text)) return [];
  return words.length > 0 || args.some(({ sort }) => sort === 'doublestar')
    ? [{ to: 'keywords', key: words.join(), words }]
    : [];
}

/** Does the function give keywords that it does not name to another one? So does `partial`. */
function handsKeywordsOn(binding: Binding): binding is ModuleBinding | LocalBinding {
  if (binding.sort !== 'module' && binding.sort !== 'local') return false;
  if (binding.import?.of === 'builtin') return binding.import.member === 'partial';
  const { decl } = binding;
  return decl?.kind === 'FunctionDecl' && decl.signature.params.some(({ sort }) => sort === 'doublestar');
}

/** Methods of built-in types that take keywords. */
const builtinMethods: ReadonlySet<string> = new Set(
  'sort split rsplit splitlines format update encode decode expandtabs'.split(' '),
);

function declarationOf(p: Planning, module: ProjectModule, node: ast.NameRef): ModuleBinding | undefined {
  return ofBinding(p, p.names.of(module.id).binding(node));
}

function ofBinding(p: Planning, binding: Binding): ModuleBinding | undefined {
  if (binding.sort === 'local' && binding.import?.of === 'member')
    return p.names.of(binding.import.module).bindings.get(binding.import.member);
  if (binding.sort !== 'module') return undefined;
  return binding.role === 'import' ? p.names.follow(binding) : binding;
}

/** The declaration that `kit.show` of a module means. */
function memberOf(p: Planning, module: ProjectModule, { object, name }: MemberOfName): ModuleBinding | undefined {
  const binding = p.names.of(module.id).binding(object);
  if ((binding.sort !== 'module' && binding.sort !== 'local') || binding.import?.of !== 'module') return undefined;
  const member = p.names.of(binding.import.module).bindings.get(name.text);
  return member?.role === 'import' ? p.names.follow(member) : member;
}

function useBinding(p: Planning, from: ProjectModule, declared: ModuleBinding, isAwaited: boolean): void {
  const home = p.project.modules.get(declared.module);
  const { decl } = declared;
  if (home === undefined || decl === undefined) return;
  if (home !== from) share(p, home.id, declared.name);
  if (isAwaited) p.awaited.add(decl);
  if (!p.declared.has(decl) && isEither(p, home, declared)) take(p, home, elementOf(home, decl));
}

function share(p: Planning, module: string, name: string): void {
  let names = p.shared.get(module);
  if (names === undefined) p.shared.set(module, (names = new Set()));
  names.add(name);
}

function noteTag({ tags }: Planning, decl: ast.Node | undefined, given: ReadonlySet<string>): void {
  if (decl === undefined) return;
  const known = tags.get(decl);
  if (known === undefined) tags.set(decl, new Set(given));
  else for (const name of given) known.add(name);
}

function elementOf(module: ProjectModule, decl: ast.Node): Placed {
  return decl.kind === 'GlobItem' ? globsOf(module.tree.body).get(decl)! : (decl as Placed);
}

/** Declarations of variables, by each variable of theirs. */
export const globsOf = oncePer((body: readonly ast.Element[]): ReadonlyMap<ast.Node, ast.GlobDecl> => {
  const globs = elementsOf(body).filter((element): element is ast.GlobDecl => element.kind === 'GlobDecl');
  return new Map(globs.flatMap((element) => element.items.map((item) => [item, element] as const)));
});

/** May a declaration of the server be emitted for the client too? Nothing of it needs the graph, and nobody meant a call over the network. */
function isEither(p: Planning, module: ProjectModule, binding: ModuleBinding): boolean {
  const { decl, access, reassigned } = binding;
  const element = elementOf(module, decl!);
  if (element === undefined || module.placement.get(element)?.inferred !== true) return false;
  switch (element.kind) {
    case 'FunctionDecl': {
      const isAsked = access !== undefined || p.awaited.has(element) || element.mods.async;
      return (!isAsked || isOfBrowser(p, module, element)) && !needsServer(p, module, element);
    }
    case 'GlobDecl':
      return (
        !(reassigned && isNamedByServer(p, binding)) &&
        !isChangedByServer(p, binding) &&
        (!needsServer(p, module, element) || isStoreOfPage(p, module, binding))
      );
    case 'EnumDecl':
      return !needsServer(p, module, element);
    case 'Archetype':
      return (element.archetype === 'obj' || element.archetype === 'class') && !needsServer(p, module, element);
    default:
      return false;
  }
}

/** Is a variable what a package of the browser makes, as `create` of zustand a store, whose functions spawn walkers? The server does not name it. */
function isStoreOfPage(p: Planning, module: ProjectModule, binding: ModuleBinding): boolean {
  const { decl } = binding;
  if (decl?.kind !== 'GlobItem' || decl.value?.kind !== 'Call') return false;
  if (p.needOf(module, decl) === undefined || isNamedByServer(p, binding)) return false;
  let isAtOnce = false;
  walkInOrder(decl.value, (node) => {
    if (serverKinds.has(node.kind) || (node.kind === 'SpecialRef' && serverWords.has(node.word))) isAtOnce = true;
    return node.kind !== 'Lambda';
  });
  return !isAtOnce;
}

/** Is a function that says it is served, or whose calls are awaited, a helper of pages all the same? */
function isOfBrowser(p: Planning, module: ProjectModule, decl: ast.FunctionDecl): boolean {
  if ((decl.access !== undefined && decl.access !== 'pub') || decl.decorators.length > 0) return false;
  const need = p.needOf(module, decl);
  return need === 'browser' || (need === 'package' && !p.awaited.has(decl));
}

const serverWords: ReadonlySet<string> = new Set(['root', 'here', 'visitor']);

/** Built-ins that only the server has. */
export const serverBuiltins: ReadonlySet<string> = new Set([
  'oget',
  'save',
  'commit',
  'on_commit',
  'reset_graph',
  'request',
  'store',
  'perm_grant',
  'perm_revoke',
  'allow_root',
  'disallow_root',
  'allroots',
  'printgraph',
  'llm',
  'open',
  'Svc',
  'system_root',
  'user_root',
]);

function needsServer(p: Planning, module: ProjectModule, element: ast.Node): boolean {
  const known = p.serverOnly.get(element);
  if (known !== undefined) return known;
  // Functions that name each other need the server when something else in them does.
  p.serverOnly.set(element, false);
  const found = asksServer(p, module, element);
  p.serverOnly.set(element, found);
  return found;
}

function asksServer(p: Planning, module: ProjectModule, element: ast.Node): boolean {
  const names = p.names.of(module.id);
  const parts = partsOf(names, element).map((part) => names.mentions(part));
  // A call that is awaited is meant to be asked of the server, wherever it is made.
  const isAwaited = (node: ast.Node) => parts.some(({ awaited }) => awaited.has(node));
  return parts.some(
    (part) =>
      asksItself(part, names) ||
      leadsOf(part, names).some((lead) => {
        if (lead.to !== 'use' || lead.node.kind !== 'NameRef') return false;
        const binding = bindingOf(names, lead);
        if (binding.sort !== 'module') return false;
        const declared = binding.role === 'import' ? p.names.follow(binding) : binding;
        if (declared?.decl?.kind === 'FunctionDecl' && isAwaited(lead.node)) return false;
        // A function that only a browser can run changes the browser's variable.
        if (declared?.role === 'glob' && isOfBrowserAlone(p, module, element) && !isNamedByServer(p, declared))
          return false;
        if (declared !== undefined && isHeld(names, element, lead.node.name, declared.decl)) return false;
        return declared !== undefined && isOfServer(p, declared);
      }),
  );
}

/**
 * Is a node only what an object holds: `obj Line { has product: Product; … }`? Browsers have its fields. An object that names the node as a value, or a
 * member of anything that is called like one of its methods, stays on the server.
 */
function isHeld(names: Names, element: ast.Node, name: string, node: ast.Node | undefined): boolean {
  if (element.kind !== 'Archetype' || node?.kind !== 'Archetype' || node.archetype !== 'node') return false;
  if (node.bases.length > 0) return false;
  const methods = new Set(
    node.members?.map((member) => (member.kind === 'FunctionDecl' ? member.name?.text : undefined)),
  );
  const waiting = [...partsOf(names, element)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'NameRef' && next.name === name) return false;
    if (serverKinds.has(next.kind) || (next.kind === 'SpecialRef' && serverWords.has(next.word))) return false;
    if (next.kind === 'Attribute' && methods.has(next.name.text)) return false;
    const joined = names.implOf(next)?.impl;
    if (joined !== undefined && next !== element) waiting.push(joined);
    const types = [(next as { type?: ast.Node }).type, next.kind === 'Signature' ? next.result : undefined];
    forEachChild(next, (child) => {
      if (!types.includes(child)) waiting.push(child);
    });
  }
  return true;
}

/** Does the text ask for the server whatever other declarations are? */
const asksItself = oncePer(({ nodes }: Mentions, names: Names): boolean =>
  nodes.some((node) => {
    if (serverKinds.has(node.kind)) return true;
    if (node.kind === 'SpecialRef') return serverWords.has(node.word);
    if (node.kind !== 'NameRef') return false;
    const binding = names.binding(node);
    if (binding.sort === 'builtin') return serverBuiltins.has(binding.name);
    if (binding.sort !== 'module' && binding.sort !== 'local') return false;
    if (binding.import?.of !== 'builtin') return false;
    return !isClientModule(binding.import.module) && !erasedModules.has(binding.import.module);
  }),
);

/** Elements for the client that code of the server uses too, from one to the next. */
function findAsked(p: Planning): ReadonlySet<ast.Node> {
  const found = new Set<ast.Node>();
  const waiting = [...p.project.modules.values()].flatMap((module) =>
    elementsOf(module.tree.body)
      .filter((element) => p.names.of(module.id).isServer(element) && !p.declared.has(element))
      .filter((element) => element.kind !== 'ImplDecl' || !isOfClient(p, module, element))
      .map((element) => ({ module, element })),
  );
  const note = (declared: ModuleBinding | undefined): void => {
    const home = declared && p.project.modules.get(declared.module);
    if (home === undefined || declared?.decl === undefined) return;
    const element = elementOf(home, declared.decl);
    if (element === undefined || found.has(element) || !p.declared.has(element)) return;
    found.add(element);
    waiting.push({ module: home, element });
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { module, element } = next;
    const names = p.names.of(module.id);
    for (const part of partsOf(names, element))
      for (const lead of leadsOf(names.mentions(part), names))
        if (lead.to === 'use')
          note(lead.node.kind === 'Attribute' ? memberOf(p, module, lead.node) : ofBinding(p, bindingOf(names, lead)));
  }
  return found;
}

function isOfClient(p: Planning, module: ProjectModule, impl: ast.ImplDecl): boolean {
  const decl = p.names.of(module.id).declOf(impl);
  return decl !== undefined && p.declared.has(decl);
}

/** Does code that names it belong on the server? */
function isOfServer(p: Planning, declared: ModuleBinding): boolean {
  const { decl, role } = declared;
  const home = p.project.modules.get(declared.module);
  // State of the server, and what the server alone can do.
  if (role === 'entry') return true;
  if (decl === undefined || home === undefined) return false;
  if (role === 'glob' && (declared.reassigned || isChanged(p, declared) || isChangedByServer(p, declared))) return true;
  if (decl.kind === 'Archetype' && ['node', 'edge', 'walker'].includes(decl.archetype)) return true;
  const element = elementOf(home, decl);
  if (element === undefined || !p.names.of(home.id).isServer(element)) return false;
  // Results of a server function would have to be awaited.
  if (decl.kind === 'FunctionDecl') return !isEither(p, home, declared);
  return role === 'glob' && needsServer(p, home, element);
}

/** Does code of the server change the value of a variable in place? */
function isChangedByServer(p: Planning, { decl }: ModuleBinding): boolean {
  p.changed ??= findChanged(p);
  return decl !== undefined && p.changed.has(decl);
}

function findChanged(p: Planning): ReadonlySet<ast.Node> {
  const found = new Set<ast.Node>();
  forServer(p, (module, mentions) => {
    for (const owner of changedIn(mentions)) {
      const decl = declarationOf(p, module, owner)?.decl;
      if (decl?.kind === 'GlobItem') found.add(decl);
    }
  });
  return found;
}

/** Names of what a text changes in place. */
const changedIn = oncePer(({ nodes }: Mentions): readonly ast.NameRef[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'AssignStatement' || node.kind === 'DeleteStatement')
      return node.targets.flatMap((target) => changedOwner(target) ?? []);
    const changes = node.kind === 'Call' && node.callee.kind === 'Attribute' && mutators.has(node.callee.name.text);
    return changes ? (changedOwner(node.callee) ?? []) : [];
  }),
);

/** Does code of the server name a variable? */
function isNamedByServer(p: Planning, { decl }: ModuleBinding): boolean {
  if (p.named === undefined) {
    const found = new Set<ast.Node>();
    forServer(p, (module, { nodes }) => {
      for (const node of nodes) {
        const named = node.kind === 'NameRef' ? declarationOf(p, module, node)?.decl : undefined;
        if (named?.kind === 'GlobItem') found.add(named);
      }
    });
    p.named = found;
  }
  return decl !== undefined && p.named.has(decl);
}

/** Visits what code mentions that is of the server as far as its text tells. */
function forServer(p: Planning, visitText: (module: ProjectModule, mentions: Mentions) => void): void {
  for (const module of p.project.modules.values()) {
    const names = p.names.of(module.id);
    for (const element of elementsOf(module.tree.body))
      if (names.isServer(element) && !isOfBrowserAlone(p, module, element)) visitText(module, names.mentions(element));
  }
}

/** Is it a function that nothing places, and that names what only browsers have? */
function isOfBrowserAlone(p: Planning, module: ProjectModule, element: ast.Node): boolean {
  if (element.kind !== 'FunctionDecl' || (element.access !== undefined && element.access !== 'pub')) return false;
  if (element.decorators.length > 0 || module.placement.get(element)?.inferred !== true) return false;
  return p.needOf(module, element) === 'browser';
}

/** Is a variable perhaps changed in place? Then the server's one is meant, not a copy. */
function isChanged(p: Planning, { decl, module }: ModuleBinding): boolean {
  if (decl?.kind !== 'GlobItem') return true;
  const value = decl.value;
  const home = p.project.modules.get(module)!;
  // Values that a package of the browser gives are no state of the server.
  if (value?.kind === 'Call' && p.needOf(home, decl) !== undefined) return false;
  return value?.kind === 'ListExpr'
    ? value.items.length === 0
    : value?.kind === 'DictExpr'
      ? value.entries.length === 0
      : value?.kind === 'Call' && p.project.modules.size > 0;
}

/**
 * First step of phase 2: one walk over a module that notes, scope by scope, which names the text reads, binds and deletes, and on
 * which paths a name is bound for certain. What a name refers to is decided afterwards (bind-scopes.ts), when all scopes are known.
 *
 * Reading order: front door, elements and declarations, functions, statements, patterns, expressions, names, control flow.
 */
import type * as ast from '../1-parse/ast.ts';
import type { Code, Details, Params } from '../diagnostics.ts';
import { NodeMap } from '../node-map.ts';
import type { ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';
import { ambientName } from './ambient.ts';
import type { Impls } from './impls.ts';
import type { LocalBinding, ScopeNode } from './names.ts';
import { type Frame, makeFrame, makeUse, type Use } from './records.ts';

/** Something to report unless the element turns out to be client code. */
export interface Finding {
  readonly code: Code;
  readonly span: ast.Span;
  readonly params: Params | undefined;
  readonly details: Details | undefined;
  readonly source: Source;
  readonly element: ast.Node;
}

/** The scopes of one module, unbound. */
export interface Built {
  readonly module: ProjectModule;
  readonly impls: Impls;
  readonly frame: Frame;
  /** Every frame, outer before inner. */
  readonly frames: readonly Frame[];
  /** NameRef and binding Name nodes. */
  readonly uses: NodeMap<Use>;
  /** `self`, `here` … that name a parameter. */
  readonly specials: ReadonlyMap<ast.SpecialRef, Use>;
  readonly scopes: ReadonlyMap<ast.Node, Frame>;
  readonly findings: Finding[];
  /** Uses that `global` or a nested `glob` makes module variables. */
  readonly globals: readonly Use[];
  /** Names of attributes assigned anywhere (`x.name = …`). */
  readonly assignedAttributes: ReadonlySet<string>;
  /** Every import statement; the statement around each import item. */
  readonly imports: readonly { readonly node: ImportNode; readonly source: Source }[];
  readonly statementOf: ReadonlyMap<ast.Node, ImportNode>;
  /** The module-level element a frame belongs to. */
  readonly elementOf: ReadonlyMap<Frame, ast.Node>;
}

type ImportNode = ast.ImportModules | ast.ImportFrom | ast.Include;

interface Builder {
  readonly module: ProjectModule;
  readonly impls: Impls;
  /** Names declared at module level, before the walk. */
  readonly declared: ReadonlySet<string>;
  readonly frames: Frame[];
  readonly uses: NodeMap<Use>;
  readonly specials: Map<ast.SpecialRef, Use>;
  readonly scopes: Map<ast.Node, Frame>;
  readonly findings: Finding[];
  readonly globals: Use[];
  readonly assignedAttributes: Set<string>;
  readonly imports: { readonly node: ImportNode; readonly source: Source }[];
  readonly statementOf: Map<ast.Node, ImportNode>;
  readonly elementOf: Map<Frame, ast.Node>;
  frame: Frame;
  source: Source;
  element: ast.Node;
  /** Names of type parameters in scope, innermost last. */
  typeParams: ReadonlyMap<string, Use> | undefined;
  /** Above zero inside annotations, triggers, filter types. */
  inType: number;
}

/** Builds the scopes of a module. `declared`: the names its declarations bind. */
export function buildScopes(module: ProjectModule, impls: Impls, declared: ReadonlySet<string>): Built {
  const frame = makeFrame(module.tree, 'module', undefined, { awaits: true });
  const b: Builder = {
    module,
    impls,
    declared,
    frames: [frame],
    uses: new NodeMap(),
    specials: new Map(),
    scopes: new Map([[module.tree as ast.Node, frame]]),
    findings: [],
    globals: [],
    assignedAttributes: new Set(),
    imports: [],
    statementOf: new Map(),
    elementOf: new Map(),
    frame,
    source: module.source,
    element: module.tree,
    typeParams: undefined,
    inType: 0,
  };
  for (const name of declared) define(frame, useOf(frame, name));
  walkElements(b, module.tree.body);
  return { ...b, frame };
}

// ---------------------------------------------------------------- elements and declarations

function walkElements(b: Builder, elements: readonly ast.Element[]): void {
  for (const element of elements) {
    if (element.kind === 'PlacedBlock') {
      walkElements(b, element.body);
      continue;
    }
    b.element = element;
    b.source = b.module.sourceOf(element);
    walkElement(b, element);
  }
}

function walkElement(b: Builder, element: ast.Declaration): void {
  switch (element.kind) {
    case 'FunctionDecl':
      if (element.name !== undefined) bindName(b, element.name, element.name.text, 'def', element);
      walkFunction(b, element, undefined);
      return;
    case 'Archetype':
      bindName(b, element.name, element.name.text, 'type', element);
      walkArchetype(b, element);
      return;
    case 'EnumDecl':
      bindName(b, element.name, element.name.text, 'type', element);
      walkEnum(b, element);
      return;
    case 'GlobDecl':
      for (const item of element.items) walkGlobItem(b, item);
      return;
    case 'EntryBlock':
      walkBlock(b, element.body);
      b.frame.dead = false;
      return;
    case 'TestBlock':
      for (const decorator of element.decorators) walk(b, decorator);
      inFrame(b, element, 'function', { awaits: true }, () => walkBlock(b, element.body));
      return;
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      walkImport(b, element);
      return;
    case 'TypeAlias':
      bindName(b, element.name, element.name.text, 'type', element);
      withTypeParams(b, element.typeParams, () => walkType(b, element.type));
      return;
    case 'ImplDecl':
    case 'SemDecl':
    case 'InlineForeign':
      return;
  }
}

function walkGlobItem(b: Builder, item: ast.GlobItem): void {
  if (item.type !== undefined) walkType(b, item.type);
  if (item.value !== undefined) walk(b, item.value);
  bindName(b, item.name, item.name.text, undefined, item);
  for (const name of item.chained) bindName(b, name, name.text, undefined, item);
}

function walkImport(b: Builder, node: ImportNode): void {
  b.imports.push({ node, source: b.source });
  if (node.kind !== 'Include') for (const item of node.items) b.statementOf.set(item, node);
  if (node.kind === 'ImportModules') {
    for (const item of node.items) {
      const name = item.alias ?? item.path.segments[0];
      if (name !== undefined) bindName(b, name, name.text, 'import', item);
    }
  } else if (node.kind === 'ImportFrom') {
    for (const item of node.items) {
      const name = item.alias ?? item.name;
      if (name !== undefined) bindName(b, name, name.text, 'import', item);
    }
    if (b.frame.kind !== 'module' && node.items.some((item) => item.what === 'star')) (b.frame.stars ??= []).push(node);
  } else if (node.alias !== undefined) {
    bindName(b, node.alias, node.alias.text, 'import', node);
  } else if (b.frame.kind !== 'module') (b.frame.stars ??= []).push(node);
}

function walkArchetype(b: Builder, node: ast.Archetype): void {
  for (const decorator of node.decorators) walk(b, decorator);
  const joined = b.impls.of(node);
  withTypeParams(b, node.typeParams, () => {
    for (const base of node.bases) walk(b, base);
    if (node.endpoints !== undefined) {
      walkType(b, node.endpoints.from);
      walkType(b, node.endpoints.to);
    }
    inSource(b, joined, () => {
      for (const base of joined?.bases ?? []) walk(b, base);
    });
    inFrame(b, node, 'class', { awaits: false, also: joined }, () => {
      if (node.members !== undefined) walkMembers(b, node.members, node.archetype);
      inSource(b, joined, () => walkMembers(b, joined?.body.members ?? [], node.archetype));
    });
  });
}

/** Types and methods first: inside a class body they may be named before their text. */
function walkMembers(b: Builder, members: readonly ast.Member[], kind: ast.ArchetypeKind): void {
  for (const member of members) {
    if (member.kind === 'Archetype' || member.kind === 'EnumDecl') bindName(b, member.name, member.name.text, 'type', member);
    else if (member.kind === 'FunctionDecl' && member.name !== undefined) {
      bindName(b, member.name, member.name.text, 'def', member);
    }
  }
  for (const member of members) {
    switch (member.kind) {
      case 'HasDecl':
        for (const item of member.items) walkHasItem(b, item);
        break;
      case 'FunctionDecl':
        walkFunction(b, member, kind);
        break;
      case 'Ability':
        walkAbility(b, member);
        break;
      case 'Archetype':
        walkArchetype(b, member);
        break;
      case 'EnumDecl':
        walkEnum(b, member);
        break;
      case 'EntryBlock':
        walkBlock(b, member.body);
        b.frame.dead = false;
        break;
      case 'AssignStatement':
        walkStatement(b, member);
        break;
      case 'ImplDecl':
      case 'InlineForeign':
        break;
    }
  }
}

function walkHasItem(b: Builder, item: ast.HasItem): void {
  if (item.type !== undefined) walkType(b, item.type);
  if (item.value !== undefined) walk(b, item.value);
  for (const accessor of item.accessors ?? []) {
    const joined = b.impls.of(accessor);
    walkSignature(b, accessor.signature);
    inFrame(b, accessor, 'function', { also: joined, source: joined }, () => {
      bindParams(b, accessor.signature, true);
      if (joined?.signature !== undefined) bindParams(b, joined.signature, true);
      if (accessor.sort === 'setter') implicitParam(b, 'value');
      walkBody(b, joined?.body.block ?? accessor.body);
    });
  }
}

function walkEnum(b: Builder, node: ast.EnumDecl): void {
  for (const decorator of node.decorators) walk(b, decorator);
  for (const base of node.bases) walk(b, base);
  const joined = b.impls.of(node);
  inFrame(b, node, 'class', { also: joined }, () => {
    const members = (list: readonly ast.EnumMember[]) => {
      for (const member of list) {
        if (member.value !== undefined) walk(b, member.value);
        bindName(b, member.name, member.name.text, 'local', member);
      }
    };
    members(node.members ?? []);
    inSource(b, joined, () => members(joined?.body.enumMembers ?? []));
    for (const part of node.body) {
      if (part.kind === 'EntryBlock') walkBlock(b, part.body);
      else if (part.kind === 'FunctionDecl') {
        if (part.name !== undefined) bindName(b, part.name, part.name.text, 'def', part);
        walkFunction(b, part, 'obj');
      }
    }
  });
}

// ---------------------------------------------------------------- functions

/** `owner`: the kind of archetype it is a member of. */
function walkFunction(b: Builder, node: ast.FunctionDecl, owner: ast.ArchetypeKind | undefined): void {
  for (const decorator of node.decorators) walk(b, decorator);
  const joined = b.impls.of(node);
  inSource(b, joined, () => {
    for (const decorator of joined?.decorators ?? []) walk(b, decorator);
  });
  withTypeParams(b, node.typeParams, () => {
    walkSignature(b, node.signature);
    inSource(b, joined, () => {
      if (joined?.signature !== undefined) walkSignature(b, joined.signature);
    });
    const receives = owner !== undefined && !node.mods.static;
    inFrame(b, node, 'function', { awaits: node.mods.async, also: joined, source: joined }, () => {
      if (owner === undefined && node.name !== undefined && b.uses.get(node.name) === undefined) {
        bindName(b, node.name, node.name.text, 'def', node); // a function expression can call itself
      }
      const firstIsReceiver = receives && (owner === 'class' || node.mods.class);
      bindParams(b, node.signature, receives, firstIsReceiver);
      if (joined?.signature !== undefined) bindParams(b, joined.signature, receives, firstIsReceiver);
      if (owner !== undefined && node.mods.class) implicitParam(b, 'cls');
      if (joined !== undefined) {
        if (joined.body.by !== undefined) walk(b, joined.body.by);
        walkBody(b, joined.body.block);
      } else if (node.body.kind === 'Block') walkBody(b, node.body);
      else if (node.body.kind === 'ByBody') walk(b, node.body.model);
    });
  });
}

function walkAbility(b: Builder, node: ast.Ability): void {
  for (const decorator of node.decorators) walk(b, decorator);
  if (node.event.trigger !== undefined) walkType(b, node.event.trigger);
  const joined = b.impls.of(node);
  inSource(b, joined, () => {
    if (joined?.event?.trigger !== undefined) walkType(b, joined.event.trigger);
  });
  inFrame(b, node, 'function', { awaits: node.mods.async, also: joined, source: joined }, () => {
    if (joined !== undefined) walkBody(b, joined.body.block);
    else if (node.body.kind === 'Block') walkBody(b, node.body);
    else if (node.body.kind === 'ByBody') walk(b, node.body.model);
  });
}

/** Annotations and defaults belong to the scope around the function. */
function walkSignature(b: Builder, signature: ast.Signature): void {
  for (const param of signature.params) {
    if (param.type !== undefined) walkType(b, param.type);
    if (param.value !== undefined) walk(b, param.value);
  }
  if (signature.result !== undefined) walkType(b, signature.result);
}

/** `receives`: a leading `self` is the receiver; with `anyName` the first parameter is, whatever its name. */
function bindParams(b: Builder, signature: ast.Signature, receives: boolean, anyName = false): void {
  const first = signature.params[0];
  for (const param of signature.params) {
    if (param.name === undefined) continue;
    const use = bindName(b, param.name, param.name.text, 'param', param);
    if (param === first && receives && param.sort === 'plain' && (anyName || param.name.text === 'self')) {
      use.receiver = true;
    }
  }
}

function implicitParam(b: Builder, name: string): void {
  const use = useOf(b.frame, name);
  if (use.role !== undefined) return;
  use.role = 'param';
  use.assignments += 1;
  if (name === 'cls') use.receiver = true;
  define(b.frame, use);
}

interface FrameOptions {
  readonly awaits?: boolean;
  readonly lazy?: boolean;
  /** An impl that has the same scope. */
  readonly also?: ast.ImplDecl | undefined;
  /** Take the file of this impl for the time of the walk. */
  readonly source?: ast.ImplDecl | undefined;
}

function inFrame(b: Builder, node: ScopeNode, kind: Frame['kind'], options: FrameOptions, walkInside: () => void): void {
  const around = b.frame;
  // A class body is no scope for the functions in it.
  const parent = kind === 'function' ? outsideClasses(around) : around;
  const frame = makeFrame(node, kind, parent, options);
  b.frames.push(frame);
  b.scopes.set(node, frame);
  if (options.also !== undefined) b.scopes.set(options.also, frame);
  b.elementOf.set(frame, b.element);
  b.frame = frame;
  const inType = b.inType;
  b.inType = 0;
  if (options.source === undefined) walkInside();
  else inSource(b, options.source, walkInside);
  b.inType = inType;
  b.frame = around;
  if (kind !== 'comprehension') passOutward(frame, parent);
}

function outsideClasses(frame: Frame): Frame {
  let outer = frame;
  while (outer.kind === 'class' && outer.parent !== undefined) outer = outer.parent;
  return outer;
}

function inSource(b: Builder, impl: ast.ImplDecl | undefined, walkInside: () => void): void {
  if (impl === undefined) return;
  const before = b.source;
  b.source = b.impls.sourceOf(impl);
  walkInside();
  b.source = before;
}

function withTypeParams(b: Builder, params: readonly ast.TypeParam[], walkInside: () => void): void {
  if (params.length === 0) return walkInside();
  const before = b.typeParams;
  const mine = new Map(before);
  for (const param of params) {
    if (param.bound !== undefined) walkType(b, param.bound);
    if (param.value !== undefined) walkType(b, param.value);
    const use = makeUse(param.name.text);
    use.role = 'type';
    use.decl = param;
    const binding: LocalBinding = {
      sort: 'local',
      name: param.name.text,
      scope: b.frame.scope,
      role: 'type',
      decl: param,
      import: undefined,
      captured: false,
      mayBeUnbound: false,
      reassigned: false,
      assignedInside: false,
      used: true,
    };
    use.binding = binding;
    b.uses.set(param.name, use);
    mine.set(param.name.text, use);
  }
  b.typeParams = mine;
  walkInside();
  b.typeParams = before;
}

// ---------------------------------------------------------------- statements

function walkBody(b: Builder, block: ast.Block | undefined): void {
  if (block !== undefined) walkBlock(b, block);
}

function walkBlock(b: Builder, block: ast.Block): void {
  for (const statement of block.statements) walkStatement(b, statement);
}

function walkStatement(b: Builder, s: ast.Statement): void {
  switch (s.kind) {
    case 'ExprStatement':
      walk(b, s.expr);
      return;
    case 'AssignStatement':
      walkAssign(b, s);
      return;
    case 'AugAssign':
      walk(b, s.value);
      if (s.target.kind === 'NameRef') {
        readName(b, s.target, s.target.name);
        bindName(b, s.target, s.target.name, undefined, undefined);
      } else walkTarget(b, s.target, undefined, undefined);
      return;
    case 'IfStatement':
      walk(b, s.test);
      branches(b, [() => walkBlock(b, s.body), () => s.orElse && walkElse(b, s.orElse)], true);
      return;
    case 'ReturnStatement':
      if (s.value !== undefined) walk(b, s.value);
      b.frame.dead = true;
      return;
    case 'ForIn':
      if (s.async) requireAsync(b, s);
      walk(b, s.iter);
      loop(b, () => {
        walkTarget(b, s.target, 'local', undefined);
        walkBlock(b, s.body);
      });
      if (s.orElse !== undefined) perhaps(b, () => walkBlock(b, s.orElse!));
      return;
    case 'WhileStatement': {
      if (s.test !== undefined) walk(b, s.test);
      loop(b, () => walkBlock(b, s.body));
      if (s.orElse !== undefined) perhaps(b, () => walkBlock(b, s.orElse!));
      const endless = s.test === undefined || (s.test.kind === 'Constant' && s.test.value === true);
      if (endless && !hasBreak(s.body)) b.frame.dead = true;
      return;
    }
    case 'ForCount':
      walkAssign(b, s.init, 'local');
      walk(b, s.test);
      loop(b, () => {
        walkBlock(b, s.body);
        walkStatement(b, s.step);
      });
      if (s.orElse !== undefined) perhaps(b, () => walkBlock(b, s.orElse!));
      return;
    case 'VisitStatement':
      if (s.index !== undefined) walk(b, s.index);
      walk(b, s.what);
      if (s.orElse !== undefined) perhaps(b, () => walkBlock(b, s.orElse!));
      return;
    case 'ReportStatement':
      walk(b, s.value);
      return;
    case 'CtrlStatement':
      b.frame.dead = true;
      return;
    case 'RaiseStatement':
      if (s.value !== undefined) walk(b, s.value);
      if (s.from !== undefined) walk(b, s.from);
      b.frame.dead = true;
      return;
    case 'TryStatement':
      walkTry(b, s);
      return;
    case 'WithStatement':
      if (s.async) requireAsync(b, s);
      for (const item of s.items) {
        walk(b, item.expr);
        if (item.target !== undefined) walkTarget(b, item.target, 'local', undefined);
      }
      // The context manager may swallow an exception, so what the body binds is not certain.
      perhaps(b, () => walkBlock(b, s.body));
      return;
    case 'MatchStatement':
      walk(b, s.subject);
      walkCases(b, s.cases);
      return;
    case 'SwitchStatement':
      walk(b, s.subject);
      for (const one of s.cases) {
        perhaps(b, () => {
          if (one.pattern !== undefined) walkPattern(b, one.pattern);
          walkBlock(b, one.body);
        });
      }
      return;
    case 'AssertStatement':
      walk(b, s.test);
      if (s.message !== undefined) perhaps(b, () => walk(b, s.message!));
      return;
    case 'DeleteStatement':
      for (const target of s.targets) walkDelete(b, target);
      return;
    case 'ScopeStatement':
      for (const name of s.names) {
        const use = useOf(b.frame, name.text);
        use.directive ??= s.word;
        if (s.word === 'global') b.globals.push(use);
        b.uses.set(name, use);
        noteFirst(b, use, name);
      }
      return;
    case 'GlobDecl':
      walkNestedGlob(b, s);
      return;
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      walkImport(b, s);
      return;
    case 'FunctionDecl':
      if (s.name !== undefined) bindName(b, s.name, s.name.text, 'def', s);
      walkFunction(b, s, undefined);
      return;
    case 'Archetype':
      bindName(b, s.name, s.name.text, 'type', s);
      walkArchetype(b, s);
      return;
    case 'EnumDecl':
      bindName(b, s.name, s.name.text, 'type', s);
      walkEnum(b, s);
      return;
    case 'TypeAlias':
      bindName(b, s.name, s.name.text, 'type', s);
      walkType(b, s.type);
      return;
    case 'HasDecl':
      for (const item of s.items) {
        if (item.type !== undefined) walkType(b, item.type);
        if (item.value !== undefined) walk(b, item.value);
        bindName(b, item.name, item.name.text, 'local', item);
      }
      return;
    case 'Ability':
      walkAbility(b, s);
      return;
    case 'TypedContext':
      if (s.type !== undefined) walkType(b, s.type);
      perhaps(b, () => walkBlock(b, s.body));
      return;
    case 'Region':
      walk(b, s.region);
      walkBlock(b, s.body);
      return;
    case 'Block':
      walkBlock(b, s);
      return;
    case 'ImplDecl':
    case 'InlineForeign':
      return;
  }
}

function walkElse(b: Builder, orElse: ast.Block | ast.IfStatement): void {
  if (orElse.kind === 'Block') walkBlock(b, orElse);
  else walkStatement(b, orElse);
}

function walkAssign(b: Builder, s: ast.AssignStatement, role?: 'local'): void {
  if (s.type !== undefined) walkType(b, s.type);
  if (s.value !== undefined) walk(b, s.value);
  const strong = role ?? (s.let || s.type !== undefined ? 'local' : undefined);
  for (const target of s.targets) {
    if (s.type !== undefined && !s.let && target.kind === 'NameRef') noteLate(b, target);
    walkTarget(b, target, strong, s.type !== undefined ? s : undefined);
  }
}

/** E0302, if the name turns out to mean something outside. */
function noteLate(b: Builder, target: ast.NameRef): void {
  const use = b.frame.uses.get(target.name);
  if (b.frame.kind !== 'function' || use === undefined || use.role !== undefined || use.first === undefined) return;
  use.late ??= target;
}

function walkTarget(b: Builder, e: ast.Expression, role: 'local' | undefined, decl: ast.Node | undefined): void {
  switch (e.kind) {
    case 'NameRef':
      bindName(b, e, e.name, role, decl);
      return;
    case 'TupleExpr':
    case 'ListExpr':
      for (const item of e.items) walkTarget(b, item, role, decl);
      return;
    case 'Starred':
      walkTarget(b, e.expr, role, decl);
      return;
    case 'Attribute':
      b.assignedAttributes.add(e.name.text);
      walk(b, e.object);
      return;
    default:
      walk(b, e);
  }
}

function walkDelete(b: Builder, e: ast.Expression): void {
  if (e.kind === 'TupleExpr') {
    for (const item of e.items) walkDelete(b, item);
  } else if (e.kind === 'NameRef') {
    readName(b, e, e.name);
    const use = b.uses.get(e);
    if (use !== undefined) use.deleted = true;
  } else walk(b, e);
}

function walkNestedGlob(b: Builder, s: ast.GlobDecl): void {
  for (const item of s.items) {
    if (item.type !== undefined) walkType(b, item.type);
    if (item.value !== undefined) walk(b, item.value);
    for (const name of [item.name, ...item.chained]) {
      const use = useOf(b.frame, name.text);
      use.directive = 'global';
      b.globals.push(use);
      if (item.value !== undefined) {
        bindName(b, name, name.text, undefined, undefined);
        use.decl ??= item;
      } else {
        b.uses.set(name, use);
        noteFirst(b, use, name);
      }
    }
  }
}

function walkTry(b: Builder, s: ast.TryStatement): void {
  if (s.awaiting !== undefined) perhaps(b, () => walkBlock(b, s.awaiting!));
  const arms: (() => void)[] = [
    () => {
      walkBlock(b, s.body);
      if (s.orElse !== undefined) walkBlock(b, s.orElse);
    },
  ];
  for (const handler of s.handlers) arms.push(() => walkHandler(b, handler));
  branches(b, arms, true);
  if (s.finally === undefined) return;
  const { dead } = b.frame;
  b.frame.dead = false;
  walkBlock(b, s.finally);
  b.frame.dead ||= dead;
}

function walkHandler(b: Builder, handler: ast.ExceptClause): void {
  const { type, name } = handler;
  if (type?.kind === 'NameRef' && name === undefined && isBareCatch(b, type)) {
    bindName(b, type, type.name, 'local', handler);
    note(b, 'W0136', type, { name: type.name }, { help: `write \`except Exception as ${type.name}\`` });
  } else if (type !== undefined) walk(b, type);
  if (name !== undefined) bindName(b, name, name.text, 'local', handler);
  walkBlock(b, handler.body);
}

/** `except e { }` with `e` an unbound lower-case name (3.6). */
function isBareCatch(b: Builder, type: ast.NameRef): boolean {
  if (!/^[a-z_]/.test(type.name) || b.declared.has(type.name) || ambientName(type.name) !== undefined) return false;
  for (let frame: Frame | undefined = b.frame; frame !== undefined; frame = frame.parent) {
    const use = frame.uses.get(type.name);
    if (use !== undefined && (use.role !== undefined || use.weak) && use.decl?.kind !== 'ExceptClause') return false;
  }
  return true;
}

function walkCases(b: Builder, cases: readonly ast.MatchCase[]): void {
  const isTotal = cases.some((one) => one.guard === undefined && isIrrefutable(one.pattern));
  const arms = cases.map((one) => () => {
    walkPattern(b, one.pattern);
    if (one.guard !== undefined) walk(b, one.guard);
    walkBlock(b, one.body);
  });
  branches(b, isTotal ? arms : [...arms, () => undefined], true);
}

function isIrrefutable(pattern: ast.Pattern): boolean {
  if (pattern.kind === 'AsPattern') return isIrrefutable(pattern.pattern);
  if (pattern.kind === 'OrPattern') return pattern.options.some(isIrrefutable);
  return pattern.kind === 'WildcardPattern' || pattern.kind === 'CapturePattern';
}

/** Is there a `break` that leaves this loop body? */
function hasBreak(block: ast.Block): boolean {
  return block.statements.some(breaks);
}

function breaks(s: ast.Statement): boolean {
  switch (s.kind) {
    case 'CtrlStatement':
      return s.word === 'break';
    case 'Block':
      return hasBreak(s);
    case 'IfStatement':
      return hasBreak(s.body) || (s.orElse !== undefined && breaks(s.orElse));
    case 'TryStatement':
      return (
        hasBreak(s.body) ||
        s.handlers.some((handler) => hasBreak(handler.body)) ||
        (s.orElse !== undefined && hasBreak(s.orElse)) ||
        (s.finally !== undefined && hasBreak(s.finally))
      );
    case 'MatchStatement':
      return s.cases.some((one) => hasBreak(one.body));
    case 'ForIn':
    case 'WhileStatement':
    case 'ForCount':
      return s.orElse !== undefined && hasBreak(s.orElse);
    case 'WithStatement':
    case 'TypedContext':
    case 'Region':
      return hasBreak(s.body);
    case 'VisitStatement':
      return s.orElse !== undefined && hasBreak(s.orElse);
    default:
      return false;
  }
}

// ---------------------------------------------------------------- patterns

function walkPattern(b: Builder, pattern: ast.Pattern): void {
  switch (pattern.kind) {
    case 'WildcardPattern':
      return;
    case 'CapturePattern':
      bindName(b, pattern.name, pattern.name.text, 'local', undefined);
      return;
    case 'ValuePattern':
      walk(b, pattern.value);
      return;
    case 'AsPattern':
      walkPattern(b, pattern.pattern);
      bindName(b, pattern.name, pattern.name.text, 'local', undefined);
      return;
    case 'OrPattern':
      for (const option of pattern.options) walkPattern(b, option);
      return;
    case 'SequencePattern':
      for (const item of pattern.items) walkPattern(b, item);
      return;
    case 'StarPattern':
      if (pattern.name !== undefined) bindName(b, pattern.name, pattern.name.text, 'local', undefined);
      return;
    case 'MappingPattern':
      for (const entry of pattern.entries) {
        walk(b, entry.key);
        walkPattern(b, entry.value);
      }
      if (pattern.rest !== undefined) bindName(b, pattern.rest, pattern.rest.text, 'local', undefined);
      return;
    case 'ClassPattern':
      walkType(b, pattern.type);
      for (const item of pattern.positional) walkPattern(b, item);
      for (const item of pattern.named) walkPattern(b, item.pattern);
      return;
  }
}

// ---------------------------------------------------------------- expressions

function walkType(b: Builder, e: ast.Expression): void {
  b.inType += 1;
  walk(b, e);
  b.inType -= 1;
}

function walkAll(b: Builder, list: readonly ast.Expression[]): void {
  for (const e of list) walk(b, e);
}

function walk(b: Builder, e: ast.Expression): void {
  switch (e.kind) {
    case 'NameRef':
      readName(b, e, e.name);
      return;
    case 'Attribute':
      walk(b, e.object);
      return;
    case 'Call':
      walkCall(b, e);
      return;
    case 'NumberLiteral':
    case 'Constant':
    case 'Missing':
      return;
    case 'StringLiteral':
      if (b.inType > 0 && !e.bytes) nameInText(b, e.value);
      return;
    case 'SpecialRef':
      walkSpecial(b, e);
      return;
    case 'Binary':
      walk(b, e.left);
      walk(b, e.right);
      return;
    case 'Compare':
      walk(b, e.operands[0]!);
      walk(b, e.operands[1]!);
      for (let i = 2; i < e.operands.length; i++) uncertain(b, e.operands[i]!);
      return;
    case 'Logical':
      walk(b, e.left);
      uncertain(b, e.right);
      return;
    case 'Unary':
      walk(b, e.operand);
      return;
    case 'Conditional':
      walk(b, e.test);
      uncertain(b, e.then);
      uncertain(b, e.orElse);
      return;
    case 'Joined':
      walkJoined(b, e);
      return;
    case 'Index':
      walk(b, e.object);
      if (b.inType > 0 && isLiteralType(e.object)) return;
      walk(b, e.index);
      return;
    case 'Slice':
      if (e.lower !== undefined) walk(b, e.lower);
      if (e.upper !== undefined) walk(b, e.upper);
      if (e.step !== undefined) walk(b, e.step);
      return;
    case 'ListExpr':
    case 'SetExpr':
    case 'TupleExpr':
      walkAll(b, e.items);
      return;
    case 'DictExpr':
      for (const entry of e.entries) {
        if (entry.key !== undefined) walk(b, entry.key);
        walk(b, entry.value);
      }
      return;
    case 'Comprehension':
      walkComprehension(b, e);
      return;
    case 'Lambda':
      walkSignature(b, e.signature);
      inFrame(b, e, 'function', { awaits: true }, () => {
        bindParams(b, e.signature, false);
        if (e.body.kind === 'Block') walkBlock(b, e.body);
        else walk(b, e.body);
      });
      return;
    case 'FunctionExpr':
      walkFunction(b, e.decl, undefined);
      return;
    case 'EdgeRef':
      walkEdgeRef(b, e);
      return;
    case 'Connect':
      walk(b, e.left);
      walk(b, e.right);
      if (e.edge !== undefined) walk(b, e.edge);
      for (const field of e.fields) walk(b, field.value);
      return;
    case 'Disconnect':
      walk(b, e.left);
      walk(b, e.right);
      walkEdgeOp(b, e.op);
      return;
    case 'Spawn':
      if (e.left !== undefined) walk(b, e.left);
      walk(b, e.right);
      return;
    case 'Filter':
      walk(b, e.object);
      walkFilter(b, e.filter);
      return;
    case 'AssignTrailer':
      walk(b, e.object);
      for (const field of e.fields) {
        b.assignedAttributes.add(field.name.text);
        walk(b, field.value);
      }
      return;
    case 'Walrus':
      walk(b, e.value);
      bindWalrus(b, e);
      return;
    case 'Await':
      requireAsync(b, e);
      walk(b, e.expr);
      return;
    case 'Cast':
      walk(b, e.expr);
      walkType(b, e.type);
      return;
    case 'Flow':
    case 'Starred':
    case 'Borrow':
      walk(b, e.expr);
      return;
    case 'By':
      walk(b, e.value);
      walk(b, e.model);
      return;
    case 'Pipe':
      if (e.left !== undefined) walk(b, e.left);
      walk(b, e.right);
      return;
    case 'Yield':
      if (e.value !== undefined) walk(b, e.value);
      return;
    case 'Markup':
      walkMarkup(b, e);
      return;
  }
}

function walkCall(b: Builder, e: ast.Call): void {
  walk(b, e.callee);
  const isInstance = e.callee.kind === 'NameRef' && (e.callee.name === 'isinstance' || e.callee.name === 'issubclass');
  for (let i = 0; i < e.args.length; i++) {
    const { value } = e.args[i]!;
    if (isInstance && i === 1) walkType(b, value);
    else walk(b, value);
  }
}

function walkJoined(b: Builder, e: ast.Joined): void {
  for (const part of e.parts) {
    if (part.kind !== 'FormatPart') continue;
    walk(b, part.expr);
    if (part.spec !== undefined && part.spec.kind === 'Joined') walkJoined(b, part.spec);
  }
}

function walkComprehension(b: Builder, e: ast.Comprehension): void {
  const first = e.clauses[0];
  if (first !== undefined) walk(b, first.iter);
  inFrame(b, e, 'comprehension', { lazy: e.sort === 'generator', awaits: true }, () => {
    for (const clause of e.clauses) {
      if (clause.async) requireAsync(b, clause, b.frame.parent);
      if (clause !== first) walk(b, clause.iter);
      walkTarget(b, clause.target, 'local', clause);
      walkAll(b, clause.conditions);
    }
    if (e.key !== undefined) walk(b, e.key);
    walk(b, e.value);
  });
}

function walkEdgeRef(b: Builder, e: ast.EdgeRef): void {
  if (e.origin !== undefined) walk(b, e.origin);
  for (const hop of e.hops) {
    walkEdgeOp(b, hop.op);
    if (hop.filter !== undefined) walkFilter(b, hop.filter);
    if (hop.only !== undefined) walk(b, hop.only);
  }
}

function walkEdgeOp(b: Builder, op: ast.EdgeOp): void {
  if (op.type !== undefined) walk(b, op.type);
  for (const condition of op.conditions) walk(b, condition.value);
}

function walkFilter(b: Builder, filter: ast.FilterSpec): void {
  if (filter.type !== undefined) walkType(b, filter.type);
  for (const condition of filter.conditions) walk(b, condition.value);
}

function walkMarkup(b: Builder, e: ast.Markup): void {
  if (typeof e.tag === 'object') walk(b, e.tag);
  for (const attribute of e.attributes) if (attribute.value !== undefined) walk(b, attribute.value);
  for (const child of e.children) {
    if (child.kind === 'Markup') walkMarkup(b, child);
    else if (child.kind === 'MarkupSlot') {
      if (child.expr !== undefined) walk(b, child.expr);
      const { statements } = child;
      if (statements !== undefined) perhaps(b, () => statements.forEach((s) => walkStatement(b, s)));
    }
  }
}

/** An operand that may not be evaluated: what it binds is not certain. */
function uncertain(b: Builder, e: ast.Expression): void {
  b.frame.maybe += 1;
  walk(b, e);
  b.frame.maybe -= 1;
}

// ---------------------------------------------------------------- names

const rootType = makeUse('Root');
rootType.binding = { sort: 'builtin', name: 'Root' };

function readName(b: Builder, node: ast.NameRef, name: string): void {
  if (b.typeParams !== undefined) {
    const param = b.typeParams.get(name);
    if (param !== undefined) {
      b.uses.set(node, param);
      return;
    }
  }
  if (b.inType > 0 && node.escaped && name === 'root') {
    b.uses.set(node, rootType);
    return;
  }
  let { frame } = b;
  let lazy = false;
  while (frame.kind === 'comprehension') {
    const target = frame.uses.get(name);
    if (target !== undefined) {
      target.read = true;
      if (lazy) target.captured = true;
      b.uses.set(node, target);
      return;
    }
    lazy ||= frame.lazy;
    frame = frame.parent!;
  }
  const use = useOf(frame, name);
  use.read = true;
  if (!use.assigned && b.inType === 0) use.early = true;
  if (lazy) use.captured = true;
  b.uses.set(node, use);
  if (use.first === undefined) noteFirst(b, use, node);
}

function bindName(
  b: Builder,
  node: ast.Node,
  name: string,
  role: LocalBinding['role'] | undefined,
  decl: ast.Node | undefined,
): Use {
  const { frame } = b;
  const use = useOf(frame, name);
  b.uses.set(node, use);
  use.assignments += 1;
  if (use.assignments > 1 || frame.loops > 0) use.reassigned = true;
  if (role === undefined) {
    use.weak = true;
    if (decl !== undefined) use.decl ??= decl;
  } else if (use.role === undefined) {
    use.role = role;
    use.decl = decl;
  }
  if (use.first === undefined) noteFirst(b, use, node);
  define(frame, use);
  return use;
}

/** A walrus in a comprehension binds in the function around it. */
function bindWalrus(b: Builder, e: ast.Walrus): void {
  let home = b.frame;
  while (home.kind === 'comprehension') home = home.parent!;
  const use = useOf(home, e.name.text);
  b.uses.set(e.name, use);
  use.weak = true;
  use.assignments += 1;
  if (use.assignments > 1 || home.loops > 0 || home !== b.frame) use.reassigned = true;
  if (use.first === undefined) noteFirst(b, use, e.name);
  if (home === b.frame && home.maybe === 0) define(home, use);
}

function walkSpecial(b: Builder, e: ast.SpecialRef): void {
  for (let frame: Frame | undefined = b.frame; frame !== undefined; frame = frame.parent) {
    const use = frame.uses.get(e.word);
    if (use === undefined || use.role !== 'param') continue;
    if (use.receiver) return;
    use.read = true;
    if (frame !== b.frame) use.captured = true;
    b.specials.set(e, use);
    return;
  }
}

function useOf(frame: Frame, name: string): Use {
  let use = frame.uses.get(name);
  if (use === undefined) {
    use = makeUse(name);
    frame.uses.set(name, use);
  }
  return use;
}

function noteFirst(b: Builder, use: Use, node: ast.Node): void {
  use.first = node;
  use.firstSource = b.source;
  use.firstElement = b.element;
}

/** Names inside a string annotation count as used. */
function nameInText(b: Builder, text: string): void {
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
    let { frame } = b;
    while (frame.kind === 'comprehension') frame = frame.parent!;
    useOf(frame, name).read = true;
  }
}

/** The arguments of `Literal["a"]` are values, not names. */
function isLiteralType(e: ast.Expression): boolean {
  return e.kind === 'NameRef' && e.name === 'Literal';
}

/** When a scope is done: what it reads of outer scopes must be bound there where the inner function is made. */
function passOutward(frame: Frame, parent: Frame): void {
  if (parent.kind === 'module') return;
  for (const use of frame.uses.values()) {
    if (use.role !== undefined || use.directive === 'global') continue;
    let outer = parent;
    while (outer.kind === 'comprehension') {
      const target = outer.uses.get(use.name);
      if (target !== undefined) {
        target.captured = true;
        target.read = true;
        break;
      }
      outer = outer.parent!;
    }
    if (outer.kind === 'comprehension' || outer.kind === 'module') continue;
    const around = useOf(outer, use.name);
    if (!around.assigned) around.early = true;
    if (around.first === undefined) {
      around.first = use.first;
      around.firstSource = use.firstSource;
      around.firstElement = use.firstElement;
    }
  }
}

function requireAsync(b: Builder, node: ast.Span, from: Frame | undefined = b.frame): void {
  let frame: Frame | undefined = from;
  while (frame !== undefined && (frame.kind === 'comprehension' || frame.node.kind === 'Lambda')) frame = frame.parent;
  if (frame !== undefined && !frame.awaits) note(b, 'E0310', node);
}

function note(b: Builder, code: Code, span: ast.Span, params?: Params, details?: Details): void {
  b.findings.push({ code, span, params, details, source: b.source, element: b.element });
}

// ---------------------------------------------------------------- control flow

function define(frame: Frame, use: Use): void {
  if (use.assigned) return;
  use.assigned = true;
  frame.trail.push(use);
}

/** Walks code that may not run: what it binds is not certain afterwards. */
function perhaps(b: Builder, walkInside: () => void): void {
  const { frame } = b;
  const { dead } = frame;
  const mark = frame.trail.length;
  walkInside();
  while (frame.trail.length > mark) frame.trail.pop()!.assigned = false;
  frame.dead = dead;
}

function loop(b: Builder, walkInside: () => void): void {
  b.frame.loops += 1;
  perhaps(b, walkInside);
  b.frame.loops -= 1;
}

/** Walks alternatives of which exactly one runs (`total`): bound is what every one binds that comes to its end. */
function branches(b: Builder, arms: readonly (() => unknown)[], total: boolean): void {
  const { frame } = b;
  const { dead } = frame;
  const mark = frame.trail.length;
  let living = 0;
  const ends: Use[][] = [];
  for (const arm of arms) {
    frame.dead = false;
    arm();
    const bound = frame.trail.splice(mark);
    for (const use of bound) use.assigned = false;
    if (frame.dead) continue;
    living += 1;
    ends.push(bound);
  }
  frame.dead = dead || (total && living === 0);
  if (!total || living === 0) return;
  for (const bound of ends) for (const use of bound) use.branches = 0;
  for (const bound of ends) {
    for (const use of bound) {
      use.branches += 1;
      if (use.branches === living) define(frame, use);
    }
  }
}

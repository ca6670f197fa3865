/**
 * Names in the text and what they mean. Definition, references, rename, hover and tokens all go through the sites of a node: the names that
 * are its own parts, each with the declarations it stands for.
 */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import type { ModuleBinding } from '../2-resolve/names.ts';
import { namesOfTarget } from '../2-resolve/target-names.ts';
import { classOfExpr } from '../3-infer/classes/classes.ts';
import type { ModuleTypes } from '../3-infer/infer.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import {
  bindingMeaningOf,
  componentOf,
  declOf,
  type Meaning,
  meaningOfBinding,
  memberMeanings,
  moduleMeaning,
  moduleMember,
  parameterMeaning,
  targetMeaning,
  valueCalled,
} from './meanings.ts';
import { classesOfSuper, elementClasses, memberOf } from './members.ts';
import { shownType, typesAt, type View } from './view.ts';

export interface Site {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** True where the name is declared or bound. */
  readonly binds: boolean;
  /** The expression whose type hover tells, when the site is one. */
  readonly expr?: ast.Expression | undefined;
  /** Several for a member of a union; none when nothing is known. */
  readonly meanings: () => readonly Meaning[];
}

/** The site at an offset, with the path that leads to its node. */
export function siteAt(view: View, path: readonly ast.Node[], offset: number): Site | undefined {
  const element = path.find((node) => node.kind !== 'PlacedBlock');
  let found: Site | undefined;
  for (const node of [...path].reverse()) {
    if (found !== undefined && !assigning.has(node.kind)) break;
    const site = sitesOf(view, node, element).find(({ start, end }) => start <= offset && offset <= end && start < end);
    if (found !== undefined && site?.binds === true && site.start === found.start) return site;
    found ??= site;
  }
  return found;
}

/** Kinds of statements that give names values, and of what names may stand in there. */
const assigning: ReadonlySet<string> = new Set<ast.Node['kind']>([
  'AssignStatement',
  'AugAssign',
  'CompClause',
  'ForIn',
  'ListExpr',
  'Starred',
  'TupleExpr',
  'WithStatement',
]);

interface Asking {
  readonly view: View;
  readonly element: ast.Node | undefined;
  readonly types: ModuleTypes;
}

/** Names that are parts of this very node. */
export function sitesOf(view: View, node: ast.Node, element: ast.Node | undefined): readonly Site[] {
  let types: ModuleTypes | undefined;
  const ask: Asking = {
    view,
    element,
    get types() {
      return (types ??= typesAt(view, element));
    },
  };
  const found: Site[] = [];
  const add = (
    span: ast.Span & { readonly text?: string },
    name: string,
    binds: boolean,
    meanings: Site['meanings'],
    expr?: ast.Expression,
  ) => {
    if (name !== '') found.push({ start: wordStart(view, span, name), end: span.end, name, binds, expr, meanings });
  };
  const bound = (name: ast.Name | undefined) => {
    if (name !== undefined) add(name, name.text, true, () => bindingMeaningOf(ask.view, name));
  };
  const targets = (target: ast.Expression) => {
    for (const name of namesOfTarget(target)) add(name, name.name, true, () => bindingMeaningOf(ask.view, name), name);
  };
  const fields = (list: readonly { readonly name: ast.Name }[], classes: () => readonly ClassInfo[]) => {
    for (const { name } of list) add(name, name.text, false, () => memberMeanings(classes(), name.text));
  };
  const annotation = (type: ast.Expression | undefined) => {
    if (type !== undefined) textNames(view, type, (span, name) => add(span, name, false, () => lookUp(ask, name)));
  };
  switch (node.kind) {
    case 'NameRef':
      add(node, node.name, false, () => bindingMeaningOf(ask.view, node), node);
      break;
    case 'SpecialRef':
      add(node, node.word, false, () => specialMeaning(ask, node), node);
      break;
    case 'Attribute':
      add(node.name, node.name.text, false, () => attributeMeanings(ask, node), node);
      break;
    case 'FunctionDecl':
      methodOrName(ask, node, add);
      joinedParams(ask, node, node.signature, add);
      annotation(node.signature.result);
      break;
    case 'Ability':
      if (node.name !== undefined) methodOrName(ask, node, add);
      break;
    case 'Archetype':
      if (node.name !== undefined) bound(node.name);
      memberSites(ask, node, node.members ?? [], add);
      break;
    case 'EnumDecl':
      bound(node.name);
      memberSites(ask, node, node.body, add);
      for (const member of node.members ?? [])
        add(member.name, member.name.text, true, () => memberMeanings([classOf(ask, node)], member.name.text));
      break;
    case 'TypeAlias':
    case 'TypeParam':
      bound(node.name);
      break;
    case 'GlobItem':
      bound(node.name);
      node.chained.forEach(bound);
      annotation(node.type);
      break;
    case 'HasItem':
      // A cell of state in a function; fields of classes are sites of their class.
      if (view.names.binding(node.name).sort === 'local')
        add(node.name, node.name.text, true, () =>
          bindingMeaningOf(ask.view, node.name).filter(({ of }) => of === 'local'),
        );
      annotation(node.type);
      break;
    case 'Param':
      // Where an `impl` has the body, one of the two lists of parameters binds nothing.
      if (node.name !== undefined && view.names.binding(node.name).sort !== 'unresolved') bound(node.name);
      annotation(node.type);
      break;
    case 'AssignStatement':
      node.targets.forEach(targets);
      annotation(node.type);
      break;
    case 'AugAssign':
    case 'ForIn':
    case 'CompClause':
      targets(node.target);
      break;
    case 'WithStatement':
      for (const { target } of node.items) if (target !== undefined) targets(target);
      break;
    case 'Walrus':
    case 'ExceptClause':
    case 'AsPattern':
    case 'CapturePattern':
    case 'StarPattern':
      bound(node.name);
      break;
    case 'MappingPattern':
      bound(node.rest);
      break;
    case 'ScopeStatement':
      node.names.forEach(bound);
      break;
    case 'ClassPattern':
      fields(node.named, () => classNamed(ask, node.type));
      break;
    case 'Call':
      for (const { name } of node.args)
        if (name !== undefined) add(name, name.text, false, () => argumentMeanings(ask, node, name.text));
      break;
    case 'Connect':
      fields(node.fields, () => (node.edge === undefined ? [] : classNamed(ask, node.edge)));
      break;
    case 'AssignTrailer':
      fields(node.fields, () => elementClasses(ask.types.of(node.object)));
      break;
    case 'Filter':
      fields(fieldNames(node.filter.conditions), () =>
        filterClasses(ask, node.filter, () => elementClasses(ask.types.of(node.object))),
      );
      break;
    case 'EdgeRef':
      for (const hop of node.hops) hopSites(ask, hop, fields, hop === node.hops.at(-1) ? node : undefined);
      break;
    case 'Disconnect':
      fields(fieldNames(node.op.conditions), () => (node.op.type === undefined ? [] : classNamed(ask, node.op.type)));
      break;
    case 'ImportFrom':
      for (const item of node.items) importSites(ask, node, item, add);
      break;
    case 'ImportModuleItem':
      bound(node.alias);
      break;
    case 'Include':
      bound(node.alias);
      break;
    case 'ModulePath':
      pathSites(ask, node, add);
      break;
    case 'ImplDecl':
      dottedSites(ask, node.target, add);
      joinedParams(ask, ask.view.names.declOf(node), node.signature, add);
      if (ask.view.names.declOf(node)?.kind === 'Archetype') {
        const decl = ask.view.names.declOf(node) as ast.Archetype;
        memberSites(ask, decl, node.body.members ?? [], add);
      } else if (ask.view.names.declOf(node)?.kind === 'EnumDecl') {
        const decl = ask.view.names.declOf(node) as ast.EnumDecl;
        for (const member of node.body.enumMembers ?? [])
          add(member.name, member.name.text, true, () => memberMeanings([classOf(ask, decl)], member.name.text));
      }
      break;
    case 'SemDecl':
      dottedSites(ask, node.target, add);
      break;
    case 'Markup':
      markupSites(ask, node, add);
      break;
    default:
  }
  return found;
}

type Add = (span: ast.Span, name: string, binds: boolean, meanings: Site['meanings'], expr?: ast.Expression) => void;

/** A name that is escaped has a sign before it that is no part of it. */
function wordStart({ source }: View, span: ast.Span, name: string): number {
  return span.end - span.start > name.length && source.text.charAt(span.start) === '`'
    ? span.end - name.length
    : span.start;
}

function lookUp(ask: Asking, name: string): readonly Meaning[] {
  return meaningOfBinding(ask.view, ask.view.names.lookup(name, ask.view.names.module));
}

function specialMeaning(ask: Asking, node: ast.SpecialRef): readonly Meaning[] {
  const param = ask.view.names.special(node);
  return param === undefined
    ? [{ of: 'special', word: node.word }]
    : [{ of: 'local', binding: param, module: ask.view.module.id }];
}

function attributeMeanings(ask: Asking, { object, name }: ast.Attribute): readonly Meaning[] {
  const behind = classesOfSuper(ask.view, ask.types, object)?.find((cls) => memberOf(cls, name.text) !== undefined);
  if (behind !== undefined) return memberMeanings([behind], name.text);
  const type = shownType(ask.types.of(object));
  const found = membersMeant(ask, type, name.text);
  if (found.length > 0) return found;
  // A module that a name stands for.
  if (object.kind === 'NameRef') {
    const [target] = bindingMeaningOf(ask.view, object);
    if (target?.of === 'project-module') return moduleMember(ask.view, target.id, name.text);
    if (target?.of === 'standard' && target.member === undefined)
      return [{ of: 'standard', module: target.module, member: name.text }];
    if (target?.of === 'js')
      return [
        { of: 'js', specifier: target.specifier, member: target.member === undefined ? name.text : target.member },
      ];
  }
  return isUnknown(type) ? [{ of: 'guess', name: name.text }] : [];
}

function isUnknown(type: Type): boolean {
  if (type.t === 'union') return type.of.some(isUnknown);
  return type.t === 'any' || ((type.t === 'instance' || type.t === 'class') && type.cls.open);
}

function membersMeant(ask: Asking, type: Type, name: string): readonly Meaning[] {
  switch (type.t) {
    case 'instance':
    case 'class':
      return memberMeanings([type.cls], name);
    case 'union':
      return type.of.flatMap((one) => membersMeant(ask, shownType(one), name));
    case 'module':
      return type.std
        ? [{ of: 'standard', module: type.module, member: name }]
        : moduleMember(ask.view, type.module, name);
    case 'str':
    case 'list':
    case 'dict':
    case 'set':
    case 'tuple':
    case 'bytes':
    case 'int':
    case 'float': {
      const { methods } = ask.types.program.builtins;
      return methods[type.t].has(name) ? [{ of: 'method', receiver: type.t, name }] : [];
    }
    default:
      return [];
  }
}

function classOf({ types }: Asking, decl: ast.Archetype | ast.EnumDecl): ClassInfo {
  return types.classOf(decl);
}

function classNamed({ types, view }: Asking, type: ast.Expression): readonly ClassInfo[] {
  const { program } = types;
  const named = type.kind === 'Call' ? type.callee : type;
  const state = program.modules.get(view.module.id);
  const cls = state === undefined ? undefined : classOfExpr(program, state, named);
  return cls === undefined ? [] : [cls];
}

function filterClasses(
  ask: Asking,
  filter: ast.FilterSpec,
  otherwise: () => readonly ClassInfo[],
): readonly ClassInfo[] {
  return filter.type === undefined || filter.type.kind === 'Missing' ? otherwise() : classNamed(ask, filter.type);
}

function fieldNames(conditions: readonly ast.FilterCondition[]) {
  return conditions.map(({ field }) => ({ name: field }));
}

function hopSites(
  ask: Asking,
  { op, filter }: ast.Hop,
  fields: (list: readonly { readonly name: ast.Name }[], classes: () => readonly ClassInfo[]) => void,
  whole: ast.EdgeRef | undefined,
): void {
  fields(fieldNames(op.conditions), () => (op.type === undefined ? [] : classNamed(ask, op.type)));
  if (filter === undefined) return;
  fields(fieldNames(filter.conditions), () =>
    filterClasses(ask, filter, () => (whole === undefined ? [] : elementClasses(ask.types.of(whole)))),
  );
}

function argumentMeanings(ask: Asking, call: ast.Call, name: string): readonly Meaning[] {
  const plan = ask.types.callPlan(call);
  const fn = plan.how === 'direct' ? plan.fn : plan.how === 'construct' ? plan.init : undefined;
  if (fn !== undefined) return parameterMeaning(ask.view, fn.module, fn.decl, name);
  if (plan.how === 'construct') return memberMeanings([plan.cls], name);
  const type = shownType(ask.types.of(call.callee));
  if (type.t === 'class') return memberMeanings([type.cls], name);
  const parts = type.t === 'union' ? type.of.map(shownType) : [type];
  const params = parts.flatMap((part) =>
    part.t === 'function' || part.t === 'method' ? parameterMeaning(ask.view, part.fn.module, part.fn.decl, name) : [],
  );
  if (params.length > 0) return params;
  if (call.callee.kind === 'Attribute') {
    const members = attributeMeanings(ask, call.callee);
    const isGuess = members.some(({ of }) => of === 'guess');
    if (isGuess) return [{ of: 'guess', name, callee: call.callee.name.text }];
    return members.flatMap((member) => calledParameter(ask, member, name));
  }
  const isValue = type.t === 'any' && type.claim === undefined;
  const value: readonly Meaning[] = isValue ? [{ of: 'guess', name, callee: valueCalled }] : [];
  if (call.callee.kind !== 'NameRef') return value;
  const named = classNamed(ask, call.callee);
  const classes = named.length > 0 ? named : localClass(ask, call.callee);
  const init = classes[0]?.methods.get('init');
  if (init !== undefined) return parameterMeaning(ask.view, init.module, init.decl, name);
  const isVariable = ask.view.names.binding(call.callee).sort !== 'builtin' && classes.length === 0;
  return isVariable ? value : memberMeanings(classes, name);
}

/** A parameter of the method that a member is. */
function calledParameter(ask: Asking, meaning: Meaning, name: string): readonly Meaning[] {
  return meaning.of === 'member'
    ? parameterMeaning(ask.view, meaning.member.owner.module, meaning.member.node, name)
    : [];
}

/** The class that a block declares under a name. */
function localClass(ask: Asking, callee: ast.NameRef): readonly ClassInfo[] {
  const [meaning] = bindingMeaningOf(ask.view, callee);
  const decl = meaning === undefined ? undefined : declOf(meaning);
  return decl?.kind === 'Archetype' ? [classOf(ask, decl)] : [];
}

function methodOrName(ask: Asking, node: ast.FunctionDecl | ast.Ability, add: Add): void {
  const { name } = node;
  if (name === undefined) return;
  // Members are sites of their class.
  if (node.kind === 'FunctionDecl' && ask.view.names.binding(name).sort !== 'unresolved')
    add(name, name.text, true, () => bindingMeaningOf(ask.view, name));
}

function memberSites(ask: Asking, decl: ast.Archetype | ast.EnumDecl, members: readonly ast.Node[], add: Add): void {
  const declare = (name: ast.Name | undefined) => {
    if (name !== undefined) add(name, name.text, true, () => memberMeanings([classOf(ask, decl)], name.text));
  };
  for (const member of members) {
    if (member.kind === 'HasDecl') for (const item of member.items) declare(item.name);
    else if (member.kind === 'FunctionDecl' || member.kind === 'Ability') declare(member.name);
    else if (member.kind === 'Archetype' || member.kind === 'EnumDecl') declare(member.name);
  }
}

function importSites(ask: Asking, node: ast.ImportFrom, item: ast.ImportItem, add: Add): void {
  const { name, alias } = item;
  if (name !== undefined) {
    const target = ask.view.names.importPlan(node).targets[node.items.indexOf(item)];
    const meaning = () => {
      if (alias === undefined) return bindingMeaningOf(ask.view, name);
      return target === undefined ? [] : targetMeaning(ask.view, target, { sort: 'module' } as ModuleBinding);
    };
    add(name, name.text, alias === undefined, meaning);
  }
  if (alias !== undefined) add(alias, alias.text, true, () => bindingMeaningOf(ask.view, alias));
}

function pathSites({ view }: Asking, path: ast.ModulePath, add: Add): void {
  const target = view.module.imports.get(path);
  const meaning = moduleMeaning(target);
  const span = path.quoted ?? path;
  if (path.segments.length === 0 && path.quoted === undefined) return;
  const start = path.quoted?.start ?? path.segments[0]!.start;
  add({ start, end: span.end }, view.source.text.slice(start, span.end), false, () =>
    meaning === undefined ? [] : [meaning],
  );
}

/** Parameters of a function whose body is elsewhere, or of the `impl` with the body: those that do not bind the name mean what the others do. */
function joinedParams(
  { view }: Asking,
  decl: ast.Node | undefined,
  signature: ast.Signature | undefined,
  add: Add,
): void {
  for (const { name } of signature?.params ?? [])
    if (name !== undefined && view.names.binding(name).sort === 'unresolved')
      add(name, name.text, true, () => parameterMeaning(view, view.module.id, decl, name.text));
}

/** `A.m` of `impl` and `sem`. */
function dottedSites(ask: Asking, target: readonly ast.Name[], add: Add): void {
  let classes: readonly ClassInfo[] = [];
  let fn: ast.FunctionDecl | undefined;
  for (const [i, name] of target.entries()) {
    const [around, outer] = [classes, fn];
    const meanings = (): readonly Meaning[] => {
      if (i === 0) return lookUp(ask, name.text);
      if (outer !== undefined) return parameterMeaning(ask.view, ask.view.module.id, outer, name.text);
      return memberMeanings(around, name.text);
    };
    add(name, name.text, false, meanings);
    const [meaning] = meanings();
    const decl = meaning === undefined ? undefined : declOf(meaning);
    classes = decl?.kind === 'Archetype' || decl?.kind === 'EnumDecl' ? [classOf(ask, decl)] : [];
    fn = decl?.kind === 'FunctionDecl' ? decl : undefined;
  }
}

/** `</Card>` and `</kit.Card>` have no nodes of their own; attributes of a component are its parameters. */
function markupSites(ask: Asking, node: ast.Markup, add: Add): void {
  const { tag } = node;
  if (tag === undefined || typeof tag === 'string') return;
  closingSites(ask, node, tag, add);
  if (tag.kind !== 'NameRef') return;
  const component = componentOf(ask.view, tag);
  for (const { name, start } of node.attributes) {
    if (name === undefined) continue;
    const span = { start, end: start + name.length };
    add(span, name, false, () =>
      component === undefined ? [] : parameterMeaning(ask.view, component.module, component.decl, name),
    );
  }
}

/** Names of a closing tag mean what those of the opening one do. */
function closingSites(ask: Asking, node: ast.Markup, tag: ast.Expression, add: Add): void {
  const [{ text }, closing] = [ask.view.source, /<\/([^<>]*)>$/];
  const found = closing.exec(text.slice(node.start, node.end));
  if (found === null) return;
  if (tag.kind !== 'NameRef' && tag.kind !== 'Attribute') {
    // `</@{ui["Plain"]}>` repeats the expression of the opening tag.
    const repeated = found[1]!.indexOf(text.slice(tag.start, tag.end));
    if (repeated >= 0) repeatedSites(ask, tag, node.start + found.index + 2 + repeated - tag.start, add);
    return;
  }
  let end = node.start + found.index + 2 + found[1]!.trimEnd().length;
  for (let at: ast.Expression = tag; ; at = at.object) {
    if (at.kind !== 'NameRef' && at.kind !== 'Attribute') return;
    const [one, name] = [at, at.kind === 'NameRef' ? at.name : at.name.text];
    const span = { start: end - name.length, end };
    if (text.slice(span.start, end) !== name) return;
    const meanings = () => (one.kind === 'NameRef' ? bindingMeaningOf(ask.view, one) : attributeMeanings(ask, one));
    add(span, name, false, meanings, one);
    if (at.kind === 'NameRef') return;
    end = text.lastIndexOf('.', span.start);
    while (/\s/.test(text.charAt(end - 1))) end--;
  }
}

/** The sites of an expression that stands a second time in the text, without nodes, a distance further on. */
function repeatedSites(ask: Asking, tag: ast.Expression, distance: number, add: Add): void {
  const waiting: ast.Node[] = [tag];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const { start, end, name, expr, meanings } of sitesOf(ask.view, at, ask.element))
      add({ start: start + distance, end: end + distance }, name, false, meanings, expr);
    forEachChild(at, (child) => waiting.push(child));
  }
}

/** Names in texts that stand for types: `next: "Task | None"`. */
function textNames({ source }: View, type: ast.Expression, tell: (span: ast.Span, name: string) => void): void {
  const waiting: ast.Expression[] = [type];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === 'Index') waiting.push(at.object, at.index);
    else if (at.kind === 'Binary') waiting.push(at.left, at.right);
    else if (at.kind === 'TupleExpr') waiting.push(...at.items);
    if (at.kind !== 'StringLiteral') continue;
    for (const match of source.text.slice(at.start, at.end).matchAll(/[A-Za-z_]\w*/g)) {
      const start = at.start + match.index;
      tell({ start, end: start + match[0].length }, match[0]);
    }
  }
}

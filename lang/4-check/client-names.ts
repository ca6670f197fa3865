import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../1-parse/ast.ts';
import { browserGlobals, reactTypes, testingNames } from '../2-resolve/browser-globals.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { clientModules, erasedModules } from '../2-resolve/client-modules.ts';
import { serverBuiltins } from '../2-resolve/client-plan.ts';
import { isComponent, setterOf } from '../2-resolve/components.ts';
import type { ImportTarget, ModuleBinding } from '../2-resolve/names.ts';
import { hookFor, runtimeNames } from '../2-resolve/runtime-names.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * Names in code of the browser (docs/language/placement.md): E0601 for what only the server has, W0601 for imports that bring
 * no value, W0641 for names that nobody knows.
 */
export const clientNameRule: Rule = {
  name: 'client-names',
  half: 'client',
  visit: {
    Param: ({ type }, c) => skipType(type, c),
    HasItem: visitCell,
    GlobItem: ({ type }, c) => skipType(type, c),
    AssignStatement: ({ type }, c) => skipType(type, c),
    Signature: ({ result }, c) => skipType(result, c),
    Cast: ({ type }, c) => skipType(type, c),
    Call: visitCall,
    DictExpr: visitDict,
    Spawn: visitSpawn,
    Attribute: visitAttribute,
    NameRef: visitName,
    SpecialRef: visitSpecial,
    EdgeRef: (node, c) => tellGraph(node, 'an edge reference', c),
    Connect: (node, c) => tellGraph(node, 'a connection', c),
    Disconnect: (node, c) => tellGraph(node, 'a connection', c),
    VisitStatement: (node, c) => tellGraph(node, 'visit', c),
    ReportStatement: (node, c) => tellGraph(node, 'report', c),
  },
  module: tellUnknown,
};

interface Told {
  /** Names in annotations, which the browser does not see. */
  readonly types: Set<ast.Node>;
  /** Starts of names that are no variables: keys of dicts, walkers that only the server knows. */
  readonly known: Set<number>;
  readonly setters: Set<string>;
  readonly symbols: Set<string>;
}

const told = new WeakMap<RuleContext, Told>();

function toldIn(c: RuleContext): Told {
  let found = told.get(c);
  if (found === undefined)
    told.set(c, (found = { types: new Set(), known: new Set(), setters: new Set(), symbols: new Set() }));
  return found;
}

function skipType(type: ast.Expression | undefined, c: RuleContext): void {
  const { types } = toldIn(c);
  // A union of many is as deep as it is long.
  const waiting = type === undefined ? [] : [type];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    types.add(one);
    forEachChild(one, (child) => waiting.push(child as ast.Expression));
  }
}

/** Types that stand among values: `cast(Shape, x)`, `TypeVar("T", bound=Shape)`, `Ref[Shape](x)`. */
function visitCall({ callee, args }: ast.Call, c: RuleContext): void {
  if (callee.kind === 'Attribute') checkMethod(callee, c);
  if (callee.kind === 'Index') skipType(callee.index, c);
  if (callee.kind !== 'NameRef') return;
  const binding = c.names.binding(callee);
  const target = binding.sort === 'module' && binding.import ? c.projectNames.origin(binding.import) : undefined;
  if (target?.of !== 'builtin' || !erasedModules.has(target.module)) return;
  for (const { value } of target.member === 'cast' ? args.slice(0, 1) : args) skipType(value, c);
}

/** `book.length()`: of a node, and of an object that the server keeps to itself, browsers have the fields. */
function checkMethod({ object, name }: ast.Attribute, c: RuleContext): void {
  const type = c.types.of(object);
  if (type.t !== 'instance' || type.cls.decl?.kind !== 'Archetype' || isInWalk(c)) return;
  const { cls } = type;
  const decl = cls.methods.get(name.text)?.decl;
  if (decl === undefined || c.client?.plan.isHere(type.cls.decl) !== false) return;
  const help = `browsers have the fields of \`${cls.name}\` alone; let a walker report it, or write a function that takes the object`;
  tellOnce(`${cls.name}.${name.text}`, name, help, c);
}

/** `post.created.year`: dates of what a server sends are texts. */
function checkDate(field: ast.Attribute, member: ast.Name, c: RuleContext): void {
  const type = c.typeOf(field.object);
  const held = type.t === 'any' && type.claim !== undefined ? type.claim : type;
  if (held.t !== 'instance' || held.cls.decl?.kind !== 'Archetype' || isInWalk(c)) return;
  const { declared } = held.cls.fields.get(field.name.text) ?? {};
  if (declared === undefined || !isDate(declared) || !dateMembers.has(member.text)) return;
  if (c.client?.plan.isHere(held.cls.decl) !== false) return;
  const path = `${held.cls.name}.${field.name.text}.${member.text}`;
  tellOnce(path, member, 'dates come as ISO texts: `datetime.fromisoformat(…)` makes a date of one', c);
}

function isDate(type: ast.Expression): boolean {
  if (type.kind === 'Binary' && type.op === '|') return isDate(type.left) || isDate(type.right);
  return (type.kind === 'Attribute' ? type.name.text : type.kind === 'NameRef' ? type.name : '') === 'datetime';
}

/** Members of dates that no text has. */
const dateMembers: ReadonlySet<string> = new Set(
  'year month day hour minute second microsecond tzinfo isoformat strftime timestamp date time weekday isoweekday astimezone utcoffset'.split(
    ' ',
  ),
);

/** `setCount` of the cell `count`. */
function visitCell({ name, type }: ast.HasItem, c: RuleContext): void {
  skipType(type, c);
  toldIn(c).setters.add(setterOf(name.text));
}

/** A bare key that nothing is called is text (client rules). */
function visitDict(node: ast.DictExpr, c: RuleContext): void {
  for (const { key } of node.entries) if (key?.kind === 'NameRef') toldIn(c).known.add(key.start);
}

/** A walker of a spawn need not be imported. */
function visitSpawn({ left, right }: ast.Spawn, c: RuleContext): void {
  for (const side of [left, right]) {
    const name = side?.kind === 'Call' ? side.callee : side;
    if (name?.kind === 'NameRef') toldIn(c).known.add(name.start);
  }
}

function tellOnce(s: string, node: ast.Span, help: string, c: RuleContext): void {
  const { symbols } = toldIn(c);
  if (symbols.has(s)) return;
  symbols.add(s);
  c.report('E0601', node, { s }, { help });
}

const inWalker = 'do it in a walker, and spawn that: `root spawn W()`';
const inFunction = 'let a function marked `:pub` or `:protect` do it, and await that';

/** A walker that is declared in the browser has a graph of its own. */
function isInWalk({ owner }: RuleContext): boolean {
  return owner?.kind === 'walker' || owner?.kind === 'node' || owner?.kind === 'edge';
}

function tellGraph(node: ast.Node, what: string, c: RuleContext): void {
  if (!isInWalk(c)) tellOnce(what, node, inWalker, c);
}

function visitSpecial(node: ast.SpecialRef, c: RuleContext): void {
  if (isInWalk(c) || c.names.special(node) !== undefined) return;
  if (node.word === 'here' || node.word === 'visitor') tellOnce(node.word, node, inWalker, c);
  const { parent } = c;
  const isPartAsked = (parent.kind === 'Attribute' || parent.kind === 'Index') && parent.object === node;
  if (node.word === 'root' && isPartAsked) tellOnce('root', node, inWalker, c);
}

function visitName(node: ast.NameRef, c: RuleContext): void {
  if (toldIn(c).types.has(node)) return;
  const binding = c.names.binding(node);
  if (binding.sort === 'builtin') {
    // `window.open`
    if (serverBuiltins.has(binding.name) && binding.name !== 'open') tellOnce(node.name, node, inFunction, c);
    return;
  }
  if (binding.sort === 'local') checkTarget(node, binding.import, c);
  if (binding.sort !== 'module') return;
  const declared = binding.role === 'import' ? c.projectNames.follow(binding) : binding;
  if (declared === undefined) checkImport(node, binding, c);
  else checkDeclared(node, declared, c);
}

function checkImport(node: ast.NameRef, binding: ModuleBinding, c: RuleContext): void {
  const target = binding.import && c.projectNames.origin(binding.import);
  if (target?.of === 'erased') tellDropped(node, c);
  else checkTarget(node, target, c);
}

/** A standard module that browsers do not have, or a member that theirs lacks. */
function checkTarget(node: ast.NameRef, target: ImportTarget | undefined, c: RuleContext): void {
  if (target?.of !== 'builtin' || erasedModules.has(target.module)) return;
  const { module, member } = target;
  const known = clientModules.get(module);
  if (known === undefined) tellOnce(node.name, node, `browsers have no \`${module}\`; ${inFunction}`, c);
  else if (member !== undefined && !known.has(member)) tellMember(module, member, node, c);
}

/** `math.erf` */
function visitAttribute({ object, name }: ast.Attribute, c: RuleContext): void {
  if (object.kind === 'Attribute') checkDate(object, name, c);
  if (object.kind !== 'NameRef' || toldIn(c).types.has(object)) return;
  const binding = c.names.binding(object);
  const target = binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
  if (target?.of !== 'builtin' || target.member !== undefined) return;
  if (clientModules.get(target.module)?.has(name.text) === false) tellMember(target.module, name.text, name, c);
}

function tellMember(module: string, member: string, node: ast.Span, c: RuleContext): void {
  tellOnce(`${module}.${member}`, node, `the \`${module}\` of browsers has no \`${member}\`; ${inFunction}`, c);
}

function tellDropped(node: ast.NameRef, c: RuleContext): void {
  const { symbols } = toldIn(c);
  if (!symbols.has(node.name)) c.report('W0601', node, { name: node.name });
  symbols.add(node.name);
}

function checkDeclared(node: ast.NameRef, { decl, name, role, module }: ModuleBinding, c: RuleContext): void {
  if (decl === undefined || c.client?.plan.isHere(decl) === true || !c.projectNames.of(module).isServer(decl)) {
    if (role !== 'glob' || decl === undefined || c.client?.plan.isHere(decl) === true) return;
  }
  if (role === 'glob') tellOnce(name, node, 'a function marked `:pub` or `:protect` can give its value', c);
  else if (decl!.kind === 'FunctionDecl' && name.startsWith('_'))
    tellOnce(name, node, 'a name that begins with `_` is never served', c);
  else if (decl!.kind === 'Archetype' && decl!.archetype !== 'walker' && isCalled(node, c))
    tellOnce(name, node, inWalker, c);
}

function isCalled(node: ast.NameRef, { parent }: RuleContext): boolean {
  return parent.kind === 'Call' && parent.callee === node;
}

/** Words of JavaScript, which have a warning of their own, and names that the runtime gives without an import. */
const understood =
  /^(true|false|null|this|arguments|import|super|__svc\w*|svc[A-Z]\w*|__(get|set|remove)(LocalStorage|ApiBaseUrl)|Ref|React)$/;

function tellUnknown(c: RuleContext): void {
  const { known, setters } = toldIn(c);
  for (const { name, span, source, help } of c.names.unknownNames) {
    if (
      browserGlobals.has(name) ||
      testingNames.has(name) ||
      reactTypes.has(name) ||
      understood.test(name) ||
      known.has(span.start) ||
      isComponentInCapitals(name, c) ||
      setters.has(name) ||
      // A word that was told to be wrong as syntax, as `const` before a name.
      c.module.reporterOf(source).isBroken(span) ||
      c.project.defined.has(name)
    )
      continue;
    c.source = source;
    c.report('W0641', span, { name }, { help: importOf(name, c) ?? help ?? helpFor(name) });
  }
}

/** The import that brings what another module of the program calls so. */
function importOf(name: string, { project, projectNames, module }: RuleContext): string | undefined {
  for (const { id } of project.modules.values()) {
    const found = id === module.id || !/^[\w.]+$/.test(id) ? undefined : projectNames.of(id).bindings.get(name);
    if (found?.decl !== undefined && found.role !== 'import')
      return `\`${id}\` has it: \`import from ${id} { ${name} }\``;
  }
  return undefined;
}

/** `App`, under which a component `app` goes too. */
function isComponentInCapitals(name: string, c: RuleContext): boolean {
  const decl = c.names.bindings.get(name.charAt(0).toLowerCase() + name.slice(1))?.decl;
  return decl?.kind === 'FunctionDecl' && isComponent(decl);
}

/** Names of the runtime come before those of browsers: `navigate` is not `navigator`. */
function helpFor(name: string): string | undefined {
  if (runtimeNames.has(name) && name !== 'navigate')
    return `it is in the runtime: \`import from "@svc/runtime" { ${name} }\``;
  const hook = hookFor(name);
  if (hook !== undefined) return `\`${hook}\` of @svc/runtime gives it: \`${name} = ${hook}();\` in the component`;
  const ofRuntime = didYouMean(name, runtimeNames);
  if (ofRuntime !== undefined) return `did you mean \`${ofRuntime}\` of @svc/runtime?`;
  const near = didYouMean(name, browserGlobals);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return constant.test(name) ? 'what `vite.config` defines stands in `[plugins.client.vite.define]` too' : undefined;
}

/** Names as those that bundlers put values for have them. */
const constant = /^(__\w+__|[A-Z][A-Z\d]*_[A-Z\d_]+)$/;

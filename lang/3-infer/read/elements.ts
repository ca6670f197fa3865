/** Reads the elements at module level and in class bodies. */
import type * as ast from '../../1-parse/ast.ts';
import { annotationType } from '../classes/annotations.ts';
import { classOfDecl } from '../classes/classes.ts';
import { any, none } from '../classes/type-values.ts';
import { functionRecord, isNeutralDecorator } from '../functions/functions.ts';
import type { ClassRecord, FunctionRecord, Reader } from '../program.ts';
import { dependOn, makePoint, pointOf } from '../suspension/suspension.ts';
import { assign, declareLocal } from './assign.ts';
import { typeOf, waitAt } from './expressions.ts';
import { knownType } from './plain-type.ts';
import { callPoint, constructionPoint, noteDecorated } from './points.ts';
import { assignOuter, readBlock, readStatement } from './statements.ts';

export function readElements(f: Reader, elements: readonly ast.Element[]): void {
  for (const element of elements) readElement(f, element);
}

function readElement(f: Reader, element: ast.Element): void {
  if (element.kind !== 'PlacedBlock' && !isRead(f, element)) return;
  switch (element.kind) {
    case 'PlacedBlock':
      readElements(f, element.body);
      return;
    case 'EntryBlock': {
      readBlock(f, element.body);
      f.dead = false;
      f.program.points.nodes.set(element, f.point);
      return;
    }
    case 'GlobDecl':
      for (const item of element.items) readGlobItem(f, item);
      return;
    case 'FunctionDecl':
      readDecorators(f, element);
      readSignature(f, element);
      readTopFunction(f, functionRecord(f.program, f.state, element, undefined));
      return;
    case 'TestBlock':
      for (const decorator of element.decorators) typeOf(f, decorator);
      readTopFunction(f, functionRecord(f.program, f.state, element, undefined));
      return;
    case 'Archetype':
    case 'EnumDecl':
      readClass(f, element);
      return;
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      readImport(f, element);
      return;
    default:
  }
}

function isRead({ program, state }: Reader, element: ast.Node): boolean {
  return program.browser === undefined ? state.names.isServer(element) : program.browser.reads(element);
}

/** Functions are read after the module's own code, so that they know its variables. */
function readTopFunction(f: Reader, record: FunctionRecord): void {
  f.pending.push(record);
}

export function readGlobItem(f: Reader, item: ast.GlobItem): void {
  const value = item.value === undefined ? none : typeOf(f, item.value);
  const declared = item.type === undefined ? undefined : annotationType(f.program, f.state, item.type);
  for (const name of [item.name, ...item.chained]) {
    const binding = f.state.names.binding(name);
    if (declared !== undefined) declareLocal(f, binding, declared);
    assign(f, binding, value, item.value);
  }
}

/** Does a decorator of the program put something else in the place of the function? */
export function readDecorators(f: Reader, node: ast.FunctionDecl | ast.Ability): boolean {
  const joined = f.state.names.implOf(node)?.impl;
  let wraps = false;
  for (const decorator of [...node.decorators, ...(joined?.decorators ?? [])])
    wraps = readDecorator(f, node, decorator) || wraps;
  return wraps;
}

/**
 * Notes that a decorator of a function or class may have to be waited for; those of the language and of its modules do
 * not wait.
 */
function readDecorator(f: Reader, decl: ast.Node, decorator: ast.Expression): boolean {
  const type = typeOf(f, decorator);
  const { t } = knownType(f, decorator.kind === 'Call' ? decorator.callee : decorator);
  if (t === 'builtin' || t === 'std' || isNeutralDecorator(decorator) || isAccessor(decorator)) return false;
  if (type.t === 'function' || type.t === 'method') {
    const point = callPoint(f, type.fn);
    if (point !== undefined) waitAt(f, decl, point);
  } else if (type.t === 'class') waitAt(f, decl, constructionPoint(f, type.cls));
  else waitAt(f, decl, f.program.points.functionValue);
  noteDecorated(f, type);
  return true;
}

function isAccessor(decorator: ast.Expression): boolean {
  return decorator.kind === 'Attribute' && ['getter', 'setter', 'deleter'].includes(decorator.name.text);
}

/** Defaults are evaluated where the function is defined. */
export function readSignature(f: Reader, node: ast.FunctionDecl | ast.Lambda): void {
  for (const param of node.signature.params) if (param.value !== undefined) typeOf(f, param.value);
  const joined = node.kind === 'FunctionDecl' ? f.state.names.implOf(node)?.impl.signature : undefined;
  for (const param of joined?.params ?? []) if (param.value !== undefined) typeOf(f, param.value);
}

/** A class: its bodies' code here, its functions later. */
export function readClass(f: Reader, decl: ast.Archetype | ast.EnumDecl): void {
  const { program, state } = f;
  const cls = classOfDecl(program, state, decl);
  for (const decorator of decl.decorators) readDecorator(f, decl, decorator);
  for (const base of decl.bases) if (base.kind !== 'NameRef') typeOf(f, base);
  for (const keyword of decl.keywords) typeOf(f, keyword.value);
  if (decl.kind === 'EnumDecl') {
    const joined = state.names.implOf(decl)?.impl.body.enumMembers ?? [];
    for (const member of [...(decl.members ?? []), ...joined]) if (member.value !== undefined) typeOf(f, member.value);
  }
  for (const member of cls.memberNodes) readMember(f, cls, member);
}

function readMember(f: Reader, cls: ClassRecord, member: ast.Member): void {
  const { program, state } = f;
  switch (member.kind) {
    case 'HasDecl':
      for (const item of member.items) readField(f, cls, item);
      return;
    case 'FunctionDecl':
    case 'Ability': {
      if (readDecorators(f, member) && member.name !== undefined)
        dependOn(pointOf(program.points.methods, member.name.text), program.points.functionValue);
      if (member.kind === 'FunctionDecl') readSignature(f, member);
      const record = functionRecord(program, state, member, cls);
      record.outer = f;
      f.pending.push(record);
      return;
    }
    case 'Archetype':
    case 'EnumDecl':
      readClass(f, member);
      return;
    case 'EntryBlock':
      readBlock(f, member.body);
      f.dead = false;
      program.points.nodes.set(member, f.point);
      return;
    case 'AssignStatement':
      readStatement(f, member);
      return;
    default:
  }
}

/** A default is evaluated for every instance: whoever constructs one waits for it. */
function readField(f: Reader, cls: ClassRecord, item: ast.HasItem): void {
  const { program, state } = f;
  if (item.value !== undefined) {
    const before = f.point;
    f.point = pointOf(program.points.constructions, cls);
    program.points.nodes.set(item, f.point);
    typeOf(f, item.value);
    noteFactory(f, item.value);
    f.point = before;
  }
  for (const accessor of item.accessors ?? []) {
    const record = functionRecord(program, state, accessor, cls);
    record.outer = f;
    f.pending.push(record);
  }
}

// `has x: list = field(default_factory=make)`: the function is called for every instance.
function noteFactory(f: Reader, value: ast.Expression): void {
  if (value.kind !== 'Call') return;
  for (const arg of value.args) {
    if (arg.name?.text !== 'default_factory') continue;
    const type = knownType(f, arg.value);
    const point = type.t === 'function' || type.t === 'method' ? callPoint(f, type.fn) : undefined;
    if (point !== undefined) dependOn(f.point, point);
    else if (type.t === 'class') dependOn(f.point, constructionPoint(f, type.cls));
  }
}

export function readImport(f: Reader, node: ast.ImportModules | ast.ImportFrom | ast.Include): void {
  const plan = f.state.names.importPlan(node);
  for (const id of plan.loads) {
    if (id === f.state.module.id) continue;
    const point = pointOf(f.program.points.modules, id);
    dependOn(f.point, point);
    const known = f.state.waits.get(node);
    if (known === undefined) f.state.waits.set(node, point);
    else if (known !== point) f.state.waits.set(node, joinedPoint(f, [known, point]));
  }
  for (const name of boundNames(node)) assignOuter(f, name);
  for (const { name } of plan.stars.flat()) {
    const mine = f.state.names.bindings.get(name);
    if (mine?.role === 'entry') assign(f, mine, any, undefined);
  }
}

function boundNames(node: ast.ImportModules | ast.ImportFrom | ast.Include): readonly ast.Name[] {
  if (node.kind === 'Include') return [];
  return node.items.flatMap((item) => item.alias ?? ('name' in item ? item.name : item.path.segments[0]) ?? []);
}

function joinedPoint(f: Reader, points: readonly (typeof f.point)[]): typeof f.point {
  const joined = makePoint();
  for (const point of points) dependOn(joined, point);
  return joined;
}

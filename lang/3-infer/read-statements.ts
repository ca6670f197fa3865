/** Statements: types of variables from place to place, what a function gives, what waits. */
import type * as ast from '../1-parse/ast.ts';
import { annotationType } from './annotations.ts';
import { assign, assignElements, declareLocal } from './assign.ts';
import { classOfDecl } from './classes.ts';
import { copyEnv, joinEnvs } from './environments.ts';
import { functionRecord } from './functions.ts';
import { elementOf, iterationPoint } from './iteration.ts';
import { narrow, narrowTo } from './narrowing.ts';
import { binaryType, noteOperator } from './operators.ts';
import { knownType } from './plain-type.ts';
import type { ClassRecord, Env, FunctionRecord, Reader } from './program.ts';
import { readPattern } from './read-patterns.ts';
import { typeOf, waitAt } from './read-expressions.ts';
import { giveResult, nestedFunction, readFunction } from './read-function.ts';
import { dependOn, pointOf } from './suspension.ts';
import { classMethodPoint } from './points.ts';
import type { Type } from './types.ts';
import { any, join, none, sameType } from './type-values.ts';

// ---------------------------------------------------------------- module level

export function readElements(f: Reader, elements: readonly ast.Element[]): void {
  for (const element of elements) readElement(f, element);
}

function readElement(f: Reader, element: ast.Element): void {
  if (element.kind !== 'PlacedBlock' && !f.state.names.isServer(element)) return;
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

/** Functions are read after the module's own code, so that they know its variables. */
function readTopFunction(f: Reader, record: FunctionRecord): void {
  f.pending.push(record);
}

function readGlobItem(f: Reader, item: ast.GlobItem): void {
  const value = item.value === undefined ? none : typeOf(f, item.value);
  const declared = item.type === undefined ? undefined : annotationType(f.program, f.state, item.type);
  for (const name of [item.name, ...item.chained]) {
    const binding = f.state.names.binding(name);
    if (declared !== undefined) declareLocal(f, binding, declared);
    assign(f, binding, value, item.value);
  }
}

function readDecorators(f: Reader, node: ast.FunctionDecl | ast.Ability): void {
  const joined = f.state.names.implOf(node)?.impl;
  for (const decorator of node.decorators) typeOf(f, decorator);
  for (const decorator of joined?.decorators ?? []) typeOf(f, decorator);
}

/** Defaults are evaluated where the function is defined. */
function readSignature(f: Reader, node: ast.FunctionDecl | ast.Lambda): void {
  for (const param of node.signature.params) if (param.value !== undefined) typeOf(f, param.value);
  const joined = node.kind === 'FunctionDecl' ? f.state.names.implOf(node)?.impl.signature : undefined;
  for (const param of joined?.params ?? []) if (param.value !== undefined) typeOf(f, param.value);
}

export { readSignature };

/** A class: its bodies' code here, its functions later. */
export function readClass(f: Reader, decl: ast.Archetype | ast.EnumDecl): void {
  const { program, state } = f;
  const cls = classOfDecl(program, state, decl);
  for (const decorator of decl.decorators) typeOf(f, decorator);
  for (const base of decl.bases) if (base.kind !== 'NameRef') typeOf(f, base);
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
      readDecorators(f, member);
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
    f.point = before;
  }
  for (const accessor of item.accessors ?? []) {
    const record = functionRecord(program, state, accessor, cls);
    record.outer = f;
    f.pending.push(record);
  }
}

function readImport(f: Reader, node: ast.ImportModules | ast.ImportFrom | ast.Include): void {
  const plan = f.state.names.importPlan(node);
  for (const id of plan.loads) {
    if (id === f.state.module.id) continue;
    const point = pointOf(f.program.points.modules, id);
    dependOn(f.point, point);
    const known = f.state.waits.get(node);
    if (known === undefined) f.state.waits.set(node, point);
    else if (known !== point) f.state.waits.set(node, joinedPoint(f, [known, point]));
  }
}

function joinedPoint(f: Reader, points: readonly (typeof f.point)[]): typeof f.point {
  const joined = { suspends: false, dependents: [] };
  for (const point of points) dependOn(joined, point);
  return joined;
}

// ---------------------------------------------------------------- statements

export function readBlock(f: Reader, block: ast.Block): void {
  for (const statement of block.statements) readStatement(f, statement);
}

export function readStatement(f: Reader, s: ast.Statement): void {
  switch (s.kind) {
    case 'ExprStatement':
      f.last = typeOf(f, s.expr);
      noteTopSpawn(f, s.expr);
      return;
    case 'AssignStatement':
      readAssign(f, s);
      return;
    case 'AugAssign':
      readAugAssign(f, s);
      return;
    case 'IfStatement':
      readIf(f, s);
      return;
    case 'ReturnStatement': {
      const type = s.value === undefined ? none : typeOf(f, s.value);
      if (!f.dead) giveResult(f, type);
      f.dead = true;
      return;
    }
    case 'ForIn':
      readFor(f, s);
      return;
    case 'WhileStatement':
      readWhile(f, s);
      return;
    case 'ForCount':
      readStatement(f, s.init);
      readLoop(f, () => {
        typeOf(f, s.test);
        const exit = copyEnv(f);
        narrow(f, s.test, true);
        readBlock(f, s.body);
        joinContinues(f);
        readStatement(f, s.step);
        return exit;
      });
      readElse(f, s.orElse);
      return;
    case 'VisitStatement':
      if (s.index !== undefined) typeOf(f, s.index);
      typeOf(f, s.what);
      readElse(f, s.orElse);
      return;
    case 'ReportStatement':
      typeOf(f, s.value);
      return;
    case 'CtrlStatement':
      readCtrl(f, s);
      return;
    case 'RaiseStatement':
      if (s.value !== undefined) typeOf(f, s.value);
      if (s.from !== undefined) typeOf(f, s.from);
      f.dead = true;
      return;
    case 'TryStatement':
      readTry(f, s);
      return;
    case 'WithStatement':
      readWith(f, s);
      return;
    case 'MatchStatement':
      readMatch(f, s);
      return;
    case 'SwitchStatement':
      readSwitch(f, s);
      return;
    case 'AssertStatement':
      typeOf(f, s.test);
      if (s.message !== undefined) typeOf(f, s.message);
      narrow(f, s.test, true);
      return;
    case 'DeleteStatement':
      for (const target of s.targets) typeOf(f, target);
      if (f.program.graph === 'async') waitAt(f, s, f.program.points.always);
      return;
    case 'GlobDecl':
      for (const item of s.items) if (item.value !== undefined) readGlobItem(f, item);
      return;
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      readImport(f, s);
      return;
    case 'FunctionDecl':
      readDecorators(f, s);
      readSignature(f, s);
      nestedFunction(f, s);
      return;
    case 'Archetype':
    case 'EnumDecl':
      readClass(f, s);
      return;
    case 'HasDecl':
      for (const item of s.items) {
        const binding = f.state.names.binding(item.name);
        if (item.type !== undefined) declareLocal(f, binding, annotationType(f.program, f.state, item.type));
        assign(f, binding, item.value === undefined ? none : typeOf(f, item.value), item.value);
      }
      return;
    case 'Ability': {
      const record = functionRecord(f.program, f.state, s, undefined);
      record.outer = f;
      f.pending.push(record);
      return;
    }
    case 'TypedContext':
      readTypedContext(f, s);
      return;
    case 'Region':
      typeOf(f, s.region);
      readBlock(f, s.body);
      return;
    case 'Block':
      readBlock(f, s);
      return;
    default:
  }
}

/** In an entry block or test a spawn of an asynchronous walker as a statement is awaited (5.12). */
function noteTopSpawn(f: Reader, e: ast.Expression): void {
  if (!f.isTop || e.kind !== 'Spawn') return;
  const type = knownType(f, e);
  if (type?.t === 'awaitable') waitAt(f, e, f.program.points.always);
}

function readAssign(f: Reader, s: ast.AssignStatement): void {
  const { program, state } = f;
  const declared =
    s.type === undefined ? undefined : annotationType(program, state, s.type, f.record.owner);
  const value = s.value === undefined ? none : typeOf(f, s.value);
  for (const target of s.targets) {
    if (declared !== undefined && target.kind === 'NameRef') declareLocal(f, state.names.binding(target), declared);
    assignElements(f, target, value, s.value);
  }
}

function readAugAssign(f: Reader, s: ast.AugAssign): void {
  const target = typeOf(f, s.target);
  const value = typeOf(f, s.value);
  noteOperator(f, s, s.op, target, value, true);
  const result = binaryType(f, s.op as ast.Binary['op'], target, value, s.value);
  if (s.target.kind === 'NameRef') assign(f, f.state.names.binding(s.target), result, undefined);
  else assignElements(f, s.target, result, undefined);
}

function readIf(f: Reader, s: ast.IfStatement): void {
  typeOf(f, s.test);
  const before = copyEnv(f);
  const { dead } = f;
  narrow(f, s.test, true);
  readBlock(f, s.body);
  const then = f.dead ? undefined : f.env;
  f.env = before;
  f.dead = dead;
  narrow(f, s.test, false);
  if (s.orElse?.kind === 'Block') readBlock(f, s.orElse);
  else if (s.orElse !== undefined) readStatement(f, s.orElse);
  const orElse = f.dead ? undefined : f.env;
  settle(f, [then, orElse], dead);
}

/** Goes on with what holds after whichever of these came to an end. */
function settle(f: Reader, ends: readonly (Env | undefined)[], dead: boolean): void {
  const living = ends.filter((end): end is Env => end !== undefined);
  f.dead = dead || living.length === 0;
  if (living.length > 0) f.env = living.length === 1 ? living[0]! : joinEnvs(living);
}

function readElse(f: Reader, orElse: ast.Block | undefined): void {
  if (orElse === undefined) return;
  const before = copyEnv(f);
  const { dead } = f;
  readBlock(f, orElse);
  settle(f, [before, f.dead ? undefined : f.env], dead);
}

function readCtrl(f: Reader, s: ast.CtrlStatement): void {
  const loop = f.loops[f.loops.length - 1];
  if (loop !== undefined && !f.dead) {
    if (s.word === 'break') loop.breaks.push(copyEnv(f));
    else if (s.word === 'continue') loop.continues.push(copyEnv(f));
  }
  if (!f.dead && (s.word === 'skip' || s.word === 'disengage')) giveResult(f, none);
  f.dead = true;
}

function readFor(f: Reader, s: ast.ForIn): void {
  const iterable = typeOf(f, s.iter);
  const point = iterationPoint(f, s.iter, iterable);
  if (s.async) waitAt(f, s, f.program.points.always);
  else if (point !== undefined) waitAt(f, s, point);
  const element = elementOf(f, iterable, s.iter);
  readLoop(f, () => {
    const exit = copyEnv(f);
    assignElements(f, s.target, element, undefined);
    readBlock(f, s.body);
    return exit;
  });
  readElse(f, s.orElse);
}

function readWhile(f: Reader, s: ast.WhileStatement): void {
  const endless = s.test === undefined || (s.test.kind === 'Constant' && s.test.value === true);
  readLoop(f, () => {
    if (s.test !== undefined) typeOf(f, s.test);
    let exit: Env | undefined = copyEnv(f);
    if (s.test !== undefined) {
      // What holds after the loop: the test was false.
      narrow(f, s.test, false);
      const after = f.env;
      f.env = exit;
      exit = endless ? undefined : after;
      narrow(f, s.test, true);
    } else exit = undefined;
    readBlock(f, s.body);
    return exit;
  });
  readElse(f, s.orElse);
}

/**
 * Reads a loop until what holds at its head stays the same: mostly once. `round` reads one round from the head and gives what holds
 * when the loop ends at the head, undefined when it never does.
 */
function readLoop(f: Reader, round: () => Env | undefined): void {
  const { dead } = f;
  let head = copyEnv(f);
  const again = f.again;
  for (let count = 0; ; count++) {
    f.loops.push({ breaks: [], continues: [] });
    f.env = head.slice();
    f.dead = dead;
    const exit = round();
    joinContinues(f);
    const { breaks } = f.loops.pop()!;
    const next = f.dead ? head : joinEnvs([head, f.env]);
    const changed = changedSlots(head, next);
    if (changed.length === 0 || count >= 4) {
      f.again = again;
      settle(f, [exit, ...breaks], dead);
      return;
    }
    // The last rounds give up on what does not settle.
    if (count === 3) for (const slot of changed) next[slot] = any;
    head = next;
    f.again = again + 1;
  }
}

function joinContinues(f: Reader): void {
  const loop = f.loops[f.loops.length - 1]!;
  if (loop.continues.length === 0) return;
  f.env = joinEnvs(f.dead ? loop.continues : [f.env, ...loop.continues]);
  f.dead = false;
  loop.continues.length = 0;
}

/** Slots that held a value at the head and hold another type now. A first assignment inside the loop is no change. */
function changedSlots(head: Env, next: Env): readonly number[] {
  const changed: number[] = [];
  for (let slot = 0; slot < head.length; slot++) {
    if (head[slot] !== undefined && head[slot] !== next[slot] && !sameType(head[slot], next[slot])) changed.push(slot);
  }
  return changed;
}

function readTry(f: Reader, s: ast.TryStatement): void {
  const { dead } = f;
  const seen = copyEnv(f);
  f.tries.push(seen);
  readBlock(f, s.body);
  f.tries.pop();
  if (s.orElse !== undefined) readBlock(f, s.orElse);
  const ends: (Env | undefined)[] = [f.dead ? undefined : f.env];
  for (const handler of s.handlers) {
    f.env = seen.slice();
    f.dead = dead;
    if (handler.type !== undefined) typeOf(f, handler.type);
    bindHandler(f, handler);
    readBlock(f, handler.body);
    ends.push(f.dead ? undefined : f.env);
  }
  if (s.finally === undefined) {
    settle(f, ends, dead);
    return;
  }
  // `finally` also runs on the way out, so it may see anything the body has seen.
  settle(f, [...ends, seen], dead);
  const after = f.env;
  readBlock(f, s.finally);
  const stopped = f.dead;
  void after;
  if (!stopped) f.dead = dead || ends.every((end) => end === undefined);
}

function bindHandler(f: Reader, handler: ast.ExceptClause): void {
  const { names } = f.state;
  const node = handler.name ?? (handler.type?.kind === 'NameRef' ? handler.type : undefined);
  if (node === undefined) return;
  const binding = names.binding(node);
  if (handler.name === undefined && (binding.sort !== 'local' || binding.decl !== handler)) return;
  assign(f, binding, handler.name === undefined ? any : caughtType(f, handler.type), undefined);
}

function caughtType(f: Reader, type: ast.Expression | undefined): Type {
  if (type === undefined) return any;
  const parts = type.kind === 'TupleExpr' ? type.items : [type];
  let caught: Type | undefined;
  for (const part of parts) {
    const one = narrowTo(f, part);
    caught = caught === undefined ? one : join(caught, one);
  }
  return caught ?? any;
}

function readWith(f: Reader, s: ast.WithStatement): void {
  for (const item of s.items) {
    const type = typeOf(f, item.expr);
    for (const name of s.async ? ['__aenter__', '__aexit__'] : ['__enter__', '__exit__']) {
      const point = classMethodPoint(f, type, name);
      if (point !== undefined) waitAt(f, s, point);
    }
    if (item.target !== undefined) assignElements(f, item.target, enteredType(type), undefined);
  }
  if (s.async) waitAt(f, s, f.program.points.always);
  const before = copyEnv(f);
  f.tries.push(before);
  const { dead } = f;
  readBlock(f, s.body);
  f.tries.pop();
  // The manager may swallow an exception.
  if (!f.dead) f.env = joinEnvs([f.env, before]);
  else settle(f, [before], dead);
  if (f.dead !== dead) f.dead = dead;
}

function enteredType(type: Type): Type {
  if (type.t !== 'instance') return any;
  const enter = type.cls.methods.get('__enter__');
  return enter === undefined ? any : enter.result;
}

function readMatch(f: Reader, s: ast.MatchStatement): void {
  const subject = typeOf(f, s.subject);
  const start = copyEnv(f);
  const { dead } = f;
  const ends: (Env | undefined)[] = [];
  let isTotal = false;
  for (const one of s.cases) {
    f.env = start.slice();
    f.dead = dead;
    readPattern(f, one.pattern, subject, s.subject);
    if (one.guard !== undefined) {
      typeOf(f, one.guard);
      narrow(f, one.guard, true);
    } else isTotal ||= one.pattern.kind === 'WildcardPattern' || one.pattern.kind === 'CapturePattern';
    readBlock(f, one.body);
    ends.push(f.dead ? undefined : f.env);
  }
  if (!isTotal) ends.push(start);
  settle(f, ends, dead);
}

function readSwitch(f: Reader, s: ast.SwitchStatement): void {
  const subject = typeOf(f, s.subject);
  const { dead } = f;
  const start = copyEnv(f);
  f.loops.push({ breaks: [], continues: [] });
  let through: Env | undefined;
  for (const one of s.cases) {
    f.env = through === undefined ? start.slice() : joinEnvs([start, through]);
    f.dead = dead;
    if (one.pattern !== undefined) readPattern(f, one.pattern, subject, s.subject);
    readBlock(f, one.body);
    through = f.dead ? undefined : f.env;
  }
  const { breaks, continues } = f.loops.pop()!;
  f.loops[f.loops.length - 1]?.continues.push(...continues);
  const hasDefault = s.cases.some((one) => one.pattern === undefined);
  settle(f, [through, ...breaks, hasDefault ? undefined : start], dead);
}

function readTypedContext(f: Reader, s: ast.TypedContext): void {
  const before = copyEnv(f);
  const { dead, here, visitor } = f;
  if (s.type !== undefined) {
    const type = annotationType(f.program, f.state, s.type);
    if (f.record.owner?.kind === 'walker') f.here = type;
    else f.visitor = type;
  }
  readBlock(f, s.body);
  f.here = here;
  f.visitor = visitor;
  settle(f, [before, f.dead ? undefined : f.env], dead);
}

export { readFunction };

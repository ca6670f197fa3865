/** Statements: types of variables from place to place, what a function gives, what waits. */
import type * as ast from '../../1-parse/ast.ts';
import type { LocalRecord } from '../../2-resolve/records.ts';
import { annotationType } from '../classes/annotations.ts';
import { classOfDecl } from '../classes/classes.ts';
import { any, doubted, none } from '../classes/type-values.ts';
import { functionRecord } from '../functions/functions.ts';
import type { Env, Reader } from '../program.ts';
import { noteSpecial, noteSubscript, noteTruth } from '../suspension/special-methods.ts';
import { dependOn } from '../suspension/suspension.ts';
import { assign, assignElements, declareLocal } from './assign.ts';
import { noteSpread } from './displays.ts';
import { readClass, readDecorators, readGlobItem, readImport, readSignature } from './elements.ts';
import { copyEnv, copyOf, joinEnvs } from './environments.ts';
import { typeOf, waitAt } from './expressions.ts';
import { giveResult, nestedFunction, setSlot } from './function.ts';
import { iterationPoint } from './iteration.ts';
import { joinContinues, readFor, readLoop, readWhile } from './loops.ts';
import { noteEscape } from './names.ts';
import { narrow } from './narrowing.ts';
import { binaryType, noteOperator } from './operators.ts';
import { readPattern } from './patterns.ts';
import { forgetMember } from './places.ts';
import { knownType } from './plain-type.ts';
import { callPoint } from './points.ts';
import { noteUnusedSpawn } from './spawn.ts';
import { readTry, readWith } from './try.ts';

export function readBlock(f: Reader, block: ast.Block): void {
  for (const statement of block.statements) readStatement(f, statement);
}

export function readStatement(f: Reader, s: ast.Statement): void {
  switch (s.kind) {
    case 'ExprStatement':
      f.last = typeOf(f, s.expr);
      if (s !== f.result) noteUnused(f, s.expr);
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
      if (s.value !== undefined && givesNothing.has(f.record.node.kind)) noteUnused(f, s.value);
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
        noteTruth(f, s.test);
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
      noteTruth(f, s.test);
      if (s.message !== undefined) typeOf(f, s.message);
      narrow(f, s.test, true);
      return;
    case 'DeleteStatement':
      for (const target of s.targets) readDeleted(f, s, target);
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
      readNested(f, s);
      if (s.name !== undefined) assignOuter(f, s.name);
      return;
    case 'Archetype':
    case 'EnumDecl':
      readClass(f, s);
      if (assignOuter(f, s.name)) noteEscape(f, { t: 'class', cls: classOfDecl(f.program, f.state, s), sure: true });
      return;
    case 'HasDecl':
      for (const item of s.items) {
        const binding = f.state.names.binding(item.name);
        const declared = item.type === undefined ? undefined : annotationType(f.program, f.state, item.type);
        if (declared !== undefined) declareLocal(f, binding, declared);
        const value = item.value === undefined ? none : typeOf(f, item.value);
        // A cell of state in a browser holds what any render before this one has set.
        if (f.program.browser !== undefined) setSlot(f, binding, doubted(declared ?? any));
        else assign(f, binding, value, item.value);
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

function readDeleted(f: Reader, s: ast.DeleteStatement, target: ast.Expression): void {
  typeOf(f, target);
  if (target.kind === 'Index' || target.kind === 'Attribute') forgetMember(f, target);
  if (target.kind === 'Index')
    noteSubscript(f, s, knownType(f, target.object), knownType(f, target.index), ['__delitem__', '__getitem__']);
  else if (target.kind === 'Attribute') {
    noteSpecial(f, s, knownType(f, target.object), ['__delattr__']);
    const property = f.program.points.properties.get(target.name.text);
    if (property !== undefined) waitAt(f, s, property);
  }
}

/** Kinds of functions whose `return` gives nothing: the value is discarded (docs/language/statements.md#return). */
const givesNothing: ReadonlySet<string> = new Set(['Ability', 'EntryBlock', 'TestBlock', 'Module']);

/** A value that nobody uses: a spawn in its place is awaited there (docs/language/walkers.md#async-walkers). */
function noteUnused(f: Reader, e: ast.Expression): void {
  if (e.kind === 'Spawn') noteUnusedSpawn(f, e);
  else if (e.kind === 'Logical') noteUnused(f, e.right);
  else if (e.kind === 'Conditional') {
    noteUnused(f, e.then);
    noteUnused(f, e.orElse);
  }
}

function readAssign(f: Reader, s: ast.AssignStatement): void {
  const { program, state } = f;
  const declared = s.type === undefined ? undefined : annotationType(program, state, s.type, f.record.owner);
  const value = s.value === undefined ? none : typeOf(f, s.value);
  for (const target of s.targets) {
    if (declared !== undefined && target.kind === 'NameRef') declareLocal(f, state.names.binding(target), declared);
    if (s.value !== undefined && (target.kind === 'TupleExpr' || target.kind === 'ListExpr')) {
      const point = value.t === 'iterator' ? iterationPoint(f, s.value, value) : undefined;
      if (point !== undefined) waitAt(f, s, point);
    }
    assignElements(f, target, value, s.value);
  }
}

function readAugAssign(f: Reader, s: ast.AugAssign): void {
  const target = typeOf(f, s.target);
  const value = typeOf(f, s.value);
  noteOperator(f, s, s.op, target, value, true);
  if (s.op === '+') noteSpread(f, s, s.value, value);
  const result = binaryType(s.op as ast.Binary['op'], target, value, s.value);
  if (s.target.kind === 'NameRef') assign(f, f.state.names.binding(s.target), result, undefined);
  else assignElements(f, s.target, result, undefined);
}

/** An `if` with all its `elif`s: each arm knows that the tests before it were false. */
function readIf(f: Reader, s: ast.IfStatement): void {
  const { dead } = f;
  const ends: (Env | undefined)[] = [];
  let at: ast.Block | ast.IfStatement | undefined = s;
  for (; at?.kind === 'IfStatement'; at = at.orElse) {
    typeOf(f, at.test);
    noteTruth(f, at.test);
    const before = copyEnv(f);
    narrow(f, at.test, true);
    readBlock(f, at.body);
    ends.push(f.dead ? undefined : f.env);
    f.env = before;
    f.dead = dead;
    narrow(f, at.test, false);
  }
  if (at !== undefined) readBlock(f, at);
  ends.push(f.dead ? undefined : f.env);
  settle(f, ends, dead);
}

/** Makes the reading go on with the types that hold after whichever of these came to an end. */
export function settle(f: Reader, ends: readonly (Env | undefined)[], dead: boolean): void {
  const living = ends.filter((end): end is Env => end !== undefined);
  f.dead = dead || living.length === 0;
  if (living.length > 0) f.env = living.length === 1 ? living[0]! : joinEnvs(living);
}

export function readElse(f: Reader, orElse: ast.Block | undefined): void {
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

function readMatch(f: Reader, s: ast.MatchStatement): void {
  const subject = typeOf(f, s.subject);
  const start = copyEnv(f);
  const { dead } = f;
  const ends: (Env | undefined)[] = [];
  let isTotal = false;
  for (const one of s.cases) {
    f.env = copyOf(start);
    f.dead = dead;
    readPattern(f, one.pattern, subject, s.subject);
    if (one.guard !== undefined) {
      typeOf(f, one.guard);
      noteTruth(f, one.guard);
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
    f.env = through === undefined ? copyOf(start) : joinEnvs([start, through]);
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

// A function that an entry block makes is a variable of the module: calls know it only by value.
function readNested(f: Reader, node: ast.FunctionDecl): void {
  const { info } = nestedFunction(f, node);
  if (node.name === undefined) return;
  const binding = f.state.names.binding(node.name);
  // One of several functions of a name is known only by value, too.
  if (binding.sort === 'local' && !binding.reassigned && !isOuter(f, node.name)) return;
  const point = callPoint(f, info);
  if (point !== undefined) dependOn(f.program.points.functionValue, point);
}

/** After `nonlocal x` or `global x`: does the declaration in this function give a variable outside of it its value? Or is it one of several of an entry block? */
function isOuter(f: Reader, name: ast.Name): boolean {
  const binding = f.state.names.binding(name);
  if (binding.sort === 'local') return (binding as LocalRecord).home !== f.scope;
  const isVariable = binding.sort === 'module' && (binding.role === 'glob' || binding.role === 'entry');
  return isVariable && (f.scope.kind === 'function' || binding.reassigned);
}

export function assignOuter(f: Reader, name: ast.Name): boolean {
  if (!isOuter(f, name)) return false;
  assign(f, f.state.names.binding(name), any, undefined);
  return true;
}

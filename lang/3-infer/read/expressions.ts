/**
 * The type of every expression, and where one may wait. `typeOf` fills the tables of the module; an expression of unknown type has no
 * entry. Names are in read-names.ts, members and subscripts in read-members.ts, calls in read-calls.ts.
 */
import type * as ast from '../../1-parse/ast.ts';
import { annotationType } from '../classes/annotations.ts';
import { runtimeClass } from '../classes/classes.ts';
import {
  any,
  claimed,
  doubted,
  instanceOf,
  join,
  listOf,
  never,
  none,
  sure,
  withoutNone,
} from '../classes/type-values.ts';
import { withClaim } from '../foreign/claims.ts';
import type { Reader } from '../program.ts';
import { answersFreely } from '../suspension/answering-comparisons.ts';
import { noteSpecial, noteTruth } from '../suspension/special-methods.ts';
import { dependOn, makePoint, type Point } from '../suspension/suspension.ts';
import type { Type } from '../types.ts';
import { assign, shared } from './assign.ts';
import { readCall } from './calls.ts';
import { comprehensionType, dictType, itemsType, lambdaType, tupleType } from './displays.ts';
import { readSignature } from './elements.ts';
import { copyEnv, joinEnvs } from './environments.ts';
import { nestedFunction } from './function.ts';
import { connectType, edgeRefType, filterType, readEdgeOp } from './graph.ts';
import { iterationPoint } from './iteration.ts';
import { attributeType, indexType } from './members.ts';
import { nameType, noteEscape, specialType } from './names.ts';
import { narrow } from './narrowing.ts';
import { binaryType, isBuiltinKind, noteCompare, noteOperator, unaryType } from './operators.ts';
import { readPipe } from './pipes.ts';
import { readSpawn } from './spawn.ts';
import { readStatement } from './statements.ts';

export function typeOf(f: Reader, e: ast.Expression): Type {
  const { spines } = f.state.module.tree;
  const below = spines.size === 0 ? undefined : spines.get(e);
  if (below !== undefined) return typeOfChain(f, e, below);
  const type = compute(f, e);
  noteType(f, e, type);
  return type;
}

function typeOfChain(f: Reader, e: ast.Expression, below: readonly ast.Expression[]): Type {
  const { settled } = f.state;
  const known = settled.get(e);
  if (known !== undefined) return known;
  for (const rest of below) settled.set(rest, computeNoted(f, rest));
  const type = computeNoted(f, e);
  for (const rest of below) settled.delete(rest);
  return type;
}

function computeNoted(f: Reader, e: ast.Expression): Type {
  const type = compute(f, e);
  noteType(f, e, type);
  return type;
}

export function noteType(f: Reader, e: ast.Expression, type: Type): void {
  if (f.again > 0 || (type !== any && !isPlain(e, type))) f.state.types.set(e, type);
}

/** Literals and names of functions, classes and modules need no entry: what they are can be told from the node and its binding. */
function isPlain(e: ast.Expression, type: Type): boolean {
  switch (e.kind) {
    case 'NumberLiteral':
    case 'StringLiteral':
    case 'Constant':
      return true;
    case 'NameRef':
      return type.t === 'builtin' || type.t === 'function' || type.t === 'class' || type.t === 'module';
    default:
      return false;
  }
}

/** Notes that evaluating this node may wait, and that the code around it waits then. */
export function waitAt(f: Reader, node: ast.Node, point: Point): void {
  const { waits } = f.state;
  const known = waits.get(node);
  if (known === undefined) waits.set(node, point);
  else if (known !== point) {
    const both = makePoint();
    dependOn(both, known);
    dependOn(both, point);
    waits.set(node, both);
  }
  dependOn(f.point, point);
}

export function waitIfGraphWaits(f: Reader, node: ast.Node): void {
  if (f.program.graph === 'async') waitAt(f, node, f.program.points.always);
}

function compute(f: Reader, e: ast.Expression): Type {
  switch (e.kind) {
    case 'NameRef':
      return nameType(f, e, true);
    case 'Call':
      return readCall(f, e);
    case 'Attribute':
      return attributeType(f, e, true);
    case 'NumberLiteral':
      return e.float ? sure.float : sure.int;
    case 'StringLiteral':
      return e.bytes ? sure.bytes : sure.str;
    case 'Constant':
      return e.value === null ? none : e.value === 'ellipsis' ? any : sure.bool;
    case 'SpecialRef':
      return specialType(f, e);
    case 'Binary': {
      const left = typeOf(f, e.left);
      const right = typeOf(f, e.right);
      noteOperator(f, e, e.op, left, right, false);
      return withClaim(binaryType(e.op, left, right, e.right), e.op, left, right);
    }
    case 'Compare':
      return compareType(f, e);
    case 'Logical':
      return logicalType(f, e);
    case 'Unary':
      return unaryOperation(f, e);
    case 'Conditional':
      return conditionalType(f, e);
    case 'Joined':
      readJoined(f, e);
      return sure.str;
    case 'Index':
      return indexType(f, e);
    case 'Slice':
      for (const part of [e.lower, e.upper, e.step]) if (part !== undefined) typeOf(f, part);
      return any;
    case 'ListExpr':
      return listOf(itemsType(f, e.items), true);
    case 'SetExpr': {
      const of = itemsType(f, e.items);
      noteSpecial(f, e, of, ['__hash__', '__eq__']);
      return { t: 'set', of, sure: true };
    }
    case 'TupleExpr':
      return tupleType(f, e);
    case 'DictExpr':
      return dictType(f, e);
    case 'Comprehension':
      return comprehensionType(f, e);
    case 'Lambda':
      return lambdaType(f, e, undefined, true);
    case 'FunctionExpr': {
      readSignature(f, e.decl);
      const record = nestedFunction(f, e.decl);
      noteEscape(f, { t: 'function', fn: record.info, sure: true });
      return { t: 'function', fn: record.info, sure: true };
    }
    case 'EdgeRef':
      return edgeRefType(f, e);
    case 'Connect':
      return connectType(f, e);
    case 'Disconnect':
      typeOf(f, e.left);
      typeOf(f, e.right);
      readEdgeOp(f, e.op);
      waitIfGraphWaits(f, e);
      return sure.bool;
    case 'Spawn':
      return readSpawn(f, e);
    case 'Filter':
      return filterType(f, e);
    case 'AssignTrailer': {
      const type = typeOf(f, e.object);
      for (const field of e.fields) typeOf(f, field.value);
      return type;
    }
    case 'Walrus': {
      const type = typeOf(f, e.value);
      assign(f, f.state.names.binding(e.name), shared(type), e.value);
      return type;
    }
    case 'Await': {
      const type = typeOf(f, e.expr);
      waitAt(f, e, f.program.points.always);
      return awaited(type);
    }
    case 'Cast':
      return castType(f, e);
    case 'Flow':
      return flowType(f, e);
    case 'By':
      typeOf(f, e.value);
      typeOf(f, e.model);
      waitAt(f, e, f.program.points.always);
      return any;
    case 'Pipe':
      return readPipe(f, e);
    case 'Starred':
      return typeOf(f, e.expr);
    case 'Borrow': {
      const type = typeOf(f, e.expr);
      if (e.word !== '&') return type;
      const mayBeId = type.t === 'str' || type.t === 'any' || type.t === 'union';
      if (mayBeId) waitIfGraphWaits(f, e);
      return mayBeId ? any : type;
    }
    case 'Yield':
      return yieldType(f, e);
    case 'Markup':
      readMarkup(f, e);
      return instanceOf(runtimeClass(f.program, 'JsxElement')!, true);
    case 'Missing':
      return any;
  }
}

// ---------------------------------------------------------------- conditions

function compareType(f: Reader, e: ast.Compare): Type {
  let left = typeOf(f, e.operands[0]!);
  let result: Type = sure.bool;
  for (let i = 0; i < e.ops.length; i++) {
    const right = typeOf(f, e.operands[i + 1]!);
    noteCompare(f, e, e.ops[i]!, left, right);
    if (answersFreely(f.program, e.ops[i]!, left, right)) result = any;
    left = right;
  }
  return result;
}

const unaryMethods = { '-': ['__neg__'], '+': ['__pos__'], '~': ['__invert__'], not: [] } as const;

function unaryOperation(f: Reader, e: ast.Unary): Type {
  const type = typeOf(f, e.operand);
  if (e.op === 'not') noteTruth(f, e.operand);
  else if (!isBuiltinKind(type)) noteSpecial(f, e, type, unaryMethods[e.op]);
  return unaryType(e.op, type);
}

function logicalType(f: Reader, e: ast.Logical): Type {
  const left = typeOf(f, e.left);
  if (e.op !== '?:') noteTruth(f, e.left);
  const before = copyEnv(f);
  narrow(f, e.left, e.op === 'and');
  const right = typeOf(f, e.right);
  f.env = joinEnvs([before, f.env]);
  // `a or b` gives `a` only when it is true, `a ?: b` when it is not None, `a and b` only when it is false.
  if (e.op !== 'and') return join(left.t === 'none' ? never : withoutNone(left), right);
  return join(left, right);
}

function conditionalType(f: Reader, e: ast.Conditional): Type {
  typeOf(f, e.test);
  noteTruth(f, e.test);
  const before = copyEnv(f);
  narrow(f, e.test, true);
  const then = typeOf(f, e.then);
  const first = f.env;
  f.env = before;
  narrow(f, e.test, false);
  const orElse = typeOf(f, e.orElse);
  f.env = joinEnvs([first, f.env]);
  return join(then, orElse);
}

// ---------------------------------------------------------------- the rest

function readJoined(f: Reader, e: ast.Joined): void {
  for (const part of e.parts) {
    if (part.kind !== 'FormatPart') continue;
    noteSpecial(f, part, typeOf(f, part.expr), ['__format__', '__str__', '__repr__']);
    if (part.spec?.kind === 'Joined') readJoined(f, part.spec);
  }
}

function castType(f: Reader, e: ast.Cast): Type {
  const type = typeOf(f, e.expr);
  const cast = annotationType(f.program, f.state, e.type, f.record.owner);
  return cast.t === 'any' ? doubted(type) : cast;
}

/** `flow e` starts the call and gives a future; only its arguments are evaluated here. `wait e` waits for one. */
function flowType(f: Reader, e: ast.Flow): Type {
  if (e.word === 'wait') {
    const type = typeOf(f, e.expr);
    waitAt(f, e, f.program.points.always);
    return awaited(type);
  }
  const before = f.point;
  f.point = makePoint();
  const type = typeOf(f, e.expr);
  const task = f.point;
  f.point = before;
  if (e.expr.kind === 'Call') for (const arg of e.expr.args) if (f.state.waits.has(arg.value)) dependOn(f.point, task);
  return { t: 'awaitable', of: awaited(type), sure: true };
}

function awaited(type: Type): Type {
  if (type.t === 'any' && type.claim?.t === 'awaitable') return claimed(type.claim.of);
  return type.t === 'awaitable' ? type.of : type;
}

function yieldType(f: Reader, e: ast.Yield): Type {
  if (e.value === undefined) return any;
  const type = typeOf(f, e.value);
  if (e.from) {
    const point = iterationPoint(f, e.value, type);
    if (point !== undefined) waitAt(f, e, point);
  }
  return any;
}

function readMarkup(f: Reader, e: ast.Markup): void {
  if (typeof e.tag === 'object') typeOf(f, e.tag);
  for (const attribute of e.attributes) if (attribute.value !== undefined) typeOf(f, attribute.value);
  for (const child of e.children) {
    if (child.kind === 'Markup') readMarkup(f, child);
    else if (child.kind === 'MarkupSlot') {
      if (child.expr !== undefined) typeOf(f, child.expr);
      if (child.statements === undefined) continue;
      const before = copyEnv(f);
      for (const s of child.statements) readStatement(f, s);
      f.env = joinEnvs([before, f.env]);
    }
  }
}

/**
 * Types of operators (docs/language/values.md#operators-on-values, docs/language/values.md#integers,
 * docs/language/values.md#floats) and what special methods behind them may wait for.
 */
import type * as ast from '../../1-parse/ast.ts';
import { any, hinted, isProvenFloat, join, never, real, sure } from '../classes/type-values.ts';
import type { Reader } from '../program.ts';
import { noteSpecial } from '../suspension/special-methods.ts';
import type { ClassInfo, Type } from '../types.ts';
import { waitAt } from './expressions.ts';
import { classMethodPoint } from './points.ts';

type Op = ast.Binary['op'];

/** `add` for `+`: the middle of the names of its special methods. */
export const operatorMethods: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'truediv',
  '//': 'floordiv',
  '%': 'mod',
  '**': 'pow',
  '@': 'matmul',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'lshift',
  '>>': 'rshift',
};

/** Type of `left op right`. `exponent` is the right operand's expression, which decides whether `**` stays an int. */
export function binaryType(op: Op, left: Type, right: Type, exponent: ast.Expression): Type {
  if (left.t === 'int' && right.t === 'int') return intResult(op, left.sure === true && right.sure === true, exponent);
  if (left.t === 'never' || right.t === 'never') return left.t === right.t ? never : left.t === 'never' ? right : left;
  const special = specialResult(left, right, op);
  if (special !== undefined) return special;
  const leftNumber = left.t === 'int' || left.t === 'float' || left.t === 'bool';
  const rightNumber = right.t === 'int' || right.t === 'float' || right.t === 'bool';
  if (leftNumber && rightNumber) return numberResult(op, left, right, exponent);
  switch (op) {
    case '+':
      return sumResult(left, right, leftNumber, rightNumber);
    case '*':
      return productResult(left, right, leftNumber, rightNumber);
    case '%':
      if (left.t === 'str') return left.sure === true ? sure.str : hinted.str;
      return any;
    case '-':
      return left.t === 'set' && right.t === 'set' ? left : any;
    case '|':
    case '&':
    case '^':
      if (left.t === right.t && (left.t === 'set' || left.t === 'dict')) return join(left, right);
      return any;
    default:
      return any;
  }
}

/** The method of a program class behind the operator, when it is known. */
function specialResult(left: Type, right: Type, op: Op): Type | undefined {
  const name = operatorMethods[op];
  if (left.t === 'instance') {
    const method = left.cls.methods.get(`__${name}__`);
    if (method !== undefined) return method.result;
    if (left.cls.primitive === undefined) return isFloatClass(left.cls) ? floatResult(op) : any;
  }
  if (right.t === 'instance') {
    const method = right.cls.methods.get(`__r${name}__`);
    return method?.result ?? (isFloatClass(right.cls) ? floatResult(op) : any);
  }
  return undefined;
}

/** `class Metres(float)`: what its instances are computed with is a float, no longer one of them. */
function isFloatClass({ decl, bases }: ClassInfo): boolean {
  const isFloat = (base: ast.Expression) => base.kind === 'NameRef' && base.name === 'float';
  return (
    (decl?.kind === 'Archetype' && decl.bases.some(isFloat)) ||
    bases.some((base) => base.decl?.kind === 'Archetype' && base.decl.bases.some(isFloat))
  );
}

function floatResult(op: Op): Type {
  return ['+', '-', '*', '/', '//', '%', '**'].includes(op) ? hinted.float : any;
}

function intResult(op: Op, isSure: boolean, exponent: ast.Expression): Type {
  const int = isSure ? sure.int : hinted.int;
  switch (op) {
    case '/':
      return isSure ? sure.float : real;
    case '**': {
      if (exponent.kind === 'NumberLiteral') return int;
      if (exponent.kind === 'Unary' && exponent.op === '-') return isSure ? sure.float : hinted.float;
      // The sign of the exponent decides; exact integers are what programs write it for.
      return hinted.int;
    }
    case '@':
      return any;
    default:
      return int;
  }
}

function numberResult(op: Op, left: Type, right: Type, exponent: ast.Expression): Type {
  const isSure = left.sure === true && right.sure === true;
  if (left.t === 'float' || right.t === 'float') {
    if (op === '&' || op === '|' || op === '^' || op === '<<' || op === '>>' || op === '@') return any;
    if (op === '**') return hinted.float;
    if (isSure) return sure.float;
    return op === '/' || isProvenFloat(left) || isProvenFloat(right) ? real : hinted.float;
  }
  if (left.t === 'bool' && right.t === 'bool' && (op === '&' || op === '|' || op === '^')) {
    return isSure ? sure.bool : hinted.bool;
  }
  return intResult(op, isSure, exponent);
}

function sumResult(left: Type, right: Type, leftNumber: boolean, rightNumber: boolean): Type {
  if (left.t === 'str' || right.t === 'str') {
    if (leftNumber || rightNumber) return any; // E0414
    const both = left.t === 'str' && right.t === 'str' && left.sure === true && right.sure === true;
    return both ? sure.str : hinted.str;
  }
  if (left.t === 'list' && right.t === 'list') return join(left, right);
  if (left.t === 'tuple' && right.t === 'tuple') {
    const items = left.items !== undefined && right.items !== undefined ? [...left.items, ...right.items] : undefined;
    return { t: 'tuple', items, of: join(left.of, right.of), sure: left.sure === true && right.sure === true };
  }
  if (left.t === 'bytes' && right.t === 'bytes') return join(left, right);
  return any;
}

function productResult(left: Type, right: Type, leftNumber: boolean, rightNumber: boolean): Type {
  for (const [sequence, isCount] of [
    [left, rightNumber],
    [right, leftNumber],
  ] as const) {
    if (!isCount) continue;
    if (sequence.t === 'str' || sequence.t === 'bytes') return sequence;
    if (sequence.t === 'list') return sequence;
    if (sequence.t === 'tuple') return { ...sequence, items: undefined };
  }
  return any;
}

export function unaryType(op: ast.Unary['op'], operand: Type): Type {
  if (op === 'not') return sure.bool;
  switch (operand.t) {
    case 'int':
      return operand;
    case 'float':
      return op === '~' ? any : operand;
    case 'bool':
      return operand.sure === true ? sure.int : hinted.int;
    case 'any':
      return op === '~' ? any : operand;
    default:
      return any;
  }
}

/** Notes what `left op right` may wait for: a special method of a program class. */
export function noteOperator(f: Reader, node: ast.Node, op: string, left: Type, right: Type, inPlace: boolean): void {
  const { methods } = f.program.points;
  const name = operatorMethods[op];
  if (name === undefined || methods.size === 0) return;
  if (combining.has(op)) noteKeys(f, node, left, right);
  if (op === '%' && (left.t === 'str' || left.t === 'any')) noteSpecial(f, node, right, ['__str__', '__repr__']);
  if (isBuiltinKind(left) && isBuiltinKind(right)) return;
  for (const spelled of inPlace ? [`__i${name}__`, `__${name}__`] : [`__${name}__`]) {
    if (!methods.has(spelled)) continue;
    const point = classMethodPoint(f, left, spelled);
    if (point !== undefined) waitAt(f, node, point);
  }
  if (!methods.has(`__r${name}__`)) return;
  const point = classMethodPoint(f, right, `__r${name}__`);
  if (point !== undefined) waitAt(f, node, point);
}

/** Operators of sets, dicts, their views and counters. */
const combining = new Set(['|', '&', '-', '^', '+']);
const keyed = new Set<Type['t']>(['any', 'dict', 'frozenset', 'iterator', 'set', 'union']);

function hasKeys(type: Type): boolean {
  return keyed.has(type.t) || (type.t === 'instance' && (type.cls.kind === 'runtime' || type.cls.open));
}

/** Notes the comparisons of keys: an operand's keys are looked up in the other one. */
function noteKeys(f: Reader, node: ast.Node, left: Type, right: Type): void {
  if (!hasKeys(left) || !hasKeys(right)) return;
  noteSpecial(f, node, left, ['__eq__', '__hash__']);
  noteSpecial(f, node, right, ['__eq__', '__hash__']);
}

const compareNames: Readonly<Record<string, readonly string[]>> = {
  '==': ['__eq__'],
  '!=': ['__ne__', '__eq__'],
  '<': ['__lt__', '__gt__', '__eq__'],
  '>': ['__gt__', '__lt__', '__eq__'],
  '<=': ['__le__', '__ge__', '__eq__'],
  '>=': ['__ge__', '__le__', '__eq__'],
};

export function noteCompare(f: Reader, node: ast.Node, op: ast.CompareOp, left: Type, right: Type): void {
  if (f.program.points.methods.size === 0 && op !== 'in' && op !== 'not in') return;
  if (op === 'in' || op === 'not in') {
    if (!isBuiltinKind(right)) noteSpecial(f, node, right, ['__contains__']);
    if (right.t !== 'str' && right.t !== 'range') noteSpecial(f, node, left, ['__eq__', '__hash__']);
    if (right.t !== 'any') noteSpecial(f, node, right, ['__eq__']);
    if (right.t === 'iterator') waitAt(f, node, f.program.points.anyIterator);
    return;
  }
  const names = compareNames[op];
  if (names === undefined) return;
  noteSpecial(f, node, left, names);
  noteSpecial(f, node, right, names);
  noteKeys(f, node, left, right);
}

export function isBuiltinKind(type: Type): boolean {
  switch (type.t) {
    case 'any':
    case 'union':
    case 'instance':
    case 'never':
      return false;
    default:
      return true;
  }
}

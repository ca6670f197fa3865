/**
 * Expressions down to level 20 of the precedence table (docs/language/expressions.md#precedence): conditional, infix
 * operators by precedence climbing, prefix signs. Level 21 and tighter: operands.ts; trailers: chains.ts.
 *
 * A node's span leaves out parentheses around it, its parent's span takes them in: functions remember the offset of the first token
 * in `start`, and `left.start !== start` tells that `left` was parenthesised.
 */
import type { Binary, CompareOp, Expression, NameRef } from './ast.ts';
import { parseChain } from './chains.ts';
import { complain, describe, fail, failExpected } from './complain.ts';
import { parseArrowFunction, repairIncrement } from './hints.ts';
import { parseLambda } from './lambda.ts';
import { next } from './lexer.ts';
import { isFirstOnLine, isPlainOperandStart, peek } from './look-ahead.ts';
import { beginsMarkup } from './markup.ts';
import { tryOldLambda, warnOld } from './old-spellings.ts';
import { parseOperand } from './operands.ts';
import { type Parser, restore, save } from './parser.ts';
import { leaveDepth, maxDepth, tooDeep, tooLong } from './recover.ts';
import { longChain } from './spines.ts';
import { compact, expect, missing, take, warnOwnership } from './syntax.ts';
import * as t from './tokens.ts';

/** A whole expression. Gives `Missing`, already reported, when there is none. */
export function parseExpression(p: Parser): Expression {
  if (p.tok === t.LAMBDA) return parseLambda(p);
  if (p.tok === t.WITH) {
    const lambda = tryOldLambda(p);
    if (lambda !== undefined) return lambda;
  }
  if (tooDeep(p)) return missing(p);
  const { start, tok } = p;
  let result: Expression;
  if ((tok === t.FLOW || tok === t.WAIT) && isConcurrentPrefix(p)) {
    next(p);
    const expr = parseBinary(p, t.P_WALRUS);
    result = { kind: 'Flow', start, end: p.prevEnd, word: tok === t.FLOW ? 'flow' : 'wait', expr };
  } else result = parseBinary(p, t.P_WALRUS);
  if (p.tok === t.IF) result = parseConditional(p, result, start);
  else if (p.tok === t.FAT_ARROW) result = parseArrowFunction(p, result, start);
  leaveDepth(p);
  return result;
}

/** `type ::= bit_or`: an annotation, with the ownership words that may stand before it. */
export function parseType(p: Parser): Expression {
  skipOwnership(p);
  if (tooDeep(p)) return missing(p);
  const type = withObjects(p, parseBinary(p, t.P_BAR));
  leaveDepth(p);
  return type;
}

/** `obj` as a type, also in `list[obj]` and `obj | None`, is `object`. */
function withObjects(p: Parser, type: Expression): Expression {
  switch (type.kind) {
    case 'NameRef':
      if (type.name !== 'obj' || type.escaped) return type;
      warnOld(p, type.start, type.end, '`object`');
      return { ...type, name: 'object' };
    case 'Index': {
      const index = withObjects(p, type.index);
      return index === type.index ? type : { ...type, index };
    }
    case 'Binary': {
      const [left, right] = [withObjects(p, type.left), withObjects(p, type.right)];
      return left === type.left && right === type.right ? type : { ...type, left, right };
    }
    case 'TupleExpr': {
      const items = type.items.map((item) => withObjects(p, item));
      return items.every((item, i) => item === type.items[i]) ? type : { ...type, items };
    }
    default:
      return type;
  }
}

/** Infix operators that bind at least as tight as `min` (tokens.ts, `precedence`). */
export function parseBinary(p: Parser, min: number): Expression {
  const { start } = p;
  let left = parseUnary(p);
  for (let links = 0; ; links++) {
    if (links === longChain) p.hasLongChain = true;
    const level = t.precedence[p.tok]!;
    if (level < min || level === 0) return left;
    if (level === t.P_PIPE_BACK && links > maxDepth) {
      tooLong(p);
      return left;
    }
    if (level >= t.P_BAR) {
      left = parseArithmetic(p, left, start, level);
      continue;
    }
    const grown = parseLoose(p, left, start, level);
    if (grown === undefined) return left;
    left = grown;
  }
}

type BinaryOp = Binary['op'];

function parseArithmetic(p: Parser, left: Expression, start: number, level: number): Expression {
  const op = t.spelling[p.tok] as BinaryOp;
  const operator = p.start;
  if (level === t.P_SUM && repairIncrement(p, left, start)) return left;
  next(p);
  // `**` is right-associative and takes a sign on its left for part of the operand
  // (docs/language/expressions.md#powers).
  const right = level === t.P_POWER ? parseRightward(p, level) : parseBinary(p, level + 1);
  if (level === t.P_POWER && left.kind === 'Unary' && left.start === start && left.op !== 'not') {
    const help = `write \`(${left.op}x) ** y\` or \`${left.op}(x ** y)\``;
    complain(p, 'W0139', start, operator + 2, { sign: left.op }, { help });
  }
  return { kind: 'Binary', start, end: p.prevEnd, op, left, right };
}

/** Right operand of a right-associative operator. */
function parseRightward(p: Parser, level: number): Expression {
  if (tooDeep(p)) return missing(p);
  const right = parseBinary(p, level);
  leaveDepth(p);
  return right;
}

/** Operators of level 4 to 12; undefined when the token turns out to be none here. */
function parseLoose(p: Parser, left: Expression, start: number, level: number): Expression | undefined {
  switch (level) {
    case t.P_COMPARE:
      return parseCompare(p, left, start);
    case t.P_AND:
    case t.P_OR:
      return parseLogical(p, left, start, level);
    case t.P_AS:
      return p.noAsNesting === p.nesting ? undefined : parseCast(p, left, start);
    case t.P_ELVIS:
      return parseElvis(p, left, start);
    case t.P_PIPE:
    case t.P_PIPE_BACK: {
      const op = p.tok === t.PIPE ? '|>' : '<|';
      next(p);
      const right = parseBinary(p, level + 1);
      return { kind: 'Pipe', start, end: p.prevEnd, op, left, right };
    }
    case t.P_BY: {
      next(p);
      const model = parseRightward(p, t.P_BY);
      return { kind: 'By', start, end: p.prevEnd, value: left, model };
    }
    default:
      return parseWalrus(p, left, start);
  }
}

/** `a ?: b`: `a` unless it is None. */
function parseElvis(p: Parser, left: Expression, start: number): Expression {
  warnOld(p, p.start, p.end + 1, '`a if a is not None else b`');
  next(p);
  expect(p, t.COLON);
  const right = parseBinary(p, t.P_ELVIS + 1);
  return { kind: 'Logical', start, end: p.prevEnd, op: '?:', left, right };
}

function parseLogical(p: Parser, left: Expression, start: number, level: number): Expression {
  const op = level === t.P_AND ? 'and' : 'or';
  if (p.tok === t.AND_AND || p.tok === t.OR_OR) {
    complain(p, 'W0134', p.start, p.end, { op: t.spelling[p.tok]!, instead: op });
  }
  next(p);
  warnBitMix(p, left, start, op);
  const rightStart = p.start;
  const right = parseBinary(p, level + 1);
  warnBitMix(p, right, rightStart, op);
  return { kind: 'Logical', start, end: p.prevEnd, op, left, right };
}

/** `a < b <= c` is one node. */
function parseCompare(p: Parser, left: Expression, start: number): Expression | undefined {
  // Elements side by side are statements of a slot, never compared.
  if (left.kind === 'Markup' && p.tok === t.LT && beginsMarkup(p)) return undefined;
  let op = tryCompareOp(p);
  if (op === undefined) return undefined;
  const operands = [left];
  const ops: CompareOp[] = [];
  warnBitMix(p, left, start, op);
  do {
    const operandStart = p.start;
    const operand = parseBinary(p, t.P_AS);
    warnBitMix(p, operand, operandStart, op);
    ops.push(op);
    operands.push(operand);
    op = t.precedence[p.tok] === t.P_COMPARE ? tryCompareOp(p) : undefined;
  } while (op !== undefined);
  return { kind: 'Compare', start, end: p.prevEnd, operands: compact(operands), ops: compact(ops) };
}

/** Consumes a comparison operator, both words of `not in` and `is not`; `not` alone is none. */
export function tryCompareOp(p: Parser): CompareOp | undefined {
  switch (p.tok) {
    case t.IS:
      next(p);
      return take(p, t.NOT) ? 'is not' : 'is';
    case t.IN:
      next(p);
      return 'in';
    case t.NOT:
      if (peek(p) !== t.IN) return undefined;
      next(p);
      next(p);
      return 'not in';
    case t.EQ:
    case t.NE:
    case t.LT:
    case t.GT:
    case t.LE:
    case t.GE: {
      const op = t.spelling[p.tok] as CompareOp;
      // `===` and `!==` of JavaScript.
      if (p.end - p.start === 3) complain(p, 'W0134', p.start, p.end, { op: `${op}=`, instead: op });
      next(p);
      return op;
    }
    default:
      return undefined;
  }
}

/** `e as A | B`: the bar belongs to the type. */
function parseCast(p: Parser, left: Expression, start: number): Expression {
  next(p);
  const typeStart = p.start;
  let type = parseChain(p);
  while (p.tok === t.BAR) {
    next(p);
    const right = parseChain(p);
    type = { kind: 'Binary', start: typeStart, end: p.prevEnd, op: '|', left: type, right };
  }
  return { kind: 'Cast', start, end: p.prevEnd, expr: left, type };
}

function parseWalrus(p: Parser, left: Expression, start: number): Expression {
  const target: NameRef | undefined = left.kind === 'NameRef' ? left : undefined;
  if (target === undefined) fail(p, 'E0113', start, p.prevEnd, { got: describeSpan(p, start, p.prevEnd) });
  next(p);
  const value = parseBinary(p, t.P_BY);
  if (target === undefined) return value;
  const name = {
    kind: 'Name',
    start: target.start,
    end: target.end,
    text: target.name,
    escaped: target.escaped,
  } as const;
  return { kind: 'Walrus', start, end: p.prevEnd, name, value };
}

function parseUnary(p: Parser): Expression {
  const { start, tok } = p;
  if (tok === t.MINUS || tok === t.PLUS || tok === t.TILDE) {
    if (tooDeep(p)) return missing(p);
    next(p);
    const operand = parseUnary(p);
    leaveDepth(p);
    return { kind: 'Unary', start, end: p.prevEnd, op: tok === t.MINUS ? '-' : tok === t.PLUS ? '+' : '~', operand };
  }
  if (tok === t.NOT || tok === t.BANG) {
    if (tooDeep(p)) return missing(p);
    if (tok === t.BANG) fail(p, 'E0151', start, p.end, undefined, { help: 'use `not x`' });
    next(p);
    const operand = parseBinary(p, tok === t.BANG ? t.P_POWER + 1 : t.P_COMPARE);
    leaveDepth(p);
    return { kind: 'Unary', start, end: p.prevEnd, op: 'not', operand };
  }
  return parseOperand(p);
}

/** `then if test else orElse`. An `if` on a new line that has no `else` is a statement: then its `;` is what is missing. */
function parseConditional(p: Parser, then: Expression, start: number): Expression {
  const mayBeStatement = isFirstOnLine(p) || (p.inSlot && then.kind === 'Markup');
  if (mayBeStatement && p.statementIfs.has(p.start)) return then;
  const at = mayBeStatement ? save(p) : undefined;
  next(p);
  const test = parseExpression(p);
  if (p.tok !== t.ELSE) {
    if (at !== undefined) {
      restore(p, at);
      p.statementIfs.add(p.start);
      return then;
    }
    failExpected(p, '`else`', { help: 'a conditional expression reads `a if condition else b`' });
    return { kind: 'Conditional', start, end: p.prevEnd, test, then, orElse: missing(p) };
  }
  next(p);
  const orElse = parseExpression(p);
  return { kind: 'Conditional', start, end: p.prevEnd, test, then, orElse };
}

/** `own`, `imm`, `&`, `&mut` before a type mean nothing here (docs/language/statements.md#regions). */
function skipOwnership(p: Parser): void {
  const { start } = p;
  if (p.tok === t.AMP) {
    next(p);
    if (p.tok === t.MUT) next(p);
  } else if (p.tok === t.OWN || p.tok === t.IMM) {
    const at = save(p);
    next(p);
    if (!isPlainOperandStart(p)) {
      restore(p, at);
      return;
    }
  } else return;
  warnOwnership(p, start, p.prevEnd);
}

/** `flow` and `wait` are names unless an operand follows. */
function isConcurrentPrefix(p: Parser): boolean {
  const at = save(p);
  next(p);
  const found = isPlainOperandStart(p) || p.tok === t.LPAREN;
  restore(p, at);
  return found;
}

/** W0138: the oldest grammar read `a | b == c` as `a | (b == c)` (docs/language/expressions.md#precedence). */
function warnBitMix(p: Parser, operand: Expression, start: number, other: string): void {
  if (operand.kind !== 'Binary' || operand.start !== start) return;
  const { op } = operand;
  if (op !== '|' && op !== '^' && op !== '&' && op !== '<<' && op !== '>>') return;
  const help = 'put the tighter part in parentheses';
  complain(p, 'W0138', operand.start, operand.end, { op, other }, { help });
}

function describeSpan(p: Parser, start: number, end: number): string {
  return start < end ? `\`${p.text.slice(start, Math.min(end, start + 40))}\`` : describe(p);
}

/**
 * Assignments (docs/language/statements.md#assignment): what may follow the expression a simple statement begins with.
 */
import type { AssignStatement, AugAssign, Expression, ExprStatement, Statement } from './ast.ts';
import { complain, describe, fail, hasErrorFrom } from './complain.ts';
import { parseExpression, parseType } from './expressions.ts';
import { repairConditional } from './hints.ts';
import { next, skipBlanks } from './lexer.ts';
import { noteAssignedSelf } from './local-self.ts';
import { noteAssignedWord } from './local-words.ts';
import { isUsedAsName, peek } from './look-ahead.ts';
import { meantByTarget } from './meant.ts';
import { skipOldTypeDescription } from './old-spellings.ts';
import type { Parser } from './parser.ts';
import { parseYield } from './simple-statements.ts';
import { expectSemicolon, isSameLine } from './statements.ts';
import { take } from './syntax.ts';
import * as t from './tokens.ts';

/** The rest of a simple statement that began at `start` with `expr`, its `;` included. */
export function finishSimple(p: Parser, expr: Expression, start: number): Statement {
  const { tok } = p;
  if (tok === t.SEMI) {
    next(p);
    return expressionStatement(p, expr, start, true);
  }
  if (tok === t.ASSIGN) {
    const targets = [expr];
    const value = parseAssignedValue(p, targets);
    expectSemicolon(p, start);
    return assign(p, start, { targets, type: undefined, value });
  }
  if (tok >= t.FIRST_AUGMENTED && tok <= t.LAST_AUGMENTED) {
    const node = parseAugmented(p, expr, start);
    expectSemicolon(p, start);
    return { kind: 'AugAssign', start, end: p.prevEnd, target: node.target, op: node.op, value: node.value };
  }
  if (tok === t.COLON && isTypedTarget(expr) && !isForeignConditional(p, start)) {
    next(p);
    skipOldTypeDescription(p);
    const type = parseType(p);
    const value = take(p, t.ASSIGN) ? parseValue(p) : undefined;
    checkTarget(p, expr);
    expectSemicolon(p, start);
    return assign(p, start, { targets: [expr], type, value });
  }
  if (tok === t.COMMA) return parseBareTuple(p, expr, start);
  if (tok === t.RBRACE || (p.inSlot && expr.kind === 'Markup')) return expressionStatement(p, expr, start, false);
  if (!isDocumentation(p, expr)) expectSemicolon(p, start);
  return expressionStatement(p, expr, start, true);
}

/** Characters of comments that may stand before the documentation of a body. */
const mostCommentLength = 10_000;

/** A string that stands alone in the first lines of a body, as functions are documented in Python. */
function isDocumentation(p: Parser, expr: Expression): boolean {
  if (expr.kind !== 'StringLiteral' || isSameLine(p, p.prevEnd, p.start)) return false;
  // Nothing but comments is between the brace and it: of these a bounded length is looked at, for every text that stands alone is asked.
  const from = Math.max(0, expr.start - mostCommentLength);
  const text = p.text.slice(from, expr.start);
  for (let at = text.lastIndexOf('{'); at >= 0; at = at === 0 ? -1 : text.lastIndexOf('{', at - 1)) {
    if (skipBlanks(p, from + at + 1) === expr.start) return true;
    // A brace in a comment before it is none.
    if (!text.slice(text.lastIndexOf('\n', at) + 1, at).includes('#')) return false;
  }
  return false;
}

/** `let x = v;` [L], or undefined when `let` is a name here. */
export function parseLet(p: Parser): Statement | undefined {
  const { start } = p;
  const after = peek(p);
  const isWord =
    after >= t.NAME && after <= t.LAST_WORD && t.isJoiner[after] === 0 && after !== t.NOT && after !== t.SPAWN;
  const isOldEscape = after === t.LT && p.text.startsWith('<>', skipBlanks(p, p.end));
  // Behind a brace are JavaScript's members, which checkTarget refuses.
  if (!isWord && after !== t.LBRACKET && after !== t.LPAREN && after !== t.LBRACE && !isOldEscape) return undefined;
  next(p);
  const targetStart = p.start;
  const target = parseExpression(p);
  let type: Expression | undefined;
  const targets = [target];
  if (take(p, t.COLON)) {
    skipOldTypeDescription(p);
    type = parseType(p);
  }
  let value: Expression | undefined;
  if (p.tok === t.ASSIGN) {
    value = parseAssignedValue(p, targets);
  } else if (p.tok >= t.FIRST_AUGMENTED && p.tok <= t.LAST_AUGMENTED) {
    const node = parseAugmented(p, target, targetStart);
    expectSemicolon(p, start);
    return { kind: 'AugAssign', start, end: p.prevEnd, target: node.target, op: node.op, value: node.value };
  } else if (type === undefined) fail(p, 'E0110', p.start, p.end, { expected: '`=`', got: describe(p) });
  expectSemicolon(p, start);
  return { kind: 'AssignStatement', start, end: p.prevEnd, let: true, targets, type, value };
}

/** Initial assignment of a counting `for`; the current token is its first `=`. */
export function parseInit(p: Parser, target: Expression, start: number, type?: Expression): AssignStatement {
  const targets = [target];
  const value = parseAssignedValue(p, targets);
  return assign(p, start, { targets, type, value });
}

/** `i += 1`, `i = next(i)` or an expression, without `;`. */
export function parseStep(p: Parser): AssignStatement | AugAssign | ExprStatement {
  const { start } = p;
  const expr = parseExpression(p);
  if (p.tok === t.ASSIGN) return parseInit(p, expr, start);
  if (p.tok >= t.FIRST_AUGMENTED && p.tok <= t.LAST_AUGMENTED) return parseAugmented(p, expr, start);
  return expressionStatement(p, expr, start, true);
}

/** `= v` or `= b = v` behind the first target; further targets are added. */
function parseAssignedValue(p: Parser, targets: Expression[]): Expression {
  let target = targets[targets.length - 1]!;
  for (;;) {
    if (target.kind !== 'NameRef') checkTarget(p, target);
    // JavaScript's `{a, b} = props` is refused, and gives its names values all the same.
    if (target.kind === 'SetExpr' && target.items.every(({ kind }) => kind === 'NameRef'))
      targets[targets.length - 1] = { ...target, kind: 'TupleExpr', names: undefined };
    next(p);
    const value = parseValue(p);
    if (p.tok !== t.ASSIGN) return value;
    targets.push(value);
    target = value;
  }
}

function parseAugmented(p: Parser, target: Expression, start: number): AugAssign {
  const op = t.spelling[p.tok]!.slice(0, -1);
  if (target.kind === 'TupleExpr' || target.kind === 'ListExpr') refuseTarget(p, target);
  else if (target.kind !== 'NameRef') checkTarget(p, target);
  next(p);
  const value = parseValue(p);
  return { kind: 'AugAssign', start, end: p.prevEnd, target, op, value };
}

function parseValue(p: Parser): Expression {
  return p.tok === t.YIELD && !isUsedAsName(p) ? parseYield(p) : parseExpression(p);
}

/** `a, b = 1, 2;` (E0122), or a bare list of expressions, read as the tuple that was meant. */
function parseBareTuple(p: Parser, first: Expression, start: number): Statement {
  const firstEnd = p.prevEnd;
  const comma = p.start;
  const items = parseItems(p, first);
  const end = p.prevEnd;
  const target: Expression = { kind: 'TupleExpr', start, end, items, names: undefined };
  if (p.tok !== t.ASSIGN) {
    const help = 'a tuple needs parentheses: `(a, b)`';
    if (!hasErrorFrom(p, start) && !isSameLine(p, p.lastSemicolon, comma))
      complain(p, 'E0110', comma, comma + 1, { expected: '`;`', got: '`,`' }, { help });
    p.failures++;
    expectSemicolon(p, start);
    return expressionStatement(p, target, start, true);
  }
  next(p);
  const valueStart = p.start;
  let value = parseValue(p);
  if (p.tok === t.COMMA) {
    const values = parseItems(p, value);
    value = { kind: 'TupleExpr', start: valueStart, end: p.prevEnd, items: values, names: undefined };
  }
  const left = p.text.slice(start, end);
  const written = p.text.slice(valueStart, p.prevEnd);
  const right =
    value.kind === 'TupleExpr' && value.start === valueStart && !written.startsWith('(') ? `(${written})` : written;
  complain(p, 'E0122', start, Math.max(end, firstEnd), undefined, { help: `write \`(${left}) = ${right};\`` });
  p.failures++;
  expectSemicolon(p, start);
  return assign(p, start, { targets: [target], type: undefined, value });
}

function parseItems(p: Parser, first: Expression): Expression[] {
  const items = [first];
  while (take(p, t.COMMA)) {
    if (p.tok === t.ASSIGN || p.tok === t.SEMI || p.tok === t.RBRACE || p.tok === t.EOF) break;
    items.push(parseExpression(p));
  }
  return items;
}

interface Assigned {
  readonly targets: readonly Expression[];
  readonly type: Expression | undefined;
  readonly value: Expression | undefined;
}

function assign(p: Parser, start: number, { targets, type, value }: Assigned): AssignStatement {
  return { kind: 'AssignStatement', start, end: p.prevEnd, let: false, targets, type, value };
}

function expressionStatement(p: Parser, expr: Expression, start: number, semicolon: boolean): ExprStatement {
  return { kind: 'ExprStatement', start, end: Math.max(p.prevEnd, start), expr, semicolon };
}

function isTypedTarget(expr: Expression): boolean {
  return expr.kind === 'NameRef' || expr.kind === 'Attribute' || expr.kind === 'Index' || expr.kind === 'SpecialRef';
}

/** `c?a : b;` reads like a typed declaration of `c?.a`. */
function isForeignConditional(p: Parser, start: number): boolean {
  return p.lastQuestion >= start && repairsTo(p);
}

function repairsTo(p: Parser): boolean {
  return repairConditional(p, 0);
}

/** Reports what cannot be assigned to. A starred target stands `inside` a tuple or list. */
export function checkTarget(p: Parser, target: Expression, inside = false): void {
  switch (target.kind) {
    case 'NameRef':
    case 'Missing':
      return;
    case 'SpecialRef':
      if (target.word === 'self') noteAssignedSelf(p);
      else noteAssignedWord(p, target.word);
      return;
    case 'Attribute':
    case 'Index': {
      const safe = findSafe(target);
      if (safe) complain(p, 'E0161', target.start, target.end);
      return;
    }
    case 'TupleExpr':
    case 'ListExpr':
      for (const item of target.items) checkTarget(p, item, true);
      return;
    case 'Starred':
      if (inside) checkTarget(p, target.expr);
      else refuseTarget(p, target);
      return;
    case 'Borrow':
      checkTarget(p, target.expr);
      return;
    default:
      refuseTarget(p, target);
  }
}

function refuseTarget(p: Parser, target: Expression): void {
  const got = `\`${p.text.slice(target.start, Math.min(target.end, target.start + 40))}\``;
  // JavaScript's `{a, b} = props;`
  const first =
    target.kind === 'SetExpr' ? target.items[0] : target.kind === 'DictExpr' ? target.entries[0]?.key : undefined;
  const help =
    first?.kind === 'NameRef'
      ? `take each member by itself: \`${first.name} = value.${first.name};\``
      : meantByTarget(p.text.slice(target.start, target.end));
  complain(p, 'E0110', target.start, target.end, { expected: 'something that can be assigned to', got }, { help });
}

function findSafe(expr: Expression): boolean {
  if (expr.kind === 'Attribute' || expr.kind === 'Index') return expr.safe || findSafe(expr.object);
  return expr.kind === 'Call' ? findSafe(expr.callee) : false;
}

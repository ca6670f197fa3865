/**
 * Statements without blocks, but for the one of `visit` (docs/language/statements.md, docs/language/walkers.md). Each
 * function begins at its keyword.
 */
import { finishSimple } from './assignments.ts';
import type { CtrlStatement, Expression, Name, Statement, Yield } from './ast.ts';
import { parseBlock } from './blocks.ts';
import { complain, fail } from './complain.ts';
import { parseExpression } from './expressions.ts';
import { next } from './lexer.ts';
import { canBeginOperand, isFirstOnLine, isPlainOperandStart, isUsedAsName, peek } from './look-ahead.ts';
import { type Parser, restore, save } from './parser.ts';
import { openBracket } from './recover.ts';
import { expectSemicolon } from './statements.ts';
import { expect, expectName, take } from './syntax.ts';
import * as t from './tokens.ts';

/** `yield`, `yield e`, `yield from it`; the current token is `yield`. */
export function parseYield(p: Parser): Yield {
  const { start } = p;
  next(p);
  const from = take(p, t.FROM);
  const isBare = !canBeginOperand(p) || p.tok === t.PIPE || p.tok === t.COLON_GT;
  const value = isBare ? (from ? parseExpression(p) : undefined) : parseExpression(p);
  return { kind: 'Yield', start, end: p.prevEnd, from, value };
}

export function parseReturn(p: Parser): Statement {
  const { start } = p;
  next(p);
  const value = isValueHere(p) ? parseExpression(p) : undefined;
  expectSemicolon(p, start);
  return { kind: 'ReturnStatement', start, end: p.prevEnd, value };
}

export function parseYieldStatement(p: Parser): Statement {
  const { start } = p;
  return finishSimple(p, parseYield(p), start);
}

export function parseCtrl(p: Parser): Statement | undefined {
  const { start } = p;
  const after = p.text.charCodeAt(p.end);
  // A call or subscript of a variable that has the name.
  if (after === 0x28 || after === 0x5b) return undefined;
  const word = p.word as CtrlStatement['word'];
  next(p);
  expectSemicolon(p, start);
  return { kind: 'CtrlStatement', start, end: p.prevEnd, word };
}

export function parseRaise(p: Parser): Statement {
  const { start } = p;
  next(p);
  let value: Expression | undefined;
  let from: Expression | undefined;
  if (isValueHere(p)) {
    value = parseExpression(p);
    if (take(p, t.FROM)) from = parseExpression(p);
  }
  expectSemicolon(p, start);
  return { kind: 'RaiseStatement', start, end: p.prevEnd, value, from };
}

export function parseAssert(p: Parser): Statement {
  const { start } = p;
  next(p);
  const test = parseExpression(p);
  const message = take(p, t.COMMA) ? parseExpression(p) : undefined;
  expectSemicolon(p, start);
  return { kind: 'AssertStatement', start, end: p.prevEnd, test, message };
}

/** `check e;` [L]: only where it cannot be a name. */
export function parseCheck(p: Parser): Statement | undefined {
  const { start, end } = p;
  if (!isWordBefore(p, (q) => isPlainOperandStart(q) || (q.tok === t.NOT && peek(q) !== t.IN))) return undefined;
  complain(p, 'W0132', start, end, undefined, { help: 'write `assert`' });
  return parseAssert(p);
}

/** `ignore e;` was removed (docs/language/lexical.md#reserved-words). */
export function parseIgnore(p: Parser): Statement | undefined {
  const { start } = p;
  if (!isWordBefore(p, (q) => isPlainOperandStart(q) || isEdgeReference(q))) return undefined;
  next(p);
  const expr = parseExpression(p);
  complain(p, 'E0907', start, p.prevEnd, undefined, { help: 'filter the list given to `visit`' });
  expectSemicolon(p, start);
  return { kind: 'ExprStatement', start, end: p.prevEnd, expr, semicolon: true };
}

/** `[… --> …]`: leaves the parser somewhere in it. */
function isEdgeReference(p: Parser): boolean {
  if (p.tok !== t.LBRACKET) return false;
  const list = openBracket(p);
  do next(p);
  while (p.tok !== t.EOF && t.isHop[p.tok] !== 1 && !(p.tok === list.close && p.nesting < list.inside));
  return t.isHop[p.tok] === 1;
}

export function parseDelete(p: Parser): Statement {
  const { start } = p;
  next(p);
  const targets: Expression[] = [];
  do targets.push(parseExpression(p));
  while (take(p, t.COMMA) && p.tok !== t.SEMI);
  if (t.isHop[p.tok] === 1) {
    // `del a --> b;` is read as two operands: both names are used, nothing else is to be said about them.
    const help = 'write `a del --> b;`';
    fail(p, 'E0125', start, p.end, undefined, { help });
    next(p);
    if (canBeginOperand(p)) targets.push(parseExpression(p));
  }
  expectSemicolon(p, start);
  return { kind: 'DeleteStatement', start, end: p.prevEnd, targets };
}

export function parseScope(p: Parser): Statement | undefined {
  const { start } = p;
  if (!isWordBefore(p, (q) => q.tok >= t.NAME && q.tok <= t.LAST_WORD && t.isJoiner[q.tok] === 0)) return undefined;
  const word = p.tok === t.GLOBAL ? 'global' : 'nonlocal';
  next(p);
  const names: Name[] = [];
  do names.push(expectName(p));
  while (take(p, t.COMMA));
  expectSemicolon(p, start);
  return { kind: 'ScopeStatement', start, end: p.prevEnd, word, names };
}

export function parseVisit(p: Parser): Statement {
  const { start } = p;
  next(p);
  let index: Expression | undefined;
  if (take(p, t.COLON)) {
    index = parseExpression(p);
    expect(p, t.COLON);
  }
  const what = parseExpression(p);
  if (p.tok === t.ELSE) {
    next(p);
    const orElse = parseBlock(p, 'plain');
    return { kind: 'VisitStatement', start, end: p.prevEnd, index, what, orElse };
  }
  expectSemicolon(p, start);
  return { kind: 'VisitStatement', start, end: p.prevEnd, index, what, orElse: undefined };
}

export function parseReport(p: Parser): Statement {
  const { start } = p;
  next(p);
  const value = p.tok === t.YIELD ? parseYield(p) : parseExpression(p);
  expectSemicolon(p, start);
  return { kind: 'ReportStatement', start, end: p.prevEnd, value };
}

/** A value follows on, not the next statement. */
function isValueHere(p: Parser): boolean {
  if (p.tok === t.SEMI || p.tok === t.RBRACE || p.tok === t.EOF) return false;
  return !(
    t.beginsStatement[p.tok] === 1 &&
    p.tok !== t.YIELD &&
    isFirstOnLine(p) &&
    !isUsedAsName(p) &&
    peek(p) !== t.SEMI
  );
}

function isWordBefore(p: Parser, fits: (p: Parser) => boolean): boolean {
  const at = save(p);
  next(p);
  const found = fits(p);
  restore(p, at);
  return found;
}

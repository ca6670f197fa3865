/**
 * Statements with blocks: conditionals, loops, `match`, `switch`, `try`, `with`, typed contexts, regions
 * (docs/language/statements.md, docs/language/walkers.md).
 */

import { checkTarget, parseInit, parseStep } from './assignments.ts';
import type {
  AssignStatement,
  Block,
  ExceptClause,
  Expression,
  ForCount,
  IfStatement,
  MatchCase,
  Name,
  Pattern,
  Statement,
  SwitchCase,
} from './ast.ts';
import { emptyBlock, isNothing, parseArm, parseBlock, parseStatements, recoverBlock } from './blocks.ts';
import { parseChain } from './chains.ts';
import { complain, fail, failExpected, failUnclosed } from './complain.ts';
import { parseForTarget } from './comprehensions.ts';
import { parseBinary, parseExpression, parseType } from './expressions.ts';
import { next } from './lexer.ts';
import { isUsedAsName, kindBehindBracket, peek } from './look-ahead.ts';
import { type Parser, restore, save } from './parser.ts';
import { parsePattern } from './patterns.ts';
import { maxDepth, tooLong } from './recover.ts';
import { skipToken } from './skip.ts';
import { expect, expectPlainName, missing, take, warnOwnership } from './syntax.ts';
import * as t from './tokens.ts';

export function parseIf(p: Parser): IfStatement {
  const { start } = p;
  next(p);
  const test = parseExpression(p);
  const body = parseBlock(p, 'plain');
  // A chain of `elif` is built from its end, so that its length is not limited by the stack.
  const branches = [{ start, test, body }];
  let orElse: Block | IfStatement | undefined;
  for (;;) {
    const branch = p.start;
    if (p.tok === t.ELSE) {
      const elseEnd = p.end;
      next(p);
      if (p.tok !== t.IF) {
        orElse = parseArm(p, branches.at(-1)!.body);
        break;
      }
      complain(p, 'W0142', branch, Math.max(elseEnd, p.end));
    } else if (p.tok !== t.ELIF || isUsedAsName(p)) break;
    next(p);
    const branchTest = parseExpression(p);
    branches.push({ start: branch, test: branchTest, body: parseArm(p, branches.at(-1)!.body) });
  }
  const end = p.prevEnd;
  for (let i = branches.length - 1; i > 0; i--) {
    const { start: from, test: branchTest, body: branchBody } = branches[i]!;
    orElse = { kind: 'IfStatement', start: from, end, test: branchTest, body: branchBody, orElse };
  }
  return { kind: 'IfStatement', start, end, test, body, orElse };
}

export function parseWhile(p: Parser): Statement {
  const { start } = p;
  next(p);
  const test = parseExpression(p);
  const body = parseBlock(p, 'plain');
  const orElse = tryElse(p);
  return { kind: 'WhileStatement', start, end: p.prevEnd, test, body, orElse };
}

export function parseForever(p: Parser): Statement {
  const { start } = p;
  next(p);
  const body = parseBlock(p, 'plain');
  return { kind: 'WhileStatement', start, end: p.prevEnd, test: undefined, body, orElse: undefined };
}

/** All forms of `for`; `async` and the ignored `flow` may come first. */
export function parseFor(p: Parser): Statement {
  const { start } = p;
  const isAsync = take(p, t.ASYNC);
  take(p, t.FLOW);
  next(p);
  const foreign = tryForeignLoop(p);
  if (foreign !== undefined) {
    const body = parseBlock(p, 'plain');
    const iter = missing(p);
    return { kind: 'ForIn', start, end: p.prevEnd, async: isAsync, target: foreign, iter, body, orElse: undefined };
  }
  const targetStart = p.start;
  const target = parseForTarget(p);
  const colon = p.start;
  const type = take(p, t.COLON) ? parseType(p) : undefined;
  if (p.tok === t.ASSIGN) return parseForCount(p, start, parseInit(p, target, targetStart, type));
  if (type !== undefined) complain(p, 'E0110', colon, colon + 1, { expected: '`in`', got: '`:`' });
  if (target.kind !== 'NameRef') checkTarget(p, target);
  const iter = expect(p, t.IN) ? parseExpression(p) : missing(p);
  const body = parseBlock(p, 'plain');
  const orElse = tryElse(p);
  return { kind: 'ForIn', start, end: p.prevEnd, async: isAsync, target, iter, body, orElse };
}

/** `(let i = 0; i < n; i++)` and `(x of xs)` behind `for`: told and passed over; gives the variable. */
function tryForeignLoop(p: Parser): Expression | undefined {
  foreignLoop.lastIndex = p.start;
  const found = p.tok === t.LPAREN ? foreignLoop.exec(p.text) : null;
  if (found === null) return undefined;
  const name = found[1]!;
  const help = found[2] === '=' ? `write \`for ${name} in range(…) { … }\`` : `write \`for ${name} in … { … }\``;
  fail(p, 'E0110', p.start, p.end, { expected: 'a loop without parentheses', got: '`(`' }, { help });
  const start = found.index + found[0].lastIndexOf(name, found[0].length - found[2]!.length - 1);
  const outside = p.nesting - 1;
  do skipToken(p);
  while (p.tok !== t.EOF && p.nesting > outside);
  return { kind: 'NameRef', start, end: start + name.length, name, escaped: false };
}

const foreignLoop = /\(\s*(?:(?:let|const|var)\s+)?([A-Za-z_]\w*)\s*(=(?!=)|in\b|of\b)/y;

/** `for i = 0 to c by s { … }`, `for i = 0 while c with s { … }` and `for i = 0; c; s { … }`, behind the first assignment. */
function parseForCount(p: Parser, start: number, init: AssignStatement): ForCount {
  const isOld = p.tok === t.TO;
  const hasSemicolons = p.tok === t.SEMI;
  let test: Expression;
  if (hasSemicolons) {
    next(p);
    test = parseExpression(p);
  } else if (isOld) {
    next(p);
    // At pipe level, so that the `by` of the loop is not taken for the operator.
    test = parseBinary(p, t.P_PIPE);
  } else if (expect(p, t.WHILE)) test = parseExpression(p);
  else test = missing(p);
  const step = expect(p, hasSemicolons ? t.SEMI : isOld ? t.BY : t.WITH) ? parseStep(p) : noStep(p);
  const body = parseBlock(p, 'plain');
  const orElse = tryElse(p);
  return { kind: 'ForCount', start, end: p.prevEnd, init, test, step, body, orElse };
}

function noStep(p: Parser): ForCount['step'] {
  return { kind: 'ExprStatement', start: p.prevEnd, end: p.prevEnd, expr: missing(p), semicolon: true };
}

export function parseTry(p: Parser): Statement {
  const { start } = p;
  const word = p.end;
  next(p);
  const body = parseBlock(p, 'plain');
  let awaiting: Block | undefined;
  if (p.tok === t.AWAITING && peek(p) === t.LBRACE) {
    next(p);
    awaiting = parseBlock(p, 'plain');
  }
  const handlers: ExceptClause[] = [];
  const splitsGroups = p.tok === t.EXCEPT && peek(p) === t.STAR;
  while ((p.tok === t.EXCEPT && !isUsedAsName(p)) || isForeignCatch(p)) handlers.push(parseExcept(p, splitsGroups));
  const orElse = tryElse(p);
  let finallyBlock: Block | undefined;
  if (p.tok === t.FINALLY && !isUsedAsName(p)) {
    next(p);
    finallyBlock = parseBlock(p, 'plain');
  }
  if (handlers.length === 0 && finallyBlock === undefined && awaiting === undefined) complain(p, 'W0124', start, word);
  const end = p.prevEnd;
  return { kind: 'TryStatement', start, end, body, awaiting, splitsGroups, handlers, orElse, finally: finallyBlock };
}

/** `except T as e { … }`, also written `catch e { … }` (E0154); `except* T as e { … }` where the first clause of the statement has the star. */
function parseExcept(p: Parser, hasStar: boolean): ExceptClause {
  const { start, nesting } = p;
  let type: Expression | undefined;
  let name: Name | undefined;
  if (p.tok === t.CATCH) {
    fail(p, 'E0154', p.start, p.end, undefined, { help: 'use `except … as e`' });
    next(p);
    if (p.tok === t.LPAREN) next(p);
    if (p.tok >= t.NAME && p.tok <= t.LAST_IDENTIFIER) name = expectPlainName(p);
    take(p, t.RPAREN);
  } else {
    next(p);
    if (hasStar) expect(p, t.STAR);
    else if (p.tok === t.STAR) {
      fail(
        p,
        'E0110',
        p.start,
        p.end,
        { expected: 'a class', got: '`*`' },
        { help: 'all clauses of a `try` are `except*`, or none' },
      );
      next(p);
    }
    if (p.tok === t.LBRACE && hasStar) {
      failExpected(p, 'a class');
      type = missing(p);
    } else if (p.tok !== t.LBRACE) {
      const outer = p.noAsNesting;
      p.noAsNesting = nesting;
      type = parseExpression(p);
      p.noAsNesting = outer;
      if (take(p, t.AS)) name = expectPlainName(p);
    }
  }
  const body = parseBlock(p, 'plain');
  return { kind: 'ExceptClause', start, end: p.prevEnd, type, name, body };
}

function isForeignCatch(p: Parser): boolean {
  if (p.tok !== t.CATCH) return false;
  const after = peek(p);
  return after === t.LBRACE || after === t.NAME || after === t.LPAREN;
}

export function parseWith(p: Parser): Statement {
  const { start } = p;
  const isAsync = take(p, t.ASYNC);
  const { nesting } = p;
  next(p);
  const items: { readonly expr: Expression; readonly target: Expression | undefined }[] = [];
  do {
    const outer = p.noAsNesting;
    p.noAsNesting = nesting;
    const expr = parseExpression(p);
    p.noAsNesting = outer;
    const target = take(p, t.AS) ? parseChain(p) : undefined;
    // Where no block follows, the braces that were read as target are the block.
    if (target !== undefined && (p.tok === t.LBRACE || p.tok === t.COMMA)) checkTarget(p, target);
    items.push({ expr, target });
    if (items.length === maxDepth) tooLong(p);
  } while (take(p, t.COMMA));
  const body = parseBlock(p, 'plain');
  return { kind: 'WithStatement', start, end: p.prevEnd, async: isAsync, items, body };
}

export function parseMatch(p: Parser): Statement | undefined {
  const { start } = p;
  const subject = tryCaseSubject(p);
  if (subject === undefined) return undefined;
  const cases: MatchCase[] = [];
  parseCases(p, isCaseStart, () => cases.push(parseMatchCase(p)));
  return { kind: 'MatchStatement', start, end: p.prevEnd, subject, cases };
}

export function parseSwitch(p: Parser): Statement | undefined {
  const { start } = p;
  const subject = tryCaseSubject(p);
  if (subject === undefined) return undefined;
  const cases: SwitchCase[] = [];
  let earlyDefault: { readonly start: number; readonly end: number } | undefined;
  let defaultSpan: { readonly start: number; readonly end: number } | undefined;
  parseCases(p, isSwitchLabel, () => {
    if (defaultSpan !== undefined) earlyDefault = defaultSpan;
    const span = p.tok === t.DEFAULT ? { start: p.start, end: p.end } : undefined;
    cases.push(parseSwitchCase(p));
    if (span !== undefined) defaultSpan = span;
  });
  if (earlyDefault !== undefined) {
    complain(p, 'W0126', earlyDefault.start, earlyDefault.end, undefined, {
      help: 'cases below it are still tested first',
    });
  }
  return { kind: 'SwitchStatement', start, end: p.prevEnd, subject, cases };
}

export function parseTypedContext(p: Parser): Statement {
  const { start } = p;
  next(p);
  const type = p.tok === t.NAME && p.word === '_' && !p.escaped ? undefined : parseType(p);
  if (type === undefined) next(p);
  const body = parseBlock(p, 'plain');
  return { kind: 'TypedContext', start, end: p.prevEnd, type, body };
}

/** `in region { … }`, executed as the block alone (docs/language/statements.md#regions). */
export function parseRegion(p: Parser): Statement {
  const { start, end } = p;
  next(p);
  const region = parseExpression(p);
  warnOwnership(p, start, end);
  const body = parseBlock(p, 'plain');
  return { kind: 'Region', start, end: p.prevEnd, region, body };
}

/** The expression behind `match` or `switch`; undefined when the word is the name of a function that is called. */
function tryCaseSubject(p: Parser): Expression | undefined {
  if (peek(p) === t.LPAREN) {
    const at = save(p);
    next(p);
    const isCall = kindBehindBracket(p) === t.SEMI;
    restore(p, at);
    if (isCall) return undefined;
  }
  next(p);
  return parseExpression(p);
}

/** The braces of `match` and `switch` and the cases between them. */
function parseCases(p: Parser, isLabel: (p: Parser) => boolean, parseCase: () => void): void {
  if (p.tok !== t.LBRACE) {
    recoverBlock(p, 'plain', '`{`');
    return;
  }
  const open = p.start;
  next(p);
  while (p.tok !== t.RBRACE && p.tok !== t.EOF) {
    if (p.tok === t.SEMI) next(p);
    else if (isLabel(p)) parseCase();
    else {
      failExpected(p, '`case`');
      const before = p.start;
      parseStatements(p, isLabel);
      if (p.start === before) break;
    }
  }
  if (p.tok === t.RBRACE) next(p);
  else failUnclosed(p, '{', open, '}');
}

function parseMatchCase(p: Parser): MatchCase {
  const { start } = p;
  next(p);
  const pattern = parsePattern(p);
  const guard = take(p, t.IF) ? parseExpression(p) : undefined;
  const body = parseCaseBody(p, isCaseStart);
  return { kind: 'MatchCase', start, end: Math.max(p.prevEnd, start), pattern, guard, body };
}

function parseSwitchCase(p: Parser): SwitchCase {
  const { start } = p;
  let pattern: Pattern | undefined;
  if (p.tok === t.CASE) {
    next(p);
    pattern = parsePattern(p);
  } else next(p);
  const body = parseCaseBody(p, isSwitchLabel);
  return { kind: 'SwitchCase', start, end: Math.max(p.prevEnd, start), pattern, body };
}

/** `:` and the statements up to the next label. Braces around them are a block of their own [X]. */
function parseCaseBody(p: Parser, isLabel: (p: Parser) => boolean): Block {
  if (p.tok === t.COLON) next(p);
  else if (p.tok === t.LBRACE) fail(p, 'E0156', p.prevEnd, p.prevEnd);
  else {
    const help = p.tok === t.COMMA ? 'put the items of a sequence in brackets: `case (a, b):`' : undefined;
    failExpected(p, '`:`', { help });
    if (!canSkipToColon(p)) return emptyBlock(p);
  }
  const start = p.prevEnd;
  const statements: Statement[] = [];
  if (p.tok === t.LBRACE) statements.push(parseBlock(p, 'plain'));
  statements.push(...parseStatements(p, isLabel));
  const last = statements[statements.length - 1];
  const tail = last !== undefined && last.kind === 'ExprStatement' && !last.semicolon ? last : undefined;
  if (tail !== undefined && !p.inSlot && !isNothing(tail.expr)) {
    complain(p, 'E0220', tail.start, tail.end, undefined, { help: 'end the statement with `;`' });
  }
  const from = statements[0]?.start ?? start;
  return { kind: 'Block', start: from, end: Math.max(p.prevEnd, from), statements, tail };
}

/** Skips the rest of a broken label on its line. */
function canSkipToColon(p: Parser): boolean {
  for (;;) {
    if (take(p, t.COLON)) return true;
    if (p.tok === t.EOF || p.tok === t.RBRACE || p.tok === t.SEMI || p.tok === t.LBRACE || isSwitchLabel(p))
      return false;
    skipToken(p);
  }
}

function isCaseStart(p: Parser): boolean {
  return p.tok === t.CASE && !isUsedAsName(p);
}

function isSwitchLabel(p: Parser): boolean {
  return isCaseStart(p) || (p.tok === t.DEFAULT && peek(p) === t.COLON);
}

function tryElse(p: Parser): Block | undefined {
  if (p.tok !== t.ELSE || isUsedAsName(p)) return undefined;
  next(p);
  return parseBlock(p, 'plain');
}

/** Blocks: statements in braces, their result, and what is done when a brace is missing. */
import type { Block, Expression, ExprStatement, Statement } from './ast.ts';
import { complain, failExpected, failUnclosed, isQuiet } from './complain.ts';
import { next } from './lexer.ts';
import { indentationAt, isFirstOnLine, peek } from './look-ahead.ts';
import { type Parser, restore, save } from './parser.ts';
import { leaveDepth, tooDeep } from './recover.ts';
import { skipOver, skipToken } from './skip.ts';
import { isSameLine, parseStatement } from './statements.ts';
import { compact, none, take } from './syntax.ts';
import * as t from './tokens.ts';

/** A `function` block may end in a result without `;` (docs/language/functions.md#results). */
export type BlockKind = 'function' | 'plain';

/** `{ statement* }`; anything else is reported. */
export function parseBlock(p: Parser, kind: BlockKind): Block {
  if (p.tok !== t.LBRACE) return recoverBlock(p, kind, '`{`');
  if (tooDeep(p)) return emptyBlock(p);
  const { start, inSlot } = p;
  if (kind === 'function') p.inSlot = false;
  next(p);
  const block = finishBlock(p, kind, start);
  p.inSlot = inSlot;
  leaveDepth(p);
  return block;
}

/** Statements until a token that ends a block. */
export function parseStatements(p: Parser, endsHere?: (p: Parser) => boolean): Statement[] {
  const statements: Statement[] = [];
  while (p.tok !== t.RBRACE && p.tok !== t.EOF) {
    if (endsHere?.(p) === true || isElementOnly(p)) break;
    const before = p.start;
    const statement = parseStatement(p);
    if (statement !== undefined) statements.push(statement);
    if (p.start === before && p.tok !== t.EOF) skipToken(p);
  }
  return compact(statements);
}

/** `pass`, and what was not there: neither is a value that somebody might want. */
export function isNothing(e: Expression): boolean {
  return e.kind === 'Missing' || (e.kind === 'NameRef' && e.name === 'pass');
}

/** The last statement when it is an expression without `;`; E0220 where that is no result. */
export function checkTail(p: Parser, statements: readonly Statement[], kind: BlockKind): ExprStatement | undefined {
  const last = statements[statements.length - 1];
  if (last === undefined || last.kind !== 'ExprStatement' || last.semicolon) return undefined;
  if (kind === 'plain' && !p.inSlot && !isNothing(last.expr) && p.tok === t.RBRACE && !isQuiet(p)) {
    complain(p, 'E0220', last.start, last.end, undefined, { help: 'end the statement with `;`' });
  }
  return last;
}

/** A block whose `{` is missing: reported; the block is found by indentation, or taken as empty. */
export function recoverBlock(p: Parser, kind: BlockKind, expected: string): Block {
  const headIndentation = indentationAt(p, Math.max(0, p.prevEnd - 1));
  const wasQuiet = isQuiet(p);
  // `if a = b {` for `==`: the block is still to come.
  const isInHead = p.tok === t.ASSIGN;
  const isBare = kind === 'plain' && !wasQuiet && !isInHead && isBareStatement(p, headIndentation);
  failExpected(p, expected, isBare ? { help: 'a block is written in braces: `{ … }`' } : undefined);
  if (isBare) return bareBlock(p);
  if (!wasQuiet && !isInHead && closesAt(p, headIndentation, true)) return openedBlock(p, kind);
  const endsHere = () =>
    p.tok === t.LBRACE || p.tok === t.SEMI || p.tok === t.RBRACE || p.tok === t.EOF || isFirstOnLine(p);
  while (!endsHere()) skipToken(p);
  if (p.tok === t.LBRACE) return parseBlock(p, kind);
  if (wasQuiet || p.tok === t.EOF) return emptyBlock(p);
  if (p.tok === t.SEMI) {
    next(p);
    return emptyBlock(p);
  }
  return closesAt(p, headIndentation, false) ? openedBlock(p, kind) : emptyBlock(p);
}

/** `if (x) y = 1;`, on one line or on two: the block is that statement. */
function isBareStatement(p: Parser, headIndentation: number): boolean {
  if (
    !/(?:\)|\belse)$/.test(p.text.slice(p.prevEnd - 5, p.prevEnd)) ||
    p.tok === t.LBRACE ||
    p.tok === t.SEMI ||
    p.tok === t.RBRACE
  )
    return false;
  if (p.tok === t.EOF || (closesAt(p, headIndentation, true) && !isInLineBlock(p))) return false;
  return !isFirstOnLine(p) || (indentationAt(p, p.start) > headIndentation && !closesAt(p, headIndentation, false));
}

/** `{ if (x) y = 1; }`: the brace behind it closes one that was opened on its line. */
function isInLineBlock({ text, prevEnd }: Parser): boolean {
  let open = 0;
  for (let i = prevEnd - 1; i >= 0 && text[i] !== '\n' && open <= 0; i--)
    open += text[i] === '{' ? 1 : text[i] === '}' ? -1 : 0;
  return open > 0;
}

/** Block of an arm; behind one without braces, which was told, those of this one are not missed again. */
export function parseArm(p: Parser, before: Block): Block {
  const isTold = p.text[before.start] !== '{' && p.tok !== t.LBRACE && p.tok !== t.COLON && !isFirstOnLine(p);
  return isTold ? bareBlock(p) : parseBlock(p, 'plain');
}

function bareBlock(p: Parser): Block {
  const { start } = p;
  const statement = parseStatement(p);
  return {
    kind: 'Block',
    start,
    end: p.prevEnd,
    statements: statement === undefined ? none : [statement],
    tail: undefined,
  };
}

/** The statements of a block whose `{` is missing, with its `}`. */
function openedBlock(p: Parser, kind: BlockKind): Block {
  const start = p.prevEnd;
  p.nesting++;
  const statements = parseStatements(p);
  const tail = checkTail(p, statements, kind);
  take(p, t.RBRACE);
  return { kind: 'Block', start, end: Math.max(start, p.prevEnd), statements, tail };
}

export function emptyBlock(p: Parser): Block {
  return { kind: 'Block', start: p.prevEnd, end: p.prevEnd, statements: none, tail: undefined };
}

/** Statements up to and with the closing brace; `start` is the offset of the opening one. */
function finishBlock(p: Parser, kind: BlockKind, start: number): Block {
  const statements = parseStatements(p);
  const tail = checkTail(p, statements, kind);
  if (p.tok === t.RBRACE) next(p);
  else failUnclosed(p, '{', start, '}');
  return { kind: 'Block', start, end: Math.max(p.prevEnd, start), statements, tail };
}

/** Tells whether the current token begins something that only module level allows: it proves that a `}` is missing. */
export function isElementOnly(p: Parser): boolean {
  const { tok } = p;
  if (tok !== t.WITH && tok !== t.TEST && tok !== t.SEM) return false;
  if (!isFirstOnLine(p) || indentationAt(p, p.start) > 0) return false;
  const at = save(p);
  next(p);
  let found = false;
  if (tok === t.TEST) found = p.tok === t.STRING && peek(p) === t.LBRACE;
  else if (tok === t.SEM) found = p.tok >= t.NAME && p.tok <= t.LAST_WORD;
  else if (p.tok === t.ENTRY) {
    next(p);
    found = p.tok === t.LBRACE || p.tok === t.COLON;
  }
  restore(p, at);
  return found;
}

/**
 * Tells whether the `}` that closes the block open here belongs to the head before it, whose `{` is missing: it is on a
 * line of the head's indentation, for `onLine` on the line of the head itself.
 */
export function closesAt(p: Parser, indentation: number, onLine: boolean): boolean {
  if (onLine && (p.tok === t.RBRACE || p.tok === t.SEMI || isFirstOnLine(p))) return false;
  const at = save(p);
  const from = p.prevEnd;
  // The nesting is counted as if the brace were there.
  const open = ++p.nesting + (p.tok === t.LPAREN || p.tok === t.LBRACKET || p.tok === t.LBRACE ? -1 : 0);
  let steps = 0;
  while (p.tok !== t.EOF && !(p.tok === t.RBRACE && p.nesting < open) && steps++ < 2000) skipOver(p);
  const isCloser = p.tok === t.RBRACE && p.nesting < open;
  const found = isCloser && (onLine ? isSameLine(p, from, p.start) : indentationAt(p, p.start) === indentation);
  restore(p, at);
  return found;
}

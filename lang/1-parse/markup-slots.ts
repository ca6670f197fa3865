/** Braces in markup: plain mode up to the matching brace, comments, statements. `p.end` is the offset reached. */

import { placeParams } from '../diagnostics.ts';
import { finishSimple } from './assignments.ts';
import type { Expression, MarkupChild, Statement } from './ast.ts';
import { parseStatements } from './blocks.ts';
import { complain, failExpected, hasErrorFrom } from './complain.ts';
import { parseExpression } from './expressions.ts';
import { next, skipBlanks } from './lexer.ts';
import { isUsedAsName, peek } from './look-ahead.ts';
import type { Parser } from './parser.ts';
import { goToEnd, isUnwinding } from './recover.ts';
import { skipToken } from './skip.ts';
import { missing } from './syntax.ts';
import * as t from './tokens.ts';

/** `{…}` among children. */
export function readSlot(p: Parser, children: MarkupChild[]): void {
  const start = p.end;
  const comment = commentEnd(p, start);
  if (comment > 0) {
    p.end = comment;
    return;
  }
  const first = skipBlanks(p, foreignCommentEnd(p, start + 1));
  if (p.text.charCodeAt(first) === 0x7d) {
    complain(p, 'E0171', start, first + 1, undefined, { help: 'a comment is written `{#* … *#}`' });
    p.end = first + 1;
    return;
  }
  const { nesting, inSlot } = p;
  p.end = first;
  p.nesting = nesting + 1;
  p.inSlot = true;
  next(p);
  let expr: Expression | undefined;
  let statements: Statement[] | undefined;
  if (isSlotStatement(p)) statements = parseStatements(p);
  else {
    const from = p.start;
    expr = parseExpression(p);
    if (p.tok === t.COLON) skipFormat(p, start);
    if (isStatementRest(p)) {
      statements = [finishSimple(p, expr, from), ...parseStatements(p)];
      expr = undefined;
    }
  }
  p.inSlot = inSlot;
  closeSlot(p, nesting, start);
  children.push({ kind: 'MarkupSlot', start, end: p.end, expr, statements });
}

/** `{share:.1%}`: markup has no formats. They are told and skipped, unless a type may be meant. */
function skipFormat(p: Parser, start: number): void {
  const format = /^:(?=[^}]*[\d.,%<>^])[-+ #<>^=\d.,_]*[a-zA-Z%]?(?=\})/.exec(p.text.slice(p.start, p.start + 20))?.[0];
  if (format === undefined) return;
  const value = p.text.slice(start + 1, p.start);
  const help = `formats belong into texts: \`{f"{${value}${format}}"}\``;
  complain(p, 'E0110', p.start, p.start + format.length, { expected: '`}`', got: '`:`' }, { help });
  while (p.tok !== t.RBRACE && p.tok !== t.EOF) skipToken(p);
}

/** `{expr}`, its brace at `p.end`. */
export function readBraced(p: Parser): Expression {
  const { nesting } = p;
  const start = p.end;
  p.end = start + 1;
  p.nesting = nesting + 1;
  next(p);
  const expr = p.tok === t.RBRACE ? emptyBraces(p) : parseExpression(p);
  closeSlot(p, nesting, start);
  return expr;
}

/** End of a slot that holds comments only, `{#* … *#}` or with W0130 one of JavaScript's or of templates; 0 when it is none. */
export function commentEnd(p: Parser, start: number): number {
  const { text } = p;
  const from = foreignCommentEnd(p, start + 1);
  const end = skipBlanks(p, from);
  if (text.charCodeAt(end) !== 0x7d) return 0;
  const isForeign = from > start + 1;
  if (isForeign) complain(p, 'W0130', start, end + 1, undefined, { help: 'write `{#* … *#}`' });
  return isForeign || text.slice(start, end).includes('#') ? end + 1 : 0;
}

/** The current token should be the `}` that ends the plain mode begun at `start`; what stands before it is skipped. */
export function closeSlot(p: Parser, nesting: number, start: number): void {
  if (p.tok !== t.RBRACE && !isUnwinding(p)) {
    failExpected(p, '`}`');
    p.nesting = Math.max(p.nesting, nesting + 1);
    while (p.tok !== t.EOF && !(p.tok === t.RBRACE && p.nesting <= nesting)) skipToken(p);
    if (p.tok === t.EOF) {
      const { line, col } = placeParams(p.source, start);
      breakMarkup(p, `missing \`}\` to close the \`{\` opened at ${line}:${col}`);
    }
  }
  p.nesting = nesting;
}

/** Ends the reading of markup that has no end; `unclosed` says what is missing. */
export function breakMarkup(p: Parser, unclosed: string): false {
  if (!p.markupIsBroken) p.unclosed = unclosed;
  p.markupIsBroken = true;
  p.failures++;
  goToEnd(p);
  return false;
}

function emptyBraces(p: Parser): Expression {
  if (!hasErrorFrom(p, p.prevEnd)) complain(p, 'E0171', p.prevEnd - 1, p.end);
  return missing(p);
}

function isSlotStatement(p: Parser): boolean {
  switch (p.tok) {
    case t.FOR:
    case t.WHILE:
    case t.IF:
    case t.MATCH:
    case t.SWITCH:
    case t.WITH:
    case t.TRY:
    case t.RETURN:
    case t.SKIP:
    case t.HAS:
    case t.LET:
    case t.DEF:
      return !isUsedAsName(p) && !endsBehind(p);
    case t.FOREVER:
      return peek(p) === t.LBRACE;
    case t.ASYNC: {
      const after = peek(p);
      return after === t.FOR || after === t.WITH || after === t.DEF;
    }
    default:
      return false;
  }
}

/** A word alone in its slot, called, or joined to something is a name, unless it is `return` or `skip`. */
function endsBehind(p: Parser): boolean {
  const after = peek(p);
  if (after === t.RBRACE) return true;
  return after === t.LPAREN && (p.tok === t.HAS || p.tok === t.DEF);
}

/** Tells whether the token behind an expression makes it a statement. */
function isStatementRest(p: Parser): boolean {
  const { tok } = p;
  if (tok === t.SEMI || tok === t.ASSIGN || tok === t.COLON || tok === t.COMMA) return true;
  return tok >= t.FIRST_AUGMENTED && tok <= t.LAST_AUGMENTED;
}

const ofTemplate = /#(?!\*).*?#(?=\})/y;

/** Offset behind a comment between slashes and stars, or in one line between `{#` and `#}`; `i` when none begins there. */
function foreignCommentEnd(p: Parser, i: number): number {
  ofTemplate.lastIndex = i;
  if (ofTemplate.test(p.text)) return ofTemplate.lastIndex;
  let from = i;
  while (from < p.length && /\s/.test(p.text.charAt(from))) from++;
  if (!p.text.startsWith('/*', from)) return i;
  const close = p.text.indexOf('*/', from + 2);
  return close < 0 ? i : close + 2;
}

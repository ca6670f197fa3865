/**
 * Recovery after a syntax error (docs/language/diagnostics.md#principles), and the guard against text nested too
 * deeply.
 */
import { fail, failExpected, failUnclosed } from './complain.ts';
import { repairConditional } from './hints.ts';
import { next } from './lexer.ts';
import { canBeginOperand, isFirstOnLine } from './look-ahead.ts';
import { type Parser, restore, save } from './parser.ts';
import { skipToken } from './skip.ts';
import * as t from './tokens.ts';

/** Deeper text would overflow the stack of this parser or of a later phase. */
export const maxDepth = 200;

/**
 * Counts one level of nesting; `leaveDepth` undoes it. True when the text is nested too deeply: that was reported, the parser stands
 * at the end of the text, and the caller gives up without counting.
 */
export function tooDeep(p: Parser): boolean {
  if (++p.depth <= maxDepth) return false;
  p.depth--;
  tooLong(p);
  return true;
}

/** Gives up at a chain, without brackets, whose tree would be nested too deeply. */
export function tooLong(p: Parser): void {
  fail(p, 'E0107', p.start, p.end, { limit: maxDepth });
  p.gaveUp = true;
  goToEnd(p);
}

export function leaveDepth(p: Parser): void {
  p.depth--;
}

/** The rest of the text, or of broken markup, is being left: nothing more is to be said about it. */
export function isUnwinding(p: Parser): boolean {
  return p.gaveUp || p.markupIsBroken;
}

/** Leaves the rest of the text unread; nothing is reported there. */
export function goToEnd(p: Parser): void {
  p.end = p.length;
  next(p);
  p.quietStart = p.start;
}

/**
 * Skips to where a statement may begin: behind the next `;`, before a `}` that closes the block, or at a word that begins a line.
 * Brackets are skipped as a whole.
 */
export function syncStatement(p: Parser): void {
  if (p.tok === t.RBRACE) return;
  const open = p.nesting + (isOpener(p.tok) ? -1 : 0);
  for (;;) {
    switch (p.tok) {
      case t.EOF:
        return;
      case t.SEMI:
        if (p.nesting > open) break;
        next(p);
        return;
      case t.RBRACE:
        if (p.nesting < open) return;
        break;
      default:
        if (p.nesting <= open && p.tok <= t.LAST_WORD && isFirstOnLine(p)) return;
    }
    skipToken(p);
  }
}

/** Bracket of a list with the facts that recovery needs: `inside` is the nesting between the brackets. */
export interface OpenBracket {
  readonly open: number;
  readonly close: number;
  readonly start: number;
  readonly inside: number;
}

/** The opening bracket that is the current token. */
export function openBracket(p: Parser): OpenBracket {
  const close = p.tok + 1;
  return { open: p.tok, close, start: p.start, inside: p.nesting };
}

/**
 * Called behind an item of a list at a token that is neither a comma nor the closing bracket. Reports it; true when another item
 * may be parsed here, as if a comma stood before it. Afterwards the parser stands at the closing bracket, or the list is unclosed.
 */
export function continuesList(p: Parser, list: OpenBracket): boolean {
  if (repairConditional(p, list.start)) {
    if (p.tok === t.COMMA) {
      next(p);
      return p.tok !== list.close;
    }
    if (p.tok === list.close) return false;
  }
  const close = t.spelling[list.close]!;
  if (!closesAhead(p, list)) {
    failUnclosed(p, t.spelling[list.open]!, list.start, close);
    return false;
  }
  failExpected(p, `\`,\` or \`${close}\``);
  // Only once at a token: an item that consumed nothing must not be tried again.
  if (canBeginOperand(p) && p.start !== p.lastResume) {
    p.lastResume = p.start;
    return true;
  }
  syncBracket(p, list);
  return false;
}

/** Consumes the closing bracket. When it is missing, that is reported (unless `continuesList` did) and the bracket counts as closed. */
export function closeBracket(p: Parser, list: OpenBracket): void {
  if (p.tok === list.close) {
    next(p);
    return;
  }
  if (closesAhead(p, list)) {
    failExpected(p, `\`${t.spelling[list.close]}\``);
    syncBracket(p, list);
    next(p);
    return;
  }
  failUnclosed(p, t.spelling[list.open]!, list.start, t.spelling[list.close]!);
  if (!isCloser(p.tok)) p.nesting = Math.max(0, p.nesting - 1);
}

/** Number of tokens that recovery looks ahead: with many errors it must not become quadratic. */
const maxLookAhead = 500;

/** Tells whether the list is closed behind some text that does not end a statement. */
function closesAhead(p: Parser, list: OpenBracket): boolean {
  const at = save(p);
  const found = syncBracket(p, list, maxLookAhead);
  restore(p, at);
  return found;
}

/** Skips to the closing bracket of the list; false, at a token that cannot be inside, when there is none. */
function syncBracket(p: Parser, list: OpenBracket, limit = Number.POSITIVE_INFINITY): boolean {
  for (let tokens = 0; ; tokens++) {
    if (p.tok === t.EOF || tokens === limit) return false;
    if (isCloser(p.tok) && p.nesting < list.inside) return p.tok === list.close;
    if (p.nesting <= list.inside && p.tok === t.SEMI) return false;
    if (t.beginsStatement[p.tok] === 1 && isFirstOnLine(p) && p.nesting <= list.inside) return false;
    skipToken(p);
  }
}

function isOpener(kind: number): boolean {
  return kind === t.LPAREN || kind === t.LBRACKET || kind === t.LBRACE;
}

function isCloser(kind: number): boolean {
  return kind === t.RPAREN || kind === t.RBRACKET || kind === t.RBRACE;
}

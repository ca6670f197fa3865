import { next, skipBlanks } from './lexer.ts';
import { type Parser, restore, save } from './parser.ts';
import { skipOver, skipToken } from './skip.ts';
import * as t from './tokens.ts';

/** Kind of the token behind the current one. */
export function peek(p: Parser): number {
  const at = save(p);
  next(p);
  const kind = p.tok;
  restore(p, at);
  return kind;
}

/** Tells whether `=` (not `==`, not `=>`) follows the current token. */
export function isBeforeAssign(p: Parser): boolean {
  const { text } = p;
  let i = p.end;
  let c = text.charCodeAt(i);
  if (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09 || c === 0x23) {
    i = skipBlanks(p, i);
    c = text.charCodeAt(i);
  }
  if (c !== 0x3d) return false;
  const after = text.charCodeAt(i + 1);
  return after !== 0x3d && after !== 0x3e;
}

/**
 * Tells whether a statement keyword is meant as a name because `=`, an augmented assignment or `.` follows it (chapter
 * 3): `match = f(x);`, `test.run();`.
 */
export function isUsedAsName(p: Parser): boolean {
  const { text } = p;
  const i = skipBlanks(p, p.end);
  const c1 = text.charCodeAt(i + 1);
  switch (text.charCodeAt(i)) {
    case 0x3d: // =
      return c1 !== 0x3d && c1 !== 0x3e;
    case 0x2e: // .
      return c1 !== 0x2e && !(c1 >= 0x30 && c1 <= 0x39);
    case 0x2b: // + - % & | ^ @
    case 0x2d:
    case 0x25:
    case 0x26:
    case 0x7c:
    case 0x5e:
    case 0x40:
      return c1 === 0x3d;
    case 0x2a: // * / and doubled
    case 0x2f:
      return c1 === 0x3d || (c1 === text.charCodeAt(i) && text.charCodeAt(i + 2) === 0x3d);
    case 0x3c: // << >>
    case 0x3e:
      return c1 === text.charCodeAt(i) && text.charCodeAt(i + 2) === 0x3d;
    default:
      return false;
  }
}

/** Tells whether a line end lies between the previous token and the current one. */
export function isFirstOnLine(p: Parser): boolean {
  const { text } = p;
  if (p.prevEnd === 0) return true;
  for (let i = p.prevEnd; i < p.start; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x0a || c === 0x0d) return true;
  }
  return false;
}

/** Number of blank characters before the first other one on the line of `offset`. */
export function indentationAt(p: Parser, offset: number): number {
  const { text } = p;
  let start = offset;
  while (start > 0 && text.charCodeAt(start - 1) !== 0x0a && text.charCodeAt(start - 1) !== 0x0d) start--;
  let i = start;
  while (text.charCodeAt(i) === 0x20 || text.charCodeAt(i) === 0x09) i++;
  return i - start;
}

/**
 * Tells whether the current token, behind a word that may be a prefix, begins an operand and could not go on as infix
 * operator or trailer: decides `wait x` against `wait(x)`, `own x` against `own - x`.
 */
export function isPlainOperandStart(p: Parser): boolean {
  const { tok } = p;
  if (tok <= t.LAST_WORD)
    return tok !== t.EOF && t.isJoiner[tok] === 0 && tok !== t.NOT && tok !== t.SPAWN && tok !== t.DEL;
  return tok === t.NUMBER || tok === t.STRING || tok === t.FSTRING || tok === t.TILDE;
}

/** Tells whether the current token can begin an expression. */
export function canBeginOperand(p: Parser): boolean {
  const { tok } = p;
  if (tok <= t.LAST_WORD) return tok !== t.EOF && t.isJoiner[tok] === 0;
  return t.beginsOperand[tok] === 1;
}

/**
 * Tells whether the current reserved word, met where an operand is due, is a plain name there
 * (docs/language/lexical.md#words-as-names). It is not when an operand follows it on its line, or when it is a
 * statement on a line of its own: then the operand is what is missing.
 */
export function isWordAName(p: Parser): boolean {
  const word = p.tok;
  const startsLine = t.beginsStatement[word] === 1 && isFirstOnLine(p) && !isBehindStatement(p);
  const at = save(p);
  next(p);
  const follows = p.tok;
  const isOperandNext = isPlainOperandStart(p) && !isFirstOnLine(p);
  restore(p, at);
  if (isOperandNext) return false;
  if (!startsLine) return true;
  const isHead = follows === t.LBRACE || follows === t.LPAREN || follows === t.SEMI;
  return !(isHead && word !== t.TEST && word !== t.NODE && word !== t.EDGE && word !== t.OBJ && word !== t.WALKER);
}

/** The previous token ends a statement or begins a block, so no operand is missing here. */
function isBehindStatement(p: Parser): boolean {
  const c = p.text.charCodeAt(p.prevEnd - 1);
  return c === 0x3b || c === 0x7b || c === 0x7d;
}

/**
 * Kind of the token behind the bracket that is the current token and its partner; EOF when that is far away or nowhere.
 */
export function kindBehindBracket(p: Parser): number {
  const at = save(p);
  const kind = skipBracket(p) ? p.tok : t.EOF;
  restore(p, at);
  return kind;
}

// False when the partner is far away.
function skipBracket(p: Parser): boolean {
  const open = p.nesting;
  let steps = 0;
  do skipOver(p);
  while (p.tok !== t.EOF && p.nesting >= open && steps++ < 2000);
  if (p.nesting < open) next(p);
  return p.nesting < open || steps < 2000;
}

/** The same with the filters, subscripts, calls and attributes that follow the bracket: `[xs][?:T].first(1)`. */
export function kindBehindBracketed(p: Parser): number {
  const at = save(p);
  let kind: number = p.tok;
  while (kind === t.LPAREN || kind === t.LBRACKET || kind === t.DOT) {
    if (kind === t.DOT) next(p);
    else skipBracket(p);
    if (kind === t.DOT) next(p);
    kind = p.tok;
  }
  restore(p, at);
  return kind;
}

/** Skips to a token of that kind on the level where the parser stands; errors on the way are not reported. */
export function skipToNextToken(p: Parser, kind: number): void {
  const level = p.nesting;
  while (p.tok !== t.EOF && !(p.tok === kind && p.nesting <= level)) skipToken(p);
}

/** `...xs` of JavaScript, with nothing between: what is written `*xs` here, in a dictionary `**xs`. Alone `...` is a value. */
export function isSpread(p: Parser): boolean {
  return p.tok === t.ELLIPSIS && /[\p{L}_$([{]/u.test(p.text.charAt(p.end));
}

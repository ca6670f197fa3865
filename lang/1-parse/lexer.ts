/**
 * The scanner: `next` moves the parser to the next token of plain mode. Markup and formatted strings have modes of their own, read by
 * markup.ts and formatted.ts straight from the text.
 *
 * Dispatch goes through `classOf`, a table by character code. Operators are tried longest first
 * (docs/language/lexical.md#operators).
 */
import { complain } from './complain.ts';
import { meantByCharacter } from './meant.ts';
import { scanNumber } from './numbers.ts';
import type { Parser } from './parser.ts';
import * as t from './tokens.ts';
import { findWord } from './word-table.ts';

const BAD = 0;
const BLANK = 1;
const WORD = 2;
const DIGIT = 3;
/** A token of one character whatever follows. */
const SINGLE = 4;
const OPERATOR = 5;
const QUOTE = 6;
const HASH = 7;
const TICK = 8;

const classOf = makeClasses();
const singleKind = makeSingles();
/** 1 for letters, digits and `_`. */
const isWordPart = makeWordParts();

/** Moves the parser to the next token. */
export function next(p: Parser): void {
  p.prevEnd = p.end;
  const { text, length } = p;
  let i = p.end;
  for (;;) {
    if (i >= length) {
      p.tok = t.EOF;
      p.start = length;
      p.end = length;
      return;
    }
    const c = text.charCodeAt(i);
    const kind = c < 128 ? classOf[c]! : BAD;
    if (kind === BLANK) {
      i++;
      continue;
    }
    if (kind === WORD) {
      scanWord(p, i, c);
      return;
    }
    if (kind === SINGLE) {
      p.start = i;
      p.end = i + 1;
      const single = singleKind[c]!;
      p.tok = single;
      if (single <= t.RBRACE) {
        if (((single - t.LPAREN) & 1) === 0) p.nesting++;
        else if (p.nesting > 0) p.nesting--;
      }
      return;
    }
    if (kind === OPERATOR) {
      p.start = i;
      const found = scanOperator(p, text, i, c);
      p.tok = found;
      return;
    }
    if (kind === DIGIT) {
      p.start = i;
      p.tok = t.NUMBER;
      p.end = scanNumber(text, i);
      return;
    }
    if (kind === QUOTE) {
      scanString(p, i, i, c, false);
      return;
    }
    if (kind === HASH) i = skipComment(p, i);
    else if (kind === TICK) {
      const template = endOfTemplate(text, i);
      if (template !== undefined) {
        i = skipBad(p, i, template);
        continue;
      }
      const after = text.charCodeAt(i + 1);
      if (after < 128 && classOf[after] === WORD) {
        scanEscaped(p, i);
        return;
      }
      p.start = i;
      p.end = i + 1;
      p.tok = t.BACKTICK;
      return;
    } else i = skipBad(p, i);
  }
}

/** Tells whether a character code may begin a word. */
export function beginsWord(c: number): boolean {
  return c < 128 && classOf[c] === WORD;
}

/** Tells whether a character code may stand in a word behind its first character. */
export function continuesWord(c: number): boolean {
  return c < 128 && isWordPart[c] === 1;
}

/** Offset of the first character at or behind `i` that is neither blank nor in a comment. */
export function skipBlanks(p: Parser, i: number): number {
  const { text, length } = p;
  while (i < length) {
    const c = text.charCodeAt(i);
    const kind = c < 128 ? classOf[c] : BAD;
    if (kind === BLANK) i++;
    else if (kind === HASH) i = skipComment(p, i);
    else break;
  }
  return Math.min(i, length);
}

/**
 * Skips a comment that begins at `i` and notes its suppression directive (docs/language/lexical.md#suppression).
 * @returns the offset behind it; the line end of a line comment is not part of it.
 */
export function skipComment(p: Parser, i: number): number {
  const { text, length } = p;
  if (text.charCodeAt(i + 1) === 0x2a) {
    const close = text.indexOf('*#', i + 2);
    if (close >= 0) return close + 2;
    complain(p, 'E0101', i, i + 2);
    p.failures++;
    p.quietStart = length;
    return length;
  }
  let end = i + 1;
  while (end < length) {
    const c = text.charCodeAt(end);
    if (c === 0x0a || c === 0x0d) break;
    end++;
  }
  noteSuppression(p, i + 1, end);
  return end;
}

function scanWord(p: Parser, start: number, first: number): void {
  const { text } = p;
  let hash = 0;
  let i = start;
  let c = first;
  do {
    hash = (Math.imul(hash, 31) + c) | 0;
    c = text.charCodeAt(++i);
  } while (c < 128 && isWordPart[c] === 1);
  if ((c === 0x22 || c === 0x27) && i - start <= 2) {
    const prefix = text.slice(start, i).toLowerCase();
    if (prefix === 'f' || prefix === 'rf' || prefix === 'fr') {
      scanString(p, start, i, c, true);
      return;
    }
    if (prefix === 'r' || prefix === 'b' || prefix === 'rb' || prefix === 'br') {
      scanString(p, start, i, c, false);
      return;
    }
  }
  const table = p.wordTable;
  const entry = findWord(table, text, start, i, hash);
  p.tok = table.kinds[entry]!;
  p.word = table.words[entry]!;
  p.escaped = false;
  p.start = start;
  p.end = i;
}

/** A name behind a back-tick is a plain name, whatever its spelling. */
function scanEscaped(p: Parser, tick: number): void {
  const { text } = p;
  let hash = 0;
  let i = tick + 1;
  let c = text.charCodeAt(i);
  do {
    hash = (Math.imul(hash, 31) + c) | 0;
    c = text.charCodeAt(++i);
  } while (c < 128 && isWordPart[c] === 1);
  p.word = p.wordTable.words[findWord(p.wordTable, text, tick + 1, i, hash)]!;
  p.tok = t.NAME;
  p.escaped = true;
  p.start = tick;
  p.end = i;
}

/**
 * Finds the end of a string that was broken over lines, when one of the next lines looks like it: one quote, and
 * brackets or `;` behind it.
 */
function brokenEnd(text: string, quote: string, at: number): number | undefined {
  let start = at;
  for (let lines = 0; lines < 3; lines++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return undefined;
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    const found = line.indexOf(quote);
    if (found < 0) continue;
    return /^\s*(?:[;,)\]}.]|$)/.test(line.slice(found + 1)) && !line.includes(quote, found + 1)
      ? start + found + 1
      : undefined;
  }
  return undefined;
}

/** `quote` is the offset of the first quote character, `c` its code. */
function scanString(p: Parser, start: number, quote: number, c: number, isFormatted: boolean): void {
  const { text, length } = p;
  const isTriple = text.charCodeAt(quote + 1) === c && text.charCodeAt(quote + 2) === c;
  p.start = start;
  let i = quote + (isTriple ? 3 : 1);
  if (isFormatted) {
    p.tok = t.FSTRING;
    p.end = i;
    return;
  }
  p.tok = t.STRING;
  p.isPlain = true;
  for (; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === c) {
      if (!isTriple) {
        p.end = i + 1;
        return;
      }
      if (text.charCodeAt(i + 1) === c && text.charCodeAt(i + 2) === c) {
        p.end = i + 3;
        return;
      }
    } else if (unit === 0x5c) {
      p.isPlain = false;
      i++;
      if (text.charCodeAt(i) === 0x0d && text.charCodeAt(i + 1) === 0x0a) i++;
    } else if (unit === 0x0d || unit === 0x0a) {
      if (!isTriple) break;
      if (unit === 0x0d) p.isPlain = false;
    }
  }
  p.end = Math.min(i, length);
  complain(p, 'E0100', start, isTriple ? quote + 3 : p.end);
  if (!isTriple) p.end = brokenEnd(text, text[quote]!, p.end) ?? p.end;
  p.failures++;
  p.quietAfter = p.end;
  if (isTriple) p.quietStart = length;
}

function scanOperator(p: Parser, text: string, i: number, c: number): number {
  const c1 = text.charCodeAt(i + 1);
  switch (c) {
    case 0x21: // !
      return c1 === 0x3d ? take(p, i, equalsLength(text, i), t.NE) : take(p, i, 1, t.BANG);
    case 0x25: // %
      return c1 === 0x3d ? take(p, i, 2, t.PERCENT_EQ) : take(p, i, 1, t.PERCENT);
    case 0x26: // &
      if (c1 === 0x26) return take(p, i, 2, t.AND_AND);
      return c1 === 0x3d ? take(p, i, 2, t.AMP_EQ) : take(p, i, 1, t.AMP);
    case 0x2a: // *
      if (c1 === 0x2a)
        return text.charCodeAt(i + 2) === 0x3d ? take(p, i, 3, t.STAR_STAR_EQ) : take(p, i, 2, t.STAR_STAR);
      return c1 === 0x3d ? take(p, i, 2, t.STAR_EQ) : take(p, i, 1, t.STAR);
    case 0x2b: // +
      if (c1 === 0x3d) return take(p, i, 2, t.PLUS_EQ);
      if (c1 === 0x2b && text.charCodeAt(i + 2) === 0x3e) return take(p, i, 3, t.LINK_OUT);
      if (c1 === 0x3e && text.charCodeAt(i + 2) === 0x3a) return take(p, i, 3, t.LINK_OUT_OPEN);
      if (c1 === 0x3a && p.formatNesting !== p.nesting) return take(p, i, 2, t.LINK_OUT_OPEN);
      return take(p, i, 1, t.PLUS);
    case 0x2d: // -
      if (c1 === 0x3e) return text.charCodeAt(i + 2) === 0x3a ? take(p, i, 3, t.HOP_OUT_OPEN) : take(p, i, 2, t.ARROW);
      if (c1 === 0x3d) return take(p, i, 2, t.MINUS_EQ);
      if (c1 === 0x2d && text.charCodeAt(i + 2) === 0x3e) return take(p, i, 3, t.HOP_OUT);
      if (c1 === 0x3a && p.formatNesting !== p.nesting) return take(p, i, 2, t.HOP_OUT_OPEN);
      return take(p, i, 1, t.MINUS);
    case 0x2e: // .
      if (c1 === 0x2e && text.charCodeAt(i + 2) === 0x2e) return take(p, i, 3, t.ELLIPSIS);
      if (c1 === 0x3e) return take(p, i, 2, t.DOT_PIPE);
      if (c1 >= 0x30 && c1 <= 0x39) {
        p.end = scanNumber(text, i);
        return t.NUMBER;
      }
      return take(p, i, 1, t.DOT);
    case 0x2f: // /
      if (c1 === 0x2f)
        return text.charCodeAt(i + 2) === 0x3d ? take(p, i, 3, t.SLASH_SLASH_EQ) : take(p, i, 2, t.SLASH_SLASH);
      return c1 === 0x3d ? take(p, i, 2, t.SLASH_EQ) : take(p, i, 1, t.SLASH);
    case 0x3a: // :
      return scanColon(p, text, i, c1);
    case 0x3c: // <
      return scanLess(p, text, i, c1);
    case 0x3d: // =
      if (c1 === 0x3d) return take(p, i, equalsLength(text, i), t.EQ);
      return c1 === 0x3e ? take(p, i, 2, t.FAT_ARROW) : take(p, i, 1, t.ASSIGN);
    case 0x3e: // >
      if (c1 === 0x3e) return text.charCodeAt(i + 2) === 0x3d ? take(p, i, 3, t.SHR_EQ) : take(p, i, 2, t.SHR);
      return c1 === 0x3d ? take(p, i, 2, t.GE) : take(p, i, 1, t.GT);
    case 0x40: // @
      return c1 === 0x3d ? take(p, i, 2, t.AT_EQ) : take(p, i, 1, t.AT);
    case 0x5e: // ^
      return c1 === 0x3d ? take(p, i, 2, t.CARET_EQ) : take(p, i, 1, t.CARET);
    default: // |
      if (c1 === 0x3e) return take(p, i, 2, t.PIPE);
      if (c1 === 0x7c) return take(p, i, 2, t.OR_OR);
      return c1 === 0x3d ? take(p, i, 2, t.BAR_EQ) : take(p, i, 1, t.BAR);
  }
}

/** At depth 0 of a format field only `:=` is more than a colon (docs/language/lexical.md#formatted-strings). */
/** Length of `==` or `!=`, also as JavaScript spells them: `===`, `!==`. */
function equalsLength(text: string, i: number): 2 | 3 {
  return text.charCodeAt(i + 2) === 0x3d ? 3 : 2;
}

function scanColon(p: Parser, text: string, i: number, c1: number): number {
  if (c1 === 0x3d) return take(p, i, 2, t.WALRUS);
  if (p.formatNesting === p.nesting) return take(p, i, 1, t.COLON);
  if (c1 === 0x3e) return take(p, i, 2, t.COLON_GT);
  const c2 = text.charCodeAt(i + 2);
  if (c2 === 0x3e) {
    if (c1 === 0x2d) return take(p, i, 3, t.HOP_OUT_CLOSE);
    if (c1 === 0x2b) return take(p, i, 3, t.LINK_OUT_CLOSE);
  } else if (c1 === 0x3c) {
    if (c2 === 0x2d) return take(p, i, 3, t.HOP_IN_CLOSE);
    if (c2 === 0x2b) return take(p, i, 3, t.LINK_IN_CLOSE);
  }
  return take(p, i, 1, t.COLON);
}

function scanLess(p: Parser, text: string, i: number, c1: number): number {
  const c2 = text.charCodeAt(i + 2);
  switch (c1) {
    case 0x2d: // <-
      if (c2 === 0x3a) return take(p, i, 3, t.HOP_IN_OPEN);
      if (c2 !== 0x2d) break;
      return text.charCodeAt(i + 3) === 0x3e ? take(p, i, 4, t.HOP_ANY) : take(p, i, 3, t.HOP_IN);
    case 0x2b: // <+
      if (c2 === 0x3a) return take(p, i, 3, t.LINK_IN_OPEN);
      if (c2 !== 0x2b) break;
      return text.charCodeAt(i + 3) === 0x3e ? take(p, i, 4, t.LINK_ANY) : take(p, i, 3, t.LINK_IN);
    case 0x3d: // <=
      return take(p, i, 2, t.LE);
    case 0x3c: // <<
      return c2 === 0x3d ? take(p, i, 3, t.SHL_EQ) : take(p, i, 2, t.SHL);
    case 0x7c: // <|
      return take(p, i, 2, t.PIPE_BACK);
    case 0x3a: // <:
      return take(p, i, 2, t.LT_COLON);
    case 0x2e: // <. but not before a digit, where it compares with `.5`
      if (c2 < 0x30 || c2 > 0x39) return take(p, i, 2, t.PIPE_DOT);
  }
  return take(p, i, 1, t.LT);
}

function take(p: Parser, start: number, length: number, kind: number): number {
  p.end = start + length;
  return kind;
}

/** End of the run of characters no token begins with. */
function endOfBad({ text, length }: Parser, start: number): number {
  let end = start;
  while (end < length) {
    const c = text.charCodeAt(end);
    if (c < 128 && classOf[c] !== BAD) break;
    end++;
  }
  return end;
}

/** End of a text of JavaScript with values in it, in one line; undefined where a backtick begins something else. */
function endOfTemplate(text: string, start: number): number | undefined {
  inTicks.lastIndex = start;
  const [found] = inTicks.exec(text) ?? [];
  return found?.includes('${') === true ? inTicks.lastIndex : undefined;
}

const inTicks = /`[^`\n]{0,4000}`/y;

/** Reports what is no token and skips it; what follows is not blamed again. */
function skipBad(p: Parser, start: number, end = endOfBad(p, start)): number {
  const { text } = p;
  complain(
    p,
    'E0105',
    start,
    end,
    { c: nameOfCharacter(text.codePointAt(start)!) },
    { help: meantByCharacter(text, start) },
  );
  p.failures++;
  p.quietAfter = p.prevEnd;
  return end;
}

function nameOfCharacter(point: number): string {
  const isVisible = point > 0x20 && point !== 0x7f && !(point >= 0x80 && point <= 0xa0) && point !== 0xfeff;
  if (isVisible && !(point >= 0x2000 && point <= 0x200f) && !(point >= 0xd800 && point <= 0xdfff))
    return String.fromCodePoint(point);
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** `svc:ignore` or `svc:ignore[CODE,CODE]` at the start of a line comment's text. */
function noteSuppression(p: Parser, start: number, end: number): void {
  const { text } = p;
  let i = start;
  while (i < end && (text.charCodeAt(i) === 0x20 || text.charCodeAt(i) === 0x09)) i++;
  if (text.charCodeAt(i) !== 0x73 || !text.startsWith('svc:ignore', i)) return;
  i += 'svc:ignore'.length;
  if (text.charCodeAt(i) !== 0x5b) {
    if (i >= end || !continuesWord(text.charCodeAt(i))) p.report.suppress(start);
    return;
  }
  const close = text.indexOf(']', i);
  const list = text.slice(i + 1, close < 0 || close > end ? end : close);
  p.report.suppress(
    start,
    list
      .split(',')
      .map((code) => code.trim())
      .filter((code) => code !== ''),
  );
}

function makeClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  const set = (chars: string, kind: number) => {
    for (const char of chars) classes[char.charCodeAt(0)] = kind;
  };
  set(' \t\f\n\r', BLANK);
  for (let c = 0; c < 128; c++) if (/[A-Za-z_]/.test(String.fromCharCode(c))) classes[c] = WORD;
  set('0123456789', DIGIT);
  set('(){}[],;~?', SINGLE);
  set('!%&*+-./:<=>@^|', OPERATOR);
  set('"\'', QUOTE);
  set('#', HASH);
  set('`', TICK);
  return classes;
}

function makeSingles(): Uint8Array {
  const kinds = new Uint8Array(128);
  const brackets = [
    t.LPAREN,
    t.RPAREN,
    t.LBRACKET,
    t.RBRACKET,
    t.LBRACE,
    t.RBRACE,
    t.COMMA,
    t.SEMI,
    t.TILDE,
    t.QUESTION,
  ];
  for (const kind of brackets) kinds[t.spelling[kind]!.charCodeAt(0)] = kind;
  return kinds;
}

function makeWordParts(): Uint8Array {
  const parts = new Uint8Array(128);
  for (let c = 0; c < 128; c++) if (/\w/.test(String.fromCharCode(c))) parts[c] = 1;
  return parts;
}

/**
 * Formatted strings (docs/language/lexical.md#formatted-strings). The scanner stops behind the opening quote; the text
 * is read here, expressions by the parser.
 */
import type { Expression, FormatPart, Joined, StringLiteral } from './ast.ts';
import { complain, describe, fail, failUnclosed, forgetFrom } from './complain.ts';
import { decodeText } from './escapes.ts';
import { parseExpression } from './expressions.ts';
import { beginsWord, next } from './lexer.ts';
import type { Parser } from './parser.ts';
import { isUnwinding, leaveDepth, tooDeep } from './recover.ts';
import { parseYield } from './simple-statements.ts';
import { compact, missing, take } from './syntax.ts';
import * as t from './tokens.ts';

type Part = StringLiteral | FormatPart;

/** Literal around the fields: how its text is read, and where it ends. */
interface Text {
  readonly start: number;
  readonly raw: boolean;
  readonly quote: number;
  readonly isTriple: boolean;
}

/** The formatted string whose prefix and opening quote are the current token. Without fields it is a plain literal. */
export function parseFormatted(p: Parser): Joined | StringLiteral {
  const { start } = p;
  if (tooDeep(p)) return { kind: 'StringLiteral', start: p.prevEnd, end: p.prevEnd, bytes: false, value: '' };
  const from = p.end;
  const quote = p.text.charCodeAt(from - 1);
  const isTriple = p.text.charCodeAt(from - 2) === quote && p.text.charCodeAt(from - 3) === quote;
  const raw = p.text.slice(start, from).toLowerCase().includes('r');
  const text: Text = { start, raw, quote, isTriple };
  const parts: Part[] = [];
  const end = parseParts(p, text, from, false, parts);
  leaveDepth(p);
  p.end = end;
  next(p);
  if (isUnwinding(p)) p.quietStart = p.start;
  if (parts.some((part) => part.kind === 'FormatPart')) return { kind: 'Joined', start, end, parts: compact(parts) };
  const value = parts.map((part) => (part.kind === 'StringLiteral' ? part.value : '')).join('');
  return { kind: 'StringLiteral', start, end, bytes: false, value };
}

/**
 * Reads text and fields from `from` into `parts`. For a whole string: to behind its closing quote. For a format spec: to the `}` that
 * ends the field, or to the closing quote where it is missing. Returns the offset reached.
 */
function parseParts(p: Parser, text: Text, from: number, isSpec: boolean, parts: Part[]): number {
  const source = p.text;
  const { failures } = p;
  const kind = { bytes: false, raw: text.raw };
  let i = from;
  let start = from; // of the text since the last field
  let segment = from; // of what is not yet in `value`
  let value = '';
  const cut = () => {
    value += decodeText(p, segment, i, kind);
    if (i > start) parts.push({ kind: 'StringLiteral', start, end: i, bytes: false, value });
    value = '';
  };
  while (i < p.length) {
    const c = source.charCodeAt(i);
    if (c === text.quote && closesHere(p, text, i)) {
      cut();
      return isSpec ? i : i + (text.isTriple ? 3 : 1);
    }
    const isDoubled = !isSpec && source.charCodeAt(i + 1) === c;
    if ((c === 0x7b || c === 0x7d) && isDoubled) {
      value += decodeText(p, segment, i + 1, kind);
      i += 2;
      segment = i;
    } else if (c === 0x7b) {
      cut();
      i = parseField(p, text, i, parts);
      start = i;
      segment = i;
    } else if (c === 0x7d) {
      if (isSpec) {
        cut();
        return i;
      }
      complain(p, 'E0110', i, i + 1, { expected: '`}}`', got: '`}`' });
      i++;
    } else if (c === 0x5c && !(text.raw && source.charCodeAt(i + 1) === 0x7b)) i += skipEscape(p, text, i);
    else if ((c === 0x0a || c === 0x0d) && !text.isTriple) break;
    else i++;
  }
  i = Math.min(i, p.length);
  cut();
  if (!isSpec && !isUnwinding(p)) {
    // A broken field is why the end of the string was not seen.
    if (p.failures === failures) {
      forgetFrom(p, text.start);
      complain(p, 'E0102', text.start, text.isTriple ? from : i);
    }
    p.failures++;
    p.quietAfter = i;
    if (text.isTriple) p.quietStart = p.length;
  }
  return i;
}

/** The field whose `{` is at `open`. Returns the offset behind its `}`. */
function parseField(p: Parser, text: Text, open: number, parts: Part[]): number {
  const { nesting, formatNesting, noAsNesting, inSlot } = p;
  p.end = open + 1;
  p.nesting = nesting + 1;
  p.formatNesting = p.nesting;
  p.noAsNesting = -1;
  next(p);
  const end = parseFieldBody(p, text, open, parts);
  p.nesting = nesting;
  p.formatNesting = formatNesting;
  p.noAsNesting = noAsNesting;
  p.inSlot = inSlot;
  return end;
}

function parseFieldBody(p: Parser, text: Text, open: number, parts: Part[]): number {
  let expr: Expression;
  if (p.tok === t.RBRACE) {
    fail(p, 'E0112', open, p.end, { got: describe(p) });
    expr = missing(p);
  } else expr = p.tok === t.YIELD ? parseYield(p) : parseItems(p);
  let debugText: string | undefined;
  if (p.tok === t.ASSIGN) {
    next(p);
    debugText = p.text.slice(open + 1, p.start);
  }
  let conversion: FormatPart['conversion'];
  if (p.tok === t.BANG) {
    const letter = p.text.charAt(p.end);
    if (letter === 's' || letter === 'r' || letter === 'a') conversion = letter;
    else fail(p, 'E0110', p.start, p.end + 1, { expected: '`s`, `r` or `a`', got: `\`${letter}\`` });
    if (beginsWord(letter.charCodeAt(0))) p.end++;
    next(p);
  }
  let spec: FormatPart['spec'];
  let end: number;
  if (p.tok === t.COLON) {
    const specStart = p.end;
    const specParts: Part[] = [];
    const close = tooDeep(p) ? p.length : parseParts(p, text, specStart, true, specParts);
    if (!p.gaveUp) leaveDepth(p);
    spec = makeSpec(specParts, specStart, close);
    if (p.text.charCodeAt(close) === 0x7d) end = close + 1;
    else {
      p.prevEnd = close;
      failUnclosed(p, '{', open, '}');
      end = close;
    }
  } else if (p.tok === t.RBRACE) end = p.end;
  else end = recoverField(p, text, open);
  parts.push({ kind: 'FormatPart', start: open, end, expr, debugText, conversion, spec });
  return end;
}

/** An expression, or a tuple without brackets. */
function parseItems(p: Parser): Expression {
  const first = parseExpression(p);
  if (p.tok !== t.COMMA) return first;
  const items = [first];
  while (take(p, t.COMMA) && !endsItems(p)) items.push(parseExpression(p));
  return { kind: 'TupleExpr', start: first.start, end: p.prevEnd, items, names: undefined };
}

function endsItems(p: Parser): boolean {
  return p.tok === t.RBRACE || p.tok === t.BANG || p.tok === t.COLON || p.tok === t.ASSIGN;
}

/**
 * The field does not end where it should. If its string was closed in the middle of it, the scanner took the closing quote for the
 * opening of another string: what came of that is forgotten.
 */
function recoverField(p: Parser, text: Text, open: number): number {
  if (isUnwinding(p)) return p.length;
  const swallowed = p.pending.find(({ code, start }) => code === 'E0100' && start > open)?.start;
  let i = swallowed ?? p.start;
  if (swallowed !== undefined || p.start !== p.quietStart) {
    forgetFrom(p, swallowed === undefined ? i : open + 1);
    if (swallowed !== undefined) p.prevEnd = swallowed;
    failUnclosed(p, '{', open, '}');
  }
  while (i < p.length) {
    const c = p.text.charCodeAt(i);
    if (c === 0x7d) return i + 1;
    if (c === text.quote && closesHere(p, text, i)) return i;
    if ((c === 0x0a || c === 0x0d) && !text.isTriple) return i;
    i++;
  }
  return i;
}

function makeSpec(parts: readonly Part[], start: number, end: number): Joined | StringLiteral {
  const [only] = parts;
  if (only === undefined) return { kind: 'StringLiteral', start, end, bytes: false, value: '' };
  return parts.length === 1 && only.kind === 'StringLiteral' ? only : { kind: 'Joined', start, end, parts };
}

function closesHere(p: Parser, text: Text, i: number): boolean {
  return !text.isTriple || (p.text.charCodeAt(i + 1) === text.quote && p.text.charCodeAt(i + 2) === text.quote);
}

/** Length of a backslash and what it protects; a brace stays a brace. */
function skipEscape(p: Parser, text: Text, i: number): number {
  const c = p.text.charCodeAt(i + 1);
  if (c === 0x7b || c === 0x7d) return 1;
  if (c === 0x4e && p.text.charCodeAt(i + 2) === 0x7b && !text.raw) {
    const close = p.text.indexOf('}', i);
    if (close >= 0 && !/[\n\r"']/.test(p.text.slice(i, close))) return close + 1 - i;
  }
  return c === 0x0d && p.text.charCodeAt(i + 2) === 0x0a ? 3 : 2;
}

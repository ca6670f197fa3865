/** Tags and attributes of markup, read straight from the text at `p.end`. */
import type { Expression, Markup, MarkupAttribute, Name, SpecialRef } from './ast.ts';
import { complain, failExpected } from './complain.ts';
import { parseExpression } from './expressions.ts';
import { beginsWord, continuesWord, next, skipBlanks } from './lexer.ts';
import { peek } from './look-ahead.ts';
import { breakMarkup, closeSlot, commentEnd, readBraced } from './markup-slots.ts';
import { meantInTag } from './meant.ts';
import type { Parser } from './parser.ts';
import { isUnwinding } from './recover.ts';
import { parseStrings, stringHere } from './strings.ts';
import * as t from './tokens.ts';

export interface Tag {
  readonly tag: Markup['tag'];
  /** Name of the tag as written, without white space: the closing tag must repeat it. */
  readonly text: string;
}

/** The tag behind `<`; at `>` there is none, and it is a fragment. */
export function readTag(p: Parser): Tag {
  const { text } = p;
  const start = p.end;
  const c = text.charCodeAt(start);
  if (c === 0x3e) return { tag: undefined, text: '' };
  if (c === 0x40) {
    if (text.charCodeAt(start + 1) === 0x7b) {
      p.end = start + 1;
      const tag = readBraced(p);
      return { tag, text: text.slice(start, p.end).replace(/\s+/g, '') };
    }
    p.end = start + 1;
    const names = readDotted(p);
    return { tag: referenceTo(names), text: text.slice(start, p.end) };
  }
  const names = readDotted(p);
  const [first] = names;
  const written = text.slice(start, p.end);
  const isHost = names.length === 1 && (/^[a-z]/.test(written) || /[-:]/.test(written));
  return { tag: isHost || first === undefined ? written : referenceTo(names), text: written };
}

/** Attributes up to and with `>` or `/>`. True when content follows. */
export function readAttributes(p: Parser, attributes: MarkupAttribute[]): boolean {
  const { text } = p;
  if (text.charCodeAt(p.end) === 0x3e) {
    p.end++;
    return true;
  }
  for (;;) {
    p.end = skipBlanks(p, p.end);
    const c = text.charCodeAt(p.end);
    if (p.end >= p.length) return breakMarkup(p, '`>` is missing');
    if (c === 0x3e) {
      p.end++;
      return true;
    }
    if (c === 0x2f && text.charCodeAt(p.end + 1) === 0x3e) {
      p.end += 2;
      return false;
    }
    if (c === 0x7b) readBracedAttribute(p, attributes);
    else if (attributeEnd(p, p.end) > p.end) attributes.push(readAttribute(p));
    else if (c === 0x3c) {
      // The next tag begins: the `>` of this one is missing.
      complain(p, 'E0110', p.end, p.end + 1, { expected: '`>`', got: '`<`' });
      return true;
    } else skipBadAttribute(p);
    if (isUnwinding(p)) return false;
  }
}

export function nameEnd(p: Parser, start: number): number {
  const { text } = p;
  let i = start;
  if (!beginsWord(text.charCodeAt(i))) return i;
  while (i < p.length) {
    const c = text.charCodeAt(i);
    if (!continuesWord(c) && c !== 0x2d && !(c === 0x3a && continuesWord(text.charCodeAt(i + 1)))) break;
    i++;
  }
  return i;
}

/** End of the name of an attribute; `start` where none begins. A `$` may stand before it: styled-components keeps such properties from the element. */
export function attributeEnd(p: Parser, start: number): number {
  const first = p.text.charCodeAt(start) === 0x24 ? start + 1 : start;
  return beginsWord(p.text.charCodeAt(first)) ? nameEnd(p, first) : start;
}

/** `name`, `name="text"`, `name={expr}` */
function readAttribute(p: Parser): MarkupAttribute {
  const { text } = p;
  const start = p.end;
  p.end = attributeEnd(p, start);
  const name = text.slice(start, p.end);
  const nameStop = p.end;
  const equals = skipBlanks(p, p.end);
  if (text.charCodeAt(equals) !== 0x3d)
    return { kind: 'MarkupAttribute', start, end: nameStop, name, value: undefined };
  p.end = skipBlanks(p, equals + 1);
  const c = text.charCodeAt(p.end);
  let value: Expression | undefined;
  if (c === 0x7b) value = readBraced(p);
  else if (c === 0x22 || c === 0x27 || beginsWord(c)) value = readAttributeString(p);
  if (value === undefined) {
    const at = p.end;
    const got = at >= p.length ? 'end of file' : `\`${text.charAt(at)}\``;
    const help = `write \`${name}="…"\` or \`${name}={…}\``;
    complain(p, 'E0110', at, at + 1, { expected: 'a string or `{`', got }, { help });
    p.end = valueEnd(p, at);
  }
  return { kind: 'MarkupAttribute', start, end: p.end, name, value };
}

/** A string literal; undefined, with nothing consumed, when it is something else. */
function readAttributeString(p: Parser): Expression | undefined {
  const { nesting } = p;
  const at = p.end;
  next(p);
  if (p.tok === t.STRING) return stringHere(p);
  if (p.tok === t.FSTRING) {
    const literal = parseStrings(p);
    p.end = literal.end;
    p.nesting = nesting;
    return literal;
  }
  p.nesting = nesting;
  p.end = at;
  return undefined;
}

/** `{**e}`, `{...e}`, `{name}`, or a comment. */
function readBracedAttribute(p: Parser, attributes: MarkupAttribute[]): void {
  const start = p.end;
  const comment = commentEnd(p, start);
  if (comment > 0) {
    p.end = comment;
    return;
  }
  const { nesting } = p;
  p.end = start + 1;
  p.nesting = nesting + 1;
  next(p);
  if (p.tok === t.STAR_STAR || p.tok === t.ELLIPSIS) {
    next(p);
    const value = parseExpression(p);
    closeSlot(p, nesting, start);
    attributes.push({ kind: 'MarkupAttribute', start, end: p.end, name: undefined, value });
    return;
  }
  if (p.tok > t.EOF && p.tok <= t.LAST_WORD && peek(p) === t.RBRACE) {
    const name = p.word;
    const value = parseExpression(p);
    closeSlot(p, nesting, start);
    attributes.push({ kind: 'MarkupAttribute', start, end: p.end, name, value });
    return;
  }
  failExpected(p, '`**`, `...` or a name');
  closeSlot(p, nesting, start);
}

function skipBadAttribute(p: Parser): void {
  const { text } = p;
  const start = p.end;
  const point = String.fromCodePoint(text.codePointAt(start)!);
  const params = { expected: 'an attribute, `>` or `/>`', got: `\`${point}\`` };
  complain(p, 'E0110', start, start + point.length, params, { help: meantInTag(point) });
  p.end = Math.max(start + point.length, valueEnd(p, start));
}

/** End of something that is no attribute: white space or the end of the tag. */
function valueEnd(p: Parser, start: number): number {
  const { text } = p;
  let i = start;
  while (i < p.length) {
    const c = text.charCodeAt(i);
    if (c <= 0x20 || c === 0x3e || c === 0x3c || c === 0x7b || (c === 0x2f && text.charCodeAt(i + 1) === 0x3e)) break;
    i++;
  }
  return i;
}

/** `a.b.c`, each part a name with `-` and one `:` allowed. */
function readDotted(p: Parser): Name[] {
  const { text } = p;
  const names: Name[] = [];
  for (;;) {
    const start = p.end;
    p.end = nameEnd(p, start);
    if (p.end === start) complain(p, 'E0113', start, start + 1, { got: `\`${text.charAt(start)}\`` });
    names.push({ kind: 'Name', start, end: p.end, text: text.slice(start, p.end), escaped: false });
    if (text.charCodeAt(p.end) !== 0x2e) return names;
    p.end++;
  }
}

const specialWords: ReadonlySet<string> = new Set(['self', 'super', 'here', 'visitor', 'root', 'props']);

function referenceTo(names: readonly Name[]): Expression {
  const [first, ...rest] = names;
  const { start, end, text } = first!;
  let expr: Expression = specialWords.has(text)
    ? { kind: 'SpecialRef', start, end, word: text as SpecialRef['word'] }
    : { kind: 'NameRef', start, end, name: text, escaped: false };
  for (const name of rest) expr = { kind: 'Attribute', start, end: name.end, object: expr, name, safe: false };
  return expr;
}

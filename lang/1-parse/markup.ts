/**
 * Markup (docs/language/lexical.md#start-of-markup, docs/language/expressions.md#markup): elements, their text and
 * closing tags. Tags and attributes: markup-tags.ts; braces: markup-slots.ts. All is read straight from the source:
 * while markup is read only `p.end` counts, the offset reached; between braces the parser reads plain tokens, whose
 * last one is the closing brace.
 */
import type { Markup, MarkupAttribute, MarkupChild } from './ast.ts';
import { complain } from './complain.ts';
import { beginsWord, next } from './lexer.ts';
import { indentationAt } from './look-ahead.ts';
import { breakMarkup, readSlot } from './markup-slots.ts';
import { nameEnd, readAttributes, readTag } from './markup-tags.ts';
import { normalizeText } from './markup-text.ts';
import type { Parser, Pending } from './parser.ts';
import { isUnwinding, leaveDepth, tooDeep } from './recover.ts';
import { none } from './syntax.ts';

/** Tells whether the `<` that is the current token, standing where an operand is due, begins an element. */
export function beginsMarkup(p: Parser): boolean {
  return beginsElement(p.text.charCodeAt(p.end));
}

/** An element; the current token is its `<`. */
export function parseMarkup(p: Parser): Markup {
  const { start, nesting, formatNesting, noAsNesting } = p;
  const mark = p.pending.length;
  const isOutermost = p.openTags.length === 0;
  p.formatNesting = -1;
  p.noAsNesting = -1;
  const element = parseElement(p, start);
  p.nesting = nesting;
  p.formatNesting = formatNesting;
  p.noAsNesting = noAsNesting;
  if (p.markupIsBroken && isOutermost && !p.gaveUp) {
    // Code that was read up to the end of the text as content of markup gives no errors of its own.
    const behind = lineAfterMarkup(p, start);
    const first = p.pending[mark];
    p.pending.length = mark;
    p.markupIsBroken = false;
    p.brokenMarkup = start;
    // A text without an end, or what other languages have, is where it broke.
    const cause = first !== undefined && first.start < behind ? first : undefined;
    if (cause !== undefined && isCause(cause)) p.pending.push(cause);
    else complain(p, 'E0104', start, tagEnd(p, start), undefined, { help: missingAt(cause) ?? p.unclosed });
    p.end = behind;
    next(p);
    p.quietStart = p.start;
    const children = element.children.filter(({ end }) => end <= behind);
    return { ...element, end: Math.min(element.end, p.prevEnd), children };
  }
  next(p);
  if (isUnwinding(p)) p.quietStart = p.start;
  return element;
}

/** The element whose `<` is at `start`; leaves `p.end` behind it. */
function parseElement(p: Parser, start: number): Markup {
  if (tooDeep(p))
    return { kind: 'Markup', start: p.prevEnd, end: p.prevEnd, tag: undefined, attributes: none, children: none };
  p.end = start + 1;
  const { tag, text } = readTag(p);
  const attributes: MarkupAttribute[] = [];
  const isOpen = isUnwinding(p) ? false : readAttributes(p, attributes);
  const children: MarkupChild[] = [];
  if (isOpen) {
    p.openTags.push(text);
    readChildren(p, text, children);
    p.openTags.pop();
  }
  leaveDepth(p);
  return { kind: 'Markup', start, end: p.end, tag, attributes, children };
}

/** Children up to and with the closing tag of the element, whose tag is `tag`. */
function readChildren(p: Parser, tag: string, children: MarkupChild[]): void {
  const { text } = p;
  let comment: { readonly start: number; readonly end: number } | undefined;
  const contentStart = p.end;
  for (;;) {
    comment = readText(p, children) ?? comment;
    if (p.end >= p.length) {
      breakMarkup(p, p.unclosed ?? missingBehind(p, tag, contentStart));
      return;
    }
    if (text.charCodeAt(p.end) === 0x7b) readSlot(p, children);
    else if (text.charCodeAt(p.end + 1) === 0x2f) {
      const isEmpty = children.length === 0 && !text.slice(contentStart, p.end).includes('{');
      if (comment !== undefined && isEmpty)
        complain(p, 'W0141', comment.start, comment.end, undefined, { help: 'write `{"#"}` for the text' });
      readClosingTag(p, tag);
      return;
    } else children.push(parseElement(p, p.end));
    if (isUnwinding(p)) return;
  }
}

function isCause({ code, details }: Pending): boolean {
  return code === 'E0100' || code === 'E0102' || (code === 'E0110' && details?.help !== undefined);
}

/** Names what is missing in a tag, where something else was found. */
function missingAt(cause: Pending | undefined): string | undefined {
  if (cause?.code !== 'E0110') return undefined;
  return `${cause.params?.['expected'] === '`}`' ? '`}`' : '`>`'} is missing`;
}

/** Names what an element lacks that was read to the end of the text: its closing tag, or the brace of a slot that swallowed it. */
function missingBehind(p: Parser, tag: string, from: number): string {
  const content = p.text.slice(from, lineAfterMarkup(p, from));
  const count = (part: string) => content.split(part).length - 1;
  const isThere = count(`</${tag}>`) > count(tag === '' ? '<>' : `<${tag}`);
  return isThere ? `a \`{\` before \`</${tag}>\` has no \`}\`` : `\`</${tag}>\` is missing`;
}

/**
 * Text up to the next slot or tag. Lines that begin with `#` and white space behind it are comments
 * (docs/language/expressions.md#markup-comments), `#news` and `#{i}` are text; the last comment is returned.
 */
function readText(p: Parser, children: MarkupChild[]): { readonly start: number; readonly end: number } | undefined {
  const { text, length } = p;
  const start = p.end;
  let raw = '';
  let segment = start;
  let isLineBlank = false;
  let comment: { readonly start: number; readonly end: number } | undefined;
  let i = start;
  for (; i < length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x0a || c === 0x0d) isLineBlank = true;
    else if (c === 0x7b) break;
    else if (c === 0x3c) {
      const after = text.charCodeAt(i + 1);
      if (after === 0x2f || beginsElement(after)) break;
      isLineBlank = false;
    } else if (c === 0x23 && isLineBlank && isBlankAt(text, i + 1)) {
      raw += text.slice(segment, i);
      const from = i;
      while (i < length && text.charCodeAt(i) !== 0x0a && text.charCodeAt(i) !== 0x0d) i++;
      comment = { start: from, end: i };
      segment = i;
      i--;
    } else if (c !== 0x20 && c !== 0x09 && c !== 0x0c) isLineBlank = false;
  }
  p.end = i;
  if (i === start) return undefined;
  const value = normalizeText(segment === start ? text.slice(start, i) : raw + text.slice(segment, i));
  if (value !== '') children.push({ kind: 'MarkupText', start, end: i, value });
  return comment;
}

function isBlankAt(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  return c === 0x20 || c === 0x09 || c === 0x0a || c === 0x0d || at >= text.length;
}

/** Elements of HTML that have no content. */
const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** `</tag>`. A tag that closes an outer element ends this one, too, and is left to it. */
function readClosingTag(p: Parser, tag: string): void {
  const { text } = p;
  const start = p.end;
  let end = start + 2;
  while (end < p.length && text.charCodeAt(end) !== 0x3e && text.charCodeAt(end) !== 0x3c) end++;
  const written = text.slice(start + 2, end).replace(/\s+/g, '');
  const isClosed = text.charCodeAt(end) === 0x3e;
  const behind = isClosed ? end + 1 : end;
  if (written !== tag) {
    const help = empty.test(tag) ? `an element without content ends with \`/>\`: \`<${tag} />\`` : undefined;
    if (p.quietAfter !== start) complain(p, 'E0170', start, behind, { a: tag, b: written }, { help });
    p.quietAfter = start;
    const outer = p.openTags.lastIndexOf(written, p.openTags.length - 2);
    if (p.openTags.length > 1 && outer >= 0) return;
    // Closed behind it after all: this one was only too many.
    if (isClosingTagAt(p, skipSpace(p, behind), tag)) {
      p.end = skipSpace(p, behind);
      readClosingTag(p, tag);
      return;
    }
  } else if (!isClosed)
    complain(p, 'E0110', end, end + 1, { expected: '`>`', got: end >= p.length ? 'end of file' : '`<`' });
  p.end = behind;
}

function isClosingTagAt(p: Parser, i: number, tag: string): boolean {
  return p.text.startsWith(`</${tag}`, i) && p.text.charCodeAt(i + 2 + tag.length) === 0x3e;
}

function skipSpace(p: Parser, i: number): number {
  while (i < p.length && p.text.charCodeAt(i) <= 0x20) i++;
  return i;
}

/**
 * Finds the line at which code goes on behind broken markup: the first one less indented that begins with `}` or a
 * declaration.
 */
function lineAfterMarkup(p: Parser, start: number): number {
  const limit = indentationAt(p, start);
  const line =
    /^([ \t]*)(?:\}|@\w|(?:(?:async|cl|sv|static|override)[ \t]+)*(?:def|can|has|obj|class|node|edge|walker|enum|impl|glob|import|include|test|sem|with)\b)/gm;
  line.lastIndex = start + 1;
  for (let match = line.exec(p.text); match !== null; match = line.exec(p.text)) {
    const [, blanks = ''] = match;
    if (blanks.length < limit || blanks.length === 0) return Math.min(match.index + blanks.length, p.length);
  }
  return p.length;
}

function beginsElement(c: number): boolean {
  return c === 0x3e || c === 0x40 || beginsWord(c);
}

function tagEnd(p: Parser, start: number): number {
  const c = p.text.charCodeAt(start + 1);
  return c === 0x3e || c === 0x40 ? start + 2 : nameEnd(p, start + 1);
}

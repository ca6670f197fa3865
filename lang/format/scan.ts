/**
 * The tokens of a parsed text, all of them and in order: what the formatter prints again. The tree says where markup begins; the rest
 * is the scanner's plain mode. Strings, formatted strings, text of markup and foreign code are one opaque token each.
 */
import type { Markup, Node } from '../1-parse/ast.ts';
import { parseFormatted } from '../1-parse/formatted.ts';
import { beginsWord, next, skipBlanks } from '../1-parse/lexer.ts';
import { commentEnd } from '../1-parse/markup-slots.ts';
import { attributeEnd, nameEnd } from '../1-parse/markup-tags.ts';
import { takeBracketedWord } from '../1-parse/old-escape.ts';
import { createParser, type Parser } from '../1-parse/parser.ts';
import * as t from '../1-parse/tokens.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { createReporter } from '../diagnostics.ts';
import type { Source } from '../source.ts';

// ---- token kinds of markup, behind those of plain mode
/** `<tag`, `<@`, `<` of a fragment. */
export const TAG: number = t.COUNT;
export const ATTRIBUTE: number = t.COUNT + 1;
/** `>` of an opening tag. */
export const TAG_END: number = t.COUNT + 2;
/** `/>` */
export const TAG_SELF_END: number = t.COUNT + 3;
/** `</tag>` */
export const TAG_CLOSE: number = t.COUNT + 4;
/** Words of text that stand on one line; white space between them may become a line end. */
export const TEXT: number = t.COUNT + 5;
/** A comment of markup: in braces, or a line of text that begins with `#`. */
export const TEXT_COMMENT: number = t.COUNT + 6;
/** `::py:: … ::py::` */
export const FOREIGN: number = t.COUNT + 7;

export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly kinds: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Token number by the offset it starts at; -1 elsewhere. */
  readonly at: Int32Array;
  /** Partner of a bracket; of the `<tag` and `</tag>` or `/>` of an element. */
  readonly match: Int32Array;
  /** True at `i` where the gap between the tokens `i - 1` and `i` is white space of markup text, not of plain mode. */
  readonly inText: readonly boolean[];
}

interface Scan {
  readonly p: Parser;
  readonly kinds: number[];
  readonly starts: number[];
  readonly ends: number[];
  readonly inText: boolean[];
  readonly elements: ReadonlyMap<number, Markup>;
  readonly partners: (readonly [number, number])[];
}

/** Tokens of the text `tree` was parsed from without syntax error. */
export function scanTokens(source: Source, tree: Node): Tokens {
  const p = createParser(source, createReporter(source));
  const scan: Scan = { p, kinds: [], starts: [], ends: [], inText: [], elements: findElements(tree), partners: [] };
  readPlain(scan, p.end, false);
  const count = scan.kinds.length;
  const at = new Int32Array(p.length + 1).fill(-1);
  for (let i = 0; i < count; i++) at[scan.starts[i]!] = i;
  return {
    text: source.text,
    count,
    kinds: scan.kinds,
    starts: scan.starts,
    ends: scan.ends,
    at,
    match: findPartners(scan),
    inText: scan.inText,
  };
}

/** Elements by the offset they begin at. Long chains are deep trees: this one does not call itself. */
function findElements(tree: Node): ReadonlyMap<number, Markup> {
  const found = new Map<number, Markup>();
  const open: Node[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'Markup') found.set(node.start, node);
    forEachChild(node, (child) => open.push(child));
  }
  return found;
}

function add(scan: Scan, kind: number, start: number, end: number, inText = false): void {
  scan.kinds.push(kind);
  scan.starts.push(start);
  scan.ends.push(end);
  scan.inText.push(inText);
}

/** Plain mode from `from` to the end of the text or to the `}` that closes what was opened before; gives the offset behind it. */
function readPlain(scan: Scan, from: number, toBrace: boolean): number {
  const { p } = scan;
  let depth = 0;
  p.end = from;
  next(p);
  while (p.tok !== t.EOF) {
    const { tok, start, end } = p;
    if (tok === t.FSTRING) {
      parseFormatted(p);
      add(scan, t.STRING, start, p.prevEnd);
      continue;
    }
    if (tok === t.LT && scan.elements.has(start)) p.end = readElement(scan, scan.elements.get(start)!);
    else if (tok === t.LT && p.text.charCodeAt(end) === 0x3e) {
      p.end = end + 1;
      next(p);
      add(scan, t.NAME, start, p.end);
    } else if (tok === t.LT && takeBracketedWord(p)) add(scan, p.tok, start, p.end);
    else if (tok === t.COLON && p.text.startsWith('::py::', start)) {
      p.end = p.text.indexOf('::py::', start + 6) + 6;
      add(scan, FOREIGN, start, p.end);
    } else {
      add(scan, tok, start, end);
      if (tok === t.LBRACE) depth++;
      else if (tok === t.RBRACE && --depth < 0 && toBrace) return end;
    }
    next(p);
  }
  return p.length;
}

/** Tokens of an element; gives the offset behind it. */
function readElement(scan: Scan, element: Markup): number {
  const first = scan.kinds.length;
  let i = readTag(scan, element.start);
  const { p } = scan;
  let attribute = 0;
  for (;;) {
    i = skipBlanks(p, i);
    const c = p.text.charCodeAt(i);
    if (c === 0x3e) {
      add(scan, TAG_END, i, i + 1);
      i = readContent(scan, element, i + 1);
      break;
    }
    if (c === 0x2f) {
      add(scan, TAG_SELF_END, i, i + 2);
      i += 2;
      break;
    }
    const here = element.attributes[attribute];
    if (here === undefined || here.start > i) i = readComment(scan, i, commentEnd(p, i));
    else {
      attribute++;
      i = c === 0x7b ? readBraces(scan, i) : readAttribute(scan, i, here.end);
    }
  }
  scan.partners.push([first, scan.kinds.length - 1]);
  return i;
}

/** `<tag`, `<@a.b`, or `<@` and an expression in braces. */
function readTag(scan: Scan, start: number): number {
  const { p } = scan;
  const isDynamic = p.text.charCodeAt(start + 1) === 0x40;
  let i = start + (isDynamic ? 2 : 1);
  if (isDynamic && p.text.charCodeAt(i) === 0x7b) {
    add(scan, TAG, start, i);
    return readBraces(scan, i);
  }
  for (;;) {
    i = nameEnd(p, i);
    if (p.text.charCodeAt(i) !== 0x2e) break;
    i++;
  }
  add(scan, TAG, start, i);
  return i;
}

function readComment(scan: Scan, start: number, end: number): number {
  add(scan, TEXT_COMMENT, start, end);
  return end;
}

function readAttribute(scan: Scan, start: number, end: number): number {
  const { p } = scan;
  const stop = attributeEnd(p, start);
  add(scan, ATTRIBUTE, start, stop);
  const equals = skipBlanks(p, stop);
  if (stop >= end || p.text.charCodeAt(equals) !== 0x3d) return stop;
  add(scan, t.ASSIGN, equals, equals + 1);
  const value = skipBlanks(p, equals + 1);
  if (p.text.charCodeAt(value) === 0x7b) return readBraces(scan, value);
  add(scan, t.STRING, value, end);
  return end;
}

/** `{ … }` in markup. */
function readBraces(scan: Scan, open: number): number {
  const { text } = scan.p;
  add(scan, t.LBRACE, open, open + 1);
  let from = open + 1;
  while (isBlank(text.charCodeAt(from))) from++;
  if (text.startsWith('/*', from)) from = readComment(scan, from, text.indexOf('*/', from) + 2);
  return readPlain(scan, from, true);
}

/** Children up to and with the closing tag. */
function readContent(scan: Scan, element: Markup, start: number): number {
  const { p } = scan;
  const { text } = p;
  const children = element.children.filter(({ kind }) => kind !== 'MarkupText');
  let child = 0;
  let i = start;
  for (;;) {
    i = readText(scan, i);
    const here = children[child];
    if (here !== undefined && here.start === i) {
      child++;
      const first = scan.kinds.length;
      i = here.kind === 'Markup' ? readElement(scan, here) : readBraces(scan, i);
      scan.inText[first] = true;
    } else if (text.charCodeAt(i) === 0x7b) {
      const end = commentEnd(p, i);
      add(scan, TEXT_COMMENT, i, end, true);
      i = end;
    } else {
      const end = text.indexOf('>', i) + 1;
      add(scan, TAG_CLOSE, i, end, true);
      return end;
    }
  }
}

/** `</ tag >` without its blanks. */
export function closingTag(text: string): string {
  return text.replace(/^<\/\s+/, '</').replace(/\s+>$/, '>');
}

/** Text up to the next brace or tag: words, and comments that fill a line. */
function readText(scan: Scan, start: number): number {
  const { text } = scan.p;
  let i = start;
  let isLineStart = false;
  for (;;) {
    let c = text.charCodeAt(i);
    while (isBlank(c)) {
      isLineStart ||= c === 0x0a || c === 0x0d;
      c = text.charCodeAt(++i);
    }
    if (c === 0x7b || beginsTag(text, i)) return i;
    const from = i;
    const behind = text.charCodeAt(i + 1);
    if (c === 0x23 && isLineStart && (isBlank(behind) || Number.isNaN(behind))) {
      while (c !== 0x0a && c !== 0x0d) c = text.charCodeAt(++i);
      add(scan, TEXT_COMMENT, from, trimmedEnd(text, from, i), true);
    } else {
      while (c !== 0x7b && !beginsTag(text, i) && !endsWord(text, i)) c = text.charCodeAt(++i);
      add(scan, TEXT, from, i, true);
    }
    isLineStart = false;
  }
}

/** A word of text ends at white space; one that more blanks or a `#` follow goes on, since no line end may take their place. */
function endsWord(text: string, i: number): boolean {
  const c = text.charCodeAt(i);
  if (c === 0x0a || c === 0x0d) return true;
  if (!isBlank(c)) return false;
  let end = i;
  while (text.charCodeAt(end) === 0x20 || text.charCodeAt(end) === 0x09 || text.charCodeAt(end) === 0x0c) end++;
  const after = text.charCodeAt(end);
  if (after === 0x0a || after === 0x0d || after === 0x7b || beginsTag(text, end)) return true;
  return end === i + 1 && c === 0x20 && after !== 0x23;
}

function beginsTag(text: string, i: number): boolean {
  if (text.charCodeAt(i) !== 0x3c) return false;
  const after = text.charCodeAt(i + 1);
  return after === 0x2f || after === 0x3e || after === 0x40 || beginsWord(after);
}

function trimmedEnd(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && isBlank(text.charCodeAt(i - 1))) i--;
  return i;
}

/** White space as the language has it: text of markup keeps every other kind. */
export function isBlank(c: number): boolean {
  return c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09 || c === 0x0c;
}

function findPartners({ kinds, partners }: Scan): Int32Array {
  const match = new Int32Array(kinds.length).fill(-1);
  const open: number[] = [];
  for (let i = 0; i < kinds.length; i++) {
    const kind = kinds[i]!;
    if (kind < t.LPAREN || kind > t.RBRACE) continue;
    if (((kind - t.LPAREN) & 1) === 0) open.push(i);
    else partners.push([open.pop() ?? i, i]);
  }
  for (const [from, to] of partners) {
    match[from] = to;
    match[to] = from;
  }
  return match;
}

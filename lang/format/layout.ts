/**
 * The plan of a text: a gap between any two tokens, and groups of tokens that stand on one line or are broken into several together.
 * The rules for each construct mark gaps and groups here; break-groups.ts and print.ts turn the plan into text. No rule adds, drops or
 * moves a token.
 */

import type { Expression, Span } from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { type Trivia, triviaBefore } from './comments.ts';
import { defaultGap, LINE, NONE, SOFT, SPACE } from './gaps.ts';
import type { Tokens } from './scan.ts';

/** Tokens `open` to `close`. Broken, its own LINE and SOFT gaps become line ends; the gaps `from` to `to` are then indented. */
export interface Group {
  readonly open: number;
  readonly close: number;
  readonly from: number;
  readonly to: number;
  /** Steps of indentation. */
  readonly steps: number;
  /** Broken whatever fits. */
  forced: boolean;
  /** Broken when anything in it is. A group that is not lets what is inside span lines between its own first and last one. */
  readonly strict: boolean;
  /** First token of each item of a list, and whether the item may span lines while the list does not. */
  readonly items: readonly number[] | undefined;
  readonly hugs: readonly boolean[] | undefined;
  /** Bracket that opens the last item of a list that may be broken in its place. */
  readonly hugAt: number;
  /** The line has to have room up to this token. */
  readonly fitTo: number;
  /** Broken unless this token is on the line; -1 for none. */
  readonly head: number;
  /** Broken when this one is. */
  readonly leader: Group | undefined;

  // ---- found out by break-groups.ts
  parent: Group | undefined;
  /** True when something inside is broken. */
  contains: boolean;
  /** Items with something broken inside: how many, and the first of them. */
  brokenItems: number;
  brokenItem: number;
  /** Set when the printer comes to `open`. */
  isBroken: boolean;
}

export interface GroupOptions {
  readonly from?: number;
  readonly to?: number;
  readonly steps?: number;
  readonly forced?: boolean;
  readonly strict?: boolean;
  readonly items?: readonly number[];
  readonly hugs?: readonly boolean[];
  readonly hugAt?: number;
  readonly fitTo?: number;
  readonly head?: number;
  readonly leader?: Group | undefined;
}

/** Kinds of item that begin at a token: an element of a module or a member of an archetype. */
export type BodyItem = 'doc' | 'import' | 'block' | 'other';

export interface Layout {
  readonly tokens: Tokens;
  readonly gaps: Uint8Array;
  readonly trivia: readonly Trivia[];
  /** Line ends before and in the tokens up to a number, that of the token included. */
  readonly lines: Int32Array;
  /** Tokens with a line end in them. */
  readonly spansLines: readonly boolean[];
  readonly groups: Group[];
  /** Brackets that belong to a construct (`owned`), and those seen to group an expression (`grouping`). */
  readonly claimed: Uint8Array;
  readonly bodyItems: Map<number, BodyItem>;
  /** `<.` occurs, the one operator whose tree is in another order than its tokens. */
  readonly hasPipeDot: boolean;
}

export const owned = 1;
export const grouping = 2;

export function createLayout(tokens: Tokens): Layout {
  const { count, text, starts, ends } = tokens;
  const gaps = new Uint8Array(count + 1);
  const trivia: Trivia[] = [];
  const lines = new Int32Array(count + 1);
  const spansLines: boolean[] = [];
  let total = 0;
  for (let i = 0; i < count; i++) {
    gaps[i] = defaultGap(tokens, i);
    const found = triviaBefore(tokens, i);
    trivia.push(found);
    total += found.newlines;
    for (const comment of found.comments) total += comment.newlines + countLines(comment.text, 0, comment.text.length);
    const inside = ends[i]! - starts[i]! > 1 ? countLines(text, starts[i]!, ends[i]!) : 0;
    spansLines.push(inside > 0);
    total += inside;
    lines[i] = total;
  }
  trivia.push(triviaBefore(tokens, count));
  return {
    tokens,
    gaps,
    trivia,
    lines,
    spansLines,
    groups: [],
    claimed: new Uint8Array(count),
    bodyItems: new Map(),
    hasPipeDot: tokens.kinds.includes(t.PIPE_DOT),
  };
}

function countLines(text: string, start: number, end: number): number {
  let found = 0;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x0a || (c === 0x0d && text.charCodeAt(i + 1) !== 0x0a)) found++;
  }
  return found;
}

/** Tells whether the author put the tokens `from` to `to` on one line. */
export function isOneLine(l: Layout, from: number, to: number): boolean {
  return l.lines[to]! - l.lines[from]! === 0;
}

/** Tells whether the author began a line with token `i`. */
export function beginsLine(l: Layout, i: number): boolean {
  const { comments, newlines } = l.trivia[i]!;
  return newlines > 0 || comments.some((comment) => comment.newlines > 0);
}

export function firstOf(l: Layout, span: Span): number {
  const found = l.tokens.at[span.start]!;
  return found >= 0 ? found : tokenBehind(l, span.start);
}

export function lastOf(l: Layout, span: Span): number {
  return tokenBehind(l, span.end) - 1;
}

/** First token that starts at or behind an offset. */
function tokenBehind({ tokens: { starts, count } }: Layout, offset: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First and last token of an expression, with the parentheses around it that are nobody else's. */
export function outerOf(l: Layout, span: Span): readonly [number, number] {
  const { kinds, match } = l.tokens;
  let first = firstOf(l, span);
  let last = lastOf(l, span);
  while (
    first > 0 &&
    kinds[first - 1] === t.LPAREN &&
    l.claimed[first - 1] !== owned &&
    match[first - 1] === last + 1
  ) {
    first--;
    last++;
  }
  return [first, last];
}

export function setGap(l: Layout, i: number, gap: number): void {
  l.gaps[i] = gap;
}

export function addGroup(l: Layout, open: number, close: number, options: GroupOptions = {}): Group {
  const group: Group = {
    open,
    close,
    from: options.from ?? open + 1,
    to: options.to ?? close,
    steps: options.steps ?? 1,
    forced: options.forced ?? false,
    strict: options.strict ?? false,
    items: options.items,
    hugs: options.hugs,
    hugAt: options.hugAt ?? -1,
    fitTo: options.fitTo ?? close,
    head: options.head ?? -1,
    leader: options.leader,
    parent: undefined,
    contains: false,
    brokenItems: 0,
    brokenItem: -1,
    isBroken: false,
  };
  if (open >= 0 && close >= open) l.groups.push(group);
  return group;
}

export interface ListOptions {
  /** Blanks inside the brackets on one line, as in `{ a, b }`. */
  readonly pad?: boolean;
  /** Marks of the author that break a list: a comma behind the last item, or also a line end behind the bracket. */
  readonly keep?: 'line' | 'comma';
  /** A comma behind so many items says nothing. */
  readonly least?: number;
  /** Between items: LINE or FILL. */
  readonly between?: number;
  readonly hugs?: readonly boolean[];
  readonly hugAt?: number;
}

/** Items between brackets, each with its first token; the list is broken into one line for each, or not at all. */
export function markList(l: Layout, open: number, items: readonly number[], options: ListOptions = {}): void {
  const { kinds, match } = l.tokens;
  const close = match[open]!;
  l.claimed[open] = owned;
  const edge = options.pad === true ? LINE : SOFT;
  if (close === open + 1) {
    setGap(l, close, NONE);
    addGroup(l, open, close, { to: close - 1 });
    return;
  }
  setGap(l, open + 1, edge);
  for (const item of items) if (item > open + 1) setGap(l, item, options.between ?? LINE);
  setGap(l, close, edge);
  const isKept =
    (options.keep === 'line' && beginsLine(l, open + 1)) ||
    (options.keep !== undefined && kinds[close - 1] === t.COMMA && items.length > (options.least ?? 0));
  addGroup(l, open, close, {
    to: close - 1,
    items,
    hugs: options.hugs ?? items.map(() => false),
    hugAt: options.hugAt ?? -1,
    forced: isKept,
  });
}

/** Calls `visit` with every token from `from` to `to` that is in none of the spans, which are in order. */
export function eachOwn(
  l: Layout,
  from: number,
  to: number,
  parts: readonly (Span | undefined)[],
  visit: (token: number, kind: number) => void,
): void {
  let i = from;
  for (const part of [...parts, undefined]) {
    const stop = part === undefined ? to + 1 : Math.min(firstOf(l, part), to + 1);
    for (; i < stop; i++) visit(i, l.tokens.kinds[i]!);
    if (part !== undefined) i = Math.max(i, lastOf(l, part) + 1);
  }
}

/** Spacing of `name: type = value`; `=` stands close where there is no type, as in arguments. */
export function markTyped(
  l: Layout,
  from: number,
  to: number,
  parts: readonly (Expression | undefined)[],
  isLoose: boolean,
): void {
  const own = parts.filter((part) => part !== undefined);
  eachOwn(l, from, to, own, (i, kind) => {
    if (kind === t.ASSIGN) {
      setGap(l, i, isLoose ? SPACE : NONE);
      setGap(l, i + 1, isLoose ? SPACE : NONE);
    } else if (kind === t.COLON) setGap(l, i, NONE);
    else if (kind === t.STAR || kind === t.STAR_STAR || kind === t.AMP) setGap(l, i + 1, NONE);
  });
}

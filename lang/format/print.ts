/**
 * The text of a plan: every token in its order, with the white space the plan and the width ask for. Whether a group is broken is decided
 * when its first token is reached, by looking ahead no further than the line is wide; so printing takes time linear in the text.
 */

import * as t from '../1-parse/tokens.ts';
import { endsLine, forceGroups, nestGroups } from './break-groups.ts';
import type { Comment } from './comments.ts';
import { FILL, HARD, KEPT, LINE, SOFT, SPACE, wouldMerge } from './gaps.ts';
import type { BodyItem, Group, Layout } from './layout.ts';
import { closingTag, TAG_CLOSE } from './scan.ts';

export interface PrintOptions {
  /** Characters in a line, where it can be broken. */
  readonly width: number;
  /** Blanks for a step of indentation. */
  readonly indent: number;
}

interface Printer {
  readonly l: Layout;
  readonly options: PrintOptions;
  readonly eol: string;
  readonly owners: readonly (Group | undefined)[];
  readonly out: string[];
  column: number;
  /** Line ends so far. */
  line: number;
  /** Line each token began on. */
  readonly lineOf: Int32Array;
  /** Bodies by the group their items stand in; undefined for the module. */
  readonly bodies: Map<Group | undefined, Body>;
}

/** The items of a module or archetype as they are printed. */
interface Body {
  /** Index in `out` at which a blank line before the current item would stand; -1 before the first. */
  slot: number;
  sort: BodyItem;
  /** Line the current item began on. */
  line: number;
}

export function printLayout(l: Layout, options: PrintOptions): string {
  const owners = nestGroups(l);
  forceGroups(l, owners);
  const p: Printer = {
    l,
    options,
    eol: lineEndOf(l),
    owners,
    out: [],
    column: 0,
    line: 0,
    lineOf: new Int32Array(l.tokens.count),
    bodies: new Map(),
  };
  const { count, text } = l.tokens;
  let next = 0;
  for (let i = 0; i < count; i++) {
    printGap(p, i);
    for (; next < l.groups.length && l.groups[next]!.open === i; next++) decide(p, l.groups[next]!);
    p.lineOf[i] = p.line;
    write(p, tokenText(l, i));
  }
  printEnd(p);
  const bom = text.charCodeAt(0) === 0xfeff ? '\ufeff' : '';
  return bom + p.out.join('');
}

function tokenText({ tokens: { text, kinds, starts, ends } }: Layout, i: number): string {
  const found = text.slice(starts[i], ends[i]);
  return kinds[i] === TAG_CLOSE ? closingTag(found) : found;
}

/** The line end the author used first, but for those inside of strings and comments, which stay. */
function lineEndOf({ tokens: { text, count, starts, ends }, trivia }: Layout): string {
  for (let i = 1; i <= count; i++) {
    const { comments, newlines } = trivia[i]!;
    if (newlines > 0 && comments.length === 0)
      return text.slice(ends[i - 1], starts[i]).includes('\r\n') ? '\r\n' : '\n';
  }
  return '\n';
}

function write(p: Printer, text: string): void {
  p.out.push(text);
  const last = text.lastIndexOf('\n');
  if (last < 0) {
    p.column += text.length;
    return;
  }
  p.column = text.length - last - 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) p.line++;
}

/** Ends the line. Gives the place in `out` where a blank line may be put later. */
function newline(p: Printer, columns: number, isBlank: boolean): number {
  const slot = p.out.length;
  p.out.push(isBlank ? p.eol : '', p.eol, ' '.repeat(columns));
  p.column = columns;
  p.line++;
  return slot;
}

function indentAt(p: Printer, i: number): number {
  let steps = 0;
  for (let group = p.owners[i]; group !== undefined; group = group.parent)
    if (group.isBroken && i >= group.from && i <= group.to) steps += group.steps;
  return steps * p.options.indent;
}

// ---------------------------------------------------------------- gaps

function printGap(p: Printer, i: number): void {
  const { l } = p;
  const owner = p.owners[i];
  const isClosing = owner !== undefined && owner.close === i;
  if (isClosing) endItem(p, owner);
  const sort = l.bodyItems.get(i);
  const needsBlank = sort !== undefined && beginItem(p, owner, sort);
  const first = printTrivia(p, i, isClosing, needsBlank);
  const body = sort === undefined ? undefined : p.bodies.get(owner);
  if (body === undefined) return;
  body.slot = i === 0 || owner?.open === i - 1 ? -1 : first;
  body.line = p.line;
}

/** White space and comments before token `i`. Gives the slot of the first line end, or -1. */
function printTrivia(p: Printer, i: number, isClosing: boolean, needsBlank: boolean): number {
  const { comments, newlines } = p.l.trivia[i]!;
  const owner = p.owners[i];
  const breaks = isBroken(p, i) && i > 0;
  const isOpening = i === 0 || owner?.open === i - 1;
  const mayBeBlank = keepsBlank(p, i);
  const columns = indentAt(p, i);
  if (comments.length === 0) {
    if (breaks) return newline(p, columns, needsBlank || (mayBeBlank && !isOpening && !isClosing && newlines > 1));
    write(p, flatGap(p, i));
    return -1;
  }
  const inner = isClosing && owner!.isBroken ? columns + owner!.steps * p.options.indent : columns;
  const prefix = prefixStart(comments, newlines);
  let slot = -1;
  const end = (at: number, isBlank: boolean) => {
    const found = newline(p, at, isBlank || (needsBlank && slot < 0));
    if (slot < 0) slot = found;
  };
  let needsEnd = false;
  for (const [n, comment] of comments.entries()) {
    const isOwnLine = n > 0 ? comment.newlines > 0 : comment.newlines > 0 && prefix > 0;
    if (needsEnd || (n === prefix && breaks && n === 0) || (isOwnLine && (i > 0 || n > 0)))
      end(inner, mayBeBlank && (n > 0 || !isOpening) && comment.newlines > 1);
    else if (i > 0 || n > 0) write(p, n >= prefix ? inlineBefore(p, i) : '  ');
    write(p, comment.text);
    needsEnd = !comment.isBlock;
  }
  if (prefix === comments.length) end(columns, mayBeBlank && !isClosing && newlines > 1);
  else write(p, needsSpaceBehind(p, i) ? ' ' : '');
  return slot;
}

/** First of the block comments that stand directly before the token, on its line. */
function prefixStart(comments: readonly Comment[], newlines: number): number {
  if (newlines > 0) return comments.length;
  let first = comments.length;
  while (first > 0 && comments[first - 1]!.isBlock) {
    first--;
    if (comments[first]!.newlines > 0) break;
  }
  return first;
}

function inlineBefore(p: Printer, i: number): string {
  const before = p.l.tokens.kinds[i - 1]!;
  return before === t.LPAREN || before === t.LBRACKET || before === t.LBRACE ? '' : ' ';
}

function needsSpaceBehind(p: Printer, i: number): boolean {
  const kind = p.l.tokens.kinds[i]!;
  return kind !== t.COMMA && kind !== t.SEMI && kind !== t.RPAREN && kind !== t.RBRACKET && kind !== t.RBRACE;
}

function isBroken(p: Printer, i: number): boolean {
  const owner = p.owners[i];
  switch (p.l.gaps[i]) {
    case HARD:
      return true;
    case LINE:
    case SOFT:
      return owner?.isBroken === true;
    case FILL:
      return owner?.isBroken !== false && !hasRoom(p, i, p.column + 1, i);
    default:
      return false;
  }
}

/** Tells whether a blank line the author left here stays. */
function keepsBlank(p: Printer, i: number): boolean {
  const { gaps, tokens } = p.l;
  const kind = gaps[i];
  if (kind === HARD) return true;
  if (kind !== LINE && kind !== SOFT) return p.l.trivia[i]!.comments.length > 0;
  return tokens.inText[i]! || tokens.kinds[i - 1] === t.COMMA;
}

function flatGap(p: Printer, i: number): string {
  const { tokens, gaps } = p.l;
  switch (gaps[i]) {
    case KEPT:
      return tokens.text.slice(tokens.ends[i - 1]!, tokens.starts[i]!);
    case SPACE:
    case LINE:
    case FILL:
      return ' ';
    default:
      return i > 0 && wouldMerge(tokens, i) ? ' ' : '';
  }
}

function printEnd(p: Printer): void {
  const { l } = p;
  const { comments } = l.trivia[l.tokens.count]!;
  endItem(p, undefined);
  for (const [n, comment] of comments.entries()) {
    const isFirst = n === 0 && l.tokens.count === 0;
    if (comment.newlines > 0 && !isFirst) newline(p, 0, comment.newlines > 1);
    else if (!isFirst) write(p, '  ');
    write(p, comment.text);
  }
  if (p.out.length > 0) p.out.push(p.eol);
}

// ---------------------------------------------------------------- blank lines between the items of a body

/** A blank line belongs before and behind a declaration with a body of several lines, and behind imports. */
function endItem(p: Printer, owner: Group | undefined): boolean {
  const body = p.bodies.get(owner);
  if (body === undefined || body.sort !== 'block' || p.line === body.line) return false;
  if (body.slot >= 0) p.out[body.slot] = p.eol;
  return true;
}

/** Gives whether a blank line belongs before the item. */
function beginItem(p: Printer, owner: Group | undefined, sort: BodyItem): boolean {
  const before = p.bodies.get(owner);
  const wasLong = endItem(p, owner);
  p.bodies.set(owner, { slot: -1, sort, line: p.line });
  if (before === undefined) return false;
  return wasLong || before.sort === 'doc' || (before.sort === 'import' && sort !== 'import');
}

// ---------------------------------------------------------------- groups

function decide(p: Printer, group: Group): void {
  if (group.forced || startsBefore(p, group.head)) group.isBroken = true;
  else if (group.leader !== undefined) group.isBroken = group.leader.isBroken;
  else if (hasRoom(p, group.open, p.column, group.fitTo)) group.isBroken = false;
  else group.isBroken = group.hugAt < 0 || !hasRoomUpTo(p, group, group.hugAt);
}

/** A block goes on where its head ends only when the head is on one line. */
function startsBefore(p: Printer, head: number): boolean {
  return head >= 0 && p.lineOf[head] !== p.line;
}

/** Tells whether the line has room from token `i` at `column` to the first place behind `end` at which it may end. */
function hasRoom(p: Printer, i: number, column: number, end: number): boolean {
  const { width } = p.options;
  const { tokens, gaps } = p.l;
  let reached = column;
  for (let n = i; ; n++) {
    const size = firstLineLength(p, n);
    reached += size;
    if (reached > width) return false;
    if (size < tokens.ends[n]! - tokens.starts[n]!) return true;
    const gap = n + 1;
    if (gap >= tokens.count || endsLine(p.l, gap)) return true;
    const kind = gaps[gap];
    if (kind === LINE || kind === SOFT) {
      const owner = p.owners[gap];
      if (owner?.forced) return true;
      if (n >= end && (owner === undefined || owner.isBroken || owner.open > end)) return true;
    } else if (kind === FILL && n >= end) return true;
    reached += gapLength(p, gap);
  }
}

function hasRoomUpTo(p: Printer, group: Group, last: number): boolean {
  let reached = p.column;
  for (let n = group.open; n <= last; n++) {
    if (n > group.open) {
      const isLine = p.l.gaps[n] === LINE || p.l.gaps[n] === SOFT;
      if (endsLine(p.l, n) || (isLine && p.owners[n]?.forced)) return false;
      reached += gapLength(p, n);
    }
    reached += firstLineLength(p, n);
    if (reached > p.options.width) return false;
  }
  return true;
}

function firstLineLength(p: Printer, n: number): number {
  const { text, starts, ends } = p.l.tokens;
  const start = starts[n]!;
  const end = ends[n]!;
  // Only opaque tokens span lines.
  if (end - start < 6 || !p.l.spansLines[n]) return end - start;
  return text.indexOf('\n', start) - start;
}

/** Gives the length of a gap in which no line ends, as `printTrivia` writes it. */
function gapLength(p: Printer, i: number): number {
  const { comments } = p.l.trivia[i]!;
  if (comments.length === 0) return flatGap(p, i).length;
  const before = inlineBefore(p, i).length;
  return comments.reduce((length, { text }) => length + before + text.length, needsSpaceBehind(p, i) ? 1 : 0);
}

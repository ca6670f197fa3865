/**
 * Rules for markup (docs/language/expressions.md#markup). White space in its text has a meaning: only what means
 * nothing or one blank may become a line end.
 */
import type * as ast from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { markExpression } from './expressions.ts';
import { FILL, HARD, KEPT, LINE, NONE, SOFT } from './gaps.ts';
import { addGroup, firstOf, type Layout, lastOf, outerOf, owned, setGap } from './layout.ts';
import { ATTRIBUTE, TAG, TAG_CLOSE, TAG_END, TAG_SELF_END, TEXT, TEXT_COMMENT } from './scan.ts';
import { markStatements } from './statements.ts';

export function markMarkup(l: Layout, e: ast.Markup): void {
  const first = firstOf(l, e);
  const last = l.tokens.match[first]!;
  const tagEnd = markTag(l, e, first);
  if (tagEnd === last) return;
  markChildren(l, e, first, tagEnd, last);
}

/** The opening tag; an attribute on each line when it is broken. Gives its last token. */
function markTag(l: Layout, e: ast.Markup, first: number): number {
  const { kinds, match } = l.tokens;
  let i = first + 1;
  if (kinds[i] === t.LBRACE && typeof e.tag === 'object' && l.tokens.starts[i]! < e.tag.start) {
    l.claimed[i] = owned;
    setGap(l, i, NONE);
    markExpression(l, e.tag);
    i = match[i]! + 1;
  }
  const items: number[] = [];
  while (kinds[i] !== TAG_END && kinds[i] !== TAG_SELF_END) {
    setGap(l, i, LINE);
    items.push(i);
    if (kinds[i] === ATTRIBUTE && kinds[i + 1] === t.ASSIGN) {
      setGap(l, i + 1, NONE);
      setGap(l, i + 2, NONE);
      i += 2;
    }
    i = kinds[i] === t.LBRACE ? match[i]! + 1 : i + 1;
  }
  setGap(l, i, items.length === 0 && kinds[i] === TAG_END ? NONE : kinds[i] === TAG_END ? SOFT : LINE);
  addGroup(l, first, i, { to: i - 1, items, hugs: items.map(() => items.length === 1) });
  for (const attribute of e.attributes) markValue(l, attribute);
  return i;
}

function markValue(l: Layout, attribute: ast.MarkupAttribute): void {
  const { value } = attribute;
  const last = lastOf(l, attribute);
  const open = l.tokens.match[last]!;
  if (value === undefined || l.tokens.kinds[last] !== t.RBRACE) return;
  l.claimed[open] = owned;
  setGap(l, open + 1, NONE);
  setGap(l, last, NONE);
  const [from] = outerOf(l, value);
  setGap(l, from, NONE);
  markExpression(l, value);
}

/** Lays out the children between the tags. Broken, each child is on a line of its own, as far as white space allows. */
function markChildren(l: Layout, e: ast.Markup, first: number, tagEnd: number, last: number): void {
  const { kinds, match } = l.tokens;
  let forced = false;
  for (let i = tagEnd + 1; ; i = behind(l, i)) {
    const gap = childGap(l, i, i === tagEnd + 1 || i === last);
    setGap(l, i, gap);
    if (hasLineEnd(l, i) && kinds[i] !== TEXT && gap !== NONE) forced = true;
    if (hasLineEnd(l, i) && i === tagEnd + 1 && i !== last) forced = true;
    if (i === last) break;
  }
  if (last === tagEnd + 1) {
    setGap(l, last, NONE);
    return;
  }
  addGroup(l, first, last, { from: tagEnd + 1, to: last - 1, forced, strict: true });
  for (const child of e.children) {
    if (child.kind === 'Markup') markMarkup(l, child);
    else if (child.kind === 'MarkupSlot') markSlot(l, child, match);
  }
}

/** The token behind the child that begins at `i`. */
function behind({ tokens: { kinds, match } }: Layout, i: number): number {
  return kinds[i] === TAG || kinds[i] === t.LBRACE ? match[i]! + 1 : i + 1;
}

function childGap(l: Layout, i: number, isEdge: boolean): number {
  const { kinds, starts, ends } = l.tokens;
  const before = kinds[i - 1]!;
  const after = kinds[i]!;
  if (isLineComment(l, i) || isLineComment(l, i - 1)) return HARD;
  if (hasLineEnd(l, i)) return before === TEXT && after === TEXT ? LINE : SOFT;
  const isGlued = starts[i] === ends[i - 1];
  if (!isGlued) return before === TEXT && after === TEXT ? FILL : KEPT;
  if (isEdge) return SOFT;
  const isElement = (kind: number) => kind === TAG || kind === TAG_CLOSE || kind === TAG_SELF_END;
  return isElement(before) && isElement(after) ? SOFT : NONE;
}

/** A line of text that begins with `#`. */
function isLineComment({ tokens: { kinds, text, starts } }: Layout, i: number): boolean {
  return kinds[i] === TEXT_COMMENT && text.charCodeAt(starts[i]!) === 0x23;
}

function hasLineEnd({ tokens: { text, starts, ends } }: Layout, i: number): boolean {
  for (let at = ends[i - 1]!; at < starts[i]!; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x0a || c === 0x0d) return true;
  }
  return false;
}

/** `{e}`, `{for x in xs { … }}`: one expression or statement stands close to its braces. */
function markSlot(l: Layout, e: Extract<ast.MarkupChild, { kind: 'MarkupSlot' }>, match: Int32Array): void {
  const open = firstOf(l, e);
  const close = match[open]!;
  l.claimed[open] = owned;
  if (e.expr !== undefined) {
    setGap(l, open + 1, NONE);
    setGap(l, close, NONE);
    markExpression(l, e.expr);
    return;
  }
  const statements = e.statements ?? [];
  const isBroken = statements.length > 1;
  setGap(l, open + 1, isBroken ? HARD : NONE);
  setGap(l, close, isBroken ? HARD : NONE);
  addGroup(l, open, close, { to: close - 1, forced: isBroken, steps: isBroken ? 1 : 0 });
  markStatements(l, statements, HARD, open + 1);
}

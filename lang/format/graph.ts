/**
 * Rules for filters, edge references, connect and disconnect operators (docs/language/expressions.md#filters,
 * docs/language/graph.md#edge-references, docs/language/graph.md#connect).
 */
import type * as ast from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { markExpression } from './expressions.ts';
import { LINE, NONE, SOFT, SPACE } from './gaps.ts';
import { addGroup, eachOwn, firstOf, type Layout, lastOf, markList, outerOf, owned, setGap } from './layout.ts';

/** `[?:T, a > 1]`, close to what it filters. */
export function markFilter(l: Layout, e: ast.FilterSpec): void {
  const open = firstOf(l, e);
  const firsts = e.conditions.map((condition) => firstOf(l, condition));
  if (e.type !== undefined && firstOf(l, e.type) === open) {
    markCallOfType(l, e, e.type, firsts);
    return;
  }
  setGap(l, open, NONE);
  const items = e.type === undefined ? [open + 1, ...firsts.slice(1)] : [open + 1, ...firsts];
  markList(l, open, items);
  for (let i = open + 2; i <= lastOf(l, e) && l.tokens.kinds[i - 1] !== t.COLON; i++) {
    if (l.tokens.kinds[i] === t.QUESTION || l.tokens.kinds[i] === t.COLON) setGap(l, i, NONE);
    if (l.tokens.kinds[i - 1] === t.QUESTION) setGap(l, i, NONE);
    if (l.tokens.kinds[i] === t.COLON && l.tokens.kinds[i - 1] === t.QUESTION) setGap(l, i + 1, NONE);
  }
  if (e.type !== undefined) markExpression(l, e.type);
  for (const condition of e.conditions) markExpression(l, condition.value);
}

/** `Profile(a == 1)` behind a hop, as filters were once written there. */
function markCallOfType(l: Layout, e: ast.FilterSpec, type: ast.Expression, firsts: readonly number[]): void {
  setGap(l, firstOf(l, e), SPACE);
  const open = lastOf(l, type) + 1;
  setGap(l, open, NONE);
  markList(l, open, firsts);
  markExpression(l, type);
  for (const condition of e.conditions) markExpression(l, condition.value);
}

/** `xs(=a=1, b=2)` */
export function markAssignTrailer(l: Layout, e: ast.AssignTrailer): void {
  markExpression(l, e.object);
  const open = l.tokens.match[lastOf(l, e)]!;
  setGap(l, open, NONE);
  const firsts = e.fields.map(({ name }) => firstOf(l, name));
  markList(l, open, [open + 1, ...firsts.slice(1)]);
  setGap(l, open + 2, NONE);
  markFields(l, e.fields);
}

function markFields(l: Layout, fields: ast.AssignTrailer['fields']): void {
  for (const { name, value } of fields) {
    const first = firstOf(l, name);
    setGap(l, first + 1, NONE);
    setGap(l, first + 2, NONE);
    markExpression(l, value);
  }
}

/** `[edge a ->:E:-> [?:T] -->]`: a line for each hop when it is broken. */
export function markEdgeRef(l: Layout, e: ast.EdgeRef): void {
  const open = firstOf(l, e);
  if (l.tokens.kinds[open] !== t.LBRACKET) {
    markBareHops(l, e);
    return;
  }
  markOldMarker(l, open);
  const close = lastOf(l, e);
  l.claimed[open] = owned;
  setGap(l, open + 1, SOFT);
  setGap(l, close, SOFT);
  addGroup(l, open, close, { to: close - 1 });
  if (e.origin !== undefined) markExpression(l, e.origin);
  for (const hop of e.hops) {
    const first = firstOf(l, hop);
    if (first > open + 1) setGap(l, first, LINE);
    markEdgeOp(l, hop.op);
    if (hop.filter !== undefined) markFilter(l, hop.filter);
    if (hop.only !== undefined) {
      setGap(l, outerOf(l, hop.only)[0], SPACE);
      markExpression(l, hop.only);
    }
  }
}

/** `visit -->;`, without brackets, and `-->[0]`, whose subscript belongs to it. */
function markBareHops(l: Layout, e: ast.EdgeRef): void {
  for (const { op } of e.hops) markEdgeOp(l, op);
  const after = lastOf(l, e) + 1;
  if (l.tokens.kinds[after] === t.LBRACKET) setGap(l, after, NONE);
}

/** `:edge:` before the bracket, as it once stood there. */
function markOldMarker(l: Layout, open: number): void {
  const { kinds, starts, ends, text } = l.tokens;
  if (kinds[open - 1] !== t.COLON || kinds[open - 3] !== t.COLON) return;
  const word = text.slice(starts[open - 2], ends[open - 2]);
  if (word !== 'e' && word !== 'edge' && word !== 'n' && word !== 'node') return;
  setGap(l, open - 3, SPACE);
  for (let i = open - 2; i <= open; i++) setGap(l, i, NONE);
}

/** `->:E:w > 5:->`, without blanks around the arrows. */
export function markEdgeOp(l: Layout, e: ast.EdgeOp): void {
  const parts = [e.type, ...e.conditions];
  eachOwn(l, firstOf(l, e), lastOf(l, e), parts, (i, kind) => {
    if (kind !== t.COLON) return;
    setGap(l, i, NONE);
    setGap(l, i + 1, NONE);
  });
  if (e.type !== undefined) markExpression(l, e.type);
  for (const condition of e.conditions) markExpression(l, condition.value);
}

/** `a +>: E(w=1) :+> b`, `a +>: E : w=1 :+> b` */
export function markConnect(l: Layout, e: ast.Connect): void {
  if (e.edge === undefined) return;
  const [from, to] = outerOf(l, e.edge);
  setGap(l, from, SPACE);
  setGap(l, to + 1, SPACE);
  setGap(l, to + 2, SPACE);
  markExpression(l, e.edge);
  markFields(l, e.fields);
  // `<+:E:+` ends with the sign.
  const sign = outerOf(l, e.right)[0] - 1;
  if (l.tokens.kinds[sign] !== t.PLUS) return;
  setGap(l, sign, NONE);
  setGap(l, sign - 1, SPACE);
}

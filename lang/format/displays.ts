/**
 * Rules for what stands in brackets (docs/language/expressions.md#atoms, docs/language/expressions.md#comprehensions):
 * groups, tuples, lists, sets, dictionaries, comprehensions.
 */
import type * as ast from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { markExpression } from './expressions.ts';
import { FILL, LINE, NONE, SOFT } from './gaps.ts';
import {
  addGroup,
  beginsLine,
  firstOf,
  grouping,
  type Layout,
  lastOf,
  markList,
  outerOf,
  owned,
  setGap,
} from './layout.ts';

/**
 * The parentheses around an expression that only group it. Gives how far its second line stands in: directly inside parentheses, which
 * stand in themselves, not at all.
 */
export function markParens(l: Layout, e: ast.Expression, steps: number): number {
  const { kinds, match } = l.tokens;
  let first = firstOf(l, e);
  let last = lastOf(l, e);
  let found = steps;
  while (first > 0 && kinds[first - 1] === t.LPAREN && l.claimed[first - 1] === 0 && match[first - 1] === last + 1) {
    l.claimed[first - 1] = grouping;
    setGap(l, first, SOFT);
    setGap(l, last + 1, SOFT);
    first--;
    last++;
    // An expression that had no room on the line of the parenthesis is not put back there once it is broken.
    addGroup(l, first, last, { to: last - 1, strict: !isCompact(e) || beginsLine(l, first + 1) });
    found = 0;
  }
  return found;
}

/** These may begin on the line of the bracket before them and end on that of the bracket behind them. */
export function isCompact(e: ast.Expression): boolean {
  switch (e.kind) {
    case 'Lambda':
      return e.body.kind === 'Block';
    case 'FunctionExpr':
    case 'DictExpr':
    case 'ListExpr':
    case 'SetExpr':
    case 'TupleExpr':
    case 'Comprehension':
      return true;
    default:
      return false;
  }
}

/** Bracket with which a compact expression can be broken in place of the list it ends; -1 for others. */
export function hugBracket(l: Layout, e: ast.Expression): number {
  if (!isCompact(e)) return -1;
  const { kinds } = l.tokens;
  if (e.kind === 'Lambda') return firstOf(l, e.body);
  const first = firstOf(l, e);
  return kinds[first] === t.LBRACE || kinds[first] === t.LBRACKET || kinds[first] === t.LPAREN ? first : -1;
}

export function markItems(l: Layout, e: ast.TupleExpr | ast.ListExpr | ast.SetExpr): void {
  const open = firstOf(l, e);
  if (isBracketed(l, e)) {
    l.claimed[open] = owned;
    const firsts = e.items.map((item, n) => itemStart(l, e, item, n));
    const sole = e.items.length === 1 ? e.items[0] : undefined;
    const isNumbers = e.items.length > 3 && e.items.every(isNumber);
    markList(l, open, firsts, {
      keep: e.kind === 'TupleExpr' ? 'comma' : 'line',
      least: e.kind === 'TupleExpr' ? 1 : 0,
      between: isNumbers ? FILL : LINE,
      hugs: e.items.map(() => sole !== undefined && isCompact(sole)),
      hugAt: sole === undefined ? -1 : hugBracket(l, sole),
    });
  }
  for (const item of e.items) markExpression(l, item);
}

/** Gives the token an item begins with: in `(a=1, b=2)` its name. */
function itemStart(l: Layout, e: ast.TupleExpr | ast.ListExpr | ast.SetExpr, item: ast.Expression, n: number): number {
  const name = e.kind === 'TupleExpr' ? e.names?.[n] : undefined;
  if (name === undefined) return outerOf(l, item)[0];
  const first = firstOf(l, name);
  setGap(l, first + 1, NONE);
  setGap(l, first + 2, NONE);
  return first;
}

function isNumber(e: ast.Expression): boolean {
  return e.kind === 'NumberLiteral' || (e.kind === 'Unary' && e.operand.kind === 'NumberLiteral');
}

export function markDict(l: Layout, e: ast.DictExpr): void {
  const open = firstOf(l, e);
  l.claimed[open] = owned;
  const firsts = e.entries.map(({ key, value }) => outerOf(l, key ?? value)[0] - (key === undefined ? 1 : 0));
  markList(l, open, firsts, { keep: 'line', hugs: e.entries.map(() => false) });
  for (const { key, value } of e.entries) {
    if (key === undefined) setGap(l, outerOf(l, value)[0], NONE);
    else markExpression(l, key);
    markExpression(l, value);
  }
}

/** The brackets around it are its own: a generator that is the only argument of a call has none. */
export function isBracketed(l: Layout, e: ast.Expression): boolean {
  const first = firstOf(l, e);
  const kind = l.tokens.kinds[first]!;
  return kind >= t.LPAREN && kind <= t.RBRACE && l.tokens.match[first] === lastOf(l, e);
}

/** The clauses of a comprehension each begin a line when it is broken. */
export function markComprehension(l: Layout, e: ast.Comprehension): void {
  const first = firstOf(l, e);
  const last = lastOf(l, e);
  if (isBracketed(l, e)) {
    l.claimed[first] = owned;
    setGap(l, first + 1, SOFT);
    setGap(l, last, SOFT);
    addGroup(l, first, last, { to: last - 1, strict: true });
  } else addGroup(l, first, last, { steps: 0, strict: true });
  if (e.key !== undefined) markExpression(l, e.key);
  markExpression(l, e.value);
  for (const clause of e.clauses) {
    setGap(l, firstOf(l, clause), LINE);
    markExpression(l, clause.target);
    markExpression(l, clause.iter);
    for (const condition of clause.conditions) {
      markExpression(l, condition);
      setGap(l, outerOf(l, condition)[0] - 1, LINE);
    }
  }
}

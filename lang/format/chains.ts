/**
 * Rules for calls, attributes and subscripts (docs/language/expressions.md#calls,
 * docs/language/expressions.md#attributes, docs/language/expressions.md#subscripts).
 */
import type * as ast from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { hugBracket, isBracketed, isCompact } from './displays.ts';
import { markExpression } from './expressions.ts';
import { NONE, SOFT, SPACE } from './gaps.ts';
import { addGroup, eachOwn, firstOf, type Layout, lastOf, markList, outerOf, owned, setGap } from './layout.ts';

/** Number of calls in a row from which a chain is broken before its dots. */
const callsInChain = 3;

export function markCall(l: Layout, e: ast.Call): void {
  if (l.hasPipeDot && isTurned(e)) {
    markTurned(l, e);
    return;
  }
  openChain(l, e);
  markExpression(l, e.callee);
  const open = l.tokens.match[lastOf(l, e)]!;
  setGap(l, open, NONE);
  markArguments(l, open, e.args);
}

function markArguments(l: Layout, open: number, args: readonly ast.Argument[]): void {
  l.claimed[open] = owned;
  const firsts = args.map((arg) => (arg.sort === 'positional' ? outerOf(l, arg.value)[0] : firstOf(l, arg)));
  const last = args[args.length - 1];
  const sameKind = args.filter(({ value }) => value.kind === last?.value.kind).length > 1;
  const hugs = args.map(({ value }, n) => {
    if (n > 0 && n < args.length - 1) return false;
    if (args.length === 1 && isCompact(value)) return true;
    // An argument on a line of its own stays there: one that had no room is not put back once it is broken.
    if (l.trivia[firsts[0]!]!.newlines > 0) return false;
    return isCompact(value) || (args.length === 1 && (value.kind === 'Call' || value.kind === 'Await'));
  });
  const isGenerator = args.length === 1 && last?.value.kind === 'Comprehension' && !isBracketed(l, last.value);
  markList(l, open, firsts, {
    keep: 'comma',
    hugs: isGenerator ? [false] : hugs,
    hugAt: last === undefined || !mayHug(last.value, args.length, sameKind) ? -1 : hugBracket(l, last.value),
  });
  for (const arg of args) markArgument(l, arg);
}

/** Broken in place of the list: any display that is alone in it, a function or dictionary at its end. */
function mayHug(e: ast.Expression, count: number, sameKind: boolean): boolean {
  return count === 1 || (!sameKind && (e.kind === 'Lambda' || e.kind === 'FunctionExpr' || e.kind === 'DictExpr'));
}

/** `f(k=1, *xs, **o)` */
export function markArgument(l: Layout, arg: ast.Argument): void {
  const [from] = outerOf(l, arg.value);
  if (arg.sort !== 'positional') setGap(l, from, NONE);
  if (arg.sort === 'keyword') setGap(l, from - 1, NONE);
  markExpression(l, arg.value);
}

/** `a.b`, `a?.b`, `a .> b`. */
export function markAttributeChain(l: Layout, e: ast.Attribute): void {
  if (l.hasPipeDot && isTurned(e)) {
    markTurned(l, e);
    return;
  }
  markExpression(l, e.object);
  const [, end] = outerOf(l, e.object);
  const name = firstOf(l, e.name);
  for (let i = end + 1; i <= name; i++) {
    const isPipe = l.tokens.kinds[i] === t.DOT_PIPE || l.tokens.kinds[i - 1] === t.DOT_PIPE;
    if (isPipe) setGap(l, i, SPACE);
    else if (l.gaps[i] !== SOFT) setGap(l, i, NONE);
  }
}

/** `f(1) <. x` means `x.f(1)`, and its tree says so: what is written last is the innermost object. */
function isTurned(e: ast.Call | ast.Attribute): boolean {
  let here: ast.Expression = e;
  for (;;) {
    if (here.kind === 'Call') here = here.callee;
    else if (here.kind === 'Attribute') {
      if (here.name.start < here.object.start) return true;
      here = here.object;
    } else return false;
  }
}

function markTurned(l: Layout, e: ast.Expression): void {
  if (e.kind === 'Call') {
    for (const arg of e.args) markArgument(l, arg);
    markTurned(l, e.callee);
  } else if (e.kind === 'Attribute') markTurned(l, e.object);
  else markExpression(l, e);
}

/** The dots of a long chain, when `e` is its last call. They are set before what is inside is looked at, which leaves them. */
function openChain(l: Layout, e: ast.Call): void {
  if (isPartOfChain(l, e)) return;
  const dots: number[] = [];
  let here: ast.Expression = e;
  for (;;) {
    if (here.kind === 'Call') {
      const { callee }: ast.Call = here;
      if (callee.kind === 'Attribute' && callee.start === here.start) {
        const dot = outerOf(l, callee.object)[1] + 1;
        if (l.tokens.kinds[dot] === t.DOT || l.tokens.kinds[dot] === t.QUESTION) dots.push(dot);
        here = callee.object;
      } else here = callee;
    } else if (here.kind === 'Attribute' || here.kind === 'Index' || here.kind === 'Filter') here = here.object;
    else break;
    if (here.start !== e.start) break;
  }
  for (const dot of dots) l.claimed[dot] = owned;
  if (dots.length < callsInChain) return;
  addGroup(l, firstOf(l, e), lastOf(l, e), { from: dots[dots.length - 1]!, strict: true });
  for (const dot of dots) setGap(l, dot, SOFT);
}

/** Tells whether a call is part of a chain: its dot was seen with it. */
function isPartOfChain(l: Layout, e: ast.Call): boolean {
  return e.callee.kind === 'Attribute' && l.claimed[outerOf(l, e.callee.object)[1] + 1] === owned;
}

export function markIndex(l: Layout, e: ast.Index): void {
  markExpression(l, e.object);
  const close = lastOf(l, e);
  const open = l.tokens.match[close]!;
  setGap(l, open, NONE);
  if (l.tokens.kinds[open - 1] === t.QUESTION) setGap(l, open - 1, NONE);
  const isTuple = e.index.kind === 'TupleExpr' && firstOf(l, e.index) === open + 1 && l.tokens.match[open + 1] === -1;
  const parts = isTuple ? (e.index as ast.TupleExpr).items : [e.index];
  markList(
    l,
    open,
    parts.map((part) => outerOf(l, part)[0]),
    { hugs: parts.map(() => false) },
  );
  for (const part of parts) {
    if (part.kind === 'Slice') markSlice(l, part, open, close);
    else markExpression(l, part);
  }
}

function markSlice(l: Layout, e: ast.Slice, open: number, close: number): void {
  const parts = [e.lower, e.upper, e.step].filter((part) => part !== undefined);
  eachOwn(l, Math.max(open + 1, firstOf(l, e)), Math.min(close - 1, lastOf(l, e)), parts, (i, kind) => {
    if (kind !== t.COLON) return;
    if (i > open + 1 && l.tokens.kinds[i - 1] !== t.COMMA) setGap(l, i, NONE);
    if (i + 1 < close && l.tokens.kinds[i + 1] !== t.COMMA) setGap(l, i + 1, NONE);
  });
  for (const part of parts) markExpression(l, part);
}

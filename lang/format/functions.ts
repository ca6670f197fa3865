/**
 * Rules for functions and abilities (docs/language/functions.md#functions, docs/language/walkers.md#abilities) and what
 * stands before any declaration.
 */
import type * as ast from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { markExpression } from './expressions.ts';
import { HARD, NONE, SPACE } from './gaps.ts';
import { firstOf, type Layout, lastOf, markList, markTyped, setGap } from './layout.ts';
import { markBlock } from './statements.ts';

/** Documentation and decorators, each on its own line. */
export function markHead(
  l: Layout,
  e: {
    readonly start: number;
    readonly end: number;
    readonly doc: ast.StringLiteral | undefined;
    readonly decorators?: readonly ast.Expression[];
  },
): void {
  const { kinds } = l.tokens;
  const first = firstOf(l, e);
  if (e.doc !== undefined) {
    markExpression(l, e.doc);
    setGap(l, lastOf(l, e.doc) + 1, HARD);
  }
  for (const decorator of e.decorators ?? []) {
    const at = firstOf(l, decorator) - 1;
    const isPlaced = at > first && (kinds[at - 1] === t.CL || kinds[at - 1] === t.SV || kinds[at - 1] === t.NA);
    if (at > first) setGap(l, at, isPlaced ? SPACE : HARD);
    setGap(l, at + 1, NONE);
    markExpression(l, decorator);
    setGap(l, lastOf(l, decorator) + 1, HARD);
  }
}

/** `:pub` close to the word before it and to its name. */
export function markAccess(l: Layout, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    if (l.tokens.kinds[i] !== t.COLON) continue;
    setGap(l, i, NONE);
    setGap(l, i + 1, NONE);
    return;
  }
}

export function markTypeParams(l: Layout, params: readonly ast.TypeParam[]): void {
  const [first] = params;
  if (first === undefined) return;
  const open = firstOf(l, first) - 1;
  setGap(l, open, NONE);
  markList(
    l,
    open,
    params.map((param) => firstOf(l, param)),
  );
  for (const param of params) {
    markTyped(l, firstOf(l, param), lastOf(l, param), [param.bound, param.value], param.bound !== undefined);
    if (param.bound !== undefined) markExpression(l, param.bound);
    if (param.value !== undefined) markExpression(l, param.value);
  }
}

/** Parameters in parentheses are a list; those of a lambda without them stay on its line. */
export function markSignature(l: Layout, e: ast.Signature): void {
  const { kinds } = l.tokens;
  const open = firstOf(l, e);
  if (e.hasList && kinds[open] === t.LPAREN) {
    markList(
      l,
      open,
      e.params.map((param) => firstOf(l, param)),
      { keep: 'comma' },
    );
  }
  for (const param of e.params) {
    markTyped(l, firstOf(l, param), lastOf(l, param), [param.type, param.value], param.type !== undefined);
    if (param.type !== undefined) markExpression(l, param.type);
    if (param.value !== undefined) markExpression(l, param.value);
  }
  if (e.result !== undefined) markExpression(l, e.result);
}

export function markFunction(l: Layout, e: ast.FunctionDecl): void {
  markHead(l, e);
  const head = headStart(l, e);
  if (e.name !== undefined) {
    if (e.access !== undefined) markAccess(l, head, firstOf(l, e.name));
  }
  markTypeParams(l, e.typeParams);
  if (e.signature.hasList && e.name !== undefined) setGap(l, firstOf(l, e.signature), NONE);
  markSignature(l, e.signature);
  markBody(l, e.body, head);
}

export function markAbility(l: Layout, e: ast.Ability): void {
  markHead(l, e);
  const head = headStart(l, e);
  if (e.access !== undefined) markAccess(l, head, firstOf(l, e.event));
  markEvent(l, e.event);
  markBody(l, e.body, head);
}

export function markEvent(l: Layout, e: ast.Event): void {
  if (e.trigger !== undefined) markExpression(l, e.trigger);
}

/** First token behind documentation and decorators. */
export function headStart(
  l: Layout,
  e: {
    readonly start: number;
    readonly end: number;
    readonly doc: ast.StringLiteral | undefined;
    readonly decorators?: readonly ast.Expression[];
  },
): number {
  const before = e.decorators?.[e.decorators.length - 1] ?? e.doc;
  return before === undefined ? firstOf(l, e) : lastOf(l, before) + 1;
}

function markBody(l: Layout, body: ast.FunctionBody, head: number): void {
  if (body.kind === 'Block') markBlock(l, body, head);
  else if (body.kind === 'ByBody') markExpression(l, body.model);
}

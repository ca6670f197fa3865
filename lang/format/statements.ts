/** Rules for blocks and statements (docs/language/statements.md). */
import type * as ast from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { markDeclaration } from './declarations.ts';
import { markExpression } from './expressions.ts';
import { HARD, LINE, NONE, SPACE } from './gaps.ts';
import { addGroup, eachOwn, firstOf, type Group, isOneLine, type Layout, lastOf, owned, setGap } from './layout.ts';
import { markPattern } from './patterns.ts';

/** A block its author wrote on one line stays there with so many statements at most. */
const statementsInLine = 2;

/** Number of steps that a second line of the head of a block stands in: further than the block. */
const headSteps = 2;

/** `{ statement* }` of what begins at token `head`. */
export function markBlock(l: Layout, e: ast.Block, head: number): void {
  markBlocks(l, [e], head);
}

/** The blocks of one statement: all on its line, or all broken. */
function markBlocks(l: Layout, blocks: readonly ast.Block[], head: number): void {
  const open = firstOf(l, blocks[0]!);
  const close = lastOf(l, blocks[blocks.length - 1]!);
  const isInline = isOneLine(l, open, close) && blocks.every((block) => fitsInLine(block.statements));
  let leader: Group | undefined;
  for (const block of blocks) {
    const from = firstOf(l, block);
    const to = l.tokens.match[from]!;
    leader ??= markBraces(l, from, { isInline, fitTo: close, head });
    if (from !== open) markBraces(l, from, { isInline, fitTo: to, leader });
    markStatements(l, block.statements, isInline ? LINE : HARD, from + 1);
  }
}

export interface BraceOptions {
  /** True for a block that may stand on one line. */
  readonly isInline: boolean;
  readonly fitTo?: number;
  readonly head?: number;
  readonly leader?: Group | undefined;
}

/** The braces at `open` and the group they are; a blank inside them on one line, nothing when they are empty. */
export function markBraces(l: Layout, open: number, { isInline, fitTo, head, leader }: BraceOptions): Group {
  const close = l.tokens.match[open]!;
  l.claimed[open] = owned;
  if (open > 0 && l.gaps[open] === NONE) setGap(l, open, SPACE);
  if (close > open + 1) {
    setGap(l, open + 1, isInline ? LINE : HARD);
    setGap(l, close, isInline ? LINE : HARD);
  }
  const forced = !isInline && close > open + 1;
  return addGroup(l, open, close, {
    to: close - 1,
    strict: isInline,
    forced,
    leader,
    fitTo: fitTo ?? close,
    head: isInline && close > open + 1 ? (head ?? -1) : -1,
  });
}

export function fitsInLine(statements: readonly ast.Statement[]): boolean {
  return statements.length <= statementsInLine && statements.every(isSimple);
}

export function isSimple(e: ast.Statement | ast.Member): boolean {
  switch (e.kind) {
    case 'ReturnStatement':
    case 'CtrlStatement':
    case 'RaiseStatement':
    case 'AssertStatement':
    case 'DeleteStatement':
    case 'ScopeStatement':
    case 'ReportStatement':
    case 'AssignStatement':
    case 'AugAssign':
    case 'ExprStatement':
    case 'GlobDecl':
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      return true;
    case 'VisitStatement':
      return e.orElse === undefined;
    case 'HasDecl':
      return e.items.every(({ accessors }) => accessors === undefined);
    case 'FunctionDecl':
    case 'Ability':
      return e.body.kind !== 'Block' && e.doc === undefined && e.decorators.length === 0;
    default:
      return false;
  }
}

/** `first`: the token at which the run may begin, which has its gap already. */
export function markStatements(l: Layout, statements: readonly ast.Statement[], gap: number, first: number): void {
  for (const statement of statements) {
    const from = firstOf(l, statement);
    if (from > first) setGap(l, from, gap);
    markStatement(l, statement);
  }
}

function markStatement(l: Layout, e: ast.Statement): void {
  const head = firstOf(l, e);
  switch (e.kind) {
    case 'IfStatement':
      markIf(l, e);
      return;
    case 'WhileStatement':
      if (e.test !== undefined) markExpression(l, e.test, headSteps);
      markBlocks(l, withElse(e.body, e.orElse), head);
      return;
    case 'ForIn':
      markExpression(l, e.target);
      markExpression(l, e.iter, headSteps);
      markBlocks(l, withElse(e.body, e.orElse), head);
      return;
    case 'ForCount':
      markStatement(l, e.init);
      markExpression(l, e.test, headSteps);
      markStatement(l, e.step);
      markBlocks(l, withElse(e.body, e.orElse), head);
      return;
    case 'TryStatement':
      markTry(l, e);
      return;
    case 'WithStatement':
      for (const { expr, target } of e.items) {
        markExpression(l, expr, headSteps);
        if (target !== undefined) markExpression(l, target);
      }
      markBlock(l, e.body, head);
      return;
    case 'MatchStatement':
    case 'SwitchStatement':
      markCases(l, e);
      return;
    case 'VisitStatement':
      markVisit(l, e);
      return;
    case 'ScopeStatement':
      // `:g: a;`
      if (l.tokens.kinds[head] === t.COLON) for (let i = head + 1; i < head + 3; i++) setGap(l, i, NONE);
      return;
    case 'TypedContext':
      setGap(l, firstOf(l, e) + 1, NONE);
      if (e.type !== undefined) markExpression(l, e.type);
      markBlock(l, e.body, head);
      return;
    case 'Region':
      markExpression(l, e.region, headSteps);
      markBlock(l, e.body, head);
      return;
    case 'Block':
      markBlock(l, e, head);
      return;
    case 'AssignStatement':
      markAssign(l, e);
      return;
    case 'AugAssign':
      markExpression(l, e.target);
      markExpression(l, e.value);
      return;
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
    case 'FunctionDecl':
    case 'Archetype':
    case 'EnumDecl':
    case 'ImplDecl':
    case 'HasDecl':
    case 'Ability':
    case 'TypeAlias':
    case 'InlineForeign':
    case 'GlobDecl':
      markDeclaration(l, e);
      return;
    default:
      forEachChild(e, (child) => {
        if (child.kind !== 'Name') markExpression(l, child as ast.Expression);
      });
  }
}

function withElse(body: ast.Block, orElse: ast.Block | undefined): ast.Block[] {
  return orElse === undefined ? [body] : [body, orElse];
}

function markIf(l: Layout, e: ast.IfStatement): void {
  const blocks: ast.Block[] = [];
  let here: ast.IfStatement | ast.Block | undefined = e;
  for (; here?.kind === 'IfStatement'; here = here.orElse) {
    markExpression(l, here.test, headSteps);
    blocks.push(here.body);
  }
  if (here !== undefined) blocks.push(here);
  markBlocks(l, blocks, firstOf(l, e));
}

function markTry(l: Layout, e: ast.TryStatement): void {
  for (const handler of e.handlers) {
    if (handler.type !== undefined) markExpression(l, handler.type);
    if (e.splitsGroups) setGap(l, firstOf(l, handler) + 1, NONE);
  }
  const blocks = [e.body, e.awaiting, ...e.handlers.map(({ body }) => body), e.orElse, e.finally];
  markBlocks(
    l,
    blocks.filter((block) => block !== undefined),
    firstOf(l, e),
  );
}

/** Cases stand in by one, their statements by two; a short one may stand behind its label when its author put it there. */
function markCases(l: Layout, e: ast.MatchStatement | ast.SwitchStatement): void {
  markExpression(l, e.subject, headSteps);
  const close = lastOf(l, e);
  const open = l.tokens.match[close]!;
  markBraces(l, open, { isInline: false });
  for (const one of e.cases) {
    const first = firstOf(l, one);
    if (first > open + 1) setGap(l, first, HARD);
    if (one.pattern !== undefined) markPattern(l, one.pattern);
    if (one.kind === 'MatchCase' && one.guard !== undefined) markExpression(l, one.guard, headSteps);
    markCaseBody(l, one, first);
  }
}

function markCaseBody(l: Layout, one: ast.MatchCase | ast.SwitchCase, first: number): void {
  const { statements } = one.body;
  const [lead] = statements;
  if (lead === undefined) return;
  const last = lastOf(l, one);
  const from = firstOf(l, lead);
  setGap(l, from - 1, NONE);
  if (lead.kind === 'Block') {
    setGap(l, from, SPACE);
    markBlock(l, lead, first);
    const [, second] = statements;
    if (second === undefined) return;
    addGroup(l, first, last, { from: firstOf(l, second), to: last, forced: true });
    markStatements(l, statements.slice(1), HARD, from);
    return;
  }
  const isInline = isOneLine(l, first, last) && fitsInLine(statements);
  addGroup(l, first, last, { from, to: last, forced: !isInline, strict: true });
  setGap(l, from, isInline ? LINE : HARD);
  markStatements(l, statements, isInline ? LINE : HARD, from);
}

/** `visit :0: [-->] else { … }` */
function markVisit(l: Layout, e: ast.VisitStatement): void {
  if (e.index !== undefined) {
    eachOwn(l, firstOf(l, e), firstOf(l, e.what), [e.index, e.what], (i, kind) => {
      if (kind !== t.COLON) return;
      const isFirst = i === firstOf(l, e) + 1;
      setGap(l, i, isFirst ? SPACE : NONE);
      setGap(l, i + 1, isFirst ? NONE : SPACE);
    });
    markExpression(l, e.index);
  }
  markExpression(l, e.what);
  if (e.orElse !== undefined) markBlock(l, e.orElse, firstOf(l, e));
}

function markAssign(l: Layout, e: ast.AssignStatement): void {
  eachOwn(l, firstOf(l, e), lastOf(l, e), [...e.targets, e.type, e.value], (i, kind) => {
    if (kind === t.COLON) setGap(l, i, NONE);
    if (kind === t.AMP) setGap(l, i + 1, NONE);
  });
  for (const target of e.targets) markExpression(l, target);
  if (e.type !== undefined) markExpression(l, e.type);
  if (e.value !== undefined) markExpression(l, e.value);
}

/** Rules for expressions (docs/language/expressions.md): `markExpression` marks one and all it contains. */
import type * as ast from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { markAttributeChain, markCall, markIndex } from './chains.ts';
import { markComprehension, markDict, markItems, markParens } from './displays.ts';
import { markFunction, markSignature } from './functions.ts';
import { LINE, NONE, SPACE } from './gaps.ts';
import { markAssignTrailer, markConnect, markEdgeOp, markEdgeRef, markFilter } from './graph.ts';
import { addGroup, beginsLine, firstOf, type Layout, lastOf, outerOf, setGap } from './layout.ts';
import { markMarkup } from './markup.ts';
import { markBlock } from './statements.ts';

/** `steps`: how far the second line of an operator chain stands in; two in the head of a block, whose own lines stand in by one. */
export function markExpression(l: Layout, e: ast.Expression, steps = 1): void {
  const inner = markParens(l, e, steps);
  switch (e.kind) {
    case 'Binary':
    case 'Logical':
    case 'Compare':
    case 'Pipe':
    case 'Connect':
    case 'Disconnect':
      if (e.kind === 'Pipe' && e.left === undefined) break;
      markOperators(l, e, inner);
      return;
    case 'Conditional':
      markConditional(l, e, inner);
      return;
    case 'StringLiteral':
    case 'Joined':
      markStrings(l, e);
      return;
    case 'Unary': {
      const first = firstOf(l, e);
      if (e.op !== 'not') setGap(l, first + 1, isSameSign(e) ? SPACE : NONE);
      break;
    }
    case 'Starred':
      setGap(l, firstOf(l, e) + 1, NONE);
      break;
    case 'Borrow':
      if (e.word === '&') setGap(l, firstOf(l, e) + 1, NONE);
      break;
    case 'TupleExpr':
    case 'ListExpr':
    case 'SetExpr':
      markItems(l, e);
      return;
    case 'DictExpr':
      markDict(l, e);
      return;
    case 'Comprehension':
      markComprehension(l, e);
      return;
    case 'EdgeRef':
      markEdgeRef(l, e);
      return;
    case 'Lambda':
      markLambda(l, e);
      return;
    case 'FunctionExpr':
      markFunction(l, e.decl);
      return;
    case 'Call':
      markCall(l, e);
      return;
    case 'Attribute':
      markAttributeChain(l, e);
      return;
    case 'Index':
      markIndex(l, e);
      return;
    case 'Filter':
      markExpression(l, e.object);
      markFilter(l, e.filter);
      return;
    case 'AssignTrailer':
      markAssignTrailer(l, e);
      return;
    case 'Markup':
      markMarkup(l, e);
      return;
  }
  forEachChild(e, (child) => {
    if (isExpression(child)) markExpression(l, child);
  });
}

/** `- -x`: together they could be taken for another operator. */
function isSameSign({ operand, op }: ast.Unary): boolean {
  return operand.kind === 'Unary' && operand.op === op;
}

type Operator = ast.Binary | ast.Logical | ast.Compare | ast.Pipe | ast.Connect | ast.Disconnect;

/** `a + b + c` is one group; a line begins with its operator. */
function markOperators(l: Layout, e: Operator, steps: number): void {
  const spine = spineOf(e);
  const [first] = operandsOf(spine[0]!) as [ast.Expression, ...ast.Expression[]];
  // A single connection is broken in what it connects.
  const isBreakable = tierOf(e) !== 'Connect' || spine.length > 1;
  let end = outerOf(l, first)[1];
  if (isBreakable) {
    const hugAt = e.kind === 'Logical' ? lastElement(l, e.right) : -1;
    // Operators that begin lines stay there where an operand has several: what had no room is not put back.
    const strict = spine.some((operator) =>
      operandsOf(operator)
        .slice(0, -1)
        .some((left) => beginsLine(l, outerOf(l, left)[1] + 1)),
    );
    addGroup(l, firstOf(l, e), lastOf(l, e), { steps, from: end + 1, hugAt, strict });
  }
  markExpression(l, first);
  for (const operator of spine) {
    for (const operand of operandsOf(operator).slice(1)) {
      const [from, to] = outerOf(l, operand);
      setGap(l, end + 1, isBreakable ? LINE : SPACE);
      // `int?` is `int | None`.
      setGap(l, from, l.tokens.kinds[from] === t.QUESTION ? NONE : SPACE);
      if (operator.kind === 'Connect') markConnect(l, operator);
      if (operator.kind === 'Disconnect') markEdgeOp(l, operator.op);
      markExpression(l, operand);
      end = to;
    }
  }
}

/** The operators of a chain, leftmost first. Long chains are deep trees: this one does not call itself. */
function spineOf(e: Operator): readonly Operator[] {
  const spine = [e];
  for (;;) {
    const here = spine[spine.length - 1]!;
    const left = operandsOf(here)[0]!;
    if (left.start !== here.start || !isOperator(left) || tierOf(left) !== tierOf(e)) return spine.reverse();
    spine.push(left);
  }
}

/**
 * Gives the token at which `a and (<b/>)` and `x if a else <b/>` may be broken instead: the parentheses or the element
 * at their end; -1: none.
 */
function lastElement(l: Layout, e: ast.Expression): number {
  return e.kind === 'Markup' ? outerOf(l, e)[0] : -1;
}

function operandsOf(e: Operator): readonly ast.Expression[] {
  return e.kind === 'Compare' ? e.operands : [e.left!, e.right];
}

function isOperator(e: ast.Expression): e is Operator {
  return tierOf(e) !== '' && !(e.kind === 'Pipe' && e.left === undefined);
}

/** Operators that are broken together. */
function tierOf(e: ast.Expression): string {
  switch (e.kind) {
    case 'Binary':
      return '+-'.includes(e.op) ? 'sum' : ['*', '/', '//', '%', '@'].includes(e.op) ? 'term' : e.op;
    case 'Logical':
      return e.op;
    case 'Compare':
    case 'Pipe':
      return e.kind;
    case 'Connect':
    case 'Disconnect':
      return 'Connect';
    default:
      return '';
  }
}

function markConditional(l: Layout, e: ast.Conditional, steps: number): void {
  const branches = [e];
  for (;;) {
    const here = branches[branches.length - 1]!;
    const [from] = outerOf(l, here.orElse);
    if (here.orElse.kind !== 'Conditional' || firstOf(l, here.orElse) !== from) break;
    branches.push(here.orElse);
  }
  const { orElse } = branches[branches.length - 1]!;
  const hugAt = lastElement(l, orElse);
  addGroup(l, firstOf(l, e), lastOf(l, e), { steps, from: outerOf(l, e.then)[1] + 1, hugAt });
  for (const branch of branches) {
    setGap(l, outerOf(l, branch.test)[0] - 1, LINE);
    setGap(l, outerOf(l, branch.orElse)[0] - 1, LINE);
    markExpression(l, branch.then);
    markExpression(l, branch.test);
  }
  markExpression(l, orElse);
}

/** Literals side by side, which together are one string, each on a line of its own when the author had them so. */
function markStrings(l: Layout, e: ast.StringLiteral | ast.Joined): void {
  const first = firstOf(l, e);
  const last = lastOf(l, e);
  if (first >= last) return;
  for (let i = first + 1; i <= last; i++) setGap(l, i, LINE);
  const before = l.tokens.kinds[first - 1];
  const isAligned = before === t.LPAREN || before === t.LBRACKET || before === t.LBRACE || before === t.COMMA;
  const forced =
    l.lines[last]! - l.lines[first]! > 0 && l.trivia.slice(first + 1, last + 1).some((one) => one.newlines > 0);
  addGroup(l, first, last, { steps: isAligned ? 0 : 1, forced });
}

/** `lambda x: int -> int : e` with types, `lambda x: e` without. */
function markLambda(l: Layout, e: ast.Lambda): void {
  markSignature(l, e.signature);
  if (e.body.kind === 'Block') {
    markBlock(l, e.body, firstOf(l, e));
    return;
  }
  const [from] = outerOf(l, e.body);
  const isTyped = e.signature.result !== undefined || e.signature.params.some(({ type }) => type !== undefined);
  setGap(l, from - 1, isTyped ? SPACE : NONE);
  setGap(l, from, SPACE);
  markExpression(l, e.body);
}

const declarations: ReadonlySet<ast.Node['kind']> = new Set(['Name', 'Argument', 'Signature', 'Param', 'FormatPart']);

function isExpression(node: ast.Node): node is ast.Expression {
  return !declarations.has(node.kind);
}

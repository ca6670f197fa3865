/**
 * Places at which generated code asks whether its time is up: each time round a loop, and at the start of functions
 * that may call themselves (decisions/0405). As long as nobody has set the global variable `$due`, optimised code holds
 * nothing of the question.
 */
import type * as ast from '../1-parse/ast.ts';
import { type Cx, indented, line, mark } from './context.ts';

/** The line at the start of the body of a loop or function; `at` is what a call that ends here is said to have been doing. */
export function lookLine(c: Cx, at: ast.Span): string {
  const code = c.isAsync ? 'if ($.isLong()) await $.rest();' : 'if ($due) $.look();';
  return line(c, mark(c, at) + code);
}

/** The same, one level deeper. */
export function lookInside(c: Cx, at: ast.Span): string {
  return indented(c, () => lookLine(c, at));
}

/** Tells whether calls of this function may lead to itself. Calls of coroutines are not followed: any may. */
export function mayRecur(c: Cx, node: ast.Node, isCoroutine: boolean): boolean {
  return isCoroutine || c.u.types.recurs(node);
}

/**
 * `for` clauses of comprehensions and generators (docs/language/expressions.md#comprehensions), and the targets they
 * share with the `for` statement.
 */
import { checkTarget } from './assignments.ts';
import type { CompClause, Comprehension, Expression } from './ast.ts';
import { parseChain } from './chains.ts';
import { complain } from './complain.ts';
import { parseBinary } from './expressions.ts';
import { next } from './lexer.ts';
import type { Parser } from './parser.ts';
import { closeBracket, maxDepth, type OpenBracket, tooLong } from './recover.ts';
import { expect, missing, take } from './syntax.ts';
import * as t from './tokens.ts';

export interface ComprehensionHead {
  readonly sort: Comprehension['sort'];
  readonly start: number;
  readonly key: Expression | undefined;
  readonly value: Expression;
}

/** The clauses behind the element and the closing bracket of `list`, if one is given. The current token is `for` or `async`. */
export function parseComprehension(p: Parser, head: ComprehensionHead, list?: OpenBracket): Comprehension {
  const clauses: CompClause[] = [];
  do {
    if (clauses.length === maxDepth) tooLong(p);
    else clauses.push(parseClause(p));
  } while (p.tok === t.FOR || p.tok === t.ASYNC);
  if (list !== undefined) closeBracket(p, list);
  const { sort, start, key, value } = head;
  return { kind: 'Comprehension', start, end: p.prevEnd, sort, key, value, clauses };
}

/** A loop target: a chain; several without brackets are E0123 and read as a tuple. */
export function parseForTarget(p: Parser): Expression {
  const { start } = p;
  const target = p.tok === t.STAR ? parseStarredTarget(p) : parseChain(p);
  if (p.tok !== t.COMMA) return target;
  const items = [target];
  while (take(p, t.COMMA)) {
    if (p.tok === t.IN) break;
    items.push(p.tok === t.STAR ? parseStarredTarget(p) : parseChain(p));
  }
  const end = p.prevEnd;
  complain(p, 'E0123', start, end, undefined, { help: `write \`for (${p.text.slice(start, end)}) in …\`` });
  p.failures++;
  return { kind: 'TupleExpr', start, end, items, names: undefined };
}

function parseClause(p: Parser): CompClause {
  const { start } = p;
  const isAsync = take(p, t.ASYNC);
  expect(p, t.FOR);
  const target = parseForTarget(p);
  if (target.kind !== 'NameRef') checkTarget(p, target);
  const iter = expect(p, t.IN) ? parseBinary(p, t.P_OR) : missing(p);
  const conditions: Expression[] = [];
  while (p.tok === t.IF) {
    next(p);
    conditions.push(parseBinary(p, t.P_WALRUS));
  }
  return { kind: 'CompClause', start, end: p.prevEnd, async: isAsync, target, iter, conditions };
}

function parseStarredTarget(p: Parser): Expression {
  const { start } = p;
  next(p);
  const expr = parseChain(p);
  return { kind: 'Starred', start, end: p.prevEnd, expr };
}

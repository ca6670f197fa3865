/**
 * Filter and assign trailers (docs/language/expressions.md#filters), conditions of filters and of typed edge operators.
 */
import type { AssignTrailer, Expression, FilterCondition, FilterSpec, Name } from './ast.ts';
import { failExpected } from './complain.ts';
import { parseBinary, parseExpression, parseType, tryCompareOp } from './expressions.ts';
import { next } from './lexer.ts';
import { peek } from './look-ahead.ts';
import type { Parser } from './parser.ts';
import { closeBracket, continuesList, type OpenBracket, openBracket } from './recover.ts';
import { expect, expectName, missing } from './syntax.ts';
import * as t from './tokens.ts';

/**
 * A filter from behind its opening bracket to its closing one: `?:T, a > 1`, `?a > 1`, and with a back-tick before the `?` the legacy
 * `?T: a > 1`. The span includes the brackets.
 */
export function parseFilterTail(p: Parser, list: OpenBracket): FilterSpec {
  const isLegacy = p.tok === t.BACKTICK;
  if (isLegacy) next(p);
  next(p);
  let type: Expression | undefined;
  let conditions: FilterCondition[] = [];
  if (isLegacy || p.tok === t.COLON) {
    if (p.tok === t.COLON) next(p);
    type = parseType(p);
    if (p.tok === t.COLON || p.tok === t.COMMA) {
      next(p);
      if (p.tok !== list.close) conditions = parseConditions(p);
    }
  } else conditions = parseConditions(p);
  while (p.tok !== list.close && continuesList(p, list)) conditions.push(parseCondition(p));
  closeBracket(p, list);
  return { kind: 'FilterSpec', start: list.start, end: p.prevEnd, type, conditions };
}

/** `a > 1, b == "x"`; a comma before what is no condition is left alone. */
export function parseConditions(p: Parser): FilterCondition[] {
  const conditions = [parseCondition(p)];
  while (p.tok === t.COMMA) {
    next(p);
    if (p.tok === t.RPAREN || p.tok === t.RBRACKET) break;
    conditions.push(parseCondition(p));
  }
  return conditions;
}

/** `xs(=a=1, b=f())`; the current token is `(`. */
export function parseAssignTrailer(p: Parser, object: Expression, start: number): AssignTrailer {
  const list = openBracket(p);
  next(p);
  next(p);
  const fields = parseFieldValues(p, list);
  closeBracket(p, list);
  return { kind: 'AssignTrailer', start, end: p.prevEnd, object, fields };
}

export interface FieldValue {
  readonly name: Name;
  readonly value: Expression;
}

/** `a = 1, b = 2,` up to a token that is no name. */
export function parseFieldValues(p: Parser, list?: OpenBracket): FieldValue[] {
  const fields: FieldValue[] = [];
  for (;;) {
    const name = expectName(p);
    const value = expect(p, t.ASSIGN) ? parseExpression(p) : missing(p);
    fields.push({ name, value });
    if (p.tok === t.COMMA) {
      next(p);
      if (p.tok > t.LAST_WORD || p.tok === t.EOF) return fields;
    } else if (list === undefined || p.tok === list.close || !continuesList(p, list)) return fields;
  }
}

function parseCondition(p: Parser): FilterCondition {
  const { start } = p;
  const field = expectName(p);
  const op =
    t.precedence[p.tok] === t.P_COMPARE && !(p.tok === t.NOT && peek(p) !== t.IN) ? tryCompareOp(p) : undefined;
  if (op === undefined) {
    failExpected(p, 'a comparison');
    return { kind: 'FilterCondition', start, end: Math.max(p.prevEnd, start), field, op: '==', value: missing(p) };
  }
  const value = parseBinary(p, t.P_AS);
  return { kind: 'FilterCondition', start, end: p.prevEnd, field, op, value };
}

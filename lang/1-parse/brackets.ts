/**
 * Atoms in brackets (docs/language/expressions.md#atoms): tuples and groups, lists and edge references, dictionaries
 * and sets.
 */
import type { DictExpr, Expression, Name, SetExpr, TupleExpr } from './ast.ts';
import { failOperand } from './complain.ts';
import { parseComprehension } from './comprehensions.ts';
import { parseExpression } from './expressions.ts';
import { parseFunctionExpression } from './functions.ts';
import { parseEdgeRef, tryEdgeMarkers } from './graph.ts';
import { next } from './lexer.ts';
import { isBeforeAssign, isSpread, peek } from './look-ahead.ts';
import type { Parser } from './parser.ts';
import { closeBracket, continuesList, type OpenBracket, openBracket } from './recover.ts';
import { parseYield } from './simple-statements.ts';
import { compact, expect, none, take, takeName, warnSpread } from './syntax.ts';
import * as t from './tokens.ts';

/** `()`, `(e)`, `(a, b)`, `(yield e)`, a generator, a function expression, a keyword tuple. */
export function parseParens(p: Parser): Expression {
  const list = openBracket(p);
  next(p);
  if (p.tok === t.RPAREN) {
    next(p);
    return { kind: 'TupleExpr', start: list.start, end: p.prevEnd, items: none, names: undefined };
  }
  if (isFunctionStart(p)) {
    const decl = parseFunctionExpression(p);
    closeBracket(p, list);
    return { kind: 'FunctionExpr', start: decl.start, end: decl.end, decl };
  }
  if (p.tok > t.EOF && p.tok <= t.LAST_WORD && isBeforeAssign(p)) return parseKeywordTuple(p, list);
  const first = p.tok === t.YIELD ? parseYield(p) : parseExpression(p);
  if (p.tok === t.RPAREN) {
    next(p);
    return first;
  }
  if (p.tok === t.FOR || p.tok === t.ASYNC) {
    return parseComprehension(p, { sort: 'generator', start: list.start, key: undefined, value: first }, list);
  }
  if (p.tok !== t.COMMA && !continuesList(p, list)) {
    closeBracket(p, list);
    return first;
  }
  const items = parseItems(p, list, first);
  closeBracket(p, list);
  const tuple: TupleExpr = { kind: 'TupleExpr', start: list.start, end: p.prevEnd, items, names: undefined };
  return tuple;
}

/** `[]`, a list, a comprehension, an edge reference. */
export function parseBrackets(p: Parser): Expression {
  const list = openBracket(p);
  next(p);
  const { tok } = p;
  if (tok === t.RBRACKET) {
    next(p);
    return { kind: 'ListExpr', start: list.start, end: p.prevEnd, items: none };
  }
  if (t.isHop[tok] === 1) return parseEdgeRef(p, list, undefined);
  if (tok === t.EDGE || tok === t.NODE || tok === t.ASYNC) {
    const markers = tryEdgeMarkers(p);
    if (markers !== undefined) {
      const origin = t.isHop[p.tok] === 1 ? undefined : parseExpression(p);
      return parseEdgeRef(p, list, origin, markers);
    }
  }
  const first = parseExpression(p);
  if (p.tok === t.RBRACKET) {
    next(p);
    return { kind: 'ListExpr', start: list.start, end: p.prevEnd, items: [first] };
  }
  if (t.isHop[p.tok] === 1) return parseEdgeRef(p, list, first);
  if (p.tok === t.FOR || p.tok === t.ASYNC) {
    return parseComprehension(p, { sort: 'list', start: list.start, key: undefined, value: first }, list);
  }
  const items = p.tok === t.COMMA || continuesList(p, list) ? parseItems(p, list, first) : [first];
  closeBracket(p, list);
  return { kind: 'ListExpr', start: list.start, end: p.prevEnd, items };
}

/** `{}`, a dictionary, a set, their comprehensions. */
export function parseBraces(p: Parser): Expression {
  const list = openBracket(p);
  next(p);
  if (p.tok === t.RBRACE) {
    next(p);
    return { kind: 'DictExpr', start: list.start, end: p.prevEnd, entries: none };
  }
  if (p.tok === t.STAR_STAR || isSpread(p)) return parseDict(p, list, undefined);
  const first = parseExpression(p);
  if (p.tok === t.COLON) return parseDict(p, list, first);
  if (p.tok === t.FOR || p.tok === t.ASYNC) {
    return parseComprehension(p, { sort: 'set', start: list.start, key: undefined, value: first }, list);
  }
  const hasMore = p.tok === t.COMMA || (p.tok !== t.RBRACE && continuesList(p, list));
  const items = hasMore ? parseItems(p, list, first) : [first];
  closeBracket(p, list);
  const set: SetExpr = { kind: 'SetExpr', start: list.start, end: p.prevEnd, items };
  return set;
}

/** The first item and those behind it, each after its comma; one may be missing before the closing bracket. */
function parseItems(p: Parser, list: OpenBracket, first: Expression): readonly Expression[] {
  const items = [first];
  do {
    if (p.tok === t.COMMA) next(p);
    if (p.tok === list.close) break;
    items.push(parseExpression(p));
  } while (p.tok === t.COMMA || (p.tok !== list.close && continuesList(p, list)));
  return compact(items);
}

/** `firstKey` is undefined when the dictionary begins with `**`. */
function parseDict(p: Parser, list: OpenBracket, firstKey: Expression | undefined): Expression {
  const entries: { readonly key: Expression | undefined; readonly value: Expression }[] = [];
  let key = firstKey;
  let lacksColon = false;
  for (;;) {
    if (key === undefined && (p.tok === t.STAR_STAR || isSpread(p))) {
      if (p.tok === t.ELLIPSIS) warnSpread(p, '**');
      next(p);
      entries.push({ key: undefined, value: parseExpression(p) });
    } else {
      key ??= parseExpression(p);
      // One that looks like a set is told once.
      const hasColon: boolean = lacksColon ? take(p, t.COLON) : expect(p, t.COLON);
      lacksColon ||= !hasColon;
      const value = hasColon ? parseExpression(p) : key;
      if (entries.length === 0 && (p.tok === t.FOR || p.tok === t.ASYNC)) {
        return parseComprehension(p, { sort: 'dict', start: list.start, key, value }, list);
      }
      entries.push({ key, value });
    }
    key = undefined;
    if (p.tok === t.COMMA) {
      next(p);
      if (p.tok === t.RBRACE) break;
    } else if (p.tok === t.RBRACE || !continuesList(p, list)) break;
  }
  closeBracket(p, list);
  const dict: DictExpr = { kind: 'DictExpr', start: list.start, end: p.prevEnd, entries };
  return dict;
}

/** `(a=1, b=2)`, arguments for the right side of a pipe (docs/language/expressions.md#pipes). */
function parseKeywordTuple(p: Parser, list: OpenBracket): Expression {
  const items: Expression[] = [];
  const names: Name[] = [];
  do {
    if (p.tok === t.COMMA) next(p);
    if (p.tok === t.RPAREN) break;
    if (!isWord(p)) {
      failOperand(p);
      break;
    }
    names.push(takeName(p));
    items.push(expect(p, t.ASSIGN) ? parseExpression(p) : { kind: 'Missing', start: p.prevEnd, end: p.prevEnd });
  } while (p.tok === t.COMMA || (p.tok !== t.RPAREN && continuesList(p, list)));
  closeBracket(p, list);
  return { kind: 'TupleExpr', start: list.start, end: p.prevEnd, items, names };
}

/** `def …`, `async def …` behind a parenthesis; `def` alone may be a name. */
function isFunctionStart(p: Parser): boolean {
  if (p.tok === t.ASYNC) return peek(p) === t.DEF;
  if (p.tok !== t.DEF) return false;
  const after = peek(p);
  return (after >= t.NAME && after <= t.LAST_WORD) || after === t.LPAREN || after === t.LBRACE || after === t.ARROW;
}

function isWord(p: Parser): boolean {
  return p.tok >= t.NAME && p.tok <= t.LAST_WORD;
}

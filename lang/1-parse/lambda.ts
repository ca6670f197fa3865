/**
 * Lambda expressions (docs/language/expressions.md#lambdas). The unparenthesised typed form `lambda x: T : e` can only
 * be told from `lambda x: e` by trying. What was found is remembered by offset, so that nested lambdas are not tried
 * again and again.
 */
import type { Block, Expression, Lambda, Param, Signature } from './ast.ts';
import { parseBlock } from './blocks.ts';
import { failExpected } from './complain.ts';
import { parseExpression, parseType } from './expressions.ts';
import { expectParamName, parseParam, parseParamList } from './functions.ts';
import { next } from './lexer.ts';
import { type Parser, restore, save } from './parser.ts';
import { leaveDepth, tooDeep } from './recover.ts';
import { missing, none } from './syntax.ts';
import * as t from './tokens.ts';

/** The current token is `lambda`. */
export function parseLambda(p: Parser): Expression {
  if (tooDeep(p)) return missing(p);
  const { start } = p;
  next(p);
  const signature = parseLambdaSignature(p);
  let body: Block | Expression;
  if (p.tok === t.LBRACE) body = parseBlock(p, 'function');
  else if (p.tok === t.COLON) {
    statements.lastIndex = p.end;
    const isBlock = statements.test(p.text);
    if (isBlock) failExpected(p, '`{`', { help: 'statements stand without `:` in `lambda { … }`' });
    next(p);
    body = isBlock ? parseBlock(p, 'function') : parseExpression(p);
  } else {
    failExpected(p, '`{` or `:`');
    body = missing(p);
  }
  leaveDepth(p);
  const lambda: Lambda = { kind: 'Lambda', start, end: p.prevEnd, signature, body };
  return lambda;
}

/** Braces behind a `:` in which an assignment or a `;` stands: no dict and no set. */
const statements = /\s*\{\s*(?:[\w.]+\s*[-+*/]?=(?!=)|[^{}"']*;)/y;

function parseLambdaSignature(p: Parser): Signature {
  const { start, tok } = p;
  if (tok === t.LPAREN) {
    const params = parseParamList(p);
    return finishSignature(p, start, true, params);
  }
  if (tok === t.LBRACE || tok === t.COLON || tok === t.ARROW) return finishSignature(p, start, false, none);
  return isTyped(p) ? finishSignature(p, start, true, parseTypedParams(p)) : parseUntyped(p, start);
}

/** Parameters that are names only: the reading for when the typed one fails (docs/language/expressions.md#lambdas). */
function parseUntyped(p: Parser, start: number): Signature {
  const params: Param[] = [];
  do {
    if (p.tok === t.COMMA) next(p);
    params.push(parseUntypedParam(p));
  } while (p.tok === t.COMMA);
  return finishSignature(p, start, true, params);
}

function parseUntypedParam(p: Parser): Param {
  const { start, tok } = p;
  const sort = tok === t.STAR ? 'star' : tok === t.STAR_STAR ? 'doublestar' : 'plain';
  if (sort !== 'plain') next(p);
  const name = expectParamName(p);
  let value: Expression | undefined;
  if (p.tok === t.ASSIGN) {
    next(p);
    value = parseExpression(p);
  }
  return { kind: 'Param', start, end: Math.max(p.prevEnd, start), sort, name, type: undefined, value };
}

/** Tells whether the parameters that begin here can be read with types and are followed by `->`, `{` or `:`. */
function isTyped(p: Parser): boolean {
  const known = p.lambdaReadings.get(p.start);
  if (known !== undefined) return known === 1;
  const { start } = p;
  const at = save(p);
  parseTypedParams(p);
  const fits = p.failures === at.failures && (p.tok === t.ARROW || p.tok === t.LBRACE || p.tok === t.COLON);
  restore(p, at);
  p.lambdaReadings.set(start, fits ? 1 : 0);
  return fits;
}

function parseTypedParams(p: Parser): Param[] {
  const params = [parseParam(p)];
  while (p.tok === t.COMMA) {
    next(p);
    params.push(parseParam(p));
  }
  return params;
}

function finishSignature(p: Parser, start: number, hasList: boolean, params: readonly Param[]): Signature {
  let end = hasList ? p.prevEnd : start;
  let result: Expression | undefined;
  if (p.tok === t.ARROW) {
    next(p);
    result = parseType(p);
    end = p.prevEnd;
  }
  return { kind: 'Signature', start, end: Math.max(end, start), hasList, params, result };
}

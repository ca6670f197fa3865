/** `chain ::= atom trailer*` (docs/language/expressions.md) and the argument lists of calls. */
import type { Argument, Attribute, Call, Expression, Index, Name } from './ast.ts';
import { parseAtom } from './atoms.ts';
import { complain, fail } from './complain.ts';
import { parseComprehension } from './comprehensions.ts';
import { parseExpression } from './expressions.ts';
import { parseAssignTrailer, parseFilterTail } from './filters.ts';
import { parseForeignConditional } from './hints.ts';
import { next } from './lexer.ts';
import { isBeforeAssign, isSpread } from './look-ahead.ts';
import type { Parser } from './parser.ts';
import { closeBracket, continuesList, maxDepth, openBracket, tooLong } from './recover.ts';
import { longChain } from './spines.ts';
import { compact, expectMember, expectName, missing, none, takeName, warnSpread } from './syntax.ts';
import * as t from './tokens.ts';

const isTrailer = new Uint8Array(t.COUNT);
for (const kind of [t.DOT, t.LPAREN, t.LBRACKET, t.QUESTION, t.DOT_PIPE, t.PIPE_DOT]) isTrailer[kind] = 1;

/** An atom and its trailers. */
export function parseChain(p: Parser): Expression {
  const { start } = p;
  const atom = parseAtom(p);
  return isTrailer[p.tok] === 1 ? parseTrailers(p, atom, start) : atom;
}

/** The trailers of an operand that began at `start`. */
function parseTrailers(p: Parser, atom: Expression, start: number): Expression {
  let left = atom;
  let safeLinks = 0;
  for (let links = 0; ; links++) {
    if (links === longChain) p.hasLongChain = true;
    if (safeLinks > 0 && safeLinks++ > maxDepth) {
      tooLong(p);
      return left;
    }
    switch (p.tok) {
      case t.DOT: {
        next(p);
        left = makeAttribute(p, left, start, expectMember(p), false);
        break;
      }
      case t.LPAREN:
        left = parseParenTrailer(p, left, start);
        break;
      case t.LBRACKET:
        left = parseBracketTrailer(p, left, start, false);
        break;
      case t.QUESTION: {
        if (p.text.charCodeAt(p.end) === 0x3a) return left;
        const grown = parseSafeTrailer(p, left, start);
        if (grown.kind === 'Conditional') return grown;
        safeLinks ||= 1;
        left = grown;
        break;
      }
      case t.DOT_PIPE:
        next(p);
        left = makeAttribute(p, left, start, expectName(p), false);
        break;
      case t.PIPE_DOT:
        left = parsePipeDot(p, left, start);
        break;
      default:
        return left;
    }
  }
}

/** Arguments between the parentheses of a call; the current token is `(`. */
function parseArguments(p: Parser): readonly Argument[] {
  const list = openBracket(p);
  next(p);
  if (p.tok === t.RPAREN) {
    next(p);
    return none;
  }
  const args: Argument[] = [];
  let keyword = false;
  for (;;) {
    const arg = parseArgument(p, args.length === 0);
    if (arg.sort === 'keyword' || arg.sort === 'doublestar') keyword = true;
    else if (keyword && arg.sort === 'positional' && arg.value.kind !== 'Missing')
      complain(p, 'E0160', arg.start, arg.end);
    args.push(arg);
    if (p.tok === t.COMMA) {
      next(p);
      if (p.tok === t.RPAREN) break;
    } else if (p.tok === t.RPAREN || !continuesList(p, list)) break;
  }
  closeBracket(p, list);
  return compact(args);
}

function parseArgument(p: Parser, isFirst: boolean): Argument {
  const { start, tok } = p;
  if (tok <= t.LAST_WORD && tok !== t.EOF && isBeforeAssign(p)) {
    const name = takeName(p);
    next(p);
    const value = parseExpression(p);
    return { kind: 'Argument', start, end: p.prevEnd, sort: 'keyword', name, value };
  }
  if (tok === t.STAR || tok === t.STAR_STAR || isSpread(p)) {
    if (tok === t.ELLIPSIS) warnSpread(p, '*');
    next(p);
    const value = parseExpression(p);
    const sort = tok === t.STAR_STAR ? 'doublestar' : 'star';
    return { kind: 'Argument', start, end: p.prevEnd, sort, name: undefined, value };
  }
  let value = parseExpression(p);
  // The old escape `<>name` is read as an operand is.
  if (tok === t.LT && p.tok === t.ASSIGN && value.kind === 'NameRef') {
    const name: Name = { kind: 'Name', start: value.start, end: value.end, text: value.name, escaped: true };
    next(p);
    value = parseExpression(p);
    return { kind: 'Argument', start, end: p.prevEnd, sort: 'keyword', name, value };
  }
  if (p.tok === t.FOR || p.tok === t.ASYNC) {
    // A generator needs no parentheses of its own where it is the only argument.
    value = parseComprehension(p, { sort: 'generator', start, key: undefined, value });
    if (!isFirst || p.tok === t.COMMA)
      complain(p, 'E0110', start, p.prevEnd, { expected: '`(…)` around the generator', got: '`for`' });
  }
  return { kind: 'Argument', start, end: Math.max(p.prevEnd, start), sort: 'positional', name: undefined, value };
}

function makeAttribute(p: Parser, object: Expression, start: number, name: Name, safe: boolean): Attribute {
  return { kind: 'Attribute', start, end: p.prevEnd, object, name, safe };
}

/** A call, a filter `(?…)` or an assign trailer `(=…)`. */
function parseParenTrailer(p: Parser, left: Expression, start: number): Expression {
  const c = p.text.charCodeAt(p.end);
  if (c === 0x3f || c === 0x3d || c === 0x60 || c <= 0x20 || c === 0x23) {
    const list = openBracket(p);
    const form = formOfParens(p);
    if (form === 'filter') {
      next(p);
      const filter = parseFilterTail(p, list);
      return { kind: 'Filter', start, end: p.prevEnd, object: left, filter };
    }
    if (form === 'assign') return parseAssignTrailer(p, left, start);
  }
  const args = parseArguments(p);
  const call: Call = { kind: 'Call', start, end: p.prevEnd, callee: left, args };
  return call;
}

/**
 * Tells the form that the parenthesis at the current token begins, by the token behind it
 * (docs/language/expressions.md#filters).
 */
export function formOfParens(p: Parser): 'filter' | 'assign' | 'other' {
  const { text } = p;
  let i = p.end;
  while (isBlank(text.charCodeAt(i))) i++;
  const c = text.charCodeAt(i);
  if (c === 0x3f) return 'filter';
  if (c === 0x60) {
    do i++;
    while (isBlank(text.charCodeAt(i)));
    return text.charCodeAt(i) === 0x3f ? 'filter' : 'other';
  }
  return c === 0x3d ? 'assign' : 'other';
}

function isBlank(c: number): boolean {
  return c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
}

/** A subscript, or a filter `[?…]`. The current token is `[`. */
function parseBracketTrailer(p: Parser, left: Expression, start: number, safe: boolean): Expression {
  const list = openBracket(p);
  next(p);
  if (p.tok === t.QUESTION) {
    const filter = parseFilterTail(p, list);
    return { kind: 'Filter', start, end: p.prevEnd, object: left, filter };
  }
  const itemsStart = p.start;
  let index = parseSubscriptItem(p);
  if (p.tok === t.COMMA) {
    const items = [index];
    while (p.tok === t.COMMA || (p.tok !== t.RBRACKET && continuesList(p, list))) {
      if (p.tok === t.COMMA) next(p);
      if (p.tok === t.RBRACKET) break;
      items.push(parseSubscriptItem(p));
    }
    index = { kind: 'TupleExpr', start: itemsStart, end: p.prevEnd, items, names: undefined };
  } else if (p.tok !== t.RBRACKET) {
    while (continuesList(p, list)) parseSubscriptItem(p);
  }
  closeBracket(p, list);
  const result: Index = { kind: 'Index', start, end: p.prevEnd, object: left, index, safe };
  return result;
}

function parseSubscriptItem(p: Parser): Expression {
  const { start } = p;
  const lower = p.tok === t.COLON ? undefined : parseExpression(p);
  if (p.tok !== t.COLON) return lower ?? missing(p);
  next(p);
  const upper = isSliceEnd(p) || p.tok === t.COLON ? undefined : parseExpression(p);
  let step: Expression | undefined;
  if (p.tok === t.COLON) {
    next(p);
    if (!isSliceEnd(p)) step = parseExpression(p);
  }
  return { kind: 'Slice', start, end: p.prevEnd, lower, upper, step };
}

function isSliceEnd(p: Parser): boolean {
  return p.tok === t.RBRACKET || p.tok === t.COMMA;
}

/** `?.name`, `?name`, `?[…]`; a `?` before anything else was meant as the foreign `?:`. */
function parseSafeTrailer(p: Parser, left: Expression, start: number): Expression {
  const question = p.start;
  const isTight = !isBlank(p.text.charCodeAt(p.end));
  next(p);
  if (p.tok === t.DOT) {
    next(p);
    return makeAttribute(p, left, start, expectMember(p), true);
  }
  if (p.tok === t.LBRACKET) {
    p.lastQuestion = question;
    return parseBracketTrailer(p, left, start, true);
  }
  if (isTight && p.tok >= t.NAME && p.tok <= t.LAST_WORD) {
    p.lastQuestion = question;
    return makeAttribute(p, left, start, takeName(p), true);
  }
  return parseForeignConditional(p, left, start, question);
}

/** `m(x) <. a` is `a.m(x)`: what stands on the left is a name, or a chain that begins with one. */
function parsePipeDot(p: Parser, left: Expression, start: number): Expression {
  const operator = p.start;
  next(p);
  const objectStart = p.start;
  const object = parseAtom(p);
  const result = rebase(left, object, start, p.prevEnd);
  if (result !== undefined) return result;
  fail(p, 'E0113', start, operator, { got: `\`${p.text.slice(start, Math.min(operator, start + 40)).trimEnd()}\`` });
  return object.start === objectStart ? object : left;
}

function rebase(chain: Expression, object: Expression, start: number, end: number): Expression | undefined {
  switch (chain.kind) {
    case 'NameRef': {
      const name: Name = { kind: 'Name', start: chain.start, end: chain.end, text: chain.name, escaped: chain.escaped };
      return { kind: 'Attribute', start, end, object, name, safe: false };
    }
    case 'Attribute': {
      const inner = rebase(chain.object, object, start, end);
      return inner && { kind: 'Attribute', start, end, object: inner, name: chain.name, safe: chain.safe };
    }
    case 'Call': {
      const callee = rebase(chain.callee, object, start, end);
      return callee && { kind: 'Call', start, end, callee, args: chain.args };
    }
    default:
      return undefined;
  }
}

/**
 * Syntax of other languages (docs/language/diagnostics.md#other-languages): recognised, named, and read as what was
 * meant, so that it is one diagnostic.
 */
import type { Block, Expression, Lambda, Param, Signature } from './ast.ts';
import { parseBlock } from './blocks.ts';
import { parseChain } from './chains.ts';
import { fail, failExpected } from './complain.ts';
import { parseExpression } from './expressions.ts';
import { next } from './lexer.ts';
import { warnOld } from './old-spellings.ts';
import type { Parser } from './parser.ts';
import { leaveDepth, tooDeep } from './recover.ts';
import { missing } from './syntax.ts';
import * as t from './tokens.ts';

/** `test ? a : b` or `test ?? a`, from behind the question mark. */
export function parseForeignConditional(p: Parser, test: Expression, start: number, question: number): Expression {
  const optional = tryOptionalType(p, test, start, question);
  if (optional !== undefined) return optional;
  if (p.tok === t.QUESTION && p.start === question + 1) {
    const named = test.kind === 'NameRef' || test.kind === 'Attribute' ? p.text.slice(test.start, test.end) : 'a';
    const help = `write \`${named} if ${named} is not None else b\``;
    fail(p, 'E0152', question, p.end, { op: '??' }, { help });
    next(p);
    const right = parseExpression(p);
    return { kind: 'Logical', op: 'or', start, end: p.prevEnd, left: test, right };
  }
  fail(p, 'E0150', question, question + 1, undefined, { help: 'write `a if cond else b`' });
  if (p.tok === t.SEMI || p.tok === t.RBRACE || p.tok === t.EOF) return test;
  const then = parseExpression(p);
  if (p.tok !== t.COLON) {
    failExpected(p, '`:`');
    return { kind: 'Conditional', start, end: p.prevEnd, test, then, orElse: missing(p) };
  }
  next(p);
  const orElse = parseExpression(p);
  return { kind: 'Conditional', start, end: p.prevEnd, test, then, orElse };
}

/** `int?` and `Task?` were `int | None` in 2023: a type, and behind the `?`, which is consumed, what ends one. */
function tryOptionalType(p: Parser, type: Expression, start: number, question: number): Expression | undefined {
  if (type.kind !== 'NameRef' || !/^(?:[A-Z]|(?:int|float|str|bool|list|dict|set|tuple|bytes)$)/.test(type.name))
    return undefined;
  const { tok } = p;
  const isEnd = tok === t.SEMI || tok === t.LBRACE || tok === t.ASSIGN || tok === t.COMMA || tok === t.RPAREN;
  if (!isEnd) return undefined;
  warnOld(p, start, question + 1, `\`${type.name} | None\``);
  const right = { kind: 'Constant', start: question, end: question + 1, value: null } as const;
  return { kind: 'Binary', start, end: question + 1, op: '|', left: type, right };
}

/**
 * At a `:` nothing can follow from, behind a `c?a` or `c ?[a]` that began at or after `since`: the author meant `c ? a : b`. Reports
 * that, skips the rest of it, and is true.
 */
export function repairConditional(p: Parser, since: number): boolean {
  if (p.tok !== t.COLON || p.lastQuestion < since || p.lastQuestion > p.start) return false;
  fail(p, 'E0150', p.lastQuestion, p.lastQuestion + 1, undefined, { help: 'write `a if cond else b`' });
  p.lastQuestion = -1;
  next(p);
  parseExpression(p);
  return true;
}

/** `(x) => e` and `x => { … }`: read as the lambda. */
export function parseArrowFunction(p: Parser, head: Expression, start: number): Lambda {
  const help = 'write `lambda (x: any) { x + 1 }`';
  fail(p, 'E0153', start, p.end, undefined, { help });
  const signatureEnd = Math.max(start, p.prevEnd);
  next(p);
  const heads = head.kind === 'TupleExpr' ? head.items : [head];
  const params: Param[] = [];
  for (const item of heads) {
    if (item.kind !== 'NameRef') continue;
    const { start: from, end, name: text, escaped } = item;
    const name = { kind: 'Name', start: from, end, text, escaped } as const;
    params.push({ kind: 'Param', start: from, end, sort: 'plain', name, type: undefined, value: undefined });
  }
  const signature: Signature = {
    kind: 'Signature',
    start,
    end: signatureEnd,
    hasList: true,
    params,
    result: undefined,
  };
  const body: Block | Expression = p.tok === t.LBRACE ? parseBlock(p, 'function') : parseExpression(p);
  return { kind: 'Lambda', start, end: p.prevEnd, signature, body };
}

/** `new Foo(…)`: read as `Foo(…)`. */
export function parseNewOperator(p: Parser): Expression {
  const { start } = p;
  next(p);
  const name = p.text.slice(p.start, p.end);
  fail(p, 'E0155', start, p.prevEnd, undefined, {
    help: `call \`${name}(…)\`; for JavaScript classes \`new(${name}, …)\``,
  });
  if (tooDeep(p)) return missing(p);
  const expr = parseChain(p);
  leaveDepth(p);
  return expr;
}

/**
 * `x++` or `x--` at the first sign of two, when no operand follows them. Reports it, skips both signs, and is true.
 */
export function repairIncrement(p: Parser, left: Expression, start: number): boolean {
  const { text } = p;
  if (text.charCodeAt(p.end) !== text.charCodeAt(p.start)) return false;
  let i = p.end + 1;
  while (text.charCodeAt(i) === 0x20 || text.charCodeAt(i) === 0x09) i++;
  const c = text.charCodeAt(i);
  const endsHere =
    i >= p.length || c === 0x3b || c === 0x29 || c === 0x7b || c === 0x7d || c === 0x2c || c === 0x0a || c === 0x0d;
  if (!endsHere || left.kind === 'Missing') return false;
  const sign = text.charAt(p.start);
  const target = text.slice(start, p.prevEnd);
  fail(p, 'E0152', start, p.end + 1, { op: sign + sign }, { help: `use \`${target} ${sign}= 1\`` });
  next(p);
  next(p);
  return true;
}

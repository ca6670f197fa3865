/**
 * Operands, levels 21 to 28 of docs/language/expressions.md#precedence: connect and disconnect, `:>`, `<:`, `spawn`,
 * unpack, ownership, `await`, prefix pipes.
 */
import type { Expression } from './ast.ts';
import { parseChain } from './chains.ts';
import { parseConnectOp } from './graph.ts';
import { parseLambda } from './lambda.ts';
import { next } from './lexer.ts';
import { canBeginOperand, isPlainOperandStart, isSpread, peek } from './look-ahead.ts';
import { type Parser, restore, save } from './parser.ts';
import { leaveDepth, maxDepth, tooDeep, tooLong } from './recover.ts';
import { longChain } from './spines.ts';
import { missing, take, warnOwnership, warnSpread } from './syntax.ts';
import * as t from './tokens.ts';

const L_CONNECT = 1;
const L_COLON_GT = 2;
const L_LT_COLON = 3;
const L_SPAWN = 4;

const isPrefix = new Uint8Array(t.COUNT);
for (const kind of [t.SPAWN, t.STAR, t.ELLIPSIS, t.AMP, t.OWN, t.IMM, t.AWAIT, t.PIPE, t.COLON_GT, t.LAMBDA])
  isPrefix[kind] = 1;

/** `connect` of the grammar: an operand of the arithmetic operators. */
export function parseOperand(p: Parser): Expression {
  const { start } = p;
  const left = isPrefix[p.tok] === 1 ? parsePrefixed(p) : parseChain(p);
  return t.isTight[p.tok] === 1 ? climb(p, left, start, L_CONNECT) : left;
}

function parseTightOperand(p: Parser, min: number): Expression {
  const { start } = p;
  const left = isPrefix[p.tok] === 1 ? parsePrefixed(p) : parseChain(p);
  return t.isTight[p.tok] === 1 ? climb(p, left, start, min) : left;
}

function climb(p: Parser, first: Expression, start: number, min: number): Expression {
  let left = first;
  for (let links = 0; ; links++) {
    const level = levelOf(p);
    if (level < min) return left;
    if (links === longChain) p.hasLongChain = true;
    if (level === L_SPAWN) left = parseSpawn(p, left, start);
    else if (level === L_CONNECT) left = parseConnectOp(p, left, start, () => parseTightOperand(p, L_COLON_GT));
    else {
      if (level === L_LT_COLON && links > maxDepth) {
        tooLong(p);
        return left;
      }
      next(p);
      const right = parseTightOperand(p, level + 1);
      left = { kind: 'Pipe', start, end: p.prevEnd, op: level === L_COLON_GT ? ':>' : '<:', left, right };
    }
  }
}

/** 0 when the current token is no such operator here: `del` is one only before a hop. */
function levelOf(p: Parser): number {
  switch (p.tok) {
    case t.SPAWN:
      return L_SPAWN;
    case t.LT_COLON:
      return L_LT_COLON;
    case t.COLON_GT:
      return L_COLON_GT;
    case t.DEL:
      return t.isHop[peek(p)] === 1 ? L_CONNECT : 0;
    default:
      return t.isTight[p.tok] === 1 ? L_CONNECT : 0;
  }
}

/**
 * `left spawn right`. An `await` written before `left` waits for the walk (docs/language/expressions.md#precedence).
 */
function parseSpawn(p: Parser, left: Expression, start: number): Expression {
  next(p);
  if (p.tok === t.PIPE || p.tok === t.COLON_GT) next(p);
  const awaitedStart = p.awaitedStart;
  const right = isPrefix[p.tok] === 1 ? parsePrefixed(p) : parseChain(p);
  const end = p.prevEnd;
  if (left.kind !== 'Await' || left.start !== start) return { kind: 'Spawn', start, end, left, right };
  const inner = left.expr;
  const innerStart = inner.kind === 'Spawn' ? inner.start : awaitedStart;
  return { kind: 'Await', start, end, expr: { kind: 'Spawn', start: innerStart, end, left: inner, right } };
}

/** A chain with the prefixes of level 24 to 28 before it; words that turn out to be names are left to the chain. */
function parsePrefixed(p: Parser): Expression {
  if (tooDeep(p)) return missing(p);
  const result = parsePrefix(p);
  leaveDepth(p);
  return result;
}

function parsePrefix(p: Parser): Expression {
  const { start, tok } = p;
  switch (tok) {
    case t.LAMBDA:
      return parseLambda(p);
    case t.ELLIPSIS:
    case t.STAR: {
      if (tok === t.ELLIPSIS) {
        if (!isSpread(p)) return parseChain(p);
        warnSpread(p, '*');
      }
      next(p);
      const expr = parseTightOperand(p, L_SPAWN + 1);
      return { kind: 'Starred', start, end: p.prevEnd, expr };
    }
    case t.SPAWN: {
      if (!operandFollows(p)) return parseChain(p);
      next(p);
      if (p.tok === t.PIPE || p.tok === t.COLON_GT) next(p);
      const right = parseTightOperand(p, L_SPAWN + 1);
      return { kind: 'Spawn', start, end: p.prevEnd, left: undefined, right };
    }
    case t.AMP: {
      next(p);
      const isMutable = p.tok === t.MUT && isMutPrefix(p);
      if (isMutable) next(p);
      const expr = parseTightOperand(p, L_SPAWN + 1);
      if (isMutable) warnOwnership(p, start, p.prevEnd);
      return { kind: 'Borrow', start, end: p.prevEnd, word: isMutable ? '&mut' : '&', expr };
    }
    case t.OWN:
    case t.IMM: {
      if (!plainOperandFollows(p)) return parseChain(p);
      next(p);
      warnOwnership(p, start, p.prevEnd);
      const expr = parseTightOperand(p, L_SPAWN + 1);
      return { kind: 'Borrow', start, end: p.prevEnd, word: tok === t.OWN ? 'own' : 'imm', expr };
    }
    case t.AWAIT: {
      if (!operandFollows(p)) return parseChain(p);
      next(p);
      const operandStart = p.start;
      const expr = p.tok === t.PIPE || p.tok === t.COLON_GT ? parsePrefixPipe(p) : parseAwaitedOperand(p);
      p.awaitedStart = operandStart;
      return { kind: 'Await', start, end: p.prevEnd, expr };
    }
    default:
      return parsePrefixPipe(p);
  }
}

/** `await` takes one chain; a second `await` or a lambda behind it is tolerated. */
function parseAwaitedOperand(p: Parser): Expression {
  return p.tok === t.AWAIT || p.tok === t.LAMBDA ? parsePrefixed(p) : parseChain(p);
}

/** `:> f` is `f()` [L]. */
function parsePrefixPipe(p: Parser): Expression {
  const { start, tok } = p;
  next(p);
  const right = parseChain(p);
  return { kind: 'Pipe', start, end: p.prevEnd, op: tok === t.PIPE ? '|>' : ':>', left: undefined, right };
}

function operandFollows(p: Parser): boolean {
  const at = save(p);
  next(p);
  const found = canBeginOperand(p) && !(p.tok === t.NOT && peek(p) === t.IN);
  restore(p, at);
  return found;
}

function plainOperandFollows(p: Parser): boolean {
  const at = save(p);
  next(p);
  const found = isPlainOperandStart(p);
  restore(p, at);
  return found;
}

function isMutPrefix(p: Parser): boolean {
  const at = save(p);
  const found = take(p, t.MUT) && isPlainOperandStart(p);
  restore(p, at);
  return found;
}

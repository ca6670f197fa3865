/**
 * Edge references (docs/language/graph.md#edge-references), connect and disconnect operators
 * (docs/language/graph.md#connect).
 */
import type { Connect, Disconnect, EdgeOp, EdgeRef, Expression, FilterCondition, FilterSpec, Hop } from './ast.ts';
import { formOfParens, parseChain } from './chains.ts';
import { describe, fail, failExpected } from './complain.ts';
import { parseExpression } from './expressions.ts';
import { type FieldValue, parseConditions, parseFieldValues, parseFilterTail } from './filters.ts';
import { next } from './lexer.ts';
import { canBeginOperand, kindBehindBracketed, peek } from './look-ahead.ts';
import { warnOld } from './old-spellings.ts';
import { type Parser, restore, save } from './parser.ts';
import { closeBracket, continuesList, type OpenBracket, openBracket } from './recover.ts';
import { compact, missing, none } from './syntax.ts';
import * as t from './tokens.ts';

/**
 * Consumes what says at once that `[` begins an edge reference: `async`, and `edge` or `node` as markers. Undefined, with nothing
 * consumed, when these words are names here.
 */
export function tryEdgeMarkers(
  p: Parser,
): { readonly async: boolean; readonly want: 'node' | 'edge' | undefined } | undefined {
  const at = save(p);
  const isAsync = p.tok === t.ASYNC;
  if (isAsync) next(p);
  const marker = p.tok;
  if (marker === t.EDGE || marker === t.NODE) {
    next(p);
    const isMarker =
      (t.isHop[p.tok] === 1 && !(marker === t.NODE && p.nodeIsParam)) ||
      (p.tok === t.LPAREN || p.tok === t.LBRACKET ? t.isHop[kindBehindBracketed(p)] === 1 : canFollowMarker(p));
    if (isMarker) return { async: isAsync, want: marker === t.EDGE ? 'edge' : 'node' };
  } else if (isAsync && (t.isHop[p.tok] === 1 || canFollowMarker(p))) return { async: true, want: undefined };
  restore(p, at);
  return undefined;
}

/** The hops and the closing bracket of an edge reference whose origin, if any, was parsed. The current token begins a hop. */
export function parseEdgeRef(
  p: Parser,
  list: OpenBracket,
  origin: Expression | undefined,
  markers?: { readonly async: boolean; readonly want: 'node' | 'edge' | undefined },
): EdgeRef {
  const hops: Hop[] = [];
  while (t.isHop[p.tok] === 1) hops.push(parseHop(p));
  if (hops.length === 0) failExpected(p, 'an edge operator');
  if (p.tok !== t.RBRACKET) while (continuesList(p, list)) parseExpression(p);
  closeBracket(p, list);
  const { async: isAsync = false, want = 'node' } = markers ?? {};
  return {
    kind: 'EdgeRef',
    start: list.start,
    end: p.prevEnd,
    want: want ?? 'node',
    async: isAsync,
    origin,
    hops: compact(hops),
  };
}

/** `visit -->;`: the hops of an edge reference, once written without its brackets. What follows them is a trailer, not a far end. */
export function parseBareHops(p: Parser): EdgeRef {
  const { start } = p;
  const hops: Hop[] = [];
  while (t.isHop[p.tok] === 1) {
    const op = parseEdgeOp(p);
    hops.push({ kind: 'Hop', start: op.start, end: op.end, op, filter: undefined, only: undefined });
  }
  const end = p.prevEnd;
  warnOld(p, start, end, `\`[${p.text.slice(start, end)}]\``);
  return { kind: 'EdgeRef', start, end, want: 'node', async: false, origin: undefined, hops };
}

/** `-->`, `->:E:w > 5:->` and their kin; the current token begins one. */
function parseEdgeOp(p: Parser): EdgeOp {
  const { start, tok } = p;
  const isOld = p.end === start + 2;
  next(p);
  if (tok === t.HOP_OUT || tok === t.HOP_IN || tok === t.HOP_ANY) {
    const direction = tok === t.HOP_OUT ? 'out' : tok === t.HOP_IN ? 'in' : 'any';
    return { kind: 'EdgeOp', start, end: p.prevEnd, direction, type: undefined, conditions: none };
  }
  const isEnd = () => p.tok === t.HOP_OUT_CLOSE || p.tok === t.HOP_IN_CLOSE || isOldClose(p, tok);
  const type = isEnd() || p.tok === t.COLON ? undefined : parseChain(p);
  let conditions: readonly FilterCondition[] = none;
  if (p.tok === t.COLON && !isOldClose(p, tok)) {
    next(p);
    if (!isEnd()) conditions = parseConditions(p);
  }
  const close = takeOldClose(p, tok) ? t.HOP_IN_CLOSE : p.tok;
  const isClosed = close === t.HOP_OUT_CLOSE || (close === t.HOP_IN_CLOSE && tok === t.HOP_IN_OPEN);
  if (isClosed) next(p);
  else failExpected(p, tok === t.HOP_OUT_OPEN ? '`:->`' : '`:<-` or `:->`');
  if (!isClosed && close === t.HOP_IN_CLOSE) next(p);
  const direction = tok === t.HOP_OUT_OPEN ? 'out' : close === t.HOP_OUT_CLOSE ? 'any' : 'in';
  if (isOld) warnOld(p, start, start + 2, '`->: … :->`');
  return { kind: 'EdgeOp', start, end: p.prevEnd, direction, type, conditions };
}

/** `left ++> right` and its kin, `left del --> right`; the current token is the operator. */
export function parseConnectOp(
  p: Parser,
  left: Expression,
  start: number,
  parseRight: () => Expression,
): Connect | Disconnect {
  const { tok } = p;
  const operator = p.start;
  if (tok === t.DEL) {
    next(p);
    const op = parseEdgeOp(p);
    const right = parseRightOperand(p, operator, parseRight);
    return { kind: 'Disconnect', start, end: p.prevEnd, left, right, op };
  }
  next(p);
  if (tok === t.LINK_OUT || tok === t.LINK_IN || tok === t.LINK_ANY) {
    const direction = tok === t.LINK_OUT ? 'out' : tok === t.LINK_IN ? 'in' : 'any';
    const right = parseRightOperand(p, operator, parseRight);
    return { kind: 'Connect', start, end: p.prevEnd, left, right, direction, edge: undefined, fields: none };
  }
  if (p.prevEnd === operator + 2) warnOld(p, operator, p.prevEnd, '`+>: … :+>`');
  const edge = parseExpression(p);
  let fields: readonly FieldValue[] = none;
  if (p.tok === t.COLON && !isOldClose(p, tok)) {
    next(p);
    fields = parseFieldValues(p);
  }
  const close = takeOldClose(p, tok) ? t.LINK_IN_CLOSE : p.tok;
  const isClosed = close === t.LINK_OUT_CLOSE || (close === t.LINK_IN_CLOSE && tok === t.LINK_IN_OPEN);
  if (isClosed) next(p);
  else {
    const closers = tok === t.LINK_OUT_OPEN ? '`:+>`' : '`:<+` or `:+>`';
    fail(p, 'E0163', operator, operator + 3, { close: closers }, { help: `found ${describe(p)} instead` });
    if (close === t.LINK_IN_CLOSE) next(p);
  }
  const direction = tok === t.LINK_OUT_OPEN ? 'out' : close === t.LINK_OUT_CLOSE ? 'any' : 'in';
  const right = parseRightOperand(p, operator, parseRight);
  return { kind: 'Connect', start, end: p.prevEnd, left, right, direction, edge, fields };
}

/** `:-` and `:+` once closed the operators that lead in: a colon, and behind it at once the sign. */
function isOldClose(p: Parser, open: number): boolean {
  const sign = open === t.HOP_IN_OPEN ? 0x2d : open === t.LINK_IN_OPEN ? 0x2b : 0;
  return p.tok === t.COLON && p.text.charCodeAt(p.end) === sign;
}

/** Moves to the sign of an old closing, the second half of the one of today. */
function takeOldClose(p: Parser, open: number): boolean {
  if (!isOldClose(p, open)) return false;
  const { start } = p;
  next(p);
  warnOld(p, start, start + 2, open === t.HOP_IN_OPEN ? '`:<-`' : '`:<+`');
  return true;
}

function parseRightOperand(p: Parser, operator: number, parseRight: () => Expression): Expression {
  if (canBeginOperand(p)) return parseRight();
  fail(p, 'E0162', operator, p.prevEnd);
  return missing(p);
}

function parseHop(p: Parser): Hop {
  const { start } = p;
  const op = parseEdgeOp(p);
  let filter: FilterSpec | undefined;
  let only: Expression | undefined;
  if (p.tok === t.LPAREN && formOfParens(p) === 'filter') filter = parseHopFilter(p);
  else if (p.tok === t.LBRACKET && peek(p) === t.QUESTION) filter = parseHopFilter(p);
  else if (p.tok === t.LPAREN || (canBeginOperand(p) && p.tok !== t.LT)) {
    only = parseChain(p);
    filter = filterOfCall(p, only);
    if (filter !== undefined) only = undefined;
  }
  return { kind: 'Hop', start, end: p.prevEnd, op, filter, only };
}

function parseHopFilter(p: Parser): FilterSpec {
  const list = openBracket(p);
  next(p);
  return parseFilterTail(p, list);
}

/**
 * `[--> Profile(user_id == x)]` says what `[-->[?:Profile, user_id == x]]` does
 * (docs/language/older-programs.md#filters).
 */
function filterOfCall(p: Parser, e: Expression): FilterSpec | undefined {
  if (e.kind !== 'Call' || e.args.length === 0 || !namesType(e.callee)) return undefined;
  const conditions = e.args.map(({ sort, value }) => (sort === 'positional' ? conditionOf(value) : undefined));
  const { start, end } = e;
  if (conditions.includes(undefined)) return undefined;
  warnOld(p, start, end, '`[?:Type, field == value]`');
  return { kind: 'FilterSpec', start, end, type: e.callee, conditions: conditions as FilterCondition[] };
}

function conditionOf(e: Expression): FilterCondition | undefined {
  if (e.kind !== 'Compare' || e.ops.length !== 1) return undefined;
  const [left, value] = e.operands as [Expression, Expression];
  if (left.kind !== 'NameRef') return undefined;
  const field = { kind: 'Name', start: left.start, end: left.end, text: left.name, escaped: left.escaped } as const;
  return { kind: 'FilterCondition', start: e.start, end: e.end, field, op: e.ops[0]!, value };
}

/** Types are written with a capital; what a function called here gives is a node. */
function namesType(e: Expression): boolean {
  const name = e.kind === 'NameRef' ? e.name : e.kind === 'Attribute' ? e.name.text : '';
  return /^[A-Z]/.test(name);
}

/** An operand begins here that could not go on from a name before it. */
function canFollowMarker(p: Parser): boolean {
  if (p.tok <= t.LAST_WORD) return p.tok !== t.EOF && t.isJoiner[p.tok] === 0 && p.tok !== t.NOT && p.tok !== t.SPAWN;
  return p.tok === t.STRING || p.tok === t.NUMBER;
}

/** Patterns of `case` (docs/language/statements.md#match). */
import type { Expression, Name, Pattern } from './ast.ts';
import { parseBinary } from './expressions.ts';
import { next } from './lexer.ts';
import { isBeforeAssign, isWordAName } from './look-ahead.ts';
import { type Parser, restore, save } from './parser.ts';
import { closeBracket, continuesList, leaveDepth, openBracket, tooDeep } from './recover.ts';
import { expect, expectName, expectPlainName, none, take, takeName } from './syntax.ts';
import * as t from './tokens.ts';

type MappingPattern = Extract<Pattern, { kind: 'MappingPattern' }>;
type ClassPattern = Extract<Pattern, { kind: 'ClassPattern' }>;

/** `or_pat as name` */
export function parsePattern(p: Parser): Pattern {
  const { start } = p;
  if (tooDeep(p)) return { kind: 'WildcardPattern', start: p.prevEnd, end: p.prevEnd };
  let pattern = parseSimplePattern(p);
  if (p.tok === t.BAR) {
    const options = [pattern];
    while (take(p, t.BAR)) options.push(parseSimplePattern(p));
    pattern = { kind: 'OrPattern', start, end: p.prevEnd, options };
  }
  if (take(p, t.AS)) {
    const name = expectPlainName(p);
    pattern = { kind: 'AsPattern', start, end: p.prevEnd, pattern, name };
  }
  leaveDepth(p);
  return pattern;
}

function parseSimplePattern(p: Parser): Pattern {
  switch (p.tok) {
    case t.LPAREN:
      return parseGroup(p);
    case t.LBRACKET:
      return parseSequence(p);
    case t.LBRACE:
      return parseMapping(p);
    case t.NAME:
      if (p.escaped) break;
      return parseNamed(p);
    default:
      if (p.tok > t.NAME && p.tok <= t.LAST_WORD && canNameAPattern(p)) return parseNamed(p);
  }
  return parseValue(p);
}

/** A literal, an escaped name, or any other expression: compared with `==`. */
function parseValue(p: Parser): Pattern {
  const { start } = p;
  const value = parseBinary(p, t.P_CARET);
  return { kind: 'ValuePattern', start, end: Math.max(start, p.prevEnd), value };
}

/** Reserved words that are no constants, prefixes or special references. */
function canNameAPattern(p: Parser): boolean {
  const { tok } = p;
  if (tok <= t.LAST_IDENTIFIER) return true;
  if (t.isSpecial[tok] === 1 || tok === t.TRUE || tok === t.FALSE || tok === t.NONE) return false;
  return tok !== t.NOT && tok !== t.AWAIT && tok !== t.LAMBDA && tok !== t.SPAWN && isWordAName(p);
}

/** `_`, a capture, a dotted name, a class pattern; an expression when more follows than these. */
function parseNamed(p: Parser): Pattern {
  if (p.valuePatterns.has(p.start)) return parseValue(p);
  const at = save(p);
  const { start } = p;
  const name = takeName(p);
  if (endsPattern(p)) {
    if (name.text === '_') return { kind: 'WildcardPattern', start, end: p.prevEnd };
    return { kind: 'CapturePattern', start, end: p.prevEnd, name };
  }
  let type: Expression = { kind: 'NameRef', start, end: p.prevEnd, name: name.text, escaped: name.escaped };
  while (p.tok === t.DOT) {
    next(p);
    const attribute = expectName(p);
    type = { kind: 'Attribute', start, end: p.prevEnd, object: type, name: attribute, safe: false };
  }
  const pattern: Pattern =
    p.tok === t.LPAREN
      ? parseClassPattern(p, type, start)
      : { kind: 'ValuePattern', start, end: p.prevEnd, value: type };
  if (endsPattern(p) || p.tok === t.EOF || p.tok === t.LBRACE) return pattern;
  restore(p, at);
  p.valuePatterns.add(p.start);
  return parseValue(p);
}

function endsPattern(p: Parser): boolean {
  switch (p.tok) {
    case t.COLON:
    case t.BAR:
    case t.AS:
    case t.IF:
    case t.COMMA:
    case t.RPAREN:
    case t.RBRACKET:
    case t.RBRACE:
      return true;
    default:
      return false;
  }
}

function parseClassPattern(p: Parser, type: Expression, start: number): Pattern {
  const list = openBracket(p);
  next(p);
  const positional: Pattern[] = [];
  const named: { readonly name: Name; readonly pattern: Pattern }[] = [];
  while (p.tok !== t.RPAREN) {
    if (p.tok > t.EOF && p.tok <= t.LAST_WORD && isBeforeAssign(p)) {
      const name = takeName(p);
      next(p);
      named.push({ name, pattern: parsePattern(p) });
    } else positional.push(parsePattern(p));
    if (!take(p, t.COMMA) && (p.tok === t.RPAREN || !continuesList(p, list))) break;
  }
  closeBracket(p, list);
  const pattern: ClassPattern = { kind: 'ClassPattern', start, end: p.prevEnd, type, positional, named };
  return pattern;
}

/** `(p)` is `p`; with a comma, or empty, it is a sequence. */
function parseGroup(p: Parser): Pattern {
  const list = openBracket(p);
  next(p);
  const items: Pattern[] = [];
  let isSequence = p.tok === t.RPAREN || p.tok === t.STAR;
  while (p.tok !== t.RPAREN) {
    items.push(parseSequenceItem(p));
    if (take(p, t.COMMA)) isSequence = true;
    else if (p.tok === t.RPAREN || !continuesList(p, list)) break;
    else isSequence = true;
  }
  closeBracket(p, list);
  const [only] = items;
  if (!isSequence && only !== undefined) return only;
  return { kind: 'SequencePattern', start: list.start, end: p.prevEnd, items };
}

function parseSequence(p: Parser): Pattern {
  const list = openBracket(p);
  next(p);
  const items: Pattern[] = [];
  while (p.tok !== t.RBRACKET) {
    items.push(parseSequenceItem(p));
    if (!take(p, t.COMMA) && (p.tok === t.RBRACKET || !continuesList(p, list))) break;
  }
  closeBracket(p, list);
  return { kind: 'SequencePattern', start: list.start, end: p.prevEnd, items };
}

function parseSequenceItem(p: Parser): Pattern {
  const { start } = p;
  if (!take(p, t.STAR)) return parsePattern(p);
  const name = expectPlainName(p);
  return { kind: 'StarPattern', start, end: p.prevEnd, name: name.text === '_' ? undefined : name };
}

function parseMapping(p: Parser): Pattern {
  const list = openBracket(p);
  next(p);
  const entries: { readonly key: Expression; readonly value: Pattern }[] = [];
  let rest: Name | undefined;
  while (p.tok !== t.RBRACE) {
    if (take(p, t.STAR_STAR)) rest = expectPlainName(p);
    else {
      const key = parseBinary(p, t.P_BAR);
      if (expect(p, t.COLON)) entries.push({ key, value: parsePattern(p) });
    }
    if (!take(p, t.COMMA) && (p.tok === t.RBRACE || !continuesList(p, list))) break;
  }
  closeBracket(p, list);
  const pattern: MappingPattern = {
    kind: 'MappingPattern',
    start: list.start,
    end: p.prevEnd,
    entries: entries.length === 0 ? none : entries,
    rest,
  };
  return pattern;
}

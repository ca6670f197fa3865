/**
 * Spellings of the programs of 2023 to 2025 that later grammars dropped
 * (docs/language/older-programs.md#old-spellings): each is read as what it is called today, and named by W0144. Edge
 * operators of that time are in graph.ts, the escape `<>name` in old-escape.ts.
 */
import type { Argument, GlobDecl, Lambda, Name, ScopeStatement, Signature } from './ast.ts';
import { complain } from './complain.ts';
import { parseExpression, parseType } from './expressions.ts';
import { parseParam } from './functions.ts';
import { next } from './lexer.ts';
import { peek } from './look-ahead.ts';
import { type Parser, restore, save } from './parser.ts';
import { expectSemicolon } from './statements.ts';
import { expect, expectName, none, take, takeName, takeNameRef } from './syntax.ts';
import * as t from './tokens.ts';

/** Says what the spelling from `start` to `end` is called today. */
export function warnOld(p: Parser, start: number, end: number, instead: string): void {
  const old = p.text.slice(start, Math.min(end, start + 40));
  complain(p, 'W0144', start, end, { old }, { help: `write ${instead}` });
}

const declaredKinds = new Set([
  'obj',
  'object',
  'o',
  'node',
  'n',
  'edge',
  'e',
  'walker',
  'w',
  'class',
  'cls',
  'enum',
  'can',
  'ability',
  'a',
  'c',
  'def',
]);
const scopeWords: Readonly<Record<string, ScopeStatement['word']>> = {
  g: 'global',
  global: 'global',
  nl: 'nonlocal',
  nonlocal: 'nonlocal',
};

/** `:obj:A:can:m`, `:can:f`: an implementation without the word `impl` begins at the colon that is the current token. */
export function isOldImpl(p: Parser): boolean {
  return p.tok === t.COLON && declaredKinds.has(wordBetweenColons(p) ?? '');
}

/** `<init>`, the constructor of 2023, at a `<` that is the current token. */
export function isOldInit(p: Parser): boolean {
  return p.tok === t.LT && p.text.startsWith('<init>', p.start);
}

/** The names of an old implementation's target; the current token is its first colon. */
export function parseOldTarget(p: Parser): Name[] {
  const { start } = p;
  const names: Name[] = [];
  while (isOldImpl(p)) {
    next(p);
    next(p);
    next(p);
    names.push(expectName(p));
  }
  warnOld(p, start, p.prevEnd, `\`impl ${names.map(({ text }) => text).join('.')}\``);
  return names;
}

/**
 * Renames an old keyword: where `obj` was still written out, or `glob` was `global`, the current token becomes today's
 * word.
 */
export function renameOldKeyword(p: Parser): void {
  if (p.tok !== t.GLOBAL && (p.tok !== t.NAME || p.word !== 'object')) return;
  const at = save(p);
  next(p);
  const isNamed = p.tok >= t.NAME && p.tok <= t.LAST_IDENTIFIER;
  next(p);
  const { tok } = p;
  restore(p, at);
  const isGlobal = p.tok === t.GLOBAL;
  const isHead =
    tok === t.COLON || (isGlobal ? tok === t.ASSIGN : tok === t.LBRACE || tok === t.SEMI || tok === t.LPAREN);
  if (!isNamed || !isHead) return;
  warnOld(p, p.start, p.end, isGlobal ? '`glob`' : '`obj`');
  p.tok = isGlobal ? t.GLOB : t.OBJ;
  p.word = isGlobal ? 'glob' : 'obj';
}

/**
 * `model llm: Maker { name = "x"; }`, which is `glob llm = Maker(name="x");`. Undefined, with nothing consumed, when no such declaration
 * begins at the word `model`.
 */
export function tryOldModel(p: Parser, head: Pick<GlobDecl, 'start' | 'placement' | 'doc'>): GlobDecl | undefined {
  if (p.tok !== t.NAME || p.word !== 'model') return undefined;
  const at = save(p);
  const word = p.start;
  next(p);
  const itemStart = p.start;
  const name = p.tok === t.NAME ? takeName(p) : undefined;
  if (name === undefined || !take(p, t.COLON) || p.tok !== t.NAME) {
    restore(p, at);
    return undefined;
  }
  const callee = takeNameRef(p);
  warnOld(p, word, p.prevEnd, `\`glob ${name.text} = ${callee.name}(…);\``);
  const args: Argument[] = [];
  take(p, t.LBRACE);
  while (p.tok >= t.NAME && p.tok <= t.LAST_WORD) {
    const { start } = p;
    const option = takeName(p);
    expect(p, t.ASSIGN);
    const value = parseExpression(p);
    args.push({ kind: 'Argument', start, end: p.prevEnd, sort: 'keyword', name: option, value });
    if (!take(p, t.SEMI) && !take(p, t.COMMA)) break;
  }
  expect(p, t.RBRACE);
  const end = p.prevEnd;
  const value = { kind: 'Call', start: callee.start, end, callee, args } as const;
  const item = { kind: 'GlobItem', start: itemStart, end, name, chained: none, type: undefined, value } as const;
  const { start, placement, doc } = head;
  return { kind: 'GlobDecl', start, end, placement, doc, access: undefined, items: [item] };
}

/** `def` of `impl def A.m`, `obj` of `impl obj A`: what is implemented was said once more. */
export function skipOldKind(p: Parser): void {
  if (!declaredKinds.has(p.word) || p.tok > t.LAST_WORD) return;
  const after = peek(p);
  if (after < t.NAME || after > t.LAST_WORD || after === t.WITH || after === t.BY) return;
  warnOld(p, p.start, p.end, '`impl` and the name');
  next(p);
}

/** `:g: a, b;` and `:nl: a;`; undefined, with nothing consumed, when the colon begins no such statement. */
export function tryOldScope(p: Parser): ScopeStatement | undefined {
  const { start } = p;
  const word = scopeWords[wordBetweenColons(p) ?? ''];
  if (word === undefined) return undefined;
  next(p);
  next(p);
  next(p);
  warnOld(p, start, p.prevEnd, `\`${word}\``);
  const names: Name[] = [];
  do names.push(expectName(p));
  while (take(p, t.COMMA));
  expectSemicolon(p, start);
  return { kind: 'ScopeStatement', start, end: p.prevEnd, word, names };
}

/** The `edge` or `node` of `:edge:[-->]`, when that is what begins at the current token. */
export function tryOldMarker(p: Parser): 'edge' | 'node' | undefined {
  const word = p.tok === t.COLON ? wordBetweenColons(p) : undefined;
  const marker = word === 'e' || word === 'edge' ? 'edge' : word === 'n' || word === 'node' ? 'node' : undefined;
  if (marker === undefined) return undefined;
  const at = save(p);
  const { start } = p;
  next(p);
  next(p);
  next(p);
  if (p.tok !== t.LBRACKET) {
    restore(p, at);
    return undefined;
  }
  warnOld(p, start, p.prevEnd, `\`[${marker} -->]\``);
  return marker;
}

/** `with x: int -> T can e`: a lambda. Undefined, with nothing consumed, when `with` is something else. */
export function tryOldLambda(p: Parser): Lambda | undefined {
  const at = save(p);
  const { start } = p;
  next(p);
  const paramsStart = p.start;
  const params = p.tok === t.CAN || p.tok === t.ARROW ? none : parseOldParams(p);
  const paramsEnd = Math.max(paramsStart, p.prevEnd);
  const result = take(p, t.ARROW) ? parseType(p) : undefined;
  if (p.failures > at.failures || p.tok !== t.CAN) {
    restore(p, at);
    return undefined;
  }
  const signature: Signature = {
    kind: 'Signature',
    start: paramsStart,
    end: result === undefined ? paramsEnd : p.prevEnd,
    hasList: params !== none,
    params,
    result,
  };
  next(p);
  warnOld(p, start, p.prevEnd, '`lambda x: T: e`');
  const body = parseExpression(p);
  return { kind: 'Lambda', start, end: p.prevEnd, signature, body };
}

function parseOldParams(p: Parser): Signature['params'] {
  const params = [parseParam(p)];
  while (take(p, t.COMMA)) params.push(parseParam(p));
  return params;
}

/** `obj 'what it is' Name`: the text of a later `sem`, before the name it is about. Read over. */
export function skipOldDescription(p: Parser): void {
  if (p.tok !== t.STRING) return;
  const after = peek(p);
  if (after < t.NAME || after > t.LAST_WORD) return;
  warnDescription(p);
  next(p);
}

/** `x: 'what it is': T` and `-> 'what it is': T`: the same before a type. */
export function skipOldTypeDescription(p: Parser): void {
  if (p.tok !== t.STRING) return;
  const after = peek(p);
  const isType = (after >= t.NAME && after <= t.LAST_IDENTIFIER) || after === t.NONE || after === t.ENUM;
  if (after !== t.COLON && !isType) return;
  warnDescription(p);
  next(p);
  take(p, t.COLON);
}

function warnDescription(p: Parser): void {
  warnOld(p, p.start, p.end, '`sem name = "…";`');
}

/** The result type once written behind the event of an ability; its value was never used. */
export function skipOldEventResult(p: Parser): void {
  const { start } = p;
  if (p.tok === t.STRING) next(p);
  if (!take(p, t.ARROW)) return;
  parseType(p);
  warnOld(p, start, p.prevEnd, 'the event without a type behind it');
}

/** The word of `:word:` at a colon. */
function wordBetweenColons(p: Parser): string | undefined {
  const at = save(p);
  next(p);
  const word = p.tok >= t.NAME && p.tok <= t.LAST_WORD && !p.escaped ? p.word : undefined;
  next(p);
  const isClosed = p.tok === t.COLON;
  restore(p, at);
  return isClosed ? word : undefined;
}

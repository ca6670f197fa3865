/**
 * The dispatch of statements by their first token, and the `;` they end with (docs/language/statements.md). Blocks:
 * blocks.ts; compound statements: compound.ts; the others: simple-statements.ts, assignments.ts; declarations inside
 * blocks: declarations.ts.
 */

import { didYouMean } from '../../base/did-you-mean.ts';
import { finishSimple, parseLet } from './assignments.ts';
import type { Statement } from './ast.ts';
import { parseBlock } from './blocks.ts';
import { complain, fail, failExpected, failOperand, hasErrorFrom, isQuiet } from './complain.ts';
import {
  parseFor,
  parseForever,
  parseIf,
  parseMatch,
  parseRegion,
  parseSwitch,
  parseTry,
  parseTypedContext,
  parseWhile,
  parseWith,
} from './compound.ts';
import { takeComptime } from './comptime.ts';
import { isDeclarationStart, isForeign, parseForeign, parseInnerDeclaration } from './declarations.ts';
import { parseExpression } from './expressions.ts';
import { repairConditional } from './hints.ts';
import { tryForeignImport } from './imports.ts';
import { next } from './lexer.ts';
import { canBeginOperand, isUsedAsName, peek } from './look-ahead.ts';
import { meantByStatement } from './meant.ts';
import { tryOldScope } from './old-spellings.ts';
import { parseCatch, parseOrphan, parsePlacement } from './orphans.ts';
import { type Parser, restore, save } from './parser.ts';
import { syncStatement } from './recover.ts';
import {
  parseAssert,
  parseCheck,
  parseCtrl,
  parseDelete,
  parseIgnore,
  parseRaise,
  parseReport,
  parseReturn,
  parseScope,
  parseVisit,
  parseYieldStatement,
} from './simple-statements.ts';
import { missing, none, take } from './syntax.ts';
import * as t from './tokens.ts';

/** One statement; undefined for `;`. */
export function parseStatement(p: Parser): Statement | undefined {
  const { tok } = p;
  if (tok === t.NAME) {
    const meant = foreignHeads.get(p.word);
    if (
      meant !== undefined &&
      (peek(p) === t.NAME || peek(p) === t.STRING || (p.word === 'throw' && peek(p) === t.NEW))
    ) {
      failExpected(p, `\`${meant.word}\``, { help: meant.help });
      p.tok = meant.tok;
      return parseStatement(p);
    }
    if (p.word === 'do' && peek(p) === t.LBRACE) return parseDoWhile(p);
    if (declaresParts(p)) {
      const help = `a variable is declared by its first value, without \`${p.word}\``;
      // Members in braces are refused as what they are.
      if (peek(p) === t.LBRACKET) failExpected(p, 'variables', { help });
      next(p);
      return parseSimple(p);
    }
    return takeComptime(p) ? parseStatement(p) : parseSimple(p);
  }
  if (tok === t.FROM || tok === t.IMPORT) {
    const head = { start: p.start, placement: undefined, doc: undefined, decorators: none, isMember: false };
    const foreign = tryForeignImport(p, head);
    if (foreign !== undefined) return foreign;
  }
  if (tok <= t.LAST_WORD) return parseWordStatement(p) ?? parseSimple(p);
  switch (tok) {
    case t.SEMI:
      next(p);
      return undefined;
    case t.LBRACE:
      return beginsBraced[peek(p)] === true ? parseBracedStatement(p) : parseSimple(p);
    case t.STRING:
      return isDocumented(p) ? parseInnerDeclaration(p) : parseSimple(p);
    case t.AT:
      return parseInnerDeclaration(p);
    case t.ARROW:
      return parseTypedContext(p);
    case t.COLON:
      if (isForeign(p)) return parseForeign(p, p.start, undefined, undefined);
      return tryOldScope(p) ?? parseSimple(p);
    default:
      return parseSimple(p);
  }
}

/** Words that begin statements of other languages, each with the one it is read as. Before a name or a text they are nothing else. */
const foreignHeads: ReadonlyMap<string, { readonly tok: number; readonly word: string; readonly help: string }> =
  new Map([
    ['function', { tok: t.DEF, word: 'def', help: 'a function begins with `def`' }],
    ['foreach', { tok: t.FOR, word: 'for', help: 'a loop is written `for x in … { … }`' }],
    ['throw', { tok: t.RAISE, word: 'raise', help: 'an exception is raised: `raise …`' }],
    ['unless', { tok: t.IF, word: 'if', help: 'write `if not …`' }],
    ['until', { tok: t.WHILE, word: 'while', help: 'write `while not …`' }],
  ]);

/** `do { … } while (c);`: told, and read as the loop. */
function parseDoWhile(p: Parser): Statement {
  const { start } = p;
  failExpected(p, '`while`', { help: 'write `while True { … if not (c) { break; } }`' });
  next(p);
  const body = parseBlock(p, 'plain');
  const test = take(p, t.WHILE) ? parseExpression(p) : missing(p);
  take(p, t.SEMI);
  return { kind: 'WhileStatement', start, end: p.prevEnd, test, body, orElse: undefined };
}

/** `const [a, b] = …`, `var {a, b} = …`: a blank stands between the word and the bracket, unlike in `var[0] = …`. */
function declaresParts(p: Parser): boolean {
  return (p.word === 'const' || p.word === 'var') && /^[ \t]+[[{]/.test(p.text.slice(p.end, p.end + 20));
}

const beginsBraced: Readonly<Record<number, true>> = { [t.FOR]: true, [t.IF]: true, [t.WHILE]: true, [t.TRY]: true };

/** `{if x { … }}` in a block of a slot: told, and read as the statement between its braces. */
function parseBracedStatement(p: Parser): Statement | undefined {
  next(p);
  failOperand(p);
  const statement = parseStatement(p);
  take(p, t.RBRACE);
  return statement;
}

/** An expression statement or an assignment. */
function parseSimple(p: Parser): Statement {
  const { start } = p;
  const expr = parseExpression(p);
  return finishSimple(p, expr, start);
}

/** Consumes the `;` of a statement that began at `start`, or reports that it is missing and goes on as if it were there. */
export function expectSemicolon(p: Parser, start: number): void {
  if (p.tok === t.SEMI) {
    next(p);
    return;
  }
  if (p.tok === t.COLON && repairConditional(p, start) && take(p, t.SEMI)) return;
  // A bracket too many is a consequence of what was wrong before in the statement, as is the rest of a line that lacks a `;`.
  const isLeftOver = p.tok === t.RPAREN || p.tok === t.RBRACKET || p.tok === t.COLON || p.tok === t.COMMA;
  const isConsequence = isLeftOver && (hasErrorFrom(p, start) || isSameLine(p, p.lastSemicolon, p.start));
  if (isQuiet(p) || isConsequence) {
    p.failures++;
    syncStatement(p);
    return;
  }
  if (p.tok === t.COMMA) {
    fail(p, 'E0110', p.start, p.end, { expected: '`;`', got: '`,`' }, { help: 'a tuple needs parentheses: `(a, b)`' });
    skipMoreItems(p);
    if (!take(p, t.SEMI)) syncStatement(p);
    return;
  }
  const canGoOn =
    p.tok === t.RBRACE ||
    p.tok === t.EOF ||
    p.tok === t.AT ||
    p.tok === t.ARROW ||
    canBeginOperand(p) ||
    t.beginsStatement[p.tok] === 1;
  if (!canGoOn) {
    const isHop = t.isHop[p.tok] === 1;
    const help = isHop ? 'edge arrows stand in `[…]`; in arithmetic put a space into it' : undefined;
    failExpected(p, '`;`', { help });
    syncStatement(p);
    return;
  }
  p.failures++;
  const isUnclosed = p.tok === t.EOF && hasErrorFrom(p, p.prevEnd);
  if (!isUnclosed && !isSameLine(p, p.lastSemicolon, p.prevEnd))
    complain(p, 'E0120', p.prevEnd, p.prevEnd, undefined, { help: meantWord(p, start) });
  p.lastSemicolon = p.prevEnd;
}

const openingWords =
  'report return visit raise assert yield import include can global nonlocal for while if elif else match switch try with del await def has obj class';
const joiningWords = 'spawn and or in is if else not as by';

/** Two words side by side: one of them is perhaps a misspelt word of the language. */
function meantWord(p: Parser, start: number): string | undefined {
  if (!isSameLine(p, p.prevEnd, p.start)) return undefined;
  const first = p.text.slice(start, p.prevEnd);
  if (first === 'print' && canBeginOperand(p)) return 'write `print(…)`';
  const known = meantByStatement(p, first);
  if (known !== undefined) return known;
  const isWord = /^[A-Za-z]+$/.test(first);
  const meant =
    (isWord ? didYouMean(first, openingWords.split(' ')) : undefined) ??
    (p.tok === t.NAME ? didYouMean(p.word, joiningWords.split(' ')) : undefined);
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`;
}

/** Statements that begin with a word of the language; undefined when the word is a name here. */
function parseWordStatement(p: Parser): Statement | undefined {
  const { tok } = p;
  const parser = wordStatements()[tok];
  if (parser === undefined) return undefined;
  if (tok !== t.INCLUDE && isUsedAsName(p)) return undefined;
  if (tok === t.REPORT || tok === t.VISIT || tok === t.MATCH || tok === t.SWITCH) return parseUnlessName(p, parser);
  return parser(p);
}

/** `report: dict = {};`, `match["k"] = v;` [X]: no report, visit or match can go on like that. */
function parseUnlessName(p: Parser, parser: WordParser): Statement | undefined {
  if (p.tok !== t.VISIT && peek(p) === t.COLON) return undefined;
  if (p.text.charCodeAt(p.end) === 0x5b) {
    const at = save(p);
    next(p);
    parseExpression(p);
    const isAssigned = p.tok === t.ASSIGN || (p.tok >= t.FIRST_AUGMENTED && p.tok <= t.LAST_AUGMENTED);
    restore(p, at);
    if (isAssigned) return undefined;
  }
  return parser(p);
}

type WordParser = (p: Parser) => Statement | undefined;
let table: (WordParser | undefined)[] | undefined;

/**
 * Gives the parsers of statements by token kind. Made at the first use: the modules of the grammar import each other.
 */
function wordStatements(): readonly (WordParser | undefined)[] {
  if (table !== undefined) return table;
  const parsers = new Array<WordParser | undefined>(t.LAST_WORD + 1).fill(undefined);
  const set = (kinds: readonly number[], parser: WordParser) => {
    for (const kind of kinds) parsers[kind] = parser;
  };
  set([t.IF], parseIf);
  set([t.WHILE], parseWhile);
  set([t.FOREVER], (p) => (peek(p) === t.LBRACE ? parseForever(p) : undefined));
  set([t.FOR], parseFor);
  set([t.FLOW], (p) => (peek(p) === t.FOR ? parseFor(p) : undefined));
  set([t.TRY], parseTry);
  set([t.WITH], parseWith);
  set([t.MATCH], parseMatch);
  set([t.SWITCH], parseSwitch);
  set([t.RETURN], parseReturn);
  set([t.YIELD], parseYieldStatement);
  set([t.BREAK, t.CONTINUE, t.SKIP, t.DISENGAGE], parseCtrl);
  set([t.RAISE], parseRaise);
  set([t.ASSERT], parseAssert);
  set([t.CHECK], parseCheck);
  set([t.DEL], parseDelete);
  set([t.GLOBAL, t.NONLOCAL], parseScope);
  set([t.LET], parseLet);
  set([t.VISIT], parseVisit);
  set([t.REPORT], parseReport);
  set([t.IN], parseRegion);
  set([t.IGNORE], parseIgnore);
  set([t.CATCH], parseCatch);
  set([t.ELIF, t.ELSE, t.EXCEPT, t.FINALLY, t.CASE, t.DEFAULT], parseOrphan);
  set([t.CL, t.SV, t.NA], parsePlacement);
  set([t.ASYNC], parseAsync);
  // biome-ignore format: a dense table
  const declarations = [
    t.IMPORT, t.INCLUDE, t.DEF, t.CAN, t.HAS, t.OBJ, t.CLASS, t.NODE, t.EDGE, t.WALKER, t.ENUM, t.IMPL, t.GLOB, t.TYPE, t.STATIC, t.OVERRIDE,
  ];
  set(declarations, (p) => (isDeclarationStart(p) ? parseInnerDeclaration(p) : undefined));
  table = parsers;
  return parsers;
}

function parseAsync(p: Parser): Statement | undefined {
  const after = peek(p);
  if (after === t.FOR || (after === t.FLOW && !isUsedAsName(p))) return parseFor(p);
  if (after === t.WITH) return parseWith(p);
  return isDeclarationStart(p) ? parseInnerDeclaration(p) : undefined;
}

/** Tells whether a string begins the documentation of a declaration (docs/language/grammar.md#reading). */
function isDocumented(p: Parser): boolean {
  const at = save(p);
  while (p.tok === t.STRING) next(p);
  const found = p.tok === t.AT || isDeclarationStart(p);
  restore(p, at);
  return found;
}

function skipMoreItems(p: Parser): void {
  while (take(p, t.COMMA)) {
    if (!canBeginOperand(p)) return;
    parseExpression(p);
  }
}

export function isSameLine(p: Parser, from: number, to: number): boolean {
  if (from < 0 || from > to) return false;
  for (let i = from; i < to; i++) {
    const c = p.text.charCodeAt(i);
    if (c === 0x0a || c === 0x0d) return false;
  }
  return true;
}

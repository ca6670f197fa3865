/** Atoms (docs/language/expressions.md#atoms): literals, names, special references, brackets. */
import type { Constant, Expression, SpecialRef } from './ast.ts';
import { parseBraces, parseBrackets, parseParens } from './brackets.ts';
import { complain, failOperand } from './complain.ts';
import { parseBareHops } from './graph.ts';
import { parseNewOperator } from './hints.ts';
import { parseLambda } from './lambda.ts';
import { continuesWord, next } from './lexer.ts';
import { noteSelf } from './local-self.ts';
import { noteWord } from './local-words.ts';
import { isPlainOperandStart, isUsedAsName, isWordAName, peek } from './look-ahead.ts';
import { beginsMarkup, parseMarkup } from './markup.ts';
import { makeNumber } from './numbers.ts';
import { takeBracketedWord, tryOldEscape } from './old-escape.ts';
import { tryOldMarker } from './old-spellings.ts';
import { type Parser, restore, save } from './parser.ts';
import { parseYield } from './simple-statements.ts';
import { parseStrings } from './strings.ts';
import { missing, takeNameRef } from './syntax.ts';
import * as t from './tokens.ts';

/** One atom, or `Missing`, reported, when none begins here. */
export function parseAtom(p: Parser): Expression {
  const { tok } = p;
  if (tok === t.NAME) return takeNameRef(p);
  switch (tok) {
    case t.NUMBER: {
      const number = makeNumber(p);
      next(p);
      return number;
    }
    case t.STRING:
    case t.FSTRING:
      return parseStrings(p);
    case t.LPAREN:
      return parseParens(p);
    case t.LBRACKET:
      return parseBrackets(p);
    case t.LBRACE:
      return parseBraces(p);
    case t.TRUE:
      return takeConstant(p, true);
    case t.FALSE:
      return takeConstant(p, false);
    case t.NONE:
      return takeConstant(p, null);
    case t.ELLIPSIS:
      return takeConstant(p, 'ellipsis');
    case t.LT:
      return parseLess(p);
    case t.COLON:
      return tryOldEdges(p) ?? parseNothing(p);
    case t.BACKTICK:
      return parseTick(p);
    case t.HOP_OUT:
    case t.HOP_IN:
    case t.HOP_ANY:
    case t.HOP_OUT_OPEN:
    case t.HOP_IN_OPEN:
      return parseBareHops(p);
    default:
      return tok !== t.EOF && tok <= t.LAST_WORD ? parseWord(p) : parseNothing(p);
  }
}

/** `:edge:[-->]`: the marker of an edge reference before its bracket. */
function tryOldEdges(p: Parser): Expression | undefined {
  const want = tryOldMarker(p);
  if (want === undefined) return undefined;
  const found = parseBrackets(p);
  return found.kind === 'EdgeRef' ? { ...found, want } : found;
}

/** Words other than plain names. */
function parseWord(p: Parser): Expression {
  const { tok } = p;
  // Constructors have these names behind `.` and in `impl`; alone they are names like others.
  if (tok === t.INIT || tok === t.POSTINIT) return takeNameRef(p);
  if (t.isSpecial[tok] === 1) {
    const special: SpecialRef = { kind: 'SpecialRef', start: p.start, end: p.end, word: p.word as SpecialRef['word'] };
    next(p);
    if (tok === t.SELF) noteSelf(p, special);
    else if (tok === t.PROPS || tok === t.HERE || tok === t.VISITOR) noteWord(p, special);
    return special;
  }
  if (tok === t.NEW) {
    const at = save(p);
    next(p);
    const isOperator = isPlainOperandStart(p);
    restore(p, at);
    return isOperator ? parseNewOperator(p) : takeNameRef(p);
  }
  if (tok <= t.LAST_IDENTIFIER) return takeNameRef(p);
  if (tok === t.YIELD && !isUsedAsName(p)) return parseYield(p);
  if (tok === t.LAMBDA) return parseLambda(p);
  return isWordAName(p) ? takeNameRef(p) : parseNothing(p);
}

/** `` `<root> `` was `` `root ``. */
function parseTick(p: Parser): Expression {
  const at = save(p);
  const { start } = p;
  next(p);
  if (p.tok !== t.LT || !takeBracketedWord(p)) {
    restore(p, at);
    return parseNothing(p);
  }
  return { ...takeNameRef(p), start, escaped: true };
}

function parseNothing(p: Parser): Expression {
  failOperand(p);
  if (p.tok !== t.ASYNC || peek(p) !== t.LAMBDA) return missing(p);
  // The one word too many says nothing against the function behind it.
  next(p);
  return parseLambda(p);
}

function takeConstant(p: Parser, value: Constant['value']): Constant {
  const constant: Constant = { kind: 'Constant', start: p.start, end: p.end, value };
  next(p);
  return constant;
}

/** `<` where an operand is due: markup, or the old escape `<>name`. */
function parseLess(p: Parser): Expression {
  const { start } = p;
  const escaped = tryOldEscape(p);
  if (escaped !== undefined) {
    complain(p, 'W0131', start, escaped.end, undefined, { help: `write \`\` \`${escaped.name} \`\`` });
    return escaped;
  }
  if (takeBracketedWord(p)) return parseWord(p);
  if (beginsMarkup(p)) return parseMarkup(p);
  const nothing = parseNothing(p);
  if (p.text.charCodeAt(p.end) === 0x2f) skipClosingTag(p);
  return nothing;
}

/** A closing tag without its element is one mistake. */
function skipClosingTag(p: Parser): void {
  let i = p.end + 1;
  while (continuesWord(p.text.charCodeAt(i)) || p.text.charCodeAt(i) === 0x2e || p.text.charCodeAt(i) === 0x2d) i++;
  if (p.text.charCodeAt(i) !== 0x3e) return;
  p.end = i + 1;
  next(p);
  p.quietStart = p.start;
}

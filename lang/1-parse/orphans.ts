/** Words that begin a statement only where something else stands before them: reported, and what follows them is read all the same. */
import type { Statement } from './ast.ts';
import { parseBlock } from './blocks.ts';
import { complain, fail } from './complain.ts';
import { isDeclarationStart, parseInnerDeclaration } from './declarations.ts';
import { parseExpression } from './expressions.ts';
import { next } from './lexer.ts';
import { peek } from './look-ahead.ts';
import { type Parser, restore, save } from './parser.ts';
import { syncStatement } from './recover.ts';
import { expectName, take } from './syntax.ts';
import * as t from './tokens.ts';

/** `catch e { … }` away from its `try`. */
export function parseCatch(p: Parser): Statement | undefined {
  const after = peek(p);
  if (after !== t.NAME && after !== t.LBRACE) return undefined;
  fail(p, 'E0154', p.start, p.end, undefined, { help: 'use `except … as e`' });
  next(p);
  if (p.tok === t.NAME) next(p);
  return parseBlock(p, 'plain');
}

const parents: Readonly<Record<string, string>> = {
  elif: '`if`',
  else: '`if`, loop, `try` or `visit`',
  except: '`try`',
  finally: '`try`',
  case: '`match` or `switch`',
  default: '`switch`',
};

/** A clause without the statement it belongs to. Its block is read, so that nothing in it is blamed on this. */
export function parseOrphan(p: Parser): Statement | undefined {
  const { tok, word, start, nesting } = p;
  const after = peek(p);
  const isName =
    after === t.LPAREN || after === t.LBRACKET || after === t.SEMI || after === t.RBRACE || after === t.COMMA;
  if (isName && (tok === t.CASE || tok === t.DEFAULT)) return undefined;
  fail(p, 'E0121', start, p.end, { kw: word, parent: parents[word] ?? 'statement' });
  next(p);
  if (p.tok !== t.LBRACE && p.tok !== t.COLON) {
    p.noAsNesting = nesting;
    parseExpression(p);
    p.noAsNesting = -1;
    if (take(p, t.AS)) expectName(p);
  }
  if (p.tok === t.LBRACE) return parseBlock(p, 'plain');
  if (!take(p, t.COLON)) syncStatement(p);
  return undefined;
}

/** `cl`, `sv`, `na` in a function (E0205): the declaration or block is read as if the marker were not there. */
export function parsePlacement(p: Parser): Statement | undefined {
  const at = save(p);
  next(p);
  const isMarker = p.tok === t.LBRACE || isDeclarationStart(p);
  const { prevEnd } = p;
  if (!isMarker) {
    restore(p, at);
    return undefined;
  }
  complain(p, 'E0205', at.start, prevEnd);
  return p.tok === t.LBRACE ? parseBlock(p, 'plain') : parseInnerDeclaration(p);
}

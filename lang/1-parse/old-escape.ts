import type { NameRef } from './ast.ts';
import { complain } from './complain.ts';
import { beginsWord, next } from './lexer.ts';
import { type Parser, restore, save } from './parser.ts';
import * as t from './tokens.ts';

/**
 * The escape `<>name` [L] (docs/language/older-programs.md#escapes) at the `<` that is the current token: consumed when
 * the name is a reserved word or a built-in type and what follows could not be the content of a fragment, or no
 * fragment ends behind it. Otherwise undefined, and nothing is consumed.
 */
export function tryOldEscape(p: Parser): NameRef | undefined {
  const { start } = p;
  if (p.text.charCodeAt(p.end) !== 0x3e || !beginsWord(p.text.charCodeAt(p.end + 1))) return undefined;
  const at = save(p);
  p.end++;
  next(p);
  const { tok, word, end } = p;
  const isReserved =
    tok <= t.LAST_WORD && tok !== t.NAME && tok !== t.CHECK && tok !== t.IGNORE && tok !== t.CATCH && tok !== t.NEW;
  next(p);
  const isContent =
    p.tok <= t.LAST_WORD ||
    p.tok === t.LT ||
    p.tok === t.LBRACE ||
    p.tok === t.STRING ||
    p.tok === t.FSTRING ||
    p.tok === t.EOF;
  if (isReserved && (!isContent || !p.text.includes('</>', start)))
    return { kind: 'NameRef', start, end, name: word, escaped: true };
  restore(p, at);
  return undefined;
}

const bracketedWord = /<(self|here|root|super|visitor|init)>/y;

/**
 * `<self>`, `<here>` and their kin were the special references of 2023 (docs/language/older-programs.md#old-spellings).
 * Moves from the `<` that is the current token to the word, which then reaches from it to behind the `>`; false, with
 * nothing consumed, when it is an element with a closing tag or something else.
 */
export function takeBracketedWord(p: Parser): boolean {
  bracketedWord.lastIndex = p.start;
  const found = bracketedWord.exec(p.text);
  if (found === null || p.text.includes(`</${found[1]}>`, p.start)) return false;
  const { start } = p;
  next(p);
  p.start = start;
  p.end++;
  complain(p, 'W0144', start, p.end, { old: found[0] }, { help: `write \`${found[1]}\`` });
  return true;
}

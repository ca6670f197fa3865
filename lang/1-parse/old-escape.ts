import type { NameRef } from './ast.ts';
import { beginsWord, next } from './lexer.ts';
import { type Parser, restore, save } from './parser.ts';
import * as t from './tokens.ts';

/**
 * The escape `<>name` [L] (1.3) at the `<` that is the current token: consumed when the name is a reserved word or a built-in type and
 * what follows could not be the content of a fragment, or no fragment ends behind it. Otherwise undefined, and nothing is consumed.
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

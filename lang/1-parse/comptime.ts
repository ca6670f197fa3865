/**
 * `comptime` before a name, `import`, `def`, `assert`, `if` or `for`: what it marks is computed where the program runs
 * (docs/language/statements.md#comptime).
 */
import { next } from './lexer.ts';
import { peek } from './look-ahead.ts';
import type { Parser } from './parser.ts';
import * as t from './tokens.ts';

const word = 'comptime';
const marked: ReadonlySet<number> = new Set([t.IMPORT, t.DEF, t.ASSERT, t.IF, t.FOR]);

export function isComptime(p: Parser): boolean {
  if (p.tok !== t.NAME || p.end - p.start !== word.length || !p.text.startsWith(word, p.start)) return false;
  const after = peek(p);
  return (after >= t.NAME && after <= t.LAST_IDENTIFIER) || marked.has(after);
}

/** Skips the marker, when it stands here. */
export function takeComptime(p: Parser): boolean {
  if (!isComptime(p)) return false;
  next(p);
  return true;
}

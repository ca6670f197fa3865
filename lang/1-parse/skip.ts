/** Going over text token by token without reading it: for recovery and for looking ahead. */
import { next } from './lexer.ts';
import type { Parser } from './parser.ts';
import * as t from './tokens.ts';

/** To the next token. The text of a formatted string is no code and is passed over as a whole. */
export function skipOver(p: Parser): void {
  if (p.tok === t.FSTRING) p.end = endOfFormatted(p);
  next(p);
}

/** The same where nothing is to be said about what is skipped. */
export function skipToken(p: Parser): void {
  skipOver(p);
  p.quietStart = p.start;
}

/** Offset behind the closing quote of the formatted string that is the current token, or of the line end where it is missing. */
function endOfFormatted(p: Parser): number {
  const { text } = p;
  const quote = text.charAt(p.end - 1);
  const isTriple = text.endsWith(quote.repeat(3), p.end) && p.end - p.start >= 3;
  const close = isTriple ? quote.repeat(3) : quote;
  let depth = 0;
  let i = p.end;
  while (i < p.length) {
    const c = text.charAt(i);
    if (!isTriple && (c === '\n' || c === '\r')) return i;
    if (c === '\\' && depth === 0) {
      i += 2;
      continue;
    }
    if ((c === '{' || c === '}') && depth === 0 && text.charAt(i + 1) === c) {
      i += 2;
      continue;
    }
    if (c === '{') depth++;
    else if (c === '}') depth = Math.max(0, depth - 1);
    else if (c === '"' || c === "'") {
      const nested = depth > 0 ? endOfNested(text, i, c, p.length) : undefined;
      if (nested !== undefined) {
        i = nested;
        continue;
      }
      if (text.startsWith(close, i)) return i + close.length;
    }
    i++;
  }
  return p.length;
}

/** Offset behind a string within a field that ends on its line. */
function endOfNested(text: string, start: number, quote: string, length: number): number | undefined {
  for (let i = start + 1; i < length; i++) {
    const c = text.charAt(i);
    if (c === quote) return i + 1;
    if (c === '\n' || c === '\r') return undefined;
    if (c === '\\') i++;
  }
  return undefined;
}

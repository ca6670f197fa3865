import type { Code, Details, Params } from '../diagnostics.ts';
import { placeParams } from '../diagnostics.ts';
import { meantAt } from './meant.ts';
import type { Parser } from './parser.ts';
import * as t from './tokens.ts';

/** Reports something the parser could read all the same: warnings, and errors that leave the parse where it was. */
export function complain(p: Parser, code: Code, start: number, end: number, params?: Params, details?: Details): void {
  const from = Math.min(start, p.length);
  p.pending.push({ code, start: from, end: Math.min(Math.max(end, from), p.length), params, details });
}

/**
 * Reports a syntax error, unless one was reported at the current token already or the token before was broken: one root cause, one
 * diagnostic (docs/language/diagnostics.md#principles). True when it was reported.
 */
export function fail(p: Parser, code: Code, start: number, end: number, params?: Params, details?: Details): boolean {
  p.failures++;
  if (isQuiet(p)) return false;
  p.quietStart = p.start;
  complain(p, code, start, end, params, details);
  return true;
}

/** A syntax error at the current token was reported already. */
export function isQuiet(p: Parser): boolean {
  return p.start === p.quietStart || p.prevEnd === p.quietAfter;
}

/** E0110 at the current token. `expected` is quoted by the caller where it is source text. */
export function failExpected(p: Parser, expected: string, details?: Details): boolean {
  return fail(p, 'E0110', p.start, p.end, { expected, got: describe(p) }, withHelp(p, details, expected));
}

/** E0112 at the current token. */
export function failOperand(p: Parser, details?: Details): boolean {
  return fail(p, 'E0112', p.start, p.end, { got: describe(p) }, withHelp(p, details));
}

function withHelp(p: Parser, details: Details | undefined, expected?: string): Details | undefined {
  return details?.help === undefined && !isQuiet(p) ? { ...details, help: meantAt(p, expected) } : details;
}

/** E0111 behind the previous token. */
export function failUnclosed(p: Parser, open: string, openStart: number, close: string): boolean {
  if (openStart < p.brokenMarkup) p.quietStart = p.length;
  // An error between the brackets is why their end was not seen, so it is the only one reported.
  if (open !== '{' && hasErrorFrom(p, openStart)) {
    p.failures++;
    return false;
  }
  const { line, col } = placeParams(p.source, openStart);
  return fail(p, 'E0111', p.prevEnd, p.prevEnd, { token: close, open, line, col });
}

/** Was an error reported from this offset on? */
export function hasErrorFrom(p: Parser, offset: number): boolean {
  for (let i = p.pending.length - 1; i >= 0 && p.pending[i]!.start >= offset; i--)
    if (p.pending[i]!.code.startsWith('E')) return true;
  return false;
}

/** The current token as messages name it. */
export function describe(p: Parser): string {
  switch (p.tok) {
    case t.EOF:
      return 'end of file';
    case t.STRING:
      return 'a string';
    case t.FSTRING:
      return 'a formatted string';
    default:
      return `\`${p.source.text.slice(p.start, Math.min(p.end, p.start + 40))}\``;
  }
}

/** Forgets what was reported from an offset on: those were consequences of something reported better. */
export function forgetFrom(p: Parser, offset: number): void {
  while (p.pending.length > 0 && p.pending[p.pending.length - 1]!.start >= offset) p.pending.pop();
  p.quietStart = -1;
  p.quietAfter = -1;
}

import type { NumberLiteral } from './ast.ts';
import type { Parser } from './parser.ts';

/**
 * End of the number that begins at `i` with a digit, or with a dot before a digit (docs/language/lexical.md#numbers).
 * `1.real` and `1...` end before the dot, `1else` before the word.
 */
export function scanNumber(text: string, i: number): number {
  if (text.charCodeAt(i) === 0x30) {
    const end = scanRadix(text, i + 2, text.charCodeAt(i + 1) | 0x20);
    if (end > 0) return end;
  }
  let at = skipDigits(text, i);
  if (text.charCodeAt(at) === 0x2e) {
    const c = text.charCodeAt(at + 1);
    if (isDigit(c)) at = skipDigits(text, at + 1);
    else if (exponentEnd(text, at + 1) > 0 || !isWordOrDot(c)) at++;
    else return at;
  }
  const end = exponentEnd(text, at);
  return end > 0 ? end : at;
}

/** Node of the number that is the current token. Integers that a double cannot hold exactly become bigints. */
export function makeNumber(p: Parser): NumberLiteral {
  const { text, start, end } = p;
  if (end - start <= 15) {
    let value = 0;
    let i = start;
    for (; i < end; i++) {
      const digit = text.charCodeAt(i) - 0x30;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (i === end) return { kind: 'NumberLiteral', start, end, float: false, value };
  }
  const digits = text.slice(start, end).replaceAll('_', '');
  const radix = digits.charCodeAt(1) | 0x20;
  const isRadix = digits.charCodeAt(0) === 0x30 && (radix === 0x78 || radix === 0x62 || radix === 0x6f);
  if (!isRadix && /[.eE]/.test(digits))
    return { kind: 'NumberLiteral', start, end, float: true, value: Number(digits) };
  const exact = BigInt(digits);
  const fits = exact <= BigInt(Number.MAX_SAFE_INTEGER);
  return { kind: 'NumberLiteral', start, end, float: false, value: fits ? Number(exact) : exact };
}

/** End of the digits of `0x`, `0b`, `0o`, or 0 when there are none. `letter` is in lower case. */
function scanRadix(text: string, start: number, letter: number): number {
  if (letter !== 0x78 && letter !== 0x62 && letter !== 0x6f) return 0;
  let i = start;
  let digits = 0;
  for (; ; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5f) continue;
    const lower = c | 0x20;
    const isOne =
      letter === 0x78
        ? isDigit(c) || (lower >= 0x61 && lower <= 0x66)
        : c >= 0x30 && c <= (letter === 0x62 ? 0x31 : 0x37);
    if (!isOne) break;
    digits++;
  }
  return digits > 0 ? i : 0;
}

function exponentEnd(text: string, i: number): number {
  if ((text.charCodeAt(i) | 0x20) !== 0x65) return 0;
  const sign = text.charCodeAt(i + 1);
  const at = sign === 0x2b || sign === 0x2d ? i + 2 : i + 1;
  return isDigit(text.charCodeAt(at)) ? skipDigits(text, at) : 0;
}

function skipDigits(text: string, i: number): number {
  for (;;) {
    const c = text.charCodeAt(i);
    if (!isDigit(c) && c !== 0x5f) return i;
    i++;
  }
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

function isWordOrDot(c: number): boolean {
  const lower = c | 0x20;
  return isDigit(c) || (lower >= 0x61 && lower <= 0x7a) || c === 0x5f || c === 0x2e;
}

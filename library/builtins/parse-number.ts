/** Reading numbers from text: `int("…")` and `float("…")`. */

import { demote, type Num } from '../values/numbers/numbers.ts';
import { ValueError } from '../values/objects/exceptions.ts';
import { reprOf } from '../values/objects/repr.ts';
import { stripEnd, stripStart } from '../values/text/whitespace.ts';

const plainInt = /^[+-]?\d{1,15}$/;

/** @throws ValueError invalid literal for int() with base 10: 'x' */
export function parseInt10(text: string, shown: unknown = text): Num {
  return plainInt.test(text) ? Number(text) + 0 : parseIntBase(text, 10, shown);
}

/** `int(text, base)`; base 0 goes by the prefix. @throws ValueError */
export function parseIntBase(text: string, base: number, shown: unknown = text): Num {
  const wrong = () => new ValueError(`invalid literal for int() with base ${base}: ${reprOf(shown)}`);
  const found = /^([+-])?(.*)$/su.exec(asciiDigits(stripStart(stripEnd(text))));
  if (found === null) throw wrong();
  const { radix, digits } = splitPrefix(found[2]!, base, wrong);
  if (!/^[0-9a-z]+(?:_[0-9a-z]+)*$/i.test(digits)) throw wrong();
  const bare = digits.replaceAll('_', '');
  const value = readDigits(bare, radix, wrong);
  return demote(found[1] === '-' ? -value : value);
}

function splitPrefix(text: string, base: number, wrong: () => ValueError): { radix: number; digits: string } {
  const prefix = /^0([xob])_?/i.exec(text);
  const named = prefix === null ? undefined : { x: 16, o: 8, b: 2 }[prefix[1]!.toLowerCase() as 'x' | 'o' | 'b'];
  if (named !== undefined && (base === 0 || base === named))
    return { radix: named, digits: text.slice(prefix![0].length) };
  if (base !== 0) return { radix: base, digits: text };
  if (/^0[0-9_]*[1-9]/.test(text)) throw wrong();
  return { radix: 10, digits: text };
}

function readDigits(digits: string, radix: number, wrong: () => ValueError): bigint {
  if (digits.length > 4300 && ![2, 4, 8, 16, 32].includes(radix)) {
    throw new ValueError(
      `Exceeds the limit (4300 digits) for integer string conversion: value has ${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
  const native = ({ 2: '0b', 8: '0o', 10: '', 16: '0x' } as Record<number, string>)[radix];
  for (const digit of digits) if (Number.parseInt(digit, 36) >= radix) throw wrong();
  if (native !== undefined) return BigInt(native + digits);
  let value = 0n;
  for (const digit of digits) value = value * BigInt(radix) + BigInt(Number.parseInt(digit, 36));
  return value;
}

// Decimal digits of other scripts count; each block of ten begins with its zero.
function asciiDigits(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return text.replace(/\p{Nd}/gu, (char) => {
    const code = char.codePointAt(0)!;
    let zero = code;
    while (zero > 0 && code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code - zero > 9 ? (code - zero) % 10 : code - zero);
  });
}

const plainFloat = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;

/** @throws ValueError could not convert string to float: 'x' */
export function parseFloatText(text: string, shown: unknown = text): number {
  const bare = asciiDigits(stripStart(stripEnd(text)));
  if (plainFloat.test(bare)) return Number(bare.replaceAll('_', ''));
  const word = /^([+-])?(inf|infinity|nan)$/i.exec(bare);
  if (word === null) throw new ValueError(`could not convert string to float: ${reprOf(shown)}`);
  if (word[2]!.toLowerCase() === 'nan') return Number.NaN;
  return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** The encodings `unicode_escape` and `raw_unicode_escape`: text as it stands in a literal. */

import { UnicodeDecodeError } from '../objects/exceptions.ts';
import { Bytes } from './bytes.ts';

const hex = (code: number, size: number) => code.toString(16).padStart(size, '0');
const short: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Raw: only what is beyond Latin-1 is escaped. */
export function escapeText(text: string, isRaw: boolean): Uint8Array {
  const escaped = Array.from(text, (char) => {
    const code = char.codePointAt(0)!;
    if (code > 0xffff) return `\\U${hex(code, 8)}`;
    if (code > 0xff) return `\\u${hex(code, 4)}`;
    if (isRaw || (code >= 0x20 && code < 0x7f && char !== '\\')) return char;
    return short[char] ?? `\\x${hex(code, 2)}`;
  });
  return new Uint8Array(Buffer.from(escaped.join(''), 'latin1'));
}

/** Characters that stand for an escape, by the character behind the backslash. */
export const escapes: Readonly<Record<string, string>> = {
  '\n': '',
  "'": "'",
  '"': '"',
  '\\': '\\',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const sizes: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** @throws UnicodeDecodeError for an escape that is cut off */
export function unescapeBytes(data: Uint8Array, isRaw: boolean): string {
  const codec = isRaw ? 'rawunicodeescape' : 'unicodeescape';
  const source = Buffer.from(data).toString('latin1');
  const pattern = isRaw ? /\\\\|\\([uU])([0-9a-fA-F]*)/g : /\\(?:([xuU])([0-9a-fA-F]*)|([0-7]{1,3})|([\s\S])|$)/g;
  const refuse = (start: number, end: number, reason: string): never => {
    throw new UnicodeDecodeError(codec, new Bytes(data), start, end, reason);
  };
  let text = '';
  let from = 0;
  for (const match of source.matchAll(pattern)) {
    const [whole, letter, digits = '', octal, other] = match;
    const at = match.index;
    text += source.slice(from, at);
    from = at + whole.length;
    if (letter !== undefined) {
      const size = sizes[letter]!;
      const form = letter === 'x' ? 'xXX' : letter === 'u' ? 'uXXXX' : 'UXXXXXXXX';
      if (digits.length < size) refuse(at, from, `truncated \\${form} escape`);
      const code = Number.parseInt(digits.slice(0, size), 16);
      if (code > 0x10ffff) refuse(at, from, 'illegal Unicode character');
      text += String.fromCodePoint(code) + digits.slice(size);
    } else if (octal !== undefined) text += String.fromCharCode(Number.parseInt(octal, 8));
    else if (isRaw) text += whole;
    else if (other === undefined) refuse(at, from, '\\ at end of string');
    else text += escapes[other] ?? whole;
  }
  return text + source.slice(from);
}

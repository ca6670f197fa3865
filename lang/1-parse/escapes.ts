import { complain } from './complain.ts';
import type { Parser } from './parser.ts';

const simple: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** Sort of a text literal, or of a part of one: bytes or text, with or without escapes. */
export interface TextKind {
  readonly bytes: boolean;
  readonly raw: boolean;
}

/**
 * Value of the literal text from `start` to `end` (docs/language/lexical.md#strings): escapes decoded, line ends as LF.
 * An unknown escape keeps its backslash and is W0100. Bytes come out as one character per byte.
 */
export function decodeText(p: Parser, start: number, end: number, kind: TextKind): string {
  const { text } = p;
  let value = '';
  let from = start;
  let i = start;
  const cut = (length: number, replacement: string) => {
    value += text.slice(from, i) + replacement;
    i += length;
    from = i;
  };
  while (i < end) {
    const c = text.charCodeAt(i);
    if (c === 0x0d) cut(text.charCodeAt(i + 1) === 0x0a && i + 1 < end ? 2 : 1, '\n');
    else if (c === 0x5c && !kind.raw && i + 1 < end) {
      const escape = readEscape(p, i, end, kind.bytes);
      if (escape === undefined) i += 2;
      else cut(escape.length, escape.value);
    } else {
      if (c > 127 && kind.bytes) complain(p, 'E0105', i, i + 1, { c: String.fromCodePoint(text.codePointAt(i)!) });
      i++;
    }
  }
  return value + text.slice(from, end);
}

interface Escape {
  readonly length: number;
  readonly value: string;
}

/** The escape at `i`, which holds a backslash; undefined, reported, when there is no such escape. */
function readEscape(p: Parser, i: number, end: number, bytes: boolean): Escape | undefined {
  const { text } = p;
  const letter = text.charAt(i + 1);
  const plain = simple[letter];
  if (plain !== undefined) return { length: 2, value: plain };
  switch (letter) {
    case '\n':
      return { length: 2, value: '' };
    case '\r':
      return { length: text.charAt(i + 2) === '\n' ? 3 : 2, value: '' };
    case 'x':
      return readHex(text, i, 2, end) ?? unknownEscape(p, i);
    case 'u': {
      const escape = bytes ? undefined : readHex(text, i, 4, end);
      if (escape !== undefined) noteHalves(p, i, end, escape.value);
      return escape ?? unknownEscape(p, i);
    }
    case 'U':
      return (bytes ? undefined : readHex(text, i, 8, end)) ?? unknownEscape(p, i);
    case 'N':
      if (bytes || text.charAt(i + 2) !== '{') return unknownEscape(p, i);
      return readNamed(p, i, end);
    default:
      return letter >= '0' && letter <= '7' ? readOctal(text, i, end, bytes) : unknownEscape(p, i);
  }
}

function readHex(text: string, i: number, digits: number, end: number): Escape | undefined {
  const from = i + 2;
  if (from + digits > end) return undefined;
  let point = 0;
  for (let at = from; at < from + digits; at++) {
    const digit = Number.parseInt(text.charAt(at), 16);
    if (Number.isNaN(digit)) return undefined;
    point = point * 16 + digit;
  }
  return point > 0x10ffff ? undefined : { length: digits + 2, value: String.fromCodePoint(point) };
}

/** W0101: in Python the halves of a character stay two; in a text of JavaScript they are the character. */
function noteHalves(p: Parser, i: number, end: number, first: string): void {
  if (!/[\ud800-\udbff]/.test(first) || p.text.slice(i + 6, i + 8) !== '\\u') return;
  const second = readHex(p.text, i + 6, 4, end)?.value ?? '';
  if (!/[\udc00-\udfff]/.test(second)) return;
  const point = (first + second).codePointAt(0)!.toString(16).toUpperCase().padStart(8, '0');
  complain(p, 'W0101', i, i + 12, undefined, { help: `write \`\\U${point}\`` });
}

function readOctal(text: string, i: number, end: number, bytes: boolean): Escape {
  let at = i + 1;
  let point = 0;
  while (at < end && at < i + 4 && text.charAt(at) >= '0' && text.charAt(at) <= '7') {
    point = point * 8 + Number(text.charAt(at++));
  }
  return { length: at - i, value: String.fromCharCode(bytes ? point & 0xff : point) };
}

function readNamed(p: Parser, i: number, end: number): Escape {
  const close = p.text.indexOf('}', i);
  const length = close < 0 || close >= end ? end - i : close + 1 - i;
  complain(p, 'E0904', i, i + length, undefined, { help: 'write the character itself or `\\uXXXX`' });
  return { length, value: '' };
}

function unknownEscape(p: Parser, i: number): undefined {
  const c = String.fromCodePoint(p.text.codePointAt(i + 1)!);
  complain(p, 'W0100', i, i + 1 + c.length, { c }, { help: `write \`\\\\${c}\` for a backslash` });
  return undefined;
}

/** Text encodings: `str.encode` and `bytes.decode`. */

import { LookupError, UnicodeDecodeError, UnicodeEncodeError } from '../objects/exceptions.ts';
import { Bytes } from './bytes.ts';
import { escapeText, unescapeBytes } from './escape-codecs.ts';
import { decodeLegacy, type LegacyCodec, legacyBytes, legacyCodec } from './legacy-codecs.ts';

type Codec =
  | 'utf-8'
  | 'utf-8-sig'
  | 'ascii'
  | 'latin-1'
  | 'utf-16'
  | 'utf-16-le'
  | 'utf-16-be'
  | 'utf-32'
  | 'utf-32-le'
  | 'utf-32-be'
  | 'cp1252'
  | 'unicode_escape'
  | 'raw_unicode_escape';

const names: Readonly<Record<string, Codec>> = {
  utf8: 'utf-8',
  u8: 'utf-8',
  utf: 'utf-8',
  utf8sig: 'utf-8-sig',
  ascii: 'ascii',
  usascii: 'ascii',
  latin1: 'latin-1',
  latin: 'latin-1',
  iso88591: 'latin-1',
  l1: 'latin-1',
  utf16: 'utf-16',
  utf16le: 'utf-16-le',
  utf16be: 'utf-16-be',
  utf32: 'utf-32',
  utf32le: 'utf-32-le',
  utf32be: 'utf-32-be',
  cp1252: 'cp1252',
  windows1252: 'cp1252',
  unicodeescape: 'unicode_escape',
  rawunicodeescape: 'raw_unicode_escape',
};

function codecOf(encoding: string): Codec | LegacyCodec {
  const codec = names[encoding.toLowerCase().replace(/[-_ ]/g, '')] ?? legacyCodec(encoding);
  if (codec === undefined) throw new LookupError(`unknown encoding: ${encoding}`);
  return codec;
}

/** Gives the canonical name of an encoding: `utf-8` for `UTF8`. @throws LookupError */
export function codecName(encoding: string): string {
  const codec = codecOf(encoding);
  return typeof codec === 'string' ? codec : codec.name;
}

/** @throws UnicodeEncodeError, LookupError */
export function encodeText(text: string, encoding = 'utf-8', errors = 'strict'): Uint8Array {
  const codec = codecOf(encoding);
  if (typeof codec !== 'string') return encodeMapped(text, errors, mapName(codec), (char) => legacyBytes(codec, char));
  switch (codec) {
    case 'utf-8':
      return encodeUtf8(text, errors);
    case 'utf-8-sig':
      return new Uint8Array(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), encodeUtf8(text, errors)]));
    case 'ascii':
      return encodeNarrow(text, 128, 'ascii', errors);
    case 'latin-1':
      return encodeNarrow(text, 256, 'latin-1', errors);
    case 'cp1252':
      return encodeMapped(text, errors, 'charmap', windowsBytes);
    case 'unicode_escape':
    case 'raw_unicode_escape':
      return escapeText(text, codec === 'raw_unicode_escape');
    default:
      return encodeWide(text, codec);
  }
}

const loneSurrogate = /\p{Surrogate}/u;

function encodeUtf8(text: string, errors: string): Uint8Array {
  if (!loneSurrogate.test(text)) return new Uint8Array(Buffer.from(text, 'utf8'));
  const chars = Array.from(text);
  const parts: Uint8Array[] = [];
  chars.forEach((char, at) => {
    const code = char.codePointAt(0)!;
    const isLone = code >= 0xd800 && code <= 0xdfff;
    if (!isLone) parts.push(Buffer.from(char, 'utf8'));
    else if (errors === 'surrogatepass')
      parts.push(Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)));
    else if (errors === 'surrogateescape' && code >= 0xdc80 && code <= 0xdcff) parts.push(Uint8Array.of(code - 0xdc00));
    else
      parts.push(
        Buffer.from(
          replaceUnencodable(
            char,
            errors,
            () => new UnicodeEncodeError('utf-8', text, at, at + 1, 'surrogates not allowed'),
          ),
          'utf8',
        ),
      );
  });
  return new Uint8Array(Buffer.concat(parts));
}

function encodeNarrow(text: string, limit: number, codec: string, errors: string): Uint8Array {
  const bytes: number[] = [];
  let at = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (code < limit) bytes.push(code);
    else {
      const where = at;
      const shown = replaceUnencodable(
        char,
        errors,
        () =>
          new UnicodeEncodeError(
            codec,
            text,
            where,
            unencodableEnd(text, where, limit),
            `ordinal not in range(${limit})`,
          ),
      );
      for (const unit of Buffer.from(shown, 'latin1')) bytes.push(unit);
    }
    at += 1;
  }
  return Uint8Array.from(bytes);
}

function unencodableEnd(text: string, start: number, limit: number): number {
  const chars = Array.from(text);
  let end = start;
  while (end < chars.length && chars[end]!.codePointAt(0)! >= limit) end += 1;
  return end;
}

function replaceUnencodable(char: string, errors: string, strict: () => unknown): string {
  const code = char.codePointAt(0)!;
  switch (errors) {
    case 'strict':
      throw strict();
    case 'ignore':
      return '';
    case 'replace':
      return '?';
    case 'xmlcharrefreplace':
      return `&#${code};`;
    case 'backslashreplace':
    case 'namereplace': {
      const hex = code.toString(16);
      if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
      return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
    }
    default:
      throw new LookupError(`unknown error handler name '${errors}'`);
  }
}

function encodeWide(text: string, codec: Codec): Uint8Array {
  const isBig = codec.endsWith('be');
  const size = codec.startsWith('utf-32') ? 4 : 2;
  const units =
    size === 2
      ? Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
      : Array.from(text, (char) => char.codePointAt(0)!);
  const marked = codec === 'utf-16' || codec === 'utf-32' ? [0xfeff, ...units] : units;
  const view = new DataView(new ArrayBuffer(marked.length * size));
  for (const [i, unit] of marked.entries()) {
    if (size === 2) view.setUint16(i * 2, unit, !isBig);
    else view.setUint32(i * 4, unit, !isBig);
  }
  return new Uint8Array(view.buffer);
}

const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function windowsBytes(char: string, code: number): readonly number[] | undefined {
  const high = windows.indexOf(char);
  return code >= 0xa0 && code <= 0xff ? [code] : high >= 0 ? [0x80 + high] : undefined;
}

// Errors name the table of single bytes, not the encoding.
function mapName({ name }: LegacyCodec): string {
  return /^(cp|iso|koi|mac|windows)/.test(name) ? 'charmap' : name;
}

type BytesOfChar = (char: string, code: number) => readonly number[] | undefined;

// ASCII, and what `find` has bytes for.
function encodeMapped(text: string, errors: string, codec: string, find: BytesOfChar): Uint8Array {
  const bytes: number[] = [];
  let at = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    const found = code < 0x80 ? [code] : find(char, code);
    if (found !== undefined) bytes.push(...found);
    else {
      const where = at;
      const reason = codec === 'charmap' ? 'character maps to <undefined>' : 'illegal multibyte sequence';
      const shown = replaceUnencodable(
        char,
        errors,
        () => new UnicodeEncodeError(codec, text, where, where + 1, reason),
      );
      bytes.push(...Buffer.from(shown, 'latin1'));
    }
    at += 1;
  }
  return Uint8Array.from(bytes);
}

/** @throws UnicodeDecodeError, LookupError */
export function decodeBytes(data: Uint8Array, encoding = 'utf-8', errors = 'strict'): string {
  const codec = codecOf(encoding);
  if (typeof codec !== 'string') return decodeLegacy(data, codec, errors);
  switch (codec) {
    case 'utf-8':
      return decodeUtf8(data, errors);
    case 'utf-8-sig':
      return decodeUtf8(data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data, errors);
    case 'ascii':
      return decodeAscii(data, errors);
    case 'latin-1':
      return Buffer.from(data).toString('latin1');
    case 'cp1252':
      return Array.from(data, (byte) =>
        byte >= 0x80 && byte < 0xa0 ? windows[byte - 0x80]! : String.fromCharCode(byte),
      ).join('');
    case 'unicode_escape':
    case 'raw_unicode_escape':
      return unescapeBytes(data, codec === 'raw_unicode_escape');
    default:
      return decodeWide(data, codec);
  }
}

function decodeAscii(data: Uint8Array, errors: string): string {
  let text = '';
  for (let i = 0; i < data.length; i += 1) {
    const byte = data[i]!;
    text +=
      byte < 128
        ? String.fromCharCode(byte)
        : undecodable(data, i, i + 1, 'ascii', 'ordinal not in range(128)', errors);
  }
  return text;
}

function undecodable(
  data: Uint8Array,
  start: number,
  end: number,
  codec: string,
  reason: string,
  errors: string,
): string {
  switch (errors) {
    case 'strict':
      throw new UnicodeDecodeError(codec, new Bytes(data), start, end, reason);
    case 'ignore':
      return '';
    case 'replace':
      return '\ufffd';
    case 'backslashreplace':
      return Array.from(data.subarray(start, end), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
    case 'surrogateescape':
      return Array.from(data.subarray(start, end), (byte) => String.fromCharCode(0xdc00 + byte)).join('');
    default:
      throw new LookupError(`unknown error handler name '${errors}'`);
  }
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(data: Uint8Array, errors: string): string {
  try {
    return strictDecoder.decode(data);
  } catch {
    return decodeDamaged(data, errors);
  }
}

// Byte by byte, with CPython's reasons and extents of damage.
function decodeDamaged(data: Uint8Array, errors: string): string {
  let text = '';
  let at = 0;
  while (at < data.length) {
    const lead = data[at]!;
    const size =
      lead < 0x80
        ? 1
        : lead >= 0xc2 && lead <= 0xdf
          ? 2
          : lead >= 0xe0 && lead <= 0xef
            ? 3
            : lead >= 0xf0 && lead <= 0xf4
              ? 4
              : 0;
    if (size === 0) {
      text += undecodable(data, at, at + 1, 'utf-8', 'invalid start byte', errors);
      at += 1;
      continue;
    }
    let good = 1;
    while (good < size && at + good < data.length && isContinuation(data, at, good, lead)) good += 1;
    if (good === size) text += Buffer.from(data.subarray(at, at + size)).toString('utf8');
    else {
      const reason = at + good >= data.length ? 'unexpected end of data' : 'invalid continuation byte';
      text += undecodable(data, at, at + good, 'utf-8', reason, errors);
    }
    at += good;
  }
  return text;
}

function isContinuation(data: Uint8Array, at: number, offset: number, lead: number): boolean {
  const byte = data[at + offset]!;
  if (offset === 1) {
    if (lead === 0xe0) return byte >= 0xa0 && byte <= 0xbf;
    if (lead === 0xed) return byte >= 0x80 && byte <= 0x9f;
    if (lead === 0xf0) return byte >= 0x90 && byte <= 0xbf;
    if (lead === 0xf4) return byte >= 0x80 && byte <= 0x8f;
  }
  return byte >= 0x80 && byte <= 0xbf;
}

function decodeWide(data: Uint8Array, codec: Codec): string {
  const size = codec.startsWith('utf-32') ? 4 : 2;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let isBig = codec.endsWith('be');
  let at = 0;
  if (codec === 'utf-16' || codec === 'utf-32') {
    const little = data.length >= size && (size === 2 ? view.getUint16(0, true) : view.getUint32(0, true)) === 0xfeff;
    const big = data.length >= size && (size === 2 ? view.getUint16(0, false) : view.getUint32(0, false)) === 0xfeff;
    isBig = big && !little;
    if (little || big) at = size;
  }
  let text = '';
  for (; at + size <= data.length; at += size) {
    text +=
      size === 2 ? String.fromCharCode(view.getUint16(at, !isBig)) : String.fromCodePoint(view.getUint32(at, !isBig));
  }
  if (at < data.length) throw new UnicodeDecodeError(codec, new Bytes(data), at, data.length, 'truncated data');
  return text;
}

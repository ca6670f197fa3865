/** Module `base64`. */

import { functions, type Members } from '../builtins/module.ts';
import { nameException, TypeError, ValueError } from '../values/objects/exceptions.ts';
import { typeName } from '../values/objects/type-name.ts';
import { AnyBytes, Bytes, fromLatin1, requireBytes } from '../values/text/bytes.ts';
import { textOf } from '../values/text/text-arguments.ts';

export class BinasciiError extends ValueError {}
nameException(BinasciiError, 'Error', 'binascii');

/** Bytes, or ASCII text. */
function source(x: unknown): string {
  const text = textOf(x);
  if (text !== undefined) {
    if (!/^[\x00-\x7f]*$/.test(text)) throw new ValueError('string argument should contain only ASCII characters');
    return text;
  }
  if (x instanceof AnyBytes) return x.latin1;
  throw new TypeError(`argument should be a bytes-like object or ASCII string, not '${typeName(x)}'`);
}

const ascii = (text: string) => new Bytes(fromLatin1(text));

function encode64(data: unknown, altchars: unknown): Bytes {
  let text = Buffer.from(requireBytes(data)).toString('base64');
  if (altchars !== undefined && altchars !== null) {
    const [plus, slash] = source(altchars);
    text = text.replaceAll('+', plus!).replaceAll('/', slash!);
  }
  return ascii(text);
}

export function decode64(data: unknown, altchars: unknown, validate: unknown): Bytes {
  let text = source(data);
  if (altchars !== undefined && altchars !== null) {
    const [plus, slash] = source(altchars);
    text = text.replaceAll(plus!, '+').replaceAll(slash!, '/');
  }
  if (validate === true && !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new BinasciiError('Only base64 data is allowed');
  const bare = text.replace(/[^A-Za-z0-9+/=]/g, '');
  const digits = bare.replace(/=.*$/, '');
  if (digits.length % 4 === 1) {
    throw new BinasciiError(
      `Invalid base64-encoded string: number of data characters (${digits.length}) cannot be 1 more than a multiple of 4`,
    );
  }
  if (
    (digits.length + (bare.length - digits.length)) % 4 !== 0 &&
    bare.length - digits.length < (4 - (digits.length % 4)) % 4
  )
    throw new BinasciiError('Incorrect padding');
  return new Bytes(new Uint8Array(Buffer.from(digits, 'base64')));
}

const alphabet32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const alphabet32Hex = '0123456789ABCDEFGHIJKLMNOPQRSTUV';

function encode32(data: unknown, alphabet: string): Bytes {
  let [bits, value, out] = [0, 0, ''];
  for (const byte of requireBytes(data)) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      out += alphabet[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  if (bits > 0) out += alphabet[(value << (5 - bits)) & 31];
  return ascii(out.padEnd(Math.ceil(out.length / 8) * 8, '='));
}

function decode32(data: unknown, casefold: unknown, alphabet: string, one?: unknown): Bytes {
  let text = source(data);
  if (one !== undefined && one !== null) text = text.replaceAll('0', 'O').replaceAll('1', source(one));
  if (casefold === true) text = text.toUpperCase();
  if (text.length % 8 !== 0) throw new BinasciiError('Incorrect padding');
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  const digits = text.replace(/=+$/, '');
  if (![0, 1, 3, 4, 6].includes(text.length - digits.length)) throw new BinasciiError('Incorrect padding');
  for (const char of digits) {
    const digit = alphabet.indexOf(char);
    if (digit < 0) throw new BinasciiError('Non-base32 digit found');
    value = (value << 5) | digit;
    bits += 5;
    if (bits >= 8) {
      bytes.push((value >>> (bits - 8)) & 255);
      bits -= 8;
      value &= (1 << bits) - 1;
    }
  }
  return new Bytes(Uint8Array.from(bytes));
}

function decode16(data: unknown, casefold: unknown): Bytes {
  const text = casefold === true ? source(data).toUpperCase() : source(data);
  if (!/^(?:[0-9A-F]{2})*$/.test(text)) throw new BinasciiError('Non-base16 digit found');
  return new Bytes(new Uint8Array(Buffer.from(text, 'hex')));
}

const alphabet85 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const ascii85 = Array.from({ length: 85 }, (_, i) => String.fromCharCode(33 + i)).join('');

// Groups of four bytes as five digits; a short last group is padded with zeros and loses as many digits.
function digits85(given: Uint8Array, alphabet: string, zero: string | undefined, pads: unknown): string {
  const data = pads === true ? padded(given) : given;
  let out = '';
  for (let at = 0; at < data.length; at += 4) {
    const size = Math.min(4, data.length - at);
    let value = 0;
    for (let i = 0; i < 4; i += 1) value = value * 256 + (data[at + i] ?? 0);
    if (value === 0 && size === 4 && zero !== undefined) {
      out += zero;
      continue;
    }
    let group = '';
    for (let i = 0; i < 5; i += 1) {
      group = alphabet[value % 85]! + group;
      value = Math.floor(value / 85);
    }
    out += group.slice(0, size + 1);
  }
  return out;
}

function bytes85(text: string, alphabet: string, name: string): Bytes {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 5) {
    const group = text.slice(at, at + 5);
    let value = 0;
    for (let i = 0; i < 5; i += 1) {
      const digit = i < group.length ? alphabet.indexOf(group[i]!) : 84;
      if (digit < 0) throw new ValueError(`bad ${name} character at position ${at + i}`);
      value = value * 85 + digit;
    }
    if (value > 0xffffffff) throw new ValueError(`${name} overflow in hunk starting at byte ${at}`);
    for (let i = 0; i < group.length - 1; i += 1) bytes.push(Math.floor(value / 256 ** (3 - i)) % 256);
  }
  return new Bytes(Uint8Array.from(bytes));
}

function padded(data: Uint8Array): Uint8Array {
  const all = new Uint8Array(Math.ceil(data.length / 4) * 4);
  all.set(data);
  return all;
}

const encode85 = (data: unknown, pads: unknown) => ascii(digits85(requireBytes(data), alphabet85, undefined, pads));
const decode85 = (data: unknown) => bytes85(source(data), alphabet85, 'base85');

function encodeAscii85(data: unknown, _fold: unknown, wrap: unknown, pads: unknown, adobe: unknown): Bytes {
  let text = digits85(requireBytes(data), ascii85, 'z', pads);
  if (adobe === true) text = `<~${text}~>`;
  const width = wrap === undefined || wrap === null ? 0 : Number(wrap);
  return ascii(width > 0 ? (text.match(new RegExp(`[^]{1,${width}}`, 'g')) ?? []).join('\n') : text);
}

function decodeAscii85(data: unknown, _fold: unknown, adobe: unknown): Bytes {
  const given = source(data);
  if (adobe === true && !given.endsWith('~>'))
    throw new ValueError("Ascii85 encoded byte sequences must end with b'~>'");
  const text = adobe === true ? given.replace(/^<~|~>$/g, '') : given;
  const wrong = /[^!-uz\s]/.exec(text);
  if (wrong !== null) throw new ValueError(`Non-Ascii85 digit found: ${wrong[0]}`);
  return bytes85(text.replace(/\s/g, '').replaceAll('z', '!!!!!'), ascii85, 'Ascii85');
}

export function makeBase64(): Members {
  return functions('base64', {
    b64encode: ['s, altchars=None', encode64],
    b64decode: ['s, altchars=None, validate=False', decode64],
    standard_b64encode: ['s', (s: unknown) => encode64(s, undefined)],
    standard_b64decode: ['s', (s: unknown) => decode64(s, undefined, false)],
    urlsafe_b64encode: ['s', (s: unknown) => encode64(s, ascii('-_'))],
    urlsafe_b64decode: ['s', (s: unknown) => decode64(s, ascii('-_'), false)],
    b32encode: ['s', (s: unknown) => encode32(s, alphabet32)],
    b32decode: [
      's, casefold=False, map01=None',
      (s: unknown, casefold: unknown, one: unknown) => decode32(s, casefold, alphabet32, one),
    ],
    b32hexencode: ['s', (s: unknown) => encode32(s, alphabet32Hex)],
    b32hexdecode: ['s, casefold=False', (s: unknown, casefold: unknown) => decode32(s, casefold, alphabet32Hex)],
    b16encode: ['s', (s: unknown) => ascii(Buffer.from(requireBytes(s)).toString('hex').toUpperCase())],
    b16decode: ['s, casefold=False', decode16],
    b85encode: ['b, pad=False', encode85],
    b85decode: ['b', decode85],
    a85encode: ['b, *, foldspaces=False, wrapcol=0, pad=False, adobe=False', encodeAscii85],
    a85decode: ['b, *, foldspaces=False, adobe=False', decodeAscii85],
    encodebytes: [
      's',
      (s: unknown) =>
        ascii(
          (
            Buffer.from(requireBytes(s))
              .toString('base64')
              .match(/.{1,76}/g) ?? []
          )
            .map((line) => `${line}\n`)
            .join(''),
        ),
    ],
    decodebytes: ['s', (s: unknown) => decode64(s, undefined, false)],
  });
}

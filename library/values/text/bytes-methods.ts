/** Methods of `bytes` and `bytearray` (language.md 6.6). Most work on the Latin-1 text of the bytes, where one char is one byte. */

import { builtinMethods } from '../calls/builtin.ts';
import { iter } from '../containers/iteration.ts';
import { Tuple } from '../containers/tuple.ts';
import { requireIndex, requireSize } from '../numbers/index-value.ts';
import { IndexError, TypeError, ValueError } from '../objects/exceptions.ts';
import { setMethods } from '../objects/method-tables.ts';
import { NotImplemented } from '../objects/singletons.ts';
import { truth } from '../objects/truth.ts';
import { typeName } from '../objects/type-name.ts';
import {
  type AnyBytes,
  ByteArray,
  Bytes,
  bytesOf,
  fromLatin1,
  joinBytes,
  requireByte,
  requireBytes,
  spliceBytes,
} from './bytes.ts';
import { decodeBytes } from './codecs.ts';
import { strM } from './str-methods.ts';
import { requireText } from './text-arguments.ts';

type Optional = unknown;

function like(self: AnyBytes, latin1: string): AnyBytes {
  const data = fromLatin1(latin1);
  return self instanceof ByteArray ? new ByteArray(data) : new Bytes(data);
}

function text(x: unknown): string {
  return new Bytes(requireBytes(x)).latin1;
}

// A part to look for: bytes, or one byte as an int.
function part(x: unknown): string {
  if (bytesOf(x) !== undefined) return text(x);
  if (typeof x === 'number' || typeof x === 'boolean') return String.fromCharCode(requireByte(x, 'byte'));
  throw new TypeError(`argument should be integer or bytes-like object, not '${typeName(x)}'`);
}

function search(
  name: 'find' | 'rfind' | 'index' | 'rindex' | 'count',
): (b: AnyBytes, sub: unknown, start: Optional, end: Optional) => number {
  return (b, sub, start, end) => {
    const method = name === 'index' ? 'find' : name === 'rindex' ? 'rfind' : name;
    const at = strM[method](b.latin1, part(sub), start, end);
    if (at < 0 && (name === 'index' || name === 'rindex'))
      throw new ValueError(b instanceof Bytes ? 'subsection not found' : 'subsection not found');
    return at;
  };
}

function affix(
  name: 'startswith' | 'endswith',
): (b: AnyBytes, wanted: unknown, start: Optional, end: Optional) => boolean {
  return (b, wanted, start, end) => {
    const choices = wanted instanceof Tuple ? wanted.items : [wanted];
    const texts = choices.map((one) => {
      if (bytesOf(one) === undefined)
        throw new TypeError(`${name} first arg must be bytes or a tuple of bytes, not ${typeName(one)}`);
      return text(one);
    });
    return strM[name](b.latin1, new Tuple(texts), start, end);
  };
}

const asciiSpace = ' \t\n\r\v\f';

function stripped(name: 'strip' | 'lstrip' | 'rstrip'): (b: AnyBytes, chars: Optional) => AnyBytes {
  return (b, chars) => like(b, strM[name](b.latin1, chars === undefined || chars === null ? asciiSpace : text(chars)));
}

function splitting(name: 'split' | 'rsplit'): (b: AnyBytes, sep: Optional, maxsplit: Optional) => AnyBytes[] {
  return (b, sep, maxsplit) => {
    const parts: string[] =
      sep === undefined || sep === null
        ? splitSpaces(b.latin1, name, maxsplit === undefined ? -1 : requireSize(maxsplit))
        : strM[name](b.latin1, text(sep), maxsplit);
    return parts.map((piece) => like(b, piece));
  };
}

// Only ASCII white space separates bytes; the bytes 0x85 and 0xa0 do not.
function splitSpaces(latin1: string, name: 'split' | 'rsplit', limit: number): string[] {
  const shield = latin1.replace(/[\x1c-\x1f\x85\xa0]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xe000));
  const parts: string[] = strM[name](shield, undefined, limit);
  return parts.map((piece) =>
    piece.replace(/[\ue000-\uf8ff]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xe000)),
  );
}

function splitLines(b: AnyBytes, keepends: Optional): AnyBytes[] {
  const lines: string[] = b.latin1.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g) ?? [];
  return lines.map((line) => like(b, truth(keepends) ? line : line.replace(/\r?\n$|\r$/, '')));
}

function partitioning(name: 'partition' | 'rpartition'): (b: AnyBytes, sep: unknown) => Tuple {
  return (b, sep) =>
    new Tuple((strM[name](b.latin1, text(sep)) as Tuple).items.map((piece) => like(b, piece as string)));
}

function mapped(change: (latin1: string) => string): (b: AnyBytes) => AnyBytes {
  return (b) => like(b, change(b.latin1));
}

const upper = (s: string) => s.replace(/[a-z]+/g, (run) => run.toUpperCase());
const lower = (s: string) => s.replace(/[A-Z]+/g, (run) => run.toLowerCase());

function justified(name: 'ljust' | 'rjust' | 'center'): (b: AnyBytes, width: unknown, fill: Optional) => AnyBytes {
  return (b, width, fill) => like(b, strM[name](b.latin1, width, fill === undefined ? ' ' : text(fill)));
}

function hexText(b: AnyBytes, sep: Optional, bytesPerSep: Optional): string {
  const hex = Buffer.from(b.data).toString('hex');
  if (sep === undefined) return hex;
  const mark = bytesOf(sep) === undefined ? requireText(sep) : text(sep);
  if (mark.length !== 1) throw new ValueError('sep must be length 1.');
  const group = bytesPerSep === undefined ? 1 : requireSize(bytesPerSep);
  const pairs = hex.match(/../g) ?? [];
  const size = Math.abs(group);
  if (size === 0) return hex;
  const offset = group > 0 ? pairs.length % size : 0;
  let out = '';
  pairs.forEach((pair, i) => {
    if (i > 0 && (i - offset) % size === 0) out += mark;
    out += pair;
  });
  return out;
}

/** `bytes.fromhex(text)` */
export function bytesFromHex(source: unknown): Uint8Array {
  const given = requireText(source, 'fromhex() argument');
  const data: number[] = [];
  for (let at = 0; at < given.length; ) {
    if (/\s/.test(given[at]!)) {
      at += 1;
      continue;
    }
    const pair = given.slice(at, at + 2);
    if (!/^[0-9a-fA-F]{2}$/.test(pair)) {
      const wrong = /^[0-9a-fA-F]/.test(pair) ? at + 1 : at;
      throw new ValueError(`non-hexadecimal number found in fromhex() arg at position ${wrong}`);
    }
    data.push(Number.parseInt(pair, 16));
    at += 2;
  }
  return Uint8Array.from(data);
}

function joinParts(b: AnyBytes, items: unknown): AnyBytes {
  const parts: Uint8Array[] = [];
  let index = 0;
  for (const item of iter(items)) {
    const data = bytesOf(item);
    if (data === undefined)
      throw new TypeError(`sequence item ${index}: expected a bytes-like object, ${typeName(item)} found`);
    if (index > 0) parts.push(b.data);
    parts.push(data);
    index += 1;
  }
  const all = joinBytes(parts);
  return b instanceof ByteArray ? new ByteArray(all) : new Bytes(all);
}

function translate(b: AnyBytes, table: unknown, drop: Optional): AnyBytes {
  const unwanted = drop === undefined ? '' : text(drop);
  const map = table === null || table === undefined ? undefined : requireBytes(table);
  if (map !== undefined && map.length !== 256) throw new ValueError('translation table must be 256 characters long');
  const kept = [...b.data]
    .filter((byte) => !unwanted.includes(String.fromCharCode(byte)))
    .map((byte) => map?.[byte] ?? byte);
  return b instanceof ByteArray ? new ByteArray(Uint8Array.from(kept)) : new Bytes(Uint8Array.from(kept));
}

/** `bytes.maketrans(from, to)` */
export function makeByteTranslation(from: unknown, to: unknown): Bytes {
  const [source, target] = [requireBytes(from), requireBytes(to)];
  if (source.length !== target.length) throw new ValueError('maketrans arguments must have same length');
  const table = Uint8Array.from({ length: 256 }, (_, i) => i);
  source.forEach((byte, i) => {
    table[byte] = target[i]!;
  });
  return new Bytes(table);
}

const shared = {
  capitalize: mapped((s) => upper(s.slice(0, 1)) + lower(s.slice(1))),
  center: justified('center'),
  count: search('count'),
  decode: (b: AnyBytes, encoding: Optional, errors: Optional) =>
    decodeBytes(b.data, requireText(encoding ?? 'utf-8'), requireText(errors ?? 'strict')),
  endswith: affix('endswith'),
  expandtabs: (b: AnyBytes, size: Optional) => like(b, strM.expandtabs(b.latin1, size)),
  find: search('find'),
  hex: hexText,
  index: search('index'),
  isalnum: (b: AnyBytes) => /^[0-9A-Za-z]+$/.test(b.latin1),
  isalpha: (b: AnyBytes) => /^[A-Za-z]+$/.test(b.latin1),
  isascii: (b: AnyBytes) => b.data.every((byte) => byte < 128),
  isdigit: (b: AnyBytes) => /^[0-9]+$/.test(b.latin1),
  islower: (b: AnyBytes) => /[a-z]/.test(b.latin1) && !/[A-Z]/.test(b.latin1),
  isspace: (b: AnyBytes) => /^[ \t\n\r\v\f]+$/.test(b.latin1),
  istitle: (b: AnyBytes) => strM.istitle(b.latin1.replace(/[^\0-\x7f]/g, ' ')),
  isupper: (b: AnyBytes) => /[A-Z]/.test(b.latin1) && !/[a-z]/.test(b.latin1),
  join: joinParts,
  ljust: justified('ljust'),
  lower: mapped(lower),
  lstrip: stripped('lstrip'),
  partition: partitioning('partition'),
  removeprefix: (b: AnyBytes, prefix: unknown) => like(b, strM.removeprefix(b.latin1, text(prefix))),
  removesuffix: (b: AnyBytes, suffix: unknown) => like(b, strM.removesuffix(b.latin1, text(suffix))),
  replace: (b: AnyBytes, old: unknown, by: unknown, count: Optional) =>
    like(b, strM.replace(b.latin1, text(old), text(by), count)),
  rfind: search('rfind'),
  rindex: search('rindex'),
  rjust: justified('rjust'),
  rpartition: partitioning('rpartition'),
  rsplit: splitting('rsplit'),
  rstrip: stripped('rstrip'),
  split: splitting('split'),
  splitlines: splitLines,
  startswith: affix('startswith'),
  strip: stripped('strip'),
  swapcase: mapped((s) => s.replace(/[A-Za-z]/g, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase()))),
  title: mapped((s) => lower(s).replace(/[a-z]+/g, (run) => upper(run[0]!) + run.slice(1))),
  translate,
  upper: mapped(upper),
  zfill: (b: AnyBytes, width: unknown) => like(b, strM.zfill(b.latin1, width)),
} as const;

export const bytesM = builtinMethods('bytes', {
  ...shared,
  fromhex(b: AnyBytes, text: unknown) {
    const data = bytesFromHex(text);
    return b instanceof ByteArray ? new ByteArray(data) : new Bytes(data);
  },
});
setMethods(Bytes, bytesM);

/** Makes room for more bytes at the end, twice what is needed, so that adding byte by byte does not copy them all each time. */
function extend(b: ByteArray, more: ArrayLike<number>): null {
  const { data } = b;
  const size = data.length + more.length;
  if (rooms.get(b) !== data.buffer || data.byteOffset + size > data.buffer.byteLength) {
    const room = new ArrayBuffer(2 * size);
    rooms.set(b, room);
    b.data = new Uint8Array(room, 0, size);
    b.data.set(data);
  } else b.data = new Uint8Array(data.buffer, data.byteOffset, size);
  b.data.set(more, data.length);
  return null;
}

const rooms = new WeakMap<ByteArray, ArrayBufferLike>();

// Methods that bytes have too keep the name `bytes` in complaints: one function cannot have two.
export const bytearrayM = builtinMethods(
  'bytearray',
  {
    append: (b: ByteArray, x: unknown) => extend(b, [requireByte(x, 'bytearray')]),
    clear: (b: ByteArray) => ((b.data = new Uint8Array()), null),
    copy: (b: ByteArray) => new ByteArray(b.data.slice()),
    extend: (b: ByteArray, more: unknown) =>
      extend(b, bytesOf(more) ?? [...iter(more)].map((x) => requireByte(x, 'bytearray'))),
    insert: (b: ByteArray, index: unknown, x: unknown) => {
      const n = Number(requireIndex(index));
      spliceBytes(b, n < 0 ? Math.max(0, n + b.length) : Math.min(n, b.length), 0, [requireByte(x, 'bytearray')]);
      return null;
    },
    pop: (b: ByteArray, index: Optional) => {
      const n = index === undefined ? -1 : Number(requireIndex(index));
      const at = n < 0 ? n + b.length : n;
      if (b.length === 0) throw new IndexError('pop from empty bytearray');
      if (at < 0 || at >= b.length) throw new IndexError('pop index out of range');
      const taken = b.data[at];
      b.data.copyWithin(at, at + 1);
      b.data = b.data.subarray(0, b.length - 1);
      return taken;
    },
    remove: (b: ByteArray, x: unknown) => {
      const at = b.data.indexOf(requireByte(x, 'bytearray'));
      if (at < 0) throw new ValueError('value not found in bytearray');
      spliceBytes(b, at, 1, []);
      return null;
    },
    reverse: (b: ByteArray) => (b.data.reverse(), null),
  },
  bytesM,
);
setMethods(ByteArray, bytearrayM);
Object.defineProperty(ByteArray.prototype, '__iadd__', {
  value(this: ByteArray, more: unknown): unknown {
    const bytes = bytesOf(more);
    if (bytes === undefined) return NotImplemented;
    extend(this, bytes);
    return this;
  },
  configurable: true,
});

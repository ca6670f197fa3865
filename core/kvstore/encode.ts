/** Values of programs as stored ones, and back. What cannot be stored is a TypeError, whichever backend there is (decisions/0125). */
import { DateTimeValue } from '../../library/modules/datetime/datetime.ts';
import { utc } from '../../library/modules/datetime/time-zone.ts';
import { Decimal, parseDecimal as decimal } from '../../library/modules/decimal/decimal.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { bare, Float } from '../../library/values/numbers/float-box.ts';
import { OverflowError, TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { Bytes, bytesOf } from '../../library/values/text/bytes.ts';
import { type Doc, type ObjectId, type Stored, StoredDecimal } from './stored.ts';

/** MongoDB takes no deeper documents. */
const deepest = 100;
const epochMicros = utcMicros(1970);

/** @throws TypeError, ValueError, OverflowError saying what cannot be stored */
export function encode(value: unknown, depth = 0): Stored {
  switch (typeof value) {
    case 'string':
      return requireText(value);
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      if (BigInt.asIntN(64, value) !== value) throw new OverflowError('integers of a database have at most 8 bytes');
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (value === null || value === undefined) return null;
  if (depth >= deepest) throw new ValueError(`a document is at most ${deepest} levels deep`);
  const entries = entriesOf(value);
  if (entries !== undefined) return encodeMembers(entries, depth);
  if (Array.isArray(value)) return value.map((item) => encode(item, depth + 1));
  if (value instanceof Tuple) return value.items.map((item) => encode(item, depth + 1));
  if (value instanceof DateTimeValue) return encodeMoment(value);
  if (value instanceof Date) return requireDate(value);
  if (value instanceof Decimal) return encodeDecimal(value);
  if (value instanceof Float) return bare(value);
  const bytes = value instanceof Uint8Array ? value : bytesOf(value);
  if (bytes !== undefined) return Uint8Array.from(bytes);
  throw new TypeError(`a value of type '${typeName(value)}' cannot be stored`);
}

/** A whole document. @throws TypeError when it is no dict */
export function encodeDocument(value: unknown): Doc {
  const entries = entriesOf(value);
  if (entries === undefined) throw new TypeError(`a document must be a dict, not '${typeName(value)}'`);
  const doc = encodeMembers(entries, 0);
  if (Array.isArray(doc.get('_id'))) throw new ValueError('_id cannot be a list');
  return doc;
}

function encodeMembers(entries: Iterable<readonly [unknown, unknown]>, depth: number): Doc {
  const made: Doc = new Map();
  for (const [name, item] of entries) {
    const member = requireName(name);
    if (member.startsWith('$')) throw new ValueError(`Field names must not start with '$': ${member}`);
    made.set(member, encode(item, depth + 1));
  }
  return made;
}

/** Names and values of a dict of the language, or of a plain JavaScript object or Map; undefined for everything else. */
export function entriesOf(value: unknown): Iterable<readonly [unknown, unknown]> | undefined {
  if (value instanceof Dict) return value.map;
  if (value instanceof Map) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.entries(value) : undefined;
}

/** @throws TypeError, ValueError when it cannot be the name of a field */
export function requireName(name: unknown): string {
  if (typeof name !== 'string') throw new TypeError(`names of fields must be str, not '${typeName(name)}'`);
  if (name.includes('\0')) throw new ValueError('names of fields must not contain a null character');
  return requireText(name);
}

// UTF-8 has no place for half a surrogate pair.
function requireText(text: string): string {
  if (!(text as any).isWellFormed()) throw new ValueError('text with a lone surrogate cannot be stored');
  return text;
}

/** To the millisecond; a naive one counts as UTC. */
function encodeMoment(moment: DateTimeValue): Date {
  const micros = moment.$instant() - epochMicros;
  return new Date(Number((micros - (((micros % 1000n) + 1000n) % 1000n)) / 1000n));
}

function requireDate(date: Date): Date {
  if (Number.isNaN(date.getTime())) throw new ValueError('an invalid date cannot be stored');
  return date;
}

function encodeDecimal(value: Decimal): StoredDecimal {
  const text = strOf(value);
  const digits = /^-?([\d.]+)(?:E([+-]\d+))?$/.exec(text);
  if (digits !== null) {
    const [, mantissa = '', exponent = '0'] = digits;
    const places = mantissa.includes('.') ? mantissa.length - mantissa.indexOf('.') - 1 : 0;
    const count = mantissa.replace('.', '').replace(/^0+/, '').length;
    const lowest = Number(exponent) - places;
    if (count > 34 || lowest < -6176 || lowest > 6111)
      throw new ValueError('decimals of a database have at most 34 digits');
  } else if (!/^(NaN|-?Infinity)$/.test(text)) throw new ValueError(`${text} cannot be stored`);
  return new StoredDecimal(text);
}

/** A stored value as programs see it: dates naive in UTC, ids that the database made as their hexadecimal text. */
export function decode(value: Stored): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  if (value instanceof Map) {
    const members = new Map<unknown, unknown>();
    for (const [name, item] of value) members.set(name, decode(item));
    return new Dict(members);
  }
  if (value instanceof Date) return naiveMoment(value);
  if (value instanceof Uint8Array) return new Bytes(value);
  if (value instanceof StoredDecimal) return decimal(value.text);
  return (value as ObjectId).hex;
}

function naiveMoment(date: Date): DateTimeValue {
  return new DateTimeValue(
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCMilliseconds() * 1000,
    null,
  );
}

function utcMicros(year: number): bigint {
  return new DateTimeValue(year, 1, 1, 0, 0, 0, 0, utc).$instant();
}

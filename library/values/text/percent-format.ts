/** `text % values`: printf-style formatting (docs/language/builtins.md#percent-format). */

import { Dict } from '../containers/dict.ts';
import { getitem } from '../containers/subscripts.ts';
import { Tuple } from '../containers/tuple.ts';
import { indexOf } from '../numbers/index-value.ts';
import { asNumber, floatToInt, isInt, type Num, toFloat } from '../numbers/numbers.ts';
import { OverflowError, TypeError, ValueError } from '../objects/exceptions.ts';
import { reprOf, strOf } from '../objects/repr.ts';
import { typeName } from '../objects/type-name.ts';
import { AnyBytes, Bytes, fromLatin1 } from './bytes.ts';
import { floatText } from './format.ts';
import { escapeNonAscii } from './string-repr.ts';
import { charsOf, lengthOf } from './strings.ts';

const directive = /%(?:\(([^)]*)\))?([#0\- +]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?(.)?/gsu;

interface Source {
  next(): unknown;
  named(name: string): unknown;
}

export function formatPercent(template: string | AnyBytes, values: any): unknown {
  if (template instanceof AnyBytes) {
    const text = fill(template.latin1, values, true);
    return new Bytes(fromLatin1(text));
  }
  return fill(template, values, false);
}

function fill(template: string, values: any, isBytes: boolean): string {
  let used = 0;
  let mapping = false;
  const isTuple = values instanceof Tuple;
  const items = isTuple ? values.items : [values];
  const source: Source = {
    next: () => {
      if (used >= items.length) throw new TypeError('not enough arguments for format string');
      used += 1;
      return items[used - 1];
    },
    named: (name) => {
      if (!isMapping(values)) throw new TypeError('format requires a mapping');
      mapping = true;
      return getitem(values, isBytes ? new Bytes(fromLatin1(name)) : name);
    },
  };
  const text = template.replace(directive, (_all, name, flags, width, precision, type, ...rest) => {
    const at: number = rest[0];
    if (type === undefined) throw new ValueError('incomplete format');
    if (type === '%') {
      if (_all === '%%') return '%';
      if (name === undefined) source.next();
      return '%';
    }
    return one(
      source,
      name,
      flags,
      width,
      hasPrecision(_all, type) ? (precision ?? '0') : undefined,
      isBytes && type === 's' ? 'b' : type,
      at + _all.length - type.length,
    );
  });
  if (!mapping && used < items.length && !(isMapping(values) && !(isBytes && values instanceof AnyBytes))) {
    throw new TypeError(`not all arguments converted during ${isBytes ? 'bytes' : 'string'} formatting`);
  }
  return text;
}

function hasPrecision(all: string, type: string): boolean {
  return all
    .slice(0, all.length - type.length)
    .replace(/\([^)]*\)/, '')
    .includes('.');
}

function isMapping(x: any): boolean {
  if (x instanceof Dict) return true;
  if (typeof x !== 'object' || x === null || x instanceof Tuple) return false;
  if (Array.isArray(x) || x instanceof AnyBytes) return true;
  return typeof x.__getitem__ === 'function' || Object.getPrototypeOf(x) === Object.prototype;
}

function one(
  source: Source,
  name: string | undefined,
  flags: string,
  width: string | undefined,
  precision: string | undefined,
  type: string,
  at: number,
): string {
  let left = flags.includes('-');
  let room = width === undefined ? 0 : Number(width);
  if (width === '*') {
    room = star(source);
    if (room < 0) {
      left = true;
      room = -room;
    }
  }
  const digits =
    precision === undefined ? undefined : precision === '*' ? Math.max(0, star(source)) : Number(precision);
  const value = name === undefined ? source.next() : source.named(name);
  const { sign, prefix, body, numeric } = convert(type, value, flags, digits, at);
  const missing = room - sign.length - prefix.length - lengthOf(body);
  if (missing <= 0) return sign + prefix + body;
  if (left) return sign + prefix + body + ' '.repeat(missing);
  if (numeric && flags.includes('0')) return sign + prefix + '0'.repeat(missing) + body;
  return ' '.repeat(missing) + sign + prefix + body;
}

function star(source: Source): number {
  const n = indexOf(source.next());
  if (n === undefined) throw new TypeError('* wants int');
  return Number(n);
}

interface Converted {
  readonly sign: string;
  readonly prefix: string;
  readonly body: string;
  readonly numeric: boolean;
}

function convert(type: string, value: any, flags: string, digits: number | undefined, at: number): Converted {
  switch (type) {
    case 's':
    case 'r':
    case 'a': {
      const text = type === 's' ? strOf(value) : type === 'r' ? reprOf(value) : escapeNonAscii(reprOf(value));
      return plain(digits === undefined ? text : charsOf(text).slice(0, digits).join(''));
    }
    case 'b':
      if (!(value instanceof AnyBytes))
        throw new TypeError(
          `%b requires a bytes-like object, or an object that implements __bytes__, not '${typeName(value)}'`,
        );
      return plain(value.latin1);
    case 'c':
      return plain(character(value));
    case 'd':
    case 'i':
    case 'u':
      return integer(decimalInt(value, type), 10, '', flags, digits, false);
    case 'o':
      return integer(requireInt(value, type), 8, '0o', flags, digits, false);
    case 'x':
      return integer(requireInt(value, type), 16, '0x', flags, digits, false);
    case 'X':
      return integer(requireInt(value, type), 16, '0X', flags, digits, true);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return float(value, type, flags, digits ?? 6);
    default: {
      const code = type.codePointAt(0)!.toString(16);
      throw new ValueError(`unsupported format character '${type}' (0x${code}) at index ${at}`);
    }
  }
}

function plain(body: string): Converted {
  return { sign: '', prefix: '', body, numeric: false };
}

function character(value: any): string {
  if (typeof value === 'string') {
    if (lengthOf(value) !== 1) throw new TypeError('%c requires int or char');
    return value;
  }
  const n = indexOf(value);
  if (n === undefined) throw new TypeError('%c requires int or char');
  if (n < 0 || n > 0x10ffff) throw new OverflowError('%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(n));
}

function decimalInt(value: any, type: string): Num {
  const n = asNumber(value) ?? (typeof value?.__int__ === 'function' ? value.__int__() : indexOf(value));
  if (n === undefined) throw new TypeError(`%${type} format: a real number is required, not ${typeName(value)}`);
  return typeof n === 'number' && !isInt(n) ? floatToInt(n) : n;
}

function requireInt(value: any, type: string): Num {
  const n = indexOf(value);
  if (n === undefined) throw new TypeError(`%${type} format: an integer is required, not ${typeName(value)}`);
  return n;
}

function signOf(negative: boolean, flags: string): string {
  return negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

function integer(
  n: Num,
  radix: number,
  prefix: string,
  flags: string,
  digits: number | undefined,
  upper: boolean,
): Converted {
  const negative = n < 0;
  const text = (negative ? -n : n).toString(radix).padStart(digits ?? 0, '0');
  return {
    sign: signOf(negative, flags),
    prefix: flags.includes('#') ? prefix : '',
    body: upper ? text.toUpperCase() : text,
    numeric: true,
  };
}

function float(value: any, type: string, flags: string, digits: number): Converted {
  const n = asNumber(value) ?? (typeof value?.__float__ === 'function' ? value.__float__() : undefined);
  if (n === undefined) throw new TypeError(`must be real number, not ${typeName(value)}`);
  const text = floatText(toFloat(n), type.toLowerCase() as 'e' | 'f' | 'g', digits, flags.includes('#'));
  const negative = text.startsWith('-');
  const body = negative ? text.slice(1) : text;
  const isUpper = type === 'E' || type === 'F' || type === 'G';
  return { sign: signOf(negative, flags), prefix: '', body: isUpper ? body.toUpperCase() : body, numeric: true };
}

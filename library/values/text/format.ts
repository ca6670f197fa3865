/** `format(value, spec)`: the format mini-language (docs/language/builtins.md#format). */
import { border } from '../calls/border.ts';
import { requireRoom } from '../containers/iteration.ts';
import { isFloat } from '../numbers/float-box.ts';
import { exponentFixed, fixedText, floatRepr } from '../numbers/float-text.ts';
import { type Num, toFloat } from '../numbers/numbers.ts';
import { OverflowError, TypeError, ValueError } from '../objects/exceptions.ts';
import { $primitive } from '../objects/protocol.ts';
import { strOf } from '../objects/repr.ts';
import { typeName } from '../objects/type-name.ts';
import { charsOf, lengthOf } from './strings.ts';

export interface FormatSpec {
  readonly fill: string;
  readonly align: '<' | '>' | '=' | '^' | '';
  readonly sign: '' | '+' | '-' | ' ';
  /** Negative zero becomes zero. */
  readonly zeroSign: boolean;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: '' | ',' | '_';
  readonly precision: number | undefined;
  readonly type: string;
}

export function format(x: any, spec?: string): string {
  if (spec === undefined || spec === null || spec === '') return formatPlain(x);
  if (typeof spec !== 'string') throw new TypeError(`format() argument 2 must be str, not ${typeName(spec)}`);
  switch (typeof x) {
    case 'string':
      return formatString(x, parseSpec(spec, 'str'));
    case 'number':
      return Number.isSafeInteger(x) ? formatInt(x, parseSpec(spec, 'int')) : formatFloat(x, parseSpec(spec, 'float'));
    case 'bigint':
      return formatInt(x, parseSpec(spec, 'int'));
    case 'boolean':
      return formatInt(x ? 1 : 0, parseSpec(spec, 'bool'), 'bool');
    case 'object':
      if (x !== null) return formatObject(x, spec);
  }
  throw new TypeError(`unsupported format string passed to ${typeName(x)}.__format__`);
}

function formatPlain(x: any): string {
  if (typeof x === 'object' && x !== null && typeof x.__format__ === 'function') return requireText(x.__format__(''));
  return strOf(x);
}

function formatObject(x: any, spec: string): string {
  if (typeof x.__format__ === 'function') return requireText(x.__format__(spec));
  if (x[$formatsAsText] === true) return formatString(strOf(x), parseSpec(spec, 'str'));
  const primitive = x[$primitive];
  if (isFloat(x)) return formatFloat(primitive, parseSpec(spec, 'float'));
  if (primitive !== undefined) return format(primitive, spec);
  const meant = border?.meaning(x);
  if (meant !== undefined) return format(meant, spec);
  throw new TypeError(`unsupported format string passed to ${typeName(x)}.__format__`);
}

/** On a prototype: `format` works on its `str` (enum members). */
export const $formatsAsText: unique symbol = Symbol('svc.formatsAsText');

function requireText(text: unknown): string {
  if (typeof text === 'string') return text;
  throw new TypeError(`__format__ must return a str, not ${typeName(text)}`);
}

const specPattern = /^(?:(.)?([<>=^]))?([ +-])?(z)?(#)?(0)?(\d+)?([,_]*)(\.(\d*))?(.*)$/su;
// Types that take a thousands separator.
const grouped: Readonly<Record<string, string>> = { ',': 'deEfFgG%', _: 'deEfFgG%boxX' };
const lastSpecs = new Map<string, FormatSpec>();

/** Reads a format specifier. @throws ValueError */
export function parseSpec(text: string, type: string): FormatSpec {
  const known = lastSpecs.get(text);
  if (known !== undefined) return known;
  const found = specPattern.exec(text);
  if (found === null) throw invalid(text, type);
  const [, fill, align = '', sign = '', z, alternate, zero, width = '', grouping = '', dot, precision, code = ''] =
    found;
  if (grouping.length > 1)
    throw new ValueError(
      grouping.includes(',') && grouping.includes('_')
        ? "Cannot specify both ',' and '_'."
        : `Cannot specify '${grouping[0]}' with '${grouping[1]}'.`,
    );
  if (dot !== undefined && precision === '') throw new ValueError('Format specifier missing precision');
  if (lengthOf(code) > 1) throw invalid(text, type);
  if (grouping !== '' && !(code === '' ? type !== 'str' : grouped[grouping]!.includes(code)))
    throw new ValueError(`Cannot specify '${grouping}' with '${code || 's'}'.`);
  const padded = zero !== undefined && fill === undefined;
  const spec: FormatSpec = {
    fill: fill ?? (padded ? '0' : ' '),
    align: (align === '' && padded ? '0' : align) as FormatSpec['align'],
    sign: sign as FormatSpec['sign'],
    zeroSign: z !== undefined,
    alternate: alternate !== undefined,
    width: width === '' ? 0 : Number(width),
    grouping: grouping as FormatSpec['grouping'],
    precision: dot === undefined ? undefined : Number(precision),
    type: code,
  };
  if (lastSpecs.size > 200) lastSpecs.clear();
  lastSpecs.set(text, spec);
  return spec;
}

function invalid(text: string, type: string): ValueError {
  return new ValueError(`Invalid format specifier '${text}' for object of type '${type}'`);
}

function unknownCode(spec: FormatSpec, type: string): ValueError {
  return new ValueError(`Unknown format code '${spec.type}' for object of type '${type}'`);
}

export function formatString(text: string, spec: FormatSpec): string {
  if (spec.type !== '' && spec.type !== 's') throw unknownCode(spec, 'str');
  if (spec.sign === ' ') throw new ValueError('Space not allowed in string format specifier');
  if (spec.sign !== '') throw new ValueError('Sign not allowed in string format specifier');
  if (spec.zeroSign) throw new ValueError('Negative zero coercion (z) not allowed in string format specifier');
  if (spec.alternate) throw new ValueError('Alternate form (#) not allowed in string format specifier');
  if (spec.align === '=') throw new ValueError("'=' alignment not allowed in string format specifier");
  if (spec.grouping !== '') throw new ValueError(`Cannot specify '${spec.grouping}' with 's'.`);
  const shown =
    spec.precision === undefined || lengthOf(text) <= spec.precision
      ? text
      : charsOf(text).slice(0, spec.precision).join('');
  return pad(shown, spec, '<');
}

function pad(text: string, spec: FormatSpec, byDefault: '<' | '>'): string {
  const room = spec.width - lengthOf(text);
  if (room <= 0) return text;
  const align = (spec.align as string) === '0' || spec.align === '' ? byDefault : spec.align;
  if (align === '<') return text + spec.fill.repeat(room);
  if (align === '^') return spec.fill.repeat(room >> 1) + text + spec.fill.repeat(room - (room >> 1));
  return spec.fill.repeat(room) + text;
}

const radixes: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16, d: 10, n: 10, '': 10 };

function formatInt(n: Num, spec: FormatSpec, type = 'int'): string {
  if ('eEfFgG%'.includes(spec.type) && spec.type !== '') return formatFloat(toFloat(n), spec);
  if (spec.type === 'c') return formatChar(n, spec);
  const radix = radixes[spec.type];
  if (radix === undefined) throw unknownCode(spec, type);
  if (spec.precision !== undefined) throw new ValueError('Precision not allowed in integer format specifier');
  if (spec.zeroSign) throw new ValueError('Negative zero coercion (z) not allowed in integer format specifier');
  if (spec.grouping === ',' && radix !== 10) throw new ValueError(`Cannot specify ',' with '${spec.type}'.`);
  if (spec.grouping !== '' && spec.type === 'n') throw new ValueError(`Cannot specify '${spec.grouping}' with 'n'.`);
  const negative = n < 0;
  const digits = (negative ? -n : n).toString(radix);
  const prefix = spec.alternate && radix !== 10 ? `0${spec.type}` : '';
  return assemble(negative, prefix, spec.type === 'X' ? digits.toUpperCase() : digits, '', spec, radix === 10 ? 3 : 4);
}

function formatChar(n: Num, spec: FormatSpec): string {
  if (spec.precision !== undefined) throw new ValueError('Precision not allowed in integer format specifier');
  if (spec.sign !== '') throw new ValueError("Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) throw new ValueError("Alternate form (#) not allowed with integer format specifier 'c'");
  if (spec.grouping !== '') throw new ValueError(`Cannot specify '${spec.grouping}' with 'c'.`);
  if (typeof n === 'bigint' && BigInt.asIntN(64, n) !== n)
    throw new OverflowError('Python int too large to convert to C long');
  if (n < 0 || n > 0x10ffff) throw new OverflowError('%c arg not in range(0x110000)');
  return pad(String.fromCodePoint(Number(n)), spec, '>');
}

function formatFloat(x: number, spec: FormatSpec): string {
  const text = floatDigits(x, spec);
  const negative = text.startsWith('-');
  const bare = negative ? text.slice(1) : text;
  const whole = /^\d*/.exec(bare)![0];
  const isZero = spec.zeroSign && negative && !/[1-9]/.test(bare.split('e')[0]!) && /\d/.test(bare);
  return assemble(negative && !isZero, '', whole, bare.slice(whole.length), spec, 3);
}

function floatDigits(x: number, spec: FormatSpec): string {
  const { type, precision, alternate } = spec;
  switch (type) {
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'n': {
      if (spec.grouping !== '' && type === 'n') throw new ValueError(`Cannot specify '${spec.grouping}' with 'n'.`);
      const text = floatText(
        x,
        (type === 'n' ? 'g' : type.toLowerCase()) as 'e' | 'f' | 'g',
        precision ?? 6,
        alternate,
      );
      return type === 'E' || type === 'F' || type === 'G' ? text.toUpperCase() : text;
    }
    case '%':
      return `${floatText(x * 100, 'f', precision ?? 6, alternate)}%`;
    case '':
      if (precision === undefined) return Number.isFinite(x) ? withPoint(floatRepr(x), alternate) : floatRepr(x);
      return Number.isFinite(x) ? generalText(x, precision, alternate, true) : floatRepr(x);
    default:
      throw unknownCode(spec, 'float');
  }
}

/** The digits of one presentation type, `inf` and `nan` included. */
export function floatText(x: number, type: 'e' | 'f' | 'g', precision: number, alternate: boolean): string {
  if (!Number.isFinite(x)) return floatRepr(x);
  if (type === 'g') return generalText(x, precision, alternate, false);
  const text = type === 'f' ? fixedText(x, precision) : exponentFixed(x, precision);
  return withPoint(text, alternate);
}

function withPoint(text: string, alternate: boolean): string {
  if (!alternate || text.includes('.')) return text;
  const at = text.indexOf('e');
  return at < 0 ? `${text}.` : `${text.slice(0, at)}.${text.slice(at)}`;
}

// `plain`: no presentation type was given, so fixed notation keeps one decimal and gives way to exponents one digit sooner.
function generalText(x: number, precision: number, alternate: boolean, plain: boolean): string {
  const digits = precision === 0 ? 1 : precision;
  const scientific = exponentFixed(x, digits - 1);
  const at = scientific.indexOf('e');
  const exponent = Number(scientific.slice(at + 1));
  if (exponent < -4 || exponent >= digits - (plain ? 1 : 0)) {
    const mantissa = scientific.slice(0, at);
    return (alternate ? withPoint(mantissa, true) : trimZeros(mantissa)) + scientific.slice(at);
  }
  const text = fixedText(x, digits - 1 - exponent);
  if (alternate) return withPoint(text, true);
  const short = trimZeros(text);
  return plain && !short.includes('.') ? `${short}.0` : short;
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

// Sign, prefix, grouped digits, rest; zero padding goes between prefix and digits and is grouped with them.
function assemble(
  negative: boolean,
  prefix: string,
  digits: string,
  rest: string,
  spec: FormatSpec,
  group: number,
): string {
  const sign = negative ? '-' : spec.sign === '+' || spec.sign === ' ' ? spec.sign : '';
  const zeroPadded = (spec.align as string) === '0' || (spec.align === '=' && spec.fill === '0');
  let shown = digits;
  if (spec.grouping !== '' && /^[\dA-Fa-f]/.test(digits)) {
    const room = zeroPadded ? spec.width - sign.length - prefix.length - rest.length : 0;
    shown = groupDigits(digits, spec.grouping, group, room);
  }
  const body = shown + rest;
  const head = sign + prefix;
  if (!zeroPadded && spec.align !== '=') return pad(head + body, spec, '>');
  const missing = spec.width - head.length - lengthOf(body);
  return missing <= 0 ? head + body : head + spec.fill.repeat(missing) + body;
}

function groupDigits(digits: string, separator: string, group: number, room: number): string {
  let padded = digits;
  requireRoom(room);
  while (padded.length + Math.floor((padded.length - 1) / group) < room) padded = `0${padded}`;
  const parts: string[] = [];
  for (let end = padded.length; end > 0; end -= group) parts.unshift(padded.slice(Math.max(0, end - group), end));
  return parts.join(separator);
}

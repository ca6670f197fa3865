/** Format specifications (`f"{x:>8.2f}"`) and the `%` of texts. */
import { ValueError } from './exceptions.ts';
import { decimals, grouped } from './fixed.ts';
import { array } from './iteration.ts';
import { isMember, special } from './kinds.ts';
import { floatText, repr, str } from './text.ts';

const form = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/s;

/** Text of a value by a specification; the compiler says of a number whether its static type is `float`. */
export function format(value: any, spec = '', isFloat = false): string {
  const own = special(value, '__format__');
  if (own !== undefined) return String(own(spec));
  const plain = isFloat ? floatText : str;
  if (spec === '') return plain(value);
  if (isMember(value) && value.$raw) return format(value.value, spec);
  if (value instanceof Date && spec.includes('%'))
    return String(special(value, 'strftime')?.(spec) ?? value.toISOString());
  if (value === true || value === false) return format(Number(value), spec);
  const parts = form.exec(spec);
  if (parts === null) throw new ValueError('Invalid format specifier');
  const [, fill, align, sign, alternate, zero, width, group, precision, type] = parts;
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  const body = isNumber
    ? numberText(value as number, { sign, alternate, group, precision, type }, plain)
    : textOf(value, precision);
  const size = width === undefined ? 0 : Number(width);
  const side = align ?? (zero !== undefined && isNumber ? '=' : isNumber ? '>' : '<');
  return padded(body, size, fill ?? (zero !== undefined ? '0' : ' '), side);
}

function textOf(value: unknown, precision: string | undefined): string {
  const text = str(value);
  return precision === undefined ? text : [...text].slice(0, Number(precision)).join('');
}

interface NumberForm {
  readonly sign: string | undefined;
  readonly alternate: string | undefined;
  readonly group: string | undefined;
  readonly precision: string | undefined;
  readonly type: string | undefined;
}

function numberText(
  value: number,
  { sign, alternate, group, precision, type }: NumberForm,
  plain: (value: number) => string,
): string {
  const size = Math.abs(value);
  const digits = precision === undefined ? 6 : Number(precision);
  const mark = value < 0 || Object.is(value, -0) ? '-' : sign === '+' ? '+' : sign === ' ' ? ' ' : '';
  const written = (): string => {
    switch (type) {
      case 'f':
      case 'F':
        return decimals(size, digits);
      case '%':
        return `${decimals(size * 100, digits)}%`;
      case 'e':
      case 'E':
        return exponent(size.toExponential(digits), type);
      case 'b':
        return (alternate === undefined ? '' : '0b') + size.toString(2);
      case 'o':
        return (alternate === undefined ? '' : '0o') + size.toString(8);
      case 'x':
        return (alternate === undefined ? '' : '0x') + size.toString(16);
      case 'X':
        return (alternate === undefined ? '' : '0X') + size.toString(16).toUpperCase();
      case 'c':
        return String.fromCodePoint(size);
      case 'g':
      case 'G':
      case 'n':
        return general(size, digits === 0 ? 1 : digits);
      default:
        return precision === undefined ? plain(size) : general(size, digits === 0 ? 1 : digits);
    }
  };
  return mark + (group === undefined ? written() : grouped(written(), group));
}

function exponent(text: string, type: string): string {
  const fixed = text.replace(/e([+-])(\d)$/, 'e$10$2');
  return type === 'E' ? fixed.toUpperCase() : fixed;
}

/** The shorter of a fixed and an exponential form, without zeros behind. */
function general(size: number, digits: number): string {
  if (!Number.isFinite(size)) return str(size);
  const power = size === 0 ? 0 : Math.floor(Math.log10(size));
  if (power < -4 || power >= digits) return exponent(String(Number(size.toPrecision(digits)).toExponential()), 'e');
  return String(Number(size.toPrecision(digits)));
}

function padded(text: string, width: number, fill: string, align: string): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  switch (align) {
    case '<':
      return text + fill.repeat(missing);
    case '^':
      return fill.repeat(Math.floor(missing / 2)) + text + fill.repeat(Math.ceil(missing / 2));
    case '=': {
      const mark = /^[-+ ]?(?:0[xob])?/i.exec(text)?.[0] ?? '';
      return mark + fill.repeat(missing) + text.slice(mark.length);
    }
    default:
      return fill.repeat(missing) + text;
  }
}

/** `"%s has %d" % (name, count)` */
export function percent(text: string, values: any): string {
  const list = Array.isArray(values) ? [...array(values)] : [values];
  let at = 0;
  return text.replace(
    /%(?:\((\w+)\))?([-+ 0#]*)(\d+|\*)?(?:\.(\d+))?([scdriufFgGxXeEo%])/g,
    (whole, name, flags: string, given, precision, type) => {
      if (type === '%') return '%';
      const width = given === '*' ? list[at++] : given;
      const value = name === undefined ? list[at++] : values[name];
      if (value === undefined && name === undefined && at > list.length) return whole;
      const side = flags.includes('-') ? '<' : '>';
      const most = precision === undefined ? '' : `.${precision}`;
      const text = { s: str, r: repr, c: (one: any) => (typeof one === 'number' ? String.fromCodePoint(one) : one) }[
        type as string
      ];
      if (text !== undefined) return format(text(value), `${side}${width ?? ''}${most}`);
      const isWhole = 'diu'.includes(type);
      const sign = /[+ ]/.exec(flags)?.[0] ?? '';
      const zero = flags.includes('0') && side === '>';
      const form = `${zero ? '' : side}${sign}${flags.includes('#') ? '#' : ''}${zero ? '0' : ''}${width ?? ''}`;
      return format(isWhole ? Math.trunc(Number(value)) : value, form + most + (isWhole ? 'd' : type));
    },
  );
}

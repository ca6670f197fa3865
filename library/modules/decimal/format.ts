/** `format(decimal, spec)`: the number mini-language with the digits a decimal has. */
import { ValueError } from '../../values/objects/exceptions.ts';
import { type FormatSpec, parseSpec } from '../../values/text/format.ts';
import {
  adjusted,
  type Dec,
  decText,
  digitsOf,
  dropDigits,
  fitted,
  type Precision,
  pow10,
  type Rounding,
  rescaled,
} from './arithmetic.ts';

export function formatDecimal(
  value: Dec | undefined,
  special: string,
  sign: 0 | 1,
  text: string,
  context: Precision,
): string {
  let spec: FormatSpec;
  try {
    spec = parseSpec(text, 'decimal.Decimal');
  } catch {
    throw new ValueError('invalid format string');
  }
  const code = spec.type === '' ? '' : spec.type.toLowerCase();
  if (!['', 'e', 'f', 'g', 'n', '%'].includes(code)) throw new ValueError('invalid format string');
  if (value === undefined) return assemble(sign === 1, special + (code === '%' ? '%' : ''), withoutZeros(spec));
  const shown = digitsFor(value, code, spec, context.rounding);
  const bare = shown.startsWith('-') ? shown.slice(1) : shown;
  const cased = spec.type === 'e' || spec.type === 'g' || spec.type === 'n' ? bare.replace('E', 'e') : bare;
  return assemble(sign === 1, cased, spec);
}

// Infinities and NaN are not filled with zeros.
function withoutZeros(spec: FormatSpec): FormatSpec {
  return (spec.align as string) === '0' ? { ...spec, align: '>', fill: ' ' } : spec;
}

function digitsFor(value: Dec, code: string, spec: FormatSpec, rounding: Rounding): string {
  const { precision } = spec;
  if (code === '%') {
    const percent = { ...value, exp: value.exp + 2 };
    return `${fixed(precision === undefined ? percent : rescaled(percent, -precision, rounding))}%`;
  }
  if (code === 'f') return fixed(precision === undefined ? value : rescaled(value, -precision, rounding));
  if (code === 'e') return scientific(value, precision, rounding);
  const rounded = precision === undefined ? value : fitted(value, { prec: Math.max(1, precision), rounding });
  return decText(rounded);
}

function fixed(x: Dec): string {
  if (x.exp >= 0) return (x.coef * pow10(x.exp)).toString();
  const digits = x.coef.toString().padStart(1 - x.exp, '0');
  return `${digits.slice(0, x.exp)}.${digits.slice(x.exp)}`;
}

function scientific(x: Dec, precision: number | undefined, rounding: Rounding): string {
  let [coef, exponent] = [x.coef, x.coef === 0n ? x.exp + (precision ?? 0) : adjusted(x)];
  let places = digitsOf(coef) - 1;
  if (precision !== undefined) {
    if (places > precision) {
      coef = dropDigits(coef, places - precision, x.sign, rounding);
      if (digitsOf(coef) > precision + 1) {
        coef /= 10n;
        exponent += 1;
      }
    } else coef *= pow10(precision - places);
    places = precision;
  }
  const digits = coef.toString().padStart(places + 1, '0');
  const mantissa = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return `${mantissa}E${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

function assemble(negative: boolean, text: string, spec: FormatSpec): string {
  const whole = /^\d*/.exec(text)![0];
  const rest = text.slice(whole.length);
  const sign = negative ? '-' : spec.sign === '+' || spec.sign === ' ' ? spec.sign : '';
  const zeroPadded = (spec.align as string) === '0' || (spec.align === '=' && spec.fill === '0');
  let digits = whole;
  if (zeroPadded) {
    const room = spec.width - sign.length - rest.length;
    while (grouped(digits, spec.grouping).length < room) digits = `0${digits}`;
    // A group mark may not come first.
    const padded = grouped(digits, spec.grouping);
    return sign + padded + rest;
  }
  const body = grouped(digits, spec.grouping) + rest;
  const room = spec.width - sign.length - body.length;
  if (room <= 0) return sign + body;
  if (spec.align === '<') return sign + body + spec.fill.repeat(room);
  if (spec.align === '^') return spec.fill.repeat(room >> 1) + sign + body + spec.fill.repeat(room - (room >> 1));
  if (spec.align === '=') return sign + spec.fill.repeat(room) + body;
  return spec.fill.repeat(room) + sign + body;
}

function grouped(digits: string, mark: string): string {
  return mark === '' ? digits : digits.replace(/\B(?=(\d{3})+$)/g, mark);
}

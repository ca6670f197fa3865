/** Exact comparison and addition of the kinds of numbers a document holds. */
import { cannotUpdate } from '../../../core/kvstore/errors.ts';
import { StoredDecimal } from '../../../core/kvstore/stored.ts';

export type Numeric = number | bigint | StoredDecimal;

/** `digits` × 10^`exponent`, exact for every finite number. */
interface Exact {
  readonly digits: bigint;
  readonly exponent: number;
}

export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof StoredDecimal;
}

export function isNaNumber(value: Numeric): boolean {
  return value instanceof StoredDecimal ? value.text === 'NaN' : Number.isNaN(value as number);
}

/** NaN comes before everything else and equals itself. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  if (typeof a === 'number' && typeof b === 'number' && a === b) return 0;
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left !== right || left !== 0) return Math.sign(left - right);
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : 1;
  const [x, y] = aligned(exactOf(a), exactOf(b));
  return x < y ? -1 : x > y ? 1 : 0;
}

/** One text for equal numbers of any kind. */
export function numberKey(value: Numeric): string {
  const rank = rankOf(value);
  if (rank !== 0) return String(rank);
  let { digits, exponent } = exactOf(value);
  if (digits === 0n) return '0e0';
  while (digits % 10n === 0n) [digits, exponent] = [digits / 10n, exponent + 1];
  return `${digits}e${exponent}`;
}

/**
 * Adds numbers as `$inc` does: decimals stay decimals, floats floats, ints ints.
 *
 * @throws ValueError when the sum of two ints has more than 8 bytes, as every update that cannot be made
 */
export function addNumbers(a: Numeric, b: Numeric): Numeric {
  if (a instanceof StoredDecimal || b instanceof StoredDecimal) return addDecimals(a, b);
  const areInts = isInt(a) && isInt(b);
  if (!areInts) return Number(a) + Number(b);
  const sum = BigInt(a) + BigInt(b);
  if (BigInt.asIntN(64, sum) !== sum) throw cannotUpdate();
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}

function isInt(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** -2 NaN, -1 and 1 infinities, 0 finite. */
function rankOf(value: Numeric): number {
  if (value instanceof StoredDecimal) {
    if (value.text === 'NaN') return -2;
    if (value.text.endsWith('Infinity')) return value.text.startsWith('-') ? -1 : 1;
    return 0;
  }
  if (typeof value === 'bigint' || Number.isFinite(value)) return 0;
  return Number.isNaN(value) ? -2 : value < 0 ? -1 : 1;
}

function exactOf(value: Numeric): Exact {
  if (typeof value === 'bigint') return { digits: value, exponent: 0 };
  if (value instanceof StoredDecimal) return parseDigits(value.text);
  if (Number.isInteger(value)) return { digits: BigInt(value), exponent: 0 };
  // A double is a whole number of 2^-n, and 2^-n is 5^n × 10^-n.
  let [scaled, places] = [value, 0];
  while (!Number.isInteger(scaled)) [scaled, places] = [scaled * 2, places + 1];
  return { digits: BigInt(scaled) * 5n ** BigInt(places), exponent: -places };
}

function parseDigits(text: string): Exact {
  const [, mantissa = '0', power = '0'] = /^(-?[\d.]+)(?:E([+-]?\d+))?$/i.exec(text) ?? [];
  const point = mantissa.indexOf('.');
  const places = point < 0 ? 0 : mantissa.length - point - 1;
  return { digits: BigInt(mantissa.replace('.', '')), exponent: Number(power) - places };
}

function aligned(a: Exact, b: Exact): [bigint, bigint] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.digits * 10n ** BigInt(a.exponent - exponent), b.digits * 10n ** BigInt(b.exponent - exponent)];
}

function addDecimals(a: Numeric, b: Numeric): StoredDecimal {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left === -2 || right === -2 || (left !== 0 && right !== 0 && left !== right)) return new StoredDecimal('NaN');
  if (left !== 0 || right !== 0) return new StoredDecimal((left || right) < 0 ? '-Infinity' : 'Infinity');
  const [x, y] = [decimalOf(a), decimalOf(b)];
  const exponent = Math.min(x.exponent, y.exponent);
  const [p, q] = aligned(x, y);
  return new StoredDecimal(decimalText(p + q, exponent));
}

// A double takes part with its 15 significant digits.
function decimalOf(value: Numeric): Exact {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return exactOf(value);
  return parseDigits(value.toPrecision(15));
}

function decimalText(digits: bigint, exponent: number): string {
  let [rest, power] = [digits, exponent];
  const size = (x: bigint) => String(x < 0n ? -x : x).length;
  // Half to even, at 34 digits.
  const surplus = size(rest) - 34;
  if (surplus > 0) {
    const unit = 10n ** BigInt(surplus);
    const half = unit / 2n;
    const magnitude = rest < 0n ? -rest : rest;
    let quotient = magnitude / unit;
    const left = magnitude % unit;
    if (left > half || (left === half && quotient % 2n === 1n)) quotient += 1n;
    rest = rest < 0n ? -quotient : quotient;
    power += surplus;
  }
  const text = String(rest < 0n ? -rest : rest);
  const sign = rest < 0n ? '-' : '';
  const adjusted = power + text.length - 1;
  if (power <= 0 && adjusted >= -6) {
    if (power === 0) return sign + text;
    const padded = text.padStart(1 - power, '0');
    return `${sign}${padded.slice(0, power)}.${padded.slice(power)}`;
  }
  const mantissa = text.length === 1 ? text : `${text[0]}.${text.slice(1)}`;
  return `${sign}${mantissa}E${adjusted < 0 ? '' : '+'}${adjusted}`;
}

/** Module `decimal` with a small context: precision 28 unless changed, all rounding modes. */
import { Exception, nameException, OverflowError, TypeError, ValueError, ZeroDivisionError } from '../../values/exceptions.ts';
import { exactDecimal } from '../../values/float-text.ts';
import { parseSpec, type FormatSpec } from '../../values/format.ts';
import { hashNumber } from '../../values/hashing.ts';
import { asNumber, demote, type Num } from '../../values/numbers.ts';
import { $hash, $truth } from '../../values/protocol.ts';
import { NotImplemented } from '../../values/singletons.ts';
import { textOf } from '../../values/text-arguments.ts';
import { Tuple } from '../../values/tuple.ts';
import { typeName } from '../../values/type-name.ts';
import { itemsOf } from '../../values/iteration.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';
import { isqrt } from './math.ts';

export class DecimalException extends Exception {}
export class InvalidOperation extends DecimalException {}
export class DivisionByZero extends ZeroDivisionError {}
nameException(DecimalException, 'DecimalException');
nameException(InvalidOperation, 'InvalidOperation');
nameException(DivisionByZero, 'DivisionByZero');

type Rounding = 'ROUND_HALF_EVEN' | 'ROUND_HALF_UP' | 'ROUND_HALF_DOWN' | 'ROUND_UP' | 'ROUND_DOWN' | 'ROUND_CEILING' | 'ROUND_FLOOR' | 'ROUND_05UP';
const roundings: readonly Rounding[] = ['ROUND_HALF_EVEN', 'ROUND_HALF_UP', 'ROUND_HALF_DOWN', 'ROUND_UP', 'ROUND_DOWN', 'ROUND_CEILING', 'ROUND_FLOOR', 'ROUND_05UP'];

class Context {
  prec = 28;
  rounding: Rounding = 'ROUND_HALF_EVEN';

  copy(): Context {
    return Object.assign(new Context(), { prec: this.prec, rounding: this.rounding });
  }

  create_decimal(x: unknown): Decimal {
    return finish(makeDecimal(x));
  }

  __repr__(): string {
    return `Context(prec=${this.prec}, rounding=${this.rounding}, Emin=-999999, Emax=999999, capitals=1, clamp=0, flags=[], traps=[InvalidOperation, DivisionByZero, Overflow])`;
  }
}
nativeClass(Context, {
  name: 'Context',
  module: 'decimal',
  params: 'prec=28, rounding="ROUND_HALF_EVEN"',
  make: (_cls, prec, rounding) => Object.assign(new Context(), { prec: prec === undefined ? 28 : Number(prec), rounding: rounding ?? 'ROUND_HALF_EVEN' }),
});
let context = new Context();

/** `with localcontext() as ctx` */
class LocalContext {
  readonly $own: Context;
  $before: Context | undefined;

  constructor(own: Context) {
    this.$own = own;
  }

  __enter__(): Context {
    this.$before = context;
    context = this.$own;
    return this.$own;
  }

  __exit__(): boolean {
    context = this.$before!;
    return false;
  }
}
nativeClass(LocalContext, { name: 'ContextManager', module: 'decimal' });

/** `coefficient × 10^exponent`, or a special value. */
export class Decimal {
  readonly $negative: boolean;
  readonly $coefficient: bigint;
  readonly $exponent: number;
  readonly $special: '' | 'NaN' | 'sNaN' | 'Infinity';

  constructor(negative: boolean, coefficient: bigint, exponent: number, special: '' | 'NaN' | 'sNaN' | 'Infinity' = '') {
    this.$negative = negative;
    this.$coefficient = coefficient;
    this.$exponent = exponent;
    this.$special = special;
  }

  get $signed(): bigint {
    return this.$negative ? -this.$coefficient : this.$coefficient;
  }

  get real(): Decimal {
    return this;
  }

  __add__(other: unknown): unknown {
    return arithmetic(this, other, add);
  }

  __radd__(other: unknown): unknown {
    return arithmetic(this, other, add);
  }

  __sub__(other: unknown): unknown {
    return arithmetic(this, other, (a, b) => add(a, negate(b)));
  }

  __rsub__(other: unknown): unknown {
    return arithmetic(this, other, (a, b) => add(b, negate(a)));
  }

  __mul__(other: unknown): unknown {
    return arithmetic(this, other, multiply);
  }

  __rmul__(other: unknown): unknown {
    return arithmetic(this, other, multiply);
  }

  __truediv__(other: unknown): unknown {
    return arithmetic(this, other, divide);
  }

  __rtruediv__(other: unknown): unknown {
    return arithmetic(this, other, (a, b) => divide(b, a));
  }

  __floordiv__(other: unknown): unknown {
    return arithmetic(this, other, (a, b) => wholeDivision(a, b).quotient);
  }

  __rfloordiv__(other: unknown): unknown {
    return arithmetic(this, other, (a, b) => wholeDivision(b, a).quotient);
  }

  __mod__(other: unknown): unknown {
    return arithmetic(this, other, (a, b) => wholeDivision(a, b).rest);
  }

  __rmod__(other: unknown): unknown {
    return arithmetic(this, other, (a, b) => wholeDivision(b, a).rest);
  }

  __divmod__(other: unknown): unknown {
    const b = operand(other);
    if (b === undefined) return NotImplemented;
    const { quotient, rest } = wholeDivision(this, b);
    return new Tuple([quotient, rest]);
  }

  __pow__(other: unknown): unknown {
    return arithmetic(this, other, power);
  }

  __rpow__(other: unknown): unknown {
    return arithmetic(this, other, (a, b) => power(b, a));
  }

  __neg__(): Decimal {
    return finish(this.$coefficient === 0n && this.$special === '' ? new Decimal(false, 0n, this.$exponent) : negate(this));
  }

  __pos__(): Decimal {
    return finish(this);
  }

  __abs__(): Decimal {
    return finish(new Decimal(false, this.$coefficient, this.$exponent, this.$special));
  }

  __int__(): Num {
    if (this.$special !== '') throw this.$special === 'Infinity' ? new OverflowError('cannot convert Infinity to integer') : new ValueError('cannot convert NaN to integer');
    const size = this.$exponent >= 0 ? this.$coefficient * 10n ** BigInt(this.$exponent) : this.$coefficient / 10n ** BigInt(-this.$exponent);
    return demote(this.$negative ? -size : size);
  }

  __trunc__(): Num {
    return this.__int__();
  }

  __floor__(): Num {
    return rescale(this, 0, 'ROUND_FLOOR').__int__();
  }

  __ceil__(): Num {
    return rescale(this, 0, 'ROUND_CEILING').__int__();
  }

  __round__(digits?: unknown): unknown {
    if (digits === undefined || digits === null) return rescale(this, 0, 'ROUND_HALF_EVEN').__int__();
    return rescale(this, -Number(digits), 'ROUND_HALF_EVEN');
  }

  __float__(): number {
    if (this.$special === 'Infinity') return this.$negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return this.$special === '' ? Number(`${this.$negative ? '-' : ''}${this.$coefficient}e${this.$exponent}`) : Number.NaN;
  }

  __eq__(other: unknown): unknown {
    const b = comparable(other);
    return b === undefined ? NotImplemented : compare(this, b) === 0;
  }

  __lt__(other: unknown): unknown {
    return order(this, other, (c) => c < 0);
  }

  __le__(other: unknown): unknown {
    return order(this, other, (c) => c <= 0);
  }

  __gt__(other: unknown): unknown {
    return order(this, other, (c) => c > 0);
  }

  __ge__(other: unknown): unknown {
    return order(this, other, (c) => c >= 0);
  }

  __hash__(): number {
    return hashNumber(this[$hash]());
  }

  [$hash](): string {
    if (this.$special !== '') return `dec${text(this)}`;
    const { $coefficient: c, $exponent: e } = stripped(this);
    return e >= 0 ? `n${this.$negative ? -c * 10n ** BigInt(e) : c * 10n ** BigInt(e)}` : `n${this.__float__()}`;
  }

  [$truth](): boolean {
    return this.$special !== '' || this.$coefficient !== 0n;
  }

  __str__(): string {
    return text(this);
  }

  __repr__(): string {
    return `Decimal('${text(this)}')`;
  }

  __format__(spec: string): string {
    return formatDecimal(this, spec);
  }

  toJSON(): string {
    return text(this);
  }

  quantize(exp: unknown, rounding?: unknown): Decimal {
    const pattern = operand(exp);
    if (pattern === undefined) throw new TypeError(`conversion from ${typeName(exp)} to Decimal is not supported`);
    if (this.$special !== '' || pattern.$special !== '') return this;
    const result = rescale(this, pattern.$exponent, requireRounding(rounding));
    if (digitsOf(result.$coefficient) > context.prec) throw new InvalidOperation('quantize result has too many digits for current context');
    return result;
  }

  to_integral_value(rounding?: unknown): Decimal {
    return this.$special !== '' || this.$exponent >= 0 ? this : rescale(this, 0, requireRounding(rounding));
  }

  normalize(): Decimal {
    const short = finish(this);
    return short.$special !== '' ? short : stripped(short);
  }

  sqrt(): Decimal {
    if (this.$special === 'NaN' || this.$special === 'sNaN') return this;
    if (this.$negative && this.$coefficient !== 0n) throw new InvalidOperation('[<class \'decimal.InvalidOperation\'>]');
    if (this.$special === 'Infinity') return this;
    const scale = context.prec + 2;
    const top = this.$coefficient * 10n ** BigInt(2 * scale + (this.$exponent % 2 === 0 ? 0 : this.$exponent > 0 ? 1 : -1));
    const exponent = (this.$exponent - (this.$exponent % 2)) / 2 - scale;
    let root = isqrt(top);
    if (root * root !== top) root = root * 10n + 1n;
    else return finish(idealRoot(new Decimal(false, root, exponent), Math.floor(this.$exponent / 2)));
    return finish(new Decimal(false, root, exponent - 1));
  }

  is_nan(): boolean {
    return this.$special === 'NaN' || this.$special === 'sNaN';
  }

  is_infinite(): boolean {
    return this.$special === 'Infinity';
  }

  is_finite(): boolean {
    return this.$special === '';
  }

  is_zero(): boolean {
    return this.$special === '' && this.$coefficient === 0n;
  }

  is_signed(): boolean {
    return this.$negative;
  }

  as_tuple(): Tuple {
    const digits = [...this.$coefficient.toString()].map(Number);
    return new Tuple([this.$negative ? 1 : 0, new Tuple(digits), this.$special === '' ? this.$exponent : this.$special === 'Infinity' ? 'F' : 'n']);
  }

  as_integer_ratio(): Tuple {
    let [n, d] = this.$exponent >= 0 ? [this.$signed * 10n ** BigInt(this.$exponent), 1n] : [this.$signed, 10n ** BigInt(-this.$exponent)];
    let [a, b] = [n < 0n ? -n : n, d];
    while (b !== 0n) [a, b] = [b, a % b];
    n /= a;
    d /= a;
    return new Tuple([demote(n), demote(d)]);
  }

  adjusted(): number {
    return this.$exponent + digitsOf(this.$coefficient) - 1;
  }

  copy_abs(): Decimal {
    return new Decimal(false, this.$coefficient, this.$exponent, this.$special);
  }

  copy_negate(): Decimal {
    return negate(this);
  }

  compare(other: unknown): Decimal {
    return new Decimal(compare(this, requireDecimal(other))! < 0, BigInt(Math.abs(compare(this, requireDecimal(other))!)), 0);
  }

  max(other: unknown): Decimal {
    const b = requireDecimal(other);
    return finish(compare(this, b)! >= 0 ? this : b);
  }

  min(other: unknown): Decimal {
    const b = requireDecimal(other);
    return finish(compare(this, b)! <= 0 ? this : b);
  }

  exp(): Decimal {
    return powerSeries(this);
  }

  ln(): Decimal {
    return logarithm(this);
  }

  log10(): Decimal {
    return divide(logarithm(this), logarithm(new Decimal(false, 10n, 0)));
  }
}

function requireRounding(x: unknown): Rounding {
  if (x === undefined || x === null) return context.rounding;
  if (roundings.includes(x as Rounding)) return x as Rounding;
  throw new TypeError("valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]");
}

function digitsOf(n: bigint): number {
  return n === 0n ? 1 : n.toString().length;
}

function negate(d: Decimal): Decimal {
  return new Decimal(!d.$negative, d.$coefficient, d.$exponent, d.$special);
}

function stripped(d: Decimal): Decimal {
  if (d.$coefficient === 0n) return new Decimal(d.$negative, 0n, 0);
  let [c, e] = [d.$coefficient, d.$exponent];
  while (c % 10n === 0n) {
    c /= 10n;
    e += 1;
  }
  return new Decimal(d.$negative, c, e);
}

// An exact root keeps the exponent the operation prefers, as far as zeros allow.
function idealRoot(d: Decimal, exponent: number): Decimal {
  let [c, e] = [d.$coefficient, d.$exponent];
  while (e < exponent && c % 10n === 0n) {
    c /= 10n;
    e += 1;
  }
  return new Decimal(false, c, e);
}

/** Rounds to a given exponent. */
function rescale(d: Decimal, exponent: number, rounding: Rounding): Decimal {
  if (d.$special !== '') return d;
  if (exponent <= d.$exponent) return new Decimal(d.$negative, d.$coefficient * 10n ** BigInt(d.$exponent - exponent), exponent);
  const unit = 10n ** BigInt(exponent - d.$exponent);
  const quotient = d.$coefficient / unit;
  const rest = d.$coefficient % unit;
  return new Decimal(d.$negative, roundsUp(quotient, rest, unit, d.$negative, rounding) ? quotient + 1n : quotient, exponent);
}

function roundsUp(quotient: bigint, rest: bigint, unit: bigint, negative: boolean, rounding: Rounding): boolean {
  if (rest === 0n) return false;
  const twice = rest * 2n;
  switch (rounding) {
    case 'ROUND_UP':
      return true;
    case 'ROUND_DOWN':
      return false;
    case 'ROUND_CEILING':
      return !negative;
    case 'ROUND_FLOOR':
      return negative;
    case 'ROUND_HALF_UP':
      return twice >= unit;
    case 'ROUND_HALF_DOWN':
      return twice > unit;
    case 'ROUND_05UP':
      return quotient % 10n === 0n || quotient % 10n === 5n;
    default:
      return twice > unit || (twice === unit && (quotient & 1n) === 1n);
  }
}

/** Rounds a result to the context's precision. */
function finish(d: Decimal): Decimal {
  if (d.$special !== '') return d;
  const excess = digitsOf(d.$coefficient) - context.prec;
  if (excess <= 0) return d;
  const rounded = rescale(d, d.$exponent + excess, context.rounding);
  return digitsOf(rounded.$coefficient) > context.prec ? rescale(rounded, rounded.$exponent + 1, context.rounding) : rounded;
}

function arithmetic(a: Decimal, other: unknown, operate: (a: Decimal, b: Decimal) => Decimal): unknown {
  const b = operand(other);
  return b === undefined ? NotImplemented : finish(operate(a, b));
}

/** Ints take part in arithmetic, floats do not. */
function operand(x: unknown): Decimal | undefined {
  if (x instanceof Decimal) return x;
  const n = asNumber(x);
  if (n === undefined || (typeof n === 'number' && !Number.isSafeInteger(n))) return undefined;
  const size = BigInt(n);
  return new Decimal(size < 0n, size < 0n ? -size : size, 0);
}

function requireDecimal(x: unknown): Decimal {
  const d = operand(x);
  if (d === undefined) throw new TypeError(`conversion from ${typeName(x)} to Decimal is not supported`);
  return d;
}

function comparable(x: unknown): Decimal | undefined {
  return operand(x) ?? (typeof x === 'number' ? fromFloat(x) : undefined);
}

function special(a: Decimal, b: Decimal): Decimal | undefined {
  return a.is_nan() ? a : b.is_nan() ? b : undefined;
}

function add(a: Decimal, b: Decimal): Decimal {
  const nan = special(a, b);
  if (nan !== undefined) return nan;
  if (a.$special !== '' || b.$special !== '') {
    if (a.$special !== '' && b.$special !== '' && a.$negative !== b.$negative) throw invalid();
    return a.$special === '' ? b : a;
  }
  const exponent = Math.min(a.$exponent, b.$exponent);
  const sum = a.$signed * 10n ** BigInt(a.$exponent - exponent) + b.$signed * 10n ** BigInt(b.$exponent - exponent);
  return new Decimal(sum < 0n || (sum === 0n && a.$negative && b.$negative), sum < 0n ? -sum : sum, exponent);
}

function invalid(): InvalidOperation {
  return new InvalidOperation("[<class 'decimal.InvalidOperation'>]");
}

function multiply(a: Decimal, b: Decimal): Decimal {
  const nan = special(a, b);
  if (nan !== undefined) return nan;
  const negative = a.$negative !== b.$negative;
  if (a.$special !== '' || b.$special !== '') {
    if (a.is_zero() || b.is_zero()) throw invalid();
    return new Decimal(negative, 0n, 0, 'Infinity');
  }
  return new Decimal(negative, a.$coefficient * b.$coefficient, a.$exponent + b.$exponent);
}

function divide(a: Decimal, b: Decimal): Decimal {
  const nan = special(a, b);
  if (nan !== undefined) return nan;
  const negative = a.$negative !== b.$negative;
  if (a.$special !== '') {
    if (b.$special !== '') throw invalid();
    return new Decimal(negative, 0n, 0, 'Infinity');
  }
  if (b.$special !== '') return new Decimal(negative, 0n, 0);
  if (b.$coefficient === 0n) throw a.$coefficient === 0n ? invalid() : new DivisionByZero("[<class 'decimal.DivisionByZero'>]");
  const ideal = a.$exponent - b.$exponent;
  const shift = Math.max(0, context.prec + 1 + digitsOf(b.$coefficient) - digitsOf(a.$coefficient));
  const top = a.$coefficient * 10n ** BigInt(shift);
  let quotient = top / b.$coefficient;
  let exponent = ideal - shift;
  if (top % b.$coefficient !== 0n) {
    // A sticky digit, so that the final rounding sees what was cut off.
    quotient = quotient * 10n + 1n;
    exponent -= 1;
  } else {
    while (exponent < ideal && quotient % 10n === 0n) {
      quotient /= 10n;
      exponent += 1;
    }
  }
  return new Decimal(negative, quotient, exponent);
}

function wholeDivision(a: Decimal, b: Decimal): { quotient: Decimal; rest: Decimal } {
  if (b.is_zero()) throw a.is_zero() ? invalid() : new DivisionByZero("[<class 'decimal.DivisionByZero'>]");
  const exponent = Math.min(a.$exponent, b.$exponent);
  const x = a.$coefficient * 10n ** BigInt(a.$exponent - exponent);
  const y = b.$coefficient * 10n ** BigInt(b.$exponent - exponent);
  return { quotient: new Decimal(a.$negative !== b.$negative, x / y, 0), rest: new Decimal(a.$negative, x % y, exponent) };
}

function power(a: Decimal, b: Decimal): Decimal {
  if (b.$exponent >= 0 || b.$coefficient % 10n ** BigInt(-b.$exponent) === 0n) {
    const n = Number(b.__int__());
    if (n >= 0) return n === 0 ? new Decimal(false, 1n, 0) : integerPower(a, n);
    return divide(new Decimal(false, 1n, 0), integerPower(a, -n));
  }
  if (a.$negative) throw invalid();
  return powerSeries(widely(() => multiply(logarithm(a), b)));
}

function integerPower(a: Decimal, n: number): Decimal {
  return widely(() => {
    let result = new Decimal(false, 1n, 0);
    let base = a;
    for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) result = finish(multiply(result, base));
      if (rest > 1) base = finish(multiply(base, base));
    }
    return result;
  });
}

// Intermediate results carry some digits more.
function widely<T>(run: () => T): T {
  const before = context;
  context = Object.assign(before.copy(), { prec: before.prec + 12 });
  try {
    return run();
  } finally {
    context = before;
  }
}

function powerSeries(x: Decimal): Decimal {
  return finish(
    widely(() => {
      const two = new Decimal(false, 2n, 0);
      let halvings = 0;
      let r = x;
      while (compare(r.copy_abs(), new Decimal(false, 1n, -1))! > 0) {
        r = finish(divide(r, two));
        halvings += 1;
      }
      let term = new Decimal(false, 1n, 0);
      let sum = term;
      for (let n = 1n; n < 200n; n += 1n) {
        term = finish(divide(multiply(term, r), new Decimal(false, n, 0)));
        sum = finish(add(sum, term));
        if (term.$coefficient === 0n || term.adjusted() < sum.adjusted() - context.prec) break;
      }
      for (let i = 0; i < halvings; i += 1) sum = finish(multiply(sum, sum));
      return sum;
    }),
  );
}

// Newton's method on exp.
function logarithm(x: Decimal): Decimal {
  if (x.$negative || x.is_zero()) throw invalid();
  return finish(
    widely(() => {
      let y = makeDecimal(Math.log(Number(`${x.$coefficient}e-${digitsOf(x.$coefficient)}`)) + (x.$exponent + digitsOf(x.$coefficient)) * Math.LN10);
      for (let i = 0; i < 5; i += 1) {
        const e = powerSeries(y);
        const step = finish(multiply(new Decimal(false, 2n, 0), finish(divide(finish(add(x, negate(e))), finish(add(x, e))))));
        y = finish(add(y, step));
      }
      return y;
    }),
  );
}

function compare(a: Decimal, b: Decimal): number | undefined {
  if (a.is_nan() || b.is_nan()) return undefined;
  const rank = (d: Decimal) => (d.$special === 'Infinity' ? (d.$negative ? -1 : 1) : 0);
  if (rank(a) !== 0 || rank(b) !== 0) return Math.sign(rank(a) - rank(b));
  const exponent = Math.min(a.$exponent, b.$exponent);
  const [x, y] = [a.$signed * 10n ** BigInt(a.$exponent - exponent), b.$signed * 10n ** BigInt(b.$exponent - exponent)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function order(a: Decimal, other: unknown, test: (c: number) => boolean): unknown {
  const b = comparable(other);
  if (b === undefined) return NotImplemented;
  const c = compare(a, b);
  if (c === undefined) throw invalid();
  return test(c);
}

function text(d: Decimal): string {
  const sign = d.$negative ? '-' : '';
  if (d.$special !== '') return sign + d.$special;
  const digits = d.$coefficient.toString();
  const adjusted = d.$exponent + digits.length - 1;
  if (d.$exponent <= 0 && adjusted >= -6) return sign + plainText(digits, d.$exponent);
  const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
  return `${sign}${mantissa}E${adjusted < 0 ? '-' : '+'}${Math.abs(adjusted)}`;
}

function plainText(digits: string, exponent: number): string {
  if (exponent >= 0) return digits + '0'.repeat(exponent);
  const padded = digits.padStart(-exponent + 1, '0');
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

function formatDecimal(d: Decimal, given: string): string {
  if (given === '') return text(d);
  const spec = parseSpec(given, 'decimal.Decimal');
  const { type, precision } = spec;
  let body: string;
  if (d.$special !== '') body = d.$special;
  else if (type === 'f' || type === 'F' || type === '%') {
    const scaled = type === '%' ? new Decimal(d.$negative, d.$coefficient, d.$exponent + 2) : d;
    const places = precision ?? Math.max(0, -scaled.$exponent);
    const rounded = rescale(scaled, -places, context.rounding);
    body = plainText(rounded.$coefficient.toString(), rounded.$exponent) + (type === '%' ? '%' : '');
  } else if (type === 'e' || type === 'E') body = exponentText(d, precision, type);
  else if (type === 'g' || type === 'G' || type === '' || type === 'n') {
    const short = precision === undefined ? d : shorten(d, Math.max(1, precision));
    body = text(new Decimal(false, short.$coefficient, short.$exponent));
    if (type === 'g') body = body.replace('E', 'e');
  } else throw new ValueError(`invalid format string`);
  return assemble(d.$negative, body, spec);
}

function shorten(d: Decimal, digits: number): Decimal {
  const excess = digitsOf(d.$coefficient) - digits;
  return excess <= 0 ? d : rescale(d, d.$exponent + excess, context.rounding);
}

function exponentText(d: Decimal, precision: number | undefined, mark: string): string {
  const short = precision === undefined ? d : shorten(d, precision + 1);
  const digits = short.$coefficient.toString().padEnd(precision === undefined ? 0 : precision + 1, '0');
  const adjusted = short.$exponent + short.$coefficient.toString().length - 1;
  const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
  return `${mantissa}${mark}${adjusted < 0 ? '-' : '+'}${Math.abs(adjusted)}`;
}

function assemble(negative: boolean, body: string, spec: FormatSpec): string {
  const sign = negative ? '-' : spec.sign === '+' || spec.sign === ' ' ? spec.sign : '';
  let shown = body;
  if (spec.grouping !== '') shown = shown.replace(/^\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, spec.grouping));
  const room = spec.width - sign.length - shown.length;
  if (room <= 0) return sign + shown;
  const align = spec.align as string;
  if (align === '0' || align === '=') return sign + spec.fill.repeat(room) + shown;
  if (align === '<') return sign + shown + spec.fill.repeat(room);
  if (align === '^') return spec.fill.repeat(room >> 1) + sign + shown + spec.fill.repeat(room - (room >> 1));
  return spec.fill.repeat(room) + sign + shown;
}

const pattern = /^([+-])?(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;

function parse(source: string): Decimal {
  const given = source.trim().replaceAll('_', '');
  const word = /^([+-])?(inf|infinity|s?nan\d*)$/i.exec(given);
  if (word !== null) {
    const name = word[2]!.toLowerCase();
    return new Decimal(word[1] === '-', 0n, 0, name.startsWith('inf') ? 'Infinity' : name.startsWith('s') ? 'sNaN' : 'NaN');
  }
  const found = pattern.exec(given);
  if (found === null) throw new InvalidOperation("[<class 'decimal.ConversionSyntax'>]");
  const fraction = found[3] ?? found[4] ?? '';
  return new Decimal(found[1] === '-', BigInt(`${found[2] ?? ''}${fraction}`), Number(found[5] ?? 0) - fraction.length);
}

function fromFloat(x: number): Decimal {
  if (!Number.isFinite(x)) return new Decimal(x < 0, 0n, 0, Number.isNaN(x) ? 'NaN' : 'Infinity');
  const { numerator, scale } = exactDecimal(Math.abs(x));
  const made = new Decimal(x < 0 || Object.is(x, -0), numerator, -scale);
  if (scale === 0) return made;
  const short = stripped(made);
  return short.$exponent > 0 ? rescale(short, 0, 'ROUND_DOWN') : short;
}

/** `Decimal(x)`: text and tuples exactly, floats by their exact value. */
export function makeDecimal(x: unknown): Decimal {
  if (x === undefined) return new Decimal(false, 0n, 0);
  const whole = operand(x);
  if (whole !== undefined) return whole;
  if (typeof x === 'number') return fromFloat(x);
  const given = textOf(x);
  if (given !== undefined) return parse(given);
  if (x instanceof Tuple || Array.isArray(x)) {
    const [sign, digits, exponent] = itemsOf(x);
    return new Decimal(sign === 1, BigInt(itemsOf(digits).join('') || '0'), Number(exponent));
  }
  throw new TypeError(`conversion from ${typeName(x)} to Decimal is not supported`);
}

nativeClass(Decimal, {
  name: 'Decimal',
  module: 'decimal',
  params: 'value="0", context=None',
  make: (_cls, value) => makeDecimal(value),
  methods: {
    quantize: 'exp, rounding=None, context=None',
    to_integral_value: 'rounding=None, context=None',
    compare: 'other, context=None',
    max: 'other, context=None',
    min: 'other, context=None',
    sqrt: 'context=None',
    normalize: 'context=None',
    exp: 'context=None',
    ln: 'context=None',
    log10: 'context=None',
  },
  statics: { from_float: ['f, /', (x: unknown) => makeDecimal(x)] },
});
Object.defineProperty(Decimal.prototype, 'to_integral', { value: Decimal.prototype.to_integral_value });

export function makeDecimalModule(): Members {
  const names: Members = Object.fromEntries(roundings.map((name) => [name, name]));
  return {
    ...names,
    Decimal,
    Context,
    DecimalException,
    InvalidOperation,
    DivisionByZero,
    ConversionSyntax: InvalidOperation,
    Inexact: DecimalException,
    Rounded: DecimalException,
    Overflow: OverflowError,
    DefaultContext: context,
    ...functions('decimal', {
      getcontext: ['', () => context],
      localcontext: ['ctx=None, **kwargs', (given: any, kwargs: any) => {
        const own: Context = given instanceof Context ? given.copy() : context.copy();
        for (const [name, value] of kwargs?.entries() ?? []) (own as any)[name] = value;
        return new LocalContext(own);
      }],
      setcontext: ['context, /', (given: Context) => {
        context = given;
        return null;
      }],
    }),
  };
}

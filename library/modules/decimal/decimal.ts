/** Module `decimal`. */

import { functions, type Members } from '../../builtins/module.ts';
import { makeNamedTuple } from '../../builtins/namedtuple.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import type { Dict } from '../../values/containers/dict.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { Tuple, tuple } from '../../values/containers/tuple.ts';
import { isFloat } from '../../values/numbers/float-box.ts';
import { exactDecimal } from '../../values/numbers/float-text.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { asInt, demote, type Num, powerModulo } from '../../values/numbers/numbers.ts';
import { OverflowError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { $hash, $repr, $str } from '../../values/objects/protocol.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { registerStored, storeAs } from '../../values/stored-form.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import type { Dec, Precision, Rounding } from './arithmetic.ts';
import {
  Context,
  contextOf,
  contextParams,
  current,
  defaultContext,
  LocalContext,
  requireRounding,
  roundings,
  setContext,
  within,
} from './context.ts';
import { formatDecimal } from './format.ts';
import {
  ConversionSyntax,
  DecimalException,
  DivisionByZero,
  DivisionImpossible,
  DivisionUndefined,
  InvalidOperation,
  Overflow,
  signals,
} from './signals.ts';
import { dec } from './watched.ts';

const DecimalTuple = makeNamedTuple('DecimalTuple', ['sign', 'digits', 'exponent'], { module: 'decimal' });

export class Decimal {
  /** Undefined for infinities and NaN. */
  readonly $value: Dec | undefined;
  readonly $special: '' | 'Infinity' | 'NaN' | 'sNaN';
  readonly $sign: 0 | 1;

  constructor(value: Dec | undefined, special: Decimal['$special'] = '', sign: 0 | 1 = 0) {
    this.$value = value;
    this.$special = special;
    this.$sign = value?.sign ?? sign;
  }

  get real(): Decimal {
    return this;
  }

  get imag(): Decimal {
    return new Decimal(dec.zero);
  }

  conjugate(): Decimal {
    return this;
  }

  is_nan(): boolean {
    return this.$special === 'NaN' || this.$special === 'sNaN';
  }

  is_qnan(): boolean {
    return this.$special === 'NaN';
  }

  is_snan(): boolean {
    return this.$special === 'sNaN';
  }

  is_infinite(): boolean {
    return this.$special === 'Infinity';
  }

  is_finite(): boolean {
    return this.$value !== undefined;
  }

  is_signed(): boolean {
    return this.$sign === 1;
  }

  is_zero(): boolean {
    return this.$value?.coef === 0n;
  }

  is_normal(): boolean {
    return this.$value !== undefined && this.$value.coef !== 0n;
  }

  is_canonical(): boolean {
    return true;
  }

  adjusted(): number {
    return this.$value === undefined ? 0 : dec.adjusted(this.$value);
  }

  as_tuple(): Tuple {
    const digits =
      this.$value === undefined ? (this.is_infinite() ? [0] : []) : [...this.$value.coef.toString()].map(Number);
    const exponent =
      this.$value?.exp ?? ({ Infinity: 'F', NaN: 'n', sNaN: 'N' } as Record<string, string>)[this.$special];
    return new DecimalTuple([this.$sign, new Tuple(digits), exponent]);
  }

  as_integer_ratio(): Tuple {
    const [top, bottom] = ratioOf(this);
    return tuple(demote(top), demote(bottom));
  }

  canonical(): Decimal {
    return this;
  }

  compare(other: unknown): Decimal {
    const b = operand(other);
    if (this.is_nan() || b.is_nan()) return nan;
    return fromNumber(BigInt(order(this, b)));
  }

  copy_abs(): Decimal {
    return this.$value === undefined
      ? new Decimal(undefined, this.$special, 0)
      : new Decimal({ ...this.$value, sign: 0 });
  }

  copy_negate(): Decimal {
    return this.$value === undefined
      ? new Decimal(undefined, this.$special, this.$sign === 1 ? 0 : 1)
      : new Decimal(dec.negated(this.$value));
  }

  copy_sign(other: unknown): Decimal {
    const size = this.copy_abs();
    return operand(other).$sign === 1 ? size.copy_negate() : size;
  }

  exp(context?: unknown): Decimal {
    return within(context, () => {
      if (this.$value === undefined) return this.is_infinite() && this.$sign === 1 ? new Decimal(dec.zero) : this;
      if (dec.adjusted(this.$value) > 7)
        return this.$sign === 1 ? new Decimal(dec.zero) : current.$signal(Overflow, Overflow, infinity);
      return made(dec.expDec(this.$value, current));
    });
  }

  ln(context?: unknown): Decimal {
    return within(context, () => logarithm(this, dec.lnDec));
  }

  log10(context?: unknown): Decimal {
    return within(context, () => logarithm(this, dec.log10Dec));
  }

  sqrt(context?: unknown): Decimal {
    return within(context, () => {
      if (this.is_nan()) return this;
      if (this.$sign === 1 && !this.is_zero()) return invalid(InvalidOperation);
      return this.$value === undefined ? this : made(dec.rootDec(this.$value, current));
    });
  }

  fma(other: unknown, third: unknown, context?: unknown): Decimal {
    const [b, c] = [operand(other), operand(third)];
    return within(context, () => {
      if (this.$value === undefined || b.$value === undefined || c.$value === undefined)
        return add(multiply(this, b), c);
      return made(
        dec.addDec(
          {
            sign: this.$sign === b.$sign ? 0 : 1,
            coef: this.$value.coef * b.$value.coef,
            exp: this.$value.exp + b.$value.exp,
          },
          c.$value,
          current,
        ),
      );
    });
  }

  max(other: unknown): Decimal {
    const b = operand(other);
    if (this.is_nan() || b.is_nan()) return this.is_nan() ? b : this;
    return order(this, b) >= 0 ? this : b;
  }

  min(other: unknown): Decimal {
    const b = operand(other);
    if (this.is_nan() || b.is_nan()) return this.is_nan() ? b : this;
    return order(this, b) <= 0 ? this : b;
  }

  normalize(context?: unknown): Decimal {
    return within(context, () =>
      this.$value === undefined ? this : made(dec.reduced(dec.fitted(this.$value, current))),
    );
  }

  quantize(exponent: unknown, rounding?: unknown, context?: unknown): Decimal {
    const like = operand(exponent);
    return within(context, () => {
      if (this.is_nan() || like.is_nan()) return this.is_nan() ? this : like;
      if (this.$value === undefined || like.$value === undefined)
        return this.is_infinite() && like.is_infinite() ? this : invalid(InvalidOperation);
      const mode = rounding === undefined || rounding === null ? current.$rounding : requireRounding(rounding);
      if (this.$value.coef !== 0n && dec.adjusted(this.$value) - like.$value.exp + 1 > current.$prec)
        return invalid(InvalidOperation);
      const result = dec.rescaled(this.$value, like.$value.exp, mode);
      return dec.digitsOf(result.coef) > current.$prec ? invalid(InvalidOperation) : new Decimal(result);
    });
  }

  remainder_near(other: unknown): Decimal {
    const b = operand(other);
    const twice = multiply(fromNumber(2n), modulo(this, b).copy_abs());
    const rest = modulo(this, b);
    return order(twice, b.copy_abs()) > 0 ? subtract(rest, b.copy_sign(rest)) : rest;
  }

  same_quantum(other: unknown): boolean {
    const b = operand(other);
    return this.$value === undefined || b.$value === undefined
      ? this.$special === b.$special
      : this.$value.exp === b.$value.exp;
  }

  scaleb(other: unknown): Decimal {
    const by = Number(finiteOf(operand(other)).coef) * (operand(other).$sign === 1 ? -1 : 1);
    return this.$value === undefined ? this : made({ ...this.$value, exp: this.$value.exp + by });
  }

  to_eng_string(): string {
    return this.$value === undefined ? this[$str]() : dec.decText(this.$value, true);
  }

  to_integral_value(rounding?: unknown, context?: unknown): Decimal {
    return within(context, () => {
      if (this.$value === undefined || this.$value.exp >= 0) return this;
      return new Decimal(
        dec.rescaled(
          this.$value,
          0,
          rounding === undefined || rounding === null ? current.$rounding : requireRounding(rounding),
        ),
      );
    });
  }

  to_integral(rounding?: unknown, context?: unknown): Decimal {
    return this.to_integral_value(rounding, context);
  }

  to_integral_exact(rounding?: unknown, context?: unknown): Decimal {
    return this.to_integral_value(rounding, context);
  }

  __add__(other: unknown): unknown {
    return binary(this, other, add);
  }

  __radd__(other: unknown): unknown {
    return this.__add__(other);
  }

  __sub__(other: unknown): unknown {
    return binary(this, other, subtract);
  }

  __rsub__(other: unknown): unknown {
    return binary(this, other, (a, b) => subtract(b, a));
  }

  __mul__(other: unknown): unknown {
    return binary(this, other, multiply);
  }

  __rmul__(other: unknown): unknown {
    return this.__mul__(other);
  }

  __truediv__(other: unknown): unknown {
    return binary(this, other, divide);
  }

  __rtruediv__(other: unknown): unknown {
    return binary(this, other, (a, b) => divide(b, a));
  }

  __floordiv__(other: unknown): unknown {
    return binary(this, other, floorDivide);
  }

  __rfloordiv__(other: unknown): unknown {
    return binary(this, other, (a, b) => floorDivide(b, a));
  }

  __mod__(other: unknown): unknown {
    return binary(this, other, modulo);
  }

  __rmod__(other: unknown): unknown {
    return binary(this, other, (a, b) => modulo(b, a));
  }

  __divmod__(other: unknown): unknown {
    return binary(this, other, (a, b) => tuple(floorDivide(a, b), modulo(a, b)));
  }

  __rdivmod__(other: unknown): unknown {
    return binary(this, other, (a, b) => tuple(floorDivide(b, a), modulo(b, a)));
  }

  __pow__(other: unknown, modulus?: unknown): unknown {
    if (modulus !== undefined && modulus !== null)
      return decimalOf(
        powerModulo(this.__int__(), (decimalOf(other) as Decimal).__int__(), decimalOf(modulus).__int__()),
      );
    return binary(this, other, power);
  }

  __rpow__(other: unknown): unknown {
    return binary(this, other, (a, b) => power(b, a));
  }

  __neg__(): Decimal {
    if (this.$value === undefined) return this.copy_negate();
    return made(
      this.is_zero() && current.$rounding !== 'ROUND_FLOOR' ? { ...this.$value, sign: 0 } : dec.negated(this.$value),
    );
  }

  __pos__(): Decimal {
    return this.$value === undefined
      ? this
      : made(this.is_zero() && current.$rounding !== 'ROUND_FLOOR' ? { ...this.$value, sign: 0 } : this.$value);
  }

  __abs__(): Decimal {
    return this.$sign === 1 ? this.__neg__() : this.__pos__();
  }

  __bool__(): boolean {
    return !this.is_zero();
  }

  __int__(): Num {
    return whole(this, 'ROUND_DOWN');
  }

  __trunc__(): Num {
    return whole(this, 'ROUND_DOWN');
  }

  __floor__(): Num {
    return whole(this, 'ROUND_FLOOR');
  }

  __ceil__(): Num {
    return whole(this, 'ROUND_CEILING');
  }

  __float__(): number {
    if (this.is_snan()) throw new ValueError('Cannot convert signaling NaN to float');
    if (this.$value === undefined) return this.is_nan() ? Number.NaN : this.$sign === 1 ? -Infinity : Infinity;
    return Number(dec.decText(this.$value));
  }

  __round__(digits?: unknown): unknown {
    if (digits === undefined || digits === null) return whole(this, 'ROUND_HALF_EVEN');
    return this.quantize(new Decimal({ sign: 0, coef: 1n, exp: -requireSize(digits) }), 'ROUND_HALF_EVEN');
  }

  __complex__(): number {
    return this.__float__();
  }

  __lt__(other: unknown): unknown {
    return compared(this, other, (n) => n < 0);
  }

  __le__(other: unknown): unknown {
    return compared(this, other, (n) => n <= 0);
  }

  __gt__(other: unknown): unknown {
    return compared(this, other, (n) => n > 0);
  }

  __ge__(other: unknown): unknown {
    return compared(this, other, (n) => n >= 0);
  }

  // A number that is none does not even equal itself.
  __eq__(other: unknown): unknown {
    const b = comparable(other);
    if (b === undefined) return NotImplemented;
    if (this.is_snan() || b.is_snan()) return invalid(InvalidOperation) && false;
    return !this.is_nan() && !b.is_nan() && order(this, b) === 0;
  }

  [$hash](): string {
    if (this.is_snan()) throw new TypeError('Cannot hash a signaling NaN value.');
    if (this.$value === undefined) return `n${this.__float__()}`;
    const [top, bottom] = ratioOf(this);
    if (bottom === 1n) return `n${top}`;
    const near = this.__float__();
    return order(this, fromFloat(near)) === 0 ? `n${near}` : `n${top}/${bottom}`;
  }

  __format__(spec: string): string {
    return formatDecimal(this.$value, this.$special, this.$sign, spec, current);
  }

  [$str](): string {
    return this.$value === undefined ? `${this.$sign === 1 ? '-' : ''}${this.$special}` : dec.decText(this.$value);
  }

  [$repr](): string {
    return `Decimal('${this[$str]()}')`;
  }
}

const nan = new Decimal(undefined, 'NaN');
const infinity = new Decimal(undefined, 'Infinity');

const invalid = (detail: unknown): Decimal => current.$signal(InvalidOperation, detail, nan);

/** A result, rounded to the context. */
export function made(value: Dec): Decimal {
  const fitted = dec.fitted(value, current);
  if (fitted.coef !== 0n && dec.adjusted(fitted) > current.Emax)
    return current.$signal(Overflow, Overflow, new Decimal(undefined, 'Infinity', fitted.sign));
  return new Decimal(fitted);
}

function finiteOf(x: Decimal): Dec {
  if (x.$value === undefined) throw new InvalidOperation([InvalidOperation]);
  return x.$value;
}

function fromNumber(n: bigint): Decimal {
  return new Decimal({ sign: n < 0n ? 1 : 0, coef: n < 0n ? -n : n, exp: 0 });
}

/** The exact value of a float. */
function fromFloat(x: number): Decimal {
  if (Number.isNaN(x)) return nan;
  if (!Number.isFinite(x)) return new Decimal(undefined, 'Infinity', x < 0 ? 1 : 0);
  const sign = x < 0 || Object.is(x, -0) ? 1 : 0;
  if (Number.isInteger(x)) return new Decimal({ sign, coef: BigInt(Math.abs(x)), exp: 0 });
  const { numerator, scale } = exactDecimal(Math.abs(x));
  const value = dec.reduced({ sign, coef: numerator, exp: -scale });
  return new Decimal(value.exp > 0 ? dec.rescaled(value, 0, 'ROUND_DOWN') : value);
}

const literal = /^([+-])?(?:(\d+(?:\.\d*)?|\.\d+)(?:e([+-]?\d+))?|(inf(?:inity)?)|(s)?nan(\d*))$/iu;

/** `Decimal(value)`. @throws InvalidOperation, TypeError, ValueError */
function decimalOf(x: unknown): Decimal {
  if (x instanceof Decimal) return x;
  const n = asInt(x);
  if (n !== undefined) return fromNumber(BigInt(n));
  if (isFloat(x)) return fromFloat(Number(x));
  const text = textOf(x);
  if (text !== undefined) return parseDecimal(text);
  if (x instanceof Tuple || Array.isArray(x)) return fromTuple(itemsOf(x));
  throw new TypeError(`conversion from ${typeName(x)} to Decimal is not supported`);
}

/** A number from text, digit for digit. */
export function parseDecimal(text: string): Decimal {
  const found = literal.exec(text.trim().replaceAll('_', ''));
  if (found === null) return invalid(ConversionSyntax);
  const [, mark, digits, exponent, infinite, signaling] = found;
  const sign = mark === '-' ? 1 : 0;
  if (infinite !== undefined) return new Decimal(undefined, 'Infinity', sign);
  if (digits === undefined) return new Decimal(undefined, signaling === undefined ? 'NaN' : 'sNaN', sign);
  const point = digits.indexOf('.');
  const fraction = point < 0 ? '' : digits.slice(point + 1);
  return new Decimal({ sign, coef: BigInt(digits.replace('.', '')), exp: Number(exponent ?? 0) - fraction.length });
}

function fromTuple(items: readonly unknown[]): Decimal {
  if (items.length !== 3) throw new ValueError('argument must be a sequence of length 3');
  const [sign, digits, exponent] = items as [unknown, unknown, unknown];
  if (sign !== 0 && sign !== 1) throw new ValueError('sign must be an integer with the value 0 or 1');
  if (exponent === 'F') return new Decimal(undefined, 'Infinity', sign);
  if (exponent === 'n' || exponent === 'N') return new Decimal(undefined, exponent === 'n' ? 'NaN' : 'sNaN', sign);
  if (asInt(exponent) === undefined)
    throw new ValueError("string argument in the third position must be 'F', 'n' or 'N'");
  const text = itemsOf(digits).map((digit) => {
    if (typeof digit !== 'number' || digit < 0 || digit > 9)
      throw new ValueError('coefficient must be a tuple of digits');
    return digit;
  });
  return new Decimal({ sign, coef: BigInt(text.join('') || '0'), exp: Number(exponent) });
}

/** An argument of a method. @throws TypeError */
function operand(x: unknown): Decimal {
  const found = operandOrNone(x);
  if (found === undefined) throw new TypeError(`conversion from ${typeName(x)} to Decimal is not supported`);
  return found;
}

function operandOrNone(x: unknown): Decimal | undefined {
  if (x instanceof Decimal) return x;
  const n = asInt(x);
  return n === undefined ? undefined : fromNumber(BigInt(n));
}

// Floats can be compared with, not calculated with.
function comparable(x: unknown): Decimal | undefined {
  return operandOrNone(x) ?? (isFloat(x) ? fromFloat(Number(x)) : undefined);
}

function binary(a: Decimal, other: unknown, operate: (a: Decimal, b: Decimal) => unknown): unknown {
  const b = operandOrNone(other);
  return b === undefined ? NotImplemented : operate(a, b);
}

function compared(a: Decimal, other: unknown, decide: (order: number) => boolean): unknown {
  const b = comparable(other);
  if (b === undefined) return NotImplemented;
  if (a.is_nan() || b.is_nan()) return invalid(InvalidOperation) && false;
  return decide(order(a, b));
}

function order(a: Decimal, b: Decimal): number {
  if (a.$value !== undefined && b.$value !== undefined) return Math.sign(dec.compareDec(a.$value, b.$value));
  const size = (x: Decimal) => (x.is_infinite() ? (x.$sign === 1 ? -1 : 1) : 0);
  return Math.sign(size(a) - size(b));
}

function nanOf(a: Decimal, b: Decimal): Decimal | undefined {
  if (a.is_snan() || b.is_snan()) return invalid(InvalidOperation);
  return a.is_nan() ? a : b.is_nan() ? b : undefined;
}

function add(a: Decimal, b: Decimal): Decimal {
  const odd = nanOf(a, b);
  if (odd !== undefined) return odd;
  if (a.$value !== undefined && b.$value !== undefined) return made(dec.addDec(a.$value, b.$value, current));
  if (a.is_infinite() && b.is_infinite() && a.$sign !== b.$sign) return invalid(InvalidOperation);
  return a.is_infinite() ? a : b;
}

function subtract(a: Decimal, b: Decimal): Decimal {
  return nanOf(a, b) ?? add(a, b.copy_negate());
}

function multiply(a: Decimal, b: Decimal): Decimal {
  const odd = nanOf(a, b);
  if (odd !== undefined) return odd;
  if (a.$value !== undefined && b.$value !== undefined) return made(dec.multiplyDec(a.$value, b.$value, current));
  if (a.is_zero() || b.is_zero()) return invalid(InvalidOperation);
  return new Decimal(undefined, 'Infinity', a.$sign === b.$sign ? 0 : 1);
}

function divide(a: Decimal, b: Decimal): Decimal {
  const odd = nanOf(a, b);
  if (odd !== undefined) return odd;
  const sign = a.$sign === b.$sign ? 0 : 1;
  if (a.is_infinite()) return b.is_infinite() ? invalid(InvalidOperation) : new Decimal(undefined, 'Infinity', sign);
  if (b.$value === undefined) return new Decimal({ sign, coef: 0n, exp: -999_999 - current.$prec + 1 });
  if (b.is_zero()) return byZero(a, sign);
  return made(dec.divideDec(finiteOf(a), b.$value, current));
}

function byZero(a: Decimal, sign: 0 | 1): Decimal {
  return a.is_zero()
    ? invalid(DivisionUndefined)
    : current.$signal(DivisionByZero, DivisionByZero, new Decimal(undefined, 'Infinity', sign));
}

function floorDivide(a: Decimal, b: Decimal): Decimal {
  const odd = nanOf(a, b);
  if (odd !== undefined) return odd;
  const sign = a.$sign === b.$sign ? 0 : 1;
  if (a.is_infinite()) return b.is_infinite() ? invalid(InvalidOperation) : new Decimal(undefined, 'Infinity', sign);
  if (b.$value === undefined) return new Decimal({ ...dec.zero, sign });
  if (b.is_zero()) return byZero(a, sign);
  const found = dec.divideWhole(finiteOf(a), b.$value, current);
  return found === undefined ? invalid(DivisionImpossible) : made(found.quotient);
}

function modulo(a: Decimal, b: Decimal): Decimal {
  const odd = nanOf(a, b);
  if (odd !== undefined) return odd;
  if (a.is_infinite()) return invalid(InvalidOperation);
  if (b.$value === undefined) return a;
  if (b.is_zero()) return a.is_zero() ? invalid(DivisionUndefined) : invalid(InvalidOperation);
  const found = dec.divideWhole(finiteOf(a), b.$value, current);
  return found === undefined ? invalid(DivisionImpossible) : made(found.rest);
}

function power(a: Decimal, b: Decimal): Decimal {
  const odd = nanOf(a, b);
  if (odd !== undefined) return odd;
  const one = fromNumber(1n);
  if (b.is_zero()) return a.is_zero() ? invalid(InvalidOperation) : one;
  const exponent = b.$value === undefined ? undefined : dec.reduced(b.$value);
  const isWhole = exponent !== undefined && exponent.exp >= 0;
  const n = isWhole
    ? Number(exponent.coef * dec.pow10(Math.min(exponent.exp, 20))) * (exponent.sign === 1 ? -1 : 1)
    : 0;
  const sign = a.$sign === 1 && isWhole && n % 2 !== 0 ? 1 : 0;
  if (a.$sign === 1 && !isWhole && !a.is_zero() && b.is_finite()) return invalid(InvalidOperation);
  if (a.is_zero() || a.is_infinite())
    return a.is_zero() === (b.$sign === 1)
      ? new Decimal(undefined, 'Infinity', sign)
      : new Decimal({ ...dec.zero, sign });
  if (exponent === undefined) {
    const size = order(a.copy_abs(), one);
    if (size === 0) return one;
    return size > 0 === (b.$sign === 0) ? infinity : new Decimal(dec.zero);
  }
  if (Math.abs(n) * Math.abs(dec.adjusted(finiteOf(a))) > 2_000_000)
    return n > 0 ? current.$signal(Overflow, Overflow, infinity) : new Decimal(dec.zero);
  return made(isWhole ? dec.powerWhole(finiteOf(a), n, current) : dec.powerAny(finiteOf(a), exponent, current));
}

function logarithm(x: Decimal, take: (value: Dec, p: Precision) => Dec): Decimal {
  if (x.is_nan()) return x;
  if (x.is_zero()) return new Decimal(undefined, 'Infinity', 1);
  if (x.$sign === 1) return invalid(InvalidOperation);
  return x.$value === undefined ? x : made(take(x.$value, current));
}

function whole(x: Decimal, rounding: Rounding): Num {
  if (x.is_nan()) throw new ValueError('cannot convert NaN to integer');
  if (x.$value === undefined) throw new OverflowError('cannot convert Infinity to integer');
  const { coef, sign } = dec.rescaled(x.$value, 0, rounding);
  return demote(sign === 1 ? -coef : coef);
}

function ratioOf(x: Decimal): [bigint, bigint] {
  if (x.is_nan()) throw new ValueError('cannot convert NaN to integer ratio');
  if (x.$value === undefined) throw new OverflowError('cannot convert Infinity to integer ratio');
  const { sign, coef, exp } = x.$value;
  let [top, bottom] = exp >= 0 ? [coef * dec.pow10(exp), 1n] : [coef, dec.pow10(-exp)];
  for (let [a, b] = [top, bottom]; ; [a, b] = [b, a % b]) {
    if (b !== 0n) continue;
    if (a !== 0n) [top, bottom] = [top / a, bottom / a];
    break;
  }
  return [sign === 1 ? -top : top, bottom];
}

Context.prototype.create_decimal = function (value?: unknown): Decimal {
  return within(this, () => made(finiteOf(decimalOf(value ?? '0'))));
};
nativeClass(Context, {
  name: 'Context',
  module: 'decimal',
  params: contextParams,
  make: (_cls, ...slots) => contextOf(new Context(), slots),
  methods: { copy: '', clear_flags: '', create_decimal: 'num="0", /' },
});

const one = 'other, context=None';
nativeClass(Decimal, {
  name: 'Decimal',
  module: 'decimal',
  fullName: true,
  params: 'value="0", context=None',
  make: (_cls, value, context) => within(context, () => decimalOf(value === undefined ? '0' : value)),
  methods: {
    ...Object.fromEntries(
      'conjugate is_nan is_qnan is_snan is_infinite is_finite is_signed is_zero is_canonical adjusted as_tuple as_integer_ratio canonical copy_abs copy_negate'
        .split(' ')
        .map((name) => [name, '']),
    ),
    ...Object.fromEntries(
      'compare copy_sign max min remainder_near same_quantum scaleb'.split(' ').map((name) => [name, one]),
    ),
    ...Object.fromEntries(
      'exp ln log10 sqrt normalize to_eng_string is_normal'.split(' ').map((name) => [name, 'context=None']),
    ),
    ...Object.fromEntries(
      'to_integral_value to_integral to_integral_exact'.split(' ').map((name) => [name, 'rounding=None, context=None']),
    ),
    fma: 'other, third, context=None',
    quantize: 'exp, rounding=None, context=None',
  },
  statics: {
    from_float: ['f, /', (x: unknown) => decimalOf(isFloat(x) ? x : (asInt(x) ?? reprOf(x)))],
  },
});

storeAs('decimal', Decimal, strOf);
registerStored('decimal', (text) => decimalOf(text));

export function makeDecimal(): Members {
  const basic = contextOf(new Context(), [9, 'ROUND_HALF_UP']);
  const extended = contextOf(new Context(), [
    9,
    'ROUND_HALF_EVEN',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    [],
  ]);
  return {
    BasicContext: basic,
    Context,
    Decimal,
    DecimalException,
    DecimalTuple,
    DefaultContext: defaultContext,
    ExtendedContext: extended,
    MAX_EMAX: 999_999_999_999_999_999n,
    MAX_PREC: 999_999_999_999_999_999n,
    MIN_EMIN: -999_999_999_999_999_999n,
    ...signals,
    ...Object.fromEntries(roundings.map((name) => [name, name])),
    ...functions('decimal', {
      getcontext: ['', () => current],
      localcontext: [
        'ctx=None, **kwargs',
        (context: unknown, changes: Dict) => {
          const local = context instanceof Context ? context.copy() : current.copy();
          for (const [name, value] of changes.entries()) (local as any)[name as string] = value;
          return new LocalContext(local);
        },
      ],
      setcontext: [
        'context, /',
        (context: Context) => {
          setContext(context);
          return null;
        },
      ],
    }),
  };
}

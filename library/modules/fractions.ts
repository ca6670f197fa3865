/** Module `fractions`. */

import type { Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { type Tuple, tuple } from '../values/containers/tuple.ts';
import { bare, boxed, isFloat } from '../values/numbers/float-box.ts';
import { exactDecimal } from '../values/numbers/float-text.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { asInt, demote, divideNumbers, type Num } from '../values/numbers/numbers.ts';
import { OverflowError, TypeError, ValueError, ZeroDivisionError } from '../values/objects/exceptions.ts';
import { floordiv, mod, pow } from '../values/objects/operators.ts';
import { $eq, $hash, $repr, $str } from '../values/objects/protocol.ts';
import { reprOf, strOf } from '../values/objects/repr.ts';
import { NotImplemented } from '../values/objects/singletons.ts';
import { typeName } from '../values/objects/type-name.ts';
import { registerStored, storeAs } from '../values/stored-form.ts';
import { format } from '../values/text/format.ts';
import { textOf } from '../values/text/text-arguments.ts';
import { Decimal } from './decimal/decimal.ts';
import { gcd } from './math/math.ts';

export class Fraction {
  /** Numerator and denominator in lowest terms; the denominator is positive. */
  readonly $top: bigint;
  readonly $bottom: bigint;

  constructor(top: bigint, bottom: bigint) {
    if (bottom === 0n) throw new ZeroDivisionError(`Fraction(${top}, 0)`);
    const common = gcd(top, bottom) || 1n;
    const sign = bottom < 0n ? -1n : 1n;
    this.$top = (top / common) * sign;
    this.$bottom = (bottom / common) * sign;
  }

  get numerator(): Num {
    return demote(this.$top);
  }

  get denominator(): Num {
    return demote(this.$bottom);
  }

  get real(): Fraction {
    return this;
  }

  get imag(): number {
    return 0;
  }

  is_integer(): boolean {
    return this.$bottom === 1n;
  }

  as_integer_ratio(): Tuple {
    return tuple(this.numerator, this.denominator);
  }

  conjugate(): Fraction {
    return this;
  }

  /** The closest fraction with a small denominator. */
  limit_denominator(most?: unknown): Fraction {
    const limit = BigInt(most === undefined ? 1_000_000 : requireSize(most));
    if (limit < 1n) throw new ValueError('max_denominator should be at least 1');
    if (this.$bottom <= limit) return this;
    let [p0, q0, p1, q1] = [0n, 1n, 1n, 0n];
    let [n, d] = [this.$top, this.$bottom];
    for (;;) {
      const a = floorOf(n, d);
      const q2 = q0 + a * q1;
      if (q2 > limit) break;
      [p0, q0, p1, q1] = [p1, q1, p0 + a * p1, q2];
      [n, d] = [d, n - a * d];
    }
    const k = (limit - q0) / q1;
    return 2n * d * (q0 + k * q1) <= this.$bottom ? new Fraction(p1, q1) : new Fraction(p0 + k * p1, q0 + k * q1);
  }

  __add__(other: unknown): unknown {
    return binary(
      this,
      other,
      (a, b) => new Fraction(a.$top * b.$bottom + b.$top * a.$bottom, a.$bottom * b.$bottom),
      (x, y) => x + y,
    );
  }

  __radd__(other: unknown): unknown {
    return this.__add__(other);
  }

  __sub__(other: unknown): unknown {
    return binary(this, other, subtract, (x, y) => x - y);
  }

  __rsub__(other: unknown): unknown {
    return binary(
      this,
      other,
      (a, b) => subtract(b, a),
      (x, y) => y - x,
    );
  }

  __mul__(other: unknown): unknown {
    return binary(
      this,
      other,
      (a, b) => new Fraction(a.$top * b.$top, a.$bottom * b.$bottom),
      (x, y) => x * y,
    );
  }

  __rmul__(other: unknown): unknown {
    return this.__mul__(other);
  }

  __truediv__(other: unknown): unknown {
    return binary(this, other, divide, divideNumbers);
  }

  __rtruediv__(other: unknown): unknown {
    return binary(
      this,
      other,
      (a, b) => divide(b, a),
      (x, y) => divideNumbers(y, x),
    );
  }

  __floordiv__(other: unknown): unknown {
    return binary(this, other, quotient, floordiv);
  }

  __rfloordiv__(other: unknown): unknown {
    return binary(
      this,
      other,
      (a, b) => quotient(b, a),
      (x, y) => floordiv(y, x),
    );
  }

  __mod__(other: unknown): unknown {
    return binary(this, other, remainder, mod);
  }

  __rmod__(other: unknown): unknown {
    return binary(
      this,
      other,
      (a, b) => remainder(b, a),
      (x, y) => mod(y, x),
    );
  }

  __divmod__(other: unknown): unknown {
    return binary(
      this,
      other,
      (a, b) => tuple(quotient(a, b), remainder(a, b)),
      (x, y) => tuple(floordiv(x, y), mod(x, y)),
    );
  }

  __rdivmod__(other: unknown): unknown {
    return binary(
      this,
      other,
      (a, b) => tuple(quotient(b, a), remainder(b, a)),
      (x, y) => tuple(floordiv(y, x), mod(y, x)),
    );
  }

  __pow__(other: unknown): unknown {
    const exponent = fractionOrNone(other);
    if (exponent === undefined) return isFloat(other) ? pow(boxed(this.__float__()), other) : NotImplemented;
    if (exponent.$bottom !== 1n) return pow(boxed(this.__float__()), boxed(exponent.__float__()));
    const n = exponent.$top;
    return n >= 0n
      ? new Fraction(this.$top ** n, this.$bottom ** n)
      : new Fraction(this.$bottom ** -n, this.$top ** -n);
  }

  __rpow__(other: unknown): unknown {
    const base = asInt(other);
    if (this.$bottom === 1n && base !== undefined) return pow(base, this.numerator);
    return isFloat(other) || base !== undefined ? pow(boxed(Number(other)), boxed(this.__float__())) : NotImplemented;
  }

  __neg__(): Fraction {
    return new Fraction(-this.$top, this.$bottom);
  }

  __pos__(): Fraction {
    return this;
  }

  __abs__(): Fraction {
    return this.$top < 0n ? this.__neg__() : this;
  }

  __bool__(): boolean {
    return this.$top !== 0n;
  }

  __int__(): Num {
    return demote(this.$top / this.$bottom);
  }

  __trunc__(): Num {
    return this.__int__();
  }

  __floor__(): Num {
    return demote(floorOf(this.$top, this.$bottom));
  }

  __ceil__(): Num {
    return demote(-floorOf(-this.$top, this.$bottom));
  }

  __float__(): number {
    return divideNumbers(this.$top, this.$bottom);
  }

  __round__(digits?: unknown): unknown {
    if (digits === undefined || digits === null) return demote(halfEven(this.$top, this.$bottom));
    const places = requireSize(digits);
    const unit = 10n ** BigInt(Math.abs(places));
    if (places > 0) return new Fraction(halfEven(this.$top * unit, this.$bottom), unit);
    return new Fraction(halfEven(this.$top, this.$bottom * unit) * unit, 1n);
  }

  __lt__(other: unknown): unknown {
    return ordered(this, other, (n) => n < 0);
  }

  __le__(other: unknown): unknown {
    return ordered(this, other, (n) => n <= 0);
  }

  __gt__(other: unknown): unknown {
    return ordered(this, other, (n) => n > 0);
  }

  __ge__(other: unknown): unknown {
    return ordered(this, other, (n) => n >= 0);
  }

  [$eq](other: unknown): boolean | undefined {
    const b = fractionOrNone(other);
    if (b !== undefined) return this.$top === b.$top && this.$bottom === b.$bottom;
    const real = bare(other);
    return typeof real === 'number' ? Number.isFinite(real) && compare(this, fromFloat(real)) === 0 : undefined;
  }

  [$hash](): string {
    if (this.$bottom === 1n) return `n${this.$top}`;
    const near = this.__float__();
    return compare(this, fromFloat(near)) === 0 ? `n${near}` : `n${this.$top}/${this.$bottom}`;
  }

  __format__(spec: string): string {
    if (spec === '' || /^(?:.?[<>=^])?[ +-]?\d*s?$/su.test(spec)) return format(this[$str](), spec);
    if (!/[efgEFG%]$/.test(spec))
      throw new ValueError(`Invalid format specifier ${reprOf(spec)} for object of type 'Fraction'`);
    return format(boxed(this.__float__()), spec);
  }

  [$str](): string {
    return this.$bottom === 1n ? `${this.$top}` : `${this.$top}/${this.$bottom}`;
  }

  [$repr](): string {
    return `Fraction(${this.$top}, ${this.$bottom})`;
  }
}

function floorOf(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function halfEven(top: bigint, bottom: bigint): bigint {
  const whole = floorOf(top, bottom);
  const twice = (top - whole * bottom) * 2n;
  return twice > bottom || (twice === bottom && whole % 2n !== 0n) ? whole + 1n : whole;
}

const subtract = (a: Fraction, b: Fraction) =>
  new Fraction(a.$top * b.$bottom - b.$top * a.$bottom, a.$bottom * b.$bottom);
const divide = (a: Fraction, b: Fraction) => new Fraction(a.$top * b.$bottom, a.$bottom * b.$top);
const compare = (a: Fraction, b: Fraction) => {
  const [x, y] = [a.$top * b.$bottom, b.$top * a.$bottom];
  return x === y ? 0 : x < y ? -1 : 1;
};

function quotient(a: Fraction, b: Fraction): Num {
  const ratio = divide(a, b);
  return ratio.__floor__();
}

function remainder(a: Fraction, b: Fraction): Fraction {
  const whole = BigInt(quotient(a, b));
  return new Fraction(a.$top * b.$bottom - whole * b.$top * a.$bottom, a.$bottom * b.$bottom);
}

// With an int or a fraction the result is exact; with a float it is a float.
function binary(
  a: Fraction,
  other: unknown,
  exact: (a: Fraction, b: Fraction) => unknown,
  float: (x: any, y: any) => unknown,
): unknown {
  const b = fractionOrNone(other);
  if (b !== undefined) return exact(a, b);
  return isFloat(other) ? boxed(float(boxed(a.__float__()), other)) : NotImplemented;
}

function ordered(a: Fraction, other: unknown, decide: (order: number) => boolean): unknown {
  const b = fractionOrNone(other);
  if (b !== undefined) return decide(compare(a, b));
  const real = bare(other);
  if (typeof real !== 'number') return NotImplemented;
  if (Number.isNaN(real)) return false;
  return decide(Number.isFinite(real) ? compare(a, fromFloat(real)) : real > 0 ? -1 : 1);
}

function fractionOrNone(x: unknown): Fraction | undefined {
  if (x instanceof Fraction) return x;
  const n = asInt(x);
  return n === undefined ? undefined : new Fraction(BigInt(n), 1n);
}

function fromFloat(x: number): Fraction {
  if (Number.isNaN(x)) throw new ValueError('cannot convert NaN to integer ratio');
  if (!Number.isFinite(x)) throw new OverflowError('cannot convert Infinity to integer ratio');
  if (Number.isInteger(x)) return new Fraction(BigInt(x), 1n);
  const { numerator, scale } = exactDecimal(Math.abs(x));
  return new Fraction(x < 0 ? -numerator : numerator, 10n ** BigInt(scale));
}

function fromDecimal(x: Decimal): Fraction {
  const [top, bottom] = x.as_integer_ratio().items as [Num, Num];
  return new Fraction(BigInt(top), BigInt(bottom));
}

const literal =
  /^\s*([+-]?)(?=\d|\.\d)(\d*|\d+(?:_\d+)*)(?:\/(\d+(?:_\d+)*)|(?:\.(\d*|\d+(?:_\d+)*))?(?:e([+-]?\d+))?)\s*$/iu;

function parse(text: string): Fraction {
  const found = literal.exec(text);
  if (found === null) throw new ValueError(`Invalid literal for Fraction: ${reprOf(text)}`);
  const [, sign, whole, bottom, decimals = '', exponent = '0'] = found.map((part) =>
    part?.replaceAll('_', ''),
  ) as string[];
  const scale = Number(exponent) - decimals.length;
  const digits = BigInt(`${whole}${decimals}` || '0') * (sign === '-' ? -1n : 1n);
  if (bottom !== undefined) return new Fraction(digits, BigInt(bottom));
  return scale >= 0 ? new Fraction(digits * 10n ** BigInt(scale), 1n) : new Fraction(digits, 10n ** BigInt(-scale));
}

function fractionOf(top: unknown, bottom: unknown): Fraction {
  if (bottom !== undefined && bottom !== null) {
    const [a, b] = [fractionOrNone(top), fractionOrNone(bottom)];
    if (a === undefined || b === undefined) throw new TypeError('both arguments should be Rational instances');
    return b.$top === 0n ? new Fraction(a.$top, 0n) : divide(a, b);
  }
  const exact = fractionOrNone(top ?? 0);
  if (exact !== undefined) return exact;
  if (isFloat(top)) return fromFloat(bare(top));
  if (top instanceof Decimal) return fromDecimal(top);
  const text = textOf(top);
  if (text === undefined) throw new TypeError('argument should be a string or a Rational instance');
  return parse(text);
}

storeAs('fraction', Fraction, strOf);
registerStored('fraction', (text) => fractionOf(text, undefined));

nativeClass(Fraction, {
  name: 'Fraction',
  module: 'fractions',
  params: 'numerator=0, denominator=None',
  make: (_cls, top, bottom) => fractionOf(top, bottom),
  methods: { is_integer: '', as_integer_ratio: '', conjugate: '', limit_denominator: 'max_denominator=1000000' },
  statics: {
    from_float: [
      'f',
      (x: unknown) => {
        if (!isFloat(x) && asInt(x) === undefined)
          throw new TypeError(`Fraction.from_float() only takes floats, not ${reprOf(x)} (${typeName(x)})`);
        return fractionOf(x, undefined);
      },
    ],
    from_decimal: ['dec', (x: unknown) => fractionOf(x, undefined)],
  },
});

export function makeFractions(): Members {
  return { Fraction };
}

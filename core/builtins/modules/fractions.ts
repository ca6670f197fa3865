/** Module `fractions`. */
import { TypeError, ValueError, ZeroDivisionError } from '../../values/exceptions.ts';
import { exactDecimal } from '../../values/float-text.ts';
import { asNumber, demote, divideNumbers, type Num, powerFloats } from '../../values/numbers.ts';
import { $hash, $truth } from '../../values/protocol.ts';
import { reprOf } from '../../values/repr.ts';
import { NotImplemented } from '../../values/singletons.ts';
import { requireText, textOf } from '../../values/text-arguments.ts';
import { Tuple } from '../../values/tuple.ts';
import { hashNumber } from '../../values/hashing.ts';
import type { Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';
import { gcd } from './math.ts';

type Operate = (a: Fraction, b: Fraction) => Fraction;

export class Fraction {
  readonly $n: bigint;
  readonly $d: bigint;

  constructor(n: bigint, d: bigint) {
    if (d === 0n) throw new ZeroDivisionError(`Fraction(${n}, 0)`);
    const sign = d < 0n ? -1n : 1n;
    const common = gcd(n, d);
    this.$n = (sign * n) / (common === 0n ? 1n : common);
    this.$d = (sign * d) / (common === 0n ? 1n : common);
  }

  get numerator(): Num {
    return demote(this.$n);
  }

  get denominator(): Num {
    return demote(this.$d);
  }

  as_integer_ratio(): Tuple {
    return new Tuple([this.numerator, this.denominator]);
  }

  is_integer(): boolean {
    return this.$d === 1n;
  }

  limit_denominator(limit?: unknown): Fraction {
    const most = limit === undefined ? 1_000_000n : BigInt(limit as Num);
    if (most < 1n) throw new ValueError('max_denominator should be at least 1');
    if (this.$d <= most) return this;
    let [p0, q0, p1, q1, n, d] = [0n, 1n, 1n, 0n, this.$n, this.$d];
    for (;;) {
      const a = floor(n, d);
      const q2 = q0 + a * q1;
      if (q2 > most) break;
      [p0, q0, p1, q1] = [p1, q1, p0 + a * p1, q2];
      [n, d] = [d, n - a * d];
    }
    const k = (most - q0) / q1;
    const [one, two] = [new Fraction(p0 + k * p1, q0 + k * q1), new Fraction(p1, q1)];
    const distance = (f: Fraction) => absolute(minus(f, this));
    return compare(distance(two), distance(one)) <= 0 ? two : one;
  }

  __add__(other: unknown): unknown {
    return operate(this, other, plus, (a, b) => a + b);
  }

  __radd__(other: unknown): unknown {
    return operate(this, other, plus, (a, b) => a + b);
  }

  __sub__(other: unknown): unknown {
    return operate(this, other, minus, (a, b) => a - b);
  }

  __rsub__(other: unknown): unknown {
    return operate(this, other, (a, b) => minus(b, a), (a, b) => b - a);
  }

  __mul__(other: unknown): unknown {
    return operate(this, other, times, (a, b) => a * b);
  }

  __rmul__(other: unknown): unknown {
    return operate(this, other, times, (a, b) => a * b);
  }

  __truediv__(other: unknown): unknown {
    return operate(this, other, over, divideNumbers);
  }

  __rtruediv__(other: unknown): unknown {
    return operate(this, other, (a, b) => over(b, a), (a, b) => divideNumbers(b, a));
  }

  __floordiv__(other: unknown): unknown {
    const b = toFraction(other);
    if (b === undefined) return NotImplemented;
    const q = over(this, b);
    return demote(floor(q.$n, q.$d));
  }

  __rfloordiv__(other: unknown): unknown {
    const a = toFraction(other);
    return a === undefined ? NotImplemented : a.__floordiv__(this);
  }

  __mod__(other: unknown): unknown {
    const b = toFraction(other);
    if (b === undefined) return NotImplemented;
    const q = over(this, b);
    return minus(this, times(b, new Fraction(floor(q.$n, q.$d), 1n)));
  }

  __rmod__(other: unknown): unknown {
    const a = toFraction(other);
    return a === undefined ? NotImplemented : a.__mod__(this);
  }

  __pow__(other: unknown): unknown {
    const n = other instanceof Fraction ? (other.$d === 1n ? other.$n : undefined) : whole(other);
    if (n === undefined) return powerFloats(this.__float__(), Number(other instanceof Fraction ? other.__float__() : other));
    return n >= 0n ? new Fraction(this.$n ** n, this.$d ** n) : new Fraction(this.$d ** -n, this.$n ** -n);
  }

  __rpow__(other: unknown): unknown {
    if (this.$d === 1n) {
      const base = toFraction(other);
      if (base !== undefined) return base.__pow__(this.numerator);
    }
    return powerFloats(Number(other), this.__float__());
  }

  __neg__(): Fraction {
    return new Fraction(-this.$n, this.$d);
  }

  __pos__(): Fraction {
    return this;
  }

  __abs__(): Fraction {
    return absolute(this);
  }

  __int__(): Num {
    return demote(this.$n / this.$d);
  }

  __trunc__(): Num {
    return this.__int__();
  }

  __floor__(): Num {
    return demote(floor(this.$n, this.$d));
  }

  __ceil__(): Num {
    return demote(-floor(-this.$n, this.$d));
  }

  __round__(digits?: unknown): unknown {
    if (digits === undefined || digits === null) return demote(nearest(this.$n, this.$d));
    const shift = 10n ** BigInt(Math.abs(Number(digits)));
    return Number(digits) >= 0 ? new Fraction(nearest(this.$n * shift, this.$d), shift) : new Fraction(nearest(this.$n, this.$d * shift) * shift, 1n);
  }

  __float__(): number {
    return divideNumbers(this.$n, this.$d);
  }

  __eq__(other: unknown): unknown {
    const b = typeof other === 'number' && !Number.isSafeInteger(other) ? fromFloat(other) : toFraction(other);
    return b === undefined ? NotImplemented : this.$n === b.$n && this.$d === b.$d;
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
    return hashNumber(this.$d === 1n ? demote(this.$n) : this.__float__());
  }

  [$hash](): string {
    return this.$d === 1n ? `n${this.$n}` : `n${this.__float__()}`;
  }

  [$truth](): boolean {
    return this.$n !== 0n;
  }

  __str__(): string {
    return this.$d === 1n ? `${this.$n}` : `${this.$n}/${this.$d}`;
  }

  __repr__(): string {
    return `Fraction(${this.$n}, ${this.$d})`;
  }
}

const plus: Operate = (a, b) => new Fraction(a.$n * b.$d + b.$n * a.$d, a.$d * b.$d);
const minus: Operate = (a, b) => new Fraction(a.$n * b.$d - b.$n * a.$d, a.$d * b.$d);
const times: Operate = (a, b) => new Fraction(a.$n * b.$n, a.$d * b.$d);
const over: Operate = (a, b) => new Fraction(a.$n * b.$d, a.$d * b.$n);
const absolute = (f: Fraction) => (f.$n < 0n ? new Fraction(-f.$n, f.$d) : f);

function floor(n: bigint, d: bigint): bigint {
  const q = n / d;
  return n % d !== 0n && n < 0n !== d < 0n ? q - 1n : q;
}

function nearest(n: bigint, d: bigint): bigint {
  const down = floor(n, d);
  const twice = (n - down * d) * 2n;
  return twice > d || (twice === d && (down & 1n) === 1n) ? down + 1n : down;
}

function compare(a: Fraction, b: Fraction): number {
  const [x, y] = [a.$n * b.$d, b.$n * a.$d];
  return x < y ? -1 : x > y ? 1 : 0;
}

function whole(x: unknown): bigint | undefined {
  const n = asNumber(x);
  return n === undefined || (typeof n === 'number' && !Number.isSafeInteger(n)) ? undefined : BigInt(n);
}

function toFraction(x: unknown): Fraction | undefined {
  if (x instanceof Fraction) return x;
  const n = whole(x);
  return n === undefined ? undefined : new Fraction(n, 1n);
}

function fromFloat(x: number): Fraction | undefined {
  if (!Number.isFinite(x)) return undefined;
  const { numerator, scale } = exactDecimal(Math.abs(x));
  return new Fraction(x < 0 ? -numerator : numerator, 10n ** BigInt(scale));
}

// A float as the other operand makes the result one.
function operate(a: Fraction, other: unknown, exact: Operate, floats: (a: number, b: number) => number): unknown {
  const b = toFraction(other);
  if (b !== undefined) return exact(a, b);
  return typeof other === 'number' ? floats(a.__float__(), other) : NotImplemented;
}

function order(a: Fraction, other: unknown, test: (c: number) => boolean): unknown {
  const b = toFraction(other) ?? (typeof other === 'number' ? fromFloat(other) : undefined);
  if (b !== undefined) return test(compare(a, b));
  return typeof other === 'number' ? test(a.__float__() < other ? -1 : 1) : NotImplemented;
}

const pattern = /^\s*([+-])?(?:(\d+(?:_\d+)*)(?:\/(\d+(?:_\d+)*))?|(\d*)\.(\d*)|(\d+))?(?:[eE]([+-]?\d+))?\s*$/;

function parse(text: string): Fraction {
  const found = pattern.exec(text);
  const [, sign, whole, bottom, left, right] = found ?? [];
  if (found === null || (whole === undefined && `${left ?? ''}${right ?? ''}` === '')) throw new ValueError(`Invalid literal for Fraction: ${reprOf(text)}`);
  let n: bigint;
  let d: bigint;
  if (whole !== undefined) {
    n = BigInt(whole.replaceAll('_', ''));
    d = bottom === undefined ? 1n : BigInt(bottom.replaceAll('_', ''));
  } else {
    n = BigInt(`${left}${right}` || '0');
    d = 10n ** BigInt((right ?? '').length);
  }
  const exponent = Number(found[7] ?? 0);
  if (exponent > 0) n *= 10n ** BigInt(exponent);
  else d *= 10n ** BigInt(-exponent);
  return new Fraction(sign === '-' ? -n : n, d);
}

function make(_cls: unknown, top: any, bottom: unknown): Fraction {
  const second = bottom === undefined || bottom === null ? undefined : toFraction(bottom);
  if (bottom !== undefined && bottom !== null && second === undefined) throw new TypeError('both arguments should be Rational instances');
  const first = top === undefined ? new Fraction(0n, 1n) : toFraction(top);
  if (first !== undefined) return second === undefined ? first : over(first, second.$n === 0n ? zeroBottom(first) : second);
  const text = textOf(top);
  if (text !== undefined && second === undefined) return parse(requireText(text));
  if (typeof top === 'number' && second === undefined) {
    const made = fromFloat(top);
    if (made !== undefined) return made;
    throw new ValueError(Number.isNaN(top) ? 'cannot convert NaN to integer ratio' : 'cannot convert Infinity to integer ratio');
  }
  if (typeof top?.as_integer_ratio === 'function' && second === undefined) {
    const [n, d] = top.as_integer_ratio().items;
    return new Fraction(BigInt(n), BigInt(d));
  }
  throw new TypeError(second === undefined ? 'argument should be a string or a Rational instance' : 'both arguments should be Rational instances');
}

function zeroBottom(first: Fraction): never {
  throw new ZeroDivisionError(`Fraction(${first.$n}, 0)`);
}

nativeClass(Fraction, {
  name: 'Fraction',
  module: 'fractions',
  params: 'numerator=0, denominator=None',
  make,
  methods: { limit_denominator: 'max_denominator=1000000' },
  statics: {
    from_float: ['f', (x: unknown) => make(undefined, x, undefined)],
    from_decimal: ['dec', (x: unknown) => make(undefined, x, undefined)],
  },
});

export function makeFractions(): Members {
  return { Fraction };
}

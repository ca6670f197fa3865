/**
 * Decimal floating-point arithmetic (General Decimal Arithmetic Specification) on plain records: a number is
 * (−1)^sign · coefficient · 10^exponent. Results are rounded to the digits of a `Precision`.
 */

export type Rounding =
  | 'ROUND_UP'
  | 'ROUND_DOWN'
  | 'ROUND_CEILING'
  | 'ROUND_FLOOR'
  | 'ROUND_HALF_UP'
  | 'ROUND_HALF_DOWN'
  | 'ROUND_HALF_EVEN'
  | 'ROUND_05UP';

export interface Dec {
  readonly sign: 0 | 1;
  readonly coef: bigint;
  readonly exp: number;
}

export interface Precision {
  readonly prec: number;
  readonly rounding: Rounding;
}

export const zero: Dec = { sign: 0, coef: 0n, exp: 0 };

export function pow10(n: number): bigint {
  return 10n ** BigInt(n);
}

/** Decimal digits of a coefficient; 1 for zero. */
export function digitsOf(coef: bigint): number {
  return coef.toString().length;
}

/** Exponent of the first digit. */
export function adjusted(x: Dec): number {
  return x.exp + digitsOf(x.coef) - 1;
}

/** `coef` without its last `drop` digits. */
export function dropDigits(coef: bigint, drop: number, sign: 0 | 1, rounding: Rounding): bigint {
  const unit = pow10(drop);
  const quotient = coef / unit;
  const rest = coef % unit;
  if (rest === 0n) return quotient;
  const half = rest * 2n === unit ? 0 : rest * 2n > unit ? 1 : -1;
  return quotient + (goesUp(quotient, half, sign, rounding) ? 1n : 0n);
}

function goesUp(quotient: bigint, half: number, sign: 0 | 1, rounding: Rounding): boolean {
  switch (rounding) {
    case 'ROUND_UP':
      return true;
    case 'ROUND_DOWN':
      return false;
    case 'ROUND_CEILING':
      return sign === 0;
    case 'ROUND_FLOOR':
      return sign === 1;
    case 'ROUND_HALF_UP':
      return half >= 0;
    case 'ROUND_HALF_DOWN':
      return half > 0;
    case 'ROUND_HALF_EVEN':
      return half > 0 || (half === 0 && quotient % 2n === 1n);
    case 'ROUND_05UP':
      return quotient % 5n === 0n;
  }
}

/** Rounds to the precision. */
export function fitted(x: Dec, p: Precision): Dec {
  const extra = digitsOf(x.coef) - p.prec;
  if (extra <= 0) return x;
  let coef = dropDigits(x.coef, extra, x.sign, p.rounding);
  let exp = x.exp + extra;
  if (digitsOf(coef) > p.prec) {
    coef /= 10n;
    exp += 1;
  }
  return { sign: x.sign, coef, exp };
}

/** Gives the number with another exponent; digits that do not fit are rounded away. */
export function rescaled(x: Dec, exp: number, rounding: Rounding): Dec {
  if (x.coef === 0n) return { sign: x.sign, coef: 0n, exp };
  if (x.exp >= exp) return { sign: x.sign, coef: x.coef * pow10(x.exp - exp), exp };
  const drop = exp - x.exp;
  // Far below the last digit: the value itself only says that something is there.
  if (drop > digitsOf(x.coef) + 1) return { sign: x.sign, coef: dropDigits(1n, 2, x.sign, rounding), exp };
  return { sign: x.sign, coef: dropDigits(x.coef, drop, x.sign, rounding), exp };
}

export function addDec(a: Dec, b: Dec, p: Precision): Dec {
  const exp = Math.min(a.exp, b.exp);
  if (a.coef === 0n && b.coef === 0n) {
    const negative = (a.sign === 1 && b.sign === 1) || (a.sign !== b.sign && p.rounding === 'ROUND_FLOOR');
    return { sign: negative ? 1 : 0, coef: 0n, exp };
  }
  if (a.coef === 0n) return fitted(rescaled(b, Math.max(exp, b.exp - p.prec - 1), p.rounding), p);
  if (b.coef === 0n) return fitted(rescaled(a, Math.max(exp, a.exp - p.prec - 1), p.rounding), p);
  const [x, y] = aligned(a, b, p.prec);
  const sum = (x.sign === 1 ? -x.coef : x.coef) + (y.sign === 1 ? -y.coef : y.coef);
  if (sum === 0n)
    return {
      sign: p.rounding === 'ROUND_FLOOR' && a.sign !== b.sign ? 1 : a.sign === b.sign ? a.sign : 0,
      coef: 0n,
      exp: x.exp,
    };
  return fitted({ sign: sum < 0n ? 1 : 0, coef: sum < 0n ? -sum : sum, exp: x.exp }, p);
}

// The same exponent for both; a number far below the other's digits is replaced by a tiny one.
function aligned(a: Dec, b: Dec, prec: number): [Dec, Dec] {
  const swapped = a.exp < b.exp;
  const [high, low] = swapped ? [b, a] : [a, b];
  const limit = high.exp + Math.min(-1, digitsOf(high.coef) - prec - 2);
  const small = adjusted(low) < limit ? { sign: low.sign, coef: 1n, exp: limit } : low;
  const scaled = { sign: high.sign, coef: high.coef * pow10(high.exp - small.exp), exp: small.exp };
  return swapped ? [small, scaled] : [scaled, small];
}

export function negated(x: Dec): Dec {
  return { sign: x.sign === 1 ? 0 : 1, coef: x.coef, exp: x.exp };
}

export function multiplyDec(a: Dec, b: Dec, p: Precision): Dec {
  return fitted({ sign: a.sign === b.sign ? 0 : 1, coef: a.coef * b.coef, exp: a.exp + b.exp }, p);
}

/** The divisor is not zero. */
export function divideDec(a: Dec, b: Dec, p: Precision): Dec {
  const sign = a.sign === b.sign ? 0 : 1;
  const ideal = a.exp - b.exp;
  if (a.coef === 0n) return { sign, coef: 0n, exp: ideal };
  const shift = digitsOf(b.coef) - digitsOf(a.coef) + p.prec + 1;
  const top = shift >= 0 ? a.coef * pow10(shift) : a.coef;
  const bottom = shift >= 0 ? b.coef : b.coef * pow10(-shift);
  let coef = top / bottom;
  let exp = ideal - shift;
  if (coef * bottom !== top) {
    // Not exact: the last digit must not look like a tie.
    if (coef % 5n === 0n) coef += 1n;
  } else {
    while (exp < ideal && coef % 10n === 0n) {
      coef /= 10n;
      exp += 1;
    }
  }
  return fitted({ sign, coef, exp }, p);
}

/** Quotient towards zero and remainder with the sign of `a`; undefined when the quotient has too many digits. */
export function divideWhole(a: Dec, b: Dec, p: Precision): { quotient: Dec; rest: Dec } | undefined {
  const sign = a.sign === b.sign ? 0 : 1;
  const exp = Math.min(a.exp, b.exp);
  if (a.coef === 0n || adjusted(a) < adjusted(b) - 1)
    return { quotient: { sign, coef: 0n, exp: 0 }, rest: fitted(rescaled(a, exp, p.rounding), p) };
  if (adjusted(a) - adjusted(b) > p.prec) return undefined;
  const [x, y] = [a.coef * pow10(a.exp - exp), b.coef * pow10(b.exp - exp)];
  const quotient = x / y;
  if (digitsOf(quotient) > p.prec) return undefined;
  return { quotient: { sign, coef: quotient, exp: 0 }, rest: fitted({ sign: a.sign, coef: x % y, exp }, p) };
}

export function compareDec(a: Dec, b: Dec): number {
  if (a.coef === 0n && b.coef === 0n) return 0;
  const [left, right] = [signum(a), signum(b)];
  if (left !== right) return left - right;
  const order = adjusted(a) - adjusted(b);
  if (order !== 0) return order > 0 ? left : -left;
  const exp = Math.min(a.exp, b.exp);
  const [x, y] = [a.coef * pow10(a.exp - exp), b.coef * pow10(b.exp - exp)];
  return x === y ? 0 : x > y ? left : -left;
}

function signum(x: Dec): number {
  return x.coef === 0n ? 0 : x.sign === 1 ? -1 : 1;
}

function integerRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/** Square root of a number that is not negative, correctly rounded (half even). */
export function rootDec(x: Dec, p: Precision): Dec {
  if (x.coef === 0n) return { sign: x.sign, coef: 0n, exp: Math.floor(x.exp / 2) };
  const prec = p.prec + 1;
  let exp = x.exp >> 1;
  let [coef, length] = x.exp & 1 ? [x.coef * 10n, (digitsOf(x.coef) >> 1) + 1] : [x.coef, (digitsOf(x.coef) + 1) >> 1];
  const shift = prec - length;
  let exact = true;
  if (shift >= 0) coef *= 100n ** BigInt(shift);
  else {
    const unit = 100n ** BigInt(-shift);
    exact = coef % unit === 0n;
    coef /= unit;
  }
  exp -= shift;
  let root = integerRoot(coef);
  exact &&= root * root === coef;
  if (exact) {
    if (shift >= 0) root /= pow10(shift);
    else root *= pow10(-shift);
    exp += shift;
  } else if (root % 5n === 0n) root += 1n;
  return fitted({ sign: 0, coef: root, exp }, { prec: p.prec, rounding: 'ROUND_HALF_EVEN' });
}

/** Fixed-point values of the transcendental functions: `x` stands for x / 10^digits. */
function expFixed(x: bigint, digits: number): bigint {
  const one = pow10(digits);
  // e^x = (e^(x/2^k))^(2^k), with a small argument for the series.
  const halvings = 16;
  const small = x / (1n << BigInt(halvings));
  let [sum, term] = [one, one];
  for (let n = 1n; term !== 0n; n += 1n) {
    term = (term * small) / (one * n);
    sum += term;
  }
  for (let i = 0; i < halvings; i += 1) sum = (sum * sum) / one;
  return sum;
}

function lnFixed(x: bigint, digits: number): bigint {
  const one = pow10(digits);
  // Square roots bring the argument close to 1; ln x = 2 · artanh((x−1)/(x+1)).
  let [y, doublings] = [x, 0];
  const near = one / 100n;
  while (y - one > near || one - y > near) {
    y = integerRoot(y * one);
    doublings += 1;
  }
  const ratio = ((y - one) * one) / (y + one);
  const square = (ratio * ratio) / one;
  let [sum, term] = [0n, ratio];
  for (let n = 1n; term !== 0n; n += 2n) {
    sum += term / n;
    term = (term * square) / one;
  }
  return sum * 2n * (1n << BigInt(doublings));
}

/** e^x */
export function expDec(x: Dec, p: Precision): Dec {
  if (x.coef === 0n) return { sign: 0, coef: 1n, exp: 0 };
  const digits = p.prec + 30 + Math.max(0, adjusted(x) + 2) * 2;
  const ten = lnFixed(10n * pow10(digits), digits);
  const scaled = rescaled(x, -digits, 'ROUND_HALF_EVEN').coef * (x.sign === 1 ? -1n : 1n);
  // x = k · ln 10 + r, so that e^x = e^r · 10^k.
  let k = scaled / ten;
  if (scaled < 0n && scaled % ten !== 0n) k -= 1n;
  const value = expFixed(scaled - k * ten, digits);
  return fitted({ sign: 0, coef: value, exp: Number(k) - digits }, { prec: p.prec, rounding: 'ROUND_HALF_EVEN' });
}

/** Natural logarithm of a positive number. */
export function lnDec(x: Dec, p: Precision): Dec {
  if (compareDec(x, { sign: 0, coef: 1n, exp: 0 }) === 0) return zero;
  return fitted(lnExact(x, p.prec + 20), { prec: p.prec, rounding: 'ROUND_HALF_EVEN' });
}

function lnExact(x: Dec, prec: number): Dec {
  const digits = prec + 20 + Math.abs(adjusted(x)).toString().length + digitsOf(x.coef);
  const exponent = adjusted(x);
  const mantissa = rescaled({ sign: 0, coef: x.coef, exp: x.exp - exponent }, -digits, 'ROUND_HALF_EVEN').coef;
  const sum = lnFixed(mantissa, digits) + BigInt(exponent) * lnFixed(10n * pow10(digits), digits);
  return { sign: sum < 0n ? 1 : 0, coef: sum < 0n ? -sum : sum, exp: -digits };
}

/** Logarithm to base 10 of a positive number. */
export function log10Dec(x: Dec, p: Precision): Dec {
  const bare = x.coef.toString().replace(/0+$/, '');
  if (bare === '1') {
    const whole = adjusted(x);
    return fitted({ sign: whole < 0 ? 1 : 0, coef: BigInt(Math.abs(whole)), exp: 0 }, p);
  }
  const wide = { prec: p.prec + 10, rounding: 'ROUND_HALF_EVEN' } as const;
  return fitted(divideDec(lnExact(x, wide.prec), lnExact({ sign: 0, coef: 10n, exp: 0 }, wide.prec), wide), {
    prec: p.prec,
    rounding: 'ROUND_HALF_EVEN',
  });
}

/** x^n for a whole n. */
export function powerWhole(x: Dec, n: number, p: Precision): Dec {
  const times = Math.abs(n);
  const sign = x.sign === 1 && times % 2 === 1 ? 1 : 0;
  const wide: Precision = { prec: p.prec + 8 + times.toString().length, rounding: 'ROUND_HALF_EVEN' };
  const isSmall = digitsOf(x.coef) * times < 4000;
  let value: Dec = isSmall
    ? { sign: 0, coef: x.coef ** BigInt(times), exp: x.exp * times }
    : raised({ ...x, sign: 0 }, times, wide);
  if (n < 0) value = divideDec({ sign: 0, coef: 1n, exp: 0 }, value, p);
  return fitted({ ...value, sign }, p);
}

function raised(x: Dec, times: number, p: Precision): Dec {
  let result: Dec = { sign: 0, coef: 1n, exp: 0 };
  for (let base = x, left = times; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiplyDec(result, base, p);
    if (left > 1) base = multiplyDec(base, base, p);
  }
  return result;
}

/** x^y for a positive x, shown with all digits of the precision. */
export function powerAny(x: Dec, y: Dec, p: Precision): Dec {
  const wide: Precision = { prec: p.prec + 20, rounding: 'ROUND_HALF_EVEN' };
  const value = expDec(multiplyDec(lnExactFitted(x, wide), y, wide), wide);
  const rounded = fitted(value, p);
  const missing = p.prec - digitsOf(rounded.coef);
  return missing > 0 ? { sign: 0, coef: rounded.coef * pow10(missing), exp: rounded.exp - missing } : rounded;
}

function lnExactFitted(x: Dec, p: Precision): Dec {
  return fitted(lnExact(x, p.prec + 10), p);
}

/** Gives the number without trailing zeros. */
export function reduced(x: Dec): Dec {
  if (x.coef === 0n) return { sign: x.sign, coef: 0n, exp: 0 };
  const text = x.coef.toString();
  const bare = text.replace(/0+$/, '');
  return { sign: x.sign, coef: BigInt(bare), exp: x.exp + text.length - bare.length };
}

/** Scientific notation where the specification asks for it; `eng` keeps exponents that are multiples of three. */
export function decText(x: Dec, eng = false): string {
  const digits = x.coef.toString();
  const left = x.exp + digits.length;
  let point = left;
  if (!(x.exp <= 0 && left > -6)) {
    if (!eng) point = 1;
    else if (x.coef === 0n) point = ((((left + 1) % 3) + 3) % 3) - 1;
    else point = ((((left - 1) % 3) + 3) % 3) + 1;
  }
  const [whole, fraction] =
    point <= 0
      ? ['0', `.${'0'.repeat(-point)}${digits}`]
      : point >= digits.length
        ? [digits + '0'.repeat(point - digits.length), '']
        : [digits.slice(0, point), `.${digits.slice(point)}`];
  const exponent = left === point ? '' : `E${left - point >= 0 ? '+' : '-'}${Math.abs(left - point)}`;
  return `${x.sign === 1 ? '-' : ''}${whole}${fraction}${exponent}`;
}

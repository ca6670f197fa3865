/** Module `math`. */

import { functions, type Members } from '../../builtins/module.ts';
import { real } from '../../builtins/real.ts';
import { look } from '../../limits/look.ts';
import { itemsOf, iter } from '../../values/containers/iteration.ts';
import { type Tuple, tuple } from '../../values/containers/tuple.ts';
import { boxed } from '../../values/numbers/float-box.ts';
import { exactDecimal } from '../../values/numbers/float-text.ts';
import { requireIndex } from '../../values/numbers/index-value.ts';
import {
  asInt,
  asNumber,
  demote,
  floatToInt,
  isInt,
  type Num,
  product,
  quotient,
  remainder as remainderOf,
} from '../../values/numbers/numbers.ts';
import { precisePower } from '../../values/numbers/precise.ts';
import { OverflowError, ValueError } from '../../values/objects/exceptions.ts';
import { mul } from '../../values/objects/operators.ts';
import { acosh, asinh, cosh, exp, log2, log10, log as naturalLog } from './exponentials.ts';
import { erf, erfc, gamma, lgamma } from './special-functions.ts';
import { acos, asin, atan, atan2, cos, sin, tan } from './trigonometry.ts';

/** A function of one float; NaN for an ordinary argument is a domain error, infinity a range error. */
function unary(f: (x: number) => number): readonly [string, (x: unknown) => number] {
  return ['x, /', (x) => checked(f, real(x))];
}

function checked(f: (x: number) => number, x: number): number {
  const y = f(x);
  if (Number.isNaN(y) && !Number.isNaN(x)) throw new ValueError('math domain error');
  if (!Number.isFinite(y) && Number.isFinite(x) && !Number.isNaN(y)) throw new OverflowError('math range error');
  return y;
}

function whole(
  name: '__floor__' | '__ceil__' | '__trunc__',
  f: (x: number) => number,
): readonly [string, (x: any) => unknown] {
  return [
    'x, /',
    (x) => {
      if (typeof x?.[name] === 'function') return x[name]();
      const n = asNumber(x);
      if (n !== undefined && isInt(n)) return n;
      return floatToInt(f(real(x)));
    },
  ];
}

function logarithm(x: unknown, f: (x: number) => number, perBit: number): number {
  const n = asNumber(x);
  if (typeof n === 'bigint') {
    if (n <= 0n) throw new ValueError('math domain error');
    const bits = n.toString(2).length - 1000;
    return bits <= 0 ? f(Number(n)) : f(Number(n >> BigInt(bits))) + bits * perBit;
  }
  const value = real(x);
  if (value <= 0) throw new ValueError('math domain error');
  return f(value);
}

function log(x: unknown, base: unknown): number {
  const top = logarithm(x, naturalLog, Math.LN2);
  if (base === undefined) return top;
  const bottom = logarithm(base, naturalLog, Math.LN2);
  if (bottom === 0) throw new ValueError('math domain error');
  return top / bottom;
}

/** An int; floats are refused. */
function int(x: unknown): bigint {
  return BigInt(requireIndex(x));
}

function factorial(x: unknown): Num {
  const n = requireIndex(x);
  if (n < 0) throw new ValueError('factorial() not defined for negative values');
  return demote(productOf(1n, BigInt(n)));
}

// The product of a range, halves first, so that big factors meet big ones.
function productOf(from: bigint, to: bigint): bigint {
  if ($due) look();
  if (from > to) return 1n;
  if (to - from < 8n) {
    let result = from;
    for (let i = from + 1n; i <= to; i += 1n) result *= i;
    return result;
  }
  const middle = (from + to) >> 1n;
  return product(productOf(from, middle), productOf(middle + 1n, to));
}

/** Greatest common divisor. */
export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) {
    if ($due) look();
    [x, y] = [y, remainderOf(x, y)];
  }
  return x;
}

function smallGcd(a: unknown, b: unknown): Num {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
    let [x, y] = [Math.abs(a), Math.abs(b)];
    while (y !== 0) [x, y] = [y, x % y];
    return x;
  }
  return demote(gcd(int(a), int(b)));
}

function lcm(numbers: readonly unknown[]): Num {
  return demote(
    numbers.reduce((product: bigint, x) => {
      const n = int(x);
      if (product === 0n || n === 0n) return 0n;
      const next = (product / gcd(product, n)) * n;
      return next < 0n ? -next : next;
    }, 1n),
  );
}

function comb(n: unknown, k: unknown): Num {
  const [total, chosen] = [int(n), int(k)];
  if (total < 0n) throw new ValueError('n must be a non-negative integer');
  if (chosen < 0n) throw new ValueError('k must be a non-negative integer');
  if (chosen > total) return 0;
  const few = chosen < total - chosen ? chosen : total - chosen;
  let result = 1n;
  for (let i = 1n; i <= few; i += 1n) {
    if ($due) look();
    result = (result * (total - few + i)) / i;
  }
  return demote(result);
}

function perm(n: unknown, k: unknown): Num {
  const total = int(n);
  const chosen = k === undefined || k === null ? total : int(k);
  if (total < 0n) throw new ValueError('n must be a non-negative integer');
  if (chosen < 0n) throw new ValueError('k must be a non-negative integer');
  return chosen > total ? 0 : demote(productOf(total - chosen + 1n, total));
}

/** The integer square root. */
export function isqrt(n: bigint): bigint {
  if (n < 0n) throw new ValueError('isqrt() argument must be nonnegative');
  if (n < 2n) return n;
  let x = BigInt(Math.floor(Math.sqrt(Number(n))));
  if (n > 1n << 1000n) x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    if ($due) look();
    const next = (x + quotient(n, x)) >> 1n;
    if (next === x || next === x + 1n || next === x - 1n) {
      let root = next < x ? next : x;
      while (root * root > n) root -= 1n;
      while ((root + 1n) * (root + 1n) <= n) root += 1n;
      return root;
    }
    x = next;
  }
}

// Exact: the sum of rationals with a power-of-two denominator, rounded once.
function fsum(xs: unknown): number {
  let special = 0;
  let partials: number[] = [];
  for (const item of iter(xs)) {
    let x = real(item);
    if (!Number.isFinite(x)) {
      special += x;
      continue;
    }
    const kept: number[] = [];
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) kept.push(low);
      x = high;
    }
    kept.push(x);
    partials = kept;
  }
  if (special !== 0) {
    if (Number.isNaN(special)) throw new ValueError('-inf + inf in fsum');
    return special;
  }
  return roundPartials(partials);
}

function roundPartials(partials: number[]): number {
  let n = partials.length;
  if (n === 0) return 0;
  let high = partials[--n]!;
  let low = 0;
  while (n > 0) {
    const x = high;
    const y = partials[--n]!;
    high = x + y;
    low = y - (high - x);
    if (low !== 0) break;
  }
  // Half-way cases look at what is left.
  if (n > 0 && ((low < 0 && partials[n - 1]! < 0) || (low > 0 && partials[n - 1]! > 0))) {
    const y = low * 2;
    const x = high + y;
    if (y === x - high) high = x;
  }
  if (!Number.isFinite(high)) throw new OverflowError('intermediate overflow in fsum');
  return high;
}

function isclose(a: unknown, b: unknown, relative: unknown, absolute: unknown): boolean {
  const [x, y] = [real(a), real(b)];
  const rel = relative === undefined ? 1e-9 : real(relative);
  const abs = absolute === undefined ? 0 : real(absolute);
  if (rel < 0 || abs < 0) throw new ValueError('tolerances must be non-negative');
  if (x === y) return true;
  if (!Number.isFinite(x) || !Number.isFinite(y)) return false;
  const distance = Math.abs(y - x);
  return distance <= Math.abs(rel * y) || distance <= Math.abs(rel * x) || distance <= abs;
}

function pow(a: unknown, b: unknown): number {
  const [x, y] = [real(a), real(b)];
  if (x === 1 || y === 0) return 1;
  if (x === 0 && y < 0 && y !== Number.NEGATIVE_INFINITY) throw new ValueError('math domain error');
  const result = x === -1 && !Number.isFinite(y) && !Number.isNaN(y) ? 1 : precisePower(x, y);
  if (Number.isNaN(result) && !Number.isNaN(x) && !Number.isNaN(y)) throw new ValueError('math domain error');
  if (!Number.isFinite(result) && Number.isFinite(x) && Number.isFinite(y)) throw new OverflowError('math range error');
  return result;
}

function frexp(x: number): Tuple {
  if (x === 0 || !Number.isFinite(x)) return tuple(boxed(x), 0);
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(x))) + 1);
  let mantissa = x * 2 ** -Math.trunc(exponent / 2) * 2 ** -(exponent - Math.trunc(exponent / 2));
  while (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    exponent -= 1;
  }
  while (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    exponent += 1;
  }
  return tuple(mantissa, exponent);
}

function ldexp(x: number, exponent: Num): number {
  const e = Number(exponent);
  if (x === 0 || !Number.isFinite(x)) return x;
  if (e > 3000) throw new OverflowError('math range error');
  if (e < -3000) return x < 0 ? -0 : 0;
  const third = Math.trunc(e / 3);
  const result = x * 2 ** third * 2 ** third * 2 ** (e - 2 * third);
  if (!Number.isFinite(result)) throw new OverflowError('math range error');
  return result;
}

/** Gamma of an ordinary argument is a range error where it is too large. */
function checkedGamma(x: number): number {
  const result = gamma(x);
  if (!Number.isFinite(result) && Number.isFinite(x)) throw new OverflowError('math range error');
  return result;
}

function hypot(xs: readonly unknown[]): number {
  const values = xs.map((x) => Math.abs(real(x)));
  if (values.includes(Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
  if (values.some(Number.isNaN)) return Number.NaN;
  const largest = Math.max(0, ...values);
  if (largest === 0) return 0;
  if (values.length === 1) return largest;
  return rootOfSquares(values, largest);
}

// Scaled by a power of two, which is exact; one correction of the root makes the last digit right.
function rootOfSquares(values: readonly number[], largest: number): number {
  const scale = 2 ** Math.max(-1000, Math.min(1000, Math.floor(Math.log2(largest))));
  const scaled = values.map((x) => x / scale);
  let sum = 0n;
  const unit = 1n << 120n;
  for (const x of scaled) {
    const { numerator, scale: places } = exactDecimal(x);
    const fixed = (numerator * unit) / 10n ** BigInt(places);
    sum += (fixed * fixed) >> 120n;
  }
  const root = isqrt(sum << 120n);
  return (Number(root) / 2 ** 120) * scale;
}

function dist(p: unknown, q: unknown): number {
  const [a, b] = [itemsOf(p), itemsOf(q)];
  if (a.length !== b.length) throw new ValueError('both points must have the same number of dimensions');
  return hypot(a.map((x, i) => real(x) - real(b[i])));
}

function nextafter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? 5e-324 : -5e-324;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigInt64(0);
  view.setBigInt64(0, x < y === x > 0 ? bits + 1n : bits - 1n);
  return view.getFloat64(0);
}

function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (!Number.isFinite(x) || y === 0) throw new ValueError('math domain error');
  if (!Number.isFinite(y)) return x;
  const size = Math.abs(y);
  let rest = Math.abs(x) % size;
  const half = size / 2;
  if (rest > half || (rest === half && Math.floor(Math.abs(x) / size) % 2 === 1)) rest -= size;
  return x < 0 ? -rest : rest;
}

function prod(xs: unknown, start: unknown): unknown {
  let result: unknown = start === undefined ? 1 : start;
  for (const x of iter(xs)) result = mul(result, x);
  return result;
}

function sumprod(p: unknown, q: unknown): unknown {
  const [a, b] = [itemsOf(p), itemsOf(q)];
  if (a.length !== b.length) throw new ValueError('Inputs are not the same length');
  const products = a.map((x, i) => mul(x, b[i]));
  if (products.every((x) => asInt(x) !== undefined))
    return demote(products.reduce((sum: bigint, x) => sum + BigInt(asNumber(x)!), 0n));
  return boxed(fsum(products));
}

function binaryReal(f: (x: number, y: number) => number): readonly [string, (x: unknown, y: unknown) => number] {
  return ['x, y, /', (x, y) => f(real(x), real(y))];
}

function fmod(x: number, y: number): number {
  if ((y === 0 || !Number.isFinite(x)) && !Number.isNaN(x) && !Number.isNaN(y))
    throw new ValueError('math domain error');
  return x % y;
}

/** Functions that give a float whatever they are given. */
const mathFloats =
  'acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs fmod fsum gamma hypot ldexp lgamma log log10 log1p log2 nextafter pow radians remainder sin sinh sqrt tan tanh ulp';

export function makeMath(): Members {
  return {
    pi: Math.PI,
    e: Math.E,
    tau: 2 * Math.PI,
    inf: Number.POSITIVE_INFINITY,
    nan: Number.NaN,
    ...functions(
      'math',
      {
        acos: unary(acos),
        acosh: unary(acosh),
        asin: unary(asin),
        asinh: unary(asinh),
        atan: unary(atan),
        atan2: binaryReal(atan2),
        atanh: [
          'x, /',
          (x: unknown) => (Math.abs(real(x)) === 1 ? checked(() => Number.NaN, 1) : checked(Math.atanh, real(x))),
        ],
        cbrt: unary(Math.cbrt),
        ceil: whole('__ceil__', Math.ceil),
        comb: ['n, k, /', comb],
        copysign: binaryReal((x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x))),
        cos: unary(cos),
        cosh: unary(cosh),
        degrees: unary((x) => x * (180 / Math.PI)),
        dist: ['p, q, /', dist],
        erf: unary(erf),
        erfc: unary(erfc),
        exp: unary(exp),
        exp2: unary((x) => precisePower(2, x)),
        expm1: unary(Math.expm1),
        fabs: unary(Math.abs),
        factorial: ['n, /', factorial],
        floor: whole('__floor__', Math.floor),
        fmod: binaryReal(fmod),
        frexp: ['x, /', (x: unknown) => frexp(real(x))],
        fsum: ['seq, /', fsum],
        gamma: ['x, /', (x: unknown) => checkedGamma(real(x))],
        gcd: ['*integers', (xs: readonly unknown[] = []) => xs.reduce((a: unknown, b) => smallGcd(a, b), 0)],
        hypot: ['*coordinates', (xs: readonly unknown[] = []) => hypot(xs)],
        isclose: ['a, b, *, rel_tol=1e-09, abs_tol=0.0', isclose],
        isfinite: ['x, /', (x: unknown) => Number.isFinite(real(x))],
        isinf: ['x, /', (x: unknown) => Math.abs(real(x)) === Number.POSITIVE_INFINITY],
        isnan: ['x, /', (x: unknown) => Number.isNaN(real(x))],
        isqrt: ['n, /', (n: unknown) => demote(isqrt(int(n)))],
        lcm: ['*integers', (xs: readonly unknown[] = []) => lcm(xs)],
        ldexp: ['x, i, /', (x: unknown, i: unknown) => ldexp(real(x), requireIndex(i))],
        lgamma: ['x, /', (x: unknown) => lgamma(real(x))],
        log: ['x, base=None, /', log],
        log10: ['x, /', (x: unknown) => logarithm(x, log10, Math.log10(2))],
        log1p: ['x, /', (x: unknown) => (real(x) <= -1 ? checked(() => Number.NaN, 1) : Math.log1p(real(x)))],
        log2: ['x, /', (x: unknown) => logarithm(x, log2, 1)],
        modf: ['x, /', (x: unknown) => modf(real(x))],
        nextafter: ['x, y, /, *, steps=None', (x: unknown, y: unknown) => nextafter(real(x), real(y))],
        perm: ['n, k=None, /', perm],
        pow: ['x, y, /', pow],
        prod: ['iterable, /, *, start=1', prod],
        radians: unary((x) => x * (Math.PI / 180)),
        remainder: binaryReal(remainder),
        sin: unary(sin),
        sinh: unary(Math.sinh),
        sqrt: ['x, /', squareRoot],
        sumprod: ['p, q, /', sumprod],
        tan: unary(tan),
        tanh: unary(Math.tanh),
        trunc: whole('__trunc__', Math.trunc),
        ulp: ['x, /', (x: unknown) => ulp(real(x))],
      },
      mathFloats,
    ),
  };
}

function squareRoot(x: unknown): number {
  const n = real(x);
  if (n < 0) throw new ValueError('math domain error');
  return Math.sqrt(n);
}

function modf(x: number): Tuple {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? tuple(x, x) : tuple(boxed(x < 0 ? -0 : 0), x);
  const whole = Math.trunc(x);
  return tuple(boxed(x - whole), boxed(whole));
}

function ulp(x: number): number {
  if (!Number.isFinite(x)) return Math.abs(x);
  const size = Math.abs(x);
  const above = nextafter(size, Number.POSITIVE_INFINITY);
  return Number.isFinite(above) ? above - size : size - nextafter(size, 0);
}

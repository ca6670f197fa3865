/** Module `statistics`. Sums are exact: every float is a ratio of whole numbers. */
import { call } from '../../values/calls.ts';
import { Dict } from '../../values/dict.ts';
import { nameException, TypeError, ValueError } from '../../values/exceptions.ts';
import { exactDecimal } from '../../values/float-text.ts';
import { itemsOf, iter } from '../../values/iteration.ts';
import { asNumber, demote, divideNumbers, isInt, type Num } from '../../values/numbers.ts';
import { add, div } from '../../values/operators.ts';
import { sortItems } from '../../values/ordering.ts';
import { typeName } from '../../values/type-name.ts';
import { functions, type Members } from '../module.ts';
import { std } from '../modules.ts';
import { makeNamedTuple } from '../namedtuple.ts';
import { nativeClass } from '../native-class.ts';
import { gcd, isqrt, real } from './math.ts';

export class StatisticsError extends ValueError {}
nameException(StatisticsError, 'StatisticsError', 'statistics');

interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

const zero: Ratio = { n: 0n, d: 1n };

function ratio(n: bigint, d: bigint): Ratio {
  const g = gcd(n, d);
  return g <= 1n ? { n, d } : { n: n / g, d: d / g };
}

function exact(x: Num): Ratio {
  if (typeof x === 'bigint' || Number.isInteger(x)) return { n: BigInt(x), d: 1n };
  const { numerator, scale } = exactDecimal(Math.abs(x));
  return ratio(x < 0 ? -numerator : numerator, 10n ** BigInt(scale));
}

const plus = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.d + b.n * a.d, a.d * b.d);
const minus = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.d - b.n * a.d, a.d * b.d);
const times = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.n, a.d * b.d);
const over = (a: Ratio, n: bigint): Ratio => ratio(n < 0n ? -a.n : a.n, a.d * (n < 0n ? -n : n));

/** An int when the data are ints and the result is whole, else the nearest float. */
function value(r: Ratio, ints: boolean): Num {
  if (ints && r.d === 1n) return demote(r.n);
  return divideNumbers(r.n, r.d);
}

interface Data {
  readonly items: readonly Num[];
  readonly ints: boolean;
  readonly sum: Ratio;
}

function read(xs: unknown, name: string): Data {
  const items = [...iter(xs)].map((x) => {
    const n = asNumber(x);
    if (n === undefined) {
      const own = typeof x === 'object' && x !== null && typeof x.__float__ === 'function' ? real(x) : undefined;
      if (own !== undefined) return own;
      throw new TypeError(`can't convert type '${typeName(x)}' to numerator/denominator`);
    }
    return n;
  });
  if (items.length === 0) throw new StatisticsError(name);
  const finite = items.every((x) => typeof x === 'bigint' || Number.isFinite(x));
  return { items, ints: items.every(isInt), sum: finite ? items.map(exact).reduce(plus, zero) : zero };
}

// Fractions and decimals stay what they are.
function isExact(x: unknown): boolean {
  return (
    typeof x === 'object' && x !== null && asNumber(x) === undefined && typeof (x as any).__truediv__ === 'function'
  );
}

function mean(xs: unknown): unknown {
  const items = [...iter(xs)];
  if (items.length > 0 && items.some(isExact))
    return div(
      items.reduce((a, b) => add(a, b)),
      items.length,
    );
  const data = read(items, 'mean requires at least one data point');
  return value(over(data.sum, BigInt(data.items.length)), data.ints);
}

function fmean(xs: unknown, weights: unknown): number {
  const items = [...iter(xs)].map(real);
  if (weights !== undefined && weights !== null) {
    const w = itemsOf(weights).map(real);
    if (w.length !== items.length) throw new StatisticsError('data and weights must be the same length');
    const total = w.reduce((a, b) => a + b, 0);
    if (total === 0) throw new StatisticsError('sum of weights must be non-zero');
    return call(std('math').sumprod, items, w) / total;
  }
  if (items.length === 0) throw new StatisticsError('fmean requires at least one data point');
  return call(std('math').fsum, items) / items.length;
}

/** Sum of squared distances from the mean. */
function squares(data: Data, center?: Ratio): Ratio {
  const middle = center ?? over(data.sum, BigInt(data.items.length));
  return data.items.map((x) => minus(exact(x), middle)).reduce((sum, d) => plus(sum, times(d, d)), zero);
}

function spread(
  xs: unknown,
  center: unknown,
  sample: boolean,
  name: string,
): { readonly result: Ratio; readonly ints: boolean } {
  const least = sample ? 2 : 1;
  const items = [...iter(xs)];
  if (items.length < least)
    throw new StatisticsError(`${name} requires at least ${sample ? 'two data points' : 'one data point'}`);
  const data = read(items, name);
  const given = center === undefined || center === null ? undefined : exact(asNumber(center) ?? real(center));
  return { result: over(squares(data, given), BigInt(items.length - (sample ? 1 : 0))), ints: data.ints };
}

function root(r: Ratio): number {
  if (r.n === 0n) return 0;
  // Enough bits that the division rounds once.
  const shift = BigInt(Math.max(0, 120 - (r.n.toString(2).length - r.d.toString(2).length)) & ~1);
  const scaled = (r.n << shift) / r.d;
  return divideNumbers(isqrt(scaled << 120n), 1n << (60n + shift / 2n));
}

function median(xs: unknown, pick: 'mean' | 'low' | 'high'): unknown {
  const items = [...iter(xs)];
  if (items.length === 0) throw new StatisticsError('no median for empty data');
  sortItems(items, false);
  const middle = items.length >> 1;
  if (items.length % 2 === 1) return items[middle];
  if (pick === 'mean') return div(add(items[middle - 1], items[middle]), 2);
  return items[pick === 'low' ? middle - 1 : middle];
}

function medianGrouped(xs: unknown, interval: unknown): number {
  const items = [...iter(xs)].map(real).sort((a, b) => a - b);
  if (items.length === 0) throw new StatisticsError('no median for empty data');
  const width = interval === undefined ? 1 : real(interval);
  const x = items[items.length >> 1]!;
  const below = items.indexOf(x);
  const frequency = items.filter((item) => item === x).length;
  return x - width / 2 + (width * (items.length / 2 - below)) / frequency;
}

function counts(xs: unknown): Dict {
  const found = new Dict();
  for (const x of iter(xs)) found.set(x, Number(found.get(x) ?? 0) + 1);
  return found;
}

function modes(xs: unknown): unknown[] {
  const found = counts(xs);
  const most = Math.max(0, ...[...found.values()].map(Number));
  return [...found.entries()].filter(([, n]) => n === most).map(([x]) => x);
}

function mode(xs: unknown): unknown {
  const all = modes(xs);
  if (all.length === 0) throw new StatisticsError('no mode for empty data');
  return all[0];
}

function quantiles(xs: unknown, n: unknown, method: unknown): unknown[] {
  const parts = n === undefined ? 4 : Number(n);
  if (parts < 1) throw new StatisticsError('n must be at least 1');
  const items = [...iter(xs)].map(real).sort((a, b) => a - b);
  if (items.length < 2) throw new StatisticsError('must have at least two data points');
  const inclusive = method === 'inclusive';
  const m = inclusive ? items.length - 1 : items.length + 1;
  return Array.from({ length: parts - 1 }, (_, k) => {
    const i = k + 1;
    let j = Math.floor((i * m) / parts);
    if (!inclusive) j = Math.max(1, Math.min(items.length - 1, j));
    const delta = i * m - j * parts;
    const [a, b] = inclusive ? [items[j]!, items[j + 1] ?? items[j]!] : [items[j - 1]!, items[j]!];
    return (a * (parts - delta) + b * delta) / parts;
  });
}

function geometricMean(xs: unknown): number {
  const items = [...iter(xs)].map(real);
  if (items.length === 0) throw new StatisticsError('must have a non-empty dataset');
  if (items.some((x) => x <= 0))
    throw new StatisticsError('geometric mean requires a non-empty dataset containing positive numbers');
  return Math.exp(call(std('math').fsum, items.map(Math.log)) / items.length);
}

function harmonicMean(xs: unknown): Num {
  const items = [...iter(xs)].map(real);
  if (items.length === 0) throw new StatisticsError('harmonic_mean requires at least one data point');
  if (items.some((x) => x < 0)) throw new StatisticsError('harmonic mean does not support negative values');
  if (items.includes(0)) return 0;
  const sum = items.map((x) => exact(x)).reduce((total, r) => plus(total, ratio(r.d, r.n)), zero);
  return divideNumbers(BigInt(items.length) * sum.d, sum.n);
}

function products(
  xs: unknown,
  ys: unknown,
  name: string,
): { sxy: Ratio; sxx: Ratio; syy: Ratio; x: Ratio; y: Ratio; n: number } {
  const [a, b] = [
    itemsOf(xs).map((x) => exact(asNumber(x) ?? real(x))),
    itemsOf(ys).map((y) => exact(asNumber(y) ?? real(y))),
  ];
  if (a.length !== b.length)
    throw new StatisticsError(`${name} requires that both inputs have same number of data points`);
  if (a.length < 2) throw new StatisticsError(`${name} requires at least two data points`);
  const x = over(a.reduce(plus, zero), BigInt(a.length));
  const y = over(b.reduce(plus, zero), BigInt(b.length));
  const sum = (f: (i: number) => Ratio) => a.map((_, i) => f(i)).reduce(plus, zero);
  return {
    sxy: sum((i) => times(minus(a[i]!, x), minus(b[i]!, y))),
    sxx: sum((i) => times(minus(a[i]!, x), minus(a[i]!, x))),
    syy: sum((i) => times(minus(b[i]!, y), minus(b[i]!, y))),
    x,
    y,
    n: a.length,
  };
}

const toNumber = (r: Ratio) => divideNumbers(r.n, r.d);

function correlation(xs: unknown, ys: unknown): number {
  const p = products(xs, ys, 'correlation');
  const scale = Math.sqrt(toNumber(p.sxx) * toNumber(p.syy));
  if (scale === 0) throw new StatisticsError('at least one of the inputs is constant');
  return toNumber(p.sxy) / scale;
}

const LinearRegression = makeNamedTuple('LinearRegression', ['slope', 'intercept'], { module: 'statistics' });

function linearRegression(xs: unknown, ys: unknown): unknown {
  const p = products(xs, ys, 'linear regression');
  if (p.sxx.n === 0n) throw new StatisticsError('x is constant');
  const slope = toNumber(p.sxy) / toNumber(p.sxx);
  return new LinearRegression([slope, toNumber(p.y) - slope * toNumber(p.x)]);
}

/** A normal distribution. */
// Wichura's algorithm AS 241 (PPND16): three rational approximations, for the middle and the two ranges of the tails.
const middle = {
  top: [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
    133.14166789178438, 3.3871328727963665,
  ],
  bottom: [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
    42.31333070160091, 1,
  ],
};
const near = {
  top: [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  bottom: [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
};
const far = {
  top: [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
    1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  bottom: [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615,
    0.1369298809227358, 0.599832206555888, 1,
  ],
};

function rational(f: { readonly top: readonly number[]; readonly bottom: readonly number[] }, r: number): number {
  const at = (terms: readonly number[]) => terms.reduce((sum, term) => sum * r + term, 0);
  return at(f.top) / at(f.bottom);
}

function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * rational(middle, 0.180625 - q * q);
  const r = Math.sqrt(-Math.log(q <= 0 ? p : 1 - p));
  const x = r <= 5 ? rational(near, r - 1.6) : rational(far, r - 5);
  return q < 0 ? -x : x;
}

class NormalDist {
  readonly mean: number;
  readonly stdev: number;

  constructor(mean: unknown, stdev: unknown) {
    this.mean = mean === undefined ? 0 : real(mean);
    this.stdev = stdev === undefined ? 1 : real(stdev);
    if (this.stdev < 0) throw new StatisticsError('sigma must be non-negative');
  }

  get variance(): number {
    return this.stdev ** 2;
  }

  get median(): number {
    return this.mean;
  }

  pdf(x: unknown): number {
    const d = real(x) - this.mean;
    return Math.exp((d * d) / (-2 * this.variance)) / Math.sqrt(2 * Math.PI * this.variance);
  }

  cdf(x: unknown): number {
    return 0.5 * (1 + std('math').erf((real(x) - this.mean) / (this.stdev * Math.SQRT2)));
  }

  inv_cdf(p: unknown): number {
    const chance = real(p);
    if (chance <= 0 || chance >= 1) throw new StatisticsError('p must be in the range 0.0 < p < 1.0');
    return this.mean + this.stdev * normalQuantile(chance);
  }

  samples(n: unknown): number[] {
    return Array.from({ length: Number(n) }, () => this.inv_cdf(Math.random() || 0.5));
  }

  quantiles(n?: unknown): number[] {
    const parts = n === undefined ? 4 : Number(n);
    return Array.from({ length: parts - 1 }, (_, i) => this.inv_cdf((i + 1) / parts));
  }

  zscore(x: unknown): number {
    return (real(x) - this.mean) / this.stdev;
  }

  __repr__(): string {
    return `NormalDist(mu=${std('builtins').repr(this.mean)}, sigma=${std('builtins').repr(this.stdev)})`;
  }
}
nativeClass(NormalDist, { name: 'NormalDist', module: 'statistics', params: 'mu=0.0, sigma=1.0' });

export function makeStatistics(): Members {
  return {
    StatisticsError,
    NormalDist,
    LinearRegression,
    ...functions('statistics', {
      correlation: ['x, y, /, *, method="linear"', correlation],
      covariance: [
        'x, y, /',
        (xs: unknown, ys: unknown) => {
          const p = products(xs, ys, 'covariance');
          return toNumber(over(p.sxy, BigInt(p.n - 1)));
        },
      ],
      fmean: ['data, weights=None', fmean],
      geometric_mean: ['data', geometricMean],
      harmonic_mean: ['data, weights=None', harmonicMean],
      linear_regression: ['x, y, /, *, proportional=False', linearRegression],
      mean: ['data', mean],
      median: ['data', (xs: unknown) => median(xs, 'mean')],
      median_grouped: ['data, interval=1', medianGrouped],
      median_high: ['data', (xs: unknown) => median(xs, 'high')],
      median_low: ['data', (xs: unknown) => median(xs, 'low')],
      mode: ['data', mode],
      multimode: ['data', modes],
      pstdev: ['data, mu=None', (xs: unknown, mu: unknown) => root(spread(xs, mu, false, 'pstdev').result)],
      pvariance: [
        'data, mu=None',
        (xs: unknown, mu: unknown) => {
          const s = spread(xs, mu, false, 'pvariance');
          return value(s.result, s.ints);
        },
      ],
      quantiles: ['data, *, n=4, method="exclusive"', quantiles],
      stdev: ['data, xbar=None', (xs: unknown, xbar: unknown) => root(spread(xs, xbar, true, 'stdev').result)],
      variance: [
        'data, xbar=None',
        (xs: unknown, xbar: unknown) => {
          const s = spread(xs, xbar, true, 'variance');
          return value(s.result, s.ints);
        },
      ],
    }),
  };
}

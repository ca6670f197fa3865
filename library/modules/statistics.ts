/** Module `statistics`. Sums are exact: every float is a ratio of whole numbers. */

import { functions, type Members } from '../builtins/module.ts';
import { makeNamedTuple } from '../builtins/namedtuple.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { real } from '../builtins/real.ts';
import { std } from '../registry.ts';
import { call } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { itemsOf, iter } from '../values/containers/iteration.ts';
import { tuple } from '../values/containers/tuple.ts';
import { boxed, isFloat } from '../values/numbers/float-box.ts';
import { exactDecimal, floatRepr } from '../values/numbers/float-text.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { absolute, asNumber, demote, divideNumbers, type Num } from '../values/numbers/numbers.ts';
import { nameException, TypeError, ValueError } from '../values/objects/exceptions.ts';
import { hashNumber } from '../values/objects/hashing.ts';
import { callMethod } from '../values/objects/methods.ts';
import { add, div, mul } from '../values/objects/operators.ts';
import { sortItems } from '../values/objects/ordering.ts';
import { reprOf } from '../values/objects/repr.ts';
import { NotImplemented } from '../values/objects/singletons.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';
import { exp, log } from './math/exponentials.ts';
import { gcd, isqrt } from './math/math.ts';
import { erf } from './math/special-functions.ts';

class StatisticsError extends ValueError {}
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

type Kind = 'int' | 'float' | 'Decimal' | 'Fraction';

/** An int when the data are ints and the result is whole, a decimal or fraction when they are such, else the nearest float. */
function value(r: Ratio, kind: Kind): unknown {
  if (kind === 'int' && r.d === 1n) return demote(r.n);
  if (kind === 'Fraction') return call(std('fractions').Fraction, demote(r.n), demote(r.d));
  if (kind === 'Decimal') {
    const Decimal = std('decimal').Decimal;
    return div(call(Decimal, demote(r.n)), call(Decimal, demote(r.d)));
  }
  return boxed(divideNumbers(r.n, r.d));
}

interface Data {
  readonly items: readonly Ratio[];
  readonly kind: Kind;
  readonly sum: Ratio;
  /** The sum when there are infinities and what is no number among the data. */
  readonly endless: number | undefined;
}

function read(xs: unknown, name: string): Data {
  const given = [...iter(xs)];
  if (given.length === 0) throw new StatisticsError(name);
  const endless = given.filter((x) => typeof x === 'number' && !Number.isFinite(x)) as number[];
  const items = endless.length > 0 ? given.map(() => zero) : given.map(exactOf);
  return {
    items,
    kind: given.map(kindOf).reduce(widest),
    sum: items.reduce(plus, zero),
    endless: endless.length > 0 ? endless.reduce((a, b) => a + b) : undefined,
  };
}

function kindOf(x: unknown): Kind {
  const n = asNumber(x);
  if (n !== undefined) return isFloat(x) ? 'float' : 'int';
  const name = typeName(x);
  return name === 'Decimal' || name === 'Fraction' ? name : 'float';
}

const widest = (a: Kind, b: Kind): Kind => (a === b || b === 'int' ? a : a === 'int' ? b : 'float');

function exactOf(x: any): Ratio {
  const n = asNumber(x);
  if (n !== undefined) return exact(n);
  if (typeof x?.as_integer_ratio === 'function') {
    const [top, bottom] = itemsOf(x.as_integer_ratio());
    return { n: BigInt(top as Num), d: BigInt(bottom as Num) };
  }
  if (typeof x?.__float__ === 'function') return exact(real(x));
  throw new TypeError(`can't convert type '${typeName(x)}' to numerator/denominator`);
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
  return data.endless ?? value(over(data.sum, BigInt(data.items.length)), data.kind);
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
  return data.items.map((x) => minus(x, middle)).reduce((sum, d) => plus(sum, times(d, d)), zero);
}

function spread(xs: unknown, center: unknown, sample: boolean, name: string): { result: Ratio; kind: Kind } {
  const least = sample ? 2 : 1;
  const items = [...iter(xs)];
  if (items.length < least)
    throw new StatisticsError(`${name} requires at least ${sample ? 'two data points' : 'one data point'}`);
  const data = read(items, name);
  const given = center === undefined || center === null ? undefined : exactOf(center);
  return { result: over(squares(data, given), BigInt(items.length - (sample ? 1 : 0))), kind: data.kind };
}

function variance(xs: unknown, center: unknown, sample: boolean, name: string): unknown {
  const { result, kind } = spread(xs, center, sample, name);
  return value(result, kind);
}

function deviation(xs: unknown, center: unknown, sample: boolean, name: string): unknown {
  const { result, kind } = spread(xs, center, sample, name);
  return kind === 'Decimal' ? callMethod(value(result, kind), 'sqrt') : boxed(root(result));
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
  const parts = n === undefined ? 4 : requireSize(n);
  if (parts < 1) throw new StatisticsError('n must be at least 1');
  const items = [...iter(xs)];
  sortItems(items, false);
  if (items.length < 2) throw new StatisticsError('must have at least two data points');
  if (method !== undefined && method !== 'inclusive' && method !== 'exclusive')
    throw new ValueError(`Unknown method: ${reprOf(method)}`);
  const inclusive = method === 'inclusive';
  const m = inclusive ? items.length - 1 : items.length + 1;
  return Array.from({ length: parts - 1 }, (_, k) => {
    const i = k + 1;
    let j = Math.floor((i * m) / parts);
    if (!inclusive) j = Math.max(1, Math.min(items.length - 1, j));
    const delta = i * m - j * parts;
    const [a, b] = inclusive ? [items[j], items[j + 1] ?? items[j]] : [items[j - 1], items[j]];
    return div(add(mul(a, parts - delta), mul(b, delta)), parts);
  });
}

function geometricMean(xs: unknown): number {
  const items = [...iter(xs)].map(real);
  if (items.length === 0) throw new StatisticsError('must have a non-empty dataset');
  if (items.some((x) => x <= 0))
    throw new StatisticsError('geometric mean requires a non-empty dataset containing positive numbers');
  return exp(call(std('math').fsum, items.map(log)) / items.length);
}

function harmonicMean(xs: unknown, weights: unknown): unknown {
  const items = [...iter(xs)];
  if (items.length === 0) throw new StatisticsError('harmonic_mean requires at least one data point');
  const given = weights === undefined || weights === null ? undefined : [...iter(weights)];
  if (given !== undefined && given.length !== items.length)
    throw new StatisticsError('Number of weights does not match data size');
  for (const x of [...items, ...(given ?? [])])
    if (exactOf(x).n < 0n) throw new StatisticsError('harmonic mean does not support negative values');
  if (given === undefined && items.length === 1) return items[0];
  const shares = items.map((x, i) => [given?.[i] ?? 1, x] as const).filter(([w]) => exactOf(w).n !== 0n);
  if (shares.some(([, x]) => exactOf(x).n === 0n)) return 0;
  const sum = (given ?? items.map(() => 1)).map(exactOf).reduce(plus, zero);
  if (shares.length === 0) throw new StatisticsError('Weighted sum must be positive');
  const total = read(
    shares.map(([w, x]) => div(w, x)),
    'harmonic_mean',
  );
  return value(ratio(sum.n * total.sum.d, sum.d * total.sum.n), total.kind === 'int' ? 'float' : total.kind);
}

function products(
  xs: unknown,
  ys: unknown,
  name: string,
): { sxy: Ratio; sxx: Ratio; syy: Ratio; x: Ratio; y: Ratio; n: number } {
  const [a, b] = [itemsOf(xs).map(exactOf), itemsOf(ys).map(exactOf)];
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

function correlation(xs: unknown, ys: unknown, method?: unknown): number {
  if (method !== undefined && method !== 'linear' && method !== 'ranked')
    throw new ValueError(`Unknown method: ${reprOf(method)}`);
  const p = method === 'ranked' ? products(ranks(xs), ranks(ys), 'correlation') : products(xs, ys, 'correlation');
  const scale = Math.sqrt(toNumber(p.sxx) * toNumber(p.syy));
  if (scale === 0) throw new StatisticsError('at least one of the inputs is constant');
  return toNumber(p.sxy) / scale;
}

/** Places in order, from 1; what is equal shares the middle of its places. */
function ranks(xs: unknown): number[] {
  const items = itemsOf(xs).map(real);
  const sorted = [...items].sort((a, b) => a - b);
  return items.map((x) => (sorted.indexOf(x) + sorted.lastIndexOf(x)) / 2 + 1);
}

const LinearRegression = makeNamedTuple('LinearRegression', ['slope', 'intercept'], { module: 'statistics' });

function linearRegression(xs: unknown, ys: unknown, proportional?: unknown): unknown {
  const p = products(xs, ys, 'linear regression');
  if (truth(proportional ?? false)) {
    const b = itemsOf(ys).map(exactOf);
    const a = itemsOf(xs).map(exactOf);
    const top = a.map((x, i) => times(x, b[i]!)).reduce(plus, zero);
    const bottom = a.map((x) => times(x, x)).reduce(plus, zero);
    return new LinearRegression([toNumber(top) / toNumber(bottom), 0].map(boxed));
  }
  if (p.sxx.n === 0n) throw new StatisticsError('x is constant');
  const slope = toNumber(p.sxy) / toNumber(p.sxx);
  return new LinearRegression([slope, toNumber(p.y) - slope * toNumber(p.x)].map(boxed));
}

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
  const r = Math.sqrt(-log(q <= 0 ? p : 1 - p));
  const x = r <= 5 ? rational(near, r - 1.6) : rational(far, r - 5);
  return q < 0 ? -x : x;
}

/** A normal distribution. */
class NormalDist {
  readonly $mean: number;
  readonly $stdev: number;

  constructor(mean: unknown, stdev: unknown) {
    this.$mean = mean === undefined ? 0 : real(mean);
    this.$stdev = stdev === undefined ? 1 : real(stdev);
    if (this.$stdev < 0) throw new StatisticsError('sigma must be non-negative');
  }

  get mean(): unknown {
    return boxed(this.$mean);
  }

  get stdev(): unknown {
    return boxed(this.$stdev);
  }

  get variance(): unknown {
    return boxed(this.$variance);
  }

  get $variance(): number {
    return this.$stdev ** 2;
  }

  get median(): unknown {
    return this.mean;
  }

  get mode(): unknown {
    return this.mean;
  }

  $wide(what: string): void {
    if (this.$stdev === 0) throw new StatisticsError(`${what} not defined when sigma is zero`);
  }

  pdf(x: unknown): unknown {
    this.$wide('pdf()');
    const d = real(x) - this.$mean;
    return boxed(exp((d * d) / (-2 * this.$variance)) / Math.sqrt(2 * Math.PI * this.$variance));
  }

  cdf(x: unknown): unknown {
    return boxed(this.$cdf(real(x)));
  }

  $cdf(x: number): number {
    this.$wide('cdf()');
    return 0.5 * (1 + erf((x - this.$mean) / (this.$stdev * Math.SQRT2)));
  }

  inv_cdf(p: unknown): unknown {
    const chance = real(p);
    if (chance <= 0 || chance >= 1) throw new StatisticsError('p must be in the range 0.0 < p < 1.0');
    return boxed(this.$mean + this.$stdev * normalQuantile(chance));
  }

  samples(n: unknown, seed?: unknown): unknown[] {
    const source = seed === undefined || seed === null ? std('random') : call(std('random').Random, seed);
    return Array.from({ length: requireSize(n) }, () => callMethod(source, 'gauss', this.$mean, this.$stdev));
  }

  /** The part of the area that both curves cover: they cross once where they are equally wide, else twice. */
  overlap(other: unknown): unknown {
    if (!(other instanceof NormalDist)) throw new TypeError('Expected another NormalDist instance');
    const isNarrower = this.$stdev < other.$stdev || (this.$stdev === other.$stdev && this.$mean <= other.$mean);
    const [a, b] = isNarrower ? [this, other] : [other, this];
    if (a.$stdev === 0) throw new StatisticsError('overlap() not defined when sigma is zero');
    const [spread, apart] = [b.$variance - a.$variance, Math.abs(b.$mean - a.$mean)];
    if (spread === 0) return boxed(1 - erf(apart / (2 * a.$stdev * Math.SQRT2)));
    const middle = a.$mean * b.$variance - b.$mean * a.$variance;
    const reach = a.$stdev * b.$stdev * Math.sqrt(apart * apart + spread * log(b.$variance / a.$variance));
    const gap = (x: number) => Math.abs(b.$cdf(x) - a.$cdf(x));
    return boxed(1 - (gap((middle + reach) / spread) + gap((middle - reach) / spread)));
  }

  __add__(other: unknown): unknown {
    return this.$moved(other, 1);
  }

  __radd__(other: unknown): unknown {
    return this.$moved(other, 1);
  }

  __sub__(other: unknown): unknown {
    return this.$moved(other, -1);
  }

  __rsub__(other: unknown): unknown {
    return this.__neg__().$moved(other, 1);
  }

  $moved(other: unknown, sign: number): unknown {
    if (other instanceof NormalDist)
      return new NormalDist(this.$mean + sign * other.$mean, Math.hypot(this.$stdev, other.$stdev));
    const n = asNumber(other);
    return n === undefined ? NotImplemented : new NormalDist(this.$mean + sign * Number(n), this.$stdev);
  }

  __mul__(other: unknown): unknown {
    const n = asNumber(other);
    return n === undefined ? NotImplemented : new NormalDist(this.$mean * Number(n), this.$stdev * Math.abs(Number(n)));
  }

  __rmul__(other: unknown): unknown {
    return this.__mul__(other);
  }

  __truediv__(other: unknown): unknown {
    const n = asNumber(other);
    if (n === undefined) return NotImplemented;
    return new NormalDist(div(this.$mean, other), div(this.$stdev, absolute(n)));
  }

  __neg__(): NormalDist {
    return new NormalDist(-this.$mean, this.$stdev);
  }

  __pos__(): NormalDist {
    return new NormalDist(this.$mean, this.$stdev);
  }

  __eq__(other: unknown): unknown {
    return other instanceof NormalDist ? this.$mean === other.$mean && this.$stdev === other.$stdev : NotImplemented;
  }

  __hash__(): number {
    return hashNumber(tuple(this.$mean, this.$stdev));
  }

  quantiles(n?: unknown): unknown[] {
    const parts = n === undefined ? 4 : Number(n);
    return Array.from({ length: parts - 1 }, (_, i) => this.inv_cdf((i + 1) / parts));
  }

  zscore(x: unknown): unknown {
    this.$wide('zscore()');
    return boxed((real(x) - this.$mean) / this.$stdev);
  }

  __repr__(): string {
    return `NormalDist(mu=${floatRepr(this.$mean)}, sigma=${floatRepr(this.$stdev)})`;
  }
}
nativeClass(NormalDist, {
  name: 'NormalDist',
  module: 'statistics',
  params: 'mu=0.0, sigma=1.0',
  methods: {
    pdf: 'x',
    cdf: 'x',
    inv_cdf: 'p',
    zscore: 'x',
    quantiles: 'n=4',
    overlap: 'other',
    samples: 'n, *, seed=None',
  },
  classMethods: {
    from_samples: [
      'data',
      (cls: any, xs: unknown) => {
        const items = [...iter(xs)];
        return call(cls, mean(items), deviation(items, undefined, true, 'stdev'));
      },
    ],
  },
});

export function makeStatistics(): Members {
  return {
    StatisticsError,
    NormalDist,
    LinearRegression,
    ...functions(
      'statistics',
      {
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
        pstdev: ['data, mu=None', (xs: unknown, mu: unknown) => deviation(xs, mu, false, 'pstdev')],
        pvariance: ['data, mu=None', (xs: unknown, mu: unknown) => variance(xs, mu, false, 'pvariance')],
        quantiles: ['data, *, n=4, method="exclusive"', quantiles],
        stdev: ['data, xbar=None', (xs: unknown, xbar: unknown) => deviation(xs, xbar, true, 'stdev')],
        variance: ['data, xbar=None', (xs: unknown, xbar: unknown) => variance(xs, xbar, true, 'variance')],
      },
      'correlation covariance fmean geometric_mean median_grouped',
    ),
  };
}

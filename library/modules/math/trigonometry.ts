/**
 * Circular functions and their inverses to the last digit; JavaScript's are off by one unit in the last place for one argument in fifteen.
 * A table and short series decide nearly all arguments (error below 2^-66), a series of pairs the rest. Inverse functions correct what
 * JavaScript gives by the angle that is missing.
 */
import { add, divide, multiply, negate, type Pair, product2, quickSum, sum2 } from '../../values/containers/pairs.ts';

/** pi/2 in four parts; multiples of the first three are exact up to 2^20. */
const quarter = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32] as const;
const mostQuarters = 2 ** 20;

/** Sine and cosine, each a sum of two parts and the most that it may be off. */
interface Direction {
  readonly sine: Pair;
  readonly cosine: Pair;
  readonly sineError: number;
  readonly cosineError: number;
}

/** `x` less `quarters` times pi/2 is `rest`, at most pi/4. */
function reduce(x: number): { quarters: number; rest: Pair } {
  const n = Math.abs(x) <= Math.PI / 4 ? 0 : Math.round(x / (Math.PI / 2));
  if (n === 0) return { quarters: 0, rest: [x, 0] };
  const near = add(sum2(x, -n * quarter[0]), [-n * quarter[1], 0]);
  return { quarters: n & 3, rest: add(near, [-n * quarter[2], -n * quarter[3]]) };
}

function turned(quarters: number, at: Direction): Direction {
  const { sine, cosine, sineError, cosineError } = at;
  const swapped = { sineError: cosineError, cosineError: sineError };
  if (quarters === 0) return at;
  if (quarters === 1) return { sine: cosine, cosine: negate(sine), ...swapped };
  if (quarters === 2) return { sine: negate(sine), cosine: negate(cosine), sineError, cosineError };
  return { sine: negate(cosine), cosine: sine, ...swapped };
}

/** The series of sine (`first` 1) or of cosine less 1 (`first` 2), for at most pi/4. */
function series(x: Pair, first: 1 | 2): Pair {
  const square = multiply(x, x);
  let sum: Pair = [1, 0];
  for (let n = first + 28; n > first; n -= 2)
    sum = add([1, 0], negate(divide(multiply(sum, square), [n * (n - 1), 0])));
  return first === 1 ? multiply(x, sum) : multiply(sum, divide(square, [-2, 0]));
}

function exactDirection(x: number): Direction {
  const { quarters, rest } = reduce(x);
  const error = 2 ** -98;
  const cosine = add([1, 0], series(rest, 2));
  return turned(quarters, { sine: series(rest, 1), cosine, sineError: error, cosineError: error });
}

/** Sines and cosines of i/128, each with the part that a double leaves; filled when first used. */
let table: Float64Array | undefined;

function makeTable(): Float64Array {
  const made = new Float64Array(4 * 102);
  for (let i = 0; i < 102; i += 1) {
    const { sine, cosine } = exactDirection(i / 128);
    made.set([...sine, ...cosine], 4 * i);
  }
  return made;
}

function direction(x: number): Direction {
  const { quarters, rest } = reduce(x);
  table ??= makeTable();
  const isNegative = rest[0] < 0;
  const [high, low] = isNegative ? negate(rest) : rest;
  const i = Math.round(high * 128);
  const t = high - i / 128;
  const square = t * t;
  const sineRest = t * square * (-1 / 6 + square * (1 / 120 - square / 5040)) + low * (1 - square / 2);
  const cosineRest = square * (-0.5 + square * (1 / 24 - square / 720)) - t * low;
  const [s, sLow, c, cLow] = [table[4 * i]!, table[4 * i + 1]!, table[4 * i + 2]!, table[4 * i + 3]!];
  const sine = i === 0 ? quickSum(t, sineRest) : besides(s, sLow, c, cLow, t, sineRest, cosineRest);
  const cosine = besides(c, cLow, -s, -sLow, t, sineRest, cosineRest);
  const sineError = i === 0 ? Math.abs(t) * 2 ** -66 : 2 ** -66;
  const found = { sine: isNegative ? negate(sine) : sine, cosine, sineError, cosineError: 2 ** -66 };
  return turned(quarters, found);
}

// `a cos t + b sin t`
function besides(a: number, aLow: number, b: number, bLow: number, t: number, sine: number, cosine: number): Pair {
  const [p, lost] = product2(b, t);
  const [high, low] = sum2(a, p);
  return quickSum(high, low + (lost + bLow * t + b * sine + a * cosine + aLow));
}

/** The sum, when an error of at most `error` does not change how it is rounded. */
function rounded(high: number, low: number, error: number): number | undefined {
  const result = high + (low + error);
  return result === high + (low - error) ? result : undefined;
}

const total = ([high, low]: Pair): number => high + low;

/** JavaScript's own answer is as good for these: nothing to add for tiny ones, and huge ones are not reduced here. */
const isExtreme = (x: number) => !(Math.abs(x) > 1e-8 && Math.abs(x) < mostQuarters);

export function sin(x: number): number {
  if (isExtreme(x)) return Math.sin(x);
  const { sine, sineError } = direction(x);
  return rounded(sine[0], sine[1], sineError) ?? total(exactDirection(x).sine);
}

export function cos(x: number): number {
  if (isExtreme(x)) return Math.cos(x);
  const { cosine, cosineError } = direction(x);
  return rounded(cosine[0], cosine[1], cosineError) ?? total(exactDirection(x).cosine);
}

export function tan(x: number): number {
  if (isExtreme(x)) return Math.tan(x);
  const { sine, cosine, sineError, cosineError } = direction(x);
  const [high, low] = divide(sine, cosine);
  const error = Math.abs(high) * (sineError / Math.abs(sine[0]) + cosineError / Math.abs(cosine[0]) + 2 ** -90);
  if (error < Infinity) {
    const result = rounded(high, low, error);
    if (result !== undefined) return result;
  }
  const exact = exactDirection(x);
  return total(divide(exact.sine, exact.cosine));
}

/** `angle` and the little that is missing, which `missing` tells from the direction it has. */
function corrected(angle: number, missing: (at: Direction) => { by: number; error: number }): number {
  const { by, error } = missing(direction(angle));
  const result = rounded(angle, by, error);
  return result ?? angle + missing(exactDirection(angle)).by;
}

// a * p - b * q, of parts that nearly cancel
function difference(a: number, p: Pair, b: number, q: Pair): number {
  const [first, firstLost] = product2(a, p[0]);
  const [second, secondLost] = product2(b, q[0]);
  const [high, low] = sum2(first, -second);
  return high + (low + (firstLost - secondLost) + (a * p[1] - b * q[1]));
}

const nearness = (angle: number) => Math.min(1, 4 * Math.abs(angle)) * 2 ** -63;

export function atan(x: number): number {
  return Math.abs(x) < 1e15 ? atan2(x, 1) : Math.atan(x);
}

export function atan2(y: number, x: number): number {
  const angle = Math.atan2(y, x);
  const [p, q] = [Math.abs(y), Math.abs(x)];
  if (isExtreme(angle) || !(p > q * 1e-15 && p < q * 1e15)) return angle;
  const scale = 2 ** -Math.floor(Math.log2(Math.max(p, q)));
  if (!(scale > 1e-290 && scale < 1e290)) return angle;
  const [rise, run] = [y * scale, x * scale];
  return corrected(angle, ({ sine, cosine }) => ({
    by: difference(rise, cosine, run, sine) / (run * cosine[0] + rise * sine[0]),
    error: nearness(angle),
  }));
}

export function asin(x: number): number {
  const angle = Math.asin(x);
  if (isExtreme(angle) || Math.abs(x) === 1) return angle;
  return corrected(angle, ({ sine, cosine }) => ({
    by: (x - sine[0] - sine[1]) / cosine[0],
    error: nearness(angle) / Math.abs(cosine[0]),
  }));
}

export function acos(x: number): number {
  const angle = Math.acos(x);
  if (isExtreme(angle) || x === -1) return angle;
  return corrected(angle, ({ sine, cosine }) => ({
    by: (cosine[0] - x + cosine[1]) / sine[0],
    error: nearness(1) / Math.abs(sine[0]),
  }));
}

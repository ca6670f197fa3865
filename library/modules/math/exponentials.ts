/** Exponentials and logarithms to the last digit: a table and a short series, and the long way where those cannot decide. */
import { divide, multiply, type Pair, product2, quickSum, scale, sum2 } from '../../values/containers/pairs.ts';
import { expPair, fromPower, ln2, logPair, ordinary } from '../../values/numbers/precise.ts';

// Tables of 2^(i/64) and log(i/128), high part first, filled on first use.
let powers: Float64Array | undefined;
let logs: Float64Array | undefined;

function powerTable(): Float64Array {
  const table = new Float64Array(128);
  for (let i = 0; i < 64; i += 1) {
    const { value, power } = expPair(scale([ln2[0], ln2[1]], i / 64));
    table[2 * i] = value[0] * 2 ** power;
    table[2 * i + 1] = value[1] * 2 ** power;
  }
  return table;
}

function logTable(): Float64Array {
  const table = new Float64Array(512);
  for (let i = 64; i < 256; i += 1) {
    const value = logPair([i / 128, 0]);
    table[2 * i] = value[0];
    table[2 * i + 1] = value[1];
  }
  return table;
}

// The leading 32 bits of ln2/64, so that multiples of it are exact, and the rest.
const stepHigh = 0.01083042468962958;
const stepLow = ln2[0] / 64 - stepHigh + ln2[1] / 64;

/** `e ** x`: a table and a short series; where those cannot decide the last digit, the long way. */
export function exp(x: number): number {
  if (!(Math.abs(x) > 1e-9 && Math.abs(x) < 650)) return Math.exp(x);
  powers ??= powerTable();
  const k = Math.round(x / (ln2[0] / 64));
  const r = x - k * stepHigh - k * stepLow;
  const series = r + r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r / 720))));
  const i = k & 63;
  const high = powers[2 * i]!;
  const rest = powers[2 * i + 1]! + high * series;
  const margin = high * 2 ** -59;
  const result = high + (rest + margin);
  if (result === high + (rest - margin)) return result * 2 ** (k >> 6);
  const { value, power } = expPair([x, 0]);
  return fromPower(value, power);
}

/** The logarithm as two parts, and the most they are off; undefined near 1, where they would not be enough. */
function quickLog(x: number): readonly [high: number, rest: number, error: number] | undefined {
  logs ??= logTable();
  let k = Math.round(Math.log2(x));
  let z = x / 2 ** k;
  if (z > 1.5) {
    k += 1;
    z /= 2;
  } else if (z < 0.7) {
    k -= 1;
    z *= 2;
  }
  const i = Math.round(z * 128);
  if (k === 0 && i >= 120 && i <= 136) return undefined;
  const c = i / 128;
  const r = (z - c) / c;
  const series = r - r * r * (0.5 - r * (1 / 3 - r * (0.25 - r * (0.2 - r * (1 / 6 - r / 7)))));
  const [shift, lost] = product2(k, ln2[0]);
  const [high, carry] = sum2(shift, logs[2 * i]!);
  const rest = carry + lost + k * ln2[1] + logs[2 * i + 1]! + series;
  return [high, rest, Math.abs(high) * 2 ** -58 + 2 ** -61];
}

export function log(x: number): number {
  if (!ordinary(x) || x === 1) return Math.log(x);
  const quick = quickLog(x);
  if (quick !== undefined) {
    const [high, rest, error] = quick;
    const result = high + (rest + error);
    if (result === high + (rest - error)) return result;
  }
  const value = logPair([x, 0]);
  return value[0] + value[1];
}

const perLn2: Pair = divide([1, 0], [ln2[0], ln2[1]]);

export function log2(x: number): number {
  if (!ordinary(x)) return Math.log2(x);
  const whole = Math.round(Math.log2(x));
  if (x === 2 ** whole) return whole;
  const quick = quickLog(x);
  if (quick !== undefined) {
    const [high, low] = multiply(quickSum(quick[0], quick[1]), perLn2);
    const error = quick[2] * 1.5;
    const result = high + (low + error);
    if (result === high + (low - error)) return result;
  }
  const value = multiply(logPair([x, 0]), perLn2);
  return value[0] + value[1];
}

/** Computes by the recipe of fdlibm's e_log10.c, which C libraries share: the power of two apart from the rest. */
export function log10(x: number): number {
  if (!ordinary(x)) return Math.log10(x);
  let k = Math.floor(Math.log2(x));
  if (2 ** k > x) k -= 1;
  else if (2 ** (k + 1) <= x) k += 1;
  const y = k < 0 ? k + 1 : k;
  const rest = y * 3.694239077158931e-13 + Math.LOG10E * log(x / 2 ** y);
  return rest + y * 0.30102999566361177;
}

// Half of e^x + e^-x, as C libraries compute it.
export function cosh(x: number): number {
  const size = Math.abs(x);
  if (size < 0.34657359027997264) {
    const t = Math.expm1(size);
    return size < 2 ** -55 ? 1 : 1 + (t * t) / (2 * (1 + t));
  }
  if (size >= 22) return size < 650 ? 0.5 * exp(size) : Math.cosh(x);
  const t = exp(size);
  return 0.5 * t + 0.5 / t;
}

export function acosh(x: number): number {
  if (x > 2 ** 28) return log(x) + ln2[0];
  if (x > 2) return log(2 * x - 1 / (x + Math.sqrt(x * x - 1)));
  const t = x - 1;
  return x === 1 ? 0 : Math.log1p(t + Math.sqrt(2 * t + t * t));
}

export function asinh(x: number): number {
  const size = Math.abs(x);
  if (size < 2 ** -28 || !Number.isFinite(x)) return x;
  const square = size * size;
  const value =
    size > 2 ** 28
      ? log(size) + ln2[0]
      : size > 2
        ? log(2 * size + 1 / (Math.sqrt(square + 1) + size))
        : Math.log1p(size + square / (1 + Math.sqrt(1 + square)));
  return x < 0 ? -value : value;
}

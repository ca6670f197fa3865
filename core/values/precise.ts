/**
 * Powers, exponentials and logarithms to the last digit. JavaScript's are off by one unit in the last place for up to a tenth of arguments,
 * which shows when a float is printed in full; these compute with pairs of doubles (about 106 bits) where that is needed and round
 * once. A pair `[high, low]` stands for the sum of its parts.
 */

type Pair = readonly [number, number];

// biome-ignore lint/suspicious/noApproximativeNumericConstant: the first of three parts
const ln2: readonly [number, number, number] = [0.6931471805599453, 2.3190468138462996e-17, 5.707708438416212e-34];

function sum2(a: number, b: number): Pair {
  const s = a + b;
  const t = s - a;
  return [s, a - (s - t) + (b - t)];
}

// |a| >= |b|
function quickSum(a: number, b: number): Pair {
  const s = a + b;
  return [s, b - (s - a)];
}

function product2(a: number, b: number): Pair {
  const p = a * b;
  const x = 134217729 * a;
  const aHigh = x - (x - a);
  const aLow = a - aHigh;
  const y = 134217729 * b;
  const bHigh = y - (y - b);
  const bLow = b - bHigh;
  return [p, aHigh * bHigh - p + aHigh * bLow + aLow * bHigh + aLow * bLow];
}

function add(a: Pair, b: Pair): Pair {
  const [s, e] = sum2(a[0], b[0]);
  const [t, f] = sum2(a[1], b[1]);
  const [u, v] = quickSum(s, e + t);
  return quickSum(u, v + f);
}

function multiply(a: Pair, b: Pair): Pair {
  const [p, e] = product2(a[0], b[0]);
  return quickSum(p, e + (a[0] * b[1] + a[1] * b[0]));
}

function scale(a: Pair, factor: number): Pair {
  const [p, e] = product2(a[0], factor);
  return quickSum(p, e + a[1] * factor);
}

function negate(a: Pair): Pair {
  return [-a[0], -a[1]];
}

function divide(a: Pair, b: Pair): Pair {
  const q1 = a[0] / b[0];
  let rest = add(a, negate(scale(b, q1)));
  const q2 = rest[0] / b[0];
  rest = add(rest, negate(scale(b, q2)));
  const q3 = rest[0] / b[0];
  const [high, low] = quickSum(q1, q2);
  return quickSum(high, low + q3);
}

const inverseFactorials: Pair[] = [];
for (let n = 0, f: Pair = [1, 0]; n <= 10; n += 1) {
  if (n > 0) f = divide(f, [n, 0]);
  inverseFactorials.push(f);
}

// e^x as a pair and a power of two.
function expPair(x: Pair): { value: Pair; power: number } {
  const k = Math.round(x[0] / ln2[0]);
  let r = add(x, negate(product2(k, ln2[0])));
  r = add(r, negate(product2(k, ln2[1])));
  r = add(r, [-k * ln2[2], 0]);
  const small: Pair = [r[0] / 256, r[1] / 256];
  // Taylor series of e^small - 1; doubling keeps the small number exact.
  let e: Pair = inverseFactorials[10]!;
  for (let n = 9; n >= 1; n -= 1) e = add(multiply(e, small), inverseFactorials[n]!);
  e = multiply(e, small);
  for (let n = 0; n < 8; n += 1) e = add([2 * e[0], 2 * e[1]], multiply(e, e));
  return { value: add(e, [1, 0]), power: k };
}

function logPair(x: Pair): Pair {
  const y = Math.log(x[0]);
  const { value, power } = expPair([-y, 0]);
  const scaled = multiply([value[0] * 2 ** power, value[1] * 2 ** power], x);
  const d = add(scaled, [-1, 0]);
  return add([y, 0], add(d, scale(multiply(d, d), -0.5)));
}

function fromPower(value: Pair, power: number): number {
  if (power > 1000) return (value[0] + value[1]) * 2 ** (power - 60) * 2 ** 60;
  return (value[0] + value[1]) * 2 ** power;
}

const ordinary = (x: number) => x > 1e-290 && x < 1e290;

/** `x ** y` for finite operands. */
export function precisePower(x: number, y: number): number {
  const rough = x ** y;
  const size = Math.abs(x);
  if (!ordinary(Math.abs(rough)) || !ordinary(size) || size === 1 || y === 0 || y === 1) return rough;
  if (y === 2) return x * x;
  if (y === 0.5) return Math.sqrt(x);
  if (Number.isInteger(y) && Math.abs(y) <= 1e6) {
    const raised = integerPower(size, Math.abs(y));
    if (raised === undefined) return rough;
    const result = y < 0 ? divide([1, 0], raised) : raised;
    return x < 0 && y % 2 !== 0 ? -(result[0] + result[1]) : result[0] + result[1];
  }
  if (x < 0) return rough;
  const { value, power } = expPair(scale(logPair([x, 0]), y));
  return fromPower(value, power);
}

function integerPower(x: number, n: number): Pair | undefined {
  let result: Pair = [1, 0];
  let base: Pair = [x, 0];
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(result, base);
    if (rest > 1) base = multiply(base, base);
    if (!ordinary(base[0]) || !ordinary(result[0])) return undefined;
  }
  return result;
}

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

export function log(x: number): number {
  if (!ordinary(x) || x === 1) return Math.log(x);
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
  if (k !== 0 || i < 120 || i > 136) {
    const c = i / 128;
    const r = (z - c) / c;
    const series = r - r * r * (0.5 - r * (1 / 3 - r * (0.25 - r * (0.2 - r * (1 / 6 - r / 7)))));
    const [shift, lost] = product2(k, ln2[0]);
    const [high, carry] = sum2(shift, logs[2 * i]!);
    const rest = carry + lost + k * ln2[1] + logs[2 * i + 1]! + series;
    const margin = Math.abs(high) * 2 ** -58 + 2 ** -61;
    const result = high + (rest + margin);
    if (result === high + (rest - margin)) return result;
  }
  const value = logPair([x, 0]);
  return value[0] + value[1];
}

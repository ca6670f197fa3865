/**
 * Powers to the last digit. JavaScript's are off by one unit in the last place for up to a tenth of arguments, which shows when a float is
 * printed in full; these compute with pairs of doubles where that is needed and round once.
 */
import { add, divide, multiply, negate, type Pair, product2, scale } from '../containers/pairs.ts';

export const ln2: readonly [number, number, number] = [Math.LN2, 2.3190468138462996e-17, 5.707708438416212e-34];

const inverseFactorials: Pair[] = [];
for (let n = 0, f: Pair = [1, 0]; n <= 10; n += 1) {
  if (n > 0) f = divide(f, [n, 0]);
  inverseFactorials.push(f);
}

// e^x as a pair and a power of two.
export function expPair(x: Pair): { value: Pair; power: number } {
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

export function logPair(x: Pair): Pair {
  const y = Math.log(x[0]);
  const { value, power } = expPair([-y, 0]);
  const scaled = multiply([value[0] * 2 ** power, value[1] * 2 ** power], x);
  const d = add(scaled, [-1, 0]);
  return add([y, 0], add(d, scale(multiply(d, d), -0.5)));
}

export function fromPower(value: Pair, power: number): number {
  if (power > 1000) return (value[0] + value[1]) * 2 ** (power - 60) * 2 ** 60;
  return (value[0] + value[1]) * 2 ** power;
}

export const ordinary = (x: number) => x > 1e-290 && x < 1e290;

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

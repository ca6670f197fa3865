/** `math` in the browser. */
export const {
  PI: pi,
  E: e,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  exp,
  log2,
  log10,
  hypot,
  sinh,
  cosh,
  tanh,
  cbrt,
  asinh,
  acosh,
  atanh,
  expm1,
  log1p,
} = Math;
export const inf = Infinity;
export const nan = Number.NaN;
export const tau = 2 * Math.PI;

export function log(value: number, base?: number): number {
  return base === undefined ? Math.log(value) : Math.log(value) / Math.log(base);
}
export const { floor, ceil, trunc, abs: fabs, pow } = Math;

export function isnan(value: number): boolean {
  return Number.isNaN(value);
}
export function isinf(value: number): boolean {
  return value === Infinity || value === -Infinity;
}
export function isfinite(value: number): boolean {
  return Number.isFinite(value);
}
export function degrees(value: number): number {
  return (value * 180) / Math.PI;
}
export function radians(value: number): number {
  return (value * Math.PI) / 180;
}
export function gcd(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}
export function factorial(n: number): number {
  let product = 1;
  for (let i = 2; i <= n; i += 1) product *= i;
  return product;
}
export function prod(values: Iterable<number>): number {
  let product = 1;
  for (const value of values) product *= value;
  return product;
}
export function isclose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}
export function copysign(size: number, sign: number): number {
  return Math.abs(size) * (sign < 0 || Object.is(sign, -0) ? -1 : 1);
}
export function fmod(a: number, b: number): number {
  return a % b;
}
export function perm(n: number, k: number = n): number {
  let product = 1;
  for (let i = n - k + 1; i <= n; i += 1) product *= i;
  return k > n ? 0 : product;
}
export function comb(n: number, k: number): number {
  let product = 1;
  for (let i = 1; i <= Math.min(k, n - k); i += 1) product = Math.round((product * (n - i + 1)) / i);
  return k > n ? 0 : product;
}
export function dist(p: readonly number[], q: readonly number[]): number {
  return Math.hypot(...p.map((one, i) => one - q[i]!));
}
export function lcm(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : Math.abs(a * b) / gcd(a, b);
}
export function isqrt(n: number): number {
  return Math.floor(Math.sqrt(n));
}
export function modf(value: number): [number, number] {
  return [value % 1, Math.trunc(value)];
}
/** The sum as if it were rounded once: parts that a sum loses are kept beside it. */
export function fsum(values: Iterable<number>): number {
  let parts: number[] = [];
  for (const value of values) {
    const kept: number[] = [];
    let sum = value;
    for (const part of parts) {
      const [big, small] = Math.abs(sum) < Math.abs(part) ? [part, sum] : [sum, part];
      sum = big + small;
      const lost = small - (sum - big);
      if (lost !== 0) kept.push(lost);
    }
    parts = [...kept, sum];
  }
  return parts.reduceRight((sum, part) => sum + part, 0);
}
/** `x == m * 2 ** e`, with `m` from 0.5 to below 1. */
export function frexp(value: number): [number, number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1);
  let size = value * 2 ** -exponent;
  for (; Math.abs(size) < 0.5; exponent -= 1) size *= 2;
  for (; Math.abs(size) >= 1; exponent += 1) size /= 2;
  return [size, exponent];
}
export function ldexp(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

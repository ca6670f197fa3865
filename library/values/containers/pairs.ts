/** Numbers of about 106 bits: a pair `[high, low]` of doubles stands for the sum of its parts (T. J. Dekker, 1971). */

export type Pair = readonly [number, number];

export function sum2(a: number, b: number): Pair {
  const s = a + b;
  const t = s - a;
  return [s, a - (s - t) + (b - t)];
}

// |a| >= |b|
export function quickSum(a: number, b: number): Pair {
  const s = a + b;
  return [s, b - (s - a)];
}

export function product2(a: number, b: number): Pair {
  const p = a * b;
  const x = 134217729 * a;
  const aHigh = x - (x - a);
  const aLow = a - aHigh;
  const y = 134217729 * b;
  const bHigh = y - (y - b);
  const bLow = b - bHigh;
  return [p, aHigh * bHigh - p + aHigh * bLow + aLow * bHigh + aLow * bLow];
}

export function add(a: Pair, b: Pair): Pair {
  const [s, e] = sum2(a[0], b[0]);
  const [t, f] = sum2(a[1], b[1]);
  const [u, v] = quickSum(s, e + t);
  return quickSum(u, v + f);
}

export function multiply(a: Pair, b: Pair): Pair {
  const [p, e] = product2(a[0], b[0]);
  return quickSum(p, e + (a[0] * b[1] + a[1] * b[0]));
}

export function scale(a: Pair, factor: number): Pair {
  const [p, e] = product2(a[0], factor);
  return quickSum(p, e + a[1] * factor);
}

export function negate(a: Pair): Pair {
  return [-a[0], -a[1]];
}

export function divide(a: Pair, b: Pair): Pair {
  const q1 = a[0] / b[0];
  let rest = add(a, negate(scale(b, q1)));
  const q2 = rest[0] / b[0];
  rest = add(rest, negate(scale(b, q2)));
  const q3 = rest[0] / b[0];
  const [high, low] = quickSum(q1, q2);
  return quickSum(high, low + q3);
}

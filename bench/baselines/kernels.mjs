// The kernels of apps/kernels.svc as a JavaScript author would write them by hand.
export const arithmetic = (n) => {
  let t = 0;
  for (let i = 0; i < n; i++) t = t + i * 2 - (i % 7);
  return t;
};
export const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
export const floats = (n) => {
  let x = 0.5;
  for (let i = 0; i < n; i++) x = x * 1.0000001 + i / 3;
  return x;
};
export const untyped = (n) => {
  let t = 0;
  let i = 0;
  while (i < n) {
    t = t + i * 2 - (i % 7);
    i += 1;
  }
  return t;
};
export const word_count = (words) => {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts.size;
};
export const records = (n) => {
  let total = 0;
  for (let i = 0; i < n; i++) {
    const d = new Map([
      ['name', 'n'],
      ['age', i],
      ['ok', true],
    ]);
    total += d.get('age') + d.get('name').length;
  }
  return total;
};
export const list_append_index = (n) => {
  const xs = [];
  for (let i = 0; i < n; i++) xs.push(i);
  let s = 0;
  for (let i = 0; i < n; i++) s += xs[i];
  return s;
};
export const list_iterate = (xs) => {
  let s = 0;
  for (const x of xs) s += x;
  return s;
};
export const comprehension = (xs) => {
  const ys = [];
  for (const x of xs) if (x % 3 === 0) ys.push(x * 2);
  return ys.length;
};
export const text = (n) => {
  const parts = [];
  for (let i = 0; i < n; i++) parts.push(`item ${i}`);
  return parts.join(', ').length;
};
class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  move(dx, dy) {
    this.x += dx;
    this.y += dy;
  }
}
export const fields = (n) => {
  const p = new Point(1, 2);
  for (let i = 0; i < n; i++) {
    p.x = p.x + 1;
    p.y = p.y + (p.x % 3);
  }
  return p.x + p.y;
};
export const methods = (n) => {
  const p = new Point(0, 0);
  for (let i = 0; i < n; i++) p.move(1, i % 5);
  return p.x + p.y;
};
export const closures = (n) => {
  const add = (x, y) => x + y;
  let s = 0;
  for (let i = 0; i < n; i++) s = add(s, i % 10);
  return s;
};
export const sieve = (n) => {
  const flags = new Array(n + 1).fill(true);
  let count = 0;
  for (let i = 2; i <= n; i++) {
    if (flags[i]) {
      count += 1;
      for (let j = i * i; j <= n; j += i) flags[j] = false;
    }
  }
  return count;
};

/** `random` in the browser. */
import { IndexError } from '../lang/exceptions.ts';

let next = Math.random;

export function random(): number {
  return next();
}
/** From here on the numbers are the same for the same text or number, though others than on the server. */
export function seed(value: unknown = null): void {
  let state = 0x9e3779b9;
  for (const char of String(value)) state = Math.imul(state ^ char.codePointAt(0)!, 0x85ebca6b) ^ (state >>> 13);
  next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  if (value === null) next = Math.random;
}
export function gauss(mean = 0, deviation = 1): number {
  return mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}
export function uniform(a: number, b: number): number {
  return a + (b - a) * next();
}
export function randint(a: number, b: number): number {
  return a + Math.floor(next() * (b - a + 1));
}
export function randrange(first: number, second?: number, step = 1): number {
  const [start, end] = second === undefined ? [0, first] : [first, second];
  return start + step * Math.floor(next() * Math.ceil((end - start) / step));
}
export function choice<T>(values: ArrayLike<T>): T {
  if (values.length === 0) throw new IndexError('Cannot choose from an empty sequence');
  return values[Math.floor(next() * values.length)]!;
}
export function shuffle(values: unknown[]): null {
  for (let i = values.length - 1; i > 0; i -= 1) {
    const j = randint(0, i);
    [values[i], values[j]] = [values[j], values[i]];
  }
  return null;
}
export function sample<T>(values: Iterable<T>, count: number): T[] {
  const rest = [...values];
  shuffle(rest);
  return rest.slice(0, count);
}
export function choices<T>(values: ArrayLike<T>, weights: readonly number[] | null = null, k = 1): T[] {
  if (weights === null) return Array.from({ length: k }, () => choice(values));
  const sum = weights.reduce((all, one) => all + one, 0);
  return Array.from({ length: k }, () => {
    let left = next() * sum;
    return values[weights.findIndex((one) => (left -= one) < 0)]!;
  });
}
choices.$kw = <T>(
  [values, given = null]: [ArrayLike<T>, (readonly number[] | null)?],
  { weights = given, k = 1 }: { weights?: readonly number[] | null; k?: number },
): T[] => choices(values, weights, k);

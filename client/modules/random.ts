/** `random` in the browser. */
import { IndexError } from '../lang/exceptions.ts';

export function random(): number {
  return Math.random();
}
export function uniform(a: number, b: number): number {
  return a + (b - a) * Math.random();
}
export function randint(a: number, b: number): number {
  return a + Math.floor(Math.random() * (b - a + 1));
}
export function randrange(first: number, second?: number): number {
  const [start, end] = second === undefined ? [0, first] : [first, second];
  return start + Math.floor(Math.random() * (end - start));
}
export function choice<T>(values: ArrayLike<T>): T {
  if (values.length === 0) throw new IndexError('Cannot choose from an empty sequence');
  return values[Math.floor(Math.random() * values.length)]!;
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
export function choices<T>(values: ArrayLike<T>, count = 1): T[] {
  return Array.from({ length: count }, () => choice(values));
}
choices.$kw = <T>([values]: [ArrayLike<T>], { k = 1 }: { k?: number }): T[] => choices(values, k);

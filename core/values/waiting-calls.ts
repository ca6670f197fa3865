/** Functions that have to wait, called once for each item by something that was written for functions that do not (design.md 1). */
import { call } from './calls.ts';
import { iter } from './iteration.ts';
import { lt } from './ordering.ts';
import { $bound, $spec } from './protocol.ts';
import { truth } from './truth.ts';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/** Was the function compiled to an asynchronous one because something in it waits, although its author wrote a plain one? */
export function waitsInside(f: any): boolean {
  if (typeof f === 'object' && f !== null) return typeof f.__call__ === 'function' && waitsInside(f.func ?? f.__call__);
  const fn = f?.[$bound]?.fn ?? f;
  if (!(fn instanceof AsyncFunction)) return false;
  const spec = typeof fn[$spec] === 'function' ? fn[$spec]() : fn[$spec];
  return spec?.async !== true;
}

/**
 * What `make` gives for a function that says at once what `f` says of each item. With `until`, items behind the first answer that is so are not
 * asked about.
 */
export async function withAnswers<T>(
  f: unknown,
  xs: unknown,
  make: (answered: unknown, items: Iterable<unknown>) => T,
  until?: (answer: unknown) => boolean,
): Promise<T> {
  const source = iter(xs)[Symbol.iterator]();
  const items: unknown[] = [];
  const answers: unknown[] = [];
  for (let step = source.next(); step.done !== true; step = source.next()) {
    items.push(step.value);
    const answer = await call(f, step.value);
    answers.push(answer);
    if (until?.(answer) === true) break;
  }
  let asked = 0;
  return make(() => answers[asked++], continued(items, source));
}

function* continued(items: readonly unknown[], rest: Iterator<unknown>): Generator<unknown, undefined> {
  yield* items;
  for (let step = rest.next(); step.done !== true; step = rest.next()) yield step.value;
}

export const isFalse = (answer: unknown): boolean => !truth(answer);

/** Keys of items that a waiting function compares: their places in order, the same for those it calls equal. */
export async function placesOf(items: readonly unknown[], compare: unknown): Promise<number[]> {
  const order = await sorted(
    items.map((_, i) => i),
    async (a, b) => lt(await call(compare, items[b], items[a]), 0),
  );
  const places = new Array<number>(items.length).fill(0);
  let place = 0;
  for (let i = 1; i < order.length; i += 1) {
    if (lt(await call(compare, items[order[i - 1]!], items[order[i]!]), 0)) place += 1;
    places[order[i]!] = place;
  }
  return places;
}

/** Merge sort; `isAfter` says whether its second argument comes before the first. */
async function sorted(list: number[], isAfter: (a: number, b: number) => Promise<boolean>): Promise<number[]> {
  if (list.length < 2) return list;
  const middle = list.length >> 1;
  const left = await sorted(list.slice(0, middle), isAfter);
  const right = await sorted(list.slice(middle), isAfter);
  const merged: number[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length)
    merged.push((await isAfter(left[i]!, right[j]!)) ? right[j++]! : left[i++]!);
  return [...merged, ...left.slice(i), ...right.slice(j)];
}

/** On a key function whose keys only a waiting function can compare: `(items) => Promise<keys>`. */
export const $keysOf: unique symbol = Symbol('svc.keysOf');

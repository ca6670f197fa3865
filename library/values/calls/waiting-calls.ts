/** Functions that have to wait, called once for each item by something that was written for functions that do not (decisions/0001). */

import { lt } from '../objects/ordering.ts';
import { call } from './calls.ts';

/** Keys of items that a waiting function compares: their places in order, the same for those it calls equal. */
export async function placesOf(items: readonly unknown[], compare: unknown): Promise<number[]> {
  const order = await sortedLater(
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
export async function sortedLater(
  list: number[],
  isAfter: (a: number, b: number) => boolean | Promise<boolean>,
): Promise<number[]> {
  if (list.length < 2) return list;
  const middle = list.length >> 1;
  const left = await sortedLater(list.slice(0, middle), isAfter);
  const right = await sortedLater(list.slice(middle), isAfter);
  const merged: number[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length)
    merged.push((await isAfter(left[i]!, right[j]!)) ? right[j++]! : left[i++]!);
  return [...merged, ...left.slice(i), ...right.slice(j)];
}

/** On a key function whose keys only a waiting function can compare: `(items) => Promise<keys>`. */
export const $keysOf: unique symbol = Symbol('svc.keysOf');

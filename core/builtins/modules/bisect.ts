/** Module `bisect`. */
import { call } from '../../values/calls.ts';
import { ValueError } from '../../values/exceptions.ts';
import { requireSize } from '../../values/index-value.ts';
import { len } from '../../values/length.ts';
import { callMethod } from '../../values/methods.ts';
import { lt } from '../../values/ordering.ts';
import { getitem } from '../../values/subscripts.ts';
import { waitsInside } from '../../values/waiting-calls.ts';
import { functions, type Members } from '../module.ts';

function find(items: unknown, x: unknown, low: unknown, high: unknown, key: unknown, after: boolean): number {
  let from = low === undefined ? 0 : requireSize(low);
  let to = high === undefined || high === null ? len(items) : requireSize(high);
  if (from < 0) throw new ValueError('lo must be non-negative');
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = getitem(items, middle);
    const value = key === undefined || key === null ? item : call(key, item);
    if (after ? lt(x, value) : !lt(value, x)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The same with a key function that waits: only items that are looked at are asked for their keys. */
async function findWaiting(items: unknown, x: unknown, low: unknown, high: unknown, key: unknown, after: boolean) {
  const known = new Map<number, unknown>();
  for (;;) {
    let wanted: number | undefined;
    const ask = (at: number): unknown => {
      wanted ??= known.has(at) ? undefined : at;
      return known.get(at) ?? x;
    };
    const places = Array.from({ length: len(items) }, (_, at) => at);
    const found = find(places, x, low, high, ask, after);
    if (wanted === undefined) return found;
    known.set(wanted, await call(key, getitem(items, wanted)));
  }
}

const search =
  (after: boolean) =>
  (items: unknown, x: unknown, low?: unknown, high?: unknown, key?: unknown): number | Promise<number> =>
    waitsInside(key) ? findWaiting(items, x, low, high, key, after) : find(items, x, low, high, key, after);

const insert =
  (after: boolean) =>
  (items: unknown, x: unknown, low?: unknown, high?: unknown, key?: unknown): null | Promise<null> => {
    const put = (at: number): null => {
      callMethod(items, 'insert', at, x);
      return null;
    };
    if (waitsInside(key))
      return Promise.resolve(call(key, x))
        .then((value) => findWaiting(items, value, low, high, key, after))
        .then(put);
    const value = key === undefined || key === null ? x : call(key, x);
    return put(find(items, value, low, high, key, after));
  };

const params = 'a, x, lo=0, hi=None, *, key=None';

export function makeBisect(): Members {
  return functions('bisect', {
    bisect: [params, search(true)],
    bisect_left: [params, search(false)],
    bisect_right: [params, search(true)],
    insort: [params, insert(true)],
    insort_left: [params, insert(false)],
    insort_right: [params, insert(true)],
  });
}

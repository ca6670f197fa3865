/** Module `bisect`. */

import { functions, type Members } from '../builtins/module.ts';
import { call } from '../values/calls/calls.ts';
import { len } from '../values/containers/length.ts';
import { getitem } from '../values/containers/subscripts.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { ValueError } from '../values/objects/exceptions.ts';
import { callMethod } from '../values/objects/methods.ts';
import { lt } from '../values/objects/ordering.ts';

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

const search =
  (after: boolean) =>
  (items: unknown, x: unknown, low?: unknown, high?: unknown, key?: unknown): number =>
    find(items, x, low, high, key, after);

const insert =
  (after: boolean) =>
  (items: unknown, x: unknown, low?: unknown, high?: unknown, key?: unknown): null => {
    const value = key === undefined || key === null ? x : call(key, x);
    callMethod(items, 'insert', find(items, value, low, high, key, after), x);
    return null;
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

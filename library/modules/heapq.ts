/** Module `heapq`. */

import { functions, type Members } from '../builtins/module.ts';
import { waitsInside } from '../values/calls/async-functions.ts';
import { call } from '../values/calls/calls.ts';
import { AsyncGeneratorObject, GeneratorObject } from '../values/calls/generators.ts';
import { intact, outside, run, takePatience } from '../values/calls/regions.ts';
import { native } from '../values/calls/signature.ts';
import { iter, toArray, waitingSource } from '../values/containers/iteration.ts';
import { keysOf } from '../values/containers/list-methods.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { IndexError, TypeError } from '../values/objects/exceptions.ts';
import { gt, lt, sortByKeys } from '../values/objects/ordering.ts';
import { $again } from '../values/objects/protocol.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';
import { stepsOf } from './itertools/waiting.ts';

export function heapPush(heap: unknown[], item: unknown): null {
  heap.push(item);
  rise(heap, 0, heap.length - 1);
  return null;
}

/** @throws IndexError */
export function heapPop(heap: unknown[]): unknown {
  if (heap.length === 0) throw new IndexError('index out of range');
  const last = heap.pop();
  if (heap.length === 0) return last;
  const first = heap[0];
  heap[0] = last;
  sink(heap, 0);
  return first;
}

function replace(heap: unknown[], item: unknown): unknown {
  if (heap.length === 0) throw new IndexError('index out of range');
  const first = heap[0];
  heap[0] = item;
  sink(heap, 0);
  return first;
}

function pushPop(heap: unknown[], item: unknown): unknown {
  return heap.length > 0 && lt(heap[0], item) ? replace(heap, item) : item;
}

export function heapify(heap: unknown[]): null {
  for (let i = (heap.length >> 1) - 1; i >= 0; i -= 1) sink(heap, i);
  return null;
}

function rise(heap: unknown[], start: number, at: number): void {
  const item = heap[at];
  while (at > start) {
    const parent = (at - 1) >> 1;
    if (!lt(item, heap[parent])) break;
    heap[at] = heap[parent];
    at = parent;
  }
  heap[at] = item;
}

// Down to a leaf along the smaller children, then up again: fewer comparisons, and the layout CPython gives.
function sink(heap: unknown[], at: number): void {
  const start = at;
  const item = heap[at];
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    const right = child + 1;
    const smaller = right < heap.length && !lt(heap[child], heap[right]) ? right : child;
    heap[at] = heap[smaller];
    at = smaller;
  }
  heap[at] = item;
  rise(heap, start, at);
}

function best(n: unknown, source: unknown, key: unknown, reverse: boolean): unknown {
  const items = toArray(source);
  const finish = (keys: readonly unknown[]): unknown[] => {
    sortByKeys(items, keys, reverse);
    return items.slice(0, Math.max(0, requireSize(n)));
  };
  const keys = key === undefined || key === null ? items.slice() : outside(() => keysOf(items, key));
  return keys instanceof Promise ? keys.then((ready) => run(finish, [ready])) : finish(keys);
}

/** The same where sources, keys or comparisons may have to be waited for. */
async function* mergeLater(sources: readonly unknown[], key: unknown, reverse: boolean): AsyncGenerator<unknown> {
  const heads = sources.map(stepsOf);
  const keyOf = async (step: IteratorResult<unknown>) =>
    step.done === true || key === undefined || key === null ? step.value : run(call, [key, step.value]);
  const steps: IteratorResult<unknown>[] = [];
  const keys: unknown[] = [];
  for (const head of heads) {
    const step = await head.next();
    steps.push(step);
    keys.push(await keyOf(step));
  }
  for (;;) {
    let first = -1;
    for (let i = 0; i < heads.length; i += 1) {
      if (steps[i]!.done === true) continue;
      if (first < 0 || (await run(reverse ? gt : lt, [keys[i], keys[first]]))) first = i;
    }
    if (first < 0) return;
    yield steps[first]!.value;
    steps[first] = await heads[first]!.next();
    keys[first] = await keyOf(steps[first]!);
  }
}

function* merge(sources: readonly unknown[], key: unknown, reverse: boolean): Generator<unknown, undefined> {
  const keyOf = key === undefined || key === null ? (item: unknown) => item : (item: unknown) => call(key, item);
  const before = reverse ? gt : lt;
  const heads = sources.map((source) => iter(source)[Symbol.iterator]());
  const waiting = heads.map((head) => head.next());
  const keys = waiting.map((step) => (step.done === true ? undefined : keyOf(step.value)));
  for (;;) {
    let first = -1;
    for (let i = 0; i < heads.length; i += 1) {
      if (waiting[i]!.done !== true && (first < 0 || before(keys[i], keys[first]))) first = i;
    }
    if (first < 0) return undefined;
    yield waiting[first]!.value;
    const step = heads[first]!.next();
    waiting[first] = step;
    keys[first] = step.done === true ? undefined : keyOf(step.value);
  }
}

// Comparisons that have to be waited for find the heap as it was.
function whole<A extends unknown[]>(
  what: string,
  act: (heap: unknown[], ...args: A) => unknown,
): (heap: unknown, ...args: A) => unknown {
  return (heap, ...args) => {
    if (!Array.isArray(heap))
      throw new TypeError(`${what} must be list, not ${heap === null ? 'None' : typeName(heap)}`);
    return intact(heap, () => act(heap, ...args));
  };
}

export function makeHeapq(): Members {
  const merged = native(
    'heapq.merge',
    '*iterables, key=None, reverse=False',
    (sources: readonly unknown[] = [], key?: unknown, reverse?: unknown) =>
      takePatience() || waitsInside(key) || sources.some((source) => waitingSource(source) !== undefined)
        ? new AsyncGeneratorObject(mergeLater(sources, key, truth(reverse)))
        : new GeneratorObject(merge(sources, key, truth(reverse))),
  );
  const made = functions('heapq', {
    heapify: ['heap, /', whole('heapify() argument', heapify)],
    heappop: ['heap, /', whole('heappop() argument', heapPop)],
    heappush: ['heap, item, /', whole('heappush() argument 1', heapPush)],
    heappushpop: ['heap, item, /', whole('heappushpop() argument 1', pushPop)],
    heapreplace: ['heap, item, /', whole('heapreplace() argument 1', replace)],
    nlargest: ['n, iterable, key=None', (n: unknown, source: unknown, key?: unknown) => best(n, source, key, true)],
    nsmallest: ['n, iterable, key=None', (n: unknown, source: unknown, key?: unknown) => best(n, source, key, false)],
  });
  return { ...made, merge: Object.assign(merged, { [$again]: 'later' }) };
}

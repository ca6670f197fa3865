/** Module `heapq`. */
import { call } from '../../values/calls.ts';
import { IndexError } from '../../values/exceptions.ts';
import { GeneratorObject } from '../../values/generators.ts';
import { requireSize } from '../../values/index-value.ts';
import { iter, toArray } from '../../values/iteration.ts';
import { keysOf } from '../../values/list-methods.ts';
import { gt, lt, sortByKeys } from '../../values/ordering.ts';
import { native } from '../../values/signature.ts';
import { truth } from '../../values/truth.ts';
import { waitsInside } from '../../values/waiting-calls.ts';
import { functions, type Members } from '../module.ts';

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
  const keys = key === undefined || key === null ? items.slice() : keysOf(items, key);
  return keys instanceof Promise ? keys.then(finish) : finish(keys);
}

/** With a key function that waits the keys are asked for first. */
async function mergeWaiting(sources: readonly unknown[], key: unknown, reverse: boolean): Promise<GeneratorObject> {
  const keyed: (readonly [unknown, unknown])[][] = [];
  for (const source of sources) {
    const items = toArray(source);
    const keys = await keysOf(items, key);
    keyed.push(items.map((item, i) => [keys[i], item]));
  }
  const first = native('key', 'pair, /', ([own]: readonly unknown[]) => own);
  const merged = [...(merge(keyed, first, reverse) as Iterable<[unknown, unknown]>)];
  return new GeneratorObject(merged.map(([, item]) => item)[Symbol.iterator]() as Generator<unknown>);
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

export function makeHeapq(): Members {
  return functions('heapq', {
    heapify: ['heap, /', heapify],
    heappop: ['heap, /', heapPop],
    heappush: ['heap, item, /', heapPush],
    heappushpop: ['heap, item, /', pushPop],
    heapreplace: ['heap, item, /', replace],
    merge: [
      '*iterables, key=None, reverse=False',
      (sources: unknown[], key?: unknown, reverse?: unknown) =>
        waitsInside(key)
          ? mergeWaiting(sources, key, truth(reverse))
          : new GeneratorObject(merge(sources, key, truth(reverse))),
    ],
    nlargest: ['n, iterable, key=None', (n: unknown, source: unknown, key?: unknown) => best(n, source, key, true)],
    nsmallest: ['n, iterable, key=None', (n: unknown, source: unknown, key?: unknown) => best(n, source, key, false)],
  });
}

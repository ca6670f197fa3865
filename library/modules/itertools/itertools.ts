/** Module `itertools`. */

import type { Members } from '../../builtins/module.ts';
import { look } from '../../limits/look.ts';
import { waitsInside } from '../../values/calls/async-functions.ts';
import { call } from '../../values/calls/calls.ts';
import { inRegion, run } from '../../values/calls/regions.ts';
import { native } from '../../values/calls/signature.ts';
import {
  itemsOf,
  iter,
  PyIterator,
  toArray,
  WaitingIterator,
  waitingSource,
} from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { indexOf, requireSize } from '../../values/numbers/index-value.ts';
import { eq } from '../../values/objects/equality.ts';
import { ValueError } from '../../values/objects/exceptions.ts';
import { add } from '../../values/objects/operators.ts';
import { $again, $repr } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import {
  accumulateLater,
  batchedLater,
  chainLater,
  compressLater,
  cycleLater,
  dropwhileLater,
  filterfalseLater,
  pairwiseLater,
  slicedLater,
  starmapLater,
  stepsOf,
  takewhileLater,
  zipLongestLater,
} from './waiting.ts';

type Gen = Generator<unknown, void, undefined>;

/** A function whose generator becomes an iterator of that name; it reads its sources to the end when it is called. */
function pooled(name: string, params: string, make: (...args: any[]) => Iterator<unknown>): any {
  const fn = native(`itertools.${name}`, params, (...args: unknown[]) => {
    const items = make(...args);
    return new PyIterator(
      inRegion() ? [...({ [Symbol.iterator]: () => items } as Iterable<unknown>)][Symbol.iterator]() : items,
      name,
    );
  });
  return Object.assign(fn, { [$again]: true });
}

/**
 * A function whose generator becomes an iterator of that name; `make` looks at its arguments at once, what it gives is read later. `later` is
 * the one for what has to be waited for.
 */
function lazy(
  name: string,
  params: string,
  make: (...args: any[]) => Iterator<unknown>,
  later: (...args: any[]) => AsyncIterator<unknown>,
): any {
  return native(`itertools.${name}`, params, (...args: unknown[]) => either(name, args, make, later));
}

function either(
  name: string,
  args: readonly unknown[],
  make: (...args: any[]) => Iterator<unknown>,
  later: (...args: any[]) => AsyncIterator<unknown>,
): PyIterator | WaitingIterator {
  return args.some(isWaiting) ? new WaitingIterator(later(...args), name) : new PyIterator(make(...args), name);
}

// A function that waits, or something whose items have to be waited for; several of them where `*iterables` are taken.
function isWaiting(x: any): boolean {
  if (typeof x === 'function') return waitsInside(x);
  if (typeof x !== 'object' || x === null) return false;
  return Array.isArray(x)
    ? x.some((one) => !Array.isArray(one) && isWaiting(one))
    : waitsInside(x) || waitingSource(x) !== undefined;
}

function* accumulate(xs: unknown, f: unknown, initial: unknown): Gen {
  let total = initial;
  let started = total !== undefined && total !== null;
  if (started) yield total;
  for (const x of iter(xs)) {
    total = started ? (f === undefined || f === null ? add(total, x) : call(f, total, x)) : x;
    started = true;
    yield total;
  }
}

function batchSize(n: unknown): number {
  const size = requireSize(n);
  if (size < 1) throw new ValueError('n must be at least one');
  return size;
}

function* batched(xs: unknown, size: number): Gen {
  let batch: unknown[] = [];
  for (const x of iter(xs)) {
    batch.push(x);
    if (batch.length === size) {
      yield new Tuple(batch);
      batch = [];
    }
  }
  if (batch.length > 0) yield new Tuple(batch);
}

function* chain(sources: Iterable<unknown>): Gen {
  for (const source of sources) yield* iter(source) as Iterable<unknown>;
}

function* combinations(pool: readonly unknown[], size: number): Gen {
  if (size > pool.length) return;
  const at = Array.from({ length: size }, (_, i) => i);
  for (;;) {
    yield new Tuple(at.map((i) => pool[i]));
    let i = size - 1;
    while (i >= 0 && at[i] === i + pool.length - size) i -= 1;
    if (i < 0) return;
    at[i]! += 1;
    for (let j = i + 1; j < size; j += 1) at[j] = at[j - 1]! + 1;
  }
}

function* combinationsWithReplacement(pool: readonly unknown[], size: number): Gen {
  if (pool.length === 0 && size > 0) return;
  const at = new Array<number>(size).fill(0);
  for (;;) {
    yield new Tuple(at.map((i) => pool[i]));
    let i = size - 1;
    while (i >= 0 && at[i] === pool.length - 1) i -= 1;
    if (i < 0) return;
    at.fill(at[i]! + 1, i);
  }
}

function nonNegative(r: unknown): number {
  const n = requireSize(r);
  if (n < 0) throw new ValueError('r must be non-negative');
  return n;
}

function* permutations(pool: readonly unknown[], size = pool.length): Gen {
  if (size > pool.length) return;
  const at = pool.map((_, i) => i);
  const cycles = Array.from({ length: size }, (_, i) => pool.length - i);
  yield chosen(pool, at, size);
  for (;;) {
    let i = size - 1;
    for (; i >= 0; i -= 1) {
      const first = at[i]!;
      cycles[i]! -= 1;
      if (cycles[i] === 0) {
        at.copyWithin(i, i + 1);
        at[pool.length - 1] = first;
        cycles[i] = pool.length - i;
      } else {
        const j = pool.length - cycles[i]!;
        at[i] = at[j]!;
        at[j] = first;
        yield chosen(pool, at, size);
        break;
      }
    }
    if (i < 0) return;
  }
}

function chosen(pool: readonly unknown[], at: readonly number[], size: number): Tuple {
  const items = new Array(size);
  for (let i = 0; i < size; i += 1) items[i] = pool[at[i]!];
  return new Tuple(items);
}

function poolsOf(sources: readonly unknown[] = [], repeat?: unknown): unknown[][] {
  const once = sources.map((source) => toArray(source));
  const times = repeat === undefined ? 1 : requireSize(repeat);
  if (times < 0) throw new ValueError('repeat argument cannot be negative');
  return Array.from({ length: times }, () => once).flat();
}

function* product(pools: readonly unknown[][]): Gen {
  if (pools.some((pool) => pool.length === 0)) return;
  const at = pools.map(() => 0);
  for (;;) {
    yield new Tuple(pools.map((pool, i) => pool[at[i]!]));
    let i = pools.length - 1;
    while (i >= 0 && at[i] === pools[i]!.length - 1) {
      at[i] = 0;
      i -= 1;
    }
    if (i < 0) return;
    at[i]! += 1;
  }
}

function* compress(data: unknown, selectors: unknown): Gen {
  const marks = iter(selectors)[Symbol.iterator]();
  for (const x of iter(data)) {
    const step = marks.next();
    if (step.done === true) return;
    if (truth(step.value)) yield x;
  }
}

/** `count(start, step)`: shows its state. */
class Count extends PyIterator {
  $next: unknown;
  readonly $step: unknown;

  constructor(start: unknown, step: unknown) {
    super([][Symbol.iterator](), 'count');
    this.$next = start === undefined ? 0 : start;
    this.$step = step === undefined ? 1 : step;
  }

  override next(): IteratorResult<unknown> {
    if ($due) look();
    const value = this.$next;
    this.$next = typeof value === 'number' && this.$step === 1 && value < 2 ** 52 ? value + 1 : add(value, this.$step);
    return { done: false, value };
  }

  override [$repr](): string {
    return this.$step === 1 ? `count(${reprOf(this.$next)})` : `count(${reprOf(this.$next)}, ${reprOf(this.$step)})`;
  }
}

function* cycle(xs: unknown): Gen {
  const seen: unknown[] = [];
  for (const x of iter(xs)) {
    seen.push(x);
    yield x;
  }
  while (seen.length > 0) yield* seen;
}

/** `repeat(x, times)`: shows what is left. */
class Repeat extends PyIterator {
  readonly $item: unknown;
  $left: number;

  constructor(x: unknown, times: unknown) {
    super([][Symbol.iterator](), 'repeat');
    this.$item = x;
    this.$left = times === undefined ? Number.POSITIVE_INFINITY : Math.max(0, requireSize(times));
  }

  override next(): IteratorResult<unknown> {
    if ($due) look();
    if (this.$left <= 0) return { done: true, value: undefined };
    this.$left -= 1;
    return { done: false, value: this.$item };
  }

  __length_hint__(): number {
    return this.$left;
  }

  override [$repr](): string {
    const times = this.$left === Number.POSITIVE_INFINITY ? '' : `, ${this.$left}`;
    return `repeat(${reprOf(this.$item)}${times})`;
  }
}

// The source goes on where the slice leaves it, so it is read by hand.
function slice(xs: unknown, a: unknown, b: unknown, c: unknown): PyIterator | WaitingIterator {
  const [start, stop, step] =
    b === undefined
      ? [0, bound(a, Number.POSITIVE_INFINITY, 'Stop argument'), 1]
      : [bound(a, 0), bound(b, Number.POSITIVE_INFINITY), bound(c ?? null, 1)];
  if (step < 1) throw new ValueError('Step for islice() must be a positive integer or None.');
  return isWaiting(xs)
    ? new WaitingIterator(slicedLater(xs, start, stop, step), 'islice')
    : new PyIterator(sliced(iter(xs)[Symbol.iterator](), start, stop, step), 'islice');
}

function* sliced(source: Iterator<unknown>, start: number, stop: number, step: number): Gen {
  let next = start;
  for (let i = 0; i < stop; i += 1) {
    const entry = source.next();
    if (entry.done === true) return;
    if (i === next) {
      yield entry.value;
      next += step;
    }
  }
}

function bound(x: unknown, fallback: number, what = 'Indices'): number {
  if (x === null || x === undefined) return fallback;
  const n = indexOf(x);
  if (n === undefined || n < 0)
    throw new ValueError(`${what} for islice() must be None or an integer: 0 <= x <= sys.maxsize.`);
  return Number(n);
}

function* dropwhile(test: unknown, xs: unknown): Gen {
  let dropping = true;
  for (const x of iter(xs)) {
    if (dropping && truth(call(test, x))) continue;
    dropping = false;
    yield x;
  }
}

function* takewhile(test: unknown, xs: unknown): Gen {
  for (const x of iter(xs)) {
    if (!truth(call(test, x))) return;
    yield x;
  }
}

function* filterfalse(test: unknown, xs: unknown): Gen {
  for (const x of iter(xs)) if (!truth(test === null || test === undefined ? x : call(test, x))) yield x;
}

function* starmap(f: unknown, xs: unknown): Gen {
  for (const args of iter(xs)) yield call(f, ...itemsOf(args));
}

function* pairwise(xs: unknown): Gen {
  let before: unknown;
  let started = false;
  for (const x of iter(xs)) {
    if (started) yield new Tuple([before, x]);
    before = x;
    started = true;
  }
}

function* zipLongest(sources: readonly Iterable<unknown>[], fill?: unknown): Gen {
  const iterators = sources.map((source) => source[Symbol.iterator]());
  const open = iterators.map(() => true);
  for (;;) {
    const items = iterators.map((it, i) => {
      if (!open[i]) return fill ?? null;
      const step = it.next();
      if (step.done !== true) return step.value;
      open[i] = false;
      return fill ?? null;
    });
    if (!open.includes(true)) return;
    yield new Tuple(items);
  }
}

// A group is read from the shared source; going on to the next group skips what is left of it.
function* groupby(key: unknown, xs: unknown): Gen {
  const source = iter(xs)[Symbol.iterator]();
  const keyOf = (x: unknown) => (key === undefined || key === null ? x : call(key, x));
  let step = source.next();
  let next = step.done === true ? undefined : keyOf(step.value);
  while (step.done !== true) {
    const current = next;
    let open = true;
    const advance = (): void => {
      step = source.next();
      if (step.done !== true) next = keyOf(step.value);
      if (step.done === true || !eq(next, current)) open = false;
    };
    const group = (function* (): Gen {
      while (open) {
        const x = step.value;
        advance();
        yield x;
      }
    })();
    yield new Tuple([current, new PyIterator(group, '_grouper')]);
    while (open) advance();
  }
}

async function* groupbyLater(xs: unknown, key: unknown): AsyncGenerator<Tuple> {
  const source = stepsOf(xs);
  const keyOf = async (x: unknown) => (key === undefined || key === null ? x : call(key, x));
  let step = await source.next();
  let next = step.done === true ? undefined : await keyOf(step.value);
  while (step.done !== true) {
    const current = next;
    let open = true;
    const advance = async (): Promise<void> => {
      step = await source.next();
      if (step.done !== true) next = await keyOf(step.value);
      if (step.done === true || !(await run(eq, [next, current]))) open = false;
    };
    const group = (async function* () {
      while (open) {
        const x = step.value;
        await advance();
        yield x;
      }
    })();
    yield new Tuple([current, new WaitingIterator(group, '_grouper')]);
    while (open) await advance();
  }
}

function tee(xs: unknown, n: unknown): Tuple {
  const count = n === undefined ? 2 : requireSize(n);
  if (count < 0) throw new ValueError('n must be >= 0');
  const queues: unknown[][] = Array.from({ length: count }, () => []);
  if (isWaiting(xs)) {
    const source = stepsOf(xs) as AsyncIterator<unknown>;
    return new Tuple(queues.map((queue) => new WaitingIterator(readLater(source, queues, queue), '_tee')));
  }
  const source = iter(xs)[Symbol.iterator]();
  return new Tuple(queues.map((queue) => new PyIterator(read(source, queues, queue), '_tee')));
}

function* read(source: Iterator<unknown>, queues: readonly unknown[][], own: unknown[]): Gen {
  for (;;) {
    if (own.length === 0) {
      const step = source.next();
      if (step.done === true) return;
      for (const queue of queues) queue.push(step.value);
    }
    yield own.shift();
  }
}

async function* readLater(
  source: AsyncIterator<unknown>,
  queues: readonly unknown[][],
  own: unknown[],
): AsyncGenerator<unknown> {
  for (;;) {
    if (own.length === 0) {
      const step = await source.next();
      if (step.done === true) return;
      for (const queue of queues) queue.push(step.value);
    }
    yield own.shift();
  }
}

export function makeItertools(): Members {
  const chainFunction = lazy(
    'chain',
    '*iterables',
    (sources: readonly unknown[] = []) => chain(sources),
    (sources: readonly unknown[]) => chainLater(sources),
  );
  chainFunction.from_iterable = native('itertools.chain.from_iterable', 'iterable, /', (sources: unknown) =>
    isWaiting(sources) || (Array.isArray(sources) && sources.some(isWaiting))
      ? new WaitingIterator(chainLater(sources), 'chain')
      : new PyIterator(chain(iter(sources)), 'chain'),
  );
  return {
    chain: chainFunction,
    tee: native('itertools.tee', 'iterable, n=2, /', tee),
    count: native('itertools.count', 'start=0, step=1', (start: unknown, step: unknown) => new Count(start, step)),
    accumulate: lazy(
      'accumulate',
      'iterable, func=None, *, initial=None',
      (xs, f, initial) => accumulate(iter(xs), f, initial),
      accumulateLater,
    ),
    batched: lazy(
      'batched',
      'iterable, n',
      (xs, n) => batched(iter(xs), batchSize(n)),
      (xs, n) => batchedLater(xs, batchSize(n)),
    ),
    combinations: pooled('combinations', 'iterable, r', (xs, r) => combinations(toArray(xs), nonNegative(r))),
    combinations_with_replacement: pooled('combinations_with_replacement', 'iterable, r', (xs, r) =>
      combinationsWithReplacement(toArray(xs), nonNegative(r)),
    ),
    compress: lazy(
      'compress',
      'data, selectors',
      (data, selectors) => compress(iter(data), iter(selectors)),
      compressLater,
    ),
    cycle: lazy('cycle', 'iterable, /', (xs) => cycle(iter(xs)), cycleLater),
    dropwhile: lazy('dropwhile', 'predicate, iterable, /', (test, xs) => dropwhile(test, iter(xs)), dropwhileLater),
    filterfalse: lazy(
      'filterfalse',
      'function, iterable, /',
      (test, xs) => filterfalse(test, iter(xs)),
      filterfalseLater,
    ),
    groupby: lazy('groupby', 'iterable, key=None', (xs, key) => groupby(key, iter(xs)), groupbyLater),
    islice: native('itertools.islice', 'iterable, start, stop=None, step=None, /', slice),
    pairwise: lazy('pairwise', 'iterable, /', (xs) => pairwise(iter(xs)), pairwiseLater),
    permutations: pooled('permutations', 'iterable, r=None', (xs, r) =>
      permutations(toArray(xs), r === undefined || r === null ? undefined : nonNegative(r)),
    ),
    product: pooled('product', '*iterables, repeat=1', (sources, times) => product(poolsOf(sources, times))),
    repeat: native('itertools.repeat', 'object, times=None', (x: unknown, times: unknown) => new Repeat(x, times)),
    starmap: lazy('starmap', 'function, iterable, /', (f, xs) => starmap(f, iter(xs)), starmapLater),
    takewhile: lazy('takewhile', 'predicate, iterable, /', (test, xs) => takewhile(test, iter(xs)), takewhileLater),
    zip_longest: lazy(
      'zip_longest',
      '*iterables, fillvalue=None',
      (sources: readonly unknown[] = [], fill) =>
        zipLongest(
          sources.map((source) => iter(source)),
          fill,
        ),
      (sources: readonly unknown[], fill: unknown) => zipLongestLater(sources, fill),
    ),
  };
}

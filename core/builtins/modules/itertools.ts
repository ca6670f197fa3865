/** Module `itertools`. */
import { call } from '../../values/calls.ts';
import { eq } from '../../values/equality.ts';
import { ValueError } from '../../values/exceptions.ts';
import { indexOf, requireSize } from '../../values/index-value.ts';
import { itemsOf, iter, PyIterator, toArray } from '../../values/iteration.ts';
import { add } from '../../values/operators.ts';
import { $repr } from '../../values/protocol.ts';
import { reprOf } from '../../values/repr.ts';
import { native } from '../../values/signature.ts';
import { truth } from '../../values/truth.ts';
import { Tuple } from '../../values/tuple.ts';
import { isFalse, waitsInside, withAnswers } from '../../values/waiting-calls.ts';
import type { Members } from '../module.ts';

type Gen = Generator<unknown, void, undefined>;

/** A function whose generator becomes an iterator of that name. */
function lazy(name: string, params: string, make: (...args: any[]) => Iterator<unknown>): any {
  return native(`itertools.${name}`, params, (...args: unknown[]) => new PyIterator(make(...args), name));
}

/** The same for one that calls a function with each item: when that has to wait, it is asked about the items first. */
function asking(
  name: string,
  params: string,
  make: (f: unknown, xs: unknown) => Iterator<unknown>,
  options: { until?: (answer: unknown) => boolean; keyLast?: boolean } = {},
): any {
  return native(`itertools.${name}`, params, (first: unknown, second: unknown) => {
    const [f, xs] = options.keyLast === true ? [second, first] : [first, second];
    const made = (answered: unknown, items: unknown) => new PyIterator(make(answered, items), name);
    return waitsInside(f) ? withAnswers(f, xs, made, options.until) : made(f, xs);
  });
}

async function accumulateWaiting(xs: unknown, f: unknown, initial: unknown): Promise<PyIterator> {
  const totals: unknown[] = initial === undefined || initial === null ? [] : [initial];
  for (const x of iter(xs)) totals.push(totals.length === 0 ? x : await call(f, totals[totals.length - 1], x));
  return new PyIterator(totals[Symbol.iterator](), 'accumulate');
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

function* batched(xs: unknown, n: unknown): Gen {
  const size = requireSize(n);
  if (size < 1) throw new ValueError('n must be at least one');
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

function* combinations(xs: unknown, r: unknown): Gen {
  const pool = toArray(xs);
  const size = nonNegative(r);
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

function* combinationsWithReplacement(xs: unknown, r: unknown): Gen {
  const pool = toArray(xs);
  const size = nonNegative(r);
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

function* permutations(xs: unknown, r: unknown): Gen {
  const pool = toArray(xs);
  const size = r === undefined || r === null ? pool.length : nonNegative(r);
  if (size > pool.length) return;
  const at = pool.map((_, i) => i);
  const cycles = Array.from({ length: size }, (_, i) => pool.length - i);
  yield new Tuple(at.slice(0, size).map((i) => pool[i]));
  for (;;) {
    let i = size - 1;
    for (; i >= 0; i -= 1) {
      cycles[i]! -= 1;
      if (cycles[i] === 0) {
        at.push(...at.splice(i, 1));
        cycles[i] = pool.length - i;
      } else {
        const j = pool.length - cycles[i]!;
        [at[i], at[j]] = [at[j]!, at[i]!];
        yield new Tuple(at.slice(0, size).map((k) => pool[k]));
        break;
      }
    }
    if (i < 0) return;
  }
}

function* product(sources: readonly unknown[] = [], repeat?: unknown): Gen {
  const once = sources.map((source) => toArray(source));
  const pools: unknown[][] = [];
  for (let i = 0; i < (repeat === undefined ? 1 : requireSize(repeat)); i += 1) pools.push(...once);
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

function* repeat(x: unknown, times: unknown): Gen {
  const limit = times === undefined ? Number.POSITIVE_INFINITY : requireSize(times);
  for (let i = 0; i < limit; i += 1) yield x;
}

// The source goes on where the slice leaves it, so it is read by hand.
function slice(xs: unknown, a: unknown, b: unknown, c: unknown): Gen {
  const [start, stop, step] =
    b === undefined
      ? [0, bound(a, Number.POSITIVE_INFINITY, 'Stop argument'), 1]
      : [bound(a, 0), bound(b, Number.POSITIVE_INFINITY), bound(c ?? null, 1)];
  if (step < 1) throw new ValueError('Step for islice() must be a positive integer or None.');
  return sliced(iter(xs)[Symbol.iterator](), start, stop, step);
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

async function starmapWaiting(f: unknown, xs: unknown): Promise<PyIterator> {
  const results: unknown[] = [];
  for (const args of iter(xs)) results.push(await call(f, ...itemsOf(args)));
  return new PyIterator(results[Symbol.iterator](), 'starmap');
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

function* zipLongest(sources: readonly unknown[] = [], fill?: unknown): Gen {
  const iterators = sources.map((source) => iter(source)[Symbol.iterator]());
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

function tee(xs: unknown, n: unknown): Tuple {
  const source = iter(xs)[Symbol.iterator]();
  const count = n === undefined ? 2 : requireSize(n);
  if (count < 0) throw new ValueError('n must be >= 0');
  const queues: unknown[][] = Array.from({ length: count }, () => []);
  return new Tuple(
    queues.map((queue) => {
      const reader = (function* (): Gen {
        for (;;) {
          if (queue.length === 0) {
            const step = source.next();
            if (step.done === true) return;
            for (const other of queues) other.push(step.value);
          }
          yield queue.shift();
        }
      })();
      return new PyIterator(reader, '_tee');
    }),
  );
}

export function makeItertools(): Members {
  const chainFunction = native(
    'itertools.chain',
    '*iterables',
    (sources: readonly unknown[] = []) => new PyIterator(chain(sources), 'chain'),
  );
  (chainFunction as any).from_iterable = lazy('chain', 'iterable, /', (sources: unknown) => chain(iter(sources)));
  return {
    chain: chainFunction,
    tee: native('itertools.tee', 'iterable, n=2, /', tee),
    count: native('itertools.count', 'start=0, step=1', (start: unknown, step: unknown) => new Count(start, step)),
    accumulate: native(
      'itertools.accumulate',
      'iterable, func=None, *, initial=None',
      (xs: unknown, f: unknown, initial: unknown) =>
        waitsInside(f) ? accumulateWaiting(xs, f, initial) : new PyIterator(accumulate(xs, f, initial), 'accumulate'),
    ),
    batched: lazy('batched', 'iterable, n', batched),
    combinations: lazy('combinations', 'iterable, r', combinations),
    combinations_with_replacement: lazy('combinations_with_replacement', 'iterable, r', combinationsWithReplacement),
    compress: lazy('compress', 'data, selectors', compress),
    cycle: lazy('cycle', 'iterable, /', cycle),
    dropwhile: asking('dropwhile', 'predicate, iterable, /', dropwhile, { until: isFalse }),
    filterfalse: asking('filterfalse', 'function, iterable, /', filterfalse),
    groupby: asking('groupby', 'iterable, key=None', groupby, { keyLast: true }),
    islice: lazy('islice', 'iterable, start, stop=None, step=None, /', slice),
    pairwise: lazy('pairwise', 'iterable, /', pairwise),
    permutations: lazy('permutations', 'iterable, r=None', permutations),
    product: lazy('product', '*iterables, repeat=1', product),
    repeat: lazy('repeat', 'object, times=None', repeat),
    starmap: native('itertools.starmap', 'function, iterable, /', (f: unknown, xs: unknown) =>
      waitsInside(f) ? starmapWaiting(f, xs) : new PyIterator(starmap(f, xs), 'starmap'),
    ),
    takewhile: asking('takewhile', 'predicate, iterable, /', takewhile, { until: isFalse }),
    zip_longest: lazy('zip_longest', '*iterables, fillvalue=None', zipLongest),
  };
}

/** The iterators of `itertools` over sources or with functions that have to be waited for: item by item, as many as are asked for. */
import { call } from '../../values/calls/calls.ts';
import { run } from '../../values/calls/regions.ts';
import { aiter, itemsOf } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { add } from '../../values/objects/operators.ts';
import { truth } from '../../values/objects/truth.ts';

type Later = AsyncGenerator<unknown, void, undefined>;

const isNone = (x: unknown): boolean => x === null || x === undefined;

/** The answer of a function of the program or of the runtime, of which either may have to wait. */
async function asked(f: unknown, ...args: unknown[]): Promise<unknown> {
  return isNone(f) ? args[0] : run(call, [f, ...args]);
}

async function holds(test: unknown, x: unknown): Promise<boolean> {
  return run(truth, [await asked(test, x)]);
}

/** The steps of a source of either sort, for those that read it by hand. */
export function stepsOf(xs: unknown): Iterator<unknown> | AsyncIterator<unknown> {
  const source: any = aiter(xs);
  return (source[Symbol.asyncIterator] ?? source[Symbol.iterator]).call(source);
}

export async function* accumulateLater(xs: unknown, f: unknown, initial: unknown): Later {
  let total = initial;
  let started = !isNone(total);
  if (started) yield total;
  for await (const x of aiter(xs)) {
    total = started ? (isNone(f) ? await run(add, [total, x]) : await asked(f, total, x)) : x;
    started = true;
    yield total;
  }
}

export async function* batchedLater(xs: unknown, size: number): Later {
  let batch: unknown[] = [];
  for await (const x of aiter(xs)) {
    batch.push(x);
    if (batch.length < size) continue;
    yield new Tuple(batch);
    batch = [];
  }
  if (batch.length > 0) yield new Tuple(batch);
}

export async function* chainLater(sources: unknown): Later {
  for await (const source of aiter(sources)) yield* aiter(source) as AsyncIterable<unknown>;
}

export async function* compressLater(data: unknown, selectors: unknown): Later {
  const marks = stepsOf(selectors);
  for await (const x of aiter(data)) {
    const step = await marks.next();
    if (step.done === true) return;
    if (await holds(null, step.value)) yield x;
  }
}

export async function* cycleLater(xs: unknown): Later {
  const seen: unknown[] = [];
  for await (const x of aiter(xs)) {
    seen.push(x);
    yield x;
  }
  while (seen.length > 0) yield* seen;
}

export async function* slicedLater(xs: unknown, start: number, stop: number, step: number): Later {
  const source = stepsOf(xs);
  let next = start;
  for (let i = 0; i < stop; i += 1) {
    const entry = await source.next();
    if (entry.done === true) return;
    if (i !== next) continue;
    yield entry.value;
    next += step;
  }
}

export async function* dropwhileLater(test: unknown, xs: unknown): Later {
  let dropping = true;
  for await (const x of aiter(xs)) {
    dropping &&= await holds(test, x);
    if (!dropping) yield x;
  }
}

export async function* takewhileLater(test: unknown, xs: unknown): Later {
  for await (const x of aiter(xs)) {
    if (!(await holds(test, x))) return;
    yield x;
  }
}

export async function* filterfalseLater(test: unknown, xs: unknown): Later {
  for await (const x of aiter(xs)) if (!(await holds(test, x))) yield x;
}

export async function* starmapLater(f: unknown, xs: unknown): Later {
  for await (const args of aiter(xs)) yield await asked(f, ...itemsOf(args));
}

export async function* pairwiseLater(xs: unknown): Later {
  const source = stepsOf(xs);
  let before = await source.next();
  while (before.done !== true) {
    const step = await source.next();
    if (step.done === true) return;
    yield new Tuple([before.value, step.value]);
    before = step;
  }
}

export async function* zipLongestLater(sources: readonly unknown[], fill: unknown): Later {
  const iterators = sources.map(stepsOf);
  const open = iterators.map(() => true);
  for (;;) {
    const items: unknown[] = [];
    for (let i = 0; i < iterators.length; i += 1) {
      const step = open[i] ? await iterators[i]!.next() : undefined;
      open[i] &&= step?.done !== true;
      items.push(open[i] ? step!.value : (fill ?? null));
    }
    if (!open.includes(true)) return;
    yield new Tuple(items);
  }
}

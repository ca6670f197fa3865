import { constants, PerformanceObserver } from 'node:perf_hooks';
import { afterEach, expect, test, vi } from 'vitest';
import { createIdleCollection } from './idle-collection.ts';

afterEach(() => {
  vi.useRealTimers();
});

const opened = () => {
  vi.useFakeTimers();
  const collected: string[] = [];
  const heap = { mebibytes: 100 };
  const rest = createIdleCollection(
    (how) => collected.push(how?.type ?? 'all'),
    () => heap.mebibytes * 2 ** 20,
  );
  return { collected, heap, rest };
};

test('garbage is collected when all is answered: first the young, after a longer rest all of it, if there is much', () => {
  const { collected, heap, rest } = opened();
  rest.begin();
  expect(collected).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(collected).toEqual(['minor']);
  vi.advanceTimersByTime(5000);
  expect(collected).toEqual(['minor', 'all']);
  heap.mebibytes += 40;
  rest.begin();
  vi.advanceTimersByTime(5000);
  expect(collected).toEqual(['minor', 'all', 'minor']);
  heap.mebibytes += 10;
  rest.begin();
  vi.advanceTimersByTime(5000);
  expect(collected).toEqual(['minor', 'all', 'minor', 'minor', 'all']);
});

test('an edit that comes first puts it off', () => {
  const { collected, rest } = opened();
  rest.begin();
  rest.end();
  vi.advanceTimersByTime(5000);
  expect(collected).toEqual([]);
  rest.begin();
  vi.advanceTimersByTime(100);
  rest.end();
  vi.advanceTimersByTime(5000);
  expect(collected).toEqual(['minor']);
});

test('it is the collector of this process that is asked, and other code does not get it', async () => {
  const kinds: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as { detail: { kind: number; flags: number } }[])
      if ((detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0) kinds.push(detail.kind);
  });
  observer.observe({ entryTypes: ['gc'] });
  createIdleCollection().begin();
  await expect.poll(() => kinds).toContain(constants.NODE_PERFORMANCE_GC_MINOR);
  observer.disconnect();
  expect((globalThis as { gc?: unknown }).gc).toBeUndefined();
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Key } from '../../core/memory/rows.ts';
import { createLeaseHolder, type LeasePlaces } from './leases.ts';

const lengthMs = 5000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Leases in a map. `fails`: the store they are kept in does not answer. */
function createPlaces() {
  const places = new Map<Key, { holder: string; until: number }>();
  const state = { fails: false, extended: 0 };
  const answer = async <T>(value: () => T): Promise<T> => {
    if (state.fails) throw new Error('the store is not available');
    return value();
  };
  const kept: LeasePlaces = {
    take: (key, { holder, now, until }) =>
      answer(() => {
        if ((places.get(key)?.until ?? 0) > now) return false;
        places.set(key, { holder, until });
        return true;
      }),
    extend: (key, { holder, until }) =>
      answer(() => {
        state.extended++;
        if (places.get(key)?.holder !== holder) return false;
        places.set(key, { holder, until });
        return true;
      }),
    end: (keys, holder) =>
      answer(() => {
        for (const key of keys) if (places.get(key)?.holder === holder) places.delete(key);
      }),
  };
  const holder = () => createLeaseHolder(kept, Date.now);
  return { places, state, holder };
}

test('a lease lasts until it is ended, and nothing is left behind', async () => {
  const { places, holder } = createPlaces();
  const leases = holder();
  const end = await leases.lease(['a', 'b'], lengthMs);
  await vi.advanceTimersByTimeAsync(4 * lengthMs);
  expect([leases.holds('a'), leases.holds('b')]).toEqual([true, true]);
  expect(places.get('a')!.until).toBeGreaterThan(Date.now());
  await end();
  expect([leases.holds('a'), places.size, vi.getTimerCount()]).toEqual([false, 0, 0]);
});

test('the first leases last while the others are waited for', async () => {
  const { places, holder } = createPlaces();
  const [mine, theirs] = [holder(), holder()];
  await theirs.lease(['b'], lengthMs);
  const taking = mine.lease(['a', 'b'], lengthMs);
  await vi.advanceTimersByTimeAsync(lengthMs + 100);
  const end = await taking;
  expect([mine.holds('a'), mine.holds('b'), theirs.holds('b')]).toEqual([true, false, true]);
  expect(places.get('a')!.until).toBeGreaterThan(Date.now());
  await end();
  expect(theirs.holds('b')).toBe(true);
  theirs.close();
  expect(vi.getTimerCount()).toBe(0);
});

test('a lease ends by itself when its run is given up, hangs, or belongs to a store that was closed', async () => {
  const { holder } = createPlaces();
  const leases = holder();
  const run = new AbortController();
  await leases.lease(['given up'], lengthMs, run.signal);
  await leases.lease(['hangs'], lengthMs);
  run.abort();
  await vi.advanceTimersByTimeAsync(2 * lengthMs);
  expect([leases.holds('given up'), leases.holds('hangs')]).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(60 * lengthMs);
  expect([leases.holds('hangs'), vi.getTimerCount()]).toEqual([false, 0]);
  await leases.lease(['closed'], lengthMs);
  leases.close();
  await vi.advanceTimersByTimeAsync(lengthMs);
  expect([leases.holds('closed'), vi.getTimerCount()]).toEqual([false, 0]);
});

test('a lease that somebody else has taken meanwhile is not held any more', async () => {
  const { places, holder } = createPlaces();
  const leases = holder();
  const end = await leases.lease(['a'], lengthMs);
  const other = { holder: 'another', until: Date.now() + 100 * lengthMs };
  places.set('a', other);
  await vi.advanceTimersByTimeAsync(lengthMs);
  expect(leases.holds('a')).toBe(false);
  await end();
  expect(places.get('a')).toBe(other);
});

test('a store that does not answer: the lease is extended when it does again, ending one is no failure, taking one is', async () => {
  const { state, holder } = createPlaces();
  const leases = holder();
  const end = await leases.lease(['a'], lengthMs);
  state.fails = true;
  await vi.advanceTimersByTimeAsync(lengthMs / 2);
  expect(state.extended).toBe(0);
  state.fails = false;
  await vi.advanceTimersByTimeAsync(lengthMs);
  expect([leases.holds('a'), state.extended > 0]).toEqual([true, true]);
  state.fails = true;
  await end();
  await expect(leases.lease(['b'], lengthMs)).rejects.toThrow('not available');
  expect([leases.holds('a'), vi.getTimerCount()]).toEqual([false, 0]);
});

import { afterEach, expect, test, vi } from 'vitest';
import { createRehearsal } from './rehearsal.ts';

afterEach(() => {
  vi.useRealTimers();
});

const opened = () => {
  vi.useFakeTimers();
  const turns: number[] = [];
  const state = { isKnown: true, done: 0 };
  const rehearsal = createRehearsal(
    (turn) => {
      if (state.isKnown) turns.push(turn);
      return state.isKnown;
    },
    () => (state.done += 1),
  );
  return { turns, state, rehearsal };
};

test('rehearsals follow each other while nobody types, each once in a process', () => {
  const { turns, state, rehearsal } = opened();
  rehearsal.begin();
  expect(turns).toEqual([]);
  vi.advanceTimersByTime(5000);
  const all = [...turns];
  expect(all.length).toBeGreaterThan(20);
  expect(all).toEqual(all.map((_, i) => i));
  expect(state.done).toBe(1);
  rehearsal.begin();
  vi.advanceTimersByTime(5000);
  expect(turns).toEqual(all);
});

test('an edit ends them, and the next rest goes on where they ended', () => {
  const { turns, rehearsal } = opened();
  rehearsal.begin();
  vi.advanceTimersByTime(40);
  const before = turns.length;
  expect(before).toBeGreaterThan(0);
  rehearsal.end();
  vi.advanceTimersByTime(5000);
  expect(turns.length).toBe(before);
  rehearsal.begin();
  vi.advanceTimersByTime(5000);
  expect(turns[before]).toBe(before);
});

test('where no program is known yet they wait for the next rest', () => {
  const { turns, state, rehearsal } = opened();
  state.isKnown = false;
  rehearsal.begin();
  vi.advanceTimersByTime(5000);
  state.isKnown = true;
  vi.advanceTimersByTime(5000);
  expect(turns).toEqual([]);
  rehearsal.begin();
  vi.advanceTimersByTime(5000);
  expect(turns[0]).toBe(0);
});

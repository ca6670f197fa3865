import { expect, test } from 'vitest';
import * as $ from '../../../core/runtime.ts';
import { intact, run } from './regions.ts';

/** Compares by a function that waits; `asked` counts how often it was called. */
class Slow extends $.Obj {
  static asked = 0;
  declare n: number;

  async __lt__(other: Slow): Promise<boolean> {
    Slow.asked += 1;
    await null;
    return this.n < other.n;
  }

  async __str__(): Promise<string> {
    await null;
    if (this.n < 0) throw new $.ValueError('negative');
    return `slow ${this.n}`;
  }
}
$.archetype(Slow, { kind: 'class', name: 'Slow', module: 'm', fields: [], abilities: [] });

const slow = (n: number): Slow => Object.assign((Slow as any).$new(), { n });

test('a built-in that is run again asks each question once', async () => {
  const items = [slow(2), slow(3), slow(1)];
  Slow.asked = 0;
  const least: Promise<Slow> = run($.b['min'], [[items]]);
  expect((await least).n).toBe(1);
  expect(Slow.asked).toBe(2);
});

test('what the program raises comes out of the built-in', async () => {
  expect(await $.w.str([slow(1)].length)).toBe('1');
  expect(await $.w.b.list($.w.b.map($.b['str'], [slow(1), slow(2)]))).toEqual(['slow 1', 'slow 2']);
  await expect($.w.str(slow(-1))).rejects.toThrow('negative');
});

test('what is done in place is undone before the next attempt', async () => {
  const heap: unknown[] = [slow(3)];
  const push = (item: Slow) =>
    intact(heap, () => {
      heap.push(item);
      return $.lt(item, heap[0]);
    });
  expect(await run(push, [slow(1)])).toBe(true);
  expect(heap.map((item: any) => item.n)).toEqual([3, 1]);
});

test('who cannot wait is told so', () => {
  expect(() => $.str(slow(1))).toThrow('__str__ waits, and what calls it here cannot wait');
  expect(() => $.lt(slow(1), slow(2))).toThrow('waits, and what calls it here cannot wait');
});

import { expect, test } from 'vitest';
import { filesOfBefore } from './revisions.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();
const deployed = (n: number, pageFiles: readonly string[], earlierFiles?: Readonly<Record<string, string>>) =>
  ({ time: day(n), pageFiles, earlierFiles }) as unknown as Parameters<typeof filesOfBefore>[0] & { time: string };

test('files of a version stay for thirty days after it was replaced, however long it served', () => {
  const first = deployed(0, ['a', 'b']);
  const second = deployed(100, ['b', 'c'], filesOfBefore(first, deployed(100, ['b', 'c'])));
  expect(second.earlierFiles).toEqual({ a: day(100) });
  expect(filesOfBefore(second, deployed(129, ['d']))).toEqual({ a: day(100), b: day(129), c: day(129) });
  expect(filesOfBefore(second, deployed(130, ['d']))).toEqual({ b: day(130), c: day(130) });
});

test('a file that a version has again is its own, and of an application without pages nothing is left in the end', () => {
  const third = deployed(3, ['c'], { a: day(1), b: day(2) });
  expect(filesOfBefore(third, deployed(4, ['a']))).toEqual({ b: day(2), c: day(4) });
  expect(filesOfBefore(third, deployed(40, []))).toEqual({ c: day(40) });
  expect(filesOfBefore(undefined, deployed(1, ['a']))).toEqual({});
  expect(filesOfBefore(undefined, { time: day(1) })).toEqual({});
});

test('names are bounded: the last that were replaced stay', () => {
  const many = Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`f${i}`, day(i / 1000)]));
  const left = filesOfBefore(deployed(6, ['now'], many), deployed(7, []));
  expect(Object.keys(left)).toHaveLength(5000);
  expect([left['now'], left['f5999'] !== undefined, left['f0']]).toEqual([day(7), true, undefined]);
});

import { expect, test } from 'vitest';
import { Slice } from '../values/containers/slice.ts';
import { setitem } from '../values/containers/subscripts.ts';
import { callMethod } from '../values/objects/methods.ts';
import { ByteArray, Bytes, bytes } from '../values/text/bytes.ts';
import { lengthOf, pointIndex, unitIndex } from '../values/text/strings.ts';
import { Deque } from './collections/deque.ts';
import { Pattern } from './re/pattern.ts';

/** Gives the factor by which `run` takes more processor time for eight times as much: what else the machine does counts for little. */
function growth(run: (size: number) => void): number {
  const time = (size: number) => {
    const start = process.cpuUsage();
    run(size);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  time(1);
  const small = Math.min(time(1), time(1), time(1));
  return Math.min(time(8), time(8)) / small;
}

test('searching a long text again and again takes time by its length', () => {
  const words = new Pattern('\\w+', 32);
  expect(growth((n) => words.findall('the quick brown fox '.repeat(n * 2000)))).toBeLessThan(30);
});

test('places in a text with characters outside the basic plane are found from the last one', () => {
  const walk = (n: number) => {
    const text = 'naïve 😀 text '.repeat(n * 500);
    for (let at = 0; at < lengthOf(text); at += 3) expect(pointIndex(text, unitIndex(text, at))).toBe(at);
  };
  expect(growth(walk)).toBeLessThan(30);
});

test('a slice of a bytearray is changed without looking at every byte', () => {
  let b = new ByteArray(new Uint8Array(0));
  const change = (n: number) => {
    b = new ByteArray(new Uint8Array(n * 50_000));
    for (let i = 0; i < 2000; i += 1) setitem(b, new Slice(i * 10, i * 10 + 10, null), bytes('0123456789'));
  };
  expect(growth(change)).toBeLessThan(4);
  expect(b.data.subarray(0, 12)).toEqual(new Bytes(new Uint8Array(Buffer.from('012345678901'))).data);
});

test('a deque turns the shorter way round', () => {
  const deques = [1, 8].map(
    (n) =>
      new Deque(
        Array.from({ length: n * 6250 }, (_, i) => i),
        null,
      ) as any,
  );
  const turn = (n: number) => {
    const d = deques[n === 1 ? 0 : 1];
    for (let i = 0; i < 5000; i += 1) callMethod(d, 'rotate', -1);
    callMethod(d, 'rotate', 4999);
    expect(d.$at(0)).toBe(1);
    callMethod(d, 'rotate', 1);
  };
  expect(growth(turn)).toBeLessThan(4);
});

/** `slice` objects and the arithmetic of slicing. */

import { indexOf, requireIndex } from '../numbers/index-value.ts';
import { eq } from '../objects/equality.ts';
import { TypeError, ValueError } from '../objects/exceptions.ts';
import { hashOf } from '../objects/hashing.ts';
import { $eq, $hash, $repr, $typeName, type ReprState } from '../objects/protocol.ts';
import { reprOf } from '../objects/repr.ts';
import { Tuple } from './tuple.ts';

export class Slice {
  readonly start: unknown;
  readonly stop: unknown;
  readonly step: unknown;
  declare [$typeName]: string;

  constructor(start: unknown, stop: unknown, step: unknown) {
    this.start = start ?? null;
    this.stop = stop ?? null;
    this.step = step ?? null;
  }

  indices(length: unknown): Tuple {
    const size = Number(requireIndex(length));
    if (size < 0) throw new ValueError('length should not be negative');
    const { start, stop, step } = sliceBounds(this.start, this.stop, this.step, size);
    return new Tuple([start, stop, step]);
  }

  [$repr](state: ReprState): string {
    return `slice(${[this.start, this.stop, this.step].map((x) => reprOf(x, state)).join(', ')})`;
  }

  [$eq](other: unknown): boolean {
    return (
      other instanceof Slice && eq(this.start, other.start) && eq(this.stop, other.stop) && eq(this.step, other.step)
    );
  }

  [$hash](): string {
    return `/${hashOf(this.start)}:${hashOf(this.stop)}:${hashOf(this.step)}`;
  }
}
Slice.prototype[$typeName] = 'slice';

export interface Bounds {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  /** Number of positions that the slice selects. */
  readonly count: number;
}

/** Clamps slice parts to a length, as `slice.indices` does. @throws ValueError for a zero step */
export function sliceBounds(low: unknown, high: unknown, by: unknown, length: number): Bounds {
  const step = by === null || by === undefined ? 1 : slicePart(by);
  if (step === 0) throw new ValueError('slice step cannot be zero');
  const [lowest, highest] = step < 0 ? [-1, length - 1] : [0, length];
  const start =
    low === null || low === undefined ? (step < 0 ? highest : lowest) : clamp(slicePart(low), length, lowest, highest);
  const stop =
    high === null || high === undefined
      ? step < 0
        ? lowest
        : highest
      : clamp(slicePart(high), length, lowest, highest);
  const span = step < 0 ? start - stop : stop - start;
  return { start, stop, step, count: span <= 0 ? 0 : Math.floor((span - 1) / Math.abs(step)) + 1 };
}

function clamp(x: number, length: number, lowest: number, highest: number): number {
  const at = x < 0 ? x + length : x;
  return Math.min(highest, Math.max(lowest, at));
}

/** A part of a slice that is given: ints beyond the numbers of JavaScript are as far off. @throws TypeError */
export function slicePart(x: unknown): number {
  if (typeof x === 'number' && Number.isSafeInteger(x)) return x;
  const n = indexOf(x);
  if (n === undefined) throw new TypeError('slice indices must be integers or None or have an __index__ method');
  return typeof n === 'bigint' ? (n < 0n ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER) : n;
}

/** The selected elements of an array. */
export function sliceArray<T>(items: readonly T[], low: unknown, high: unknown, by: unknown): T[] {
  const { start, stop, step, count } = sliceBounds(low, high, by, items.length);
  if (step === 1) return Array.prototype.slice.call(items, start, Math.max(start, stop));
  const picked = new Array<T>(count);
  for (let i = 0, at = start; i < count; i += 1, at += step) picked[i] = items[at]!;
  return picked;
}

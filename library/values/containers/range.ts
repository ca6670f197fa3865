/** `range(start, stop, step)`: positions are computed, nothing is stored. */
import { look } from '../../limits/look.ts';
import { requireIndex } from '../numbers/index-value.ts';
import { demote, isInt, type Num } from '../numbers/numbers.ts';
import { TypeError, ValueError } from '../objects/exceptions.ts';
import { $eq, $hash, $methods, $repr, $truth, $typeName } from '../objects/protocol.ts';
import { sliceBounds } from './slice.ts';

export class Range implements Iterable<Num> {
  readonly start: Num;
  readonly stop: Num;
  readonly step: Num;
  readonly length: number;
  declare [$methods]: Record<string, (...args: any[]) => unknown>;
  declare [$typeName]: string;

  constructor(start: Num, stop: Num, step: Num) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.length = countOf(start, stop, step);
  }

  at(index: number): Num {
    if (typeof this.start === 'number' && typeof this.step === 'number') {
      const x = this.start + index * this.step;
      if (Number.isSafeInteger(x)) return x;
    }
    return demote(BigInt(this.start) + BigInt(index) * BigInt(this.step));
  }

  slice(low: unknown, high: unknown, by: unknown): Range {
    const { start, stop, step } = sliceBounds(low, high, by, this.length);
    const at = (i: number) => demote(BigInt(this.start) + BigInt(i) * BigInt(this.step));
    return new Range(at(start), at(stop), demote(BigInt(this.step) * BigInt(step)));
  }

  /** Position of a value, or -1. */
  indexOf(x: Num): number {
    if (!isInt(x)) return -1;
    const offset = BigInt(x) - BigInt(this.start);
    const step = BigInt(this.step);
    if (offset % step !== 0n) return -1;
    const index = Number(offset / step);
    return index >= 0 && index < this.length ? index : -1;
  }

  *[Symbol.iterator](): Generator<Num, void, undefined> {
    for (let i = 0; i < this.length; i += 1) {
      if ($due) look();
      yield this.at(i);
    }
  }

  [$truth](): boolean {
    return this.length > 0;
  }

  [$eq](other: unknown): boolean {
    if (!(other instanceof Range)) return false;
    if (this.length !== other.length) return false;
    if (this.length === 0) return true;
    return this.start === other.start && (this.length === 1 || this.step === other.step);
  }

  [$hash](): string {
    if (this.length === 0) return 'r0';
    return this.length === 1 ? `r1,${this.start}` : `r${this.length},${this.start},${this.step}`;
  }

  [$repr](): string {
    return this.step === 1 ? `range(${this.start}, ${this.stop})` : `range(${this.start}, ${this.stop}, ${this.step})`;
  }
}
Range.prototype[$typeName] = 'range';

/** `range(stop)`, `range(start, stop)`, `range(start, stop, step)` */
export function range(a: unknown, b?: unknown, c?: unknown): Range {
  if (a === undefined) throw new TypeError('range expected at least 1 argument, got 0');
  const step = c === undefined ? 1 : whole(c);
  if (Number(step) === 0) throw new ValueError('range() arg 3 must not be zero');
  return b === undefined ? new Range(0, whole(a), step) : new Range(whole(a), whole(b), step);
}

function whole(x: unknown): Num {
  return typeof x === 'number' && Number.isSafeInteger(x) ? x : requireIndex(x);
}

function countOf(start: Num, stop: Num, step: Num): number {
  if (typeof start === 'number' && typeof stop === 'number' && typeof step === 'number') {
    return Math.max(0, Math.ceil((stop - start) / step));
  }
  const [low, high, by] = [BigInt(start), BigInt(stop), BigInt(step)];
  const span = by > 0n ? high - low : low - high;
  return span <= 0n ? 0 : Number((span - 1n) / (by < 0n ? -by : by) + 1n);
}

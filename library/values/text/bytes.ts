/** `bytes` and `bytearray` over Uint8Array. */

import { sliceArray, sliceBounds } from '../containers/slice.ts';
import { requireIndex } from '../numbers/index-value.ts';
import { IndexError, TypeError, ValueError } from '../objects/exceptions.ts';
import { unhashable } from '../objects/hashing.ts';
import { $eq, $hash, $methods, $repr, $truth, $typeName } from '../objects/protocol.ts';
import { NotImplemented } from '../objects/singletons.ts';
import { typeName } from '../objects/type-name.ts';

/** Base of `bytes` and `bytearray`. The bytes of a `Bytes` never change. */
export abstract class AnyBytes implements Iterable<number> {
  data: Uint8Array;
  declare [$methods]: Record<string, (...args: any[]) => unknown>;
  declare [$typeName]: string;

  constructor(data: Uint8Array) {
    this.data = data;
  }

  get length(): number {
    return this.data.length;
  }

  [Symbol.iterator](): IterableIterator<number> {
    return this.data[Symbol.iterator]();
  }

  /** One char per byte, U+0000 to U+00FF. */
  get latin1(): string {
    return Buffer.from(this.data.buffer, this.data.byteOffset, this.data.length).toString('latin1');
  }

  slice(low: unknown, high: unknown, by: unknown): this {
    const { start, stop, step } = sliceBounds(low, high, by, this.length);
    const data =
      step === 1
        ? this.data.slice(start, Math.max(start, stop))
        : Uint8Array.from(sliceArray([...this.data], low, high, by));
    return new (this.constructor as any)(data);
  }

  [$truth](): boolean {
    return this.data.length > 0;
  }

  [$eq](other: unknown): boolean | undefined {
    return other instanceof AnyBytes ? Buffer.compare(this.data, other.data) === 0 : undefined;
  }

  __lt__(other: unknown): unknown {
    return other instanceof AnyBytes ? Buffer.compare(this.data, other.data) < 0 : NotImplemented;
  }

  __le__(other: unknown): unknown {
    return other instanceof AnyBytes ? Buffer.compare(this.data, other.data) <= 0 : NotImplemented;
  }

  __gt__(other: unknown): unknown {
    return other instanceof AnyBytes ? Buffer.compare(this.data, other.data) > 0 : NotImplemented;
  }

  __ge__(other: unknown): unknown {
    return other instanceof AnyBytes ? Buffer.compare(this.data, other.data) >= 0 : NotImplemented;
  }
}

export class Bytes extends AnyBytes {
  [$hash](): string {
    return `b${this.latin1}`;
  }

  [$repr](): string {
    return quoteBytes(this.latin1);
  }
}
Bytes.prototype[$typeName] = 'bytes';

export class ByteArray extends AnyBytes {
  [$hash](): never {
    throw unhashable(this);
  }

  [$repr](): string {
    return `bytearray(${quoteBytes(this.latin1)})`;
  }
}
ByteArray.prototype[$typeName] = 'bytearray';

/** Puts other bytes in the place of `count` bytes at `start`. */
export function spliceBytes(b: ByteArray, start: number, count: number, bytes: ArrayLike<number>): void {
  const { data } = b;
  if (bytes.length === count) data.set(bytes, start);
  else if (start === 0 && bytes.length === 0) b.data = data.subarray(count);
  else {
    b.data = new Uint8Array(data.length - count + bytes.length);
    b.data.set(data.subarray(0, start));
    b.data.set(bytes, start);
    b.data.set(data.subarray(start + count), start + bytes.length);
  }
}

/** `b"…"` of generated code: one char of the text is one byte. */
export function bytes(latin1: string): Bytes {
  return new Bytes(fromLatin1(latin1));
}

export function fromLatin1(text: string): Uint8Array {
  const data = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) data[i] = text.charCodeAt(i);
  return data;
}

/** The bytes of anything bytes-like. */
export function bytesOf(x: unknown): Uint8Array | undefined {
  return x instanceof AnyBytes ? x.data : x instanceof Uint8Array ? x : undefined;
}

/** A byte value. @throws ValueError, TypeError */
export function requireByte(x: unknown, what = 'bytes'): number {
  const n = requireIndex(x);
  if (n < 0 || n > 255) {
    throw new ValueError(what === 'bytes' ? 'bytes must be in range(0, 256)' : 'byte must be in range(0, 256)');
  }
  return Number(n);
}

export function byteAt(x: AnyBytes, index: number): number {
  const at = index < 0 ? index + x.length : index;
  const byte = x.data[at];
  if (byte === undefined)
    throw new IndexError(x instanceof Bytes ? 'index out of range' : 'bytearray index out of range');
  return byte;
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function quoteBytes(latin1: string): string {
  const mark = latin1.includes("'") && !latin1.includes('"') ? '"' : "'";
  let out = `b${mark}`;
  for (let i = 0; i < latin1.length; i += 1) {
    const unit = latin1.charCodeAt(i);
    const char = latin1[i]!;
    if (char === mark || char === '\\') out += `\\${char}`;
    else if (unit >= 32 && unit < 127) out += char;
    else
      out +=
        unit === 9 ? '\\t' : unit === 10 ? '\\n' : unit === 13 ? '\\r' : `\\x${unit.toString(16).padStart(2, '0')}`;
  }
  return out + mark;
}

/** The bytes of an argument that must be bytes-like. @throws TypeError */
export function requireBytes(x: unknown): Uint8Array {
  const data = bytesOf(x);
  if (data === undefined) throw new TypeError(`a bytes-like object is required, not '${typeName(x)}'`);
  return data;
}

/**
 * Reading of the expectation tables in this folder. They were made with CPython: one row per call, the values tagged where JSON has no
 * word for them (`{"f": "1.5"}` float, `{"i": "…"}` large int, `{"t": […]}` tuple, `{"b": hex}` bytes, `{"d": pairs}` dict, `{"s": …}` set, `{"z": …}`
 * frozenset, `{"l": …}` slice, `{"e": [type, message]}` what was raised).
 */
import { readFileSync } from 'node:fs';
import { caught } from '../calls/raise.ts';
import { Dict } from '../containers/dict.ts';
import { FrozenSet, PySet } from '../containers/sets.ts';
import { Slice } from '../containers/slice.ts';
import { Tuple } from '../containers/tuple.ts';
import { boxed, isFloat } from '../numbers/float-box.ts';
import { floatRepr } from '../numbers/float-text.ts';
import { demote } from '../numbers/numbers.ts';
import { BaseException } from '../objects/exceptions.ts';
import { strOf } from '../objects/repr.ts';
import { typeName } from '../objects/type-name.ts';
import { ByteArray, Bytes } from '../text/bytes.ts';

export function readTable(name: string, folder: URL = new URL('./', import.meta.url)): any[][] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
}

/** The value a tagged cell stands for. */
export function decode(x: any): any {
  if (x === null || typeof x !== 'object') return x;
  if (Array.isArray(x)) return x.map(decode);
  if ('f' in x)
    return boxed(x.f === 'inf' ? Number.POSITIVE_INFINITY : x.f === '-inf' ? Number.NEGATIVE_INFINITY : Number(x.f));
  if ('i' in x) return demote(BigInt(x.i));
  if ('t' in x) return new Tuple(x.t.map(decode));
  if ('b' in x) return new Bytes(new Uint8Array(Buffer.from(x.b, 'hex')));
  if ('B' in x) return new ByteArray(new Uint8Array(Buffer.from(x.B, 'hex')));
  if ('d' in x) return Dict.from(x.d.map(([k, v]: any) => [decode(k), decode(v)]));
  if ('s' in x) return new PySet(x.s.map(decode));
  if ('z' in x) return new FrozenSet(x.z.map(decode));
  if ('l' in x) return new Slice(x.l[0], x.l[1], x.l[2]);
  throw new Error(`unknown cell ${JSON.stringify(x)}`);
}

/** The cell for a value: ints as numbers, floats tagged. */
export function encode(x: any): any {
  if (typeof x === 'bigint') return { i: x.toString() };
  if (Number.isSafeInteger(x)) return x + 0;
  if (isFloat(x)) return { f: floatRepr(Number(x)) };
  if (x === undefined) return null;
  if (x === null || typeof x !== 'object') return x;
  if (Array.isArray(x)) return x.map(encode);
  if (x instanceof Tuple) return { t: x.items.map(encode) };
  if (x instanceof Bytes) return { b: Buffer.from(x.data).toString('hex') };
  if (x instanceof Dict) return { d: [...x.entries()].map(([k, v]) => [encode(k), encode(v)]) };
  if (x instanceof PySet) return { s: [...x.items].map(encode).sort() };
  if (x instanceof FrozenSet) return { z: [...x.items].map(encode).sort() };
  return { unknown: typeName(x) };
}

/** Gives the result of a call in the form that `expected` has for the table's cell. */
export function outcome(run: () => unknown): unknown {
  try {
    return encode(run());
  } catch (thrown) {
    const e = caught(thrown);
    if (e instanceof BaseException) return { e: [typeName(e), strOf(e)] };
    throw thrown;
  }
}

export function expected(cell: any): unknown {
  return typeof cell === 'object' && cell !== null && 'e' in cell ? cell : encode(decode(cell));
}

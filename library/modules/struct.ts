/** Module `struct`: values packed into bytes. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { GeneratorObject } from '../values/calls/generators.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { boxed } from '../values/numbers/float-box.ts';
import { indexOf, requireSize } from '../values/numbers/index-value.ts';
import { asNumber, demote, toFloat } from '../values/numbers/numbers.ts';
import { Exception, nameException, TypeError } from '../values/objects/exceptions.ts';
import { truth } from '../values/objects/truth.ts';
import { ByteArray, Bytes, bytesOf, requireBytes } from '../values/text/bytes.ts';
import { textOf } from '../values/text/text-arguments.ts';

class StructError extends Exception {}
nameException(StructError, 'error', 'struct');

interface Item {
  readonly code: string;
  readonly size: number;
  /** Length of `s` and `p`; other items stand for one value each. */
  readonly length: number;
  /** Offset in the packed bytes. */
  readonly at: number;
}

interface Plan {
  readonly little: boolean;
  readonly items: readonly Item[];
  readonly size: number;
}

const standard: Readonly<Record<string, number>> = {
  x: 1,
  c: 1,
  b: 1,
  B: 1,
  '?': 1,
  h: 2,
  H: 2,
  i: 4,
  I: 4,
  l: 4,
  L: 4,
  q: 8,
  Q: 8,
  e: 2,
  f: 4,
  d: 8,
  s: 1,
  p: 1,
};
const nativeSizes: Readonly<Record<string, number>> = { ...standard, l: 8, L: 8, n: 8, N: 8, P: 8 };
const plans = new Map<string, Plan>();

function planOf(given: unknown): Plan {
  const format =
    textOf(given) ?? (bytesOf(given) === undefined ? undefined : Buffer.from(bytesOf(given)!).toString('latin1'));
  if (format === undefined) throw new TypeError('Struct() argument 1 must be a str or bytes object');
  let plan = plans.get(format);
  if (plan === undefined) {
    plan = readPlan(format);
    if (plans.size > 100) plans.clear();
    plans.set(format, plan);
  }
  return plan;
}

function readPlan(format: string): Plan {
  const order = /^[@=<>!]/.test(format) ? format[0]! : '@';
  const native = order === '@';
  const sizes = native ? nativeSizes : standard;
  const items: Item[] = [];
  let at = 0;
  const body = format.replace(/^[@=<>!]/, '').replace(/\s+/g, '');
  for (let i = 0; i < body.length; ) {
    const found = /^(\d*)(.?)/s.exec(body.slice(i))!;
    i += found[0].length;
    const code = found[2]!;
    if (code === '') throw new StructError('repeat count given without format specifier');
    const size = sizes[code];
    if (size === undefined) throw new StructError('bad char in struct format');
    const count = found[1] === '' ? 1 : Number(found[1]);
    if (native && size > 1) at = Math.ceil(at / size) * size;
    if (code === 's' || code === 'p') {
      items.push({ code, size, length: count, at });
      at += count;
    } else {
      for (let n = 0; n < count; n += 1) {
        if (code !== 'x') items.push({ code, size, length: 1, at });
        at += size;
      }
    }
  }
  return { little: order !== '>' && order !== '!', items, size: at };
}

const integers = new Set('bBhHiIlLqQnNP'.split(''));
const unsigned = new Set('BHILQNP'.split(''));

function packInto(plan: Plan, out: Uint8Array, offset: number, values: readonly unknown[]): void {
  if (values.length !== plan.items.length)
    throw new StructError(`pack expected ${plan.items.length} items for packing (got ${values.length})`);
  const view = new DataView(out.buffer, out.byteOffset + offset, plan.size);
  plan.items.forEach((item, i) => {
    write(view, out.subarray(offset), item, values[i], plan.little);
  });
}

function write(view: DataView, bytes: Uint8Array, item: Item, value: unknown, little: boolean): void {
  const { code, at } = item;
  if (integers.has(code)) writeInt(view, item, value, little);
  else if (code === '?') view.setUint8(at, truth(value) ? 1 : 0);
  else if (code === 'c') {
    const data = bytesOf(value);
    if (data === undefined || data.length !== 1)
      throw new StructError('char format requires a bytes object of length 1');
    bytes[at] = data[0]!;
  } else if (code === 's' || code === 'p') {
    const data = bytesOf(value);
    if (data === undefined) throw new StructError(`argument for '${code}' must be a bytes object`);
    const start = code === 'p' ? 1 : 0;
    const part = data.subarray(0, Math.min(item.length - start, code === 'p' ? 255 : item.length));
    if (code === 'p' && item.length > 0) bytes[at] = part.length;
    bytes.set(part, at + start);
  } else {
    const number =
      asNumber(value) ?? (typeof (value as any)?.__float__ === 'function' ? (value as any).__float__() : undefined);
    if (number === undefined) throw new StructError('required argument is not a float');
    const x = toFloat(number);
    if (code === 'd') view.setFloat64(at, x, little);
    else if (code === 'f') {
      if (Number.isFinite(x) && !Number.isFinite(Math.fround(x)))
        throw new StructError('float too large to pack with f format');
      view.setFloat32(at, x, little);
    } else view.setUint16(at, halfOf(x), little);
  }
}

function writeInt(view: DataView, item: Item, value: unknown, little: boolean): void {
  const { code, size, at } = item;
  const n = indexOf(value);
  if (n === undefined) throw new StructError('required argument is not an integer');
  const bits = BigInt(size * 8);
  const big = BigInt(n);
  const [low, high] = unsigned.has(code) ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
  if (big < low || big > high) {
    throw new StructError(
      size === 8
        ? 'int too large to convert'
        : size === 1
          ? `${unsigned.has(code) ? 'ubyte' : 'byte'} format requires ${low} <= number <= ${high}`
          : `'${code}' format requires ${low} <= number <= ${high}`,
    );
  }
  if (size === 8) view.setBigInt64(at, BigInt.asIntN(64, big), little);
  else if (size === 4) view.setInt32(at, Number(BigInt.asIntN(32, big)), little);
  else if (size === 2) view.setInt16(at, Number(BigInt.asIntN(16, big)), little);
  else view.setInt8(at, Number(BigInt.asIntN(8, big)));
}

/** Half precision, rounded half to even. */
function halfOf(x: number): number {
  if (Number.isNaN(x)) return 0x7e00;
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const size = Math.abs(x);
  if (size === 0) return sign;
  if (!Number.isFinite(size)) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const scaled = (size / 2 ** exponent) * 1024;
  let mantissa = Math.floor(scaled);
  const rest = scaled - mantissa;
  if (rest > 0.5 || (rest === 0.5 && mantissa % 2 === 1)) mantissa += 1;
  const bits = exponent === -14 && mantissa < 1024 ? mantissa : (exponent + 14) * 1024 + mantissa;
  if (bits >= 0x7c00) throw new StructError('float too large to pack with e format');
  return sign | bits;
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? mantissa * 2 ** -24 : (1 + mantissa / 1024) * 2 ** (exponent - 15));
}

function unpackAt(plan: Plan, data: Uint8Array, offset: number): Tuple {
  const view = new DataView(data.buffer, data.byteOffset + offset, plan.size);
  return new Tuple(plan.items.map((item) => read(view, data.subarray(offset), item, plan.little)));
}

function read(view: DataView, data: Uint8Array, item: Item, little: boolean): unknown {
  const { code, size, at } = item;
  if (integers.has(code)) {
    if (size === 8) return demote(unsigned.has(code) ? view.getBigUint64(at, little) : view.getBigInt64(at, little));
    if (size === 4) return unsigned.has(code) ? view.getUint32(at, little) : view.getInt32(at, little);
    if (size === 2) return unsigned.has(code) ? view.getUint16(at, little) : view.getInt16(at, little);
    return unsigned.has(code) ? view.getUint8(at) : view.getInt8(at);
  }
  if (code === '?') return view.getUint8(at) !== 0;
  if (code === 'c') return new Bytes(data.slice(at, at + 1));
  if (code === 's') return new Bytes(data.slice(at, at + item.length));
  if (code === 'p')
    return new Bytes(data.slice(at + 1, at + 1 + Math.min(data[at] ?? 0, Math.max(0, item.length - 1))));
  return boxed(
    code === 'd'
      ? view.getFloat64(at, little)
      : code === 'f'
        ? view.getFloat32(at, little)
        : fromHalf(view.getUint16(at, little)),
  );
}

function pack(plan: Plan, values: readonly unknown[]): Bytes {
  const out = new Uint8Array(plan.size);
  packInto(plan, out, 0, values);
  return new Bytes(out);
}

function packIntoBuffer(plan: Plan, buffer: unknown, offset: unknown, values: readonly unknown[]): null {
  if (!(buffer instanceof ByteArray)) throw new TypeError('argument must be read-write bytes-like object');
  const at = startOf(buffer.data, requireSize(offset), plan, 'pack_into');
  packInto(plan, buffer.data, at, values);
  return null;
}

function startOf(data: Uint8Array, offset: number, plan: Plan, what: string): number {
  const at = offset < 0 ? offset + data.length : offset;
  if (at < 0 || data.length - at < plan.size) {
    throw new StructError(
      `${what} requires a buffer of at least ${plan.size + Math.max(0, at)} bytes for ${what === 'pack_into' ? 'packing' : 'unpacking'} ${plan.size} bytes at offset ${at} (actual buffer size is ${data.length})`,
    );
  }
  return at;
}

function unpack(plan: Plan, buffer: unknown): Tuple {
  const data = requireBytes(buffer);
  if (data.length !== plan.size) throw new StructError(`unpack requires a buffer of ${plan.size} bytes`);
  return unpackAt(plan, data, 0);
}

function unpackFrom(plan: Plan, buffer: unknown, offset?: unknown): Tuple {
  const data = requireBytes(buffer);
  return unpackAt(plan, data, startOf(data, offset === undefined ? 0 : requireSize(offset), plan, 'unpack_from'));
}

function* every(plan: Plan, buffer: unknown): Generator<unknown, undefined> {
  const data = requireBytes(buffer);
  for (let at = 0; at < data.length; at += plan.size) yield unpackAt(plan, data, at);
  return undefined;
}

function iterUnpack(plan: Plan, buffer: unknown): GeneratorObject {
  if (plan.size === 0) throw new StructError('cannot iteratively unpack with a struct of length 0');
  if (requireBytes(buffer).length % plan.size !== 0)
    throw new StructError(`iterative unpacking requires a buffer of a multiple of ${plan.size} bytes`);
  return new GeneratorObject(every(plan, buffer));
}

class Struct {
  readonly format: unknown;
  readonly size: number;
  readonly $plan: Plan;

  constructor(format: unknown) {
    this.$plan = planOf(format);
    this.format = format;
    this.size = this.$plan.size;
  }

  pack(values: unknown[]): Bytes {
    return pack(this.$plan, values);
  }

  pack_into(buffer: unknown, offset: unknown, values: unknown[]): null {
    return packIntoBuffer(this.$plan, buffer, offset, values);
  }

  unpack(buffer: unknown): Tuple {
    return unpack(this.$plan, buffer);
  }

  unpack_from(buffer: unknown, offset?: unknown): Tuple {
    return unpackFrom(this.$plan, buffer, offset);
  }

  iter_unpack(buffer: unknown): GeneratorObject {
    return iterUnpack(this.$plan, buffer);
  }
}
nativeClass(Struct, {
  name: 'Struct',
  module: 'struct',
  params: 'format',
  methods: {
    pack: '*values',
    pack_into: 'buffer, offset, /, *values',
    unpack: 'buffer, /',
    unpack_from: 'buffer, offset=0',
    iter_unpack: 'buffer, /',
  },
});

export function makeStruct(): Members {
  return {
    Struct,
    error: StructError,
    ...functions('struct', {
      calcsize: ['format, /', (format: unknown) => planOf(format).size],
      iter_unpack: ['format, buffer, /', (format: unknown, buffer: unknown) => iterUnpack(planOf(format), buffer)],
      pack: ['format, /, *values', (format: unknown, values: unknown[]) => pack(planOf(format), values)],
      pack_into: [
        'format, buffer, offset, /, *values',
        (format: unknown, buffer: unknown, offset: unknown, values: unknown[]) =>
          packIntoBuffer(planOf(format), buffer, offset, values),
      ],
      unpack: ['format, buffer, /', (format: unknown, buffer: unknown) => unpack(planOf(format), buffer)],
      unpack_from: [
        'format, /, buffer, offset=0',
        (format: unknown, buffer: unknown, offset?: unknown) => unpackFrom(planOf(format), buffer, offset),
      ],
    }),
  };
}

/**
 * Module `array`: numbers of one kind, as sequences that check what is put into them
 * (docs/language/standard-modules.md#differences).
 */

import type { Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { itemsOf } from '../values/containers/iteration.ts';
import { countItems, findItem } from '../values/containers/list-methods.ts';
import { Slice } from '../values/containers/slice.ts';
import { deleteListItem, listItem, setListItem } from '../values/containers/subscripts.ts';
import { tuple } from '../values/containers/tuple.ts';
import { boxed } from '../values/numbers/float-box.ts';
import { indexOf, requireIndex, requireSize } from '../values/numbers/index-value.ts';
import { asNumber, demote, toFloat } from '../values/numbers/numbers.ts';
import { eq } from '../values/objects/equality.ts';
import { EOFError, IndexError, OverflowError, TypeError, ValueError } from '../values/objects/exceptions.ts';
import { unhashable } from '../values/objects/hashing.ts';
import { callMethod } from '../values/objects/methods.ts';
import { ge, gt, le, lt } from '../values/objects/ordering.ts';
import { $eq, $hash, $repr } from '../values/objects/protocol.ts';
import { reprOf } from '../values/objects/repr.ts';
import { NotImplemented } from '../values/objects/singletons.ts';
import { typeName } from '../values/objects/type-name.ts';
import { Bytes, bytesOf } from '../values/text/bytes.ts';
import { textOf } from '../values/text/text-arguments.ts';

interface Kind {
  readonly size: number;
  /** Name of the items in complaints; none for floats. */
  readonly name?: string;
  readonly signed?: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
  b: { size: 1, name: 'signed char', signed: true },
  B: { size: 1, name: 'unsigned byte integer' },
  h: { size: 2, name: 'signed short integer', signed: true },
  H: { size: 2, name: 'unsigned short' },
  i: { size: 4, name: 'signed integer', signed: true },
  I: { size: 4, name: 'unsigned int' },
  l: { size: 8, name: 'long', signed: true },
  L: { size: 8, name: 'unsigned long' },
  q: { size: 8, name: 'long long', signed: true },
  Q: { size: 8, name: 'unsigned long long' },
  f: { size: 4 },
  d: { size: 8 },
};

/** `array.array` */
class NumberArray {
  readonly typecode: string;
  $items: any[] = [];

  constructor(typecode: unknown, initializer: unknown) {
    const code = textOf(typecode);
    if (code === undefined || code.length !== 1)
      throw new TypeError(
        `array() argument 1 must be a unicode character, not ${code === undefined ? typeName(typecode) : 'str'}`,
      );
    if (kinds[code] === undefined)
      throw new ValueError('bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)');
    this.typecode = code;
    if (initializer === undefined || initializer === null) return;
    if (textOf(initializer) !== undefined)
      throw new TypeError(`cannot use a str to initialize an array with typecode '${code}'`);
    if (bytesOf(initializer) !== undefined) this.frombytes(initializer);
    else this.extend(initializer instanceof NumberArray ? initializer.$items : initializer);
  }

  get itemsize(): number {
    return this.$kind.size;
  }

  get $kind(): Kind {
    return kinds[this.typecode]!;
  }

  get $isFloat(): boolean {
    return this.$kind.name === undefined;
  }

  $made(items: any[]): NumberArray {
    const made = new NumberArray(this.typecode, undefined);
    made.$items = items;
    return made;
  }

  /** A value as the array holds it. @throws TypeError, OverflowError */
  $value(x: unknown): unknown {
    if (this.$isFloat) {
      const number = asNumber(x);
      if (number === undefined) throw new TypeError(`must be real number, not ${typeName(x)}`);
      return boxed(this.typecode === 'f' ? Math.fround(toFloat(number)) : toFloat(number));
    }
    const given = indexOf(x);
    if (given === undefined) throw new TypeError(`'${typeName(x)}' object cannot be interpreted as an integer`);
    const { size, name, signed } = this.$kind;
    const bits = BigInt(size * 8);
    const [low, high] = signed === true ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
    const value = BigInt(given);
    if (value > high) throw new OverflowError(size === 8 ? tooLarge(this.typecode) : `${name} is greater than maximum`);
    if (value < low)
      throw new OverflowError(
        signed === true && size === 8
          ? tooLarge(this.typecode)
          : size < 4 || signed === true
            ? `${name} is less than minimum`
            : "can't convert negative value to unsigned int",
      );
    return demote(value);
  }

  append(x: unknown): null {
    this.$items.push(this.$value(x));
    return null;
  }

  extend(source: unknown): null {
    if (source instanceof NumberArray) {
      if (source.typecode !== this.typecode) throw new TypeError('can only extend with array of same kind');
      this.$items.push(...source.$items);
    } else for (const x of itemsOf(source)) this.append(x);
    return null;
  }

  fromlist(source: unknown): null {
    if (!Array.isArray(source)) throw new TypeError('arg must be list');
    this.$items.push(...source.map((x) => this.$value(x)));
    return null;
  }

  insert(index: unknown, x: unknown): null {
    const at = Number(requireIndex(index));
    this.$items.splice(at < 0 ? Math.max(0, at + this.$items.length) : at, 0, this.$value(x));
    return null;
  }

  pop(index: unknown = -1): unknown {
    if (this.$items.length === 0) throw new IndexError('pop from empty array');
    const at = Number(requireIndex(index));
    const place = at < 0 ? at + this.$items.length : at;
    if (place < 0 || place >= this.$items.length) throw new IndexError('pop index out of range');
    return this.$items.splice(place, 1)[0];
  }

  remove(x: unknown): null {
    const at = findItem(this.$items, x, undefined, undefined);
    if (at < 0) throw new ValueError('array.remove(x): x not in array');
    this.$items.splice(at, 1);
    return null;
  }

  index(x: unknown, start?: unknown, stop?: unknown): number {
    const at = findItem(this.$items, x, start, stop);
    if (at < 0) throw new ValueError('array.index(x): x not in array');
    return at;
  }

  count(x: unknown): number {
    return countItems(this.$items, x);
  }

  reverse(): null {
    this.$items.reverse();
    return null;
  }

  tolist(): unknown[] {
    return [...this.$items];
  }

  buffer_info(): unknown {
    return tuple(0, this.$items.length);
  }

  tobytes(): Bytes {
    const { size } = this.$kind;
    const data = new Uint8Array(size * this.$items.length);
    const view = new DataView(data.buffer);
    this.$items.forEach((x, i) => {
      if (this.typecode === 'f') view.setFloat32(i * 4, x, true);
      else if (this.typecode === 'd') view.setFloat64(i * 8, x, true);
      else if (size === 8) view.setBigUint64(i * 8, BigInt.asUintN(64, BigInt(x)), true);
      else for (let byte = 0; byte < size; byte += 1) data[i * size + byte] = Number(x) >> (8 * byte);
    });
    return new Bytes(data);
  }

  frombytes(source: unknown): null {
    const data = bytesOf(source);
    if (data === undefined) throw new TypeError(`a bytes-like object is required, not '${typeName(source)}'`);
    const { size, signed } = this.$kind;
    if (data.length % size !== 0) throw new ValueError('bytes length not a multiple of item size');
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    for (let at = 0; at < data.length; at += size) {
      if (this.$isFloat) this.$items.push(boxed(size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true)));
      else {
        let bits = 0n;
        for (let byte = size - 1; byte >= 0; byte -= 1) bits = (bits << 8n) | BigInt(data[at + byte]!);
        this.$items.push(demote(signed === true ? BigInt.asIntN(size * 8, bits) : bits));
      }
    }
    return null;
  }

  tofile(file: unknown): null {
    callMethod(file, 'write', this.tobytes());
    return null;
  }

  fromfile(file: unknown, count: unknown): null {
    const wanted = requireSize(count) * this.itemsize;
    const data = bytesOf(callMethod(file, 'read', wanted)) ?? new Uint8Array(0);
    this.frombytes(new Bytes(data.slice(0, data.length - (data.length % this.itemsize))));
    if (data.length < wanted) throw new EOFError("read() didn't return enough bytes");
    return null;
  }

  byteswap(): null {
    const data = this.tobytes().data.slice();
    const { size } = this.$kind;
    for (let at = 0; at < data.length; at += size) data.subarray(at, at + size).reverse();
    this.$items = [];
    return this.frombytes(new Bytes(data));
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.$items[Symbol.iterator]();
  }

  __len__(): number {
    return this.$items.length;
  }

  __getitem__(i: unknown): unknown {
    return i instanceof Slice ? this.$made(listItem(this.$items, i) as any[]) : this.$items[this.$place(i, '')];
  }

  __setitem__(i: unknown, x: unknown): void {
    if (!(i instanceof Slice)) {
      const at = this.$place(i, 'assignment ');
      this.$items[at] = this.$value(x);
    } else if (x instanceof NumberArray && x.typecode === this.typecode) setListItem(this.$items, i, [...x.$items]);
    else if (x instanceof NumberArray) throw new TypeError('bad argument type for built-in operation');
    else throw new TypeError(`can only assign array (not "${typeName(x)}") to array slice`);
  }

  __delitem__(i: unknown): void {
    if (i instanceof Slice) deleteListItem(this.$items, i);
    else this.$items.splice(this.$place(i, 'assignment '), 1);
  }

  $place(i: unknown, what: string): number {
    const given = indexOf(i);
    if (given === undefined) throw new TypeError('array indices must be integers');
    const at = Number(given) < 0 ? Number(given) + this.$items.length : Number(given);
    if (at < 0 || at >= this.$items.length) throw new IndexError(`array ${what}index out of range`);
    return at;
  }

  __contains__(x: unknown): boolean {
    return findItem(this.$items, x, undefined, undefined) >= 0;
  }

  __add__(other: unknown): NumberArray {
    if (!(other instanceof NumberArray))
      throw new TypeError(`can only append array (not "${typeName(other)}") to array`);
    if (other.typecode !== this.typecode) throw new TypeError('bad argument type for built-in operation');
    return this.$made([...this.$items, ...other.$items]);
  }

  __iadd__(other: unknown): NumberArray {
    if (!(other instanceof NumberArray)) throw new TypeError(`can only extend with array (not "${typeName(other)}")`);
    this.extend(other);
    return this;
  }

  __mul__(times: unknown): NumberArray {
    const count = Math.max(0, requireSize(times));
    return this.$made(Array.from({ length: count }, () => this.$items).flat());
  }

  __rmul__(times: unknown): NumberArray {
    return this.__mul__(times);
  }

  __copy__(): NumberArray {
    return this.$made([...this.$items]);
  }

  __deepcopy__(_memo: unknown): NumberArray {
    return this.__copy__();
  }

  __lt__(other: unknown): unknown {
    return other instanceof NumberArray ? lt(this.$items, other.$items) : NotImplemented;
  }

  __le__(other: unknown): unknown {
    return other instanceof NumberArray ? le(this.$items, other.$items) : NotImplemented;
  }

  __gt__(other: unknown): unknown {
    return other instanceof NumberArray ? gt(this.$items, other.$items) : NotImplemented;
  }

  __ge__(other: unknown): unknown {
    return other instanceof NumberArray ? ge(this.$items, other.$items) : NotImplemented;
  }

  [$eq](other: unknown): boolean | undefined {
    return other instanceof NumberArray ? eq(this.$items, other.$items) : undefined;
  }

  [$hash](): never {
    throw unhashable(this);
  }

  [$repr](): string {
    const shown = this.$items.map((x) => reprOf(x));
    return shown.length === 0 ? `array('${this.typecode}')` : `array('${this.typecode}', [${shown.join(', ')}])`;
  }
}
nativeClass(NumberArray, {
  countedAs: ['Sequence', 'MutableSequence'],
  name: 'array',
  module: 'array',
  fullName: true,
  params: 'typecode, initializer=None, /',
  methods: {
    append: 'v, /',
    extend: 'bb, /',
    fromlist: 'list, /',
    insert: 'i, v, /',
    pop: 'i=-1, /',
    remove: 'v, /',
    index: 'v, start=0, stop=None, /',
    count: 'v, /',
    reverse: '',
    tolist: '',
    buffer_info: '',
    tobytes: '',
    frombytes: 'buffer, /',
    tofile: 'f, /',
    fromfile: 'f, n, /',
    byteswap: '',
  },
});

function tooLarge(code: string): string {
  const types: Readonly<Record<string, string>> = { l: 'long', L: 'unsigned long' };
  return types[code] === undefined ? 'int too big to convert' : `Python int too large to convert to C ${types[code]}`;
}

export function makeArray(): Members {
  return { array: NumberArray, ArrayType: NumberArray, typecodes: Object.keys(kinds).join('') };
}

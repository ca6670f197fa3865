/** Built-in functions. Those that take keywords have a form for them, `$kw(positions, named)`. */
import { TypeError, ValueError } from './exceptions.ts';
import { decimals } from './fixed.ts';
import { array, iter } from './iteration.ts';
import { characters, isMember, isPlain, special, typeName } from './kinds.ts';
import { named } from './named.ts';
import { add, compared, mod, truthy } from './operators.ts';
import { repr, str } from './text.ts';

type Named = Record<string, any>;

export const print = /* @__PURE__ */ named(
  (...values: unknown[]): void => {
    console.log(...values);
  },
  (values: unknown[], { sep = ' ', end = '\n' }: Named): void => {
    console.log(values.map((value) => str(value)).join(sep) + (end === '\n' ? '' : end));
  },
);

export function len(value: any): number {
  if (typeof value === 'string') return characters(value).length;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Set || value instanceof Map) return value.size;
  const own = special(value, '__len__');
  if (own !== undefined) return own() as number;
  if (isPlain(value)) return Object.keys(value).length;
  if (isMember(value)) return len(value.value);
  if (typeof value?.length === 'number') return value.length;
  throw new TypeError(`object of type '${typeName(value)}' has no len()`);
}

export function range(first: number, second?: number, step = 1): number[] {
  const [start, end] = second === undefined ? [0, first] : [first, second];
  if (step === 0) throw new ValueError('range() arg 3 must not be zero');
  const count = Math.max(0, Math.ceil((end - start) / step));
  return Array.from({ length: count }, (_, i) => start + i * step);
}

export const enumerate = /* @__PURE__ */ named(
  (values: any, start = 0): [number, any][] => {
    return array(values).map((value, i) => [i + start, value]);
  },
  ([values]: any[], { start = 0 }: Named): [number, any][] => enumerate(values, start),
);

export const zip = /* @__PURE__ */ named(
  (...lists: any[]): any[][] => {
    // One after the other, since a generator may have no end.
    const steps = lists.map((one) => iter(one)[Symbol.iterator]());
    const rows: any[][] = [];
    for (;;) {
      const row: any[] = [];
      for (const step of steps) {
        const { done, value } = step.next();
        if (done) return rows;
        row.push(value);
      }
      if (row.length === 0) return rows;
      rows.push(row);
    }
  },
  (lists: any[], { strict = false }: Named): any[][] => {
    if (strict && new Set(lists.map((one) => array(one).length)).size > 1)
      throw new ValueError('zip() arguments have different lengths');
    return zip(...lists);
  },
);

/** Sorts in place: stable, by keys where there is a function for them. */
export function sortInPlace(values: any[], { key, reverse = false }: Named = {}): any[] {
  const keyed = values.map((value) => [key === undefined || key === null ? value : key(value), value] as const);
  keyed.sort(([a], [b]) => (reverse ? compared(b, a, '<') : compared(a, b, '<')));
  for (const [i, [, value]] of keyed.entries()) values[i] = value;
  return values;
}

export const sorted = /* @__PURE__ */ named(
  (values: any): any[] => {
    return sortInPlace([...iter(values)]);
  },
  ([values]: any[], named: Named): any[] => sortInPlace([...iter(values)], named),
);

export function reversed(values: any): any[] {
  return [...iter(values)].reverse();
}

export const sum = /* @__PURE__ */ named(
  (values: any, start: any = 0): any => {
    let total = start;
    // Neumaier's correction: what the sum of floats could not hold.
    let lost = 0;
    for (const value of iter(values)) {
      const next = add(total, value);
      if (typeof next === 'number')
        lost +=
          Math.abs(total) >= Math.abs(value as number)
            ? total - next + (value as number)
            : (value as number) - next + total;
      total = next;
    }
    return lost !== 0 && Number.isFinite(lost) ? total + lost : total;
  },
  ([values]: any[], { start = 0 }: Named): any => sum(values, start),
);

export const min = /* @__PURE__ */ named(
  (...values: any[]): any => {
    return extreme(values, {}, 'min', (a, b) => compared(a, b, '<') < 0);
  },
  (values: any[], named: Named): any => extreme(values, named, 'min', (a, b) => compared(a, b, '<') < 0),
);

export const max = /* @__PURE__ */ named(
  (...values: any[]): any => {
    return extreme(values, {}, 'max', (a, b) => compared(a, b, '>') > 0);
  },
  (values: any[], named: Named): any => extreme(values, named, 'max', (a, b) => compared(a, b, '>') > 0),
);

function extreme(values: any[], named: Named, name: string, isBetter: (a: any, b: any) => boolean): any {
  const list = values.length === 1 ? array(values[0]) : values;
  if (list.length === 0) {
    if ('default' in named) return named['default'];
    throw new ValueError(`${name}() arg is an empty sequence`);
  }
  const keyOf = named['key'] ?? ((value: unknown) => value);
  return list.reduce((best, value) => (isBetter(keyOf(value), keyOf(best)) ? value : best));
}

export function map(f: (...args: any[]) => any, ...lists: any[]): any[] {
  if (lists.length === 1) return array(lists[0]).map((value) => f(value));
  return zip(...lists).map((values) => f(...values));
}

export function filter(f: ((value: any) => any) | null, values: any): any[] {
  return array(values).filter((value) => truthy(f === null ? value : f(value)));
}

export function any(values: any): boolean {
  for (const one of iter(values)) if (truthy(one)) return true;
  return false;
}

export function all(values: any): boolean {
  for (const one of iter(values)) if (!truthy(one)) return false;
  return true;
}

export function abs(value: any): any {
  return special(value, '__abs__')?.() ?? Math.abs(value);
}

/** To the even neighbour where two are equally near. */
export const round = /* @__PURE__ */ named(
  (value: number, digits?: number | null): number => {
    if (digits === undefined || digits === null || digits === 0) {
      const own = special(value, '__round__');
      if (own !== undefined) return own() as number;
      const floor = Math.floor(value);
      const rest = value - floor;
      if (rest !== 0.5) return Math.round(value);
      return floor % 2 === 0 ? floor : floor + 1;
    }
    if (digits < 0) return round(value / 10 ** -digits) * 10 ** -digits;
    return Number(decimals(value, Math.min(100, digits)));
  },
  ([value]: any[], { ndigits }: Named): number => round(value, ndigits),
);

export function ord(char: string): number {
  return char.codePointAt(0) ?? 0;
}

export function chr(code: number): string {
  return String.fromCodePoint(code);
}

export function divmod(a: number, b: number): [number, number] {
  return [Math.floor(a / b), mod(a, b)];
}

/** `pow(base, exponent, modulus)`, exact. */
export function powmod(base: number, exponent: number, modulus: number): number {
  const m = BigInt(modulus);
  let result = 1n;
  let factor = exponent < 0 ? inverse(BigInt(base), m) : BigInt(base) % m;
  for (let left = BigInt(Math.abs(exponent)); left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % m;
    factor = (factor * factor) % m;
  }
  return mod(Number(result % m), modulus);
}

/** The number that `base` is multiplied with to be 1 by `m`. */
function inverse(base: bigint, m: bigint): bigint {
  let [a, b, x, y] = [base % m, m, 1n, 0n];
  while (b !== 0n) {
    const times = a / b;
    [a, b, x, y] = [b, a - times * b, y, x - times * y];
  }
  if (a * a !== 1n) throw new ValueError('base is not invertible for the given modulus');
  return x * a;
}

export function hex(value: number): string {
  return `${value < 0 ? '-' : ''}0x${Math.abs(value).toString(16)}`;
}

export function bin(value: number): string {
  return `${value < 0 ? '-' : ''}0b${Math.abs(value).toString(2)}`;
}

export function oct(value: number): string {
  return `${value < 0 ? '-' : ''}0o${Math.abs(value).toString(8)}`;
}

export function callable(value: unknown): boolean {
  return typeof value === 'function' || special(value, '__call__') !== undefined;
}

export function input(prompt = ''): string {
  return globalThis.prompt(str(prompt)) ?? '';
}

/** The id of an object of the graph. */
export function oid(value: any): string {
  return typeof value === 'string' ? value : (value?._svc_id ?? '');
}

const ids = new WeakMap<object, number>();
let lastId = 0;

export function id(value: any): number {
  if (typeof value !== 'object' || value === null) return hash(value);
  let found = ids.get(value);
  if (found === undefined) ids.set(value, (found = lastId += 1));
  return found;
}

export function hash(value: any): number {
  const own = special(value, '__hash__');
  if (own !== undefined) return own() as number;
  let sum = 0;
  for (const char of repr(value)) sum = (sum * 31 + char.codePointAt(0)!) | 0;
  return sum;
}

export function ascii(value: unknown): string {
  return repr(value).replace(/[^\x20-\x7e]/gu, (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`);
}

export function vars(value: any): Named {
  return { ...value };
}

export function dir(value: any): string[] {
  return Object.keys(value).sort();
}

export function bytes(value: any = []): Uint8Array {
  if (typeof value === 'string') return new TextEncoder().encode(value);
  return typeof value === 'number' ? new Uint8Array(value) : Uint8Array.from(array(value));
}

export function almostEqual(a: number, b: number, places = 10): boolean {
  return Math.abs(a - b) <= 10 ** -places * Math.max(1, Math.abs(a), Math.abs(b));
}

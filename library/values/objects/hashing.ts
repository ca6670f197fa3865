/**
 * Key equality (docs/language/values.md#equality). Most keys are plain: strings, numbers, `None`, functions and objects
 * that compare by identity are JavaScript keys of the same equality. The rest ("odd" keys: bools, BigInts, tuples,
 * bytes, objects with `__eq__`) are found through `hashOf`, which gives equal keys equal text, and `eq`.
 */
import { look } from '../../limits/look.ts';
import { unawaited } from '../calls/regions.ts';
import { Tuple } from '../containers/tuple.ts';
import { demote } from '../numbers/numbers.ts';
import { eq } from './equality.ts';
import { TypeError } from './exceptions.ts';
import { $hash, $primitive } from './protocol.ts';
import { fullTypeName } from './type-name.ts';

/** Is `x` a key JavaScript's own Map compares rightly, as long as no odd key is in the table? */
export function isPlainKey(x: unknown): boolean {
  switch (typeof x) {
    case 'string':
    case 'number':
    case 'symbol':
      return true;
    case 'function':
      return true;
    case 'object':
      return x === null || isPlainObject(x);
    default:
      return false;
  }
}

function isPlainObject(x: any): boolean {
  if (x[$hash] !== undefined || Array.isArray(x)) return false;
  return x.__eq__ === undefined && x.__hash__ === undefined && x[$primitive] === undefined;
}

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/** A number that tells objects apart; `id(x)` shows it. */
export function identityOf(x: object): number {
  let known = identities.get(x);
  if (known === undefined) {
    known = ++lastIdentity;
    identities.set(x, known);
  }
  return known;
}

/** Text that is the same for equal keys. @throws TypeError unhashable type */
export function hashOf(x: unknown): string {
  switch (typeof x) {
    case 'string':
      return `s${x}`;
    case 'number':
      return Number.isInteger(x) && !Number.isSafeInteger(x) ? `n${BigInt(x)}` : `n${x === 0 ? 0 : x}`;
    case 'boolean':
      return x ? 'n1' : 'n0';
    case 'bigint':
      return `n${x}`;
    case 'undefined':
      return 'N';
    case 'function':
      return `o${identityOf(x)}`;
    case 'symbol':
      return `y${String(x.description)}`;
    default:
      return x === null ? 'N' : hashOfObject(x);
  }
}

function hashOfObject(x: any): string {
  if ($due) look();
  if (x instanceof Tuple) return `(${x.items.map(hashOf).join(',')})`;
  if (Array.isArray(x)) throw unhashable(x);
  const primitive = x[$primitive];
  if (primitive !== undefined) return hashOf(primitive);
  const native = x[$hash];
  if (typeof native === 'function') return native.call(x);
  const own = x.__hash__;
  if (typeof own === 'function') {
    const result = own.call(x);
    if (result instanceof Promise) throw unawaited(result, '__hash__');
    if (typeof result !== 'number' && typeof result !== 'bigint' && typeof result !== 'boolean') {
      throw new TypeError('__hash__ method should return an integer');
    }
    return `h${result}`;
  }
  if (own === null) throw unhashable(x);
  if (typeof x.__eq__ === 'function') throw unhashable(x);
  return `o${identityOf(x)}`;
}

export function unhashable(x: unknown): TypeError {
  return new TypeError(`unhashable type: '${fullTypeName(x)}'`);
}

/** Odd keys of one table by hash; the table itself holds the same objects. */
export type OddKeys = Map<string, unknown[]>;

/** Is there a key equal to `x`? Gives the key that is in the table, or `absent`. */
export function findKey(store: { has(key: unknown): boolean }, odd: OddKeys | undefined, x: unknown): unknown {
  if (x === undefined) x = null;
  if (store.has(x)) return x;
  const plain = isPlainKey(x);
  if (plain && odd === undefined) return absent;
  const hash = hashOf(x);
  if (!plain) {
    const other = plainEquivalent(hash);
    if (other !== undefined && store.has(other)) return other;
  }
  const bucket = odd?.get(hash);
  for (const candidate of bucket ?? []) {
    if ($due) look();
    if (candidate === x || eq(candidate, x)) return candidate;
  }
  return absent;
}

export const absent: unique symbol = Symbol('absent');

// A bool, BigInt, Decimal or enum member may equal a plain number or string that is in the table; its hash tells which.
function plainEquivalent(hash: string): unknown {
  const kind = hash.charCodeAt(0);
  if (kind === 115) return hash.slice(1);
  if (kind !== 110) return undefined;
  const n = Number(hash.slice(1));
  return `n${n}` === hash || (Number.isInteger(n) && `n${BigInt(n)}` === hash) ? n : undefined;
}

/** Remembers an odd key that was put into the table. */
export function addOdd(odd: OddKeys | undefined, x: unknown): OddKeys {
  const table = odd ?? new Map<string, unknown[]>();
  const hash = hashOf(x);
  const bucket = table.get(hash);
  if (bucket === undefined) table.set(hash, [x]);
  else bucket.push(x);
  return table;
}

/** The same for a copy of the table. */
export function copyOdd(odd: OddKeys | undefined): OddKeys | undefined {
  return odd && new Map([...odd].map(([hash, keys]) => [hash, [...keys]]));
}

/** Forgets an odd key that was taken out. */
export function removeOdd(odd: OddKeys | undefined, x: unknown): OddKeys | undefined {
  if (odd === undefined || isPlainKey(x)) return odd;
  const hash = hashOf(x);
  const bucket = odd.get(hash);
  const at = bucket?.indexOf(x) ?? -1;
  if (bucket !== undefined && at >= 0) {
    bucket.splice(at, 1);
    if (bucket.length === 0) odd.delete(hash);
  }
  return odd.size === 0 ? undefined : odd;
}

/** Gives `hash(x)`: consistent with equality, otherwise arbitrary. */
export function hashNumber(x: unknown): number {
  if (typeof x === 'boolean') return x ? 1 : 0;
  if (typeof x === 'number' && Number.isSafeInteger(x)) return x === -1 ? -2 : x;
  const own =
    typeof x === 'object' && x !== null && typeof (x as any).__hash__ === 'function'
      ? (x as any).__hash__()
      : undefined;
  if (own !== undefined) return own;
  const text = hashOf(x);
  if (typeof x === 'object' && /^n-?\d+$/.test(text)) return hashNumber(demote(BigInt(text.slice(1))));
  if (typeof x === 'object' && /^n-?[\d.e+-]+$/.test(text)) return hashNumber(Number(text.slice(1)));
  let [high, low] = [0x9e3779b9 | 0, 0x85ebca6b | 0];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995) + high;
  }
  return (high & 0x1fffff) * 0x100000000 + (low >>> 0);
}

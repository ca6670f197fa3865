/** The order of all values, as MongoDB sorts them: by kind first, then within the kind. */
import { type Doc, ObjectId, type Stored, StoredDecimal } from '../../../core/kvstore/stored.ts';
import { compareNumbers, type Numeric, numberKey } from './numbers.ts';

/** Kinds in order; values of different kinds are never `$gt` or `$lt` each other. */
export function kindOf(value: Stored): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 1;
    case 'string':
      return 2;
    case 'boolean':
      return 7;
  }
  if (value === null) return 0;
  if (value instanceof StoredDecimal) return 1;
  if (value instanceof Map) return 3;
  if (Array.isArray(value)) return 4;
  if (value instanceof Uint8Array) return 5;
  if (value instanceof ObjectId) return 6;
  return 8;
}

/** Below zero, zero or above. */
export function compare(a: Stored, b: Stored): number {
  const [kind, other] = [kindOf(a), kindOf(b)];
  if (kind !== other) return kind - other;
  switch (kind) {
    case 1:
      return compareNumbers(a as Numeric, b as Numeric);
    case 2:
      return compareText(a as string, b as string);
    case 3:
      return compareDocs(a as Doc, b as Doc);
    case 4:
      return compareLists(a as readonly Stored[], b as readonly Stored[]);
    case 5:
      return compareBytes(a as Uint8Array, b as Uint8Array);
    case 6:
      return compareText((a as ObjectId).hex, (b as ObjectId).hex);
    case 7:
      return Number(a) - Number(b);
    case 8:
      return Number(a) - Number(b);
    default:
      return 0;
  }
}

export function equal(a: Stored, b: Stored): boolean {
  return compare(a, b) === 0;
}

/** Same value and same kind of number: what an update that changes nothing leaves. */
export function identical(a: Stored | undefined, b: Stored | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || kindOf(a) !== kindOf(b)) return false;
  if (a instanceof StoredDecimal || b instanceof StoredDecimal)
    return a instanceof StoredDecimal && b instanceof StoredDecimal && a.text === b.text;
  if (a instanceof Map) {
    const others = [...(b as Doc)];
    return a.size === others.length && [...a].every(([n, v], i) => others[i]![0] === n && identical(v, others[i]![1]));
  }
  if (Array.isArray(a))
    return a.length === (b as Stored[]).length && a.every((v, i) => identical(v, (b as Stored[])[i]));
  return compare(a, b) === 0;
}

/** Compares texts by UTF-8 bytes, which is by code points. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    // Surrogates stand for code points above all others.
    return surrogateLast(x) - surrogateLast(y);
  }
  return a.length - b.length;
}

function surrogateLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Member by member: kind of the value, name, value. */
function compareDocs(a: Doc, b: Doc): number {
  const others = b.entries();
  for (const [name, value] of a) {
    const next = others.next();
    if (next.done === true) return 1;
    const [otherName, other] = next.value;
    const order = kindOf(value) - kindOf(other) || compareText(name, otherName) || compare(value, other);
    if (order !== 0) return order;
  }
  return others.next().done === true ? 0 : -1;
}

function compareLists(a: readonly Stored[], b: readonly Stored[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compare(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return a.length - b.length || Buffer.compare(a, b);
}

/** One text for equal values: the key of indexes. */
export function keyOf(value: Stored): string {
  switch (kindOf(value)) {
    case 0:
      return 'z';
    case 1:
      return `n${numberKey(value as Numeric)}`;
    case 2:
      return `s${JSON.stringify(value)}`;
    case 3:
      return `{${[...(value as Doc)].map(([name, item]) => `${JSON.stringify(name)}:${keyOf(item)}`).join()}}`;
    case 4:
      return `[${(value as readonly Stored[]).map(keyOf).join()}]`;
    case 5:
      return `b${Buffer.from(value as Uint8Array).toString('base64')}`;
    case 6:
      return `o${(value as ObjectId).hex}`;
    case 7:
      return value === true ? 't' : 'f';
    default:
      return `d${Number(value)}`;
  }
}

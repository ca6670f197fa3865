/** `<`, `<=`, `>`, `>=` and what sorting needs of them. */
import { look } from '../../limits/look.ts';
import { border } from '../calls/border.ts';
import { Tuple } from '../containers/tuple.ts';
import { isWide } from '../text/strings.ts';
import { eqAnswer, neAnswer, same } from './equality.ts';
import { TypeError } from './exceptions.ts';
import { $primitive } from './protocol.ts';
import { NotImplemented } from './singletons.ts';
import { truth } from './truth.ts';
import { fullTypeName } from './type-name.ts';

type Op = '<' | '<=' | '>' | '>=';

const methods = { '<': '__lt__', '<=': '__le__', '>': '__gt__', '>=': '__ge__' } as const;
const mirrored = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

export function lt(a: any, b: any): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return compare(a, b, '<');
}

export function le(a: any, b: any): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a <= b;
  return compare(a, b, '<=');
}

export function gt(a: any, b: any): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a > b;
  return compare(a, b, '>');
}

export function ge(a: any, b: any): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a >= b;
  return compare(a, b, '>=');
}

/** A comparison as a value: what a method of the program answers, whatever that is. */
export function compared(op: Op | '==' | '!=', a: any, b: any): unknown {
  return op === '==' ? eqAnswer(a, b) : op === '!=' ? neAnswer(a, b) : answer(a, b, op);
}

function compare(a: any, b: any, op: Op): boolean {
  const given = answer(a, b, op);
  return typeof given === 'boolean' ? given : truth(given);
}

function answer(a: any, b: any, op: Op): unknown {
  if (typeof a === 'string' && typeof b === 'string') return decide(compareStrings(a, b), op);
  if (isNumeric(a) && isNumeric(b)) return op === '<' ? a < b : op === '<=' ? a <= b : op === '>' ? a > b : a >= b;
  if (Array.isArray(a) && Array.isArray(b)) return compareItems(a, b, op);
  if (a instanceof Tuple && b instanceof Tuple && !hasOrder(a, op)) return compareItems(a.items, b.items, op);
  return compareObjects(a, b, op);
}

/** Compares texts by code point: -1, 0 or 1. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const size = Math.min(a.length, b.length);
  if ($due) look();
  for (let i = 0; i < size; i += 1) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return byCodePoint(x) < byCodePoint(y) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

// UTF-16 units sort like code points once surrogates are moved behind the rest of the basic plane.
function byCodePoint(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function decide(order: number, op: Op): boolean {
  return op === '<' ? order < 0 : op === '<=' ? order <= 0 : op === '>' ? order > 0 : order >= 0;
}

function isNumeric(x: unknown): boolean {
  return typeof x === 'number' || typeof x === 'bigint' || typeof x === 'boolean';
}

function hasOrder(x: any, op: Op): boolean {
  return typeof x[methods[op]] === 'function';
}

function compareItems(a: readonly any[], b: readonly any[], op: Op): unknown {
  const size = Math.min(a.length, b.length);
  for (let i = 0; i < size; i += 1) {
    if ($due) look();
    if (!same(a[i], b[i])) return answer(a[i], b[i], op);
  }
  return decide(a.length - b.length, op);
}

function compareObjects(a: any, b: any, op: Op): unknown {
  const direct = special(a, b, methods[op]);
  if (direct !== NotImplemented) return direct;
  const reflected = special(b, a, methods[mirrored[op]]);
  if (reflected !== NotImplemented) return reflected;
  const [x, y] = [primitiveOf(a), primitiveOf(b)];
  if (x !== a || y !== b) return answer(x, y, op);
  throw new TypeError(`'${op}' not supported between instances of '${fullTypeName(a)}' and '${fullTypeName(b)}'`);
}

function special(a: any, b: any, name: string): unknown {
  const own = typeof a === 'object' && a !== null ? a[name] : undefined;
  return typeof own === 'function' ? own.call(a, b) : NotImplemented;
}

function primitiveOf(x: any): unknown {
  const inner = typeof x === 'object' && x !== null ? x[$primitive] : undefined;
  return inner === undefined ? (border?.meaning(x) ?? x) : inner;
}

/**
 * Sorts in place, stable, by `<` alone as Python does; keys of one primitive kind take a direct path. With `reverse` equal items keep
 * their order too.
 */
export function sortByKeys(items: unknown[], keys: readonly unknown[], reverse: boolean): void {
  const order = items.map((_, i) => i);
  const less = comparator(keys);
  order.sort(reverse ? (i, j) => less(keys[j], keys[i]) : (i, j) => less(keys[i], keys[j]));
  const sorted = order.map((i) => items[i]);
  for (let i = 0; i < sorted.length; i += 1) items[i] = sorted[i];
}

// A list of the program may have methods of these names.
const { sort, reverse: backwards } = Array.prototype;

/** `sortByKeys` with the items as keys. */
export function sortItems(items: unknown[], reverse: boolean): void {
  if (items.length > 16 && sortPrimitives(items)) {
    // Equal numbers and equal strings cannot be told apart, so the order among them does not matter.
    if (reverse) backwards.call(items);
    return;
  }
  const less = comparator(items);
  sort.call(items, reverse ? (a, b) => less(b, a) : less);
}

// The engine sorts numbers in a typed array, and strings without surrogates by their units, far faster than through a comparator.
function sortPrimitives(items: unknown[]): boolean {
  if (allOf(items, 'number')) {
    const sorted = Float64Array.from(items as number[]).sort();
    for (let i = 0; i < sorted.length; i += 1) items[i] = sorted[i];
    return true;
  }
  if (!allOf(items, 'string') || (items as string[]).some(isWide)) return false;
  sort.call(items);
  return true;
}

function comparator(keys: readonly unknown[]): (a: any, b: any) => number {
  if (allOf(keys, 'number')) {
    return (a, b) => {
      if ($due) look();
      return a - b;
    };
  }
  if (allOf(keys, 'string')) return compareStrings;
  // The engine's sort asks only whether the result is negative, so `<` is evaluated once per comparison, as in Python.
  return (a, b) => {
    if ($due) look();
    return lt(a, b) ? -1 : 0;
  };
}

function allOf(keys: readonly unknown[], type: 'number' | 'string'): boolean {
  for (let i = 0; i < keys.length; i += 1) {
    const x = keys[i];
    if (typeof x !== type || Number.isNaN(x) || x === Number.POSITIVE_INFINITY || x === Number.NEGATIVE_INFINITY)
      return false;
  }
  return true;
}

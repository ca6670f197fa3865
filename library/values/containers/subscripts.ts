/** `o[i]`, slices, and their assignment and deletion (docs/language/expressions.md#subscripts). */

import { border, isPlainObject } from '../calls/border.ts';
import { indexOf } from '../numbers/index-value.ts';
import { IndexError, KeyError, LookupError, TypeError, ValueError } from '../objects/exceptions.ts';
import { $primitive } from '../objects/protocol.ts';
import { className, isClass, isTypeObject, typeName } from '../objects/type-name.ts';
import { GenericAlias } from '../objects/union-type.ts';
import { AnyBytes, ByteArray, byteAt, bytesOf, requireByte, spliceBytes } from '../text/bytes.ts';
import { charsOf, isWide, lengthOf, unitIndex } from '../text/strings.ts';
import { answers, listsAnswer } from './answering-lists.ts';
import { Dict } from './dict.ts';
import { itemsOf, toArray, tryIter } from './iteration.ts';
import { Range } from './range.ts';
import { Slice, sliceArray, sliceBounds } from './slice.ts';
import { Tuple } from './tuple.ts';

// Classes on `list` may call methods of their own like these.
const { filter, push, slice, splice } = Array.prototype;

/** `o[i]` */
export function getitem(o: any, i: any): any {
  if (typeof o === 'object' && o !== null) {
    if (Array.isArray(o)) return listsAnswer && answers(o, '__getitem__') ? (o as any).__getitem__(i) : listItem(o, i);
    if (o instanceof Dict && (o as any).__getitem__ === undefined) {
      const value = o.get(i);
      return value === undefined ? missingKey(o, i) : value;
    }
    return objectItem(o, i);
  }
  if (typeof o === 'string') return stringItem(o, i);
  return otherItem(o, i);
}

/** `o[i]` of what a list is made of, whatever its class says. */
export function listItem(o: readonly unknown[], i: any): unknown {
  if (typeof i === 'number') {
    const value = o[i < 0 ? i + o.length : i];
    if (value !== undefined) return value;
  }
  return sequenceItem(o, i, 'list');
}

function sequenceItem(o: readonly unknown[], i: any, kind: 'list' | 'tuple'): unknown {
  if (i instanceof Slice) return sliceArray(o, i.start, i.stop, i.step);
  const n = position(i, () => `${kind} indices must be integers or slices, not ${typeName(i)}`);
  const at = n < 0 ? n + o.length : n;
  if (at < 0 || at >= o.length) throw new IndexError(`${kind} index out of range`);
  return o[at] ?? null;
}

function position(i: unknown, complaint: () => string): number {
  const n = indexOf(i);
  if (n === undefined) throw new TypeError(complaint());
  if (typeof n === 'bigint') throw new IndexError("cannot fit 'int' into an index-sized integer");
  return n;
}

function stringItem(o: string, i: any): string {
  if (i instanceof Slice) return sliceString(o, i.start, i.stop, i.step);
  const n =
    typeof i === 'number' && Number.isSafeInteger(i)
      ? i
      : position(i, () => `string indices must be integers, not '${typeName(i)}'`);
  if (!isWide(o)) {
    const char = o[n < 0 ? n + o.length : n];
    if (char === undefined) throw new IndexError('string index out of range');
    return char;
  }
  const chars = charsOf(o);
  const char = chars[n < 0 ? n + chars.length : n];
  if (char === undefined) throw new IndexError('string index out of range');
  return char;
}

function missingKey(o: any, key: unknown): unknown {
  if (typeof o.__missing__ === 'function') return o.__missing__(key);
  throw new KeyError(key);
}

function objectItem(o: any, i: any): any {
  if (o instanceof Tuple && typeof (o as any).__getitem__ !== 'function') {
    const found = sequenceItem(o.items, i, 'tuple');
    return i instanceof Slice ? new Tuple(found as unknown[]) : found;
  }
  if (typeof o.__getitem__ === 'function') return o.__getitem__(i);
  if (o instanceof AnyBytes) {
    if (i instanceof Slice) return o.slice(i.start, i.stop, i.step);
    return byteAt(
      o,
      position(
        i,
        () => `${o instanceof ByteArray ? 'bytearray' : 'byte'} indices must be integers or slices, not ${typeName(i)}`,
      ),
    );
  }
  if (o instanceof Range) {
    if (i instanceof Slice) return o.slice(i.start, i.stop, i.step);
    const n = position(i, () => `range indices must be integers or slices, not ${typeName(i)}`);
    const at = n < 0 ? n + o.length : n;
    if (at < 0 || at >= o.length) throw new IndexError('range object index out of range');
    return o.at(at);
  }
  return foreignItem(o, i);
}

function foreignItem(o: any, i: any): any {
  if (typeof o[$primitive] === 'string') return stringItem(o[$primitive], i);
  if (isPlainObject(o)) {
    const name = String(i);
    if (!Object.hasOwn(o, name)) throw new KeyError(i);
    return (border === undefined ? o[name] : border.take(o[name])) ?? null;
  }
  if (ArrayBuffer.isView(o)) return sequenceItem(o as any, i, 'list');
  const meant = border?.meaning(o);
  if (meant !== undefined) return getitem(meant, i);
  throw new TypeError(`'${typeName(o)}' object is not subscriptable`);
}

// Types without parameters.
const plainTypes: ReadonlySet<string> = new Set(['bool', 'bytearray', 'bytes', 'float', 'int', 'object', 'str']);

function otherItem(o: any, i: any): any {
  if (typeof o === 'function') {
    if (typeof o.__class_getitem__ === 'function') return o.__class_getitem__(i);
    const isPlain = typeof i === 'number' || plainTypes.has(className(o));
    if (isTypeObject(o) && !isPlain) return new GenericAlias(o, i instanceof Tuple ? i.items : [i]);
    if (isClass(o)) {
      if (!isPlain) return o;
      throw new TypeError(`type '${className(o)}' is not subscriptable`);
    }
  }
  throw new TypeError(`'${typeName(o)}' object is not subscriptable`);
}

/** `o?[i]`: None for None and where the lookup fails. */
export function optitem(o: any, i: any): any {
  if (o === null || o === undefined) return null;
  try {
    return getitem(o, i);
  } catch (e) {
    if (e instanceof LookupError || e instanceof TypeError) return null;
    throw e;
  }
}

/** `o[lo:hi:step]`, parts `null` or `undefined` when omitted. */
export function getslice(o: any, lo: any, hi: any, step?: any): any {
  if (Array.isArray(o) && !(listsAnswer && answers(o, '__getitem__'))) return sliceArray(o, lo, hi, step);
  if (typeof o === 'string') return sliceString(o, lo, hi, step);
  return getitem(o, new Slice(lo, hi, step));
}

function sliceString(o: string, lo: any, hi: any, step: any): string {
  if (isWide(o)) {
    if (step !== null && step !== undefined && step !== 1) return sliceArray(charsOf(o), lo, hi, step).join('');
    const { start, stop } = sliceBounds(lo, hi, step, lengthOf(o));
    return o.slice(unitIndex(o, start), unitIndex(o, Math.max(start, stop)));
  }
  const bounds = sliceBounds(lo, hi, step, o.length);
  if (bounds.step === 1) return o.slice(bounds.start, Math.max(bounds.start, bounds.stop));
  let text = '';
  for (let n = 0, at = bounds.start; n < bounds.count; n += 1, at += bounds.step) text += o[at];
  return text;
}

/** `o[i] = value` */
export function setitem(o: any, i: any, value: any): void {
  if (Array.isArray(o)) {
    if (listsAnswer && answers(o, '__setitem__')) (o as any).__setitem__(i, value);
    else if (typeof i === 'number' && Number.isSafeInteger(i)) setAt(o, i, value);
    else setListItem(o, i, value);
    return;
  }
  if (o instanceof Dict && typeof (o as any).__setitem__ !== 'function') {
    o.set(i, value);
    return;
  }
  setOther(o, i, value);
}

/** `o[i] = value` of what a list is made of, whatever its class says. */
export function setListItem(o: unknown[], i: any, value: any): void {
  if (i instanceof Slice) setListSlice(o, i.start, i.stop, i.step, value);
  else
    setAt(
      o,
      position(i, () => `list indices must be integers or slices, not ${typeName(i)}`),
      value,
    );
}

function setAt(o: unknown[], i: number, value: unknown): void {
  const at = i < 0 ? i + o.length : i;
  if (at < 0 || at >= o.length) throw new IndexError('list assignment index out of range');
  o[at] = value;
}

function setOther(o: any, i: any, value: any): void {
  if (typeof o === 'object' && o !== null) {
    if (typeof o.__setitem__ === 'function') {
      o.__setitem__(i, value);
      return;
    }
    if (o instanceof ByteArray) {
      setBytes(o, i, value);
      return;
    }
    if (isPlainObject(o) || ArrayBuffer.isView(o)) {
      o[i] = border === undefined ? value : border.give(value);
      return;
    }
    const meant = border?.meaning(o);
    if (meant !== undefined) {
      setitem(meant, i, border!.give(value));
      return;
    }
  }
  throw new TypeError(`'${typeName(o)}' object does not support item assignment`);
}

function setBytes(o: ByteArray, i: any, value: any): void {
  if (i instanceof Slice) {
    const bytes = bytesOf(value) ?? itemsOf(value).map((item) => requireByte(item, 'bytearray'));
    if (!splicesBytes(o, i, bytes)) {
      const items = [...o.data];
      setslice(items, i.start, i.stop, i.step, bytes);
      o.data = Uint8Array.from(items);
    }
    return;
  }
  const n = position(i, () => `bytearray indices must be integers or slices, not ${typeName(i)}`);
  const at = n < 0 ? n + o.length : n;
  if (at < 0 || at >= o.length) throw new IndexError('bytearray index out of range');
  o.data[at] = requireByte(value, 'bytearray');
}

/** Puts `bytes` in the place of a slice without steps; tells whether it was one. */
function splicesBytes(o: ByteArray, i: Slice, bytes: ArrayLike<number>): boolean {
  const { start, stop, step } = sliceBounds(i.start, i.stop, i.step, o.length);
  if (step === 1) spliceBytes(o, start, Math.max(0, stop - start), bytes);
  return step === 1;
}

/** `o[lo:hi:step] = value` */
export function setslice(o: any, lo: any, hi: any, step: any, value: any): void {
  if (!Array.isArray(o) || (listsAnswer && answers(o, '__setitem__'))) setOther(o, new Slice(lo, hi, step), value);
  else setListSlice(o, lo, hi, step, value);
}

function setListSlice(o: unknown[], lo: any, hi: any, step: any, value: any): void {
  const bounds = sliceBounds(lo, hi, step, o.length);
  const source = tryIter(value);
  if (source === undefined) {
    throw new TypeError(bounds.step === 1 ? 'can only assign an iterable' : 'must assign iterable to extended slice');
  }
  const items = toArray(source);
  if (bounds.step === 1) {
    replaceRange(o, bounds.start, Math.max(0, bounds.stop - bounds.start), items);
    return;
  }
  if (items.length !== bounds.count) {
    throw new ValueError(
      `attempt to assign sequence of size ${items.length} to extended slice of size ${bounds.count}`,
    );
  }
  for (let n = 0, at = bounds.start; n < bounds.count; n += 1, at += bounds.step) o[at] = items[n];
}

// splice spreads its arguments; very long lists go in pieces.
function replaceRange(o: unknown[], start: number, count: number, items: readonly unknown[]): void {
  if (items.length < 10_000) {
    splice.call(o, start, count, ...items);
    return;
  }
  const tail = slice.call(o, start + count);
  o.length = start;
  for (const item of items) push.call(o, item);
  for (const item of tail) push.call(o, item);
}

/** `del o[i]` */
export function delitem(o: any, i: any): void {
  if (Array.isArray(o)) {
    if (listsAnswer && answers(o, '__delitem__')) (o as any).__delitem__(i);
    else deleteListItem(o, i);
    return;
  }
  deleteOther(o, i);
}

export function deleteListItem(o: unknown[], i: any): void {
  if (i instanceof Slice) {
    deleteListSlice(o, i.start, i.stop, i.step);
    return;
  }
  const n = position(i, () => `list indices must be integers or slices, not ${typeName(i)}`);
  const at = n < 0 ? n + o.length : n;
  if (at < 0 || at >= o.length) throw new IndexError('list assignment index out of range');
  splice.call(o, at, 1);
}

function deleteOther(o: any, i: any): void {
  if (typeof o === 'object' && o !== null) {
    if (typeof o.__delitem__ === 'function') {
      o.__delitem__(i);
      return;
    }
    if (o instanceof Dict) {
      if (!o.delete(i)) throw new KeyError(i);
      return;
    }
    if (o instanceof ByteArray) {
      if (!(i instanceof Slice && splicesBytes(o, i, []))) {
        const items = [...o.data];
        delitem(items, i);
        o.data = Uint8Array.from(items);
      }
      return;
    }
    if (Object.getPrototypeOf(o) === Object.prototype) {
      if (!Object.hasOwn(o, i)) throw new KeyError(i);
      delete o[i];
      return;
    }
    const meant = border?.meaning(o);
    if (meant !== undefined) {
      delitem(meant, i);
      return;
    }
  }
  const refuses =
    typeof i === 'number' && (typeof o === 'string' || typeof o === 'object') && o !== null ? "doesn't" : 'does not';
  throw new TypeError(`'${typeName(o)}' object ${refuses} support item deletion`);
}

/** `del o[i]`, giving what was there. */
export function takeitem(o: any, i: any): unknown {
  // No default is made for a key that is missing.
  const held = o instanceof Dict ? (o.get(i) ?? null) : optitem(o, i);
  delitem(o, i);
  return held;
}

/** `del o[lo:hi:step]`, giving the items of a list. */
export function takeslice(o: any, lo: any, hi: any, step?: any): unknown {
  const held = Array.isArray(o) ? getslice(o, lo, hi, step) : null;
  delslice(o, lo, hi, step);
  return held;
}

/** `del o[lo:hi:step]` */
export function delslice(o: any, lo: any, hi: any, step?: any): void {
  if (!Array.isArray(o) || (listsAnswer && answers(o, '__delitem__'))) delitem(o, new Slice(lo, hi, step));
  else deleteListSlice(o, lo, hi, step);
}

function deleteListSlice(o: unknown[], lo: any, hi: any, step: any): void {
  const bounds = sliceBounds(lo, hi, step, o.length);
  if (bounds.step === 1) {
    splice.call(o, bounds.start, bounds.count);
    return;
  }
  const doomed = new Set<number>();
  for (let n = 0, at = bounds.start; n < bounds.count; n += 1, at += bounds.step) doomed.add(at);
  const kept = filter.call(o, (_, at) => !doomed.has(at));
  o.length = 0;
  for (const item of kept) push.call(o, item);
}

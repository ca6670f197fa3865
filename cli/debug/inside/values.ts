import { hops } from '../../../core/graph/hops.ts';
import { Node } from '../../../core/graph/objects.ts';
import { Dict } from '../../../library/values/containers/dict.ts';
import { AnySet } from '../../../library/values/containers/sets.ts';
import { Tuple } from '../../../library/values/containers/tuple.ts';
import { BaseException } from '../../../library/values/objects/exceptions.ts';
import { reprOf } from '../../../library/values/objects/repr.ts';
import { typeName } from '../../../library/values/objects/type-name.ts';
import type { Value, Variable } from '../protocol.ts';
import type { Call } from './calls.ts';
import { fitting, messageOf } from './evaluate.ts';

/** Longest text of a value. */
const longest = 200;
/** Number of items that fill the longest text. */
const shownItems = 70;

/** A part of a value: how to read it, and how to set it where that is possible. */
export interface Part {
  readonly name: string;
  readonly read: () => unknown;
  readonly write?: ((value: unknown) => void) | undefined;
}

/** Values that can be opened while the program stands, by number. */
export interface Openings {
  /** Parts `start` to `start + count` of what a number stands for. */
  parts(ref: number, start: number, count: number): readonly Part[];
  part(ref: number, name: string): Part | undefined;
  /** Gives a number to a list of parts; `owner` is the class whose fields they are. */
  open(parts: (start: number, count: number) => readonly Part[], owner?: string, isIndexed?: boolean): number;
  owner(ref: number): string | undefined;
  /** Are the parts items of a container? */
  isIndexed(ref: number): boolean;
  /** Opens for the variables of a call, or of none. */
  within<T>(call: Call | undefined, work: () => T): T;
  /** The call that a number was opened for. */
  callOf(ref: number): Call | undefined;
  describe(value: unknown): Value;
  list(parts: readonly Part[]): readonly Variable[];
}

export function createOpenings(): Openings {
  const opened: ((start: number, count: number) => readonly Part[])[] = [];
  const owners: (string | undefined)[] = [];
  const calls: (Call | undefined)[] = [];
  const indexed: boolean[] = [];
  let opensFor: Call | undefined;
  const openings: Openings = {
    open(parts, owner, isIndexed = false) {
      owners[opened.length] = owner;
      indexed[opened.length] = isIndexed;
      calls[opened.length] = opensFor;
      return opened.push(parts);
    },
    owner: (ref) => owners[ref - 1],
    isIndexed: (ref) => indexed[ref - 1] === true,
    within(call, work) {
      const before = opensFor;
      opensFor = call;
      try {
        return work();
      } finally {
        opensFor = before;
      }
    },
    callOf: (ref) => calls[ref - 1],
    parts: (ref, start, count) => opened[ref - 1]?.(start, count) ?? [],
    part: (ref, name) => opened[ref - 1]?.(0, Number.POSITIVE_INFINITY).find((part) => part.name === name),
    describe(value) {
      const text = shortRepr(value);
      const type = safely(
        () => typeName(value),
        () => 'object',
      );
      const items = itemCount(value);
      const parts = partsOf(value);
      return {
        text,
        type,
        ref: parts === undefined ? 0 : openings.open(parts, ownerOf(value), items !== undefined),
        ...(items === undefined ? {} : { items }),
      };
    },
    list: (parts) =>
      parts.map(({ name, read }) =>
        safely(
          () => ({ name, ...openings.describe(read()) }),
          (error) => ({ name, text: `<raises ${messageOf(error)}>`, type: 'error', ref: 0 }),
        ),
      ),
  };
  return openings;
}

function ownerOf(value: any): string | undefined {
  return value?.$meta?.fields === undefined ? undefined : value.$meta.name;
}

/** `repr` of a value, cut; what a `__repr__` of the program raises is told instead. */
export function shortRepr(value: unknown): string {
  const text = safely(
    () => reprOf(shortened(value)),
    (error) => `<repr raises ${messageOf(error)}>`,
  );
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

export function strText(value: unknown): string {
  return typeof value === 'string' ? value : shortRepr(value);
}

/** A large container, or a long string, is cut before its text is made. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longest * 2 ? value.slice(0, longest * 2) : value;
  if (Array.isArray(value) && value.constructor === Array)
    return value.length > shownItems ? value.slice(0, shownItems).map(shortened) : value;
  if (value instanceof Dict && value.constructor === Dict && itemCount(value)! > shownItems) {
    const part = new Dict();
    for (const [key, item] of entries(value, 0, shownItems)) part.set(key, item);
    return part;
  }
  return value;
}

function itemCount(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Dict) return value.size;
  return value instanceof AnySet ? value.size : undefined;
}

function* entries(dict: Dict, start: number, end: number): Iterable<readonly [unknown, unknown]> {
  let i = 0;
  for (const key of dict) {
    if (i >= end) return;
    if (i++ >= start) yield [key, dict.get(key)];
  }
}

/** Gives the parts of a value; undefined for one without any. */
function partsOf(value: unknown): ((start: number, count: number) => readonly Part[]) | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value))
    return (start, count) =>
      numbered(value.slice(start, start + count), start).map((part, i) => ({
        ...part,
        read: () => value[start + i],
        write: (next) => void (value[start + i] = next),
      }));
  if (value instanceof Tuple) return (start, count) => numbered(value.items.slice(start, start + count), start);
  if (value instanceof AnySet) return (start, count) => numbered([...value].slice(start, start + count), start);
  if (value instanceof Dict)
    return (start, count) =>
      [...entries(value, start, start + count)].map(([key]) => ({
        name: shortRepr(key),
        read: () => value.get(key),
        write: (next) => void value.set(key, next),
      }));
  const parts = fieldsOf(value);
  return parts.length === 0 ? undefined : (start, count) => parts.slice(start, start + count);
}

function numbered(items: readonly unknown[], start: number): readonly Part[] {
  return items.map((item, i) => ({ name: `[${start + i}]`, read: () => item }));
}

function fieldsOf(value: any): readonly Part[] {
  const fields: readonly { readonly name: string; readonly property: string }[] = value.$meta?.fields ?? [];
  const parts: Part[] = fields.map(({ name, property }) => ({
    name,
    read: () => value[property],
    write: (next) => void (value[property] = fitting(value, name, next)),
  }));
  if (value instanceof Node) parts.push({ name: 'edges', read: () => hops(value, 'edge', [{ dir: 'any' }]) });
  if (value instanceof BaseException) parts.push({ name: 'args', read: () => (value as any).args });
  const known = new Set(fields.map(({ property }) => property));
  if (value.$meta !== undefined && !(value instanceof BaseException)) {
    for (const name of Object.keys(value))
      if (!name.includes('$') && !known.has(name))
        parts.push({ name, read: () => value[name], write: (next) => void (value[name] = next) });
  }
  return parts;
}

function safely<T>(work: () => T, otherwise: (error: unknown) => T): T {
  try {
    return work();
  } catch (error) {
    return otherwise(error);
  }
}

/**
 * Port between value classes of standard modules and the codec of stored fields (docs/server/storage.md#records): a
 * class says how its instances are written as JSON, and a decoder by tag reads them back. The codec itself is core/stored/codec.ts.
 */

/** Lookups that a decoder may need. */
export interface DecodeContext {
  /** The class behind `module.Name`, renames included; undefined when there is none. */
  classNamed(name: string): unknown;
  /** The graph object a `ref` points at, or null. */
  reference(id: string): unknown;
}

/** A tagged value as it stands in JSON. */
export interface Tagged {
  readonly $t: string;
  readonly v: unknown;
  readonly type?: string;
  /** Name of the built-in type that makes missing values of a `defaultdict`. */
  readonly of?: string;
  /** Largest length of a bounded `deque`. */
  readonly maxlen?: number;
}

/** On a value class: `(this) => Tagged` with a JSON `v`. */
export const $stored: unique symbol = Symbol('svc.stored');

/** On a class derived from the dict: `(this) => DictKind | undefined`, stored beside the contents. Undefined: a plain dict. */
export const $dictKind: unique symbol = Symbol('svc.dictKind');
export interface DictKind {
  readonly tag: 'counter' | 'defaultdict' | 'ordereddict';
  /** Name of the built-in type that makes missing values. */
  readonly of?: string;
}

/** On a class of a standard module whose instances hold items that a program may change: `(this) => ItemsKind`. */
export const $itemsKind: unique symbol = Symbol('svc.itemsKind');
export interface ItemsKind {
  readonly tag: 'deque';
  readonly items: readonly unknown[];
  readonly maxlen: number | null;
}

type Decode = (v: any, tagged: Tagged, context: DecodeContext) => unknown;

const decoders = new Map<string, Decode>();

/** Teaches the codec to read values stored under `tag`. */
export function registerStored(tag: string, decode: Decode): void {
  decoders.set(tag, decode);
}

/** Decoder of `tag`; undefined when no module that was read registered one. */
export function decoderOf(tag: string): Decode | undefined {
  return decoders.get(tag);
}

/** Makes instances of `cls` be stored as a text under `tag`; `registerStored` sets the reader. */
export function storeAs(tag: string, cls: { prototype: any }, write: (value: any) => string): void {
  Object.defineProperty(cls.prototype, $stored, {
    value(this: unknown): Tagged {
      return { $t: tag, v: write(this) };
    },
  });
}

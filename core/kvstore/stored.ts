/** Values as document databases keep them: what passes between the helper and its backends (docs/server/kvstore.md#documents). */

export type Stored =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | Uint8Array
  | StoredDecimal
  | ObjectId
  | readonly Stored[]
  | Doc;

/** Members in order. */
export type Doc = Map<string, Stored>;

/** A decimal number of at most 34 digits, as text: `-12.50`, `1E+40`, `NaN`, `Infinity`. */
export class StoredDecimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The id a database gives: 12 bytes as 24 hexadecimal digits in lower case. */
export class ObjectId {
  readonly hex: string;

  constructor(hex: string) {
    this.hex = hex.toLowerCase();
  }
}

export function isDoc(value: Stored | undefined): value is Doc {
  return value instanceof Map;
}

/** Does the text look like the id a database gives? */
export function isHexId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-fA-F]{24}$/.test(text);
}

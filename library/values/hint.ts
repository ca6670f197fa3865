/**
 * Static knowledge about a value at a printing site (docs/language/values.md#floats): `'f'` is a float, `'m'` a number
 * of a display that holds ints too; containers describe their elements. A value without a hint prints as an int when it
 * is integral.
 */
export type Hint =
  | 'f'
  /** A float, or an int that is too large to be one: shown as what it is (docs/language/values.md#integers). */
  | 'm'
  | { readonly list: ItemHints }
  | { readonly set: Hint | undefined }
  /** Hints of a dict: of keys, of values, and of those values under some text that differ from the others. */
  | { readonly dict: DictHints }
  | { readonly tuple: ItemHints };

export type DictHints = readonly [
  Hint | undefined,
  Hint | undefined,
  (ReadonlyMap<string, Hint | undefined> | undefined)?,
];

/** One hint for all items, or one for each, in order: the site shows a display. */
export type ItemHints = Hint | readonly (Hint | undefined)[] | undefined;

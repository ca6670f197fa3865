import type { DictHints, Hint, ItemHints } from '../hint.ts';

/** Gives the hint about the item at place `i` of a container. */
export function itemHint(hints: ItemHints, i: number): Hint | undefined {
  return Array.isArray(hints) ? hints[i] : (hints as Hint | undefined);
}

/** Hints for the items of a list. */
export function listHints(hint: Hint | undefined): ItemHints {
  return typeof hint === 'object' && 'list' in hint ? hint.list : undefined;
}

const nothing: DictHints = [undefined, undefined];

/** Hints for the keys and the values of a dict. */
export function dictHints(hint: Hint | undefined): DictHints {
  return typeof hint === 'object' && 'dict' in hint ? hint.dict : nothing;
}

/** Hint for the value under `key`. */
export function valueHint(hints: DictHints, key: unknown): Hint | undefined {
  const [, all, named] = hints;
  return named?.has(key as string) === true ? named.get(key as string) : all;
}

/** Hint for the item at place `i` of a tuple. */
export function tupleItemHint(hint: Hint | undefined, i: number): Hint | undefined {
  return typeof hint === 'object' && 'tuple' in hint ? itemHint(hint.tuple, i) : undefined;
}

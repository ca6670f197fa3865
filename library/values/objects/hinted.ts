/**
 * A value together with what the compiler knows about floats in it, for calls that print (`json.dumps`) and take no hint of their own:
 * `dumps($.hinted(xs, { list: 'f' }))`. Only functions that unwrap it ever see one.
 */
import { Dict } from '../containers/dict.ts';
import { dictHints, itemHint, valueHint } from '../containers/item-hint.ts';
import { itemsOf } from '../containers/iteration.ts';
import type { Hint, ItemHints } from '../hint.ts';
import { strOf } from './repr.ts';

export class Hinted {
  readonly value: unknown;
  readonly hint: Hint;

  constructor(value: unknown, hint: Hint) {
    this.value = value;
    this.hint = hint;
  }
}

export function hinted(value: unknown, hint: Hint): Hinted {
  return new Hinted(value, hint);
}

/** `*items` of a call of `print`: what is known to be a float among them as text. */
export function shown(items: unknown, hints: ItemHints): unknown[] {
  return itemsOf(items).map((item, i) => {
    const hint = itemHint(hints, i);
    return hint === undefined ? item : strOf(item, hint);
  });
}

/** `**d` of such a call: its values, each with what is known about it. */
export function hintedValues(d: unknown, hint: Hint): unknown {
  if (!(d instanceof Dict)) return d;
  const hints = dictHints(hint);
  return Dict.from(
    [...d.entries()].map(([key, value]) => {
      const own = valueHint(hints, key);
      return [key, own === undefined ? value : hinted(value, own)] as const;
    }),
  );
}

/** Subjects of sequence and mapping patterns other than lists, tuples and dicts (docs/language/statements.md#match). */
import { border } from '../values/calls/border.ts';
import { Dict } from '../values/containers/dict.ts';
import { dictUpdate } from '../values/containers/dict-update.ts';
import { itemsOf } from '../values/containers/iteration.ts';
import { len } from '../values/containers/length.ts';
import { AnyBytes } from '../values/text/bytes.ts';
import { isMapping, isSequence } from './typing-names.ts';

/** The items of another sequence than text and bytes that has `count` of them, or with `hasStar` as many at least; else null. */
export function asSequence(x: any, count: number, hasStar: boolean): readonly unknown[] | null {
  if (typeof x !== 'object' || x instanceof AnyBytes || !isSequence(x)) return null;
  const size = len(x);
  return size === count || (hasStar && size > count) ? itemsOf(x) : null;
}

/** The dict that a mapping pattern looks into; undefined for what is no mapping. */
export function asMapping(x: any): Dict | undefined {
  const meant = x instanceof Dict ? x : border?.meaning(x);
  if (meant instanceof Dict) return meant;
  return isMapping(x) ? dictUpdate(new Dict(), x) : undefined;
}

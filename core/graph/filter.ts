/** Filter and assign trailers: `xs[?:T, a > 1]`, `xs(=a=1)` (docs/language/expressions.md#filters). */

import { pairsOf } from '../../library/classes/bind.ts';
import { look } from '../../library/limits/look.ts';
import { iter } from '../../library/values/containers/iteration.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import type { Kwargs } from '../../library/values/kwargs.ts';
import { setattr } from '../../library/values/objects/attributes.ts';
import { matchesType } from './matches.ts';
import { Edge, Node } from './objects.ts';

/** A new list of the items that are instances of `type` and satisfy `pred`, either of which may be absent. */
export function filter(xs: unknown, type?: unknown, pred?: (x: any) => boolean): unknown[] {
  const kept: unknown[] = [];
  for (const x of itemsOf(xs)) {
    if ($due) look();
    if ((type === undefined || matchesType(x, type)) && (pred === undefined || pred(x))) kept.push(x);
  }
  return kept;
}

/** Sets the attributes on every item; gives the collection. */
export function assign(xs: unknown, values: Kwargs): unknown {
  const pairs = pairsOf(values);
  for (const x of itemsOf(xs)) for (const [name, value] of pairs) setattr(x, name, value);
  return xs;
}

function itemsOf(xs: unknown): Iterable<unknown> {
  if (Array.isArray(xs)) return xs;
  if (xs === null || xs === undefined) return [];
  if (xs instanceof Node || xs instanceof Edge) return [xs];
  if (xs instanceof Tuple) return xs.items;
  return iter(xs);
}

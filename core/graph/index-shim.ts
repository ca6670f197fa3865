/** Older programs index the value of a connect: `x = here ++> T(); x[0]` (docs/language/graph.md#value-of-connect). */

import { IndexError, TypeError } from '../../library/values/objects/exceptions.ts';
import { warnAtPlace } from '../memory/compatibility.ts';

const first = new Set<unknown>([0, -1, false]);

/** `n[0]` and `n[-1]` give the object itself and say so once per place in the program. */
export function warnIndexed(self: any, index: unknown): unknown {
  if (typeof index !== 'number' && typeof index !== 'boolean') {
    throw new TypeError(`'${self.$meta.name}' object is not subscriptable`);
  }
  if (!first.has(index)) throw new IndexError('list index out of range');
  const { kind } = self.$meta;
  warnAtPlace(`using [${Number(index)}] on a ${kind}: connecting gives the ${kind} itself`);
  return self;
}

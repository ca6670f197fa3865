/** Methods of `range`. */

import { builtinMethods } from '../calls/builtin.ts';
import { asInt } from '../numbers/numbers.ts';
import { $exposed } from '../objects/attributes.ts';
import { ValueError } from '../objects/exceptions.ts';
import { setMethods } from '../objects/method-tables.ts';
import { reprOf } from '../objects/repr.ts';
import { Range } from './range.ts';

function position(r: Range, x: unknown): number {
  const n = asInt(x);
  return n === undefined ? -1 : r.indexOf(n);
}

export const rangeM = builtinMethods('range', {
  count: (r: Range, x: unknown) => (position(r, x) >= 0 ? 1 : 0),
  index: (r: Range, x: unknown) => {
    const at = position(r, x);
    if (at < 0)
      throw new ValueError(
        asInt(x) !== undefined ? `${reprOf(x)} is not in range` : 'sequence.index(x): x not in sequence',
      );
    return at;
  },
});
setMethods(Range, rangeM);
Object.defineProperty(Range.prototype, $exposed, { value: new Set(['start', 'stop', 'step']) });

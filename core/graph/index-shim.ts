/** Older programs index the value of a connect: `x = here ++> T(); x[0]` (language.md 4.10, D-02). */

import { callerFrame } from '../../library/values/calls/stack-frames.ts';
import { IndexError, TypeError } from '../../library/values/objects/exceptions.ts';
import { compatibility } from '../memory/compatibility.ts';

const first = new Set<unknown>([0, -1, false]);

/** `n[0]` and `n[-1]` give the object itself and say so once per place in the program. */
export function warnIndexed(self: any, index: unknown): unknown {
  if (typeof index !== 'number' && typeof index !== 'boolean') {
    throw new TypeError(`'${self.$meta.name}' object is not subscriptable`);
  }
  if (!first.has(index)) throw new IndexError('list index out of range');
  const settings = compatibility();
  if (settings.compatWarnings) {
    const frame = callerFrame();
    const site = frame === undefined ? '?' : `${frame.file}:${frame.line}`;
    if (!settings.warnedSites.has(site)) {
      settings.warnedSites.add(site);
      settings.warn(
        `svc: using [${Number(index)}] on a ${self.$meta.kind}: connecting gives the ${self.$meta.kind} itself (${site})`,
      );
    }
  }
  return self;
}

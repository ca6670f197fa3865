/** Older programs index the value of a connect: `x = here ++> T(); x[0]` (language.md 4.10, D-02). */
import { TypeError, IndexError } from '../values/exceptions.ts';
import { compatibility } from '../context.ts';

const first = new Set<unknown>([0, -1, false]);

/** `n[0]` and `n[-1]` give the object itself and say so once per place in the program. */
export function warnIndexed(self: any, index: unknown): unknown {
  if (typeof index !== 'number' && typeof index !== 'boolean') {
    throw new TypeError(`'${self.$meta.name}' object is not subscriptable`);
  }
  if (!first.has(index)) throw new IndexError('list index out of range');
  const settings = compatibility();
  if (settings.compatWarnings) {
    const site = callSite();
    if (!settings.warnedSites.has(site)) {
      settings.warnedSites.add(site);
      settings.warn(`svc: using [${Number(index)}] on a ${self.$meta.kind}: connecting gives the ${self.$meta.kind} itself (${settings.place(site)})`);
    }
  }
  return self;
}

// The first frame outside the runtime is the place in the program.
function callSite(): string {
  const lines = (new Error().stack ?? '').split('\n').slice(1);
  const outside = lines.find((line) => !runtimeFrame.test(line));
  return (outside ?? lines[lines.length - 1] ?? '').trim().replace(/^at (.*\()?/, '').replace(/\)$/, '');
}

const runtimeFrame = /[\\/](core|dist)[\\/](archetypes|values|graph|walkers|runtime)|runtime\.mjs/;

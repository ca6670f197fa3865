/** Words at which statements of TypeScript begin: they may end with their line. */
import type { Tokens } from './tokens.ts';

export const starters = new Set(
  'export import declare const let var function async class abstract interface type enum namespace module'.split(' '),
);

const going = new Set('extends keyof typeof implements in of is infer as new return await readonly unique'.split(' '));

/** Needs what comes behind it, on whatever line. */
export function isGoingOn(t: Tokens): boolean {
  if (t.kind === 'name') return going.has(t.value);
  return t.kind === 'mark' && t.value !== ';' && t.value !== '>' && t.value !== '!';
}

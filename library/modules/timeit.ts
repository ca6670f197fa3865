/** Module `timeit`: how long calls of a function take. Source text cannot be run (E0905). */

import { functions, type Members } from '../builtins/module.ts';
import { call } from '../values/calls/calls.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { TypeError } from '../values/objects/exceptions.ts';

const now = () => performance.now() / 1000;

function timed(given: unknown, setup: unknown, timer: unknown, number: unknown): number {
  if (typeof given === 'string') throw new TypeError('timeit needs a function here: source text cannot be run');
  const clock = timer === undefined || timer === null ? now : () => Number(call(timer));
  if (setup !== undefined && typeof setup !== 'string') call(setup);
  const start = clock();
  for (let left = requireSize(number ?? 1_000_000); left > 0; left -= 1) call(given);
  return clock() - start;
}

const params = "stmt='pass', setup='pass', timer=None";

export function makeTimeit(): Members {
  return functions('timeit', {
    default_timer: ['', now],
    repeat: [
      `${params}, repeat=5, number=1000000, globals=None`,
      (given: unknown, setup: unknown, timer: unknown, times: unknown, number: unknown) =>
        Array.from({ length: requireSize(times ?? 5) }, () => timed(given, setup, timer, number)),
    ],
    timeit: [`${params}, number=1000000, globals=None`, timed],
  });
}

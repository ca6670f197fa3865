/** Module `gc`: memory is collected by JavaScript; a program can ask for it, and nothing is left to do. */

import { functions, type Members } from '../builtins/module.ts';
import { tuple } from '../values/containers/tuple.ts';

export function makeGc(): Members {
  let isEnabled = true;
  let threshold = tuple(700, 10, 10);
  const switched = (to: boolean) => (): null => {
    isEnabled = to;
    return null;
  };
  return {
    callbacks: [],
    garbage: [],
    ...functions('gc', {
      collect: ['generation=2', () => 0],
      disable: ['', switched(false)],
      enable: ['', switched(true)],
      freeze: ['', () => null],
      get_count: ['', () => tuple(0, 0, 0)],
      get_objects: ['generation=None', () => []],
      get_threshold: ['', () => threshold],
      isenabled: ['', () => isEnabled],
      set_threshold: [
        'threshold0, threshold1=10, threshold2=10, /',
        (...given: unknown[]) => {
          threshold = tuple(given[0], given[1] ?? 10, given[2] ?? 10);
          return null;
        },
      ],
      unfreeze: ['', () => null],
    }),
  };
}

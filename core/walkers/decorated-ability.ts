import { call } from '../../library/values/calls/calls.ts';
import { $declared, $spec } from '../../library/values/objects/protocol.ts';
import { currentWalk } from './statements.ts';
import type { Walk } from './walk.ts';

/**
 * Makes the function that a walk runs for an ability with decorators (decisions/0363): they see a function of `self`
 * and of the object met, `here` or `visitor`, and the function they give is called with both.
 */
export function decoratedAbility(
  run: (this: unknown, other: unknown, walk: Walk | undefined) => unknown,
  decorated: (f: unknown) => unknown,
  spec: unknown,
): (this: unknown, other: unknown) => unknown {
  const plain: any = (self: unknown, other: unknown) => run.call(self, other, currentWalk());
  plain[$spec] = spec;
  plain[$declared] = true;
  const made = decorated(plain);
  return function (other) {
    return made instanceof Promise ? made.then((f) => call(f, this, other)) : call(made, this, other);
  };
}

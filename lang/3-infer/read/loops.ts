/** Loops, read until the types at their head stay the same. */
import type * as ast from '../../1-parse/ast.ts';
import { any, sameType } from '../classes/type-values.ts';
import type { Env, Reader } from '../program.ts';
import { noteTruth } from '../suspension/special-methods.ts';
import { assignElements } from './assign.ts';
import { copyEnv, copyOf, joinEnvs } from './environments.ts';
import { typeOf, waitAt } from './expressions.ts';
import { elementOf, iterationPoint } from './iteration.ts';
import { narrow } from './narrowing.ts';
import { readBlock, readElse, settle } from './statements.ts';

export function readFor(f: Reader, s: ast.ForIn): void {
  const iterable = typeOf(f, s.iter);
  const point = iterationPoint(f, s.iter, iterable);
  if (s.async) waitAt(f, s, f.program.points.always);
  else if (point !== undefined) waitAt(f, s, point);
  const element = elementOf(f, iterable, s.iter);
  readLoop(f, () => {
    const exit = copyEnv(f);
    assignElements(f, s.target, element, undefined);
    readBlock(f, s.body);
    return exit;
  });
  readElse(f, s.orElse);
}

export function readWhile(f: Reader, s: ast.WhileStatement): void {
  const endless = s.test === undefined || (s.test.kind === 'Constant' && s.test.value === true);
  readLoop(f, () => {
    if (s.test !== undefined) {
      typeOf(f, s.test);
      noteTruth(f, s.test);
    }
    let exit: Env | undefined = copyEnv(f);
    if (s.test !== undefined) {
      // Types behind the loop are those where the test was false.
      narrow(f, s.test, false);
      const after = f.env;
      f.env = exit;
      exit = endless ? undefined : after;
      narrow(f, s.test, true);
    } else exit = undefined;
    readBlock(f, s.body);
    return exit;
  });
  readElse(f, s.orElse);
}

/**
 * Reads a loop until what holds at its head stays the same: mostly once. `round` reads one round from the head and gives what holds
 * when the loop ends at the head, undefined when it never does.
 */
export function readLoop(f: Reader, round: () => Env | undefined): void {
  const { dead } = f;
  let head = copyEnv(f);
  const again = f.again;
  for (let count = 0; ; count++) {
    f.loops.push({ breaks: [], continues: [] });
    f.env = copyOf(head);
    f.dead = dead;
    const exit = round();
    joinContinues(f);
    const { breaks } = f.loops.pop()!;
    const next = f.dead ? head : joinEnvs([head, f.env]);
    const changed = changedSlots(head, next);
    if (changed.length === 0 || count >= 4) {
      f.again = again;
      settle(f, [exit, ...breaks], dead);
      return;
    }
    // The last rounds give up on what does not settle.
    if (count === 3) for (const slot of changed) next[slot] = any;
    head = next;
    f.again = again + 1;
  }
}

export function joinContinues(f: Reader): void {
  const loop = f.loops[f.loops.length - 1]!;
  if (loop.continues.length === 0) return;
  f.env = joinEnvs(f.dead ? loop.continues : [f.env, ...loop.continues]);
  f.dead = false;
  loop.continues.length = 0;
}

/** Slots that held a value at the head and hold another type now. A first assignment inside the loop is no change. */
function changedSlots(head: Env, next: Env): readonly number[] {
  const changed: number[] = [];
  for (let slot = 0; slot < head.length; slot++) {
    if (head[slot] !== undefined && head[slot] !== next[slot] && !sameType(head[slot], next[slot])) changed.push(slot);
  }
  return changed;
}

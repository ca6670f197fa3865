/** Waiting of `await x` (docs/language/async.md#coroutines): awaiting a plain value gives the value. */

import { $await } from '../objects/protocol.ts';
import { GeneratorObject } from './generators.ts';

/** Lets a promise that is awaited inside a task be interrupted; set by the first task there is (`asyncio`). */
let interruptible: ((waited: Promise<unknown>) => Promise<unknown>) | undefined;

export function setInterruptible(guard: (waited: Promise<unknown>) => Promise<unknown>): void {
  interruptible = guard;
}

/** Holds what was waited for until the program may go on; set where a platform is emulated that stops programs. */
let gate: ((waited: Promise<unknown>) => Promise<unknown>) | undefined;

export function setGate(holds: typeof gate): void {
  gate = holds;
}

export function awaitable(x: any): any {
  if (typeof x !== 'object' || x === null) return x;
  if (x instanceof Promise) return held(interruptible === undefined ? x : interruptible(x));
  if (typeof x[$await] === 'function') return held(x[$await]());
  if (typeof x.__await__ === 'function') return held(drive(x.__await__()));
  return x;
}

// Called with what has begun already, so that no call chain of an error is longer for it.
function held(waited: any): any {
  return gate === undefined || !(waited instanceof Promise) ? waited : gate(waited);
}

// `__await__` gives an iterator; what it yields is waited for and sent back, what it returns is the result.
async function drive(it: any): Promise<unknown> {
  const source: any = typeof it?.next === 'function' ? it : it[Symbol.iterator]();
  let step: IteratorResult<unknown> = source.next();
  while (step.done !== true) {
    let value: unknown;
    try {
      value = await awaitable(step.value);
    } catch (error) {
      if (!(source instanceof GeneratorObject)) throw error;
      step = source.throwInside(error);
      continue;
    }
    step = source.next(value);
  }
  return step.value ?? null;
}

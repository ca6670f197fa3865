/** What `await x` waits for (language.md 3.14): awaiting a plain value gives the value. */

import { GeneratorObject } from './generators.ts';
import { $await } from './protocol.ts';

/** Lets a promise that is awaited inside a task be interrupted; set by the first task there is (`asyncio`). */
let interruptible: ((waited: Promise<unknown>) => Promise<unknown>) | undefined;

export function setInterruptible(guard: (waited: Promise<unknown>) => Promise<unknown>): void {
  interruptible = guard;
}

export function awaitable(x: any): any {
  if (typeof x !== 'object' || x === null) return x;
  if (x instanceof Promise) return interruptible === undefined ? x : interruptible(x);
  if (typeof x[$await] === 'function') return x[$await]();
  if (typeof x.__await__ === 'function') return drive(x.__await__());
  return x;
}

// `__await__` gives an iterator; what it yields is waited for, what it returns is the result.
async function drive(it: any): Promise<unknown> {
  const source: Iterator<unknown> =
    it instanceof GeneratorObject || typeof it?.next === 'function' ? it : it[Symbol.iterator]();
  for (;;) {
    const step = source.next();
    if (step.done === true) return step.value ?? null;
    await awaitable(step.value);
  }
}

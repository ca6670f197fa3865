/** Work that an ability began and did not wait for: the ability is over when that is. */
import { currentWalk } from '../walkers/statements.ts';

const held = new WeakMap<object, Promise<unknown>[]>();
let count = 0;

/** Keeps the running walk from going on before `work` has ended. */
export function hold<T>(work: Promise<T>): Promise<T> {
  const walk = currentWalk();
  if (walk === undefined) return work;
  count += 1;
  const list = held.get(walk);
  if (list === undefined) held.set(walk, [work]);
  else list.push(work);
  // The promise is awaited when the ability returns; until then nobody else may have asked for it.
  work.catch(() => {});
  return work;
}

/** The result of an ability, once what it began for this walk has ended. */
export function settled(walk: object, result: unknown): unknown {
  if (count === 0 && !(result instanceof Promise)) return undefined;
  if (result instanceof Promise) return result.then(() => release(walk));
  return release(walk);
}

function release(walk: object): Promise<unknown> | undefined {
  const list = held.get(walk);
  if (list === undefined) return undefined;
  held.delete(walk);
  count -= list.length;
  return Promise.all(list);
}

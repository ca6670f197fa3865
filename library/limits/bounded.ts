import type { Script } from 'node:vm';
import { callScope } from '../call-scope.ts';
import { nodeVm } from '../node-parts.ts';
import { look, remainingMs } from './look.ts';

let work: () => unknown;
const slot = Symbol.for('svc.bounded');
let script: Script | undefined;
let depth = 0;
let onChange: ((isInside: boolean) => void) | undefined;

/** A question on its way when a step begins is answered before the step can be stopped. */
const leastMs = 50;

/** Tells `listener` when a step that V8 may stop begins and ends: nothing may be evaluated meanwhile. */
export function watchBounded(listener: ((isInside: boolean) => void) | undefined): void {
  onChange = listener;
}

export function isInBounded(): boolean {
  return depth > 0;
}

/**
 * Does one step of JavaScript that cannot ask `$due` and may take long: a pattern that backtracks, arithmetic on huge integers. What runs for a call
 * is stopped when the call's time is up. Costs 70 µs, so only what may really take long is worth it; `steps` must leave nothing half changed.
 *
 * @throws CallEnded
 */
export function bounded<T>(steps: () => T): T {
  const timeout = remainingMs();
  if (timeout === undefined || depth > 0) return steps();
  look();
  if (script === undefined) {
    Object.defineProperty(globalThis, slot, { value: () => work(), configurable: true });
    script = new (nodeVm().Script)(`globalThis[Symbol.for('svc.bounded')]()`);
  }
  work = steps;
  depth++;
  onChange?.(true);
  try {
    return script.runInThisContext({ timeout: Math.max(leastMs, timeout) }) as T;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw callScope.ending() ?? callScope.timeUp();
  } finally {
    depth--;
    onChange?.(false);
  }
}

/** Functions that a program has registered to run when it ends: `atexit`. */
import { callkw } from '../values/calls/calls.ts';
import type { Dict } from '../values/containers/dict.ts';
import { eq } from '../values/objects/equality.ts';

interface ExitFunction {
  readonly run: unknown;
  readonly args: readonly unknown[];
  readonly kwargs: Dict | undefined;
}

let registered: ExitFunction[] = [];

export function addExitFunction(run: unknown, args: readonly unknown[], kwargs: Dict | undefined): void {
  registered.push({ run, args, kwargs });
}

export function removeExitFunction(run: unknown): void {
  registered = registered.filter((one) => !eq(one.run, run));
}

export function clearExitFunctions(): void {
  registered = [];
}

export function countExitFunctions(): number {
  return registered.length;
}

/** Calls them, the one registered last first, and forgets them; what one of them raises goes to `report`, and the others still run. */
export async function runExitFunctions(report: (error: unknown) => void): Promise<void> {
  for (let next = registered.pop(); next !== undefined; next = registered.pop()) {
    try {
      await callkw(next.run, next.args, next.kwargs);
    } catch (error) {
      report(error);
    }
  }
}

/** Schedule for replacing workers that ended unexpectedly (docs/server/commands.md#workers): after half a second, doubling to 30. */
export interface Restarts {
  /**
   * One more has ended: milliseconds until it is replaced. `isFutile`: too many within a minute never served. One that served may have been ended
   * by a call, and no call may end the others (decisions/0066).
   */
  next(hasServed: boolean): { readonly delayMs: number; readonly isFutile: boolean };
}

const firstDelayMs = 500;
const longestDelayMs = 30_000;
const windowMs = 60_000;
/** More than so many that failed to start within a minute are too many. */
export const mostFailures = 5;

/** `now`: milliseconds on a clock that never goes back. */
export function createRestarts(now: () => number): Restarts {
  let exits: { readonly at: number; readonly hasServed: boolean }[] = [];
  let nextMs = firstDelayMs;
  return {
    next(hasServed) {
      const at = now();
      exits = exits.filter((exit) => exit.at > at - windowMs);
      // A quiet minute: what made them end is over.
      if (exits.length === 0) nextMs = firstDelayMs;
      exits.push({ at, hasServed });
      const delayMs = nextMs;
      nextMs = Math.min(nextMs * 2, longestDelayMs);
      return { delayMs, isFutile: exits.filter((exit) => !exit.hasServed).length > mostFailures };
    },
  };
}

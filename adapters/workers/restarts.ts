/** When a worker that ended unexpectedly is replaced (server.md 3.4): after half a second, doubling to 30. */
export interface Restarts {
  /** One more has ended: milliseconds until it is replaced; undefined when there were too many within a minute. */
  next(): number | undefined;
}

const firstDelayMs = 500;
const longestDelayMs = 30_000;
const windowMs = 60_000;
/** More than so many within a minute are too many. */
export const mostExits = 5;

/** `now`: milliseconds on a clock that never goes back. */
export function createRestarts(now: () => number): Restarts {
  let exits: number[] = [];
  let delayMs = firstDelayMs;
  return {
    next() {
      const time = now();
      exits = exits.filter((at) => at > time - windowMs);
      // A quiet minute: what made them end is over.
      if (exits.length === 0) delayMs = firstDelayMs;
      exits.push(time);
      if (exits.length > mostExits) return undefined;
      const delay = delayMs;
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      return delay;
    },
  };
}

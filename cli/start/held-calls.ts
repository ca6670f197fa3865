/** Calls that pages make before the server that is served knows what they ask for. */
import { setTimeout } from 'node:timers/promises';

const longestHoldMs = 5000;
const lookMs = 10;

/** Holds calls of walkers and functions, by their names, while pages are ahead of the server: at most 5 s. All others are not held. */
export function holdCalls(isAhead: (name: string) => boolean): (path: string) => Promise<void> | undefined {
  return (path) => {
    const name = /^\/(?:walker|function)\/([^/]+)/.exec(path)?.[1];
    return name !== undefined && isAhead(name) ? hold(() => isAhead(name)) : undefined;
  };
}

async function hold(isHeld: () => boolean): Promise<void> {
  const until = performance.now() + longestHoldMs;
  while (isHeld() && performance.now() < until) await setTimeout(lookMs);
}

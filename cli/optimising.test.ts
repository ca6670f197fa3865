import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { delayOptimising, optimiseAsUsual } from './optimising.ts';

// V8 says of a function whether it has made fast code of it; and it does so at once, not in a thread.
for (const flag of ['--allow-natives-syntax', '--no-concurrent-recompilation']) setFlagsFromString(flag);
const statusOf = new Function('f', 'return %GetOptimizationStatus(f)') as (f: unknown) => number;
const isOptimised = 1 << 4;

const leaveAsIs = new Function('f', '%NeverOptimizeFunction(f)') as (f: unknown) => void;
let made = 0;

/** Calls of a new function until V8 has made fast code of it. Its text is new each time: what V8 knows of a function goes by that. */
function callsUntilOptimised(): number {
  made += 1;
  const f = new Function('n', `return (n + ${made}) & 1023;`);
  for (let calls = 1; calls < 10_000_000; calls += 1) {
    f(1);
    if ((statusOf(f) & isOptimised) !== 0) return calls;
  }
  throw new Error('never optimised');
}

// Its loop would have the function inside.
leaveAsIs(callsUntilOptimised);

test('the V8 of Node 20 waits longer until it is told to go on as usual; another is told nothing', () => {
  const before = callsUntilOptimised();
  delayOptimising();
  const delayed = callsUntilOptimised();
  optimiseAsUsual();
  const after = callsUntilOptimised();
  if (process.versions.v8.startsWith('11.3.')) expect(delayed).toBeGreaterThan(5 * before);
  else expect(delayed).toBeLessThan(2 * before);
  expect(after).toBeLessThan(2 * before);
});

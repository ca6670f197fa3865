/** Arithmetic on the bounds of integers. */

/** Integers that are certainly JavaScript numbers, from `low` to `high`. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export const largest = Number.MAX_SAFE_INTEGER;
// No loop runs this often, so a counter that starts small and steps by small steps stays exact.
const longestLoop = 2 ** 50;

/** Bounds of the exact result of `+`, `-` or `*`. */
export function combine(op: '+' | '-' | '*', a: Interval, b: Interval): Interval {
  if (op === '+') return { low: a.low + b.low, high: a.high + b.high };
  if (op === '-') return { low: a.low - b.high, high: a.high - b.low };
  const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  return { low: Math.min(...corners), high: Math.max(...corners) };
}

/** The same, where every number in it is exact. */
export function within(x: Interval): Interval | undefined {
  return x.low >= -largest && x.high <= largest ? x : undefined;
}

/** Interval that the variable of a counting loop lies in. */
export function counterInterval(start: Interval | undefined, stop: Interval | undefined, step: number): Interval {
  if (step > 0) {
    const low = start?.low ?? -largest;
    const far = start === undefined ? largest - 1 : start.high + longestLoop * step;
    return { low, high: Math.min(stop === undefined ? largest - 1 : stop.high - 1, Math.max(far, low)) };
  }
  const high = start?.high ?? largest;
  const far = start === undefined ? -largest + 1 : start.low + longestLoop * step;
  return { low: Math.max(stop === undefined ? -largest + 1 : stop.low + 1, Math.min(far, high)), high };
}

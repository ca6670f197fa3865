/** `time` in the browser. A page cannot stop: `sleep` gives a promise. */

export function time(): number {
  return Date.now() / 1000;
}
export function perf_counter(): number {
  return performance.now() / 1000;
}
export const monotonic = perf_counter;

export function time_ns(): number {
  return Date.now() * 1e6;
}

export function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

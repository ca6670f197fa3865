/** Says something at most once per interval; `times` is how often there was a reason since it was said last. */
export function createSeldom(intervalMs: number, now: () => number): (say: (times: number) => void) => void {
  let times = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  return (say) => {
    times++;
    if (now() - saidAt < intervalMs) return;
    saidAt = now();
    say(times);
    times = 0;
  };
}

/** Times of the calendar for moments of the monotonic clock: reading a clock costs as much as recording a step (decisions/0715). */

/** Distance between the two clocks as it was read once. */
export class CalendarReading {
  readonly readMs = performance.now();
  private readonly distanceMs = Date.now() - this.readMs;

  /** @param ms on the monotonic clock */
  ofMs(ms: number): number {
    return this.distanceMs + ms;
  }
}

/** Milliseconds for which a reading holds: while a machine sleeps or its time is set, the distance changes. */
const holdsMs = 50;

let last = new CalendarReading();

export function calendarAt(ms: number): CalendarReading {
  if (ms - last.readMs > holdsMs) last = new CalendarReading();
  return last;
}

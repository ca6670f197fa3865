/** Rate at which one connection may send (docs/server/sockets.md#runs): a token bucket whose burst is its rate. */
export interface SendRate {
  /** Tells whether one more message is within the rate, and counts it. @param now Unix milliseconds */
  take(now: number): boolean;
  /** Notes a dropped message; true when there were too many within a minute. */
  drop(now: number): boolean;
}

/** A bucket as it can be stored. */
export interface RateState {
  readonly tokens: number;
  /** Unix milliseconds of the last message. */
  readonly at: number;
}

/** Dropped messages per minute after which the connection is closed. */
export const maxDropsPerMinute = 100;
const minuteMs = 60_000;

/** A full bucket. */
export function freshRate(perSecond: number): RateState {
  return { tokens: perSecond, at: 0 };
}

/** The bucket after one more message; undefined when the message is above the rate. Messages may come out of order. */
export function takeToken({ tokens, at }: RateState, perSecond: number, now: number): RateState | undefined {
  const filled = Math.min(perSecond, tokens + (Math.max(0, now - at) / 1000) * perSecond);
  return filled < 1 ? undefined : { tokens: filled - 1, at: Math.max(at, now) };
}

export function createSendRate(perSecond: number): SendRate {
  return new Bucket(perSecond);
}

/** A class, because there are thousands of them. */
class Bucket implements SendRate {
  private tokens: number;
  private at = 0;
  private drops = 0;
  private dropsSince = 0;
  private readonly perSecond: number;

  constructor(perSecond: number) {
    this.perSecond = perSecond;
    this.tokens = perSecond;
  }

  take(now: number): boolean {
    const passed = Math.max(0, now - this.at) / 1000;
    this.tokens = Math.min(this.perSecond, this.tokens + passed * this.perSecond);
    this.at = now;
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }

  drop(now: number): boolean {
    if (now - this.dropsSince >= minuteMs) {
      this.drops = 0;
      this.dropsSince = now;
    }
    return ++this.drops >= maxDropsPerMinute;
  }
}

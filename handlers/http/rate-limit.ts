import type { MaybePromise } from '../../base/maybe-promise.ts';

/** Token buckets by key (docs/server/errors.md#limits): of one process, or of all that share them. */
export interface RateLimit {
  /** Takes one token: 0 when there was one, else the whole seconds until there is one again. */
  take(key: string): MaybePromise<number>;
}

export interface RateRules {
  readonly requestsPerMinute: number;
  readonly burst: number;
}

export interface RateLimitOptions extends RateRules {
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const sweepAbove = 10_000;

/** Makes an empty set of buckets, each of which starts full. */
export function createRateLimit({ requestsPerMinute, burst, now }: RateLimitOptions): { take(key: string): number } {
  const buckets = new Map<string, Bucket>();
  const perMs = requestsPerMinute / 60_000;
  const fullAfterMs = burst / perMs;

  return {
    take(key) {
      const time = now();
      let bucket = buckets.get(key);
      if (bucket === undefined) {
        if (buckets.size >= sweepAbove) sweep(buckets, time - fullAfterMs);
        buckets.set(key, (bucket = { tokens: burst, at: time }));
      } else {
        bucket.tokens = Math.min(burst, bucket.tokens + (time - bucket.at) * perMs);
        bucket.at = time;
      }
      if (bucket.tokens >= 1) {
        bucket.tokens--;
        return 0;
      }
      return Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000));
    },
  };
}

/** Drops buckets that are full again; when none is, the oldest half, so that memory stays bounded. */
function sweep(buckets: Map<string, Bucket>, before: number): void {
  for (const [key, bucket] of buckets) if (bucket.at <= before) buckets.delete(key);
  if (buckets.size < sweepAbove) return;
  let excess = buckets.size / 2;
  for (const key of buckets.keys()) {
    if (excess-- <= 0) break;
    buckets.delete(key);
  }
}

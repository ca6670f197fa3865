/** Rate limits of all workers, counted in the primary process (docs/server/commands.md#workers, docs/server/errors.md#limits). */
import { createRateLimit, type RateLimit, type RateRules } from '../../handlers/http/rate-limit.ts';
import type { Channel } from './channel.ts';

interface Wanted {
  readonly key: string;
  readonly rules: RateRules;
}

/** The primary's part: one set of buckets for each pair of rules, which a reload may change. */
export function createLimitOffice(): { join(worker: Channel): void } {
  const limits = new Map<string, RateLimit>();
  const limitOf = (rules: RateRules) => {
    const name = `${rules.requestsPerMinute} ${rules.burst}`;
    let limit = limits.get(name);
    if (limit === undefined) {
      limit = createRateLimit({ ...rules, now: () => performance.now() });
      limits.set(name, limit);
    }
    return limit;
  };
  return { join: (worker) => worker.on('rate', ({ key, rules }: Wanted) => limitOf(rules).take(key)) };
}

/** A worker's part. */
export function askForLimits(primary: Channel, { requestsPerMinute, burst }: RateRules): RateLimit {
  const rules = { requestsPerMinute, burst };
  return { take: (key) => primary.ask<number>('rate', { key, rules }) };
}

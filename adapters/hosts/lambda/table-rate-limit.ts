import type { AccountStore } from '../../../core/accounts/account-store.ts';
import type { RateLimit, RateRules } from '../../../handlers/http/rate-limit.ts';

/**
 * A rate that all instances of a function keep to together, counted in the table
 * (docs/cloud.md#what-is-different-there): `burst` calls in the time in which the rate lets so many through. Over time
 * that is the rate, and never more than two bursts at once, as with the buckets of one process.
 */
export function createTableRateLimit(
  counters: Pick<AccountStore, 'addToCounter'>,
  { requestsPerMinute, burst }: RateRules,
  nowMs: () => number,
): RateLimit {
  const windowSeconds = (burst * 60) / requestsPerMinute;
  return {
    async take(key) {
      const { count, expiresAt } = await counters.addToCounter(`rl:${key}`, 1, windowSeconds);
      return count <= burst ? 0 : Math.max(1, Math.ceil((expiresAt - nowMs()) / 1000));
    },
  };
}

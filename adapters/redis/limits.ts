/** Rate limits of all processes, counted in the key-value store (docs/server/stores.md#key-value-store). */
import type { Log } from '../../core/log/log.ts';
import type { RateLimit, RateRules } from '../../handlers/http/rate-limit.ts';
import { createDetour } from '../sharing/detour.ts';
import { defineScript, type RedisLink } from './open-redis.ts';

/** One bucket: tokens and when they were counted, on the store's clock. Gives milliseconds until there is a token; 0: one was taken. */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local perMs, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = burst
if bucket[1] then
  tokens = math.min(burst, bucket[1] + math.max(0, now - bucket[2]) * perMs)
end
local wait = 0
if tokens >= 1 then tokens = tokens - 1 else wait = math.ceil((1 - tokens) / perMs) end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.17g', tokens), 'at', string.format('%.17g', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / perMs))
return wait
`;

/** `without`: what counts while the store does not answer. */
export function createRedisLimits(
  link: RedisLink,
  log: Log,
  without: (rules: RateRules) => RateLimit,
): (rules: RateRules) => RateLimit {
  const script = defineScript(link.commands, 'svcTakeToken', 1, takeScript);
  const detour = createDetour(link, log, 'rate limits');
  return (rules) => {
    const { requestsPerMinute, burst } = rules;
    const own = without(rules);
    const perMs = requestsPerMinute / 60_000;
    return {
      take(key) {
        const shared = async () => {
          const waitMs = (await script(`${link.prefix}rate:${key}`, perMs, burst)) as number;
          return waitMs === 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000));
        };
        return detour(shared, () => own.take(key));
      },
    };
  };
}

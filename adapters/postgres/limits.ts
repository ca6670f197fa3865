/** Rate limits of all processes, counted in the database (docs/server/stores.md#postgresql). */
import type { Log } from '../../core/log/log.ts';
import type { RateLimit, RateRules } from '../../handlers/http/rate-limit.ts';
import { createDetour } from '../sharing/detour.ts';
import type { Bus } from './open-bus.ts';

/** Buckets are worth nothing after a crash: they are not written to the log of the database. Processes that make the table at once would fail. */
const tables = [
  "SELECT pg_advisory_xact_lock(hashtext('svc_rate'))",
  'CREATE UNLOGGED TABLE IF NOT EXISTS svc_rate (key text PRIMARY KEY, tokens float8 NOT NULL, at float8 NOT NULL, wait float8 NOT NULL)',
];

/**
 * One bucket: tokens and when they were counted, on the database's clock. Gives milliseconds until there is a token; 0: one was taken.
 * `$2`: tokens in a millisecond, `$3`: most of them.
 */
const now = 'extract(epoch FROM clock_timestamp()) * 1000';
const filled = `least($3::float8, r.tokens + greatest(0, ${now} - r.at) * $2::float8)`;
const take =
  `INSERT INTO svc_rate AS r (key, tokens, at, wait) VALUES ($1, $3::float8 - 1, ${now}, 0) ON CONFLICT (key) DO UPDATE SET ` +
  `tokens = ${filled} - (CASE WHEN ${filled} >= 1 THEN 1 ELSE 0 END), at = ${now}, ` +
  `wait = CASE WHEN ${filled} >= 1 THEN 0 ELSE (1 - ${filled}) / $2::float8 END RETURNING wait`;
/** Buckets that are full again. */
const sweep = `DELETE FROM svc_rate WHERE at < ${now} - $1::float8`;

const sweepMs = 60_000;

/** `without`: what counts while the database does not answer. */
export function createPostgresLimits(
  bus: Pick<Bus, 'ask' | 'together' | 'onBack'>,
  log: Log,
  without: (rules: RateRules) => RateLimit,
): (rules: RateRules) => RateLimit {
  const detour = createDetour(bus, log, 'rate limits', 'the database');
  let made: Promise<unknown> | undefined;
  const prepare = () => {
    made ??= bus.together(tables.map((text) => [text, []] as const)).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return (rules) => {
    const { requestsPerMinute, burst } = rules;
    const own = without(rules);
    const perMs = requestsPerMinute / 60_000;
    let sweptMs = performance.now();
    return {
      take(key) {
        const shared = async () => {
          await prepare();
          if (performance.now() - sweptMs > sweepMs) {
            sweptMs = performance.now();
            bus.ask(sweep, [burst / perMs]).catch(() => {});
          }
          const [[wait]] = (await bus.ask(take, [key, perMs, burst])) as [[string]];
          const waitMs = Number(wait);
          return waitMs === 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000));
        };
        return detour(shared, () => own.take(key));
      },
    };
  };
}

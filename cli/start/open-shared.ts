import { withFileNews } from '../../adapters/backplane/file-news.ts';
import { storeKind } from '../../adapters/stores/stores.ts';
import type { AccountNews } from '../../core/accounts/account-news.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { HealthProbe } from '../../handlers/deps.ts';
import type { RateLimit, RateRules } from '../../handlers/http/rate-limit.ts';
import type { Backplane } from '../../handlers/socket/backplane.ts';
import type { Seats } from '../../handlers/socket/seats.ts';
import type { TopicStore } from '../../handlers/topics/topic-store.ts';

/** Parts that the processes of an application share, and reach each other by. What is absent each has for itself. */
export interface Common {
  readonly backplane?: Backplane | undefined;
  readonly news?: AccountNews | undefined;
  readonly rateLimit?: ((rules: RateRules) => RateLimit) | undefined;
  readonly seats?: Seats | undefined;
  readonly topics?: TopicStore | undefined;
  /** State of the key-value store. */
  readonly cache?: HealthProbe['cache'];
}

export type Shared = Common & AsyncDisposable;

/**
 * The key-value store when one is configured, else what is there without one (docs/server/stores.md#key-value-store,
 * docs/server/sockets.md#broadcast, docs/server/sockets.md#caps). While it does not answer, rate limits are `rateLimitOf`'s.
 */
export async function openShared(
  config: Config,
  log: Log,
  rateLimitOf: (rules: RateRules) => RateLimit,
  without: () => Common,
): Promise<Shared> {
  const { kvcacheUrl } = config.scale.database;
  if (kvcacheUrl === '') {
    if (storeKind(config) === 'postgres') return openSharedDatabase(config, log, rateLimitOf, without());
    const common = without();
    return { ...common, news: withFileNews(config.dataDir, common.news), [Symbol.asyncDispose]: async () => {} };
  }
  const { openRedis } = await import('../../adapters/redis/open-redis.ts');
  const { createRedisBackplane } = await import('../../adapters/backplane/redis.ts');
  const { shareNewsBy } = await import('../../adapters/backplane/news.ts');
  const { createRedisLimits } = await import('../../adapters/redis/limits.ts');
  const { createRedisTopics } = await import('../../adapters/topics/redis.ts');
  const { openRedisSeats } = await import('../../adapters/redis/seats.ts');
  const link = await openRedis({ url: kvcacheUrl, prefix: `svc:${config.project.name}:`, log });
  const backplane = createRedisBackplane(link);
  const seats = openRedisSeats(link, log);
  return {
    backplane,
    // A store only takes what is told; workers of this host confirm it, and are waited for.
    news: withFileNews(config.dataDir, without().news, shareNewsBy(backplane, log)),
    rateLimit: createRedisLimits(link, log, rateLimitOf),
    seats,
    topics: createRedisTopics(link, config.scale.live),
    cache: link.state,
    async [Symbol.asyncDispose]() {
      seats.close();
      await link.close();
    },
  };
}

/** PostgreSQL carries what processes tell each other as well. */
async function openSharedDatabase(
  config: Config,
  log: Log,
  rateLimitOf: (rules: RateRules) => RateLimit,
  common: Common,
): Promise<Shared> {
  const { openBus } = await import('../../adapters/postgres/open-bus.ts');
  const { createPostgresBackplane } = await import('../../adapters/backplane/postgres.ts');
  const { shareNewsBy } = await import('../../adapters/backplane/news.ts');
  const { createPostgresLimits } = await import('../../adapters/postgres/limits.ts');
  const { createPostgresSeats } = await import('../../adapters/postgres/seats.ts');
  const { createPostgresTopics } = await import('../../adapters/topics/postgres.ts');
  const { databaseUrl, connectTimeoutMs } = config.scale.database;
  const bus = await openBus({ url: databaseUrl, application: config.project.name, log, connectTimeoutMs });
  const backplane = createPostgresBackplane(bus);
  const topics = createPostgresTopics(bus, config.scale.live);
  const seats = createPostgresSeats(bus, log);
  return {
    ...common,
    backplane,
    news: withFileNews(config.dataDir, common.news, shareNewsBy(backplane, log)),
    rateLimit: createPostgresLimits(bus, log, rateLimitOf),
    seats,
    topics,
    async [Symbol.asyncDispose]() {
      topics.close();
      seats.close();
      await bus.close();
    },
  };
}

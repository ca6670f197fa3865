import type { Config } from '../../../core/config/config.ts';

/**
 * Adapts the configuration to a worker at the edge (docs/hono.md#edge): the store is DynamoDB, which is reached by requests as a worker can make
 * them, and others may change accounts in it, so sessions are looked at each time. There are no metrics to scrape: workerd knows neither the memory
 * nor the processor time of a worker, and its object goes when nobody asks for it.
 */
export function workerConfig(config: Config): Config {
  const { database, auth, metrics } = config.scale;
  return {
    ...config,
    scale: {
      ...config.scale,
      database: { ...database, store: 'dynamodb' },
      metrics: { ...metrics, enabled: false },
      auth: { ...auth, sessionCacheSeconds: 0 },
    },
  };
}

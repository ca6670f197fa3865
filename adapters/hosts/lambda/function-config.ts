import type { Config } from '../../../core/config/config.ts';

/**
 * The configuration as functions have to take it (docs/cloud.md#what-is-different-there): a call ends one second before
 * its function is ended, and there are no metrics to scrape, because each instance would have its own.
 */
export function functionConfig(config: Config): Config {
  const { timeoutSeconds, websocketTimeoutSeconds } = config.scale.cloud;
  const { requestTimeoutSeconds } = config.serve;
  const { websocket, metrics } = config.scale;
  const messageSeconds = Math.min(websocket.executionTimeoutSeconds, websocketTimeoutSeconds - 1);
  return {
    ...config,
    serve: { ...config.serve, requestTimeoutSeconds: Math.min(requestTimeoutSeconds, timeoutSeconds - 1) },
    scale: {
      ...config.scale,
      websocket: { ...websocket, executionTimeoutSeconds: messageSeconds },
      metrics: { ...metrics, enabled: false },
    },
  };
}

/**
 * Adapts the configuration to functions that are deployed: many processes on one store, which is DynamoDB unless
 * another one is named. None of them hears what another one did to a session or a key, and which of them gets a call is
 * chance, so they look each time (decisions/0060).
 */
export function deployedConfig(config: Config): Config {
  const bounded = functionConfig(config);
  const { database } = bounded.scale;
  const isNamed = database.store !== '' || database.databaseUrl !== '' || database.docdbUri !== '';
  const store = isNamed ? database.store : 'dynamodb';
  const serve = { ...bounded.serve, workers: 0 };
  const auth = { ...bounded.scale.auth, sessionCacheSeconds: 0 };
  return { ...bounded, serve, scale: { ...bounded.scale, auth, database: { ...database, store } } };
}

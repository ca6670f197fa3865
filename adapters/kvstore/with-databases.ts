import type { Config } from '../../core/config/config.ts';
import { type Stores, storeKind } from '../stores/stores.ts';
import { type OpenDatabases, openDatabases } from './open-databases.ts';
import type { DatabasesOptions } from './options.ts';

/** The databases that programs reach with `kvstore`, as the configuration has them. `embeddedIn` as in `DatabasesOptions`. */
export function configuredDatabases(config: Config, embeddedIn: string | undefined): OpenDatabases {
  return openDatabases(databasesOptions(config, embeddedIn));
}

export function databasesOptions(config: Config, embeddedIn: string | undefined): DatabasesOptions {
  // Data that are not to outlive the process are in memory, whatever keeps the graph otherwise.
  const isBeside = storeKind(config) === 'postgres' && embeddedIn !== ':memory:';
  const { databaseUrl } = config.scale.database;
  const { docdbUri, docdbName, kvcacheUrl, durability, connectTimeoutMs, operationTimeoutMs, poolSize } =
    config.scale.database;
  return {
    docdbUri,
    kvcacheUrl,
    databaseUrl: isBeside ? databaseUrl : undefined,
    ownDatabase: docdbName,
    embeddedIn,
    durability,
    connectTimeoutMs,
    operationTimeoutMs,
    poolSize,
  };
}

/** The stores of an application together with those databases: they are closed with them. */
export function withDatabases(stores: Stores, config: Config, embeddedIn: string | undefined): Stores {
  const databases = configuredDatabases(config, embeddedIn);
  return {
    ...stores,
    databases,
    async close() {
      await databases.close();
      await stores.close();
    },
  };
}

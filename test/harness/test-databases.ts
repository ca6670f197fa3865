import { type OpenDatabases, openDatabases } from '../../adapters/kvstore/open-databases.ts';
import type { DatabasesOptions } from '../../adapters/kvstore/options.ts';

/** Databases without addresses, or with those given. */
export function testDatabases(options: Partial<DatabasesOptions> = {}): OpenDatabases {
  return openDatabases({
    docdbUri: '',
    kvcacheUrl: '',
    ownDatabase: 'svc',
    embeddedIn: ':memory:',
    durability: 'full',
    connectTimeoutMs: 5000,
    operationTimeoutMs: 10_000,
    poolSize: 5,
    ...options,
  });
}

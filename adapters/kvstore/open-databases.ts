/** The databases that programs reach with `kvstore` (docs/server/kvstore.md): what connects to them is loaded when a program first asks. */
import { type Databases, graphUri } from '../../core/kvstore/databases.ts';
import { databaseOf } from '../stores/mongo/address.ts';
import type { Backends } from './backends.ts';
import type { DatabasesOptions } from './options.ts';

export interface OpenDatabases extends Databases {
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Opens nothing yet. */
export function openDatabases(options: DatabasesOptions): OpenDatabases {
  const beside = options.databaseUrl === undefined ? undefined : graphUri;
  const addresses = { docdb: options.docdbUri || beside, kvcache: options.kvcacheUrl || beside };
  let loaded: Promise<Backends> | undefined;
  const backends = () => (loaded ??= import('./backends.ts').then(({ createBackends }) => createBackends(options)));

  return {
    addressOf: (kind) => addresses[kind],
    hasEmbedded: options.embeddedIn !== undefined,
    // The one in the address, else the one that is configured (docs/server/stores.md#document-database).
    ownDatabase: databaseOf(options.docdbUri) ?? options.ownDatabase,
    documents: async (address) => (await backends()).documents(address),
    keyValues: async (address) => (await backends()).keyValues(address),
    close: async () => (await loaded)?.close(),
  };
}

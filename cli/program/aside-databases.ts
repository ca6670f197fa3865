import { type OpenDatabases, openDatabases } from '../../adapters/kvstore/open-databases.ts';
import type { DatabaseKind } from '../../core/kvstore/databases.ts';
import { localUri } from '../../core/kvstore/databases.ts';

export interface AsideDatabases extends OpenDatabases {
  /** Kinds that `kvstore` was asked for without an address of its own. */
  readonly asked: ReadonlySet<DatabaseKind>;
}

/**
 * Databases that `kvstore` reaches while a program is only loaded for its declarations: empty ones in memory, whatever
 * address is named, so that nothing is connected and nothing is written.
 */
export function openAsideDatabases(): AsideDatabases {
  const inMemory = openDatabases({
    docdbUri: '',
    kvcacheUrl: '',
    ownDatabase: 'svc',
    embeddedIn: ':memory:',
    durability: 'normal',
    connectTimeoutMs: 0,
    operationTimeoutMs: 0,
    poolSize: 1,
  });
  const asked = new Set<DatabaseKind>();
  return {
    ...inMemory,
    asked,
    addressOf(kind) {
      asked.add(kind);
      return localUri;
    },
    documents: ({ name }) => inMemory.documents({ uri: localUri, name }),
    keyValues: ({ name }) => inMemory.keyValues({ uri: localUri, name: name === '' ? '0' : name }),
  };
}

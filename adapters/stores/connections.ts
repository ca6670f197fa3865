import type { ConnectionStore } from '../../handlers/socket/connection-store.ts';
import type { RowTable } from '../../handlers/table/rows.ts';
import { type StoreConfig, storeKind } from './stores.ts';

/**
 * The table of connections that belongs to a store. With the embedded store it is that of one process, which is enough where one process
 * serves all events, as under `osls offline`.
 */
export async function openConnections(config: StoreConfig): Promise<ConnectionStore> {
  if (storeKind(config) !== 'dynamodb') return (await import('./memory/connections.ts')).openMemoryConnections();
  return await openSharedConnections(config);
}

/** Opens the connections of deployed functions: in DynamoDB, wherever the graph is (docs/server/cloud.md#sockets). */
export async function openDeployedConnections(config: StoreConfig): Promise<ConnectionStore> {
  return storeKind(config) === 'sqlite' ? await openConnections(config) : await openSharedConnections(config);
}

/** The table of what connections have subscribed to, which belongs to that of the connections. `isDeployed`: see above. */
export async function openRows(config: StoreConfig, isDeployed: boolean): Promise<RowTable> {
  const kind = storeKind(config);
  const isShared = kind === 'dynamodb' || (isDeployed && kind !== 'sqlite');
  if (!isShared) return (await import('./memory/rows.ts')).openMemoryRows();
  return await (await import('./dynamodb/live-rows.ts')).openDynamoRows(placeOf(config));
}

async function openSharedConnections(config: StoreConfig): Promise<ConnectionStore> {
  const { openDynamoConnections } = await import('./dynamodb/connections.ts');
  return await openDynamoConnections(placeOf(config));
}

function placeOf({ scale }: StoreConfig) {
  const { dynamodbTablePrefix = '', dynamodbEndpoint = '' } = scale.database;
  return { tablePrefix: dynamodbTablePrefix, endpoint: dynamodbEndpoint, region: scale.cloud?.region ?? '' };
}

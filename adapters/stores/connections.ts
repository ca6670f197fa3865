import type { ConnectionStore } from '../../handlers/socket/connection-store.ts';
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

async function openSharedConnections(config: StoreConfig): Promise<ConnectionStore> {
  const { openDynamoConnections } = await import('./dynamodb/connections.ts');
  const { dynamodbTablePrefix = '', dynamodbEndpoint = '' } = config.scale.database;
  const region = config.scale.cloud?.region ?? '';
  return await openDynamoConnections({ tablePrefix: dynamodbTablePrefix, endpoint: dynamodbEndpoint, region });
}

/**
 * The tables (docs/server/stores.md#dynamodb, docs/server/cloud.md#sockets): looked for when a store is opened, made
 * only on an emulator.
 */
import type { CreateTableCommandInput, DynamoDB } from '@aws-sdk/client-dynamodb';
import { Failure } from '../../../core/errors.ts';
import { nameOfError, pause, unavailable } from './trouble.ts';

export function graphTable(name: string): CreateTableCommandInput {
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  };
}

/** Shaped as the graph's; its changes are told where `svc build` says so (infra/cloud/tables.ts). */
export function liveTable(name: string): CreateTableCommandInput {
  return graphTable(name);
}

export function connectionsTable(name: string): CreateTableCommandInput {
  const index = (IndexName: string, attribute: string) => ({
    IndexName,
    KeySchema: [
      { AttributeName: attribute, KeyType: 'HASH' as const },
      { AttributeName: 'cid', KeyType: 'RANGE' as const },
    ],
    Projection: { ProjectionType: 'ALL' as const },
  });
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['cid', 'target', 'user_id'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'cid', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [index('by_target', 'target'), index('by_user', 'user_id')],
  };
}

/** Number of looks for a table that is being made before it counts as failed. */
const mostWaits = 200;

/** @throws Failure `SERVICE_UNAVAILABLE` when it does not exist and may not be made, or nobody answers */
export async function requireTable(
  client: DynamoDB,
  table: CreateTableCommandInput,
  mayCreate: boolean,
): Promise<void> {
  const TableName = table.TableName!;
  for (let waits = 0; ; waits++) {
    try {
      const { Table } = await client.describeTable({ TableName });
      if (Table?.TableStatus === 'ACTIVE' || Table?.TableStatus === 'UPDATING') return;
      if (waits >= mostWaits) throw new Failure('SERVICE_UNAVAILABLE', `the table ${TableName} does not become ready`);
      await pause(5);
    } catch (error) {
      if (nameOfError(error) !== 'ResourceNotFoundException') throw unavailable(error);
      if (!mayCreate) {
        const message = `there is no table ${TableName}; 'svc start --scale --target cloud' makes it`;
        throw new Failure('SERVICE_UNAVAILABLE', message, { cause: error });
      }
      await create(client, table);
    }
  }
}

async function create(client: DynamoDB, table: CreateTableCommandInput): Promise<void> {
  const { TableName } = table;
  try {
    await client.createTable(table);
  } catch (error) {
    if (nameOfError(error) === 'ResourceInUseException') return; // another process makes it
    throw unavailable(error);
  }
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
  // An emulator may not know it; what has expired is left out when it is read anyway.
  await client.updateTimeToLive({ TableName: TableName!, TimeToLiveSpecification }).catch(() => {});
}

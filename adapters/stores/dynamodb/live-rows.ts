/** Subscriptions and topics in the table `<prefix>live` (docs/server/cloud.md#live). */
import type { RowTable } from '../../../handlers/table/rows.ts';
import { openClient } from './client.ts';
import type { DynamoConnectionOptions } from './connections.ts';
import { openTable } from './table.ts';
import { liveTable, requireTable } from './tables.ts';

/** @throws Failure `SERVICE_UNAVAILABLE` when the service does not answer or the table is missing */
export async function openDynamoRows(options: DynamoConnectionOptions): Promise<RowTable> {
  const { endpoint, tablePrefix, region = '', env = process.env } = options;
  const limits = { connectTimeoutMs: 5000, operationTimeoutMs: 10_000, poolSize: 50 };
  const client = await openClient({ endpoint, region, env, ...limits });
  const name = `${tablePrefix}live`;
  try {
    await requireTable(client, liveTable(name), endpoint !== '');
  } catch (error) {
    client.destroy();
    throw error;
  }
  // Rows are items without nested values, and nobody else writes to the table.
  return openTable(client, name) as unknown as RowTable;
}

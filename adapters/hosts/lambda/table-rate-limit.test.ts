import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DynamoServer, startDynamo } from '../../../test/harness/dynamo-server.ts';
import { openDynamoStore } from '../../stores/dynamodb/store.ts';
import { createTableRateLimit } from './table-rate-limit.ts';

let server: DynamoServer;
beforeAll(async () => {
  server = await startDynamo();
});
afterAll(() => server.stop());

test('instances share a rate: a burst, then as many as the rate lets through, each key for itself', async () => {
  let now = 1_790_000_000_000;
  const options = { endpoint: server.endpoint, tablePrefix: 'rates-', nowMs: () => now };
  const stores = [await openDynamoStore(options), await openDynamoStore(options)];
  const rules = { requestsPerMinute: 60, burst: 5 };
  const limits = stores.map(({ accounts }) => createTableRateLimit(accounts, rules, () => now));
  const take = (calls: number, key = 'user ada') =>
    Promise.all(Array.from({ length: calls }, (_, i) => limits[i % 2]!.take(key)));
  try {
    expect((await take(8)).sort()).toEqual([0, 0, 0, 0, 0, 5, 5, 5]);
    expect(await take(1, 'user bob')).toEqual([0]);
    now += 3200;
    expect(await take(1)).toEqual([2]);
    now += 1800;
    expect((await take(6)).sort()).toEqual([0, 0, 0, 0, 0, 5]);
  } finally {
    for (const { graph } of stores) await graph.close();
  }
});

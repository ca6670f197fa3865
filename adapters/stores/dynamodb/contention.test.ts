/** Units of several processes over one table (docs/server/storage.md#leases): leases, and units that only read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHARED_ROOT_ID } from '../../../core/graph/ids.ts';
import { createRuntime, type Runtime, type RuntimeSettings } from '../../../core/memory/runtime.ts';
import { type Caller, runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { describeExportWhileWriting } from '../../../test/contracts/archive.ts';
import { describeLeases } from '../../../test/contracts/leases.ts';
import { item, items } from '../../../test/contracts/store.ts';
import { type DynamoServer, startDynamo } from '../../../test/harness/dynamo-server.ts';
import { noMeters } from '../../../test/harness/no-meters.ts';
import { type DynamoStore, openDynamoStore } from './store.ts';

let server: DynamoServer;
beforeAll(async () => {
  server = await startDynamo();
});
afterAll(() => server.stop());

const guest: Caller = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' };

/** Two processes, as far as the store can tell. */
async function twoProcesses(tablePrefix: string, settings: Partial<RuntimeSettings>) {
  const open = () => openDynamoStore({ endpoint: server.endpoint, tablePrefix });
  const stores: DynamoStore[] = [await open(), await open()];
  let readConflicts = 0;
  const meters = { ...noMeters, readConflict: () => void readConflicts++ };
  const runtimes = stores.map(({ graph }) => createRuntime({ store: graph, settings: () => settings, meters }));
  return {
    runtimes: runtimes as [Runtime, Runtime],
    stores: stores as [DynamoStore, DynamoStore],
    readConflicts: () => readConflicts,
    async [Symbol.asyncDispose]() {
      for (const { graph } of stores) await graph.close();
    },
  };
}

async function bump(): Promise<void> {
  const [counter] = await items();
  counter!.count++;
}

const open = (name: string, nowMs = Date.now) =>
  openDynamoStore({ endpoint: server.endpoint, tablePrefix: `lease-${name}-`, nowMs });

describeLeases('dynamodb', open);
describeExportWhileWriting('dynamodb', false, open);

test('a unit that only reads is answered with what is committed when it keeps losing', async () => {
  await using two = await twoProcesses('reads-', { conflictMaxAttempts: 3 });
  const [reader, writer] = two.runtimes;
  await runUnit(writer, guest, async () => {
    await $.connect($.root(), item('a'), 'out');
    await $.connect($.root(), item('b'), 'out');
  });
  const attempts: number[] = [];
  const seen = await runUnit(
    reader,
    guest,
    async () => {
      const counts = (await items()).map(({ count }) => count);
      await runUnit(writer, guest, async () => {
        for (const found of await items()) found.count++;
      });
      return counts;
    },
    { onAttempt: (attempt) => void attempts.push(attempt) },
  );
  expect(attempts).toEqual([1, 2, 3]);
  expect(seen).toEqual([2, 2]);
  expect(two.readConflicts()).toBe(3);
  // One that writes is refused, as ever.
  const writes = runUnit(reader, guest, async () => {
    const [first] = await items();
    await runUnit(writer, guest, bump);
    first!.count++;
  });
  await expect(writes).rejects.toMatchObject({ code: 'WRITE_CONFLICT' });
});

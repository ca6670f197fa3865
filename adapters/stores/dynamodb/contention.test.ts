/** Units of several processes over one table (server.md 15.4): leases, and units that only read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHARED_ROOT_ID } from '../../../core/graph/ids.ts';
import { createRuntime, type Runtime, type RuntimeSettings } from '../../../core/memory/runtime.ts';
import { type Caller, runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
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

test('60 increments by two processes all succeed within the usual number of runs', async () => {
  await using two = await twoProcesses('both-', {});
  await runUnit(two.runtimes[0], guest, () => $.connect($.root(), item('hits'), 'out'));
  await Promise.all(Array.from({ length: 60 }, (_, i) => runUnit(two.runtimes[i % 2 === 0 ? 0 : 1]!, guest, bump)));
  const [counter] = await runUnit(two.runtimes[0], guest, items);
  expect(counter!.count).toBe(60);
});

test('from the fourth run on a unit waits for the lease of what it lost about, later ones from their second', async () => {
  await using two = await twoProcesses('leases-', {});
  const [loser, winner] = two.runtimes;
  await runUnit(winner, guest, () => $.connect($.root(), item('hits'), 'out'));
  const id = await runUnit(winner, guest, async () => (await items())[0]!.$row!.key);
  const attempts: number[] = [];
  const losing = (losses: number) =>
    runUnit(
      loser,
      guest,
      async () => {
        const [counter] = await items();
        if (attempts.length <= losses) await runUnit(winner, guest, bump);
        counter!.count += 100;
      },
      { onAttempt: (attempt) => void attempts.push(attempt) },
    );
  const held = async (losses: number) => {
    attempts.length = 0;
    const end = await two.stores[1].graph.lease!([id]);
    const unit = losing(losses);
    await expect.poll(() => attempts.length, { timeout: 10_000 }).toBe(losses);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = [...attempts];
    await end();
    await unit;
    return before;
  };
  expect(await held(3)).toEqual([1, 2, 3]);
  expect(attempts).toEqual([1, 2, 3, 4]);
  expect(await held(1)).toEqual([1]);
  expect(attempts).toEqual([1, 2]);
  const [counter] = await runUnit(winner, guest, items);
  expect(counter!.count).toBe(204);
});

test('a lease keeps others out until it is ended, and only for 5 s', async () => {
  let now = 1_790_000_000_000;
  const options = { endpoint: server.endpoint, tablePrefix: 'lease-', nowMs: () => now };
  const [one, two] = [await openDynamoStore(options), await openDynamoStore(options)];
  const end = await one.graph.lease!(['b', 'a']);
  let hasIt = false;
  const waiting = two.graph.lease!(['a']).then((ended) => {
    hasIt = true;
    return ended;
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(hasIt).toBe(false);
  await end();
  await (await waiting)();
  await one.graph.lease!(['a']); // a process that dies
  now += 5000;
  const after = await two.graph.lease!(['a']);
  await end(); // not its lease any more
  expect(await two.accounts.readCounter('lease:a')).toBeDefined();
  await after();
  expect(await two.accounts.readCounter('lease:a')).toBeUndefined();
  await one.graph.close();
  await two.graph.close();
});

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

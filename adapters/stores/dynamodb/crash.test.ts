/**
 * Commits larger than a transaction: all or nothing, whenever the process dies, and others go on
 * (docs/server/stores.md#dynamodb, docs/server/storage.md#guarantees).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRuntime, type RuntimeSettings } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { type ChildScript, childScript } from '../../../test/harness/child-script.ts';
import { type DynamoServer, startDynamo } from '../../../test/harness/dynamo-server.ts';
import { addEntry, Entry, entries, guest } from '../../../test/harness/entry-node.ts';
import { openClient } from './client.ts';
import { fromWire, type Item } from './item.ts';
import { type DynamoOptions, openDynamoStore } from './store.ts';

let child: ChildScript;
const leaseMs = 1500;
let server: DynamoServer;

beforeAll(() => {
  child = childScript(new URL('./crash-child.ts', import.meta.url));
});
beforeEach(async () => {
  server = await startDynamo();
  return () => server.stop();
});
afterAll(() => child[Symbol.dispose]());

function start(task: 'large' | 'count', step: string) {
  return spawn(process.execPath, [child.path, server.endpoint, task, step], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function opened(options: Partial<DynamoOptions> = {}, settings: Partial<RuntimeSettings> = {}) {
  const { graph } = await openDynamoStore({ endpoint: server.endpoint, tablePrefix: 'crash-', leaseMs, ...options });
  const runtime = createRuntime({ store: graph, settings: () => settings });
  const run = async <T>(work: () => T | Promise<T>): Promise<T> => runUnit(runtime, guest, work);
  return { graph, run, [Symbol.asyncDispose]: () => graph.close() };
}

const numbers = async () => (await entries()).map((entry) => entry.n);

async function addEntries(count: number): Promise<void> {
  await using store = await opened();
  await store.run(() => {
    for (let n = 0; n < count; n++) addEntry(n);
  });
}

/** Reads everything in the table, as it is stored. */
async function items(): Promise<Item[]> {
  const limits = { connectTimeoutMs: 1000, operationTimeoutMs: 5000, poolSize: 5 };
  const client = await openClient({ endpoint: server.endpoint, region: '', env: {}, ...limits });
  const found: Item[] = [];
  let ExclusiveStartKey: Record<string, any> | undefined;
  do {
    const page = await client.scan({ TableName: 'crash-graph', ExclusiveStartKey });
    found.push(...(page.Items ?? []).map(fromWire));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  client.destroy();
  return found;
}

/** Expects no more than large commits may leave behind once they are over: markers, which expire. */
async function expectSettled(): Promise<void> {
  const all = await items();
  expect(all.filter((item) => item['intent'] !== undefined)).toEqual([]);
  expect(all.filter((item) => item['pk'] === 'W')).toEqual([]);
  const ofUnits = all.filter((item) => String(item['pk']).startsWith('W#'));
  expect(ofUnits.filter((item) => item['sk'] !== 'A' || item['ttl'] === undefined)).toEqual([]);
}

const before = Array.from({ length: 40 }, (_, n) => n);
const after = [...before.slice(1).map((n) => n + 1000), ...Array.from({ length: 60 }, (_, n) => 5000 + n)];

// `placing` is reached once per chunk; the unit has several.
const deaths = ['marked', 'listed', 'placing:1', 'placing:2', 'placed', 'checked', 'committed', 'settled'];
test.each(deaths)('a process that dies when its large commit is %s leaves all of it or nothing', async (step) => {
  await addEntries(40);
  const [, signal] = await once(start('large', step), 'close');
  expect(signal).toBe('SIGKILL');
  const isCommitted = step === 'committed' || step === 'settled';
  const expected = isCommitted ? after : before;

  // While nobody knows yet that it is dead.
  const early = await opened();
  expect(await early.run(numbers)).toEqual(expected);
  await early.graph.close();

  // Another process can change the same objects as soon as the lease is over.
  await new Promise((resolve) => setTimeout(resolve, leaseMs));
  {
    await using late = await opened();
    await late.run(async () => {
      for (const entry of await entries()) entry.n += 1;
    });
    expect(await late.run(numbers)).toEqual(expected.map((n) => n + 1));
    await late.graph.flush();
  }
  await expectSettled();
});

test('what a dead process held is settled by those who meet it, without a restart', async () => {
  await addEntries(40);
  await using store = await opened({}, { conflictMaxAttempts: 30, conflictBackoffMs: 200 });
  const [, signal] = await once(start('large', 'placed'), 'close');
  expect(signal).toBe('SIGKILL');
  await store.run(async () => {
    (await entries())[0]!.n = -1;
  });
  expect(await store.run(numbers)).toEqual([-1, ...before.slice(1)]);
  await store.graph.flush();
  await expectSettled();
});

test('a large commit and small ones on the same objects come one after the other', async () => {
  await addEntries(40);
  await using large = await opened({}, { conflictMaxAttempts: 100 });
  await using small = await opened({}, { conflictMaxAttempts: 100 });
  const adds = async () => {
    for (let i = 0; i < 15; i++)
      await small.run(async () => {
        (await entries())[i]!.n += 1;
      });
  };
  const doubles = () =>
    large.run(async () => {
      for (const entry of await entries()) entry.n += 100;
      for (let n = 0; n < 40; n++) addEntry(9000 + n);
    });
  await Promise.all([doubles(), adds(), doubles()]);
  const found = await small.run(numbers);
  expect(found.filter((n) => n >= 9000)).toHaveLength(80);
  expect(found.slice(0, 40)).toEqual(before.map((n) => n + 200 + (n < 15 ? 1 : 0)));
  await expectSettled();
});

test('two large commits that each read what the other changes do not both go by what they read', async () => {
  await addEntries(240);
  await using a = await opened({}, { onConflict: 'fail' });
  await using b = await opened({}, { onConflict: 'fail' });
  let arrived = 0;
  let release = () => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Each reads all and changes its own half when the other half is as it was.
  const change = (store: typeof a, half: number) =>
    store.run(async () => {
      const all = await entries();
      const isFresh = all.every((entry) => entry.n < 1000);
      if (++arrived === 2) release();
      await both;
      if (isFresh) for (const entry of all.slice(half * 120, half * 120 + 120)) entry.n += 1000;
    });
  const results = await Promise.allSettled([change(a, 0), change(b, 1)]);
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.every((code) => code === 'WRITE_CONFLICT')).toBe(true);
  const changed = (await a.run(numbers)).filter((n) => n >= 1000).length;
  expect(changed).toBe((2 - failed.length) * 120);
  await expectSettled();
});

test('a unit of hundreds of objects is stored, one above the limit is refused', async () => {
  await using store = await opened({}, { maxCommitOperations: 900 });
  const add = (count: number) =>
    store.run(() => {
      for (let n = 0; n < count; n++) addEntry(n);
    });
  await add(400);
  expect(await store.run(numbers)).toEqual(Array.from({ length: 400 }, (_, n) => n));
  await expect(add(500)).rejects.toMatchObject({ code: 'COMMIT_TOO_LARGE', status: 413 });
  expect((await store.run(numbers)).length).toBe(400);
  await expectSettled();
});

test('an object larger than an item can be is refused by name of the limit, and nothing is stored', async () => {
  await using store = await opened();
  const add = (size: number) =>
    store.run(() => {
      $.connect($.root(), (Entry as any).$new('x'.repeat(size)), 'out');
    });
  await expect(add(360_000)).rejects.toMatchObject({ code: 'COMMIT_TOO_LARGE', status: 413 });
  expect(await store.run(entries)).toEqual([]);
  await add(300_000);
  expect((await store.run(entries)).length).toBe(1);
});

test('two processes that add to one number lose no addition', async () => {
  await addEntries(1);
  await using store = await opened({}, { conflictMaxAttempts: 1000 });
  const others = [start('count', '25'), start('count', '25')].map((process) => once(process, 'close'));
  for (let i = 0; i < 25; i++)
    await store.run(async () => {
      (await entries())[0]!.n += 1;
    });
  expect((await Promise.all(others)).map(([code]) => code)).toEqual([0, 0]);
  expect(await store.run(numbers)).toEqual([75]);
});

test('a store that goes away is answered 503 and used again when it is back; at the start it is refused', async () => {
  await addEntries(3);
  await using store = await opened();
  await server.kill();
  await expect(store.run(numbers)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  await expect(store.graph.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(opened()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await server.start();
  expect(await store.run(numbers)).toEqual([0, 1, 2]);
});

test('a missing table is named where it may not be made', async () => {
  const limits = { connectTimeoutMs: 1000, operationTimeoutMs: 5000, poolSize: 5 };
  const client = await openClient({ endpoint: server.endpoint, region: '', env: {}, ...limits });
  const { requireTable, graphTable } = await import('./tables.ts');
  const refused = requireTable(client, graphTable('demo-graph'), false);
  await expect(refused).rejects.toThrow("there is no table demo-graph; 'svc start --scale --target cloud' makes it");
  client.destroy();
});

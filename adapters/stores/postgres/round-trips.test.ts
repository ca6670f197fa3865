/**
 * Round trips of a call, counted on the wire: a number that does not depend on the size of the graph, and that calls of one turn share.
 */
import { afterAll, beforeAll, expect, test as plainTest } from 'vitest';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { addEntry, Entry, entries, guest } from '../../../test/harness/entry-node.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { startTurnCounter } from '../../../test/harness/turn-counting-proxy.ts';
import { openPostgresStore } from './store.ts';

const test = plainTest.skipIf(!hasPostgres());
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

class Rare extends $.Node {}
$.archetype(Rare, { kind: 'node', name: 'Rare', module: 'crash', fields: [], abilities: [] });

async function opened(name: string) {
  const at = Date.now();
  const proxy = await startTurnCounter(server.port);
  const url = (await server.urlOf(name)).replace(`:${server.port}`, `:${proxy.port}`);
  // Time stands still: now and then a store looks for new types beside its calls.
  const { graph } = await openPostgresStore({ url, nowMs: () => at });
  const runtime = createRuntime({ store: graph });
  const run = async <T>(work: () => T | Promise<T>): Promise<T> => runUnit(runtime, guest, work);
  return {
    run,
    /** The fewest of some times: a pool may open another connection beside a call. */
    async count(work: () => unknown): Promise<number> {
      const counts: number[] = [];
      for (let i = 0; i < 4; i++) {
        const before = proxy.turns;
        await work();
        counts.push(proxy.turns - before);
      }
      return Math.min(...counts);
    },
    async [Symbol.asyncDispose]() {
      await graph.close();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

const calls: Readonly<Record<string, () => unknown>> = {
  'list a page of ten': () => $.hops($.root(), 'node', [{ dir: 'out', nodeType: Entry, limit: 10 }]),
  'read all neighbours': async () => (await entries()).map(({ n }) => n),
  'add a node': () => addEntry(0),
  'add a node, list ten': async () => {
    addEntry(0);
    await $.hops($.root(), 'node', [{ dir: 'out', nodeType: Entry, limit: 10 }]);
  },
  'find one and change it': async () => {
    (await entries())[0]!.n += 1;
  },
  'typed hop': () => $.hops($.root(), 'node', [{ dir: 'out', nodeType: Rare }]),
  'remove one': async () => void (await $.destroy((await entries())[0])),
};

async function tripsOver(size: number): Promise<Record<string, number>> {
  await using store = await opened(`size_${size}`);
  for (let left = size; left > 0; left -= 500)
    await store.run(() => {
      for (let n = 0; n < Math.min(left, 500); n++) addEntry(n);
    });
  await store.run(() => $.connect($.root(), (Rare as any).$new(), 'out') as never);
  const trips: Record<string, number> = {};
  for (const [call, work] of Object.entries(calls))
    trips[call] = await store.count(() => store.run(work as () => void));
  return trips;
}

test('the number of round trips of a call is the same over ten and over a thousand neighbours', async () => {
  const few = await tripsOver(10);
  expect(await tripsOver(1000)).toEqual(few);
  expect(few).toEqual({
    // The caller's root is remembered. Who read several objects asks whether all of it still holds.
    'list a page of ten': 1,
    'read all neighbours': 2,
    'add a node': 1,
    'add a node, list ten': 2,
    'find one and change it': 2,
    'typed hop': 1,
    'remove one': 2,
  });
});

test('calls of one turn share their round trips', async () => {
  await using store = await opened('shared');
  await store.run(() => addEntry(1));
  const together = () => Promise.all(Array.from({ length: 50 }, () => store.run(async () => (await entries()).length)));
  expect(await store.count(together)).toBe(1);
  const writing = () => Promise.all(Array.from({ length: 50 }, () => store.run(() => addEntry(2))));
  expect(await store.count(writing)).toBe(1);
});

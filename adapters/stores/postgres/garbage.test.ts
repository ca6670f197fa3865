/**
 * Memory of calls that are over: collections of the newest objects take it, and leave nothing of it for a full one (decisions/0910).
 */
import { GCProfiler } from 'node:v8';
import { afterAll, beforeAll, expect, test as plainTest } from 'vitest';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { guest } from '../../../test/harness/entry-node.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { openPostgresStore } from './store.ts';

const test = plainTest.skipIf(!hasPostgres());
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

class Letter extends $.Node {}
$.archetype(Letter, {
  kind: 'node',
  name: 'Letter',
  module: 'crash',
  fields: [{ name: 'text', type: { t: 'str' } }],
  abilities: [],
});

test('nothing of a unit that wrote is kept until a full collection', async () => {
  const { graph } = await openPostgresStore({ url: await server.urlOf('garbage') });
  const runtime = createRuntime({ store: graph });
  let written = 0;
  const write = () =>
    runUnit(runtime, guest, () => {
      $.connect($.root(), (Letter as any).$new(`${written++}`.padEnd(2000, '.')), 'out');
    });
  const writeMany = async (units: number): Promise<void> => {
    const client = async () => {
      for (let i = 0; i < units / 32; i++) await write();
    };
    await Promise.all(Array.from({ length: 32 }, client));
  };
  await writeMany(3200);
  const profiler = new GCProfiler();
  profiler.start();
  await writeMany(3200);
  const { statistics } = profiler.stop() as unknown as { readonly statistics: readonly Collection[] };
  const small = statistics.filter(({ gcType }) => gcType === 'Scavenge');
  const kept = small.reduce((sum, { beforeGC, afterGC }) => sum + oldBytes(afterGC) - oldBytes(beforeGC), 0);
  expect(small.length).toBeGreaterThan(2);
  // A unit that is kept takes twice as much.
  expect(kept / 3200).toBeLessThan(5000);
  await graph.close();
});

interface Collection {
  readonly gcType: string;
  readonly beforeGC: Heap;
  readonly afterGC: Heap;
}

interface Heap {
  readonly heapSpaceStatistics: readonly { readonly spaceName: string; readonly spaceUsedSize: number }[];
}

function oldBytes({ heapSpaceStatistics }: Heap): number {
  return heapSpaceStatistics.find(({ spaceName }) => spaceName === 'old_space')!.spaceUsedSize;
}

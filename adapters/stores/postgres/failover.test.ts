/**
 * Servers that die and are followed by their synchronous standby: nothing acknowledged is lost
 * (docs/server/stores.md#postgresql). POSTGRES_FAILOVERS=50 runs the full number.
 */
import { expect, test } from 'vitest';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import { addEntry, entries, guest } from '../../../test/harness/entry-node.ts';
import { startPostgres } from '../../../test/harness/postgres-server.ts';
import { openPostgresStore } from './store.ts';

const failovers = Number(process.env['POSTGRES_FAILOVERS'] ?? 3);
const clients = 4;
const settings = { wal_level: 'replica', max_wal_senders: '5', synchronous_standby_names: '*' };

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test(`${failovers} times the server is killed and its standby takes over: no acknowledged write is lost`, async () => {
  let first = await startPostgres(settings);
  let second = await first.standby();
  const hosts = `127.0.0.1:${first.port},127.0.0.1:${second.port}`;
  const { graph } = await openPostgresStore({ url: `postgres://svc@${hosts}/postgres`, connectTimeoutMs: 60_000 });
  try {
    const runtime = createRuntime({ store: graph, settings: () => ({ conflictMaxAttempts: 100 }) });
    const acknowledged: number[] = [];
    let next = 0;
    let refused = 0;
    let isOver = false;
    const writing = Promise.all(
      Array.from({ length: clients }, async () => {
        while (!isOver) {
          const n = next++;
          await Promise.resolve(runUnit(runtime, guest, () => addEntry(n))).then(
            () => acknowledged.push(n),
            () => refused++,
          );
        }
      }),
    );
    const more = async (count: number) => {
      const enough = acknowledged.length + count;
      while (acknowledged.length < enough) await sleep(5);
    };
    for (let round = 0; round < failovers; round++) {
      await more(10 + Math.floor(Math.random() * 40));
      await first.kill();
      await second.promote();
      const { port } = first;
      await first[Symbol.asyncDispose]();
      [first, second] = [second, await second.standby(port)];
    }
    await more(20);
    isOver = true;
    await writing;
    const stored = await runUnit(runtime, guest, async () => (await entries()).map(({ n }) => n));
    expect(new Set(stored).size, 'nothing is stored twice').toBe(stored.length);
    const there = new Set(stored);
    expect(acknowledged.filter((n) => !there.has(n))).toEqual([]);
    console.info(`${failovers} failovers: ${acknowledged.length} writes were acknowledged, ${refused} were not`);
  } finally {
    await graph.close();
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  }
}, 3_600_000);

test('a commit that no standby has confirmed in time is not acknowledged, and may be there later', async () => {
  await using server = await startPostgres({ wal_level: 'replica', max_wal_senders: '5' });
  const { graph } = await openPostgresStore({ url: server.url, operationTimeoutMs: 1000 });
  try {
    const runtime = createRuntime({ store: graph });
    await runUnit(runtime, guest, () => addEntry(1));
    await server.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await server.run('SELECT pg_reload_conf()');
    const names = async () => (await server.run('SHOW synchronous_standby_names'))[0]?.synchronous_standby_names;
    while ((await names()) !== '*') await sleep(5);
    await server.run('CHECKPOINT'); // the process that does it tells those of connections what it has read before
    await expect(runUnit(runtime, guest, () => addEntry(2))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const stored = () => runUnit(runtime, guest, async () => (await entries()).map(({ n }) => n));
    expect(await stored()).toEqual([1]);
    await server.run('ALTER SYSTEM RESET synchronous_standby_names');
    await server.run('SELECT pg_reload_conf()');
    // The server had it, and only waited for the standby.
    while ((await stored()).length < 2) await sleep(20);
    expect(await stored()).toEqual([1, 2]);
  } finally {
    await graph.close();
  }
});

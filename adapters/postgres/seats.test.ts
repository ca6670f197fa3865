/** Socket caps that processes share through a real PostgreSQL server (docs/server/sockets.md#caps). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test as plainTest } from 'vitest';
import { silentLog } from '../../core/log/create-log.ts';
import { describeSeats, take } from '../../test/contracts/seats.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../test/harness/postgres-server.ts';
import { openBus } from './open-bus.ts';
import { createPostgresSeats } from './seats.ts';

const test = plainTest.skipIf(!hasPostgres());
let server: PostgresServer;
beforeAll(async () => {
  if (hasPostgres()) server = await startPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());
beforeEach(() => server?.run('DROP TABLE IF EXISTS svc_seat'));

/** Opens the part that one process has. */
async function openProcess({ lentMs = 60_000 } = {}) {
  const bus = await openBus({ url: server.url, application: 'demo', log: silentLog });
  const seats = createPostgresSeats(bus, silentLog, { lentMs });
  return {
    bus,
    seats,
    async [Symbol.asyncDispose]() {
      seats.close();
      await bus.close();
    },
  };
}

const taken = async () =>
  Number((await server.run("SELECT count(*) AS n FROM svc_seat WHERE seat <> ''"))[0]!['n'] as string);

describeSeats(test, async () => ({ open: openProcess, taken, async [Symbol.asyncDispose]() {} }));

test('while the database is away each process counts for itself; afterwards it learns what is taken', async () => {
  await using a = await openProcess();
  await using b = await openProcess();
  expect(await take(a.seats, 'ada')).toBe(true);
  await server.kill();
  while (a.bus.isListening || b.bus.isListening) await sleep(5);
  expect([await take(a.seats, null), await take(a.seats, null), await take(a.seats, null)]).toEqual([
    true,
    true,
    false,
  ]);
  await server.start();
  while (!a.bus.isListening || !b.bus.isListening) await sleep(20);
  while ((await taken()) < 3) await sleep(10);
  expect([await take(b.seats, 'ada'), await take(b.seats, null)]).toEqual([true, false]);
});

/** Socket caps that processes share through a real PostgreSQL server (docs/server/sockets.md#caps). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test as plainTest } from 'vitest';
import { silentLog } from '../../core/log/create-log.ts';
import type { Caps, Seats } from '../../handlers/socket/seats.ts';
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

const caps: Caps = { maxConnectionsPerTarget: 4, maxConnectionsPerUser: 2, maxAnonymousConnections: 2 };
const room = 'walker:Room\u0000';
const take = async (seats: Seats, userId: string | null) => seats.take(room, userId, caps);
const taken = async () =>
  Number((await server.run("SELECT count(*) AS n FROM svc_seat WHERE seat <> ''"))[0]!['n'] as string);

test('seats are counted over processes: of a target, of a user, of those who are not signed in', async () => {
  await using a = await openProcess();
  await using b = await openProcess();
  expect([await take(a.seats, 'ada'), await take(b.seats, 'ada'), await take(a.seats, 'ada')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([await take(a.seats, null), await take(b.seats, null), await take(b.seats, null)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await take(b.seats, 'bob')).toBe(false); // four in all
  b.seats.give(room, 'ada');
  while ((await taken()) > 3) await sleep(5);
  expect(await take(b.seats, 'bob')).toBe(true);
  // One of two anonymous connections signs in: as somebody who has a seat free, then as one who has none.
  expect(await a.seats.signIn(room, null, 'ada', caps)).toBe(true);
  expect(await b.seats.signIn(room, null, 'ada', caps)).toBe(false);
  for (const [{ seats }, user] of [
    [a, 'ada'],
    [a, 'ada'],
    [b, null],
    [b, 'bob'],
  ] as const)
    seats.give(room, user);
  while ((await taken()) > 0) await sleep(5);
});

test('of many that come at once through two processes as many are seated as may be', async () => {
  await using a = await openProcess();
  await using b = await openProcess();
  const many: Caps = { ...caps, maxConnectionsPerTarget: 7 };
  const all = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => (i % 2 === 0 ? a : b).seats.take(room, `user${i}`, many)),
  );
  expect(all.filter((isSeated) => isSeated)).toHaveLength(7);
  expect(await taken()).toBe(7);
});

test('seats of a process that is gone become free; those of one that lives stay taken', async () => {
  const lentMs = 2000;
  await using living = await openProcess({ lentMs });
  const gone = await openProcess({ lentMs });
  expect([await take(gone.seats, 'ada'), await take(living.seats, 'ada')]).toEqual([true, true]);
  await gone[Symbol.asyncDispose](); // as when it is killed: it gives nothing back
  await using other = await openProcess({ lentMs });
  expect(await take(other.seats, 'ada')).toBe(false);
  while (!(await take(other.seats, 'ada'))) await sleep(50);
  await sleep(1.5 * lentMs);
  expect(await take(other.seats, 'ada')).toBe(false);
});

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

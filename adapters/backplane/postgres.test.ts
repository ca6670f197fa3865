import { expect, test } from 'vitest';
import { silentLog } from '../../core/log/create-log.ts';
import { createRateLimit, type RateRules } from '../../handlers/http/rate-limit.ts';
import { collector, describeBackplane } from '../../test/contracts/backplane.ts';
import { startBouncer } from '../../test/harness/pgbouncer.ts';
import { startPostgres } from '../../test/harness/postgres-server.ts';
import { createPostgresLimits } from '../postgres/limits.ts';
import { openBus } from '../postgres/open-bus.ts';
import { createPostgresBackplane } from './postgres.ts';

const opening = async (url: string, application = 'demo') => {
  const bus = await openBus({ url, application, log: silentLog, deafMs: 500 });
  return { ...createPostgresBackplane(bus), bus, close: bus.close };
};

async function open(isBounced = false) {
  const server = await startPostgres();
  const bouncer = isBounced ? await startBouncer(server) : undefined;
  const { url } = bouncer ?? server;
  const [a, b, c] = await Promise.all([opening(url), opening(url), opening(url)]);
  return {
    server,
    ends: [a, b, c] as const,
    async outage() {
      await server.kill();
      while ([a, b, c].some(({ bus }) => bus.isListening)) await new Promise((resolve) => setTimeout(resolve, 5));
      return {
        async back() {
          await server.start();
          while (![a, b, c].every(({ bus }) => bus.isListening))
            await new Promise((resolve) => setTimeout(resolve, 20));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const end of [a, b, c]) await end.close();
      bouncer?.[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describeBackplane('postgres', open);
describeBackplane('postgres through PgBouncer', () => open(true));

test('postgres through PgBouncer: by a table, which is swept', async () => {
  await using opened = await open(true);
  expect(await opened.ends[0].bus.isByTable()).toBe(true);
  await opened.ends[0].publish('room', 'one');
  expect((await opened.server.run('SELECT count(*)::int AS n FROM svc_told WHERE n > 0'))[0]).toEqual({ n: 1 });
  await using direct = await open();
  expect(await direct.ends[0].bus.isByTable()).toBe(false);
});

test('postgres: a message may be longer than a notification, and others in between keep their place', async () => {
  await using opened = await open();
  const [a, b, c] = opened.ends;
  const atC = collector();
  await c.subscribe('room', atC.take);
  const long = `${'\u0000ü🎈\\"'.repeat(20_000)}end`;
  await Promise.all([
    a.publish('room', 'first'),
    a.publish('room', long),
    b.publish('room', long),
    a.publish('room', ''),
  ]);
  const all = await atC.until(4);
  expect(all.filter((message) => message === long)).toHaveLength(2);
  expect(all.filter((message) => message !== long)).toEqual(['first', '']);
});

test('postgres: applications of one database do not hear each other', async () => {
  await using server = await startPostgres();
  const [one, other, listener] = [
    await opening(server.url, 'one'),
    await opening(server.url, 'other'),
    await opening(server.url, 'one'),
  ];
  const heard = collector();
  await listener.subscribe('room', heard.take);
  await other.publish('room', 'theirs');
  await one.publish('room', 'ours');
  expect(await heard.until(1)).toEqual(['ours']);
  for (const end of [one, other, listener]) await end.close();
});

test('postgres: a bucket is one for all processes; without the database each counts for itself', async () => {
  await using opened = await open();
  const [a, b] = opened.ends;
  const own = (rules: RateRules) => createRateLimit({ ...rules, now: () => performance.now() });
  const limitsOf = ({ bus }: typeof a) => createPostgresLimits(bus, silentLog, own)({ requestsPerMinute: 1, burst: 4 });
  const [atA, atB] = [limitsOf(a), limitsOf(b)];
  const waits: number[] = [];
  for (let i = 0; i < 3; i++) waits.push(await atA.take('ada'), await atB.take('ada'));
  expect(waits.slice(0, 4)).toEqual([0, 0, 0, 0]);
  for (const wait of waits.slice(4)) expect(wait).toBeGreaterThan(1);
  expect(await atB.take('bob')).toBe(0);
  const { back } = await opened.outage();
  // Full again, because this process has not counted before.
  for (let i = 0; i < 4; i++) expect(await atA.take('ada')).toBe(0);
  expect(await atA.take('ada')).toBeGreaterThan(0);
  await back();
  expect(await atB.take('cleo')).toBe(0);
});

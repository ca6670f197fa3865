/**
 * Rate limits and socket caps that two processes share through a real Redis server
 * (docs/server/stores.md#key-value-store, docs/server/sockets.md#caps).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { silentLog } from '../../core/log/create-log.ts';
import type { Log } from '../../core/log/log.ts';
import { createRateLimit, type RateRules } from '../../handlers/http/rate-limit.ts';
import { describeSeats, room, take } from '../../test/contracts/seats.ts';
import { type RedisServer, startRedis } from '../../test/harness/redis-server.ts';
import { createRedisLimits } from './limits.ts';
import { openRedis } from './open-redis.ts';
import { openRedisSeats } from './seats.ts';

const ownLimits = (rules: RateRules) => createRateLimit({ ...rules, now: () => performance.now() });
const noneAtAll = (): never => {
  throw new Error('the store must be asked');
};

/** Opens the parts that one process has. */
async function openProcess(server: RedisServer, { log = silentLog, lentMs = 60_000, commandTimeoutMs = 10_000 } = {}) {
  const link = await openRedis({ url: server.url, prefix: 'svc:demo:', log, commandTimeoutMs });
  const seats = openRedisSeats(link, log, { lentMs });
  return {
    link,
    seats,
    limits: (without: (rules: RateRules) => { take(key: string): number } = noneAtAll) =>
      createRedisLimits(link, log, without),
    async [Symbol.asyncDispose]() {
      seats.close();
      await link.close();
    },
  };
}

const unused = () => ({ take: noneAtAll });

test('a bucket is one for all processes, is filled again with time, and is forgotten when it is full', async () => {
  await using server = await startRedis();
  await using a = await openProcess(server);
  await using b = await openProcess(server);
  const rules = { requestsPerMinute: 60_000, burst: 3 };
  const [atA, atB] = [a.limits(unused)(rules), b.limits(unused)(rules)];
  // The bucket is asked as fast as possible, so that what is filled meanwhile stays below the sum.
  const slow = { requestsPerMinute: 1, burst: 4 };
  const [slowA, slowB] = [a.limits(unused)(slow), b.limits(unused)(slow)];
  const waits: number[] = [];
  for (let i = 0; i < 3; i++) waits.push(await slowA.take('ada'), await slowB.take('ada'));
  expect(waits.slice(0, 4)).toEqual([0, 0, 0, 0]);
  for (const wait of waits.slice(4)) expect(wait).toBeGreaterThan(1);
  expect(waits[4]).toBeLessThanOrEqual(60);
  expect(await slowB.take('bob')).toBe(0);
  for (let i = 0; i < 3; i++) expect(await atA.take('quick')).toBe(0);
  await sleep(20);
  expect(await atB.take('quick')).toBe(0);
  await sleep(20);
  expect(await a.link.commands.exists('svc:demo:rate:quick')).toBe(0);
  expect(await a.link.commands.exists('svc:demo:rate:ada')).toBe(1);
});

test('without the store each process counts for itself, says so once, and asks again when it is back', async () => {
  await using server = await startRedis();
  const lines: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => void lines.push(message) };
  await using a = await openProcess(server, { log });
  await using b = await openProcess(server);
  const rules = { requestsPerMinute: 1, burst: 2 };
  const [atA, atB] = [a.limits(ownLimits)(rules), b.limits(ownLimits)(rules)];
  expect([await atA.take('ada'), await atB.take('ada')]).toEqual([0, 0]);
  expect(await atA.take('ada')).toBeGreaterThan(0);
  expect(await a.link.state()).toBe('ok');
  await server.kill();
  // Full again, because this process has not counted before.
  expect([await atA.take('ada'), await atA.take('ada')]).toEqual([0, 0]);
  expect(await atA.take('ada')).toBeGreaterThan(0);
  expect(await a.link.state()).toBe('degraded');
  expect(lines.filter((line) => line.includes('rate limits are counted by each process'))).toHaveLength(1);
  const back = new Promise<void>((resolve) => a.link.onBack(resolve));
  await server.restart();
  await back;
  expect(await atA.take('ada')).toBe(0);
  const found = new Redis(server.url);
  expect(await found.keys('*rate*')).toEqual(['svc:demo:rate:ada']);
  found.disconnect();
});

describeSeats(test, async () => {
  const server = await startRedis();
  const link = await openRedis({ url: server.url, prefix: 'svc:demo:', log: silentLog, commandTimeoutMs: 10_000 });
  return {
    open: (options) => openProcess(server, options),
    taken: () => link.commands.zcard(`svc:demo:seats:{${room}}`),
    async [Symbol.asyncDispose]() {
      await link.close();
      await server[Symbol.asyncDispose]();
    },
  };
});

test('a store that lost everything learns what is taken, also what was taken meanwhile', async () => {
  await using server = await startRedis();
  await using a = await openProcess(server);
  await using b = await openProcess(server);
  expect(await take(a.seats, 'ada')).toBe(true);
  await server.kill();
  const back = Promise.all([a, b].map(({ link }) => new Promise<void>((resolve) => link.onBack(resolve))));
  expect([await take(a.seats, null), await take(a.seats, null), await take(a.seats, null)]).toEqual([
    true,
    true,
    false,
  ]);
  await server.restart();
  await back;
  while ((await b.link.commands.zcard(`svc:demo:seats:{${room}}`)) < 3) await sleep(10);
  expect([await take(b.seats, 'ada'), await take(b.seats, null)]).toEqual([true, false]);
});

import { expect, test } from 'vitest';
import { silentLog } from '../../core/log/create-log.ts';
import { collector, describeBackplane } from '../../test/contracts/backplane.ts';
import { startRedis } from '../../test/harness/redis-server.ts';
import { openRedis, type RedisLinkOptions } from '../redis/open-redis.ts';
import { createRedisBackplane } from './redis.ts';

async function openEnd(options: RedisLinkOptions) {
  const link = await openRedis(options);
  return { ...createRedisBackplane(link), close: link.close };
}

/** A short timeout is for servers that hang: on a busy machine an answer may take long. */
async function open(commandTimeoutMs = 10_000) {
  const server = await startRedis();
  const opening = () => openEnd({ url: server.url, prefix: 'svc:demo:', log: silentLog, commandTimeoutMs });
  const [a, b, c] = await Promise.all([opening(), opening(), opening()]);
  return {
    server,
    ends: [a, b, c] as const,
    async outage() {
      await server.kill();
      return {
        async back() {
          await server.restart();
          // A message that arrives says that both connections of an end are back.
          for (const [from, to] of [
            [a, b],
            [b, a],
          ] as const)
            await meet(from, to);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const end of [a, b, c]) await end.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Publishes until something arrives. */
async function meet(from: Awaited<ReturnType<typeof openEnd>>, to: typeof from): Promise<void> {
  const arrived = collector();
  const probe = `probe ${Math.random()}`;
  for (let isSubscribed = false; arrived.received.length === 0; ) {
    if (!isSubscribed)
      isSubscribed = await to.subscribe(probe, arrived.take).then(
        () => true,
        () => false,
      );
    await from.publish(probe, 'hello').catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describeBackplane('redis', () => open());

test('redis: a server that hangs refuses messages in time; when it goes on, subscriptions are as they were', async () => {
  await using opened = await open(300);
  const [a, b] = opened.ends;
  const atB = collector();
  await b.subscribe('room', atB.take);
  opened.server.pause();
  await expect(a.publish('room', 'unsure')).rejects.toThrow();
  await expect(a.subscribe('other', () => {})).rejects.toThrow();
  opened.server.resume();
  await meet(a, b);
  await a.publish('room', 'sure');
  // The first one may have been taken all the same: it was on its way.
  while (!atB.received.includes('sure')) await atB.until(atB.received.length + 1);
  expect(atB.received.filter((message) => message === 'sure')).toHaveLength(1);
});

test('redis: a server that is not there yet is found when it comes', async () => {
  await using server = await startRedis();
  await server.kill();
  const opening = () => openEnd({ url: server.url, prefix: 'svc:demo:', log: silentLog });
  const [a, b] = await Promise.all([opening(), opening()]);
  await expect(a.publish('room', 'x')).rejects.toThrow();
  await server.restart();
  await meet(a, b);
  for (const end of [a, b]) await end.close();
});

import { expect, test } from 'vitest';
import { silentLog } from '../../core/log/create-log.ts';
import type { TopicRules } from '../../handlers/topics/topic-store.ts';
import { describeTopicStore } from '../../test/contracts/topic-store.ts';
import { startRedis } from '../../test/harness/redis-server.ts';
import { openRedis } from '../redis/open-redis.ts';
import { createRedisTopics } from './redis.ts';

const rules: TopicRules = { topicBufferMessages: 10, topicBufferBytes: 1000, topicBufferSeconds: 60 };

async function open(given: TopicRules) {
  const server = await startRedis();
  const opening = () => openRedis({ url: server.url, prefix: 'svc:demo:', log: silentLog, commandTimeoutMs: 10_000 });
  const links = [await opening(), await opening()] as const;
  return {
    server,
    links,
    ends: [createRedisTopics(links[0], given), createRedisTopics(links[1], given)] as const,
    async [Symbol.asyncDispose]() {
      for (const link of links) await link.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describeTopicStore('redis', open);

test('a connection that comes back tells followers that they may have missed something', async () => {
  await using opened = await open(rules);
  const [a, b] = opened.ends;
  let missed = 0;
  const heard: number[] = [];
  await a.follow('t', {
    message: (_epoch, { seq }) => void heard.push(seq),
    expelled: () => {},
    missed: () => void missed++,
  });
  const own = opened.links[0].subscriber;
  own.disconnect(true); // it connects again
  await b.send([{ topic: 't', data: '1' }]);
  while (missed === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await b.send([{ topic: 't', data: '2' }]);
  while (!heard.includes(2)) await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await a.read('t', { epoch: '', last: 0, lastExpulsion: 0 })).messages.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('keys of topics do not outlive their use', async () => {
  await using opened = await open(rules);
  const [a] = opened.ends;
  await a.send([
    { topic: 't', data: '1' },
    { topic: 't', expelled: 'a'.repeat(32) },
  ]);
  const { commands } = opened.links[0];
  const keys = await commands.keys('*');
  expect(keys).toHaveLength(4);
  for (const key of keys) expect(await commands.pttl(key)).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import { silentLog } from '../../core/log/create-log.ts';
import type { TopicRules } from '../../handlers/topics/topic-store.ts';
import { describeTopicStore } from '../../test/contracts/topic-store.ts';
import { startBouncer } from '../../test/harness/pgbouncer.ts';
import { startPostgres } from '../../test/harness/postgres-server.ts';
import { openBus } from '../postgres/open-bus.ts';
import { openPostgresStore } from '../stores/postgres/store.ts';
import { createPostgresTopics } from './postgres.ts';

const rules: TopicRules = { topicBufferMessages: 10, topicBufferBytes: 20_000, topicBufferSeconds: 60 };
const nothing = { epoch: '', last: 0, lastExpulsion: 0 };

async function open(given: TopicRules, isBounced = false) {
  const server = await startPostgres();
  const bouncer = isBounced ? await startBouncer(server) : undefined;
  const { graph } = await openPostgresStore({ url: server.url }); // makes the tables
  await graph.close();
  const { url } = bouncer ?? server;
  const opening = () => openBus({ url, application: 'demo', log: silentLog, deafMs: 500 });
  const buses = [await opening(), await opening()] as const;
  const ends = [createPostgresTopics(buses[0], given), createPostgresTopics(buses[1], given)] as const;
  return {
    server,
    buses,
    ends,
    async [Symbol.asyncDispose]() {
      for (const end of ends) end.close();
      for (const bus of buses) await bus.close();
      bouncer?.[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describeTopicStore('postgres', open);
describeTopicStore('postgres through PgBouncer', (given) => open(given, true));

test('postgres: what is too long for a notification is read; after an outage followers look for what they missed', async () => {
  await using opened = await open(rules);
  const [a, b] = opened.ends;
  let missed = 0;
  const heard: number[] = [];
  await a.follow('t', {
    message: (_epoch, { seq }) => void heard.push(seq),
    expelled: () => {},
    missed: () => void missed++,
  });
  await b.send([
    { topic: 't', data: '1' },
    { topic: 't', data: JSON.stringify('ü'.repeat(5000)) },
  ]);
  while (missed === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(heard).toEqual([1]);
  const kept = await a.read('t', nothing);
  expect(kept.messages.map(({ seq, data }) => [seq, JSON.parse(data).length ?? 0])).toEqual([
    [1, 0],
    [2, 5000],
  ]);

  await opened.server.kill();
  while (opened.buses.some(({ isListening }) => isListening)) await new Promise((resolve) => setTimeout(resolve, 10));
  await expect(async () => await b.send([{ topic: 't', data: '2' }])).rejects.toThrow('cannot be reached');
  missed = 0;
  await opened.server.start();
  while (missed === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  while (!opened.buses[1].isListening) await new Promise((resolve) => setTimeout(resolve, 10));
  await b.send([{ topic: 't', data: '3' }]);
  while (!heard.includes(3)) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await a.read('t', { ...nothing, epoch: kept.epoch, last: 2 })).toMatchObject({
    epoch: kept.epoch,
    last: 3,
    messages: [{ seq: 3, data: '3' }],
  });
});

test('postgres: rows of messages that are not kept any more are deleted', async () => {
  await using opened = await open(rules);
  const [a] = opened.ends;
  for (let i = 0; i < 4; i++) await a.send(Array.from({ length: 100 }, () => ({ topic: 't', data: '1' })));
  const count = async () => Number((await opened.server.run('SELECT count(*) AS n FROM svc_topic_message'))[0]!['n']);
  while ((await count()) > 150) await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await a.read('t', nothing)).messages).toHaveLength(10);
});

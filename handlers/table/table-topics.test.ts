import { expect, test } from 'vitest';
import { followRows } from '../../adapters/hosts/emulated/emulate-changes.ts';
import { openDynamoRows } from '../../adapters/stores/dynamodb/live-rows.ts';
import { openMemoryRows } from '../../adapters/stores/memory/rows.ts';
import { describeTopicStore } from '../../test/contracts/topic-store.ts';
import { startDynamo } from '../../test/harness/dynamo-server.ts';
import type { TopicFollower, TopicRules, TopicStore } from '../topics/topic-store.ts';
import type { RowTable } from './rows.ts';
import { createTableTopics } from './table-topics.ts';

/** Two processes over one table, whose changes reach the followers of both. */
function endsOn(table: RowTable, rules: TopicRules): readonly [TopicStore, TopicStore] {
  const followers = new Map<string, Set<TopicFollower>>();
  // As streams tell changes: in the order they were made, whichever answer comes first.
  let turn: Promise<unknown> = Promise.resolve();
  const inOrder: RowTable = {
    ...table,
    transact(writes, token) {
      const done = turn.then(() => table.transact(writes, token));
      turn = done.catch(() => {});
      return done;
    },
  };
  const rows = followRows(inOrder);
  rows.follower = (news) => {
    for (const one of news)
      for (const follower of followers.get(one.topic) ?? [])
        if ('expulsion' in one) follower.expelled(one.epoch, one.expulsion);
        else for (const message of one.messages) follower.message(one.epoch, message);
  };
  const end = (): TopicStore => ({
    ...createTableTopics(rows, rules),
    follow(topic, follower) {
      followers.set(topic, (followers.get(topic) ?? new Set()).add(follower));
      return () => void followers.get(topic)?.delete(follower);
    },
  });
  return [end(), end()];
}

describeTopicStore('rows in memory', async (rules) => ({
  ends: endsOn(openMemoryRows(), rules),
  async [Symbol.asyncDispose]() {},
}));

describeTopicStore('rows in DynamoDB', async (rules) => {
  const dynamo = await startDynamo();
  const table = await openDynamoRows({ tablePrefix: 't-', endpoint: dynamo.endpoint });
  return { ends: endsOn(table, rules), [Symbol.asyncDispose]: dynamo.stop };
});

const rules: TopicRules = { topicBufferMessages: 1000, topicBufferBytes: 1_000_000, topicBufferSeconds: 60 };
const nothing = { epoch: '', last: 0, lastExpulsion: 0 };

test('a call that sends more than a transaction takes sends each topic as a whole; one topic too much is refused', async () => {
  const topics = createTableTopics(openMemoryRows(), rules);
  const acts = Array.from({ length: 200 }, (_, i) => ({ topic: `t${i % 100}`, data: String(i) }));
  await topics.send(acts);
  for (const topic of ['t0', 't57', 't99'])
    expect((await topics.read(topic, nothing)).messages.map(({ seq }) => seq)).toEqual([1, 2]);
  const large = Array.from({ length: 40 }, () => ({ topic: 'big', data: JSON.stringify('x'.repeat(100_000)) }));
  await expect(topics.send(large)).rejects.toThrow('too large');
  expect((await topics.read('big', nothing)).last).toBe(0);
});

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { TopicRules } from '../../handlers/topics/topic-store.ts';
import { describeTopicStore } from '../../test/contracts/topic-store.ts';
import { createChannel, type Wire } from '../workers/channel.ts';
import { askForTopics, createTopicOffice } from './workers.ts';

function wireOf(port: MessagePort): Wire {
  return {
    send(message, done) {
      port.postMessage(message);
      done(null);
    },
    onMessage: (listener) => void port.on('message', listener),
    onEnd: (listener) => void port.once('close', listener),
  };
}

function worker(office: ReturnType<typeof createTopicOffice>, isStopped = () => false) {
  const { port1, port2 } = new MessageChannel();
  const channel = createChannel(wireOf(port1));
  const leave = office.join({
    ...channel,
    get waiting() {
      return isStopped() ? 1_000_000 : channel.waiting;
    },
  });
  return { topics: askForTopics(createChannel(wireOf(port2))), leave, close: () => port1.close() };
}

describeTopicStore('workers', async (rules) => {
  const office = createTopicOffice(rules);
  const [a, b] = [worker(office), worker(office)];
  return {
    ends: [a.topics, b.topics],
    async [Symbol.asyncDispose]() {
      for (const { close } of [a, b]) close();
    },
  };
});

const rules: TopicRules = { topicBufferMessages: 10, topicBufferBytes: 1000, topicBufferSeconds: 60 };

test('a worker that does not take its messages is told later that it missed some', async () => {
  const office = createTopicOffice(rules);
  let isStopped = true;
  const [slow, other] = [worker(office, () => isStopped), worker(office)];
  const seqs: number[] = [];
  let missed = 0;
  await slow.topics.follow('t', {
    message: (_epoch, { seq }) => void seqs.push(seq),
    expelled: () => {},
    missed: () => void missed++,
  });
  await other.topics.send([{ topic: 't', data: '1' }]);
  await other.topics.send([{ topic: 't', data: '2' }]);
  isStopped = false;
  while (missed === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect([seqs, missed]).toEqual([[], 1]);
  await other.topics.send([{ topic: 't', data: '3' }]);
  while (seqs.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(seqs).toEqual([3]);
  for (const { close } of [slow, other]) close();
});

test('what a worker follows ends with it', async () => {
  const office = createTopicOffice(rules);
  const [gone, other] = [worker(office), worker(office)];
  const seqs: number[] = [];
  await gone.topics.follow('t', {
    message: (_epoch, { seq }) => void seqs.push(seq),
    expelled: () => {},
    missed: () => {},
  });
  gone.leave();
  await other.topics.send([{ topic: 't', data: '1' }]);
  expect((await gone.topics.read('t', { epoch: '', last: 0, lastExpulsion: 0 })).last).toBe(1);
  expect(seqs).toEqual([]);
  for (const { close } of [gone, other]) close();
});

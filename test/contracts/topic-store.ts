/** Contract of `TopicStore`, for every implementation (docs/server/topics.md#order). Stated once; each one's test is a call. */
import { expect, test } from 'vitest';
import type {
  Expulsion,
  KnownOfTopic,
  NumberedMessage,
  TopicFollower,
  TopicRules,
  TopicStore,
} from '../../handlers/topics/topic-store.ts';

export interface OpenedTopicStores extends AsyncDisposable {
  /** One of each process; the same twice where there is only one. */
  readonly ends: readonly [TopicStore, TopicStore];
}

/** Follower that remembers; `until` resolves when it has heard so much. */
function listener() {
  const heard: (readonly [epoch: string, NumberedMessage | Expulsion])[] = [];
  let wake = () => {};
  const take = (epoch: string, one: NumberedMessage | Expulsion) => {
    heard.push([epoch, one]);
    wake();
  };
  const follower: TopicFollower = { message: take, expelled: take, missed: () => {} };
  return {
    heard,
    follower,
    async until(count: number): Promise<void> {
      while (heard.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
  };
}

const nothing: KnownOfTopic = { epoch: '', last: 0, lastExpulsion: 0 };
const say = (topic: string, ...data: string[]) => data.map((one) => ({ topic, data: JSON.stringify(one) }));
const usual: TopicRules = { topicBufferMessages: 1000, topicBufferBytes: 100_000, topicBufferSeconds: 300 };

export function describeTopicStore(name: string, open: (rules: TopicRules) => Promise<OpenedTopicStores>): void {
  test(`${name}: one order for all, from 1 by 1, messages of one send together`, async () => {
    await using opened = await open(usual);
    const [a, b] = opened.ends;
    const [atA, atB] = [listener(), listener()];
    await a.follow('t', atA.follower);
    await b.follow('t', atB.follower);
    const sends = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? a : b).send(say('t', `${i}a`, `${i}b`, `${i}c`)));
    await Promise.all(sends);
    for (const at of [atA, atB]) await at.until(180);
    expect(atB.heard).toEqual(atA.heard);
    expect(atA.heard.map(([, one]) => (one as NumberedMessage).seq)).toEqual(
      Array.from({ length: 180 }, (_, i) => i + 1),
    );
    expect(new Set(atA.heard.map(([epoch]) => epoch)).size).toBe(1);
    const texts = atA.heard.map(([, one]) => JSON.parse((one as NumberedMessage).data));
    for (let i = 0; i < 180; i += 3) {
      const unit = texts[i].slice(0, -1);
      expect(texts.slice(i, i + 3)).toEqual([`${unit}a`, `${unit}b`, `${unit}c`]);
    }
    const kept = await b.read('t', { ...nothing, last: 177 });
    expect(kept).toMatchObject({ epoch: atA.heard[0]![0], last: 180, lastExpulsion: 0, expulsions: [] });
    expect(kept.messages.map(({ seq }) => seq)).toEqual([178, 179, 180]);
  });

  test(`${name}: what nobody sent, and texts of all kinds`, async () => {
    await using opened = await open(usual);
    const [a, b] = opened.ends;
    expect(await a.read('t', nothing)).toEqual({ epoch: '', last: 0, messages: [], lastExpulsion: 0, expulsions: [] });
    const at = listener();
    const topic = 'a b:{c}*"\n🎈';
    const end = await a.follow(topic, at.follower);
    const texts = ['x 1 2 3', 'a\nb', '🎈 "quoted" \\ ü', ''];
    await b.send(say(topic, ...texts));
    await at.until(4);
    expect(at.heard.map(([, one]) => JSON.parse((one as NumberedMessage).data))).toEqual(texts);
    expect((await b.read(topic, nothing)).messages.map(({ data }) => JSON.parse(data))).toEqual(texts);
    await end();
    await b.send(say(topic, 'unheard'));
    await a.read(topic, nothing);
    expect(at.heard).toHaveLength(4);
  });

  test(`${name}: so many messages are kept, and so many bytes`, async () => {
    await using opened = await open({ ...usual, topicBufferMessages: 5, topicBufferBytes: 200 });
    const [a] = opened.ends;
    for (let i = 1; i <= 9; i++) await a.send(say('t', String(i)));
    const few = await a.read('t', nothing);
    expect([few.last, few.messages.map(({ seq }) => seq)]).toEqual([9, [5, 6, 7, 8, 9]]);
    await a.send(say('t', 'x'.repeat(90)));
    await a.send(say('t', 'é'.repeat(50))); // bytes, not characters
    const large = await a.read('t', nothing);
    expect([large.last, large.messages.map(({ seq }) => seq)]).toEqual([11, [8, 9, 10, 11]]);
    await a.send(say('t', 'x'.repeat(198)));
    expect((await a.read('t', nothing)).messages.map(({ seq }) => seq)).toEqual([12]);
    expect((await a.read('t', { ...nothing, last: 12 })).messages).toEqual([]);
  });

  test(`${name}: messages are kept for a time, numbers go on`, async () => {
    await using opened = await open({ ...usual, topicBufferSeconds: 1 });
    const [a] = opened.ends;
    await a.send(say('t', 'one', 'two'));
    const before = await a.read('t', nothing);
    expect(before.messages).toHaveLength(2);
    while ((await a.read('t', nothing)).messages.length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await a.read('t', nothing)).toMatchObject({ epoch: before.epoch, last: 2 });
    await a.send(say('t', 'three'));
    expect((await a.read('t', nothing)).messages.map(({ seq }) => seq)).toEqual([3]);
  });

  test(`${name}: expulsions in order with messages, and kept for those who missed them`, async () => {
    await using opened = await open(usual);
    const [a, b] = opened.ends;
    const at = listener();
    await b.follow('t', at.follower);
    await a.send([...say('t', 'before'), { topic: 't', expelled: 'a'.repeat(32) }, ...say('t', 'after')]);
    await at.until(3);
    expect(at.heard.map(([, one]) => one)).toMatchObject([
      { seq: 1 },
      { number: 1, rootId: 'a'.repeat(32) },
      { seq: 2 },
    ]);
    await a.send([{ topic: 't', expelled: 'b'.repeat(32) }]);
    const kept = await b.read('t', { ...nothing, lastExpulsion: 1 });
    expect(kept).toMatchObject({ lastExpulsion: 2, expulsions: [{ number: 2, rootId: 'b'.repeat(32) }] });
    const other = await b.read('t', { epoch: 'another', last: 50, lastExpulsion: 50 });
    expect([other.messages.length, other.expulsions.length]).toEqual([2, 2]); // everything is news
  });
}

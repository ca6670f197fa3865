/** Memberships in topics whose store loses what it tells, answers late and begins anew (docs/server/topics.md#resuming). */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLog } from '../../core/log/create-log.ts';
import { noMeters } from '../../test/harness/no-meters.ts';
import { createRandom } from '../../test/harness/random.ts';
import { createTopicBoard, type TopicSeat } from './board.ts';
import { createOwnTopics } from './own-topics.ts';
import type { TopicListener } from './topic.ts';
import type { TopicStore } from './topic-store.ts';

const rules = {
  topicBufferMessages: 40,
  topicBufferBytes: 100_000,
  topicBufferSeconds: 300,
  maxTopicsPerConnection: 5,
};
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));

/** A store behind a connection that loses one message of `loses`, answers after a while, and may be replaced by an empty one. */
function lossy(draw: (n: number) => number, loses: number) {
  let own = createOwnTopics(rules);
  let lost = 0;
  const followers = new Map<object, () => void>();
  const store: TopicStore = {
    send: async (acts) => {
      await sleep(draw(2));
      own.send(acts);
    },
    async follow(topic, follower) {
      await sleep(draw(3));
      const connect = () =>
        own.follow(topic, {
          message(epoch, message) {
            if (draw(loses) === 0) lost++;
            else follower.message(epoch, message);
          },
          expelled: (epoch, expulsion) => follower.expelled(epoch, expulsion),
          missed: () => {},
        });
      followers.set(follower, connect());
      reconnects.add(() => followers.has(follower) && followers.set(follower, connect()));
      return () => {
        followers.get(follower)?.();
        followers.delete(follower);
      };
    },
    async read(topic, known) {
      await sleep(draw(3));
      const kept = own.read(topic, known);
      await sleep(draw(3));
      return kept;
    },
  };
  const reconnects = new Set<() => void>();
  return {
    store,
    own: () => own,
    lost: () => lost,
    restart() {
      own = createOwnTopics(rules);
      for (const connect of reconnects) connect();
    },
  };
}

class Listener implements TopicListener {
  readonly frames: any[] = [];
  readonly rootId: string;
  readonly isSlow: boolean;
  constructor(rootId: string, isSlow: boolean) {
    this.rootId = rootId;
    this.isSlow = isSlow;
  }
  hear({ full }: { full: { text: string } }): void {
    this.frames.push(JSON.parse(full.text));
  }
  drained(): Promise<void> | undefined {
    return this.isSlow ? sleep(1) : undefined;
  }
  lost(): void {
    throw new Error('the store answers');
  }
  /** Number up to which it was told. */
  get at(): number {
    const last = this.frames.at(-1);
    return last?.seq ?? last?.to ?? 0;
  }
}

/** Each number once and in order, as a message or in a gap. */
function expectWhole(frames: readonly any[], from: number): void {
  let at = from;
  for (const frame of frames) {
    if (frame.type === 'gap') {
      expect([frame.from, frame.to >= frame.from]).toEqual([at + 1, true]);
      at = frame.to;
    } else {
      expect([frame.seq, frame.data]).toEqual([at + 1, `message ${at + 1}`]);
      at = frame.seq;
    }
  }
}

test(`nothing is lost or doubled, whoever joins, leaves and resumes meanwhile (SEED=${seed})`, async () => {
  const draw = createRandom(seed).below;
  const line = lossy(draw, 12);
  const board = createTopicBoard({ store: line.store, rules, log: silentLog, meters: noMeters });
  const all: { listener: Listener; seat: TopicSeat; from: number }[] = [];
  let said = 0;
  const speak = async () => {
    while (said < 400) {
      const acts = Array.from({ length: 1 + draw(3) }, () => ({ topic: 't', data: `"message ${++said}"` }));
      await board.send(acts);
      if (draw(3) === 0) await sleep(1);
    }
  };
  const move = async () => {
    while (said < 400) {
      await sleep(draw(6));
      const listener = new Listener(String(draw(3)), draw(3) === 0);
      const seat = board.open(listener);
      const from = draw(2) === 0 ? Math.max(0, said - draw(80)) : undefined;
      if (from !== undefined) seat.since = new Map([['t', Math.min(from, line.own().read('t', nothing).last)]]);
      const before = seat.since?.get('t');
      await seat.join('t');
      all.push({ listener, seat, from: before ?? -1 });
      if (draw(4) === 0) all[draw(all.length)]!.seat.close();
    }
  };
  await Promise.all([speak(), move()]);
  const { last } = line.own().read('t', nothing);
  expect(last).toBe(said);
  expect(line.lost()).toBeGreaterThan(10);
  // A message that nothing follows is missed until the next one: this one shows it.
  await board.send([{ topic: 't', data: `"message ${++said}"` }]);
  const open = all.filter(({ seat }) => seat.has('t'));
  expect(open.length).toBeGreaterThan(5);
  for (const { listener } of open)
    while (listener.at < said) {
      await sleep(5);
      for (const topic of line.own().read('t', nothing).messages.slice(-1)) expect(topic.seq).toBe(said);
      if (listener.at < said && draw(20) === 0) await board.send([{ topic: 't', data: `"message ${++said}"` }]);
    }
  for (const { listener, from } of all) {
    const first = listener.frames[0];
    expectWhole(listener.frames, from >= 0 ? from : first === undefined ? 0 : (first.seq ?? first.from) - 1);
  }
});

const nothing = { epoch: '', last: 0, lastExpulsion: 0 };

test('numbers that begin anew are told once, and the new messages follow', async () => {
  const line = lossy(createRandom(1).below, 1_000_000);
  const board = createTopicBoard({ store: line.store, rules, log: silentLog, meters: noMeters });
  const [live, resuming] = [new Listener('a', false), new Listener('b', false)];
  await board.open(live).join('t');
  for (let i = 1; i <= 3; i++) await board.send([{ topic: 't', data: `"message ${i}"` }]);
  line.restart();
  await board.send([
    { topic: 't', data: '"message 1"' },
    { topic: 't', data: '"message 2"' },
  ]);
  const seat = board.open(resuming);
  seat.since = new Map([['t', 3]]);
  await seat.join('t');
  await board.send([{ topic: 't', data: '"message 3"' }]);
  while (live.frames.length < 7 || resuming.frames.length < 2) await sleep(5);
  expect(live.frames.slice(3)).toMatchObject([{ type: 'gap', from: 1, to: 0 }, { seq: 1 }, { seq: 2 }, { seq: 3 }]);
  expect(resuming.frames).toMatchObject([{ type: 'gap', from: 1, to: 2 }, { seq: 3 }]);
});

test('who was expelled while a process did not hear of it hears nothing more once it does', async () => {
  const line = lossy(createRandom(2).below, 1_000_000);
  const expelled: string[] = [];
  const deaf: TopicStore = {
    ...line.store,
    follow: (topic, follower) =>
      line.store.follow(topic, {
        message: (epoch, message) => message.seq > 1 && follower.message(epoch, message),
        expelled: () => expelled.push('unheard'),
        missed: () => {},
      }),
  };
  const board = createTopicBoard({ store: deaf, rules, log: silentLog, meters: noMeters });
  const [kim, lou] = [new Listener('kim', false), new Listener('lou', false)];
  for (const one of [kim, lou]) await board.open(one).join('t');
  await board.send([
    { topic: 't', expelled: 'kim' },
    { topic: 't', data: '"message 1"' },
  ]);
  await board.send([{ topic: 't', data: '"message 2"' }]);
  while (lou.frames.length < 2) await sleep(5);
  expect([expelled, kim.frames, lou.frames.map(({ seq }) => seq)]).toEqual([['unheard'], [], [1, 2]]);
});

test('a message to thousands goes out in slices, and the next one waits for it', async () => {
  const board = createTopicBoard({ store: createOwnTopics(rules), rules, log: silentLog, meters: noMeters });
  const all = Array.from({ length: 2000 }, () => new Listener('a', false));
  for (const one of all) await board.open(one).join('t');
  board.send([{ topic: 't', data: '"message 1"' }]);
  const heard = () => all.map(({ frames }) => frames.length);
  const turns: number[] = [];
  for (const n of [2, 3]) board.send([{ topic: 't', data: `"message ${n}"` }]);
  while (heard().some((count) => count < 3)) {
    expect(Math.max(...heard()) - Math.min(...heard())).toBeLessThanOrEqual(1);
    turns.push(heard().reduce((sum, count) => sum + count));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(turns.length).toBeGreaterThan(5);
  for (const { frames } of all) expectWhole(frames, 0);
});

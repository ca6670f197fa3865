/** Topics as this process has them: sends what programs publish, and gives connections their membership (docs/server/topics.md). */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { createSeldom } from '../../base/seldom.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Membership, TopicAct, Topics } from '../../core/topics/topics.ts';
import { createMessageText } from './message-text.ts';
import type { Since } from './read-since.ts';
import { type Hearing, Topic, type TopicListener } from './topic.ts';
import type { TopicRules, TopicStore } from './topic-store.ts';

export interface TopicBoard extends Topics {
  /** Makes the membership of one connection, which is in no topic yet. `since`: see `TopicSeat.since`. */
  open(listener: TopicListener): TopicSeat;
}

export interface TopicBoardParts {
  readonly store: TopicStore;
  readonly rules: TopicRules & { readonly maxTopicsPerConnection: number };
  readonly log: Log;
  readonly meters: Meters | undefined;
}

/** Topics of one connection. */
export interface TopicSeat extends Membership {
  /** Used for topics that are joined from now on: what is kept above the number comes first. Absent: nothing does. */
  since: Since | undefined;
  /** Topics it is in. */
  readonly size: number;
  /** Topics it is in, with the number of the last message it has heard of each. */
  positions(): Iterable<readonly [topic: string, seq: number]>;
  /** Resolves when it is in the topic: what is sent from then on is heard. A store that cannot be reached is told by `TopicListener.lost`. */
  join(topic: string): MaybePromise<void>;
  leave(topic: string): void;
  /** Leaves all but these and joins those it is not in. */
  set(topics: ReadonlySet<string>): MaybePromise<void>;
  /** Leaves all, for good. */
  close(): void;
}

export function createTopicBoard({ store, rules, log, meters }: TopicBoardParts): TopicBoard {
  const topics = new Map<string, Topic>();
  const reportSend = createSeldom(60_000, () => performance.now());
  const reportRead = createSeldom(60_000, () => performance.now());

  function topicOf(name: string): Topic {
    const known = topics.get(name);
    if (known !== undefined) return known;
    const topic: Topic = new Topic({
      name,
      store,
      onEmpty() {
        if (topics.get(name) === topic) topics.delete(name);
      },
      onGap: () => meters?.topicEvent('gap'),
      onExpelled: () => meters?.topicEvent('expelled'),
      onUnreadable: tellUnreadable,
    });
    topics.set(name, topic);
    return topic;
  }

  function tellUnreadable(error: Error): void {
    meters?.topicEvent('read_failed');
    reportRead((times) => log.error('messages of topics cannot be read', { times, error: error.message }));
  }

  function failed(acts: readonly TopicAct[], error: Error): void {
    for (const _ of acts) meters?.topicEvent('send_failed');
    reportSend((times) => log.error('messages of topics were not sent', { times, error: error.message }));
  }

  function open(listener: TopicListener): TopicSeat {
    const hearings = new Map<string, MaybePromise<Hearing>>();
    let isClosed = false;

    const seat: TopicSeat = {
      since: undefined,
      get size() {
        return hearings.size;
      },
      get free() {
        return rules.maxTopicsPerConnection - hearings.size;
      },
      *positions() {
        for (const [topic, hearing] of hearings) if (!(hearing instanceof Promise)) yield [topic, hearing.at];
      },
      has: (topic) => hearings.has(topic),
      join(topic) {
        if (isClosed || hearings.has(topic)) return undefined;
        const onEnd = () => {
          if (hearings.delete(topic)) meters?.topicJoined(-1);
        };
        const joined = topicOf(topic).join(listener, seat.since?.get(topic), onEnd);
        hearings.set(topic, joined);
        meters?.topicJoined(1);
        if (!(joined instanceof Promise)) return undefined;
        return joined.then(
          (hearing) => {
            if (hearings.get(topic) === joined) hearings.set(topic, hearing);
            else topicOf(topic).leave(hearing);
          },
          (error: Error) => {
            if (hearings.get(topic) !== joined) return;
            onEnd();
            tellUnreadable(error);
            listener.lost();
          },
        );
      },
      leave(topic) {
        const hearing = hearings.get(topic);
        if (hearing === undefined) return;
        hearings.delete(topic);
        meters?.topicJoined(-1);
        // One that is still joining leaves when it has joined.
        if (!(hearing instanceof Promise)) topics.get(topic)?.leave(hearing);
      },
      set(wanted) {
        for (const topic of [...hearings.keys()]) if (!wanted.has(topic)) seat.leave(topic);
        return each([...wanted], seat.join);
      },
      apply: (changes) => each(changes, ({ topic, joins }) => (joins ? seat.join(topic) : void seat.leave(topic))),
      close() {
        isClosed = true;
        for (const topic of [...hearings.keys()]) seat.leave(topic);
      },
    };
    return seat;
  }

  return {
    textOf: createMessageText({ bytes: rules.topicBufferBytes, from: 'topic_buffer_bytes' }),
    send(acts) {
      meters?.topicSent(acts.length);
      try {
        const sent = store.send(acts);
        return sent instanceof Promise ? sent.catch((error) => failed(acts, error)) : undefined;
      } catch (error) {
        return failed(acts, error as Error);
      }
    },
    open,
  };
}

/** One after the other; at once where nothing waits. */
function each<T>(list: readonly T[], act: (one: T) => MaybePromise<void>, from = 0): MaybePromise<void> {
  for (let i = from; i < list.length; i++) {
    const done = act(list[i]!);
    if (done instanceof Promise) return after(done, () => each(list, act, i + 1));
  }
  return undefined;
}

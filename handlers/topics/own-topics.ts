/** Topics kept by this process: for itself, or as the primary process for its workers (docs/server/topics.md#order). */
import { randomUUID } from 'node:crypto';
import { throwOutside } from '../../base/throw-outside.ts';
import type { TopicAct } from '../../core/topics/topics.ts';
import {
  type Expulsion,
  type KeptMessages,
  type KnownOfTopic,
  keptExpulsions,
  type NumberedMessage,
  numbersSeconds,
  type TopicFollower,
  type TopicRules,
  type TopicStore,
} from './topic-store.ts';

interface Entry extends NumberedMessage {
  readonly bytes: number;
  readonly atMs: number;
}

interface Log {
  readonly epoch: string;
  last: number;
  usedMs: number;
  bytes: number;
  readonly entries: Entry[];
  lastExpulsion: number;
  readonly expulsions: Expulsion[];
}

export interface OwnTopics extends TopicStore {
  send(acts: readonly TopicAct[]): void;
  follow(topic: string, follower: TopicFollower): () => void;
  read(topic: string, known: KnownOfTopic): KeptMessages;
}

/** `now`: milliseconds that never go back. */
export function createOwnTopics(rules: TopicRules, now: () => number = () => performance.now()): OwnTopics {
  const logs = new Map<string, Log>();
  const followers = new Map<string, Set<TopicFollower>>();
  const keptMs = rules.topicBufferSeconds * 1000;
  let sweeping: NodeJS.Timeout | undefined;

  function logOf(topic: string): Log {
    let log = logs.get(topic);
    if (log === undefined) {
      log = { epoch: randomUUID(), last: 0, usedMs: 0, bytes: 0, entries: [], lastExpulsion: 0, expulsions: [] };
      logs.set(topic, log);
    }
    log.usedMs = now();
    if (sweeping === undefined) {
      sweeping = setTimeout(sweep, keptMs);
      sweeping.unref();
    }
    return log;
  }

  /** Topics that nobody uses must not hold what they kept. */
  function sweep(): void {
    sweeping = undefined;
    const forgottenMs = now() - numbersSeconds * 1000;
    for (const [topic, log] of logs) {
      trim(log);
      if (log.usedMs < forgottenMs && !followers.has(topic)) logs.delete(topic);
    }
    if (logs.size === 0) return;
    sweeping = setTimeout(sweep, keptMs);
    sweeping.unref();
  }

  function trim(log: Log): void {
    const { entries } = log;
    const oldestMs = now() - keptMs;
    let count = 0;
    const isOver = () =>
      entries.length - count > rules.topicBufferMessages ||
      log.bytes > rules.topicBufferBytes ||
      (count < entries.length && entries[count]!.atMs < oldestMs);
    while (isOver()) log.bytes -= entries[count++]!.bytes;
    if (count > 0) entries.splice(0, count);
  }

  function tell(topic: string, say: (follower: TopicFollower) => void): void {
    for (const follower of followers.get(topic) ?? []) {
      try {
        say(follower);
      } catch (error) {
        throwOutside(error); // others must not miss it
      }
    }
  }

  function act(one: TopicAct): void {
    const { topic } = one;
    const log = logOf(topic);
    if ('expelled' in one) {
      const expulsion = { number: ++log.lastExpulsion, rootId: one.expelled };
      log.expulsions.push(expulsion);
      if (log.expulsions.length > keptExpulsions) log.expulsions.shift();
      tell(topic, (follower) => follower.expelled(log.epoch, expulsion));
      return;
    }
    const bytes = Buffer.byteLength(one.data);
    const message: Entry = { seq: ++log.last, data: one.data, bytes, atMs: log.usedMs };
    log.entries.push(message);
    log.bytes += bytes;
    trim(log);
    tell(topic, (follower) => follower.message(log.epoch, message));
  }

  return {
    send: (acts) => acts.forEach(act),
    follow(topic, follower) {
      const known = followers.get(topic) ?? new Set();
      followers.set(topic, known);
      known.add(follower);
      return () => {
        known.delete(follower);
        if (known.size === 0 && followers.get(topic) === known) followers.delete(topic);
      };
    },
    read(topic, known) {
      const log = logs.get(topic);
      if (log === undefined) return nothingKept;
      trim(log);
      const isOther = known.epoch !== '' && known.epoch !== log.epoch;
      const [above, expulsion] = isOther ? [0, 0] : [known.last, known.lastExpulsion];
      const first = log.last - log.entries.length + 1;
      return {
        epoch: log.epoch,
        last: log.last,
        messages: log.entries.slice(Math.max(0, above + 1 - first)),
        lastExpulsion: log.lastExpulsion,
        expulsions: log.expulsions.filter(({ number }) => number > expulsion),
      };
    },
  };
}

export const nothingKept: KeptMessages = { epoch: '', last: 0, messages: [], lastExpulsion: 0, expulsions: [] };

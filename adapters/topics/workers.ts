/** Topics of the workers of one process group, kept by their primary process: a worker that ends loses none (docs/server/topics.md#order). */
import type { TopicAct } from '../../core/topics/topics.ts';
import { createOwnTopics } from '../../handlers/topics/own-topics.ts';
import type {
  Expulsion,
  KeptMessages,
  KnownOfTopic,
  NumberedMessage,
  TopicFollower,
  TopicRules,
  TopicStore,
} from '../../handlers/topics/topic-store.ts';
import type { Channel } from '../workers/channel.ts';
import { createFollowers } from './followers.ts';

/** The primary's part. */
export interface TopicOffice {
  /** Takes a worker in; gives what ends what it follows. */
  join(worker: Channel): () => void;
}

interface Said {
  readonly topic: string;
  readonly epoch: string;
  readonly message?: NumberedMessage;
  readonly expulsion?: Expulsion;
}

interface Wanted {
  readonly topic: string;
  readonly known: KnownOfTopic;
}

/** A worker that has not taken so many messages is told of further ones later, when it can read what is kept. */
const mostWaiting = 20_000;
const lookMs = 100;

export function createTopicOffice(rules: TopicRules): TopicOffice {
  const topics = createOwnTopics(rules);
  return {
    join(worker) {
      const followed = new Map<string, () => void>();
      const behind = new Set<string>();
      let looking: NodeJS.Timeout | undefined;

      function say(said: Said): void {
        const { topic } = said;
        if (behind.has(topic)) return;
        if (worker.waiting < mostWaiting) {
          worker.tell('topic-said', said).catch(() => {}); // it is gone
          return;
        }
        behind.add(topic);
        looking ??= setInterval(look, lookMs).unref();
      }

      function look(): void {
        if (worker.waiting >= mostWaiting / 2) return;
        clearInterval(looking);
        looking = undefined;
        const missed = [...behind];
        behind.clear();
        worker.tell('topics-missed', missed).catch(() => {});
      }

      worker.on('topic-send', (acts: readonly TopicAct[]) => topics.send(acts));
      worker.on('topic-read', ({ topic, known }: Wanted) => topics.read(topic, known));
      worker.on('topic-follow', (topic: string) => {
        followed.get(topic)?.();
        const follower: TopicFollower = {
          message: (epoch, { seq, data }) => say({ topic, epoch, message: { seq, data } }),
          expelled: (epoch, expulsion) => say({ topic, epoch, expulsion }),
          missed: () => {},
        };
        followed.set(topic, topics.follow(topic, follower));
      });
      worker.on('topic-unfollow', (topic: string) => {
        followed.get(topic)?.();
        followed.delete(topic);
      });
      return () => {
        clearInterval(looking);
        for (const end of followed.values()) end();
        followed.clear();
      };
    },
  };
}

/** A worker's part. */
export function askForTopics(primary: Channel): TopicStore {
  const followers = createFollowers();
  primary.on('topic-said', ({ topic, epoch, message, expulsion }: Said) => {
    for (const follower of followers.of(topic)) {
      if (message !== undefined) follower.message(epoch, message);
      if (expulsion !== undefined) follower.expelled(epoch, expulsion);
    }
  });
  primary.on('topics-missed', (topics: readonly string[]) => {
    for (const topic of topics) for (const follower of followers.of(topic)) follower.missed();
  });
  return {
    send: (acts) => primary.ask<void>('topic-send', acts),
    read: (topic, known) => primary.ask<KeptMessages>('topic-read', { topic, known }),
    async follow(topic, follower) {
      const end = followers.add(topic, follower, () => void primary.tell('topic-unfollow', topic).catch(() => {}));
      try {
        await primary.ask('topic-follow', topic);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
  };
}

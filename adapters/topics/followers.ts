import type { TopicFollower } from '../../handlers/topics/topic-store.ts';

/** Followers in this process, by topic. */
export interface Followers {
  of(topic: string): Iterable<TopicFollower>;
  /** `onLast`: called when nobody follows the topic any more. Gives what ends it. */
  add(topic: string, follower: TopicFollower, onLast: () => void): () => void;
  topics(): readonly string[];
}

export function createFollowers(): Followers {
  const byTopic = new Map<string, Set<TopicFollower>>();
  return {
    of: (topic) => [...(byTopic.get(topic) ?? [])],
    add(topic, follower, onLast) {
      const known = byTopic.get(topic) ?? new Set();
      byTopic.set(topic, known);
      known.add(follower);
      return () => {
        if (!known.delete(follower) || known.size > 0 || byTopic.get(topic) !== known) return;
        byTopic.delete(topic);
        onLast();
      };
    },
    topics: () => [...byTopic.keys()],
  };
}

import { describeTopicStore } from '../../test/contracts/topic-store.ts';
import { createOwnTopics } from './own-topics.ts';

describeTopicStore('one process', async (rules) => {
  const topics = createOwnTopics(rules);
  return { ends: [topics, topics], async [Symbol.asyncDispose]() {} };
});

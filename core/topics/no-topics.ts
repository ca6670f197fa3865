import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import type { Topics } from './topics.ts';

/** Topics where there are none: cloud functions. */
export const noTopics: Topics = {
  textOf() {
    throw new RuntimeError('topics are not served by cloud functions');
  },
  send() {},
};

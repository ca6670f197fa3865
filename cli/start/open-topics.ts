import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { AccountAuth } from '../../handlers/auth/auth.ts';
import type { AppDeps } from '../../handlers/deps.ts';
import { createTopicBoard, type TopicBoard } from '../../handlers/topics/board.ts';
import { createOwnTopics } from '../../handlers/topics/own-topics.ts';
import type { TopicStore } from '../../handlers/topics/topic-store.ts';
import { createTopicStreams } from '../../handlers/topics/topic-stream.ts';

/** Topics of a served application. */
export interface ServedTopics {
  readonly board: TopicBoard;
  streamsFor(auth: AccountAuth): AppDeps['openTopics'];
}

/** `store`: absent where this process is the only one. */
export function openTopics(
  config: Config,
  store: TopicStore | undefined,
  log: Log,
  meters: Meters | undefined,
): ServedTopics {
  const { live: rules, websocket } = config.scale;
  const board = createTopicBoard({ store: store ?? createOwnTopics(rules), rules, log, meters });
  return {
    board,
    streamsFor: (auth) =>
      createTopicStreams({
        board,
        onSessionEnd: auth.onSessionEnd,
        again: (call) => auth.identify(call, 'bearer'),
        now: Date.now,
        maxWaiting: websocket.sendBufferBytes,
      }),
  };
}

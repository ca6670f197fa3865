import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Topics } from '../../core/topics/topics.ts';
import { createMessageText } from '../topics/message-text.ts';
import type { RowTable } from './rows.ts';
import { createTableTopics } from './table-topics.ts';

export interface TableSenderParts {
  readonly table: RowTable;
  readonly config: Pick<Config, 'scale'>;
  /** Largest message the gateway takes. */
  readonly maxFrameBytes: number;
  readonly log: Log;
  readonly meters: Meters | undefined;
}

/** Bytes around the value in a frame: topic, number, id. */
const messageRoom = 1024;

/** `publish` where no process holds connections. */
export function createTableSender({ table, config, maxFrameBytes, log, meters }: TableSenderParts): Topics {
  const rules = config.scale.live;
  const topics = createTableTopics(table, rules);
  const most = maxFrameBytes - messageRoom;
  return {
    textOf: createMessageText(
      rules.topicBufferBytes < most
        ? { bytes: rules.topicBufferBytes, from: 'topic_buffer_bytes' }
        : { bytes: most, from: 'a message of the gateway' },
    ),
    async send(acts) {
      meters?.topicSent(acts.length);
      try {
        await topics.send(acts);
      } catch (error) {
        for (const _ of acts) meters?.topicEvent('send_failed');
        log.error('messages of topics were not sent', { error: (error as Error).message });
      }
    },
  };
}

/** Parts that the connections of a process share. */
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Deadlines } from '../http/run/deadlines.ts';
import type { TopicBoard } from '../topics/board.ts';
import type { Backplane } from './backplane.ts';
import type { Batch } from './batch.ts';
import type { FrameText } from './frames.ts';
import type { Seats } from './seats.ts';
import type { SocketApp } from './socket-app.ts';

export type SocketRules = Config['scale']['websocket'];

export interface HubParts {
  /** The version that is served now. */
  readonly app: () => SocketApp;
  readonly rules: SocketRules;
  readonly maxJsonDepth: number;
  readonly log: Log;
  readonly meters?: Meters | undefined;
  readonly clock: { now(): number };
  /** Reaches the other processes of the application; undefined when there are none. */
  readonly backplane?: Backplane;
  /** Absent: there are no topics. */
  readonly topics?: TopicBoard | undefined;
  /** Counts the connections of all processes; absent: of this one. */
  readonly seats?: Seats;
}

/** Parts of a hub with the timers and batches that all its connections use. */
export interface HubDesk extends HubParts {
  readonly heartbeats: Deadlines;
  readonly silences: Deadlines;
  readonly logins: Deadlines;
  readonly sends: Deadlines;
  readonly batch: Batch;
  /** The application's own heartbeat; one text for all that are due in a second. */
  pingFrame(seconds: number): FrameText;
}

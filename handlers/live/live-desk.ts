/** Parts that the connections of `/live` share. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Config } from '../../core/config/config.ts';
import type { Subscriber } from '../../core/live/live-runs.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Caller } from '../caller.ts';
import type { Deadlines } from '../http/run/deadlines.ts';
import type { CloseCode } from '../socket/close-codes.ts';
import type { SocketRules } from '../socket/desk.ts';
import type { TopicBoard } from '../topics/board.ts';
import type { LiveApp } from './live-app.ts';
import type { Subscribed } from './read-request.ts';

/** A connection as far as its end is concerned. */
export interface Leaving {
  readonly userId: string | null;
  suspect(): void;
  end(code: CloseCode, reason: string): void;
}

export interface LiveDesk {
  /** The version that is served now. */
  readonly app: () => LiveApp;
  readonly rules: SocketRules;
  readonly limits: Config['scale']['live'];
  readonly maxJsonDepth: number;
  /** Seconds that a token lasts beyond its end. */
  readonly leewaySeconds: number;
  readonly log: Log;
  readonly meters: Meters | undefined;
  readonly clock: { now(): number };
  readonly heartbeats: Deadlines;
  readonly silences: Deadlines;
  readonly sends: Deadlines;
  /** Absent: there are no topics. */
  readonly topics: TopicBoard | undefined;
  /** Gives what ends the subscription, which has its place (`seat`). @throws Failure when it cannot begin */
  join(caller: Caller, wanted: Subscribed, subscriber: Subscriber): () => void;
  /** A place among the subscriptions of a user in all processes; gives what frees it. Throws or rejects with Failure `LIMIT_REACHED`. */
  seat(userId: string | null): MaybePromise<() => void>;
  /** The seat of a user for a guest's. False above the user's cap. */
  changeSeat(userId: string): MaybePromise<boolean>;
  left(connection: Leaving): void;
}

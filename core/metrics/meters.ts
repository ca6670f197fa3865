/**
 * Counters of the server about itself (docs/server/observability.md#metric-values): a port. Where nothing is collected
 * there is none, so whoever has something to count asks for it first. Every text becomes a label, so callers give
 * bounded ones: names of targets, templates of routes, fixed words.
 */
export interface Meters {
  /** A request that does not end at once begins (1) or ends (-1). */
  requestRuns(by: 1 | -1): void;
  requestFinished(call: FinishedCall): void;
  /** One attempt's run of a walker; absent when nobody wants it (`walker_metrics`). */
  readonly walkerRan: ((walker: string, isSuccess: boolean, seconds: number) => void) | undefined;
  committed(outcome: CommitOutcome, seconds: number): void;
  /** A unit runs again after a conflict. */
  replayed(): void;
  /** A unit that only read saw records of different times. */
  readConflict(): void;
  /** A row was asked for that the process may remember. */
  cacheAsked(isHit: boolean): void;
  socketOpened(target: string): void;
  socketClosed(target: string): void;
  socketMessage(target: string, outcome: MessageOutcome): void;
  broadcast(target: string): void;
  sendFailed(target: string, reason: 'timeout' | 'buffer_full' | 'backplane'): void;
  /** A live run began. */
  liveRan(target: string): void;
  /** Subscriptions of a target became more (1) or fewer (-1). */
  liveSubscribed(target: string, by: 1 | -1): void;
  /** Seconds from a commit to the frame that follows it. */
  liveDelivered(seconds: number): void;
  /** Messages, and ends of memberships, that programs sent to topics. */
  topicSent(count: number): void;
  /** Memberships of connections in topics begin (1) or end (-1). */
  topicJoined(by: 1 | -1): void;
  topicEvent(event: TopicEvent): void;
  webhookAnswered(walker: string, outcome: WebhookOutcome): void;
  authEvent(event: string, outcome: string): void;
  rateLimited(scope: LimitScope): void;
  /** An error that nothing caught: whose it was, and what it ended (decisions/0401). */
  uncaughtError(origin: 'program' | 'server', effect: UncaughtEffect): void;
}

/** `template` is one of the route table's, undefined when nothing matched. */
export interface FinishedCall {
  readonly method: string;
  readonly template: string | undefined;
  readonly status: number;
  /** Seconds from arrival to the last byte; of a stream: to its first. */
  readonly seconds: number;
}

export type CommitOutcome = 'ok' | 'conflict' | 'failed';
export type MessageOutcome = 'ok' | 'error' | 'rate_limited' | 'invalid';
/** `gap`: a connection was told that it misses messages. */
export type TopicEvent = 'gap' | 'expelled' | 'send_failed' | 'read_failed';
export type WebhookOutcome = 'ok' | 'error' | 'unauthorized' | 'bad_signature' | 'replayed' | 'rejected';
export type UncaughtEffect = 'nothing_ended' | 'call_ended' | 'process_ended';
export type LimitScope = 'address' | 'user' | 'api_key' | 'unknown_api_key' | 'webhook' | 'login' | 'socket';

/** Template of the pages that are served where nothing else matches. */
export const pagesTemplate = '/{path}';

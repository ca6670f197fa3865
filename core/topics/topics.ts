/** Ports of `publish`, `subscribe` and `unsubscribe` (docs/server/topics.md). */
import type { MaybePromise } from '../../base/maybe-promise.ts';

/** A message, as JSON text, or the end of the memberships of a root. */
export type TopicAct =
  | { readonly topic: string; readonly data: string }
  | { readonly topic: string; readonly expelled: string };

/** Topics of an application. */
export interface Topics {
  /** JSON text of a value, as the caller of the running unit may see it. @throws ValueError above what a topic keeps */
  textOf(value: unknown): string;
  /** Sends in order, all or nothing, once what the unit changed is stored. Never throws or rejects: a failure is logged and counted. */
  send(acts: readonly TopicAct[]): MaybePromise<void>;
}

export interface MembershipChange {
  readonly topic: string;
  readonly joins: boolean;
}

/** Step of a unit that waits for its commit. */
export type TopicStep = TopicAct | MembershipChange;

/** Topics that one connection hears. */
export interface Membership {
  has(topic: string): boolean;
  /** Number of further topics it may join. */
  readonly free: number;
  /** Does what a unit asked for, once it is committed, in order. */
  apply(changes: readonly MembershipChange[]): MaybePromise<void>;
}

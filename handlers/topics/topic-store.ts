/** Numbers and keeps the messages of topics for all processes of an application (docs/server/topics.md#order). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { TopicAct } from '../../core/topics/topics.ts';

export interface TopicStore {
  /** Numbers, keeps and tells, all together and in order; rejects when nothing of it happened, or nobody knows. */
  send(acts: readonly TopicAct[]): MaybePromise<void>;
  /** Tells a follower what happens in a topic from then on, also what this process sends. Gives what ends it. Rejects when that cannot be. */
  follow(topic: string, follower: TopicFollower): MaybePromise<() => void>;
  /** Messages and expulsions of a topic that are kept, beyond those known. */
  read(topic: string, known: KnownOfTopic): MaybePromise<KeptMessages>;
}

/** Receiver of what happens in one topic. */
export interface TopicFollower {
  message(epoch: string, message: NumberedMessage): void;
  expelled(epoch: string, expulsion: Expulsion): void;
  /** Called when messages may have been missed. */
  missed(): void;
}

export interface NumberedMessage {
  /** From 1 by 1. */
  readonly seq: number;
  /** JSON text. */
  readonly data: string;
}

export interface Expulsion {
  /** From 1 by 1; apart from messages. */
  readonly number: number;
  readonly rootId: string;
}

/** Numbers up to which somebody has heard a topic. */
export interface KnownOfTopic {
  /** Empty: not known. Where it is another than the topic's, everything kept is news. */
  readonly epoch: string;
  /** Number of the last message. */
  readonly last: number;
  readonly lastExpulsion: number;
}

export interface KeptMessages extends KnownOfTopic {
  /** Messages that are kept, beyond those known: a run that ends with the last one, or none. */
  readonly messages: readonly NumberedMessage[];
  readonly expulsions: readonly Expulsion[];
}

/** Bounds of what each topic keeps. */
export interface TopicRules {
  readonly topicBufferMessages: number;
  readonly topicBufferBytes: number;
  readonly topicBufferSeconds: number;
}

/** Seconds for which the numbers of a topic go on after its last message (decisions/0685). */
export const numbersSeconds = 7 * 86_400;
/** Expulsions that are kept for processes that missed them. */
export const keptExpulsions = 100;

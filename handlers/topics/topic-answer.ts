import type { Membership } from '../../core/topics/topics.ts';

/** The answer of one call, when its run subscribed. */
export interface TopicAnswer extends Membership {
  /** The run that counts has joined a topic. */
  readonly isUsed: boolean;
  /** Events, without end: what the run gave comes first. */
  body(outcome?: { readonly result: string; readonly reports: string }): AsyncIterable<string>;
}

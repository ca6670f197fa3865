/** A unit of work as the call behind it wants it run. */
import type { IdempotencyRecord } from '../accounts/account-store.ts';
import type { IncomingRequest } from '../program/request-message.ts';
import type { Membership } from '../topics/topics.ts';
import type { Trace } from '../trace/trace.ts';
import type { CallEnded, RunningCall } from './call-ended.ts';
import type { RulesFollower } from './session.ts';

export interface UnitOptions extends RulesFollower, RunningCall {
  /** Gives the call up from inside: it is answered now. */
  readonly end?: (ending: CallEnded) => void;
  /** Calls `listener` when the call is given up while it runs; gives what stops that. */
  readonly onCancel?: (listener: () => void) => () => void;
  /** False once the call cannot be run again: a byte of its answer is out, its body was consumed. */
  readonly canReplay?: () => boolean;
  /** Stores nothing of its changes, and waits for no commit: the unit runs for what it leaves in the process. */
  readonly discards?: boolean;
  /** Any write fails the unit with `NOT_READ_ONLY`. */
  readonly isReadOnly?: boolean | undefined;
  /** Topics that the peer of the call hears; absent where it can be sent nothing later. */
  readonly membership?: Membership | undefined;
  /** Trace that spans of the unit belong to. */
  readonly trace?: Trace | undefined;
  /** The message the call came with; absent outside of the network. */
  readonly incoming?: IncomingRequest | undefined;
  /** Gets the number of each run before it begins, from 1. */
  readonly onAttempt?: (attempt: number) => void;
  /** The HTTP status the program asked for; set by the run that counts. */
  answerStatus?: number | undefined;
  /** First lines of `data.warnings`. */
  readonly notes?: readonly string[] | undefined;
  /** Gets `data.warnings` of the run that counts. */
  readonly warnings?: string[];
  /**
   * Gives the finished answer of a call with an idempotency key, after `work` and before the commit. It is stored with
   * the unit; a unit that writes nothing does not store it (`AccountStore.finishIdempotency` does).
   */
  readonly answer?: () => IdempotencyRecord | undefined;
  /** Ends the call with a fault that nothing caught; false when it has ended, or ends by itself. */
  readonly breakOff?: (error: unknown) => boolean;
  /** Gets the failures of `on_commit` functions. */
  readonly onEffectFailure?: (error: unknown) => void;
}

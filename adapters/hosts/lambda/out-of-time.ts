import type { Context } from 'aws-lambda';
import { Failure } from '../../../core/errors.ts';
import { answerMarginMs } from './limits.ts';

/** Parts of its invocation that a handler needs. */
export type Invocation = Pick<Context, 'getRemainingTimeInMillis'>;

/** Gives the milliseconds a call may take so that there is time to answer it. */
export function msToAnswer(invocation: Invocation): number {
  return Math.max(0, invocation.getRemainingTimeInMillis() - answerMarginMs);
}

/** Makes the failure that answers a call which took longer. */
export function outOfTime(): Failure {
  return new Failure('EXECUTION_TIMEOUT', 'The call took too long and was aborted.');
}

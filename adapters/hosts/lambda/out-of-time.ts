import type { Context } from 'aws-lambda';
import { Failure } from '../../../core/errors.ts';
import { answerMarginMs } from './limits.ts';

/** What a handler needs to know of its invocation. */
export type Invocation = Pick<Context, 'getRemainingTimeInMillis'>;

/** How long a call may take so that there is time to answer it. */
export function msToAnswer(invocation: Invocation): number {
  return Math.max(0, invocation.getRemainingTimeInMillis() - answerMarginMs);
}

/** What a call is answered that took longer. */
export function outOfTime(): Failure {
  return new Failure('EXECUTION_TIMEOUT', 'The call took too long and was aborted.');
}

import type { Meters } from '../../core/metrics/meters.ts';
import type { Reply } from '../call.ts';
import { streamOf, whenBodyEnds } from './body/when-body-ends.ts';
import type { Exchange } from './exchange.ts';
import type { FailureOf } from './failure-of.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Recorder } from './record.ts';
import { closing, type Replies } from './replies.ts';

/** Counts and records the end of each request, when the last byte of its answer is out. `app.ts` calls it last. */
export interface Finish {
  /** Takes note of a call that does not end at once; gives what to call when it has. */
  enter(exchange: Exchange): () => void;
  /** Gives the reply as it goes out. `leave`: of `enter`. */
  finished(exchange: Exchange, reply: Reply, errorCode: string | undefined, leave: (() => void) | undefined): Reply;
  /** Gives the answer to an error. */
  failed(exchange: Exchange, error: unknown, leave: (() => void) | undefined): Reply;
}

export interface FinishParts {
  readonly recorder: Recorder;
  readonly lifecycle: Lifecycle;
  readonly replies: Replies;
  readonly failureOf: FailureOf;
  readonly meters: Meters | undefined;
}

/** Makes the end of the requests of one application. */
export function createFinish({ recorder, lifecycle, replies, failureOf, meters }: FinishParts): Finish {
  return { enter, finished, failed };

  function enter(exchange: Exchange): () => void {
    const leave = lifecycle.enter();
    if (meters === undefined || exchange.isQuiet) return leave;
    meters.requestRuns(1);
    return () => {
      meters.requestRuns(-1);
      leave();
    };
  }

  function finished(
    exchange: Exchange,
    reply: Reply,
    errorCode: string | undefined,
    leave: (() => void) | undefined,
  ): Reply {
    let made = reply;
    if (exchange.call.method === 'HEAD' && made.body !== undefined) made = withoutBody(made);
    if (lifecycle.state === 'stopped') made = closing(made);
    if (streamOf(made) === undefined) {
      leave?.();
      recorder.finished(exchange, made, errorCode);
      return made;
    }
    if (exchange.isEndless || exchange.topics?.isUsed) leave?.(); // its call has ended, though its answer goes on
    const answeredMs = recorder.isOn ? performance.now() : 0;
    return whenBodyEnds(made, (bytes) => {
      leave?.();
      recorder.finished(exchange, made, errorCode, { bytes, answeredMs });
    });
  }

  function failed(exchange: Exchange, error: unknown, leave: (() => void) | undefined): Reply {
    const failure = failureOf(error, exchange);
    return finished(exchange, replies.failure(exchange, failure), failure.code, leave);
  }
}

/** Leaves the answer to HEAD its headers only. */
function withoutBody(reply: Reply): Reply {
  streamOf(reply)
    ?.[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {});
  const { status, headers, close = false } = reply;
  return { status, headers, body: undefined, close };
}

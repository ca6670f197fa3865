/** Runs one message of a socket: one unit of work, whose frames leave after its commit (docs/server/sockets.md#runs). */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Failure } from '../../core/errors.ts';
import type { Problems } from '../../core/problems.ts';
import type { Tracer } from '../../core/trace/trace.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { JsonObject } from '../http/body/read-json.ts';
import { openExchange } from '../http/exchange.ts';
import type { FailureOf } from '../http/failure-of.ts';
import type { HintFor } from '../http/hints.ts';
import { spanOf } from '../http/record.ts';
import { callTarget } from '../http/run/call.ts';
import type { CallParts, RunRequest, UnitParts, Work } from '../http/run/types.ts';
import { runInUnit } from '../http/run/unit.ts';
import { makeScratch } from '../http/serialize/scratch.ts';
import { tellUnknown } from '../http/tell-unknown.ts';
import { chunkFrame, doneFrame, errorFrame, type Frame, frameError } from './frames.ts';
import { outcomeFrame, type SocketOutcome, writeSocketOutcome } from './outcome-frame.ts';
import type { SocketTarget } from './socket-target.ts';

export interface MessageRun {
  readonly target: SocketTarget;
  readonly caller: Caller;
  readonly fields: JsonObject;
  readonly noted: Readonly<Problems> | undefined;
  /** Call that stands for the request of the message. */
  readonly call: Call;
}

/** Takes a frame; what it returns is waited for before the next one. */
export type SendFrame = (frame: Frame) => MaybePromise<void>;

/** Gives the frames in order, at once where nothing has to wait; never throws or rejects. */
export type RunMessage = (run: MessageRun, send: SendFrame) => MaybePromise<void>;

export interface RunMessageParts extends UnitParts {
  readonly failureOf: FailureOf;
  readonly withPrivate: boolean;
  readonly nextId: () => string;
  readonly tracer: Tracer | undefined;
  /** See `CallParts`. */
  readonly tellsIdle: boolean;
  /** Errors carry hints (development). */
  readonly hintFor: HintFor | undefined;
  /** Calls and messages that may run at the same time. */
  readonly maxConcurrent: number;
}

type Answer = { readonly frame: Frame } | { readonly stream: AsyncIterable<Frame> };

export function createRunMessage(parts: RunMessageParts): RunMessage {
  const { lifecycle } = parts;
  const callParts: CallParts<SocketOutcome> = {
    scratch: makeScratch(),
    write: writeSocketOutcome,
    withPrivate: parts.withPrivate,
    warn: parts.warn,
    tellsIdle: parts.tellsIdle,
  };
  const work: Work<SocketOutcome, Answer, Frame> = {
    run: (request, control) => callTarget(request, control, callParts),
    reply: ({ target }, outcome, warnings) => ({ frame: outcomeFrame(outcome, target.kind, warnings) }),
    streamed: (_request, stream) => ({ stream }),
    events: {
      value: chunkFrame,
      end: doneFrame,
      failed: (failure) => errorFrame(frameError(failure), 'done'),
      keepAlive: undefined,
    },
  };

  return ({ target, caller, fields, noted, call }, send) => {
    const leave = lifecycle.enter();
    const exchange = openExchange(call, parts.nextId, 0, parts.tracer);
    exchange.caller = caller;
    exchange.template = target.served.path;
    exchange.target = target.served.name;
    const bind = () => target.bind(fields, noted);
    let isFailure = false;
    const tell = (error: unknown) => {
      const failure = parts.failureOf(error, exchange);
      isFailure = failure.status >= 500;
      return send(errorFrame(frameError(failure, parts.hintFor?.(failure, call))));
    };
    const end = () => {
      exchange.trace?.end(target.served.path, spanOf(exchange, undefined), isFailure);
      leave();
    };
    try {
      if (lifecycle.state === 'stopped') throw new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.');
      if (lifecycle.running > parts.maxConcurrent) {
        throw new Failure('SERVICE_UNAVAILABLE', 'The server is overloaded.');
      }
      const notes = target.findUnknown?.(fields, undefined, undefined);
      const start = () => {
        const request: RunRequest = {
          exchange,
          target: target.served,
          args: bind(),
          bind,
          nodeId: undefined,
          mayRefer: target.mayRefer,
          claim: undefined,
          notes,
        };
        return runInUnit(request, work, parts);
      };
      const sent = after(notes === undefined ? start() : tellUnknown(notes, start), (answer) =>
        'frame' in answer ? send(answer.frame) : sendAll(answer.stream, send),
      );
      if (sent instanceof Promise) return sent.catch(tell).finally(end);
      end();
      return sent;
    } catch (error) {
      const told = tell(error);
      end();
      return told;
    }
  };
}

async function sendAll(stream: AsyncIterable<Frame>, send: SendFrame): Promise<void> {
  for await (const frame of stream) await send(frame);
}

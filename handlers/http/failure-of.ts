import { cutText } from '../../base/cut-text.ts';
import { AccessDenied } from '../../core/access/check.ts';
import { Failure } from '../../core/errors.ts';
import { StorageUnavailable } from '../../core/files/unavailable.ts';
import type { Log } from '../../core/log/log.ts';
import { CallEnded } from '../../core/memory/call-ended.ts';
import { HTTPError } from '../../core/modules/http-members.ts';
import { originalError, toException } from '../../library/values/calls/raise.ts';
import { titleOfException } from '../../library/values/objects/exception-text.ts';
import { BaseException } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import type { Exchange } from './exchange.ts';

/** Finds the places of application source in a thrown error, innermost first. */
export interface Traces {
  frames(error: unknown): readonly { readonly file: string; readonly line: number }[];
}

export interface FailureOfDeps {
  readonly log: Log;
  readonly traces: Traces | undefined;
  /** Show what application code raised (development), or a generic sentence (production). */
  readonly showsErrors: boolean;
}

/** Walker or function that runs when something fails: named in the answer's details. */
export interface Running {
  readonly kind: 'walker' | 'function';
  readonly name: string;
}

/** Characters of an exception's text that answers and logs hold: it may repeat all of a request. */
const longestText = 4000;
const statusRange = { min: 400, max: 599 };
const codePattern = /^[A-Z][A-Z0-9_]{1,63}$/;

/**
 * Turns whatever was thrown into the failure to answer with (docs/server/errors.md#application-errors). Failures pass;
 * exceptions of application code (`running` is given) become `EXECUTION_ERROR`, anything else is a fault of the server. Both are logged.
 */
export function createFailureOf({ log, traces, showsErrors }: FailureOfDeps) {
  return (error: unknown, exchange: Pick<Exchange, 'requestId' | 'traceId'>, running?: Running): Failure => {
    // Application code may have caught a failure of the server and raised it again.
    const original: unknown = originalError(error);
    if (original instanceof CallEnded) {
      tellEnded(original, exchange, running);
      return new Failure(original.code, original.message);
    }
    if (original instanceof Failure) return original;
    if (error instanceof AccessDenied || error instanceof StorageUnavailable) return error.failure;
    const chosen = chosenFailure(error);
    if (chosen !== undefined) return chosen;
    const { requestId: request_id, traceId: trace_id } = exchange;
    const text = cutText(describe(running === undefined ? error : toException(error)), longestText);
    if (running === undefined) {
      log.error('the server failed', { request_id, trace_id, error });
      const message = showsErrors ? text : 'The request could not be completed.';
      return new Failure('INTERNAL_ERROR', message, { cause: error });
    }
    log.error(`${running.kind} ${running.name} failed: ${text}`, {
      request_id,
      trace_id,
      error,
    });
    if (!showsErrors) return new Failure('EXECUTION_ERROR', 'The request could not be completed.', { cause: error });
    const [frame] = traces?.frames(error) ?? [];
    const details = { file: frame?.file ?? null, line: frame?.line ?? null, [running.kind]: running.name };
    return new Failure('EXECUTION_ERROR', text, { details, cause: error });
  };

  /** Logs a call that was ended: the function or walker, how long it ran and where it was. */
  function tellEnded(ended: CallEnded, exchange: Pick<Exchange, 'requestId' | 'traceId'>, running?: Running): void {
    const what = running === undefined ? 'a call' : `${running.kind} ${running.name}`;
    const ran = ended.ranMs === undefined ? '' : ` after ${(ended.ranMs / 1000).toFixed(1)} s`;
    const frames = traces?.frames(ended) ?? [];
    const [frame] = frames;
    const where = frame === undefined ? (ended.waited ? ', while it waited' : '') : `, at ${frame.file}:${frame.line}`;
    log.error(`${what} was ended${ran}${where}`, {
      request_id: exchange.requestId,
      trace_id: exchange.traceId,
      ran_ms: ended.ranMs === undefined ? undefined : Math.round(ended.ranMs),
      // The fields are those of an exception.
      error: frame === undefined ? undefined : Object.assign(ended, { sourceFrames: frames.slice(0, mostFrames) }),
    });
  }
}

/** Calls of the program that the log tells of a call that was ended. */
const mostFrames = 10;

export type FailureOf = ReturnType<typeof createFailureOf>;

/** `HTTPError(status, code, message, details)` of module `http`: answered exactly so when it keeps to the rules. */
function chosenFailure(error: unknown): Failure | undefined {
  if (!(error instanceof HTTPError)) return undefined;
  const { status, code, details } = error;
  const message: unknown = error.message;
  const fits =
    typeof status === 'number' && Number.isInteger(status) && status >= statusRange.min && status <= statusRange.max;
  if (!fits || typeof code !== 'string' || !codePattern.test(code)) return undefined;
  const chosen = { status, hint: null };
  const options = details === null || details === undefined ? chosen : { ...chosen, details };
  return new Failure(code, typeof message === 'string' ? message : strOf(message), options);
}

/** `ValueError: boom` */
function describe(error: unknown): string {
  if (error instanceof BaseException) return titleOfException(error);
  if (error instanceof Error) return error.message === '' ? error.name : `${error.name}: ${error.message}`;
  return String(error);
}

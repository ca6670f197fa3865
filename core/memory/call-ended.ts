import type { ScopeCall } from '../../library/call-scope.ts';
import { $uncatchable } from '../../library/values/objects/protocol.ts';
import { Failure } from '../errors.ts';

/** A call as far as its end depends on it. */
export interface RunningCall extends ScopeCall {
  /** Aborted: the unit is given up before its commit and `signal.reason` is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Start of the call in milliseconds of `performance.now()`. */
  readonly startedMs?: number | undefined;
}

/** Calls of the program may be many calls of the runtime away. */
const mostFrames = 400;

/**
 * A call was ended where it was (docs/server/errors.md#timeouts): its time was up, or the server shuts down. The stack
 * tells the place; no `except` of the program sees it, `finally` runs.
 */
export class CallEnded extends Failure {
  /** Milliseconds that the call had run; undefined outside of calls. */
  readonly ranMs: number | undefined;
  /** True when the call was waiting for something: the stack tells nothing then. */
  readonly waited: boolean;

  constructor(ranMs: number | undefined, { waited = false, isShutdown = false } = {}) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = waited ? 0 : mostFrames;
    if (isShutdown) super('SERVICE_UNAVAILABLE', 'The server is shutting down.');
    else super('EXECUTION_TIMEOUT', 'The call took too long and was aborted.');
    Error.stackTraceLimit = stackTraceLimit;
    this.ranMs = ranMs;
    this.waited = waited;
  }
}

Object.defineProperty(CallEnded.prototype, $uncatchable, { value: true });

/** Reason to end `call` now: why it was given up, or that its time is up. Undefined while it may go on. */
export function whyToEnd(call: RunningCall | undefined): Error | undefined {
  if (call === undefined) return undefined;
  if (call.signal?.aborted === true) return call.signal.reason as Error;
  if (call.endsAtMs === undefined) return undefined;
  return performance.now() < call.endsAtMs ? undefined : timeUp(call);
}

/** Error that says that the time of `call` is up, whatever the clock says: timers of V8 come up to 1 ms early. */
export function timeUp(call: RunningCall | undefined): CallEnded {
  const startedMs = call?.startedMs;
  return new CallEnded(startedMs === undefined ? undefined : performance.now() - startedMs);
}

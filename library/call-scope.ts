/**
 * Port through which the library asks about the call it runs in. Filled by core/memory/context.ts; empty in a process without calls, such as the
 * compiler's evaluation of constants.
 */

/** Spans and headers of the trace a call is part of (core/trace/trace.ts). */
export interface ScopeTrace {
  readonly context: TraceHeaders | undefined;
  open(name: string, kind: 'client', attributes: Readonly<Record<string, string>>): ScopeSpan | undefined;
}

export interface ScopeSpan {
  readonly context: TraceHeaders | undefined;
  end(isFailure: boolean, attributes?: Readonly<Record<string, number>>): void;
}

/** Values of the two headers of W3C Trace Context. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** A call as code that computes for long sees it. */
export interface ScopeCall {
  /** `walker Spin (request …)`, for the log. */
  readonly title?: string | undefined;
  /**
   * Time at which the call ends (docs/server/errors.md#limits), in milliseconds on the clock of `performance.now()`; progress moves
   * it on. Infinity: never. Absent: it is ended only when it computes without a pause for as long as a call may run.
   */
  readonly endsAtMs?: number | undefined;
  /** True while the call lets others run: it looks at the clock itself when it goes on. */
  resting?: boolean;
}

export interface CallScope {
  /** Object that stands for the present call, the same through all its waits; undefined outside of calls. */
  owner(): object | undefined;
  /** The present call; undefined outside of calls. */
  call(): ScopeCall | undefined;
  /** Error that ends the present call now, as its time is up or it was given up; undefined while it may go on. */
  ending(): Error | undefined;
  /** Error that says that the present call's time is up. */
  timeUp(): Error;
  /** Tells whoever waits for the present call that `ending` ends it, whatever a `finally` does on the way. */
  tellEnding(ending: unknown): void;
  /** Unit of work of the present call; undefined outside of calls. */
  unit(): { readonly closed: boolean } | undefined;
  /** Node and walker of the walk that runs; undefined outside of walks. */
  walk(): { readonly here: unknown; readonly walker: unknown } | undefined;
  /** Trace of the present call; undefined when it has none. */
  trace(): ScopeTrace | undefined;
  /** A line that the program logs, for the story of the present call. */
  logged(level: string, record: { getMessage(): string }): void;
}

export const callScope: CallScope = {
  owner: () => undefined,
  call: () => undefined,
  ending: () => undefined,
  timeUp: () => new Error('the time is up'),
  tellEnding: () => {},
  unit: () => undefined,
  walk: () => undefined,
  trace: () => undefined,
  logged: () => {},
};

/** Puts the scope of a runtime with calls in place. */
export function fillCallScope(scope: CallScope): void {
  Object.assign(callScope, scope);
}

/**
 * Port through which the library asks about the call it runs in. Filled by core/context.ts; empty in a process without calls, such as the
 * compiler's evaluation of constants.
 */

/** Spans and headers of the trace a call is part of (core/trace/trace.ts). */
export interface ScopeTrace {
  readonly context: TraceHeaders;
  open(name: string, kind: 'client', attributes: Readonly<Record<string, string>>): ScopeSpan | undefined;
}

export interface ScopeSpan {
  readonly context: TraceHeaders;
  end(isFailure: boolean, attributes?: Readonly<Record<string, number>>): void;
}

/** Values of the two headers of W3C Trace Context. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

export interface CallScope {
  /** Object that stands for the present call, the same through all its waits; undefined outside of calls. */
  owner(): object | undefined;
  /** Node and walker of the walk that runs; undefined outside of walks. */
  walk(): { readonly here: unknown; readonly walker: unknown } | undefined;
  /** Trace of the present call; undefined when it has none. */
  trace(): ScopeTrace | undefined;
}

export let callScope: CallScope = { owner: () => undefined, walk: () => undefined, trace: () => undefined };

/** Puts the scope of a runtime with calls in place. */
export function fillCallScope(scope: CallScope): void {
  callScope = scope;
}

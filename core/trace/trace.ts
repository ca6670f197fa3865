/**
 * The distributed trace a call is part of (docs/server/observability.md#traces; W3C Trace Context). Ports:
 * `adapters/traces` fills them where spans are exported; elsewhere a trace only passes along what the caller sent.
 */
export interface Tracer {
  /** Opens the span of a request or message. `parent` is the caller's context, where it sent a valid one. */
  begin(traceId: string, parent: TraceContext | undefined): Trace;
}

export interface Trace {
  /** Context for requests made on behalf of the call, outside of any further span. */
  readonly context: TraceContext;
  /** Opens a span below the one that is open now; undefined when this trace is not exported. Its end puts things back. */
  open(name: string, kind: SpanKind, attributes: Attributes): Span | undefined;
  /** Ends the span of the request itself. */
  end(name: string, attributes: Attributes, isFailure: boolean): void;
}

export interface Span {
  readonly context: TraceContext;
  end(isFailure: boolean, attributes?: Attributes): void;
}

/** `internal`: spans that open meanwhile are inside it. `client`: something elsewhere is asked, perhaps several at once. */
export type SpanKind = 'internal' | 'client';

/** Bounded and harmless by choice of the caller: never bodies, fields, arguments, tokens. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The values of the two headers. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** A trace that others record: what was sent goes on unchanged. */
export function passedOn(context: TraceContext): Trace {
  return { context, open: () => undefined, end: () => {} };
}

/** Runs `work` as a span of the trace, if it is exported. */
export function inSpan<T>(
  trace: Trace | undefined,
  [name, kind]: readonly [name: string, kind: SpanKind],
  attributes: Attributes,
  work: () => T,
): T {
  const span = trace?.open(name, kind, attributes);
  if (span === undefined) return work();
  const failed = (error: unknown): never => {
    span.end(true);
    throw error;
  };
  try {
    const outcome = work();
    if (!(outcome instanceof Promise)) {
      span.end(false);
      return outcome;
    }
    return outcome.then((value) => {
      span.end(false);
      return value;
    }, failed) as T;
  } catch (error) {
    return failed(error);
  }
}

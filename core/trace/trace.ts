/**
 * The distributed trace a call is part of (docs/server/observability.md#traces; W3C Trace Context). Ports:
 * `adapters/traces` fills them where spans are exported; elsewhere a trace only passes along what the caller sent.
 */
import type { Teller } from '../story/teller.ts';

export interface Tracer {
  /** Opens the span of a request or message. `parent` is the caller's context, where it sent a valid one. */
  begin(traceId: string, parent: TraceContext | undefined): Trace;
}

export interface Trace {
  /** Context for requests made on behalf of the call, outside of any further span; undefined when they carry none. */
  readonly context: TraceContext | undefined;
  /** The record of what the call does; undefined when nobody keeps one. */
  readonly story?: Teller | undefined;
  /** True for one whose spans go to a collector. */
  readonly isExported?: boolean;
  /** Opens a span below the one that is open now; undefined when this trace is not exported. Its end puts things back. */
  open(name: string, kind: SpanKind, attributes: Attributes): Span | undefined;
  /** Ends the span of the request itself. */
  end(name: string, attributes: Attributes, isFailure: boolean, events?: readonly SpanEvent[]): void;
}

/** Event of a span: a name, a time, a few facts. */
export interface SpanEvent {
  readonly name: string;
  /** Unix milliseconds with fractions. */
  readonly timeMs: number;
  readonly attributes: Attributes;
}

export interface Span {
  readonly context: TraceContext | undefined;
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
  told?: (outcome: Awaited<T>) => Attributes,
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
      span.end(false, told?.(outcome as Awaited<T>));
      return outcome;
    }
    return outcome.then((value) => {
      span.end(false, told?.(value));
      return value;
    }, failed) as T;
  } catch (error) {
    return failed(error);
  }
}

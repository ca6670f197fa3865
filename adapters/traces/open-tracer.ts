/** Makes spans and gives them to a queue (docs/server/observability.md#traces). */
import { randomBytes } from 'node:crypto';
import type { Attributes, Span, SpanEvent, SpanKind, Trace, TraceContext, Tracer } from '../../core/trace/trace.ts';
import type { FinishedSpan, SpanQueue } from './span-queue.ts';

/**
 * @param sampleRatio share of the traces that begin here and are exported, from 0 to 1; a caller's own decision is followed
 */
export function openTracer(queue: Pick<SpanQueue, 'add'>, sampleRatio: number): Tracer {
  return {
    begin(traceId, parent) {
      const isSampled = parent === undefined ? isChosen(traceId, sampleRatio) : isMarked(parent.traceparent);
      return new RecordedTrace(queue, traceId, parent, isSampled);
    },
  };
}

class RecordedTrace implements Trace {
  readonly context: TraceContext;
  private readonly queue: Pick<SpanQueue, 'add'>;
  private readonly traceId: string;
  private readonly ownId = newSpanId();
  private readonly parentId: string | undefined;
  private readonly isSampled: boolean;
  private readonly startedMs = now();
  /** The span that is open now. */
  private innermost: string;

  constructor(queue: Pick<SpanQueue, 'add'>, traceId: string, parent: TraceContext | undefined, isSampled: boolean) {
    this.queue = queue;
    this.traceId = traceId;
    this.parentId = parent?.traceparent.slice(36, 52);
    this.isSampled = isSampled;
    this.innermost = this.ownId;
    this.context = this.contextAt(this.ownId, parent?.tracestate);
  }

  get isExported(): boolean {
    return this.isSampled;
  }

  open(name: string, kind: SpanKind, attributes: Attributes): Span | undefined {
    if (!this.isSampled) return undefined;
    const spanId = newSpanId();
    const parentId = this.innermost;
    const startedMs = now();
    if (kind === 'internal') this.innermost = spanId;
    return {
      context: this.contextAt(spanId, this.context.tracestate),
      end: (isFailure, more) => {
        if (this.innermost === spanId) this.innermost = parentId;
        this.add({ spanId, parentId, name, kind, startedMs, attributes: { ...attributes, ...more }, isFailure });
      },
    };
  }

  end(name: string, attributes: Attributes, isFailure: boolean, events?: readonly SpanEvent[]): void {
    const { ownId: spanId, parentId, startedMs } = this;
    if (this.isSampled) this.add({ spanId, parentId, name, kind: 'server', startedMs, attributes, isFailure, events });
  }

  private add(span: Omit<FinishedSpan, 'traceId' | 'endedMs'>): void {
    this.queue.add({ ...span, traceId: this.traceId, endedMs: now() });
  }

  private contextAt(spanId: string, tracestate: string | undefined): TraceContext {
    return { traceparent: `00-${this.traceId}-${spanId}-${this.isSampled ? '01' : '00'}`, tracestate };
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

function isMarked(traceparent: string): boolean {
  return (Number.parseInt(traceparent.slice(53, 55), 16) & 1) === 1;
}

/** Decides by the trace's id whether it is recorded, so that every service with the same ratio decides alike. */
function isChosen(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < ratio;
}

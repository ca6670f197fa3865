/** Finished spans on their way to a collector, by OTLP over HTTP as JSON. Nobody ever waits for it. */
import type { Attributes, SpanEvent, SpanKind } from '../../core/trace/trace.ts';

export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind | 'server';
  /** Unix milliseconds with fractions. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly attributes: Attributes;
  readonly isFailure: boolean;
  readonly events?: readonly SpanEvent[] | undefined;
}

export interface SpanQueue {
  /** Takes a span; when too many wait it is dropped. */
  add(span: FinishedSpan): void;
  /** Sends what waits, as far as that succeeds within `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

export interface SpanQueueOptions {
  /** Address of the collector; without a path, `/v1/traces` is meant. */
  readonly endpoint: string;
  /** Describes this process: `service.name` and so on. */
  readonly resource: Attributes;
  /** Called when spans were lost, at most once a minute. */
  readonly warn: (message: string, fields: Record<string, unknown>) => void;
  readonly maxWaiting?: number;
  readonly intervalMs?: number;
}

const batchSize = 512;
const requestTimeoutMs = 10_000;
const warnEveryMs = 60_000;

export function openSpanQueue(options: SpanQueueOptions): SpanQueue {
  const { maxWaiting = 4096, intervalMs = 1000 } = options;
  const url = collectorUrl(options.endpoint);
  const waiting: FinishedSpan[] = [];
  let lost = 0;
  let reason = '';
  let warnedMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function add(span: FinishedSpan): void {
    if (waiting.length >= maxWaiting) {
      lose(1, 'the queue is full');
      return;
    }
    waiting.push(span);
    if (waiting.length >= batchSize) start();
    else if (timer === undefined && sending === undefined) {
      timer = setTimeout(start, intervalMs);
      timer.unref();
    }
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize);
      try {
        const body = JSON.stringify(exportRequest(options.resource, batch));
        const signal = AbortSignal.timeout(requestTimeoutMs);
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          signal,
        });
        await answer.body?.cancel();
        if (!answer.ok) lose(batch.length, `the collector answered ${answer.status}`);
      } catch (error) {
        lose(batch.length, (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name);
      }
    }
  }

  function lose(count: number, why: string): void {
    lost += count;
    reason = why;
    const nowMs = performance.now();
    if (nowMs - warnedMs < warnEveryMs) return;
    warnedMs = nowMs;
    options.warn('spans were lost', { count: lost, reason });
    lost = 0;
  }

  return {
    add,
    async close(timeoutMs) {
      if (waiting.length > 0) start();
      if (sending === undefined) return;
      let late: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        late = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([sending, timeout]);
      clearTimeout(late);
    },
  };
}

function collectorUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}

const kinds = { internal: 1, server: 2, client: 3 } as const;
const failed = { code: 2 };

/** The message `ExportTraceServiceRequest` in its JSON form. */
function exportRequest(resource: Attributes, spans: readonly FinishedSpan[]): unknown {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributeList(resource) },
        scopeSpans: [{ scope: { name: 'svc' }, spans: spans.map(spanMessage) }],
      },
    ],
  };
}

function spanMessage(span: FinishedSpan): unknown {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(span.startedMs),
    endTimeUnixNano: nanoseconds(span.endedMs),
    attributes: attributeList(span.attributes),
    ...(span.events === undefined || span.events.length === 0 ? {} : { events: span.events.map(eventMessage) }),
    ...(span.isFailure ? { status: failed } : {}),
  };
}

function eventMessage({ name, timeMs, attributes }: SpanEvent): unknown {
  return { name, timeUnixNano: nanoseconds(timeMs), attributes: attributeList(attributes) };
}

function attributeList(attributes: Attributes): unknown[] {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value: attributeValue(value!) }));
}

function attributeValue(value: string | number | boolean): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Whole nanoseconds are beyond what a number holds exactly. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
}

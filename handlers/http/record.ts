import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Attributes } from '../../core/trace/trace.ts';
import type { Reply } from '../call.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { Exchange } from './exchange.ts';

/** Writes down what became of each request (docs/server/observability.md#log). */
export interface Recorder {
  /** True when somebody records calls; decides whether the clock is read. */
  readonly isOn: boolean;
  finished(
    exchange: Exchange,
    reply: Pick<Reply, 'status' | 'body'>,
    errorCode: string | undefined,
    streamed?: Streamed | undefined,
  ): void;
}

/** An answer that went out piece by piece. */
export interface Streamed {
  readonly bytes: number;
  /** Time at which its first piece was there, in milliseconds on the monotonic clock. */
  readonly answeredMs: number;
}

export interface RecorderDeps {
  readonly log: Log;
  readonly accessLog: boolean;
  readonly slowRequestMs: number;
  readonly meters: Meters | undefined;
  /** Requests end spans. */
  readonly isTraced: boolean;
  readonly clients: ClientAddresses;
}

export function createRecorder({ log, accessLog, slowRequestMs, meters, clients, isTraced }: RecorderDeps): Recorder {
  const writesAll = accessLog && log.enabled('info');
  const writesSlow = slowRequestMs > 0 && log.enabled('warn');
  const isOn = writesAll || writesSlow || meters !== undefined || isTraced;
  return {
    isOn,
    finished(exchange, reply, errorCode, streamed) {
      if (!isOn || exchange.isQuiet) return;
      const now = performance.now();
      const durationMs = now - exchange.startedMs;
      const answeredMs = (streamed?.answeredMs ?? now) - exchange.startedMs;
      const { call } = exchange;
      if (meters !== undefined) {
        const seconds = answeredMs / 1000;
        meters.requestFinished({ method: call.method, template: exchange.template, status: reply.status, seconds });
      }
      const { trace } = exchange;
      trace?.story?.answered(reply.status, reply.body, errorCode, now);
      if (trace?.isExported === true)
        trace.end(exchange.template ?? '__unmatched__', spanOf(exchange, reply.status), reply.status >= 500);
      if (!writesAll && !(writesSlow && answeredMs > slowRequestMs)) return;
      log.access({
        requestId: exchange.requestId,
        traceId: exchange.traceId,
        method: call.method,
        route: exchange.template,
        path: call.path,
        status: reply.status,
        durationMs,
        answeredMs,
        bytesIn: exchange.bytesIn,
        bytesOut: streamed?.bytes ?? bytesOf(reply.body),
        client: clients.address(call),
        userId: exchange.caller?.userId,
        target: exchange.target,
        attempts: exchange.attempts > 1 ? exchange.attempts : undefined,
        errorCode,
      });
    },
  };
}

/** Names follow the conventions of OpenTelemetry. The path itself is left out: it may hold what nobody should keep. */
export function spanOf(exchange: Exchange, status: number | undefined): Attributes {
  return {
    'http.request.method': exchange.call.method,
    'http.route': exchange.template,
    'http.response.status_code': status,
    'svc.target': exchange.target,
    'svc.request_id': exchange.requestId,
    'svc.attempts': exchange.attempts,
  };
}

function bytesOf(body: Reply['body']): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.length : 0;
}

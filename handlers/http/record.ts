import type { Log } from '../../core/log/log.ts';
import type { Reply } from '../call.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { Exchange } from './exchange.ts';

/** A finished request, for metrics. Label values are bounded: `template` is one of the route table's, or undefined. */
export interface FinishedCall {
  readonly method: string;
  readonly template: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

/** Writes down what became of each request (server.md 19.1). */
export interface Recorder {
  /** Whether anybody wants to know; decides whether the clock is read. */
  readonly isOn: boolean;
  finished(exchange: Exchange, reply: Reply, streamedBytes: number | undefined, errorCode: string | undefined): void;
}

export interface RecorderDeps {
  readonly log: Log;
  readonly accessLog: boolean;
  readonly slowRequestMs: number;
  readonly onFinished: ((call: FinishedCall) => void) | undefined;
  readonly clients: ClientAddresses;
}

export function createRecorder({ log, accessLog, slowRequestMs, onFinished, clients }: RecorderDeps): Recorder {
  const writesAll = accessLog && log.enabled('info');
  const writesSlow = slowRequestMs > 0 && log.enabled('warn');
  const isOn = writesAll || writesSlow || onFinished !== undefined;
  return {
    isOn,
    finished(exchange, reply, streamedBytes, errorCode) {
      if (!isOn || exchange.isQuiet) return;
      const durationMs = performance.now() - exchange.startedMs;
      const { call } = exchange;
      onFinished?.({
        method: call.method,
        template: exchange.template,
        status: reply.status,
        seconds: durationMs / 1000,
      });
      if (!writesAll && !(writesSlow && durationMs > slowRequestMs)) return;
      log.access({
        requestId: exchange.requestId,
        traceId: exchange.traceId,
        method: call.method,
        route: exchange.template,
        path: call.path,
        status: reply.status,
        durationMs,
        bytesIn: exchange.bytesIn,
        bytesOut: streamedBytes ?? bytesOf(reply.body),
        client: clients.address(call),
        userId: exchange.caller?.userId,
        target: exchange.target,
        attempts: exchange.attempts > 1 ? exchange.attempts : undefined,
        errorCode,
      });
    },
  };
}

function bytesOf(body: Reply['body']): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.length : 0;
}

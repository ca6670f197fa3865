import { randomUUID } from 'node:crypto';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Tracer } from '../../core/trace/trace.ts';
import { version } from '../version.ts';

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is left, before the process ends. */
  close(): Promise<void>;
}

const closeTimeoutMs = 3000;

/** Undefined when spans go nowhere. */
export async function openTracing({ project, scale }: Config, log: Log): Promise<Tracing | undefined> {
  const { traceEndpoint: endpoint, traceSampleRatio } = scale.logging;
  if (endpoint === '') return undefined;
  const [{ openTracer }, { openSpanQueue }] = await Promise.all([
    import('../../adapters/traces/open-tracer.ts'),
    import('../../adapters/traces/span-queue.ts'),
  ]);
  const resource = {
    'service.name': project.name || 'svc-app',
    'service.version': project.version,
    // Workers and hosts of one application are told apart by these.
    'service.instance.id': randomUUID(),
    'process.pid': process.pid,
    'telemetry.sdk.name': 'svc',
    'telemetry.sdk.version': version,
  };
  const queue = openSpanQueue({ endpoint, resource, warn: log.warn });
  return { tracer: openTracer(queue, traceSampleRatio), close: () => queue.close(closeTimeoutMs) };
}

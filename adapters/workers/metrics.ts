/** Counters of the workers, joined through the primary process when one of them is scraped (docs/server/observability.md#metrics). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MetricsSnapshot } from '../metrics/expose.ts';
import type { Channel } from './channel.ts';

/** A worker that does not answer in time is left out: it is stopped or far too busy, and counted the next time. */
const longestWaitMs = 2000;

/** The primary's part: asks all that serve, and gives what they say in their order. */
export function answerMetrics(worker: Channel, serving: () => readonly Channel[]): void {
  worker.on('metrics', async () => {
    const timeout = new AbortController();
    const late = sleep(longestWaitMs, undefined, { signal: timeout.signal }).catch(() => undefined);
    const asked = serving().map((one) => {
      const answer = one.ask<MetricsSnapshot>('snapshot').catch(() => undefined);
      return Promise.race([answer, late]);
    });
    const snapshots = await Promise.all(asked);
    timeout.abort();
    return snapshots.filter((snapshot) => snapshot !== undefined);
  });
}

/** A worker's part: its own numbers when the primary process asks, those of all when it is scraped. */
export function joinMetrics(
  primary: Channel,
  own: () => Promise<MetricsSnapshot>,
): () => Promise<readonly MetricsSnapshot[]> {
  primary.on('snapshot', own);
  return () => primary.ask<readonly MetricsSnapshot[]>('metrics');
}

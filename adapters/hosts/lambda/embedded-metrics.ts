/**
 * Metrics of functions: records in the log that CloudWatch reads as metrics (docs/cloud.md#what-is-different-there,
 * decisions/0050), under the names a scrape would have.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
import type { Config } from '../../../core/config/config.ts';
import type { Meters } from '../../../core/metrics/meters.ts';
import { maxMetricValues } from '../../../core/platforms/aws-limits.ts';
import { createPathLabels, methodLabel } from '../../metrics/labels.ts';

export interface EmbeddedMetrics {
  readonly meters: Meters;
  /** Writes what was counted since the last time, a record for each set of labels. */
  flush(): void;
}

export interface EmbeddedMetricsOptions {
  readonly settings: Pick<Config['scale']['metrics'], 'namespace' | 'walkerMetrics' | 'maxPaths'>;
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

/** Counter of one set of labels. */
interface Counted {
  readonly labels: Labels;
  readonly counts: Map<string, number>;
  readonly seconds: Map<string, number[]>;
}

type Labels = Readonly<Record<string, string>>;

export function createEmbeddedMetrics({ settings, write, nowMs }: EmbeddedMetricsOptions): EmbeddedMetrics {
  const { namespace, walkerMetrics, maxPaths } = settings;
  const pathLabel = createPathLabels(maxPaths);
  let counted = new Map<string, Counted>();

  function of(labels: Labels): Counted {
    const key = JSON.stringify(labels);
    let found = counted.get(key);
    if (found === undefined) counted.set(key, (found = { labels, counts: new Map(), seconds: new Map() }));
    return found;
  }

  function count(name: string, labels: Labels = {}): void {
    const { counts } = of(labels);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  function time(name: string, labels: Labels, seconds: number): void {
    const one = of(labels);
    const values = one.seconds.get(name);
    if (values === undefined) one.seconds.set(name, [seconds]);
    else if (values.push(seconds) === maxMetricValues) flush();
  }

  function flush(): void {
    if (counted.size === 0) return;
    const all = counted;
    counted = new Map();
    for (const one of all.values()) write(`${JSON.stringify(recordOf(one, namespace, nowMs()))}\n`);
  }

  return {
    flush,
    meters: {
      // An instance has one call at a time, and the gateway the connections: it knows better how many there are.
      requestRuns() {},
      socketOpened() {},
      socketClosed() {},
      // There are neither live subscriptions nor topics here.
      liveRan() {},
      liveSubscribed() {},
      liveDelivered() {},
      topicSent() {},
      topicJoined() {},
      topicEvent() {},
      requestFinished({ method: given, template, status, seconds }) {
        const [method, path] = [methodLabel(given), pathLabel(template)];
        count('http_requests_total', { method, path, status_code: String(status) });
        time('http_request_duration_seconds', { method, path }, seconds);
      },
      walkerRan: walkerMetrics
        ? (walker, isSuccess, seconds) =>
            time('walker_duration_seconds', { walker_name: walker, success: String(isSuccess) }, seconds)
        : undefined,
      committed(outcome, seconds) {
        count('commits_total', { outcome });
        time('commit_duration_seconds', {}, seconds);
      },
      replayed: () => count('replays_total'),
      readConflict: () => count('read_conflicts_total'),
      cacheAsked: (isHit) => count('cache_requests_total', { tier: 'l2', result: isHit ? 'hit' : 'miss' }),
      socketMessage: (target, outcome) => count('ws_messages_total', { target, outcome }),
      broadcast: (target) => count('ws_broadcasts_total', { target }),
      sendFailed: (target, reason) => count('ws_send_failures_total', { target, reason }),
      webhookAnswered: (walker, outcome) => count('webhook_requests_total', { walker_name: walker, outcome }),
      authEvent: (event, outcome) => count('auth_events_total', { event, outcome }),
      rateLimited: (scope) => count('rate_limited_total', { scope }),
      uncaughtError: (origin, effect) => count('uncaught_errors_total', { origin, effect }),
    },
  };
}

function recordOf({ labels, counts, seconds }: Counted, namespace: string, timestamp: number): object {
  const values = Object.fromEntries(
    [...counts, ...seconds].map(([name, value]) => [`${namespace}_${name}`, value] as const),
  );
  const metrics = [
    ...[...counts.keys()].map((name) => ({ Name: `${namespace}_${name}`, Unit: 'Count' })),
    ...[...seconds.keys()].map((name) => ({ Name: `${namespace}_${name}`, Unit: 'Seconds' })),
  ];
  const directive = { Namespace: namespace, Dimensions: [Object.keys(labels)], Metrics: metrics };
  return { _aws: { Timestamp: timestamp, CloudWatchMetrics: [directive] }, ...labels, ...values };
}

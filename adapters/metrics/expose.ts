/** The text a scraper gets (docs/server/observability.md#metrics), of one process or of several together. */
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { MetricsFormat } from '../../handlers/http/metrics-route.ts';

/** Counters of one process. Plain data: it survives JSON and messages between processes. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/**
 * Joins what several processes counted: counters, histograms and gauges are summed; `build_info` and what describes a process is that of
 * the first; delays are averaged.
 */
export function exposeMetrics(snapshots: readonly MetricsSnapshot[], format: MetricsFormat): Promise<string> {
  const isOpen = format === 'openmetrics';
  const prepared = snapshots.map((snapshot) => snapshot.map((metric) => prepare(metric, isOpen)));
  const type = isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
  return aggregate(prepared, type).metrics();
}

// The method takes a second parameter that its declared type leaves out.
const aggregate = AggregatorRegistry.aggregate as (snapshots: MetricsSnapshot[], contentType: string) => Registry;

type Metric = MetricsSnapshot[number];

function prepare(metric: Metric, isOpen: boolean): Metric {
  // The library leaves out what cannot be summed, also when there is nothing to sum.
  const aggregator = (metric.aggregator as string) === 'omit' ? 'first' : metric.aggregator;
  // The library adds the suffix of counters itself in this format, and would add it twice.
  const name = isOpen && isCounter(metric) ? metric.name.replace(/_total$/, '') : metric.name;
  return { ...metric, name, aggregator };
}

function isCounter({ type }: Metric): boolean {
  return (type as unknown as string) === 'counter';
}

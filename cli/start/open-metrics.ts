import type { Config } from '../../core/config/config.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { MetricsFormat } from '../../handlers/http/metrics-route.ts';

/** What is counted in this process, and what its scrape endpoint says. */
export interface ServedMetrics {
  readonly meters: Meters;
  expose(format: MetricsFormat): Promise<string>;
}

/** Undefined when metrics are off: then the library behind them is not even loaded. */
export async function openServedMetrics(config: Config, store: string): Promise<ServedMetrics | undefined> {
  const settings = config.scale.metrics;
  if (!settings.enabled) return undefined;
  const [{ openMetrics }, { exposeMetrics }] = await Promise.all([
    import('../../adapters/metrics/open-metrics.ts'),
    import('../../adapters/metrics/expose.ts'),
  ]);
  const { meters, snapshot } = openMetrics({ settings, version: config.project.version, store });
  return { meters, expose: async (format) => exposeMetrics([await snapshot()], format) };
}

import type { MetricsSnapshot } from '../../adapters/metrics/expose.ts';
import type { Config } from '../../core/config/config.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { MetricsFormat } from '../../handlers/http/metrics-route.ts';

/** Counters of this process, and the text of its scrape endpoint, if it has one. */
export interface ServedMetrics {
  readonly meters: Meters;
  readonly expose: ((format: MetricsFormat) => Promise<string>) | undefined;
}

/** Takes how this process tells what it counted; gives how to learn what all processes did. */
export type JoinMetrics = (own: () => Promise<MetricsSnapshot>) => () => Promise<readonly MetricsSnapshot[]>;

const alone: JoinMetrics = (own) => async () => [await own()];

/** Undefined when metrics are off: then the library behind them is not even loaded. */
export async function openServedMetrics(
  config: Config,
  store: string,
  join: JoinMetrics = alone,
): Promise<ServedMetrics | undefined> {
  const settings = config.scale.metrics;
  if (!settings.enabled) return undefined;
  const [{ openMetrics }, { exposeMetrics }] = await Promise.all([
    import('../../adapters/metrics/open-metrics.ts'),
    import('../../adapters/metrics/expose.ts'),
  ]);
  const { meters, snapshot } = openMetrics({ settings, version: config.project.version, store });
  const collect = join(snapshot);
  return { meters, expose: async (format) => exposeMetrics(await collect(), format) };
}

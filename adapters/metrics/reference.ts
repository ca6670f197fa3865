import { defaultConfig } from '../../core/config/resolve.ts';
import { openMetrics } from './open-metrics.ts';

/** The reference page of metrics, from the counters themselves. */
export async function metricsReference(): Promise<string> {
  const settings = {
    ...defaultConfig('test').scale.metrics,
    namespace: 'NS',
    walkerMetrics: true,
    processMetrics: false,
  };
  const { families } = openMetrics({ settings, version: '', store: '' });
  const rows = families().map(
    ({ name, type, labelNames, help }) =>
      `| \`${name.replace(/^NS_/, '')}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return [
    '# Metrics',
    '',
    'What `GET /metrics` shows when `[plugins.scale.metrics] enabled = true`; without it nothing is counted and there is no such endpoint. Each',
    'name begins with the namespace, `svc_scale_` unless configured. Metrics of walkers need `walker_metrics`; beside these there are',
    '`process_*` and `nodejs_*`. Paths are templates of routes, never what was asked for: `__unmatched__` has no route, `__page__` is a page,',
    '`__other__` is what came after `max_paths` others. What the values mean exactly: [reference](../server/observability.md#metric-values).',
    '',
    'Who may read: everybody in development; in production scrapers of a private network that come without a proxy, and accounts with the role',
    '`admin`; with `token` set only who sends it as a bearer token, and admins.',
    '',
    '| Name | Type | Labels | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

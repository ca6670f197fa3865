import { entryFile } from './apps.ts';
import type { Config, ConfigPath } from './config.ts';
import { defaultWebhookSecret } from './options.ts';
import type { Source } from './source.ts';

/** Fills in what depends on other keys. Values that are empty in the file come out as what they stand for. */
export function derive(raw: Config, known: { sourceOf: (path: ConfigPath) => Source; isTerminal: boolean }): Config {
  const { sourceOf } = known;
  const inProduction = raw.mode === 'production';
  const { server, orchestrator, cloud } = raw.scale;
  const appName = orchestrator.appName || raw.project.name || 'svc-app';
  return {
    ...raw,
    project: { ...raw.project, entryPoint: entryFile(raw.project.entryPoint) },
    serve: {
      ...raw.serve,
      host: sourceOf('serve.host') === 'default' && server.host !== '' ? server.host : raw.serve.host,
      port: sourceOf('serve.port') === 'default' && server.port !== 0 ? server.port : raw.serve.port,
      baseUrl: raw.serve.baseUrl.replace(/\/+$/, ''),
      graphView: raw.serve.graphView || (inProduction ? 'off' : 'on'),
    },
    scale: {
      ...raw.scale,
      webhook: { ...raw.scale.webhook, secret: usableWebhookSecret(raw) },
      metrics: { ...raw.scale.metrics, namespace: metricsNamespace(raw, sourceOf) },
      logging: {
        ...raw.scale.logging,
        format: raw.scale.logging.format || (inProduction || !known.isTerminal ? 'json' : 'text'),
      },
      orchestrator: { ...orchestrator, appName },
      database: { ...raw.scale.database, dynamodbTablePrefix: raw.scale.database.dynamodbTablePrefix || `${appName}-` },
      cloud: {
        ...cloud,
        region: cloud.region || 'us-east-1',
        stackName: cloud.stackName || `${appName}-${cloud.stage}`,
      },
    },
  };
}

/** The built-in default counts as not configured and verifies nothing (docs/server/configuration.md#default-secrets). */
function usableWebhookSecret({ scale: { webhook } }: Config): string {
  return webhook.secret === defaultWebhookSecret ? '' : webhook.secret;
}

/** docs/server/observability.md#metric-names. */
function metricsNamespace(config: Config, sourceOf: (path: ConfigPath) => Source): string {
  const explicit = config.scale.metrics.namespace;
  if (explicit !== '') return sanitizeMetricName(explicit);
  const namespace = config.scale.orchestrator.namespace;
  return sourceOf('scale.orchestrator.namespace') === 'default' ? 'svc_scale' : sanitizeMetricName(namespace);
}

function sanitizeMetricName(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  if (clean === '') return 'svc_scale';
  return /^[0-9]/.test(clean) ? `_${clean}` : clean;
}

import type { DeployedApp } from '../deployment.ts';
import type { Metadata } from '../kubernetes.ts';

export type Component = 'app' | 'docdb' | 'kvcache';

/** Labels and annotations of every object (docs/server/orchestrator.md#objects). */
export function metadataOf(app: DeployedApp, suffix = ''): Metadata {
  return {
    name: app.name + suffix,
    namespace: app.settings.namespace,
    labels: {
      ...ownLabels(app),
      'app.kubernetes.io/name': app.name,
      'app.kubernetes.io/managed-by': 'svc-scale',
      'app.kubernetes.io/version': labelText(app.version),
    },
    annotations: { 'svc.dev/source-digest': app.sourceDigest },
  };
}

export function ownLabels({ name }: DeployedApp): Readonly<Record<string, string>> {
  return { app: name, managed: 'svc-scale' };
}

/** Gives the labels by which services and workloads find the pods of a component. */
export function selectorOf({ name }: DeployedApp, component: Component): Readonly<Record<string, string>> {
  return { app: name, 'svc.dev/component': component };
}

/** The nearest text that may be the value of a label. */
function labelText(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, 63)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
}

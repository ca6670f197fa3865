import type { DeployedApp } from '../deployment.ts';
import type { Metadata } from '../kubernetes.ts';

export type Component = 'app' | 'docdb' | 'kvcache';

/** Labels and annotations of every object (docs/server/orchestrator.md#objects). */
export function metadataOf(app: DeployedApp, suffix = ''): Metadata {
  return {
    name: app.name + suffix,
    namespace: app.settings.namespace,
    labels: labelsOf(app.name, app.version),
    annotations: { 'svc.dev/source-digest': app.sourceDigest },
  };
}

/** Labels of an object. `version`: absent for what belongs to no version of the application. */
export function labelsOf(name: string, version?: string): Readonly<Record<string, string>> {
  return {
    ...ownLabels({ name }),
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/managed-by': 'svc-scale',
    ...(version === undefined ? {} : { 'app.kubernetes.io/version': labelText(version) }),
  };
}

export function ownLabels({ name }: Pick<DeployedApp, 'name'>): Readonly<Record<string, string>> {
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

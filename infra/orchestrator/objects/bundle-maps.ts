import type { DeployedApp } from '../deployment.ts';
import type { ConfigMap } from '../kubernetes.ts';
import { metadataOf } from './metadata.ts';

/** `A-bundle-<n>`: a part of the bundle each, in the order of their names (docs/server/orchestrator.md#bundle). */
export function bundleMaps(app: DeployedApp): ConfigMap[] {
  if (app.source.kind !== 'bundle') return [];
  return app.source.parts.map((part, at) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(app, `-bundle-${at + 1}`),
    binaries: { [`part-${String(at + 1).padStart(2, '0')}`]: part },
  }));
}

export function bundleNames(app: string, parts: readonly unknown[]): string[] {
  return parts.map((_, at) => `${app}-bundle-${at + 1}`);
}

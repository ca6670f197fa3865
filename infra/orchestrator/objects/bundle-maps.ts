import type { AppSource, DeployedApp } from '../deployment.ts';
import type { ConfigMap } from '../kubernetes.ts';
import { metadataOf } from './metadata.ts';

/**
 * `A-bundle-<digest>-<n>`: a part of the bundle each, in the order of their names (docs/server/orchestrator.md#bundle). Another bundle
 * has other names, so that pods of the version before can still start while, and after, it is replaced.
 */
export function bundleMaps(app: DeployedApp): ConfigMap[] {
  const { name, source } = app;
  if (source.kind !== 'bundle') return [];
  return source.parts.map((part, at) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(app, bundleNames(name, source)[at]!.slice(name.length)),
    binaries: { [`part-${String(at + 1).padStart(2, '0')}`]: part },
  }));
}

export function bundleNames(app: string, { parts, sha256 }: AppSource & { kind: 'bundle' }): string[] {
  return parts.map((_, at) => `${app}-bundle-${sha256.slice(0, 10)}-${at + 1}`);
}

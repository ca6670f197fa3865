/** A deployment as data (docs/server/orchestrator.md): every object, in the order they are to be applied. Pure. */
import type { DeployedApp } from './deployment.ts';
import type { KubeObject } from './kubernetes.ts';
import { bundleMaps } from './objects/bundle-maps.ts';
import { databaseObjects } from './objects/databases.ts';
import { appSecrets } from './objects/secrets.ts';
import { dataClaim, deployment, disruptionBudget, service, serviceAccount } from './objects/workload.ts';

export function makePlan(app: DeployedApp): readonly KubeObject[] {
  const { storageSize, replicas } = app.settings;
  return [
    serviceAccount(app),
    ...databaseObjects(app),
    ...appSecrets(app),
    ...bundleMaps(app),
    ...(storageSize === '' ? [] : [dataClaim(app)]),
    service(app),
    ...(replicas > 1 ? [disruptionBudget(app)] : []),
    deployment(app),
  ];
}

/** Images of a plan that a tag names, which may mean another image tomorrow. */
export function unpinnedImages(plan: readonly KubeObject[]): string[] {
  const images = plan.flatMap((object) => {
    if (object.kind !== 'Deployment' && object.kind !== 'StatefulSet') return [];
    const { initContainers = [], containers } = object.spec.template.spec;
    return [...initContainers, ...containers].map(({ image }) => image);
  });
  return [...new Set(images)].filter((image) => !image.includes('@sha256:'));
}

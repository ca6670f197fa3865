/** A deployment as data (docs/server/orchestrator.md): every object, in the order they are to be applied. Pure. */
import type { DeployedApp } from './deployment.ts';
import type { KubeObject } from './kubernetes.ts';
import { bundleMaps } from './objects/bundle-maps.ts';
import { databaseObjects } from './objects/databases.ts';
import { appSecrets } from './objects/secrets.ts';
import {
  autoscaler,
  dataClaim,
  deployment,
  disruptionBudget,
  ingress,
  isAutoscaled,
  service,
  serviceAccount,
} from './objects/workload.ts';

export function makePlan(app: DeployedApp): readonly KubeObject[] {
  const { storageSize, replicas, host, autoscale } = app.settings;
  return [
    serviceAccount(app),
    ...databaseObjects(app),
    ...appSecrets(app),
    ...bundleMaps(app),
    ...(storageSize === '' ? [] : [dataClaim(app)]),
    service(app),
    ...((isAutoscaled(app) ? autoscale.min : replicas) > 1 ? [disruptionBudget(app)] : []),
    ...(host === '' ? [] : [ingress(app)]),
    deployment(app),
    ...(isAutoscaled(app) ? [autoscaler(app)] : []),
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

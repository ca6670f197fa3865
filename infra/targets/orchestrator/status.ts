/** The state of a deployment, and how it differs from what was applied. */
import type { LiveObject } from '../../cluster/kinds.ts';
import type { DeployStatus, PodStatus } from '../target.ts';
import { addressOf } from './address.ts';
import { changedFields } from './changed-fields.ts';
import { forObject } from './failures.ts';
import { sendApply } from './find-changes.ts';
import { type Place, shownName, shownPlace } from './place.ts';
import { stateOfPod, troubleOfPod } from './pod-troubles.ts';
import { readRevisions, type StoredRevision } from './revisions.ts';
import { countsOf, isRolledOut } from './wait-rollout.ts';
import { withGenerated } from './wire.ts';

export async function readStatus(place: Place): Promise<DeployStatus> {
  const { client, namespace, app } = place;
  return await forObject(place, app, async () => {
    const [revisions, deployment, pods] = await Promise.all([
      readRevisions(place),
      client.get('Deployment', namespace, app),
      client.list('Pod', namespace, { labelSelector: `app=${app},svc.dev/component=app` }),
    ]);
    const [revision] = revisions;
    const { wanted, updated, ready } =
      deployment === undefined ? { wanted: 0, updated: 0, ready: 0 } : countsOf(deployment);
    return {
      name: app,
      place: shownPlace(place),
      revision: revision === undefined || deployment === undefined ? undefined : withoutObjects(revision),
      version: deployment?.metadata.labels?.['app.kubernetes.io/version'] ?? '',
      digest: deployment?.metadata.annotations?.['svc.dev/source-digest'] ?? '',
      replicas: { wanted, updated, ready: Math.min(ready, wanted) },
      isHealthy: deployment !== undefined && isRolledOut(deployment),
      url: deployment === undefined ? undefined : await addressOf(place),
      since: revision?.time ?? deployment?.metadata.creationTimestamp ?? '',
      pods: pods.map(podStatus),
      lastError: pods.flatMap((pod) => troubleOfPod(pod)?.text ?? [])[0],
      drift: deployment === undefined || revision === undefined ? [] : await findDrift(place, revision),
      revisions: revisions.map(withoutObjects),
    };
  });
}

export function withoutObjects({ objects: _, bundle: __, ...revision }: StoredRevision) {
  return revision;
}

function podStatus(pod: LiveObject): PodStatus {
  const statuses: any[] = pod.status?.containerStatuses ?? [];
  return {
    kind: 'pod',
    name: pod.metadata.name,
    state: stateOfPod(pod),
    restarts: statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    since: pod.status?.startTime ?? pod.metadata.creationTimestamp ?? '',
  };
}

/** Fields that an apply of the last revision would change, and objects that it would make anew. */
async function findDrift(place: Place, { objects }: StoredRevision): Promise<string[]> {
  const found: string[] = [];
  for (const object of objects) {
    const live = await place.client.get(object.kind, place.namespace, object.metadata.name);
    if (live === undefined) {
      found.push(`${shownName(object)}: is gone`);
      continue;
    }
    const next = await sendApply(place, object, await withGenerated(place, object), { adopt: true, dryRun: true });
    for (const { path, from, to } of changedFields(live, next))
      found.push(`${shownName(object)}: ${path} is ${from ?? 'absent'}, was applied as ${to ?? 'absent'}`);
  }
  return found;
}

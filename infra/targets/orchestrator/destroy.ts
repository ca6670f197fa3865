/** The end of a deployment: what is its own goes, in an order in which nothing is left without what it needs; data stay unless asked for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeError } from '../../cluster/client.ts';
import type { LiveObject } from '../../cluster/kinds.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { DestroyPlan, DestroyRequest, Progress } from '../target.ts';
import { forObject } from './failures.ts';
import { withLease } from './lease.ts';
import { ownKinds, ownObjects, ownSelector, type Place, shownName, shownPlace } from './place.ts';
import { requireRights, rightsOf } from './rights.ts';

export interface OrchestratorDestroyPlan extends DestroyPlan {
  readonly objects: readonly LiveObject[];
  readonly isWhole: boolean;
}

export async function planDestroy(place: Place, request: DestroyRequest): Promise<OrchestratorDestroyPlan> {
  const all = (await forObject(place, place.app, () => ownObjects(place))).filter((object) =>
    isOfComponent(object, place, request.component),
  );
  const claims = all.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  const keepsData = claims.length > 0 && !request.purgeData;
  const isKept = (object: LiveObject) => keepsData && holdsData(object);
  const inOrder = (objects: readonly LiveObject[]) =>
    ownKinds.flatMap((kind) => objects.filter((object) => object.kind === kind));
  const objects = inOrder(all.filter((object) => !isKept(object)));
  return {
    place: shownPlace(place),
    objects,
    deleted: objects.map(shownName),
    kept: inOrder(all.filter(isKept)).map(shownName),
    isWhole: request.component === 'all',
  };
}

/** Volumes, and the passwords without which they would be useless. */
function holdsData({ kind, metadata }: LiveObject): boolean {
  return kind === 'PersistentVolumeClaim' || (kind === 'Secret' && metadata.name.endsWith('-auth'));
}

/** Everything that does not belong to a database is the application's. */
function isOfComponent(
  { metadata: { name } }: LiveObject,
  { app }: Place,
  component: DestroyRequest['component'],
): boolean {
  if (component === 'all') return true;
  const database = ['docdb', 'kvcache'].find(
    (one) => name === `${app}-${one}` || name.startsWith(`${app}-${one}-`) || name.startsWith(`data-${app}-${one}-`),
  );
  return database === undefined ? component === 'application' : component === database;
}

/** @throws DeployFailure that lists what remains */
export async function destroy(
  place: Place,
  plan: OrchestratorDestroyPlan,
  who: string,
  progress: Progress,
): Promise<void> {
  const kinds = [...new Set(plan.objects.map(({ kind }) => kind))];
  progress.begin(3 + (plan.isWhole ? 1 : 0));
  await progress.step('check rights', () =>
    requireRights(place, [
      ...kinds.flatMap((kind) => rightsOf(kind, ['list', 'delete'])),
      ...rightsOf('Pod', ['list']),
      ...rightsOf('Lease', ['get', 'create', 'update', 'delete']),
    ]),
  );
  await withLease(place, who, async (own) => {
    await progress.step('delete objects', () => deleteAll(own, plan.objects, progress));
    await progress.step('wait for pods to end', () => waitForPods(own, plan.isWhole, progress));
  });
  if (plan.isWhole) await progress.step('delete the namespace if it is ours and empty', () => deleteNamespace(place));
}

async function deleteAll(place: Place, objects: readonly LiveObject[], progress: Progress): Promise<void> {
  const failed: string[] = [];
  for (const object of objects) {
    const { kind, metadata } = object;
    progress.detail(shownName(object));
    try {
      // The very object that was shown: not one of the same name that somebody made since.
      const body = { propagationPolicy: 'Background', preconditions: { uid: metadata.uid } };
      await place.client.remove(kind, place.namespace, metadata.name, body);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      failed.push(`${shownName(object)}: ${error.message}`);
    }
  }
  if (failed.length === 0) return;
  throw new DeployFailure('failed', `${failed.length} of ${objects.length} objects remain`, {
    output: failed,
    hints: ['run the command again: it goes on with what is left'],
  });
}

async function waitForPods(place: Place, isWhole: boolean, progress: Progress): Promise<void> {
  for (let waited = 0; waited < 120; waited++) {
    const pods = await place.client.list('Pod', place.namespace, ownSelector(place));
    const ending = isWhole ? pods : pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    if (ending.length === 0) return;
    progress.detail(`${ending.length} left`);
    await sleep(1000, undefined, { signal: place.signal });
  }
  throw new DeployFailure('failed', 'pods are still there after 120 s', { hints: ['run the command again'] });
}

/** Only one that a deployment made, and that holds nothing of anybody. */
async function deleteNamespace({ client, namespace }: Place): Promise<void> {
  try {
    const there = await client.get('Namespace', '', namespace);
    if (there?.metadata.labels?.['svc.dev/created-by'] !== 'svc-scale') return;
    const kinds = [...ownKinds, 'ReplicaSet', 'Pod', 'Lease'];
    const left = (await Promise.all(kinds.map((kind) => client.list(kind, namespace)))).flat();
    const inhabited = left.some(
      ({ kind, metadata }) =>
        !(kind === 'ConfigMap' && metadata.name === 'kube-root-ca.crt') &&
        !(kind === 'ServiceAccount' && metadata.name === 'default'),
    );
    if (!inhabited) await client.remove('Namespace', '', namespace);
  } catch (error) {
    // Who may not see or delete namespaces leaves it.
    if (!(error instanceof KubeError) || error.status !== 403) throw error;
  }
}

/** The end of a deployment: what is its own goes, in an order in which nothing is left without what it needs; data stay unless asked for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeError } from '../../cluster/client.ts';
import type { LiveObject } from '../../cluster/kinds.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { DestroyPlan, DestroyRequest, Progress } from '../target.ts';
import { deleteNamespace } from './empty-namespace.ts';
import { forObject } from './failures.ts';
import { withLease } from './lease.ts';
import { ownKinds, ownObjects, ownSelector, type Place, shownName, shownPlace } from './place.ts';
import { requireRights, rightsOf } from './rights.ts';

const waitSeconds = 120;

type Component = DestroyRequest['component'];

export interface OrchestratorDestroyPlan extends DestroyPlan {
  readonly objects: readonly LiveObject[];
  readonly component: Component;
}

export async function planDestroy(
  place: Place,
  { component, purgeData }: DestroyRequest,
): Promise<OrchestratorDestroyPlan> {
  const all = await forObject(place, place.app, () => ownObjects(place));
  const isAsked = (object: LiveObject) => component === 'all' || componentOf(object, place) === component;
  const isClaim = ({ kind }: LiveObject) => kind === 'PersistentVolumeClaim';
  const staying = all.filter((object) => isClaim(object) && !(purgeData && isAsked(object)));
  // The keys of the application are those of everything that is stored.
  const isKept = (object: LiveObject) =>
    staying.includes(object) ||
    (isPassword(object) &&
      staying.some((claim) => ['application', componentOf(claim, place)].includes(componentOf(object, place))));
  // Databases last, while pods that are still ending may need them.
  const inOrder = (objects: readonly LiveObject[]) =>
    [true, false].flatMap((isFirst) =>
      ownKinds.flatMap((kind) =>
        objects.filter((object) => object.kind === kind && (componentOf(object, place) === 'application') === isFirst),
      ),
    );
  const asked = all.filter(isAsked);
  const leaves = new Set(all.filter((object) => !isAsked(object)).map(({ kind }) => kind));
  // Pods of databases run as the account of the application.
  const isShared = ({ kind }: LiveObject) => kind === 'ServiceAccount' && leaves.has('StatefulSet');
  const objects = inOrder(asked.filter((object) => !isKept(object) && !isShared(object)));
  return {
    ...{ place: shownPlace(place), objects, component },
    deleted: objects.map(shownName),
    kept: inOrder(asked.filter(isKept)).map(shownName),
  };
}

function isPassword({ kind, metadata }: LiveObject): boolean {
  return kind === 'Secret' && metadata.name.endsWith('-auth');
}

/** Everything that does not belong to a database is the application's. */
function componentOf({ metadata: { name } }: LiveObject, { app }: Place): Exclude<Component, 'all'> {
  const database = (['docdb', 'kvcache'] as const).find(
    (one) => name === `${app}-${one}` || name.startsWith(`${app}-${one}-`) || name.startsWith(`data-${app}-${one}-`),
  );
  return database ?? 'application';
}

/** @throws DeployFailure that lists what remains */
export async function destroy(
  place: Place,
  plan: OrchestratorDestroyPlan,
  who: string,
  progress: Progress,
): Promise<void> {
  const kinds = [...new Set(plan.objects.map(({ kind }) => kind))];
  const isWhole = plan.component === 'all';
  progress.begin(isWhole ? 4 : 3);
  await progress.step('check rights', () =>
    requireRights(place, [
      ...kinds.flatMap((kind) => rightsOf(kind, ['list', 'delete'])),
      ...rightsOf('Pod', ['list']),
      ...rightsOf('PersistentVolumeClaim', ['list']),
      ...rightsOf('Lease', ['get', 'create', 'update', 'delete']),
    ]),
  );
  await withLease(place, who, async (own) => {
    await progress.step('delete objects', () => deleteAll(own, plan.objects, progress));
    await progress.step('wait for pods to end', () => waitForEnd(own, plan, progress));
  });
  if (isWhole) await progress.step('delete the namespace if it is ours and empty', () => deleteNamespace(place));
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

/** Pods, and volumes that go with them: one that is still ending would be taken for that of the next deployment. */
async function waitForEnd(
  place: Place,
  { component, objects }: OrchestratorDestroyPlan,
  progress: Progress,
): Promise<void> {
  const { labelSelector } = ownSelector(place);
  const label = component === 'application' ? 'app' : component;
  const query = { labelSelector: component === 'all' ? labelSelector! : `${labelSelector},svc.dev/component=${label}` };
  const deleted = new Set(objects.map(({ metadata }) => metadata.uid));
  let left: readonly LiveObject[] = [];
  for (let waited = 0; waited < waitSeconds; waited++) {
    const pods = await place.client.list('Pod', place.namespace, query);
    const claims = await ownObjects(place, ['PersistentVolumeClaim']);
    left = [...pods, ...claims.filter(({ metadata }) => deleted.has(metadata.uid))];
    if (left.length === 0) return;
    progress.detail(`${left.length} left`);
    await sleep(1000, undefined, { signal: place.signal });
  }
  throw new DeployFailure('failed', `${left.length} objects are still there after ${waitSeconds} s`, {
    output: left.map(shownName),
    hints: ['run the command again: it goes on with what is left'],
  });
}

/** Application of a plan: what is wanted in order, the wait for it to serve, and then the end of what it replaces. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type LiveObject, pathOf } from '../../cluster/kinds.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { KubeObject } from '../../orchestrator/kubernetes.ts';
import type { ApplyRequest, Deployed, Progress } from '../target.ts';
import { addressOf } from './address.ts';
import { forObject } from './failures.ts';
import { type OrchestratorPlan, sendApply } from './find-changes.ts';
import { withLease } from './lease.ts';
import { ownObjects, type Place, shownName, shownPlace } from './place.ts';
import { dropsReplicas, handOverReplicas } from './replicas.ts';
import { bundlesOf, nextNumber, readRevisions, storedObjects, writeRevision } from './revisions.ts';
import { requireRights } from './rights.ts';
import { isRolledOut, type Wait, waitForDatabase, waitForDeployment } from './wait-rollout.ts';
import { wireObject } from './wire.ts';

export interface RolloutSettings {
  /** Takes fields over that another tool has set. */
  readonly adopt: boolean;
  /** Name and machine of who deploys. */
  readonly who: string;
  readonly timeoutMs: number;
  /** `svc rollback main.svc`: how to go back. */
  readonly goBack: string;
}

export async function applyPlan(
  place: Place,
  plan: OrchestratorPlan,
  request: ApplyRequest,
  settings: RolloutSettings,
  progress: Progress,
): Promise<Deployed> {
  refuseDataLoss(plan, request);
  const databases = plan.wanted.filter(({ kind }) => kind === 'StatefulSet').map(componentOf);
  progress.begin(5 + (plan.hasNamespace ? 0 : 1) + databases.length + (plan.stale.length > 0 ? 1 : 0));
  await progress.step('check rights', () => requireRights(place, plan.needed));
  if (!plan.hasNamespace) await progress.step(`create namespace ${place.namespace}`, () => makeNamespace(place));
  return await withLease(place, settings.who, async (own) => {
    const { early, late } = inTurns(plan.wanted);
    await progress.step('apply databases, secrets and volumes', () => applyAll(own, plan, early, settings, progress));
    for (const component of databases)
      await progress.step(`wait for ${component}`, () =>
        forObject(own, `StatefulSet ${own.app}-${component}`, () => waitForDatabase(own, component, progress.detail)),
      );
    await progress.step('apply the application', async () => {
      // An autoscaler would change the number of pods that is said now.
      await deleteStale(own, plan.stale.filter(isAutoscaler));
      await applyAll(own, plan, late, settings, progress);
    });
    await progress.step('wait for the rollout', () =>
      forObject(own, `Deployment ${own.app}`, async () => {
        const isFirst = (await readRevisions(own)).length === 0;
        await waitForDeployment(own, waitOf(plan.wanted, isFirst, settings, progress));
      }),
    );
    if (plan.stale.length > 0)
      await progress.step('delete what is no longer wanted', () => deleteStale(own, plan.stale));
    await progress.step('remember this revision', () => remember(own, plan, request, settings));
    return { place: shownPlace(place), url: await addressOf(own), notes: [] };
  });
}

/** True when the plan changes nothing and what it wants has been serving since a deployment that ended well. */
export async function isUpToDate(place: Place, plan: OrchestratorPlan): Promise<boolean> {
  if (plan.changes.some(({ kind }) => kind !== 'keep')) return false;
  const deployment = await place.client.get('Deployment', place.namespace, place.app);
  const [last] = await readRevisions(place);
  return deployment !== undefined && isRolledOut(deployment) && last?.planDigest === plan.digest;
}

/** `objects`: what is applied; `isFirst`: nothing has ever served. */
export function waitOf(
  objects: readonly { readonly kind: string }[],
  isFirst: boolean,
  { timeoutMs, goBack }: RolloutSettings,
  progress: Progress,
): Wait {
  const isStopped = objects.some(
    (object) => object.kind === 'Deployment' && (object as any).spec.strategy.type === 'Recreate',
  );
  const before = isStopped
    ? 'the version before was stopped, because its volume admits one pod'
    : 'the version before keeps serving';
  return { timeoutMs, hints: isFirst ? [] : [`${before}; ${goBack} goes back to it`], detail: progress.detail };
}

function refuseDataLoss({ changes }: OrchestratorPlan, { allowDataLoss }: ApplyRequest): void {
  const losing = changes.filter(({ losesData, object }) => losesData && !allowDataLoss.includes(object.split(' ')[1]!));
  if (losing.length === 0) return;
  const names = losing.map(({ object }) => object);
  throw new DeployFailure('failed', `this would lose the data of ${names.join(', ')}; nothing was changed`, {
    hints: losing.map(({ object }) => `--allow-data-loss ${object.split(' ')[1]} replaces it with an empty one`),
  });
}

function componentOf({ metadata }: KubeObject): string {
  return metadata.name.split('-').at(-1)!;
}

/** The application comes last, when everything that its pods refer to is there. */
function inTurns(wanted: readonly KubeObject[]) {
  const isLate = ({ kind, metadata }: KubeObject) =>
    ['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'ConfigMap'].includes(kind) ||
    (kind === 'Service' && !/-(docdb|kvcache)-service$/.test(metadata.name));
  return { early: wanted.filter((object) => !isLate(object)), late: wanted.filter(isLate) };
}

async function makeNamespace(place: Place): Promise<void> {
  await forObject(place, `Namespace ${place.namespace}`, async () => {
    const body = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: place.namespace, labels: { 'svc.dev/created-by': 'svc-scale' } },
    };
    if ((await place.client.get('Namespace', '', place.namespace)) === undefined)
      await place.client.request({ method: 'POST', path: pathOf('Namespace', ''), body });
  });
}

/** Also what the plan kept: between plan and turn somebody else may have deployed. */
async function applyAll(
  place: Place,
  plan: OrchestratorPlan,
  objects: readonly KubeObject[],
  { adopt }: RolloutSettings,
  progress: Progress,
): Promise<void> {
  const kinds = new Map(plan.changes.map(({ object, kind }) => [object, kind]));
  for (const object of objects) {
    const shown = shownName(object);
    const change = kinds.get(shown);
    place.signal.throwIfAborted();
    progress.detail(shown);
    await forObject(place, shown, async () => {
      const { kind, metadata } = object;
      const live = await place.client.get(kind, place.namespace, metadata.name);
      const body = await wireObject(place, object, live);
      if (change === 'replace') await removeAndWait(place, kind, metadata.name);
      if (dropsReplicas(object, live)) await handOverReplicas(place, live!);
      await sendApply(place, object, body, { adopt });
    });
  }
}

/** Deletes an object for another in its place. A volume stays for as long as pods use it, so the application ends first. */
async function removeAndWait({ client, namespace, app, signal }: Place, kind: string, name: string): Promise<void> {
  if (kind === 'PersistentVolumeClaim') await client.remove('Deployment', namespace, app);
  await client.remove(kind, namespace, name);
  for (let waited = 0; waited < 120; waited++) {
    if ((await client.get(kind, namespace, name)) === undefined) return;
    await sleep(1000, undefined, { signal });
  }
  throw new DeployFailure('late', `${kind} ${name} is not gone after 120 s`);
}

function isAutoscaler({ kind }: LiveObject): boolean {
  return kind === 'HorizontalPodAutoscaler';
}

async function deleteStale({ client, namespace }: Place, stale: readonly LiveObject[]): Promise<void> {
  for (const { kind, metadata } of stale) await client.remove(kind, namespace, metadata.name);
}

async function remember(
  place: Place,
  plan: OrchestratorPlan,
  { revision }: ApplyRequest,
  { who }: RolloutSettings,
): Promise<void> {
  const before = await readRevisions(place);
  const bundle = plan.wanted.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
  const added = {
    ...revision,
    who,
    number: nextNumber(before),
    time: new Date().toISOString(),
    planDigest: plan.digest,
    objects: storedObjects(plan.wanted),
    bundle,
  };
  await writeRevision(place, before, added);
  await forgetBundles(place, bundlesOf([added, ...before]));
}

/** Deletes bundles that no remembered revision needs. */
async function forgetBundles(place: Place, needed: ReadonlySet<string>): Promise<void> {
  for (const { metadata } of await ownObjects(place, ['ConfigMap']))
    if (metadata.name.startsWith(`${place.app}-bundle-`) && !needed.has(metadata.name))
      await place.client.remove('ConfigMap', place.namespace, metadata.name);
}

/** The wait for a rollout: until it serves, until it is certain that it never will, or until its time is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeError } from '../../cluster/client.ts';
import { type LiveObject, pathOf } from '../../cluster/kinds.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { ownSelector, type Place } from './place.ts';
import { isReady, stateOfPod, type Trouble, troubleOfPod, troubleOfSet } from './pod-troubles.ts';

export interface Wait {
  readonly timeoutMs: number;
  readonly detail: (text: string) => void;
  /** Added to a failure: what becomes of the version before. */
  readonly hints: readonly string[];
}

const lookMs = 1000;

/** @throws DeployFailure: `failed` with the reason and the last lines of the pod's log, `late` when the time is over */
export async function waitForDeployment(place: Place, { timeoutMs, detail, hints }: Wait): Promise<void> {
  const judge = beginWait(timeoutMs);
  for (;;) {
    const look = await lookAt(place);
    if (look.isDone) return;
    detail(look.text);
    const { trouble, isOver } = judge(look.troubles);
    if (trouble !== undefined)
      throw new DeployFailure('failed', trouble.text, { output: await logOf(place, trouble), hints });
    if (isOver)
      throw new DeployFailure(
        'late',
        `${place.app} did not become ready in ${Math.round(timeoutMs / 1000)} s (${look.text})`,
        {
          hints,
          output: look.troubles[0] === undefined ? [] : [look.troubles[0].text],
        },
      );
    await sleep(lookMs, undefined, { signal: place.signal });
  }
}

interface Look {
  readonly isDone: boolean;
  readonly text: string;
  readonly troubles: readonly Trouble[];
}

async function lookAt(place: Place): Promise<Look> {
  const { client, namespace, app } = place;
  const selector = { labelSelector: `app=${app},svc.dev/component=app` };
  const [deployment, sets, pods] = await Promise.all([
    client.get('Deployment', namespace, app),
    client.list('ReplicaSet', namespace, selector),
    client.list('Pod', namespace, selector),
  ]);
  if (deployment === undefined)
    throw new DeployFailure('failed', `Deployment ${app} was deleted by somebody else meanwhile`);
  const counts = countsOf(deployment);
  const set = newestSet(deployment, sets);
  const own = pods.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === set?.metadata.uid));
  const atWork = own.find((pod) => !isReady(pod));
  const state = atWork === undefined ? '' : ` — ${stateOfPod(atWork)}`;
  const ofSet = set === undefined ? undefined : troubleOfSet(set);
  return {
    isDone: isRolledOut(deployment),
    text: `replicas ${counts.updated}/${counts.wanted} updated, ${Math.min(counts.ready, counts.wanted)}/${counts.wanted} ready${state}`,
    // Before the cluster has seen the change, its newest pods are those of the change before.
    troubles: isSeen(deployment)
      ? [...(ofSet === undefined ? [] : [ofSet]), ...own.flatMap((pod) => troubleOfPod(pod) ?? [])]
      : [],
  };
}

/** Every wanted pod is of the newest version and ready, and none of another version is left. */
export function isRolledOut(deployment: LiveObject): boolean {
  const { wanted, updated, ready, all } = countsOf(deployment);
  return isSeen(deployment) && updated >= wanted && all === updated && ready >= wanted;
}

function isSeen({ metadata, status }: LiveObject): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

export function countsOf({ spec, status = {} }: LiveObject): Record<'wanted' | 'updated' | 'ready' | 'all', number> {
  return {
    wanted: spec.replicas ?? 1,
    updated: status.updatedReplicas ?? 0,
    ready: status.availableReplicas ?? 0,
    all: status.replicas ?? 0,
  };
}

const revision = 'deployment.kubernetes.io/revision';

function newestSet({ metadata }: LiveObject, sets: readonly LiveObject[]): LiveObject | undefined {
  return sets.find(
    (set) =>
      set.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true &&
      set.metadata.annotations?.[revision] === metadata.annotations?.[revision],
  );
}

/** Judges the troubles of a look: gives the first one that has lasted as long as it must, and whether the time of the wait is over. */
type Judge = (troubles: readonly Trouble[]) => { readonly trouble: Trouble | undefined; readonly isOver: boolean };

/** The clock of a wait is one that nobody sets, and that stands still while a laptop sleeps. */
function beginWait(timeoutMs: number): Judge {
  const until = performance.now() + timeoutMs;
  let firstSeen = new Map<string, number>();
  return (troubles) => {
    // A look that comes late says nothing of times after the end: what happens first is not up to how quick this machine is.
    const now = Math.min(performance.now(), until);
    firstSeen = new Map(troubles.map((one) => [keyOf(one), firstSeen.get(keyOf(one)) ?? now]));
    const trouble = troubles.find((one) => now - firstSeen.get(keyOf(one))! >= one.afterMs);
    return { trouble, isOver: now >= until };
  };
}

/** The name of a trouble, without the cluster's own words for it: those change, as when nodes come that have no room either. */
function keyOf({ text }: Trouble): string {
  return text.split(': ', 1)[0]!;
}

async function logOf({ client, namespace }: Place, { log }: Trouble): Promise<string[]> {
  if (log === undefined) return [];
  try {
    const text = await client.request({
      method: 'GET',
      path: `${pathOf('Pod', namespace, log.pod)}/log`,
      query: { container: log.container, tailLines: '30', ...(log.previous ? { previous: 'true' } : {}) },
    });
    return String(typeof text === 'string' ? text : JSON.stringify(text))
      .trimEnd()
      .split('\n')
      .slice(-30);
  } catch (error) {
    if (error instanceof KubeError) return [];
    throw error;
  }
}

/** Databases are ready before the application is applied. @throws DeployFailure `late`, or `failed` with a reason */
export async function waitForDatabase(place: Place, component: string, detail: (text: string) => void): Promise<void> {
  const seconds = 300;
  const judge = beginWait(seconds * 1000);
  for (;;) {
    const set = await place.client.get('StatefulSet', place.namespace, `${place.app}-${component}`);
    if ((set?.status?.readyReplicas ?? 0) >= 1 && set?.status?.observedGeneration >= (set?.metadata.generation ?? 0))
      return;
    const pods = await place.client.list('Pod', place.namespace, {
      labelSelector: `${ownSelector(place)['labelSelector']},svc.dev/component=${component}`,
    });
    detail(`${component}: ${pods.map(stateOfPod).join(', ') || 'no pod yet'}`);
    const { trouble, isOver } = judge(pods.flatMap((pod) => troubleOfPod(pod) ?? []));
    if (trouble !== undefined) throw new DeployFailure('failed', trouble.text, { output: await logOf(place, trouble) });
    if (isOver) throw new DeployFailure('late', `${component} did not become ready in ${seconds} s`);
    await sleep(lookMs, undefined, { signal: place.signal });
  }
}

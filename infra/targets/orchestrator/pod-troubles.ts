/** Reasons for which pods of a rollout will never be ready, found long before its time is over. */
import type { LiveObject } from '../../cluster/kinds.ts';

export interface Trouble {
  /** `pod demo-7c9-x cannot pull its image: …`; the words behind the first colon may be others at each look. */
  readonly text: string;
  /** Pod and container whose log says more. */
  readonly log?: { readonly pod: string; readonly container: string; readonly previous: boolean };
  /** Time it has to last before it counts, in milliseconds. */
  readonly afterMs: number;
}

const noImage = [
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
];
const noContainer = ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError', 'ConfigError'];
const mostRestarts = 3;

export function troubleOfPod(pod: LiveObject): Trouble | undefined {
  const name = pod.metadata.name;
  const statuses: any[] = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  for (const status of statuses) {
    const { reason = '', message = '' } = status.state?.waiting ?? {};
    const why = message === '' ? '' : `: ${message}`;
    if (noImage.includes(reason)) return { text: `pod ${name} cannot pull image ${status.image}${why}`, afterMs: 0 };
    if (noContainer.includes(reason)) return { text: `pod ${name} cannot be started (${reason})${why}`, afterMs: 0 };
    const log = {
      pod: name,
      container: status.name,
      previous: status.state?.running === undefined && status.restartCount > 0,
    };
    if (status.restartCount >= mostRestarts)
      return { text: `pod ${name} keeps ending: ${endOf(status)}, ${status.restartCount} restarts`, log, afterMs: 0 };
  }
  const scheduled = pod.status?.conditions?.find(({ type }: any) => type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable')
    return { text: `pod ${name} finds no node: ${scheduled.message}`, afterMs: 120_000 };
  if (pod.status?.phase === 'Failed' && pod.status.reason !== undefined)
    return { text: `pod ${name} was refused: ${pod.status.message ?? pod.status.reason}`, afterMs: 0 };
  return undefined;
}

function endOf({ state, lastState }: any): string {
  const { exitCode, reason, signal } = state?.terminated ?? lastState?.terminated ?? {};
  if (reason === 'OOMKilled') return 'it uses more memory than its limit';
  return exitCode === undefined ? `signal ${signal ?? 'unknown'}` : `exit code ${exitCode}`;
}

/** Pods that are not even made: a quota, or a rule of the cluster. */
export function troubleOfSet(set: LiveObject): Trouble | undefined {
  const failure = set.status?.conditions?.find(
    ({ type, status }: any) => type === 'ReplicaFailure' && status === 'True',
  );
  if (failure === undefined) return undefined;
  const isQuota = /exceeded quota/.test(failure.message);
  const why = String(failure.message).replace(isQuota ? /^.*exceeded quota: / : /^.*is forbidden: /, '');
  const text = isQuota
    ? `the quota of namespace ${set.metadata.namespace} is used up: ${why}`
    : `pods are refused: ${why}`;
  // A quota may be full only until a pod that ends is gone.
  return { text, afterMs: 5000 };
}

/** Words for what a pod is at: `pulling image`, `starting`. */
export function stateOfPod(pod: LiveObject): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'ending';
  const statuses: any[] = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const waiting = statuses.find(
    ({ state }) => state?.waiting !== undefined && state.waiting.reason !== 'PodInitializing',
  );
  if (isReady(pod)) return 'ready';
  if (waiting !== undefined) {
    const { reason } = waiting.state.waiting;
    return reason === 'ContainerCreating' ? 'pulling image' : String(reason);
  }
  const init = (pod.status?.initContainerStatuses ?? []).some(({ state }: any) => state?.running !== undefined);
  if (init) return 'unpacking';
  const isRunning = statuses.some(({ state }) => state?.running !== undefined);
  return isRunning ? 'starting' : String(pod.status?.phase ?? 'pending').toLowerCase();
}

export function isReady({ status }: LiveObject): boolean {
  return status?.conditions?.some(({ type, status: is }: any) => type === 'Ready' && is === 'True') === true;
}

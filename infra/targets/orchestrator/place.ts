/** The place of a deployment: its cluster, namespace and name, and how its objects are told from others. */
import type { KubeClient } from '../../cluster/client.ts';
import type { LiveObject } from '../../cluster/kinds.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';

export interface Place {
  readonly client: KubeClient;
  readonly namespace: string;
  /** `app_name`. */
  readonly app: string;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/** Field manager of every apply, and value of the label `managed`. */
export const manager = 'svc-scale';

/** Names the objects of this deployment, and no others. */
export function ownSelector({ app }: Place): Readonly<Record<string, string>> {
  return { labelSelector: `app=${app},managed=${manager}` };
}

export function isOwn({ metadata: { labels } }: LiveObject, app: string): boolean {
  return labels?.['app'] === app && labels?.['managed'] === manager;
}

/** Refuses to go on where somebody else has an object by a name of ours. @throws DeployFailure */
export function requireOwn(live: LiveObject | undefined, shown: string, app: string): void {
  if (live === undefined || isOwn(live, app)) return;
  throw new DeployFailure('failed', `${shown} exists and is not managed by svc`, {
    hints: ['app_name or namespace of [plugins.scale.orchestrator] leads around it; svc never touches it'],
  });
}

/** `demo/default`: the cluster's context and the namespace. */
export function shownPlace({ client, namespace }: Place): string {
  return `${client.access.context}/${namespace}`;
}

/** Kinds of the objects of a deployment, in the order in which they are deleted. */
export const ownKinds = [
  'Ingress',
  'HorizontalPodAutoscaler',
  'Service',
  'Deployment',
  'Secret',
  'ConfigMap',
  'PodDisruptionBudget',
  'ServiceAccount',
  'StatefulSet',
  'PersistentVolumeClaim',
] as const;

export async function ownObjects(place: Place, kinds: readonly string[] = ownKinds): Promise<LiveObject[]> {
  const lists = await Promise.all(kinds.map((kind) => place.client.list(kind, place.namespace, ownSelector(place))));
  return lists.flat();
}

export function shownName({ kind, metadata }: { kind: string; metadata: { name: string } }): string {
  return `${kind} ${metadata.name}`;
}

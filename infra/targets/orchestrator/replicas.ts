/**
 * The number of pods between a deployment and an autoscaler. Whoever set a field of an object last holds it
 * (https://kubernetes.io/docs/reference/using-api/server-side-apply/#transferring-ownership).
 */
import { KubeError } from '../../cluster/client.ts';
import { type LiveObject, pathOf } from '../../cluster/kinds.ts';
import { conflictOwners } from './failures.ts';
import { isOwn, manager, type Place } from './place.ts';

/** Holds the number from the moment at which a deployment no longer says it until the autoscaler does. */
const holder = `${manager}-autoscale`;

type Sent = { readonly kind: string; readonly spec?: any };

/** True when applying an object would take away the number that we set, and with it all pods but one. */
export function dropsReplicas(object: Sent, live: LiveObject | undefined): boolean {
  if (object.kind !== 'Deployment' || live === undefined || object.spec.replicas !== undefined) return false;
  const fields = (live.metadata as any).managedFields ?? [];
  return fields.some((one: any) => one.manager === manager && one.fieldsV1?.['f:spec']?.['f:replicas'] !== undefined);
}

/** Gives the number of pods, as it is, to a manager that never changes it. */
export async function handOverReplicas({ client, namespace }: Place, live: LiveObject): Promise<void> {
  const { name } = live.metadata;
  await client.request({
    method: 'PATCH',
    path: pathOf('Deployment', namespace, name),
    query: { fieldManager: holder, force: 'true' },
    body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { replicas: live.spec.replicas } },
  });
}

/** True for a conflict about the number of pods alone, with an autoscaler that is no more. */
export async function isLeftByAutoscaler({ client, namespace, app }: Place, error: unknown): Promise<boolean> {
  if (!(error instanceof KubeError)) return false;
  const owners = conflictOwners(error);
  const isOfCluster = (owner: string) => owner === 'kube-controller-manager' || owner === holder;
  if (owners.length === 0 || !owners.every(([field, owner]) => field === 'spec.replicas' && isOfCluster(owner)))
    return false;
  const all = await client.list('HorizontalPodAutoscaler', namespace);
  return all.every((one) => isOwn(one, app) || one.spec.scaleTargetRef.name !== app);
}

/** Errors of a cluster as people can act on them (docs/server/orchestrator.md#messages). */
import { KubeError } from '../../cluster/client.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { Place } from './place.ts';

/** Runs requests for an object. @throws DeployFailure for every error of the cluster */
export async function forObject<T>(place: Place, shown: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof KubeError ? await failureOf(place, shown, error) : error;
  }
}

async function failureOf(place: Place, shown: string, error: KubeError): Promise<DeployFailure> {
  const port = takenPort(error);
  if (port !== undefined) {
    const user = await userOfPort(place, port);
    return new DeployFailure('failed', `node port ${port} is used by ${user}`, {
      hints: ['ORCH_NODE_PORT, or [plugins.scale.orchestrator] node_port, names another one'],
    });
  }
  const owners = conflictOwners(error);
  if (owners.length > 0) {
    const fields = owners.map(([field, owner]) => `${field} (${owner})`);
    return new DeployFailure('failed', `${shown}: others have set ${fields.join(', ')}`, {
      hints: ['--adopt takes these fields over'],
    });
  }
  if (/exceeded quota/.test(error.message))
    return new DeployFailure(
      'failed',
      `${shown}: the quota of namespace ${place.namespace} is used up: ${quotaOf(error)}`,
    );
  if (/being terminated/.test(error.message))
    return new DeployFailure('failed', `namespace ${place.namespace} is being deleted; try again when it is gone`);
  if (error.status === 403)
    return new DeployFailure('prerequisite', `not allowed: ${error.message.replace(/^.*? is forbidden: /, '')}`);
  return new DeployFailure('failed', `${shown}: ${error.message}`);
}

/** Fields that others have set, each with the manager that did; none when the error is another one. */
export function conflictOwners({ status, causes }: KubeError): (readonly [string, string])[] {
  if (status !== 409 || !causes.some(({ reason }) => reason === 'FieldManagerConflict')) return [];
  return causes.map(({ field = '', message }) => [field.replace(/^\./, ''), ownerOf(message)] as const);
}

/** True where only another object, in the place of this one, could be what is wanted. */
export function isImmutable({ status, message }: KubeError): boolean {
  return (status === 422 && fixed.test(message)) || (status === 403 && /pvc can be resized/.test(message));
}

const fixed =
  /field is immutable|updates to statefulset spec|spec is immutable|may not change once set|can not be less than status\.capacity/;

function ownerOf(message = ''): string {
  return /"([^"]*)"/.exec(message)?.[1] ?? message;
}

function quotaOf({ message }: KubeError): string {
  return message.replace(/^.*exceeded quota: /, '');
}

function takenPort({ message }: KubeError): number | undefined {
  const port = /nodePort: Invalid value: (\d+): provided port is already allocated/.exec(message)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Not everybody may see the services of all namespaces. */
async function userOfPort({ client }: Place, port: number): Promise<string> {
  try {
    const { items } = await client.request({ method: 'GET', path: '/api/v1/services' });
    const found = items.find(({ spec }: any) => spec.ports?.some(({ nodePort }: any) => nodePort === port));
    if (found !== undefined) return `service ${found.metadata.namespace}/${found.metadata.name}`;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
  }
  return 'another service';
}

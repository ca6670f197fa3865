/** Rights that a deployment needs, asked for before anything changes (https://kubernetes.io/docs/reference/access-authn-authz/authorization/). */
import { inLanes } from '../../../base/in-lanes.ts';
import { pathOf, resourceOf } from '../../cluster/kinds.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { forObject } from './failures.ts';
import { ownKinds, type Place } from './place.ts';

export interface Right {
  readonly verb: string;
  readonly group: string;
  /** `pods` or `pods/log`. */
  readonly resource: string;
  /** False for what belongs to no namespace. */
  readonly namespaced: boolean;
}

const everything = ['get', 'list', 'create', 'patch', 'delete'];

/** The rights to apply objects of these kinds, and to watch them. */
export function neededRights(kinds: readonly string[], makesNamespace: boolean): Right[] {
  const applied = new Set([...kinds, 'ConfigMap']);
  // Objects of a version before may be of any kind.
  const others = ownKinds.filter((kind) => !applied.has(kind));
  const own = [
    ...[...applied].flatMap((kind) => rightsOf(kind, everything)),
    ...others.flatMap((kind) => rightsOf(kind, ['get', 'list'])),
  ];
  return [
    ...(makesNamespace ? [{ verb: 'create', group: '', resource: 'namespaces', namespaced: false }] : []),
    ...own,
    ...rightsOf('Lease', ['get', 'create', 'update', 'delete']),
    ...rightsOf('ReplicaSet', ['list']),
    ...rightsOf('Pod', ['list']),
    { verb: 'get', group: '', resource: 'pods/log', namespaced: true },
  ];
}

export function rightsOf(kind: string, verbs: readonly string[]): Right[] {
  return verbs.map((verb) => ({ verb, ...resourceOf(kind), namespaced: true }));
}

/** `get,list deployments.apps` for each kind. */
export function shownRights(rights: readonly Right[]): string[] {
  const verbs = new Map<string, string[]>();
  for (const { verb, group, resource } of rights) {
    const name = group === '' ? resource : `${resource}.${group}`;
    verbs.set(name, [...(verbs.get(name) ?? []), verb]);
  }
  return [...verbs].map(([name, list]) => `${list.join(',')} ${name}`);
}

/** @throws DeployFailure that names every right that is missing */
export async function requireRights(place: Place, rights: readonly Right[]): Promise<void> {
  const missing: Right[] = [];
  await inLanes(8, rights, async (right) => {
    if (!(await isAllowed(place, right))) missing.push(right);
  });
  const [first, ...others] = rights.filter((right) => missing.includes(right));
  if (first === undefined) return;
  const where = first.namespaced ? ` in namespace ${place.namespace}` : '';
  throw new DeployFailure('prerequisite', `not allowed to ${first.verb} ${first.resource}${where}`, {
    hints: others.length === 0 ? [] : [`nor to ${shownRights(others).join('; ')}`],
  });
}

async function isAllowed(place: Place, right: Right): Promise<boolean> {
  const { client, namespace } = place;
  const [resource, subresource] = right.resource.split('/');
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {
      resourceAttributes: {
        verb: right.verb,
        group: right.group,
        resource,
        ...(subresource === undefined ? {} : { subresource }),
        ...(right.namespaced ? { namespace } : {}),
      },
    },
  };
  const path = pathOf('SelfSubjectAccessReview', '');
  const { status } = await forObject(place, `the right to ${right.verb} ${right.resource}`, () =>
    client.request({ method: 'POST', path, body }),
  );
  return status?.allowed === true;
}

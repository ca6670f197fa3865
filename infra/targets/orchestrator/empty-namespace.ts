/** The end of a namespace that a deployment made, when nothing of anybody is in it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeError } from '../../cluster/client.ts';
import type { LiveObject } from '../../cluster/kinds.ts';
import type { Place } from './place.ts';

const mostSeconds = 60;

/** Deletes the namespace; an account that may not look everywhere, or may not delete namespaces, leaves it. */
export async function deleteNamespace(place: Place): Promise<void> {
  const { client, namespace, signal } = place;
  try {
    const there = await client.get('Namespace', '', namespace);
    if (there?.metadata.labels?.['svc.dev/created-by'] !== 'svc-scale') return;
    const paths = await listPaths(place);
    for (let waited = 0; waited < mostSeconds; waited++) {
      const left = (await Promise.all(paths.map((path) => objectsAt(place, path)))).flat();
      if (left.length === 0) return await client.remove('Namespace', '', namespace);
      if (left.some((object) => !isEnding(object))) return;
      await sleep(1000, undefined, { signal });
    }
  } catch (error) {
    if (!(error instanceof KubeError) || error.status !== 403) throw error;
  }
}

/** Addresses of everything that may be in the namespace, of any kind that the cluster knows. Events tell of the past only. */
async function listPaths({ client, namespace }: Place): Promise<string[]> {
  const { groups } = await client.request({ method: 'GET', path: '/apis' });
  const bases: string[] = [
    '/api/v1',
    ...groups.map(({ preferredVersion }: any) => `/apis/${preferredVersion.groupVersion}`),
  ];
  const lists = await Promise.all(
    bases.map(async (base) => {
      const { resources } = await client.request({ method: 'GET', path: base });
      const listed = resources.filter(
        ({ name, namespaced, verbs }: any) =>
          namespaced && verbs.includes('list') && verbs.includes('delete') && !name.includes('/') && name !== 'events',
      );
      return listed.map(({ name }: any) => `${base}/namespaces/${namespace}/${name}`);
    }),
  );
  return lists.flat();
}

/** Without the two objects that every namespace has. */
async function objectsAt({ client }: Place, path: string): Promise<LiveObject[]> {
  const { items } = await client.request({ method: 'GET', path });
  const isEverywhere = ({ metadata: { name } }: LiveObject) =>
    (path.endsWith('/configmaps') && name === 'kube-root-ca.crt') ||
    (path.endsWith('/serviceaccounts') && name === 'default');
  return items.filter((object: LiveObject) => !isEverywhere(object));
}

/** Deleted already, or with its owner. */
function isEnding({ metadata }: LiveObject): boolean {
  return metadata.deletionTimestamp !== undefined || (metadata.ownerReferences ?? []).length > 0;
}

/** The last ten deployments, in the ConfigMap `A-revisions`: what each was, and the objects that bring it back. Secrets are not in it. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type LiveObject, pathOf } from '../../cluster/kinds.ts';
import type { KubeObject } from '../../orchestrator/kubernetes.ts';
import { labelsOf } from '../../orchestrator/objects/metadata.ts';
import { sentObject } from '../../orchestrator/show-objects.ts';
import type { Revision } from '../target.ts';
import { forObject } from './failures.ts';
import { manager, type Place, requireOwn } from './place.ts';

/** Objects as they are applied. */
export type StoredObject = Readonly<Record<string, unknown>> &
  Pick<LiveObject, 'apiVersion' | 'kind' | 'metadata' | 'spec'>;

export interface StoredRevision extends Revision {
  readonly objects: readonly StoredObject[];
  /** Names of ConfigMaps that its pods unpack. */
  readonly bundle: readonly string[];
}

const most = 10;

/** Newest first. @throws DeployFailure where the ConfigMap is another's */
export async function readRevisions(place: Place): Promise<StoredRevision[]> {
  const map = await place.client.get('ConfigMap', place.namespace, nameOf(place));
  requireOwn(map, `ConfigMap ${nameOf(place)}`, place.app);
  const texts = Object.values(map?.binaryData ?? {});
  const read = texts.map(async (text) => JSON.parse((await promisify(gunzip)(Buffer.from(text, 'base64'))).toString()));
  return ((await Promise.all(read)) as StoredRevision[]).toSorted((one, other) => other.number - one.number);
}

/** Adds a revision and forgets the oldest ones. */
export async function writeRevision(
  place: Place,
  before: readonly StoredRevision[],
  added: StoredRevision,
): Promise<void> {
  const kept = [added, ...before].slice(0, most);
  const entries = kept.map(async (revision) => {
    const text = await promisify(gzip)(JSON.stringify(revision));
    return [`revision-${revision.number}`, text.toString('base64')] as const;
  });
  const name = nameOf(place);
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...{ name, namespace: place.namespace, labels: labelsOf(place.app, added.version) },
      annotations: { 'svc.dev/source-digest': added.sourceDigest },
    },
    binaryData: Object.fromEntries(await Promise.all(entries)),
  };
  await forObject(place, `ConfigMap ${name}`, () =>
    place.client.request({
      method: 'PATCH',
      path: pathOf('ConfigMap', place.namespace, name),
      query: { fieldManager: manager, force: 'true' },
      body,
    }),
  );
}

export function nextNumber(revisions: readonly StoredRevision[]): number {
  return (revisions[0]?.number ?? 0) + 1;
}

/** The objects of a plan that can be applied again. Secrets and volumes stay as they are when going back. */
export function storedObjects(wanted: readonly KubeObject[]): StoredObject[] {
  return wanted.flatMap((object) =>
    object.kind === 'Secret' || object.kind === 'ConfigMap' || object.kind === 'PersistentVolumeClaim'
      ? []
      : [sentObject(object) as unknown as StoredObject],
  );
}

/** ConfigMaps that the remembered revisions need. */
export function bundlesOf(revisions: readonly StoredRevision[]): ReadonlySet<string> {
  return new Set(revisions.slice(0, most).flatMap(({ bundle }) => bundle));
}

function nameOf({ app }: Place): string {
  return `${app}-revisions`;
}

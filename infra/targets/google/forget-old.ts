/** The end of revisions that nobody goes back to, and of the secrets that only they use. */

import { findService } from './find-changes.ts';
import { isOwn, type Place, servicePath } from './place.ts';
import { listRevisions, mostRevisions, ownRevisions, servingNames, shortName } from './revisions.ts';

/** Newest versions of a secret that stay, whoever uses them. */
const mostVersions = 10;

/** @param wanted ids of the secrets that the present revision uses */
export async function forgetOld(place: Place, wanted: readonly string[]): Promise<void> {
  const service = await findService(place);
  const all = await listRevisions(place);
  const serving = new Set([...servingNames(service), shortName(service.latestReadyRevision ?? '')]);
  const own = ownRevisions(place, all);
  const ready = own.filter(({ isReady }) => isReady).slice(0, mostRevisions);
  const kept = new Set([...ready.map(({ name }) => name), ...serving]);
  for (const { name } of own)
    if (!kept.has(name) && name !== shortName(service.latestCreatedRevision ?? ''))
      await place.client.find({
        service: 'run',
        method: 'DELETE',
        path: `v2/${servicePath(place)}/revisions/${name}`,
      });
  const used = usedVersions(
    all.filter(({ name }) => kept.has(shortName(name)) || !own.some((one) => one.name === shortName(name))),
  );
  await forgetSecrets(place, new Set(wanted), used);
}

/** `demo-TOKEN/3`, of all containers. */
function usedVersions(revisions: readonly any[]): ReadonlySet<string> {
  const variables = revisions.flatMap(({ containers = [] }) => containers.flatMap(({ env = [] }: any) => env));
  return new Set(
    variables.flatMap(({ valueSource }: any) => {
      const reference = valueSource?.secretKeyRef;
      return reference === undefined ? [] : [`${shortName(reference.secret)}/${reference.version}`];
    }),
  );
}

async function forgetSecrets(place: Place, wanted: ReadonlySet<string>, used: ReadonlySet<string>): Promise<void> {
  const names = new Set([...used].map((one) => one.split('/')[0]!));
  for (const secret of await ownSecrets(place)) {
    const id = shortName(secret.name);
    const path = `v1/${secret.name}`;
    if (!wanted.has(id) && !names.has(id)) {
      await place.client.find({ service: 'secretmanager', method: 'DELETE', path });
      continue;
    }
    if (!wanted.has(id)) continue;
    const versions = await place.client.list(
      {
        service: 'secretmanager',
        method: 'GET',
        path: `${path}/versions`,
        query: { pageSize: '1000', filter: 'state:ENABLED' },
      },
      'versions',
    );
    const old = versions
      .map(({ name }) => Number(shortName(name)))
      .toSorted((one, other) => other - one)
      .slice(mostVersions);
    for (const version of old.filter((number) => !used.has(`${id}/${number}`)))
      await place.client.request({
        service: 'secretmanager',
        method: 'POST',
        path: `${path}/versions/${version}:destroy`,
        body: {},
      });
  }
}

export async function ownSecrets(place: Place): Promise<any[]> {
  const { client, project, app } = place;
  const secrets = await client.list(
    {
      service: 'secretmanager',
      method: 'GET',
      path: `v1/projects/${project}/secrets`,
      query: { filter: `labels.app=${app} AND labels.managed=svc-scale`, pageSize: '1000' },
    },
    'secrets',
  );
  return secrets.filter((secret) => isOwn(secret, app));
}

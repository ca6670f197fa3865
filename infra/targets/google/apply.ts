/** Application of a plan: everything that the revision refers to, then the revision, and its traffic when it is ready. */
import { randomBytes } from 'node:crypto';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { ApplyRequest, Deployed, Progress } from '../target.ts';
import { GoogleError } from './client.ts';
import { forThing, notOurs } from './failures.ts';
import {
  findService,
  type GooglePlan,
  publicBinding,
  requirePlanRights,
  type SecretState,
  servingRevision,
} from './find-changes.ts';
import { forgetOld } from './forget-old.ts';
import type { GoogleApp } from './google-app.ts';
import {
  accountDescription,
  accountEmail,
  accountId,
  isOwn,
  locationPath,
  ownLabels,
  type Place,
  registryOf,
  repositoryPath,
  revisionName,
  servicePath,
  shownPlace,
} from './place.ts';
import { setBinding } from './policies.ts';
import { accountPath } from './rights.ts';
import { type RolloutSettings, releaseRevision, sendTraffic } from './rollout.ts';
import { type SecretVersions, serviceTemplate, sourceTag } from './service-template.ts';

/** True when the plan changes nothing and what it wants has all the traffic. */
export function isUpToDate({ changes, service, revisions, digest, app }: GooglePlan): boolean {
  if (changes.some(({ kind }) => kind !== 'keep')) return false;
  const serving = servingRevision(service, revisions);
  return app.image !== undefined && serving?.isReady === true && serving.planDigest === digest;
}

export async function applyPlan(
  place: Place,
  plan: GooglePlan,
  request: ApplyRequest,
  settings: RolloutSettings,
  progress: Progress,
): Promise<Deployed> {
  const { app, needed, apisOff } = plan;
  const image = app.image;
  if (image === undefined) throw new DeployFailure('failed', 'there is no image to deploy');
  const name = plan.ready?.name ?? revisionName(app.name, plan.number);
  progress.begin(6 + [apisOff.length > 0, needed.makesAccount, needed.bindsProject].filter(Boolean).length);
  const step = async <T>(title: string, work: () => Promise<T>) =>
    await progress.step(title, () => forThing(place, title, work));

  await step('check rights', () => requirePlanRights(place, plan));
  if (apisOff.length > 0) await step('enable APIs', () => enableApis(place, plan));
  const reference = await step('push image', () => pushImage(place, plan));
  if (needed.makesAccount) await step('create service account', () => createAccount(place));
  if (needed.bindsProject) await step('let the account use the database', () => bindDatabase(place, app, true));
  const versions = await step('write secrets', () => writeSecrets(place, plan));
  const service = await step(`release ${name}`, () =>
    plan.ready !== undefined
      ? findService(place)
      : releaseRevision(place, plan, {
          name,
          template: serviceTemplate(app, place.project, reference, versions),
          record: {
            ...request.revision,
            number: plan.number,
            time: new Date().toISOString(),
            who: settings.who,
            planDigest: plan.digest,
          },
          settings,
          progress,
        }),
  );
  const after = await step(`send traffic to ${name}`, async () => {
    const sent = await sendTraffic(place, service, name, settings);
    await setAccess(place, app, sent, settings);
    return sent;
  });
  await step('forget old revisions', () =>
    forgetOld(
      place,
      plan.secrets.map(({ id }) => id),
    ),
  );
  return { place: shownPlace(place), url: after.uri, notes: [] };
}

async function enableApis({ client, project }: Place, { apisOff }: GooglePlan): Promise<void> {
  await client.operate(
    {
      service: 'serviceusage',
      method: 'POST',
      path: `v1/projects/${project}/services:batchEnable`,
      body: { serviceIds: apisOff.map((api) => `${api}.googleapis.com`) },
    },
    { what: 'enabling APIs', timeoutMs: 300_000, version: 'v1' },
  );
}

/** Makes the repository when there is none, and gives the image's name there by digest. */
async function pushImage(place: Place, { app, needed }: GooglePlan): Promise<string> {
  const { client } = place;
  if (needed.makesRepository) {
    await orThere(
      client.operate(
        {
          service: 'artifactregistry',
          method: 'POST',
          path: `v1/${locationPath(place)}/repositories`,
          query: { repositoryId: place.repository },
          body: {
            format: 'DOCKER',
            description: 'images of svc applications',
            labels: { managed: ownLabels(app.name)['managed'] },
          },
        },
        { what: 'creating the repository', timeoutMs: 120_000, version: 'v1' },
      ),
    );
  }
  const repository = await client.request({
    service: 'artifactregistry',
    method: 'GET',
    path: `v1/${repositoryPath(place)}`,
  });
  const registry = repository.registryUri ?? registryOf(place);
  const credentials = { username: 'oauth2accesstoken', password: await client.access.token() };
  return await app.image!.push(`${registry}/${app.name}:${sourceTag(app.sourceDigest)}`, { credentials });
}

/** Takes for made what is there already: by somebody else meanwhile, or by an earlier try of the request. */
async function orThere(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof GoogleError) || error.status !== 409) throw error;
  }
}

async function createAccount({ client, project, app }: Place): Promise<void> {
  await orThere(
    client.request({
      service: 'iam',
      method: 'POST',
      path: `v1/projects/${project}/serviceAccounts`,
      body: {
        accountId: accountId(app),
        serviceAccount: { displayName: `${app} (svc)`, description: accountDescription(app) },
      },
    }),
  );
  const made = await client.find({ service: 'iam', method: 'GET', path: accountPath({ project, app }) });
  if (made !== undefined && made.description !== accountDescription(app))
    throw notOurs(`service account ${accountId(app)}`);
}

function memberOf(place: Place, app: GoogleApp): string {
  return `serviceAccount:${app.settings.serviceAccount || accountEmail(place)}`;
}

async function bindDatabase(place: Place, app: GoogleApp, wanted: boolean): Promise<void> {
  const path = `v1/projects/${place.project}`;
  const role = 'roles/cloudsql.client';
  await setBinding(place, { service: 'cloudresourcemanager', path, role, member: memberOf(place, app) }, wanted);
}

/** Gives the version that holds what is wanted of each secret. A changed value is a new version: earlier revisions keep theirs. */
async function writeSecrets(place: Place, { app, secrets }: GooglePlan): Promise<SecretVersions> {
  const versions: Record<string, string> = {};
  for (const secret of secrets) {
    place.signal.throwIfAborted();
    versions[secret.variable] = await writeSecret(place, app, secret);
  }
  return versions;
}

async function writeSecret(place: Place, app: GoogleApp, secret: SecretState): Promise<string> {
  const { client, project } = place;
  const { id, variable } = secret;
  const path = `v1/projects/${project}/secrets/${id}`;
  if (!secret.isThere) {
    await orThere(
      client.request({
        service: 'secretmanager',
        method: 'POST',
        path: `v1/projects/${project}/secrets`,
        query: { secretId: id },
        body: { replication: { automatic: {} }, labels: ownLabels(app.name) },
      }),
    );
    const made = await client.request({ service: 'secretmanager', method: 'GET', path });
    if (!isOwn(made, app.name)) throw notOurs(`secret ${id}`);
  }
  const role = 'roles/secretmanager.secretAccessor';
  await setBinding(place, { service: 'secretmanager', path, role, member: memberOf(place, app) }, true);
  if (secret.version !== undefined) return secret.version;
  const text = app.secrets[variable] ?? randomBytes(48).toString('base64');
  const { name } = await client.request({
    service: 'secretmanager',
    method: 'POST',
    path: `${path}:addVersion`,
    body: { payload: { data: Buffer.from(text).toString('base64') } },
  });
  return name.split('/').at(-1);
}

/** Everybody may call, or identities only. Where the organisation forbids the former as a member, the service is told not to ask. */
async function setAccess(place: Place, app: GoogleApp, service: any, settings: RolloutSettings): Promise<void> {
  const { public: isPublic } = app.settings;
  if (isPublic && service.invokerIamDisabled === true) return;
  const unchecked = async (invokerIamDisabled: boolean) => {
    await place.client.operate(
      {
        service: 'run',
        method: 'PATCH',
        path: `v2/${servicePath(place)}`,
        query: { updateMask: 'invokerIamDisabled' },
        body: { name: servicePath(place), invokerIamDisabled },
      },
      { what: 'opening the service', timeoutMs: settings.timeoutMs, version: 'v2' },
    );
  };
  if (!isPublic && service.invokerIamDisabled === true) await unchecked(false);
  try {
    await setBinding(place, publicBinding(place), isPublic);
  } catch (error) {
    const isForbidden =
      error instanceof GoogleError && error.status === 400 && /permitted customer|organization/.test(error.message);
    if (!isForbidden) throw error;
    await unchecked(true);
  }
}

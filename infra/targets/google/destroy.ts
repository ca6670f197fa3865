/** The end of a deployment: what is its own goes; things without our label are never touched. */
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { DestroyPlan, DestroyRequest, Progress } from '../target.ts';
import { GoogleError, type GoogleRequest } from './client.ts';
import { forThing } from './failures.ts';
import { ownSecrets } from './forget-old.ts';
import {
  accountDescription,
  accountEmail,
  accountId,
  isOwn,
  manager,
  type Place,
  repositoryPath,
  servicePath,
  shownPlace,
} from './place.ts';
import { isBound, setBinding } from './policies.ts';
import { shortName } from './revisions.ts';
import { accountPath, destroyRights, requireRights } from './rights.ts';

export interface GoogleDestroyPlan extends DestroyPlan {
  readonly steps: readonly Deletion[];
}

interface Deletion {
  readonly shown: string;
  readonly run: () => Promise<unknown>;
}

export async function planDestroy(place: Place, { component }: DestroyRequest): Promise<GoogleDestroyPlan> {
  // Databases are elsewhere.
  const isOurs = component === 'all' || component === 'application';
  const steps = isOurs ? await forThing(place, place.app, () => findOwn(place)) : [];
  return { place: shownPlace(place), steps, deleted: steps.map(({ shown }) => shown), kept: [] };
}

async function findOwn(place: Place): Promise<Deletion[]> {
  const { client, app } = place;
  const found: Deletion[] = [];
  const service = await client.find({ service: 'run', method: 'GET', path: `v2/${servicePath(place)}` });
  if (isOwn(service, app))
    found.push({
      shown: `Service ${app}`,
      run: () => remove(place, { service: 'run', path: `v2/${servicePath(place)}` }, 'v2'),
    });
  for (const { name } of await ownSecrets(place))
    found.push({
      shown: `Secret ${shortName(name)}`,
      run: () => remove(place, { service: 'secretmanager', path: `v1/${name}` }),
    });
  const account = await client.find({ service: 'iam', method: 'GET', path: accountPath(place) });
  if (account?.description === accountDescription(app))
    found.push({ shown: `ServiceAccount ${accountId(app)}`, run: () => removeAccount(place) });
  return [...found, ...(await findImages(place))];
}

/** Images of the application; the repository too when we made it and nothing else is in it. */
async function findImages(place: Place): Promise<Deletion[]> {
  const { client, app, repository: name } = place;
  const path = `v1/${repositoryPath(place)}`;
  const repository = await client.find({ service: 'artifactregistry', method: 'GET', path });
  if (repository?.labels?.managed !== manager) return [];
  const packages = await client.list(
    { service: 'artifactregistry', method: 'GET', path: `${path}/packages`, query: { pageSize: '1000' } },
    'packages',
  );
  const own = packages.filter((one) => shortName(one.name) === app);
  const deletion = (shown: string, at: string): Deletion => ({
    shown,
    run: () => remove(place, { service: 'artifactregistry', path: at }, 'v1'),
  });
  return [
    ...own.map((one) => deletion(`Image ${name}/${app}`, `v1/${one.name}`)),
    ...(own.length === packages.length ? [deletion(`Repository ${name}`, path)] : []),
  ];
}

/** One that is gone already is no error. */
async function remove(
  { client }: Place,
  request: Pick<GoogleRequest, 'service' | 'path'>,
  version?: 'v1' | 'v2',
): Promise<void> {
  try {
    const whole = { ...request, method: 'DELETE' } as const;
    if (version === undefined) await client.request(whole);
    else await client.operate(whole, { what: 'deleting', timeoutMs: 300_000, version });
  } catch (error) {
    if (!(error instanceof GoogleError) || error.status !== 404) throw error;
  }
}

/** A role that the account has in the project goes first: nothing would name it afterwards. */
async function removeAccount(place: Place): Promise<void> {
  const binding = {
    service: 'cloudresourcemanager',
    path: `v1/projects/${place.project}`,
    role: 'roles/cloudsql.client',
    member: `serviceAccount:${accountEmail(place)}`,
  } as const;
  try {
    if (await isBound(place, binding)) await setBinding(place, binding, false);
  } catch (error) {
    // Who may not read the project's policy did not set it.
    if (!(error instanceof GoogleError) || error.status !== 403) throw error;
  }
  await remove(place, { service: 'iam', path: accountPath(place) });
}

/** @throws DeployFailure that lists what remains */
export async function destroy(place: Place, plan: GoogleDestroyPlan, progress: Progress): Promise<void> {
  progress.begin(2);
  await progress.step('check rights', () => forThing(place, 'rights', () => requireRights(place, destroyRights)));
  await progress.step('delete everything', async () => {
    const failed: string[] = [];
    for (const { shown, run } of plan.steps) {
      progress.detail(shown);
      try {
        await run();
      } catch (error) {
        if (!(error instanceof GoogleError)) throw error;
        failed.push(`${shown}: ${error.message}`);
      }
    }
    if (failed.length === 0) return;
    throw new DeployFailure('failed', `${failed.length} of ${plan.steps.length} things remain`, {
      output: failed,
      hints: ['run the command again: it goes on with what is left'],
    });
  });
}

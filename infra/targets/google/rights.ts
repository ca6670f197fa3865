/** Permissions that a deployment needs, asked for before anything changes: https://cloud.google.com/iam/docs/permissions-reference */
import { notAllowed } from './failures.ts';
import { accountEmail, type Place } from './place.ts';

/** Facts on which it depends what has to be made. */
export interface RightsNeeded {
  readonly apisOff: boolean;
  readonly makesRepository: boolean;
  /** An account is made; otherwise it is only used. */
  readonly makesAccount: boolean;
  readonly makesService: boolean;
  readonly makesSecrets: boolean;
  readonly hasSecrets: boolean;
  /** The project's policy is changed: the account becomes a client of a database. */
  readonly bindsProject: boolean;
}

/** Needs of a first deployment: everything is made. */
export const rightsForAll = {
  apisOff: true,
  makesRepository: true,
  makesAccount: true,
  makesService: true,
  makesSecrets: true,
} as const;

/** Reading what is there; needed by every command. */
export const readRights: readonly string[] = [
  'artifactregistry.repositories.get',
  'iam.serviceAccounts.get',
  'run.revisions.list',
  'run.services.get',
  'run.services.getIamPolicy',
  'secretmanager.secrets.list',
];

export function deployRights(needed: RightsNeeded): string[] {
  return [
    ...readRights,
    'serviceusage.services.get',
    ...(needed.apisOff ? ['serviceusage.services.enable'] : []),
    ...(needed.makesRepository ? ['artifactregistry.repositories.create'] : []),
    'artifactregistry.repositories.downloadArtifacts',
    'artifactregistry.repositories.uploadArtifacts',
    ...(needed.makesAccount ? ['iam.serviceAccounts.create'] : []),
    'iam.serviceAccounts.actAs',
    ...(needed.makesSecrets ? ['secretmanager.secrets.create'] : []),
    ...(needed.hasSecrets
      ? [
          'secretmanager.secrets.get',
          'secretmanager.secrets.getIamPolicy',
          'secretmanager.secrets.setIamPolicy',
          'secretmanager.versions.access',
          'secretmanager.versions.add',
          'secretmanager.versions.destroy',
          'secretmanager.versions.list',
        ]
      : []),
    'secretmanager.secrets.delete',
    'run.operations.get',
    'run.revisions.delete',
    'run.revisions.get',
    ...(needed.makesService ? ['run.services.create'] : []),
    'run.services.setIamPolicy',
    'run.services.update',
    'logging.logEntries.list',
    ...(needed.bindsProject ? ['resourcemanager.projects.getIamPolicy', 'resourcemanager.projects.setIamPolicy'] : []),
  ].toSorted();
}

export const rollbackRights: readonly string[] = ['run.operations.get', 'run.services.update'];

export const destroyRights: readonly string[] = [
  'artifactregistry.packages.delete',
  'artifactregistry.packages.list',
  'artifactregistry.repositories.delete',
  'iam.serviceAccounts.delete',
  'run.operations.get',
  'run.services.delete',
  'secretmanager.secrets.delete',
];

/** @throws DeployFailure that names every right that is missing */
export async function requireRights(place: Place, rights: readonly string[]): Promise<void> {
  const { client, project } = place;
  const granted = await ask(place, `v1/projects/${project}`, 'cloudresourcemanager', rights);
  const missing = rights.filter((right) => !granted.has(right));
  if (missing.length === 0) return;
  // The right to run as an account may be given for that account alone.
  const actAs = 'iam.serviceAccounts.actAs';
  const isHeld =
    missing.length === 1 &&
    missing[0] === actAs &&
    (await client.find({ service: 'iam', method: 'GET', path: accountPath(place) })) !== undefined &&
    (await ask(place, accountPath(place), 'iam', [actAs])).has(actAs);
  if (!isHeld) throw notAllowed(missing, project);
}

async function ask(
  { client }: Place,
  path: string,
  service: 'iam' | 'cloudresourcemanager',
  permissions: readonly string[],
): Promise<ReadonlySet<string>> {
  const answer = await client.request({
    service,
    method: 'POST',
    path: `${path}:testIamPermissions`,
    body: { permissions },
  });
  return new Set(answer.permissions ?? []);
}

export function accountPath(place: Pick<Place, 'project' | 'app'>): string {
  return `v1/projects/${place.project}/serviceAccounts/${accountEmail(place)}`;
}

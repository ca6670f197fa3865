/** Comparison of what is wanted with what is there. */
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { differences } from '../differences.ts';
import type { Change, DeployPlan, FieldChange } from '../target.ts';
import { GoogleError } from './client.ts';
import { neededApis, type Service } from './endpoints.ts';
import { forThing, notOurs } from './failures.ts';
import { type GoogleApp, jwtVariable, secretVariables } from './google-app.ts';
import {
  accountDescription,
  accountEmail,
  accountId,
  isOwn,
  type Place,
  repositoryPath,
  secretId,
  servicePath,
  shownPlace,
} from './place.ts';
import { isBound } from './policies.ts';
import { listRevisions, type OwnRevision, ownRevisions, servingNames, shortName } from './revisions.ts';
import { accountPath, deployRights, type RightsNeeded, requireRights, rightsForAll } from './rights.ts';
import { imageName, planDigest, serviceTemplate } from './service-template.ts';

export interface GooglePlan extends DeployPlan {
  readonly app: GoogleApp;
  readonly project: string;
  readonly apisOff: readonly Service[];
  readonly needed: RightsNeeded;
  /** The service as it was when compared: its `etag` goes with every change. */
  readonly service: any;
  readonly secrets: readonly SecretState[];
  readonly revisions: readonly OwnRevision[];
  /** A revision of an earlier try that is ready and is what this plan wants. */
  readonly ready: OwnRevision | undefined;
  readonly number: number;
}

export interface SecretState {
  readonly variable: string;
  readonly id: string;
  readonly isThere: boolean;
  /** Number of the version that holds what is wanted; undefined: one has to be added. */
  readonly version: string | undefined;
}

/** Without anything to compare with, everything is created. Needs no network. */
export function planAlone(app: GoogleApp, project: string): GooglePlan {
  const { settings } = app;
  const variables = secretVariables(app);
  const secrets = variables.map((variable) => ({
    variable,
    id: secretId(app.name, variable),
    isThere: false,
    version: undefined,
  }));
  const needed = {
    ...rightsForAll,
    makesAccount: settings.serviceAccount === '',
    hasSecrets: secrets.length > 0,
    makesSecrets: secrets.length > 0,
    bindsProject: settings.cloudSqlInstance !== '',
  };
  return {
    ...{ app, project, needed, secrets, apisOff: neededApis, service: undefined, revisions: [], ready: undefined },
    number: 1,
    place: shownPlace({ project, region: settings.region }),
    changes: changesOf(app, project, secrets, { needed, apisOff: neededApis, isPublic: false, service: [] }),
    digest: planDigest(app, project),
    rights: deployRights(needed),
  };
}

/** @throws DeployFailure for things of others and rights that are missing */
export async function findChanges(place: Place, app: GoogleApp): Promise<GooglePlan> {
  const { project } = place;
  const apisOff = await forThing(place, 'the APIs', () => findApisOff(place));
  if (apisOff.includes('run')) return { ...planAlone(app, project), apisOff };
  return await forThing(place, app.name, async () => {
    const service = await settledService(place);
    const there = { repository: await findRepository(place), account: await findAccount(place) };
    const secrets = await findSecrets(place, app, apisOff);
    const all = service === undefined ? [] : await listRevisions(place);
    const revisions = ownRevisions(place, all);
    const digest = planDigest(app, project);
    const needed: RightsNeeded = {
      apisOff: apisOff.length > 0,
      makesRepository: there.repository === undefined,
      makesAccount: app.settings.serviceAccount === '' && there.account === undefined,
      makesService: service === undefined,
      makesSecrets: secrets.some(({ isThere }) => !isThere),
      hasSecrets: secrets.length > 0,
      bindsProject: app.settings.cloudSqlInstance !== '',
    };
    const isPublic = service !== undefined && (await isBound(place, publicBinding(place)));
    const serving = servingRevision(service, revisions);
    const changed = serving?.planDigest === digest ? [] : serviceFields(app, project, secrets, service);
    return {
      ...{ app, project, needed, secrets, apisOff, service, revisions, digest },
      ready: revisions.find(({ planDigest: is, isReady }, at) => at === 0 && isReady && is === digest),
      number: nextNumber(all),
      place: shownPlace(place),
      changes: changesOf(app, project, secrets, {
        ...{ needed, apisOff, isPublic: isPublic || service?.invokerIamDisabled === true },
        service: changed,
        isSame: serving?.planDigest === digest,
      }),
      rights: deployRights(needed),
    };
  });
}

/** Asks for the rights that a plan needs; while the API that knows them is off, nobody can be asked. */
export async function requirePlanRights(place: Place, { apisOff, rights }: GooglePlan): Promise<void> {
  if (apisOff.includes('cloudresourcemanager')) return;
  await forThing(place, 'rights', () => requireRights(place, rights));
}

export function publicBinding(place: Place) {
  return { service: 'run', path: `v2/${servicePath(place)}`, role: 'roles/run.invoker', member: 'allUsers' } as const;
}

/** The revision that has all the traffic, when it is one of ours. */
export function servingRevision(service: any, revisions: readonly OwnRevision[]): OwnRevision | undefined {
  const names = servingNames(service);
  return names.length === 1 ? revisions.find(({ name }) => name === names[0]) : undefined;
}

async function findApisOff({ client, project }: Place): Promise<Service[]> {
  const names = neededApis.map((api) => `projects/${project}/services/${api}.googleapis.com`);
  const { services = [] } = await client.request({
    service: 'serviceusage',
    method: 'GET',
    path: `v1/projects/${project}/services:batchGet`,
    query: { names },
  });
  const on = new Set(services.filter(({ state }: any) => state === 'ENABLED').map(({ name }: any) => shortName(name)));
  return neededApis.filter((api) => !on.has(`${api}.googleapis.com`));
}

/** The service when nothing is under way there: a change that is would change the `etag` as well. */
async function settledService(place: Place): Promise<any> {
  const { client, app } = place;
  for (let looks = 0; ; looks++) {
    const service = await findService(place);
    if (service?.reconciling !== true) return service;
    if (looks === mostLooks) throw new DeployFailure('late', `service ${app} is still being changed by a deployment`);
    await client.pause();
  }
}

const mostLooks = 300;

export async function findService(place: Place): Promise<any> {
  const { client, app } = place;
  const service = await client.find({ service: 'run', method: 'GET', path: `v2/${servicePath(place)}` });
  if (service !== undefined && !isOwn(service, app)) throw notOurs(`service ${app}`);
  return service;
}

async function findRepository(place: Place): Promise<any> {
  const path = `v1/${repositoryPath(place)}`;
  const found = await place.client.find({ service: 'artifactregistry', method: 'GET', path });
  if (found !== undefined && found.format !== 'DOCKER')
    throw new DeployFailure('failed', `repository ${place.repository} holds ${found.format}, not images`);
  return found;
}

async function findAccount(place: Place): Promise<any> {
  const found = await place.client.find({ service: 'iam', method: 'GET', path: accountPath(place) });
  if (found !== undefined && found.description !== accountDescription(place.app))
    throw notOurs(`service account ${accountEmail(place)}`);
  return found;
}

async function findSecrets(place: Place, app: GoogleApp, apisOff: readonly Service[]): Promise<SecretState[]> {
  const isOff = apisOff.includes('secretmanager');
  return await Promise.all(
    secretVariables(app).map(async (variable): Promise<SecretState> => {
      const id = secretId(app.name, variable);
      const path = `v1/projects/${place.project}/secrets/${id}`;
      const found = isOff ? undefined : await place.client.find({ service: 'secretmanager', method: 'GET', path });
      if (found === undefined) return { variable, id, isThere: false, version: undefined };
      if (!isOwn(found, app.name)) throw notOurs(`secret ${id}`);
      const latest = await latestVersion(place, path);
      const wanted = app.secrets[variable];
      // A key that was made once stays.
      const isSame = latest !== undefined && (wanted === undefined ? variable === jwtVariable : wanted === latest.text);
      return { variable, id, isThere: true, version: isSame ? latest.version : undefined };
    }),
  );
}

/** Undefined while there is none, and when the last one was disabled or destroyed. */
async function latestVersion({ client }: Place, path: string) {
  try {
    const { name, payload } = await client.request({
      service: 'secretmanager',
      method: 'GET',
      path: `${path}/versions/latest:access`,
    });
    return { version: shortName(name), text: Buffer.from(payload.data, 'base64').toString() };
  } catch (error) {
    if (error instanceof GoogleError && (error.status === 404 || error.code === 'FAILED_PRECONDITION'))
      return undefined;
    throw error;
  }
}

/** One above every revision there is, also those that failed and those of others that have such a name. */
function nextNumber(revisions: readonly any[]): number {
  return Math.max(0, ...revisions.map(({ name }) => Number(/-(\d{5,9})$/.exec(name)?.[1] ?? 0))) + 1;
}

interface Compared {
  readonly needed: RightsNeeded;
  readonly apisOff: readonly Service[];
  readonly isPublic: boolean;
  readonly service: readonly FieldChange[];
  readonly isSame?: boolean;
}

function changesOf(
  app: GoogleApp,
  project: string,
  secrets: readonly SecretState[],
  { needed, apisOff, isPublic, service, isSame }: Compared,
): Change[] {
  const { settings } = app;
  const one = (kind: Change['kind'], object: string, fields: readonly FieldChange[] = []): Change => ({
    ...{ kind, object, fields },
    losesData: false,
  });
  const made = (isMade: boolean) => (isMade ? 'create' : 'keep');
  return [
    ...apisOff.map((api) => one('create', `API ${api}.googleapis.com`)),
    one(made(needed.makesRepository), `Repository ${settings.repository}`),
    ...(settings.serviceAccount === ''
      ? [one(made(needed.makesAccount), `ServiceAccount ${accountId(app.name)}`)]
      : []),
    ...(needed.bindsProject ? [one('keep', `Role roles/cloudsql.client in project ${project}`)] : []),
    ...secrets.map(({ id, isThere, version }) => {
      if (!isThere) return one('create', `Secret ${id}`);
      if (version !== undefined) return one('keep', `Secret ${id}`);
      return one('change', `Secret ${id}`, [{ path: 'value', from: '(hidden)', to: '(hidden, another)' }]);
    }),
    one(needed.makesService ? 'create' : isSame === true ? 'keep' : 'change', `Service ${app.name}`, service),
    ...(settings.public === isPublic
      ? []
      : [one(settings.public ? 'create' : 'delete', `Access of everybody to ${app.name}`)]),
  ];
}

/** Only members that we set count: Cloud Run adds its own. */
function serviceFields(app: GoogleApp, project: string, secrets: readonly SecretState[], service: any): FieldChange[] {
  if (service === undefined) return [];
  const versions = Object.fromEntries(secrets.map(({ variable, version }) => [variable, version ?? 'new']));
  return templateFields(service.template, serviceTemplate(app, project, imageName(app, project), versions));
}

/** Fields in which a template or a revision differs from what is wanted. Answers may leave out what is empty, false or zero. */
export function templateFields(live: any, wanted: object): FieldChange[] {
  return differences(said(shapedLike(live, wanted)), said(wanted));
}

/** Keeps of a live value the members that a wanted one has. */
function shapedLike(live: any, wanted: any): any {
  if (Array.isArray(live) && Array.isArray(wanted))
    return live.map((item, at) => shapedLike(item, wanted.find((one) => one.name === item?.name) ?? wanted[at]));
  if (!isTable(wanted) || !isTable(live)) return live;
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, shapedLike(live[name], wanted[name])]));
}

function said(value: any): any {
  if (Array.isArray(value)) return value.map(said);
  if (!isTable(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, said(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined && !isEmpty(member)));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === 0 || value === false || value === '' || value === null || (Array.isArray(value) && value.length === 0)
  );
}

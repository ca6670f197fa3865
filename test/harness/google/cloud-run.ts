/** Services and revisions of the stand-in. */

import {
  checkLabels,
  found,
  getPolicy,
  type Handler,
  look,
  operate,
  operationOf,
  pageOf,
  setPolicy,
} from './handler.ts';
import { Refused, type State } from './state.ts';

const nameOf = ([project, location, service]: readonly string[]) =>
  `projects/${project}/locations/${location}/services/${service}`;

export const cloudRun: Readonly<Record<string, Handler>> = {
  'run services.get': ({ state, names }) => {
    // Time goes on, also for who looks at the service alone.
    for (const operation of state.operations.values()) if (operation.result === undefined) look(operation);
    return found(state.services, nameOf(names));
  },
  'run services.create': ({ state, names, query, body }) => {
    const id = query.get('serviceId')!;
    const name = nameOf([...names, id]);
    if (state.services.has(name)) throw new Refused(409, 'ALREADY_EXISTS', `Resource '${id}' already exists.`);
    if (!/^[a-z]([a-z0-9-]{0,47}[a-z0-9])?$/.test(id))
      throw new Refused(400, 'INVALID_ARGUMENT', `bad serviceId ${id}`);
    return write(state, name, { name, uid: String(++state.tick), createTime: new Date().toISOString() }, body);
  },
  'run services.patch': ({ state, names, query, body }) => {
    const name = nameOf(names);
    const before = found(state.services, name);
    if (body.etag !== undefined && body.etag !== before.etag)
      throw new Refused(
        409,
        'ABORTED',
        `Conflict for resource '${names[2]}': version '${before.etag}' was specified differently.`,
      );
    const mask = query.get('updateMask');
    const { template, traffic, labels, ingress, invokerIamDisabled, description, annotations } = before;
    const whole = { template, traffic, labels, ingress, invokerIamDisabled, description, annotations };
    const picked =
      mask === null ? body : { ...whole, ...Object.fromEntries(mask.split(',').map((field) => [field, body[field]])) };
    return write(state, name, before, picked);
  },
  'run services.delete': ({ state, names }) => {
    const name = nameOf(names);
    found(state.services, name);
    return operate(state, `projects/${names[0]}/locations/${names[1]}/`, () => {
      state.services.delete(name);
      for (const revision of [...state.revisions.keys()])
        if (revision.startsWith(`${name}/`)) state.revisions.delete(revision);
      return { response: {} };
    });
  },
  'run policy.get': ({ state, names }) => getPolicy(state, nameOf(names)),
  'run policy.set': ({ state, names, body }) => {
    found(state.services, nameOf(names));
    return setPolicy(state, nameOf(names), body.policy);
  },
  'run revisions.list': ({ state, names, query }) =>
    pageOf(
      'revisions',
      [...state.revisions.values()].filter(({ name }) => name.startsWith(`${nameOf(names)}/`)),
      query,
    ),
  'run revisions.get': ({ state, names }) => found(state.revisions, `${nameOf(names)}/revisions/${names[3]}`),
  'run revisions.delete': ({ state, names }) => {
    const service = found(state.services, nameOf(names));
    const name = `${nameOf(names)}/revisions/${names[3]}`;
    found(state.revisions, name);
    if (service.trafficStatuses?.some(({ revision, percent }: any) => revision === names[3] && percent > 0))
      throw new Refused(400, 'FAILED_PRECONDITION', 'a revision that serves traffic cannot be deleted');
    state.revisions.delete(name);
    return operate(state, `projects/${names[0]}/locations/${names[1]}/`, () => ({ response: {} }));
  },
  'run operations.get': ({ state, names }) =>
    operationOf(state, `projects/${names[0]}/locations/${names[1]}/operations/${names[2]}`),
};

/** Sets what is wanted; revisions and traffic follow when the operation ends. */
function write(state: State, name: string, before: any, body: any): object {
  checkLabels(body.labels);
  const { etag: _, ...wanted } = body;
  checkTemplate(state, name, before, wanted);
  for (const { revision } of wanted.traffic ?? [])
    if (revision !== undefined && !state.revisions.has(`${name}/revisions/${revision}`))
      throw new Refused(400, 'INVALID_ARGUMENT', `Revision ${revision} does not exist`);
  const percents = (wanted.traffic ?? []).map(({ percent }: any) => percent);
  if (percents.length > 0 && percents.reduce((sum: number, one: number) => sum + one, 0) !== 100)
    throw new Refused(400, 'INVALID_ARGUMENT', 'traffic does not add up to 100');
  const { uid, createTime, latestReadyRevision, latestCreatedRevision, trafficStatuses } = before;
  const service = {
    ...{ name, uid, createTime, latestReadyRevision, latestCreatedRevision, trafficStatuses },
    ...wanted,
    traffic: wanted.traffic ?? [{ type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST', percent: 100 }],
    uri: `https://${name.split('/').at(-1)}-abc123-ew.a.run.app`,
    updateTime: new Date().toISOString(),
    etag: `"e${++state.tick}"`,
    reconciling: true,
  };
  state.services.set(name, service);
  const short = wanted.template?.revision;
  const isNew = short !== before.template?.revision || before.template === undefined;
  const revision = isNew ? makeRevision(state, name, wanted.template) : undefined;
  if (revision !== undefined) service.latestCreatedRevision = revision.name;
  const prefix = name.replace(/services\/.*$/, '');
  return operate(state, prefix, () => settle(state, service, revision));
}

function checkTemplate(state: State, name: string, before: any, { template }: any): void {
  const service = name.split('/').at(-1)!;
  if (template?.revision === undefined) return;
  if (!template.revision.startsWith(`${service}-`) || template.revision.length > 63)
    throw new Refused(400, 'INVALID_ARGUMENT', `bad revision name ${template.revision}`);
  const isSame = template.revision === before.template?.revision;
  if (!isSame && state.revisions.has(`${name}/revisions/${template.revision}`))
    throw new Refused(
      409,
      'ALREADY_EXISTS',
      `Revision named '${template.revision}' with different configuration already exists.`,
    );
  const [seconds] = /\d+/.exec(template.timeout ?? '300s')!;
  if (Number(seconds) > 3600) throw new Refused(400, 'INVALID_ARGUMENT', 'timeout above 3600s');
  if ((template.maxInstanceRequestConcurrency ?? 80) > 1000)
    throw new Refused(400, 'INVALID_ARGUMENT', 'concurrency above 1000');
  for (const key of Object.keys(template.annotations ?? {}))
    if (/^(run|cloud)\.googleapis\.com\/|knative\.dev\//.test(key)) throw new Refused(400, 'INVALID_ARGUMENT', key);
  for (const { name: variable } of template.containers.flatMap(({ env = [] }: any) => env))
    if (/^(PORT|K_SERVICE|K_REVISION|K_CONFIGURATION)$/.test(variable))
      throw new Refused(400, 'INVALID_ARGUMENT', `The following reserved env names were provided: ${variable}`);
}

function makeRevision(state: State, service: string, template: any): any {
  const { revision: short, ...settings } = structuredClone(template);
  const name = `${service}/revisions/${short}`;
  const revision = {
    name,
    ...settings,
    createTime: new Date().toISOString(),
    service,
    conditions: [{ type: 'Ready', state: 'CONDITION_PENDING' }],
  };
  state.revisions.set(name, revision);
  return revision;
}

function settle(state: State, service: any, revision: any) {
  service.reconciling = false;
  service.etag = `"e${++state.tick}"`;
  if (revision !== undefined) {
    const problem = secretProblem(state, revision) ?? imageProblem(state, revision) ?? state.notReady(revision);
    revision.conditions = [
      problem === undefined
        ? { type: 'Ready', state: 'CONDITION_SUCCEEDED' }
        : { type: 'Ready', state: 'CONDITION_FAILED', message: problem },
    ];
    if (problem === undefined) service.latestReadyRevision = revision.name;
    else {
      const message = `Revision '${revision.name.split('/').at(-1)}' is not ready and cannot serve traffic. ${problem}`;
      service.terminalCondition = { type: 'Ready', state: 'CONDITION_FAILED', message };
      return { error: { code: 9, message } };
    }
  }
  const ready = service.latestReadyRevision?.split('/').at(-1);
  service.trafficStatuses = service.traffic.flatMap((target: any) => {
    const to = target.revision ?? ready;
    return to === undefined ? [] : [{ ...target, revision: to, uri: target.tag && 'x' }];
  });
  service.terminalCondition = { type: 'Ready', state: 'CONDITION_SUCCEEDED' };
  return { response: service };
}

function secretProblem(state: State, { containers, serviceAccount, name }: any): string | undefined {
  const [, project] = name.split('/');
  for (const { valueSource } of containers.flatMap(({ env = [] }: any) => env)) {
    if (valueSource === undefined) continue;
    const { secret, version } = valueSource.secretKeyRef;
    const path = `projects/${project}/secrets/${secret}`;
    if (state.versions.get(path)?.[Number(version) - 1] === undefined)
      return `Secret ${path}/versions/${version} was not found`;
    const policy: any = getPolicy(state, path);
    const isAllowed = policy.bindings?.some(
      ({ role, members }: any) =>
        role === 'roles/secretmanager.secretAccessor' && members.includes(`serviceAccount:${serviceAccount}`),
    );
    if (isAllowed !== true)
      return `Permission denied on secret: ${path}/versions/${version} for Revision service account ${serviceAccount}.`;
  }
  return undefined;
}

function imageProblem(state: State, { containers }: any): string | undefined {
  const [{ image }] = containers;
  const path = image.replace(/[@:]sha256.*$/, '');
  const isThere = [...state.packages].some((name) => path.endsWith(`/${name.split('/').at(-1)}`));
  return isThere && /@sha256:[0-9a-f]{64}$/.test(image) ? undefined : `Image '${image}' not found.`;
}

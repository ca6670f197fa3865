/** A new revision beside the one that serves, and the traffic that it gets when it is ready. */
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { Progress, Revision } from '../target.ts';
import { GoogleError } from './client.ts';
import { changedMeanwhile } from './failures.ts';
import { findService, type GooglePlan } from './find-changes.ts';
import { lastLines } from './logs.ts';
import { locationPath, type Place, servicePath } from './place.ts';
import { conditionOf, presentTraffic, recordAnnotation, type Traffic, trafficTo } from './revisions.ts';
import { labelsOf, type ServiceTemplate } from './service-template.ts';

export interface RolloutSettings {
  /** Name and machine of who deploys. */
  readonly who: string;
  readonly timeoutMs: number;
  /** `svc rollback main.svc --target cloud_b`: how to go back. */
  readonly goBack: string;
}

export interface Release {
  /** `demo-00007` */
  readonly name: string;
  readonly template: ServiceTemplate;
  readonly record: Revision;
  readonly settings: RolloutSettings;
  readonly progress: Progress;
}

/** Lines of a revision that did not become ready. */
const shownLines = 30;

/** Makes the revision, which gets no traffic while another one has it, and gives the service when it is ready. @throws DeployFailure */
export async function releaseRevision(place: Place, plan: GooglePlan, release: Release): Promise<any> {
  const { name, template, record, settings } = release;
  const { service, app } = plan;
  const traffic = presentTraffic(service);
  const body = {
    labels: labelsOf(app),
    ingress: service?.ingress ?? 'INGRESS_TRAFFIC_ALL',
    template: { ...template, revision: name, annotations: { [recordAnnotation]: JSON.stringify(record) } },
    ...(traffic === undefined ? {} : { traffic }),
  };
  const waiting = { what: `releasing ${name}`, timeoutMs: settings.timeoutMs, version: 'v2' } as const;
  try {
    if (service === undefined)
      await place.client.operate(
        {
          service: 'run',
          method: 'POST',
          path: `v2/${locationPath(place)}/services`,
          query: { serviceId: app.name },
          body,
        },
        waiting,
      );
    else await writeService(place, { ...body, etag: service.etag, ...kept(service) }, waiting);
  } catch (error) {
    if (!(error instanceof GoogleError)) throw error;
    // An answer that got lost: the request that was made again finds its own work.
    if (error.status === 409 && !(await isOwnWork(place, record))) throw changedMeanwhile(place);
    if (error.status !== 409) await explainNotReady(place, name, error, traffic !== undefined, release);
  }
  const after = await settled(place, settings.timeoutMs);
  const found = await findRevision(place, name);
  if (conditionOf(found, 'Ready')?.state !== 'CONDITION_SUCCEEDED')
    await explainNotReady(place, name, undefined, traffic !== undefined, release);
  return after;
}

/** Members of the service that others may have set and that a whole update would take away. */
function kept({ invokerIamDisabled, description, annotations, customAudiences, defaultUriDisabled }: any): object {
  return { invokerIamDisabled, description, annotations, customAudiences, defaultUriDisabled };
}

async function isOwnWork(place: Place, record: Revision): Promise<boolean> {
  const live = await findService(place);
  return live?.template?.annotations?.[recordAnnotation] === JSON.stringify(record);
}

async function findRevision({ client, ...place }: Place, name: string): Promise<any> {
  const path = `v2/${servicePath(place)}/revisions/${name}`;
  return await client.find({ service: 'run', method: 'GET', path });
}

/** Waits for a change whose operation nobody could follow to its end. */
async function settled(place: Place, timeoutMs: number): Promise<any> {
  const began = performance.now();
  for (;;) {
    const service = await findService(place);
    if (service === undefined) throw changedMeanwhile(place);
    if (service.reconciling !== true) return service;
    if (performance.now() - began > timeoutMs)
      throw new DeployFailure('late', `service ${place.app} is still being changed after ${timeoutMs / 1000} s`);
    await place.client.pause();
  }
}

/** @throws DeployFailure that says why a revision is not ready, with its last lines */
async function explainNotReady(
  place: Place,
  name: string,
  error: GoogleError | undefined,
  hasBefore: boolean,
  { settings, progress }: Release,
): Promise<void> {
  const found = await findRevision(place, name).catch(() => undefined);
  // Nothing was made: it is the request that failed.
  if (found === undefined && error !== undefined) throw error;
  const condition = conditionOf(found, 'Ready');
  if (condition?.state === 'CONDITION_SUCCEEDED') return;
  const reason = condition?.message || error?.message || 'it says nothing';
  progress.detail('reading its last lines');
  const output = await lastLines(place, name, shownLines).catch(() => []);
  throw new DeployFailure('failed', `revision ${name} did not become ready: ${reason}`, {
    output,
    hints: hasBefore ? [`the version before keeps serving; ${settings.goBack} goes back further`] : [],
  });
}

/** Gives all traffic to a revision, by its name (decisions/0895), and gives the service after that. @throws DeployFailure when somebody changed it meanwhile */
export async function sendTraffic(
  place: Place,
  service: any,
  name: string,
  { timeoutMs }: Pick<RolloutSettings, 'timeoutMs'>,
): Promise<any> {
  const traffic: Traffic[] = [trafficTo(name)];
  if (JSON.stringify(presentTraffic(service)) === JSON.stringify(traffic) && isByName(service)) return service;
  try {
    await writeService(
      place,
      { traffic, etag: service.etag },
      {
        what: `sending traffic to ${name}`,
        timeoutMs,
        version: 'v2',
      },
      'traffic',
    );
  } catch (error) {
    if (!(error instanceof GoogleError) || error.status !== 409) throw error;
    const live = await findService(place);
    if (
      JSON.stringify(live?.traffic?.map(({ revision, percent }: any) => [revision, percent])) !==
      JSON.stringify([[name, 100]])
    )
      throw changedMeanwhile(place);
  }
  return await settled(place, timeoutMs);
}

/** Traffic may go to whatever is newest. */
function isByName({ traffic }: any): boolean {
  return traffic?.every(({ revision }: any) => Boolean(revision)) === true;
}

async function writeService(
  place: Place,
  body: object,
  waiting: { readonly what: string; readonly timeoutMs: number; readonly version: 'v2' },
  updateMask?: string,
): Promise<void> {
  await place.client.operate(
    {
      service: 'run',
      method: 'PATCH',
      path: `v2/${servicePath(place)}`,
      ...(updateMask === undefined ? {} : { query: { updateMask } }),
      body: { name: servicePath(place), ...body },
    },
    waiting,
  );
}

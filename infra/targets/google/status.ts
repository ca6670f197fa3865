/** The state of a deployment, and how it differs from what was applied. */
import type { DeployStatus, PodStatus } from '../target.ts';
import { forThing } from './failures.ts';
import { findService, servingRevision, templateFields } from './find-changes.ts';
import { type Place, shownPlace } from './place.ts';
import {
  conditionOf,
  listRevisions,
  mostRevisions,
  type OwnRevision,
  ownRevisions,
  servingNames,
  shortName,
  toldRevision,
} from './revisions.ts';

export async function readStatus(place: Place): Promise<DeployStatus> {
  return await forThing(place, place.app, async () => {
    const service = await findService(place);
    const all = service === undefined ? [] : await listRevisions(place);
    const revisions = ownRevisions(place, all);
    const revision = servingRevision(service, revisions);
    const wanted = revision?.found.scaling?.minInstanceCount ?? 0;
    const isHealthy = service?.terminalCondition?.state === 'CONDITION_SUCCEEDED' && revision?.isReady === true;
    return {
      name: place.app,
      place: shownPlace(place),
      revision: revision === undefined ? undefined : toldRevision(revision),
      version: revision?.version ?? service?.labels?.version ?? '',
      digest: revision?.sourceDigest ?? '',
      // Instances come and go with the load; nothing says how many there are.
      replicas: { wanted, updated: wanted, ready: isHealthy ? wanted : 0 },
      isHealthy,
      url: service?.uri,
      since: revision?.time ?? service?.updateTime ?? '',
      pods: servingNames(service).map((name) => podStatus(name, all)),
      lastError: lastError(service, revisions[0]),
      drift: service === undefined ? [] : findDrift(service, revision, revisions),
      revisions: revisions.slice(0, mostRevisions).map(toldRevision),
    };
  });
}

function podStatus(name: string, all: readonly any[]): PodStatus {
  const found = all.find((revision) => shortName(revision.name) === name);
  const condition = conditionOf(found, 'Ready');
  const isReady = condition?.state === 'CONDITION_SUCCEEDED';
  const state = isReady ? 'Ready' : (condition?.message ?? 'unknown');
  return { kind: 'revision', name, state, since: found?.createTime ?? '' };
}

function lastError(service: any, newest: OwnRevision | undefined): string | undefined {
  if (newest !== undefined && !newest.isReady)
    return `revision ${newest.name}: ${conditionOf(newest.found, 'Ready')?.message ?? 'is not ready'}`;
  const condition = service?.terminalCondition;
  return condition?.state === 'CONDITION_FAILED' ? condition.message : undefined;
}

/** Traffic that goes elsewhere, and fields of the service that a deployment did not set so. */
function findDrift(service: any, revision: OwnRevision | undefined, revisions: readonly OwnRevision[]): string[] {
  const names = servingNames(service);
  const foreign = names.filter((name) => !revisions.some((one) => one.name === name));
  const last = revisions.find(({ name }) => name === service.template?.revision) ?? revision;
  const fields = last === undefined ? [] : templateFields(service.template, settingsOf(last.found));
  return [
    ...foreign.map((name) => `traffic goes to ${name}, which svc did not make`),
    ...(names.length > 1 ? [`traffic is split between ${names.join(', ')}`] : []),
    ...fields.map(
      ({ path, from, to }) =>
        `Service ${shortName(service.name)}: ${path} is ${from ?? 'absent'}, was applied as ${to ?? 'absent'}`,
    ),
  ];
}

/** A revision has the members of the template that made it. */
function settingsOf(revision: any): object {
  const { scaling, vpcAccess, timeout, serviceAccount, containers, volumes, maxInstanceRequestConcurrency } = revision;
  return { scaling, vpcAccess, timeout, serviceAccount, containers, volumes, maxInstanceRequestConcurrency };
}

/** Revisions of the service: those that a deployment made carry what it was in an annotation. */
import type { Revision } from '../target.ts';
import type { Place } from './place.ts';
import { revisionName, servicePath } from './place.ts';

/** Annotation with the record of a deployment, as JSON. */
export const recordAnnotation = 'svc.dev/revision';
/** Revisions that stay; older ones go, and with them the secrets that only they use. */
export const mostRevisions = 10;

export interface OwnRevision extends Revision {
  /** `demo-00007` */
  readonly name: string;
  readonly isReady: boolean;
  /** Answer of the service. */
  readonly found: any;
}

/** All revisions of the service, as it answers them. */
export async function listRevisions(place: Place): Promise<any[]> {
  const path = `v2/${servicePath(place)}/revisions`;
  return await place.client.list({ service: 'run', method: 'GET', path, query: { pageSize: '100' } }, 'revisions');
}

/** Newest first. Those that somebody else made, also from one of ours, are left out. */
export function ownRevisions(place: Place, all: readonly any[]): OwnRevision[] {
  return all.flatMap((revision) => recordOf(place, revision) ?? []).toSorted((one, other) => other.number - one.number);
}

function recordOf({ app }: Place, found: any): OwnRevision | undefined {
  const name = shortName(found.name);
  try {
    const record = JSON.parse(found.annotations?.[recordAnnotation] ?? '') as Revision;
    if (revisionName(app, record.number) !== name) return undefined;
    return { ...record, name, isReady: conditionOf(found, 'Ready')?.state === 'CONDITION_SUCCEEDED', found };
  } catch {
    return undefined;
  }
}

/** The part of a revision that is told, without what Cloud Run says of it. */
export function toldRevision({ name: _, isReady: __, found: ___, ...revision }: OwnRevision): Revision {
  return revision;
}

export function shortName(path: string): string {
  return path.split('/').at(-1)!;
}

export function conditionOf(thing: any, type: string): any {
  return thing?.conditions?.find((condition: any) => condition.type === type);
}

/** Names of the revisions that answer, by `traffic` of the service. */
export function servingNames(service: any): string[] {
  const statuses: any[] = service?.trafficStatuses ?? [];
  return statuses
    .filter(({ percent }) => percent > 0)
    .flatMap(({ revision }) => revision ?? latestReady(service) ?? []);
}

function latestReady({ latestReadyRevision }: any): string | undefined {
  return latestReadyRevision ? shortName(latestReadyRevision) : undefined;
}

/** Traffic as it is, by names: a new revision gets none of it. Undefined while none answers. */
export function presentTraffic(service: any): Traffic[] | undefined {
  const statuses: any[] = service?.trafficStatuses ?? [];
  const kept = statuses.flatMap(({ revision, percent, tag }) => {
    const name = revision ?? latestReady(service);
    return name === undefined ? [] : [trafficTo(name, percent ?? 0, tag)];
  });
  return kept.length === 0 ? undefined : kept;
}

export interface Traffic {
  readonly type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION';
  readonly revision: string;
  readonly percent: number;
  readonly tag?: string;
}

export function trafficTo(revision: string, percent = 100, tag?: string): Traffic {
  return { type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION', revision, percent, ...(tag ? { tag } : {}) };
}

/** Comparison of what is wanted with what is there: the cluster itself says what an apply would make of each object (decisions/0530). */
import { createHash } from 'node:crypto';
import { KubeError } from '../../cluster/client.ts';
import { type LiveObject, pathOf } from '../../cluster/kinds.ts';
import type { KubeObject } from '../../orchestrator/kubernetes.ts';
import { shownObject } from '../../orchestrator/show-objects.ts';
import type { Change, DeployPlan } from '../target.ts';
import { changedFields } from './changed-fields.ts';
import { forObject, isImmutable } from './failures.ts';
import { manager, ownObjects, type Place, requireOwn, shownName, shownPlace } from './place.ts';
import { dropsReplicas, isLeftByAutoscaler } from './replicas.ts';
import { neededRights, type Right, shownRights } from './rights.ts';
import { wireObject } from './wire.ts';

export interface OrchestratorPlan extends DeployPlan {
  readonly wanted: readonly KubeObject[];
  /** Objects of ours that are no longer wanted. */
  readonly stale: readonly LiveObject[];
  readonly hasNamespace: boolean;
  readonly needed: readonly Right[];
}

/** Without a cluster to compare with, everything is created. */
export function planAlone(wanted: readonly KubeObject[], where: string): OrchestratorPlan {
  const needed = neededRights(kindsOf(wanted), true);
  const changes = wanted.map((object) => changeOf('create', object));
  return {
    ...{ wanted, stale: [], hasNamespace: false, needed, changes, place: where },
    digest: digestOf(wanted),
    rights: shownRights(needed),
  };
}

/** @throws DeployFailure for objects of others, fields of others, and what the cluster does not take */
export async function findChanges(
  place: Place,
  wanted: readonly KubeObject[],
  adopt: boolean,
  keptMaps: ReadonlySet<string>,
): Promise<OrchestratorPlan> {
  if (!(await hasNamespace(place))) return planAlone(wanted, shownPlace(place));
  const changes: Change[] = [];
  for (const object of wanted) changes.push(await changeTo(place, object, adopt));
  const names = new Set(wanted.map(shownName));
  const stale = (await ownObjects(place)).filter(
    (object) => !names.has(shownName(object)) && !isKept(object, place, keptMaps),
  );
  const needed = neededRights([...kindsOf(wanted), ...stale.map(({ kind }) => kind)], false);
  return {
    ...{ wanted, stale, hasNamespace: true, needed, place: shownPlace(place) },
    changes: [...changes, ...stale.map((object) => changeOf('delete', object))],
    digest: digestOf(wanted),
    rights: shownRights(needed),
  };
}

export function kindsOf(objects: readonly KubeObject[]): string[] {
  return [...new Set(objects.map(({ kind }) => kind))];
}

function changeOf(kind: Change['kind'], object: { kind: string; metadata: { name: string } }): Change {
  return { kind, object: shownName(object), fields: [], losesData: false };
}

/** A person who may not look at namespaces is taken to have one. */
async function hasNamespace({ client, namespace }: Place): Promise<boolean> {
  try {
    return (await client.get('Namespace', '', namespace)) !== undefined;
  } catch (error) {
    if (error instanceof KubeError && error.status === 403) return true;
    throw error;
  }
}

async function changeTo(place: Place, object: KubeObject, adopt: boolean): Promise<Change> {
  const { client, namespace, app } = place;
  const shown = shownName(object);
  const live = await forObject(place, shown, () => client.get(object.kind, namespace, object.metadata.name));
  requireOwn(live, shown, app);
  const body = await forObject(place, shown, () => wireObject(place, object, live));
  try {
    const kept = dropsReplicas(object, live) ? withReplicas(body, live!) : body;
    const next = await sendApply(place, object, kept, { adopt, dryRun: true });
    if (live === undefined) return changeOf('create', object);
    const fields = changedFields(live, next);
    return { ...changeOf(fields.length === 0 ? 'keep' : 'change', object), fields };
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    if (live !== undefined && isImmutable(error))
      return {
        ...changeOf('replace', object),
        losesData: object.kind === 'PersistentVolumeClaim',
        fields: changedFields(live, { ...live, ...body } as LiveObject),
      };
    return await forObject(place, shown, () => Promise.reject(error));
  }
}

/** Their number stays as it is when the deployment no longer says it. */
function withReplicas(body: any, { spec: { replicas } }: LiveObject): unknown {
  return { ...body, spec: { ...body.spec, replicas } };
}

interface ApplyOptions {
  readonly adopt: boolean;
  readonly dryRun?: boolean;
}

type Named = { readonly kind: string; readonly metadata: { readonly name: string } };

/** One server-side apply. @throws KubeError */
export async function sendApply(
  place: Place,
  object: Named,
  body: unknown,
  options: ApplyOptions,
): Promise<LiveObject> {
  try {
    return await sendOnce(place, object, body, options);
  } catch (error) {
    if (options.adopt || !(await isLeftByAutoscaler(place, error))) throw error;
    return await sendOnce(place, object, body, { ...options, adopt: true });
  }
}

async function sendOnce(
  { client, namespace }: Place,
  { kind, metadata }: Named,
  body: unknown,
  { adopt, dryRun = false }: ApplyOptions,
): Promise<LiveObject> {
  return await client.request({
    method: 'PATCH',
    path: pathOf(kind, namespace, metadata.name),
    query: {
      fieldManager: manager,
      fieldValidation: 'Strict',
      ...(adopt ? { force: 'true' } : {}),
      ...(dryRun ? { dryRun: 'All' } : {}),
    },
    body,
  });
}

/** Volumes, generated passwords, remembered revisions and their bundles outlive a deployment that does not name them. */
function isKept({ kind, metadata }: LiveObject, { app }: Place, keptMaps: ReadonlySet<string>): boolean {
  if (kind === 'PersistentVolumeClaim') return true;
  if (kind === 'Secret') return metadata.name.endsWith('-auth');
  return kind === 'ConfigMap' && (metadata.name === `${app}-revisions` || keptMaps.has(metadata.name));
}

/** Pods carry a digest of their secrets, so that the digest of a plan changes with these too. */
function digestOf(wanted: readonly KubeObject[]): string {
  return createHash('sha256')
    .update(JSON.stringify(wanted.map(shownObject)))
    .digest('hex');
}

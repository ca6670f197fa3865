/** The way back to an earlier revision: its objects are applied again. Data, and the Secrets of today, stay. */
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { requireRevision } from '../require-revision.ts';
import { schemaChanges } from '../schema-changes.ts';
import type { Deployed, Progress, RollbackPlan } from '../target.ts';
import { addressOf } from './address.ts';
import { type RolloutSettings, waitOf } from './apply.ts';
import { changedFields } from './changed-fields.ts';
import { forObject } from './failures.ts';
import { sendApply } from './find-changes.ts';
import { withLease } from './lease.ts';
import { ownObjects, type Place, shownName, shownPlace } from './place.ts';
import { nextNumber, readRevisions, type StoredRevision, writeRevision } from './revisions.ts';
import { neededRights, requireRights } from './rights.ts';
import { withoutObjects } from './status.ts';
import { waitForDeployment } from './wait-rollout.ts';
import { withGenerated } from './wire.ts';

/** Without a number: the last one that served before what is there now. */
export async function planRollback(place: Place, to: number | undefined): Promise<RollbackPlan> {
  const revisions = await forObject(place, place.app, () => readRevisions(place));
  const [last] = revisions;
  if (last === undefined) throw new DeployFailure('failed', `${place.app} has no revisions in ${shownPlace(place)}`);
  const found =
    to === undefined
      ? await forObject(place, `Deployment ${place.app}`, () => earlierOne(place, revisions))
      : revisions.find(({ number }) => number === to);
  const target = requireRevision(found, to, revisions);
  await requireBundle(place, target);
  return {
    to: withoutObjects(target),
    from: withoutObjects(last),
    schemaChanges: schemaChanges(last, target),
    notes: ['data stay as they are, and so do secrets'],
  };
}

/** After a deployment that failed, what is there is no revision, and the last revision is the way back. */
async function earlierOne(place: Place, revisions: readonly StoredRevision[]): Promise<StoredRevision | undefined> {
  const [last, ...older] = revisions;
  if (!(await runs(place, last!))) return last;
  return older.find(({ planDigest }) => planDigest !== last!.planDigest);
}

/** True when the pods are those of a revision: applying it would change nothing in them. */
async function runs(place: Place, { objects }: StoredRevision): Promise<boolean> {
  const deployment = objects.find(({ kind }) => kind === 'Deployment')!;
  const live = await place.client.get('Deployment', place.namespace, place.app);
  if (live === undefined) return false;
  const body = await withGenerated(place, deployment);
  const next = await sendApply(place, deployment, body, { adopt: true, dryRun: true });
  return !changedFields(live, next).some(({ path }) => path.startsWith('spec.template.'));
}

async function requireBundle(place: Place, { bundle, number }: StoredRevision): Promise<void> {
  for (const name of bundle)
    if ((await place.client.get('ConfigMap', place.namespace, name)) === undefined)
      throw new DeployFailure('failed', `revision ${number} cannot come back: its ConfigMap ${name} is gone`);
}

export async function rollBack(
  place: Place,
  { to }: RollbackPlan,
  settings: RolloutSettings,
  progress: Progress,
): Promise<Deployed> {
  const target = (await readRevisions(place)).find(({ number }) => number === to.number);
  if (target === undefined) throw new DeployFailure('failed', `revision ${to.number} is no longer remembered`);
  progress.begin(4);
  const kinds = [...new Set(target.objects.map(({ kind }) => kind))];
  await progress.step('check rights', () => requireRights(place, neededRights(kinds, false)));
  return await withLease(place, settings.who, async (own) => {
    await progress.step(`apply revision ${to.number}`, async () => {
      for (const object of target.objects)
        await forObject(own, shownName(object), async () =>
          sendApply(own, object, await withGenerated(own, object), { adopt: true }),
        );
    });
    await progress.step('wait for the rollout', () =>
      forObject(own, `Deployment ${own.app}`, () =>
        waitForDeployment(own, waitOf(target.objects, false, settings, progress)),
      ),
    );
    await progress.step('remember this revision', async () => {
      await deleteUnwanted(own, target);
      // Others may have deployed before this had its turn.
      const revisions = await readRevisions(own);
      const { rollbackTo: _, ...same } = target;
      const added = {
        ...same,
        number: nextNumber(revisions),
        time: new Date().toISOString(),
        who: settings.who,
        rollbackTo: to.number,
      };
      await writeRevision(own, revisions, added);
    });
    return { place: shownPlace(own), url: await addressOf(own), notes: [] };
  });
}

/** Kinds that come and go with a revision; databases, volumes and secrets stay. */
const passing = ['Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'];

async function deleteUnwanted(place: Place, { objects }: StoredRevision): Promise<void> {
  const wanted = new Set(objects.map(shownName));
  for (const object of await ownObjects(place, passing))
    if (!wanted.has(shownName(object))) await place.client.remove(object.kind, place.namespace, object.metadata.name);
}

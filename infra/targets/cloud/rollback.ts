/** The way back to an earlier revision: its template is applied again. Data, and the secrets of today, stay. */
import { imageOf } from '../../cloud/template.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { requireRevision } from '../require-revision.ts';
import { schemaChanges } from '../schema-changes.ts';
import type { Deployed, Progress, RollbackPlan } from '../target.ts';
import { addresses, type CloudSettings, changeStack, remember, test } from './apply.ts';
import { hasObject } from './artifacts.ts';
import { digestOf } from './find-changes.ts';
import { hasImage } from './images.ts';
import { type Place, shownPlace } from './place.ts';
import { archivesOf, readRevisions, type StoredRevision, withoutTemplate } from './revisions.ts';
import { liveTemplate, readStack, requireFree } from './stack.ts';
import { tablesOfBefore } from './tables.ts';

/** Without a number: the last one that served before what is there now. */
export async function planRollback(place: Place, to: number | undefined): Promise<RollbackPlan> {
  const revisions = await readRevisions(place);
  const [last] = revisions;
  if (last === undefined) throw new DeployFailure('failed', `${place.app} has no revisions in ${shownPlace(place)}`);
  const found = to === undefined ? await earlierOne(place, revisions) : revisions.find(({ number }) => number === to);
  const target = requireRevision(found, to, revisions);
  const gone = (what: string) =>
    new DeployFailure('failed', `revision ${target.number} cannot come back: ${what} is gone`);
  for (const key of archivesOf(target.template))
    if (!(await hasObject(place, key))) throw gone(`${place.bucket}/${key}`);
  const image = imageOf(target.template);
  if (image !== undefined && !(await hasImage(place, image))) throw gone(image);
  return {
    to: withoutTemplate(target),
    from: withoutTemplate(last),
    schemaChanges: schemaChanges(last, target),
    notes: ['data stay as they are, and so do secrets'],
  };
}

/** After a deployment that did not end well, what is there is no revision, and the last revision is the way back. */
async function earlierOne(place: Place, revisions: readonly StoredRevision[]): Promise<StoredRevision | undefined> {
  const stack = await readStack(place);
  const template = stack === undefined ? undefined : await liveTemplate(place, stack);
  const present = template === undefined ? undefined : digestOf(template);
  return revisions.find(({ planDigest }) => planDigest !== present);
}

export async function rollBack(
  place: Place,
  { to }: RollbackPlan,
  settings: CloudSettings,
  progress: Progress,
): Promise<Deployed> {
  const target = (await readRevisions(place)).find(({ number }) => number === to.number);
  if (target === undefined) throw new DeployFailure('failed', `revision ${to.number} is no longer remembered`);
  const stack = await readStack(place);
  if (stack === undefined) throw new DeployFailure('failed', `${place.app} is not deployed to ${shownPlace(place)}`);
  requireFree(stack, place);
  // Tables that a version between did without stayed beside the stack.
  const takesOver = await tablesOfBefore(place, target.template, stack, await liveTemplate(place, stack));
  progress.begin(4);
  const nothing = { writes: async () => {}, undo: async () => {} };
  const change = { template: target.template, takesOver, allowDataLoss: [] };
  await changeStack(place, change, nothing, progress);
  await progress.step('smoke test', () => test(place, settings));
  const { rollbackTo: _, earlierFiles: __, ...same } = target;
  await progress.step('remember this revision', () =>
    remember(place, { ...same, rollbackTo: to.number }, settings.who),
  );
  return { place: shownPlace(place), ...(await addresses(place)) };
}

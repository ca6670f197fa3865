/** Application of a plan: archives, or an image, and secrets first, then the change of the stack, the first requests to it, and the note of what it was. */
import { imageOf } from '../../cloud/template.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { ApplyRequest, Deployed, Progress, Revision } from '../target.ts';
import { makeBucket, type PageFile, uploadArchives, uploadPageFiles } from './artifacts.ts';
import { type ChangeSetRequest, clearTheWay, makeChangeSet, startChangeSet } from './change-set.ts';
import { AwsError } from './failures.ts';
import { type CloudPlan, digestOf } from './find-changes.ts';
import { forgetImages, makeRepository, pushFunctions } from './images.ts';
import { deleteParameters, undoParameters, writeParameters } from './parameters.ts';
import { type Place, shownPlace, usesOwnRepository } from './place.ts';
import { nextNumber, readRevisions, type StoredRevision, writeRevision } from './revisions.ts';
import { smokeTest } from './smoke-test.ts';
import { type Ended, type LiveStack, readStack, stackFailure, waitForStack } from './stack.ts';
import { addressesOf } from './status.ts';

export interface CloudSettings {
  /** Name and machine of who deploys. */
  readonly who: string;
  /** `svc rollback main.svc --target cloud` */
  readonly goBack: string;
  /** Time until what was deployed has to answer. */
  readonly patienceMs: number;
}

export async function applyPlan(
  place: Place,
  plan: CloudPlan,
  request: ApplyRequest,
  settings: CloudSettings,
  progress: Progress,
): Promise<Deployed> {
  refuseDataLoss(plan, request);
  const { app, parameters, takesOver } = plan;
  const { pageFiles } = app;
  const gone = parameters.filter(({ to }) => to === undefined).map(({ name }) => name);
  const { image } = app;
  progress.begin(
    6 +
      (image === undefined ? 0 : 1) +
      (pageFiles.length > 0 ? 1 : 0) +
      (parameters.length > gone.length ? 1 : 0) +
      (gone.length > 0 ? 1 : 0),
  );
  await progress.step('prepare the artifact bucket', () => makeBucket(place));
  if (image === undefined)
    await progress.step('upload archives', () => uploadArchives(place, app.archives, progress.detail));
  else {
    const address = await progress.step('prepare the repository', () => makeRepository(place, app.sharedRepository));
    place.signal.throwIfAborted();
    await progress.step('push the image', () => pushFunctions(place, image, address));
  }
  if (pageFiles.length > 0)
    await progress.step('upload files of pages', () => uploadPageFiles(place, pageFiles, progress.detail));
  const change = { template: app.template, takesOver, allowDataLoss: request.allowDataLoss };
  const writes = async () => {
    place.signal.throwIfAborted();
    if (parameters.length > gone.length) await progress.step('write secrets', () => writeParameters(place, parameters));
  };
  await changeStack(place, change, { writes, undo: () => undoParameters(place, parameters) }, progress);
  await progress.step('smoke test', () => test(place, settings));
  if (gone.length > 0)
    await progress.step('delete secrets that are no longer wanted', () => deleteParameters(place, gone));
  await progress.step('remember this revision', () =>
    remember(place, { ...request.revision, template: app.template, ...namesOf(pageFiles) }, settings.who),
  );
  return { place: shownPlace(place), ...(await addresses(place)) };
}

interface Secrets {
  writes(): Promise<void>;
  /** Puts secrets back when the stack stays what it was. */
  undo(): Promise<void>;
}

/**
 * Changes the stack, or leaves it and the secrets as they were. After an interruption nobody knows which of both it will be, so the secrets
 * stay then: a later run needs them, or deletes them.
 */
export async function changeStack(
  place: Place,
  change: Omit<ChangeSetRequest, 'tell'>,
  { writes, undo }: Secrets,
  progress: Progress,
): Promise<void> {
  const tell = (text: string) => progress.detail(text);
  const live = await clearTheWay(place, progress.note);
  const undoing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const mayGoOn = error instanceof AwsError && !error.isAnswer;
      if (!mayGoOn)
        await undo().catch(() => progress.note('secrets of this deployment are still there; the next one takes them'));
      throw error;
    }
  };
  const made = await undoing(async () => {
    await writes();
    return await progress.step('make the change set', () => makeChangeSet(place, live, { ...change, tell }));
  });
  await progress.step('execute the change set', async () => {
    if (made === undefined) return;
    place.signal.throwIfAborted();
    const after = await undoing(() => startChangeSet(place, made));
    const ended = await waitForStack(place, made.stackId, after, tell);
    if (!/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(ended.state)) await undoing(() => failed(place, ended, live));
  });
}

async function failed(place: Place, ended: Ended, before: LiveStack | undefined): Promise<never> {
  const serves = before !== undefined && before.state !== 'REVIEW_IN_PROGRESS';
  throw stackFailure(ended, place, serves ? ['the version before keeps serving'] : []);
}

export async function test(place: Place, { patienceMs, goBack }: CloudSettings): Promise<void> {
  const stack = await readStack(place);
  if (stack === undefined) throw new DeployFailure('failed', `stack ${place.stack} is gone`);
  const hints = async () => ((await readRevisions(place)).length > 0 ? [`${goBack} goes back`] : []);
  await smokeTest({ stack, patienceMs, hints, signal: place.signal });
}

export async function remember(
  place: Place,
  revision: Omit<StoredRevision, 'number' | 'time' | 'who' | 'planDigest' | 'earlierFiles'> &
    Partial<Pick<Revision, 'rollbackTo'>>,
  who: string,
): Promise<void> {
  const before = await readRevisions(place);
  const kept = await writeRevision(place, before, {
    ...revision,
    ...{ who, number: nextNumber(before), time: new Date().toISOString(), planDigest: digestOf(revision.template) },
  });
  const needed = kept.flatMap(({ template }) => imageOf(template) ?? []);
  if (usesOwnRepository(revision.template, place)) await forgetImages(place, needed);
}

function namesOf(files: readonly PageFile[]): Pick<StoredRevision, 'pageFiles'> {
  const plain = files.filter(({ coding }) => coding === undefined);
  return plain.length === 0 ? {} : { pageFiles: plain.map(({ name }) => name) };
}

export async function addresses(place: Place): Promise<Pick<Deployed, 'url' | 'notes'>> {
  const stack = await readStack(place);
  return stack === undefined ? { url: undefined, notes: [] } : addressesOf(stack);
}

/** True when the plan changes nothing and what it wants was the last thing that a deployment ended well with. */
export async function isUpToDate(place: Place, plan: CloudPlan): Promise<boolean> {
  if (plan.changes.some(({ kind }) => kind !== 'keep')) return false;
  const [last] = await readRevisions(place);
  return last?.planDigest === plan.digest && /^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(plan.live?.state ?? '');
}

function refuseDataLoss({ changes }: CloudPlan, { allowDataLoss }: ApplyRequest): void {
  const losing = changes.filter(({ losesData, object }) => losesData && !allowDataLoss.includes(object.split(' ')[1]!));
  if (losing.length === 0) return;
  const names = losing.map(({ object }) => object.split(' ')[1]!);
  throw new DeployFailure('failed', `this would leave the data of ${names.join(', ')} behind; nothing was changed`, {
    hints: names.map((name) => `--allow-data-loss ${name} goes on without them; the table stays beside the stack`),
  });
}

/** The end of a deployment: the stack, its secrets, archives and images go; tables stay unless asked for, and what is not ours stays anyway. */
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { DestroyPlan, DestroyRequest, Progress } from '../target.ts';
import { bucketState, deleteKeys, listKeys } from './artifacts.ts';
import { deleteRepository, leavesRepository } from './images.ts';
import { deleteParameters, readParameters } from './parameters.ts';
import { type Place, shownPlace } from './place.ts';
import { eventsOf, isSettled, type LiveStack, readStack, stackFailure, waitForStack } from './stack.ts';
import { deleteTables, ownerOfTable } from './tables.ts';

export interface CloudDestroyPlan extends DestroyPlan {
  readonly stack: LiveStack | undefined;
  readonly parameters: readonly string[];
  /** Names of tables that go. */
  readonly tables: readonly string[];
  readonly keys: readonly string[];
  readonly deletesBucket: boolean;
  readonly deletesRepository: boolean;
}

export async function planDestroy(place: Place, { component, purgeData }: DestroyRequest): Promise<CloudDestroyPlan> {
  if (component !== 'all' && component !== 'application')
    throw new DeployFailure('invalid', `--component ${component}: a deployment to the cloud has none`);
  const stack = await readStack(place);
  if (stack !== undefined && !isSettled(stack.state))
    throw new DeployFailure('failed', `stack ${place.stack} is ${stack.state}`, { hints: ['run this again later'] });
  const own: string[] = [];
  for (const name of place.tables) if ((await ownerOfTable(place, name)) === 'own') own.push(name);
  const parameters = await readParameters(place);
  const shown = (names: readonly string[]) => names.map((name) => `Parameter /${place.stack}/${name}`);
  const named = (owned: boolean) => parameters.filter((one) => one.isOwn === owned).map(({ name }) => name);
  const hasBucket = place.ownsBucket && (await bucketState(place)) !== 'absent';
  const keys = place.ownsBucket && !hasBucket ? [] : await listKeys(place, '');
  const deletesRepository = await leavesRepository(place, keys);
  const shownTables = own.map((name) => `Table ${name}`);
  return {
    ...{
      stack,
      keys,
      parameters: named(true),
      tables: purgeData ? own : [],
      deletesBucket: hasBucket,
      deletesRepository,
    },
    place: shownPlace(place),
    deleted: [
      ...(stack === undefined ? [] : [`Stack ${place.stack}`]),
      ...shown(named(true)),
      ...(deletesRepository ? [`Repository ${place.repository}`] : []),
      ...(hasBucket
        ? [`Bucket ${place.bucket}`]
        : keys.length > 0
          ? [`${keys.length} objects below ${place.bucket}/${place.stack}/`]
          : []),
      ...(purgeData ? shownTables : []),
    ],
    kept: purgeData ? [] : shownTables,
  };
}

export async function destroy(place: Place, plan: CloudDestroyPlan, progress: Progress): Promise<void> {
  const { stack, parameters, keys, tables, deletesBucket, deletesRepository } = plan;
  progress.begin(3 + (tables.length > 0 ? 1 : 0) + (deletesRepository ? 1 : 0));
  await progress.step('delete the stack', () => deleteStack(place, stack, progress));
  await progress.step('delete secrets', () => deleteParameters(place, parameters));
  // The note about it is among what goes next.
  if (deletesRepository) await progress.step('delete images', () => deleteRepository(place));
  await progress.step('delete archives', async () => {
    await deleteKeys(place, keys);
    place.signal.throwIfAborted();
    if (deletesBucket)
      await place.clients.s3.deleteBucket({ Bucket: place.bucket, ExpectedBucketOwner: place.account });
  });
  if (tables.length > 0) await progress.step('delete tables', () => deleteTables(place, tables));
}

async function deleteStack(place: Place, stack: LiveStack | undefined, progress: Progress): Promise<void> {
  if (stack === undefined) return;
  const [newest] = await eventsOf(place, stack.id, undefined);
  await place.clients.formation.deleteStack({ StackName: stack.id });
  const ended = await waitForStack(place, stack.id, newest?.EventId, progress.detail);
  if (ended.state !== '') throw stackFailure(ended, place, ['run the command again: it goes on with what is left']);
}

/** The way back to an earlier revision: it is there still, with its own secrets, and gets the traffic. */
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { requireRevision } from '../require-revision.ts';
import { schemaChanges } from '../schema-changes.ts';
import type { Deployed, Progress, RollbackPlan } from '../target.ts';
import { forThing } from './failures.ts';
import { findService, servingRevision } from './find-changes.ts';
import { type Place, revisionName, shownPlace } from './place.ts';
import { listRevisions, ownRevisions, toldRevision } from './revisions.ts';
import { requireRights, rollbackRights } from './rights.ts';
import { type RolloutSettings, sendTraffic } from './rollout.ts';

export interface GoogleRollbackPlan extends RollbackPlan {
  readonly service: any;
}

/** Without a number: the last one that was ready before the one that serves. */
export async function planRollback(place: Place, to: number | undefined): Promise<GoogleRollbackPlan> {
  const service = await forThing(place, place.app, () => findService(place));
  if (service === undefined) throw new DeployFailure('failed', `${place.app} is not deployed to ${shownPlace(place)}`);
  const revisions = ownRevisions(place, await forThing(place, place.app, () => listRevisions(place)));
  const serving = servingRevision(service, revisions);
  const found =
    to === undefined
      ? revisions.find(({ number, isReady }) => isReady && (serving === undefined || number < serving.number))
      : revisions.find(({ number }) => number === to);
  const target = requireRevision(found, to, revisions);
  if (!target.isReady) throw new DeployFailure('failed', `revision ${target.number} never became ready`);
  const from = serving ?? target;
  return {
    service,
    to: toldRevision(target),
    from: toldRevision(from),
    schemaChanges: schemaChanges(from, target),
    notes: ['data stay as they are; secrets are those of that revision'],
  };
}

export async function rollBack(
  place: Place,
  { to, service }: GoogleRollbackPlan,
  settings: RolloutSettings,
  progress: Progress,
): Promise<Deployed> {
  progress.begin(2);
  const name = revisionName(place.app, to.number);
  await progress.step('check rights', () => forThing(place, 'rights', () => requireRights(place, rollbackRights)));
  const after = await progress.step(`send traffic to ${name}`, () =>
    forThing(place, name, () => sendTraffic(place, service, name, settings)),
  );
  return { place: shownPlace(place), url: after.uri, notes: [] };
}

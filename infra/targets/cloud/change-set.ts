/** A change of the stack: made as a change set, looked at, executed, and followed to its end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '@aws-sdk/client-cloudformation';
import type { Template } from '../../cloud/template.ts';
import { awsLimits } from '../../limits/aws-limits.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { AwsError } from './failures.ts';
import { stackParameters } from './find-changes.ts';
import { type Place, tagsOf } from './place.ts';
import {
  changedMeanwhile,
  eventsOf,
  isStillborn,
  type LiveStack,
  readStack,
  requireFree,
  shortType,
  stackFailure,
  waitForStack,
} from './stack.ts';
import { openStreams } from './tables.ts';

export interface ChangeSet {
  readonly id: string;
  readonly stackId: string;
}

export interface ChangeSetRequest {
  readonly template: Template;
  /** Logical names of the tables of an earlier stack that are taken over. */
  readonly takesOver: readonly string[];
  /** Names of tables that may be replaced. */
  readonly allowDataLoss: readonly string[];
  readonly tell: (text: string) => void;
}

/** Deletes a stack that was never whole, so that one can be made under its name. @throws DeployFailure when it is busy */
export async function clearTheWay(place: Place, note: (text: string) => void): Promise<LiveStack | undefined> {
  const live = await readStack(place);
  if (live === undefined || !isStillborn(live.state)) {
    if (live !== undefined) requireFree(live, place);
    return live;
  }
  note(`stack ${place.stack} is ${live.state}: it is deleted first`);
  const [newest] = await eventsOf(place, live.id, undefined);
  await place.clients.formation.deleteStack({ StackName: live.id });
  const ended = await waitForStack(place, live.id, newest?.EventId, () => {});
  if (ended.state !== '') throw stackFailure(ended, place, []);
  return undefined;
}

/** Undefined when there is nothing to change. @throws DeployFailure when it cannot be made, or would replace a table */
export async function makeChangeSet(
  place: Place,
  live: LiveStack | undefined,
  request: ChangeSetRequest,
): Promise<ChangeSet | undefined> {
  const { formation } = place.clients;
  await openStreams(place, request.template, request.takesOver);
  const text = JSON.stringify(request.template, null, 1);
  const made = await formation
    .createChangeSet({
      StackName: place.stack,
      ChangeSetName: `svc-${Date.now().toString(36)}`,
      ChangeSetType: live === undefined || live.state === 'REVIEW_IN_PROGRESS' ? 'CREATE' : 'UPDATE',
      TemplateBody: Buffer.byteLength(text) <= awsLimits.templateBytes.value ? text : JSON.stringify(request.template),
      Parameters: stackParameters(place, request.template),
      Capabilities: ['CAPABILITY_IAM'],
      Tags: tagsOf(place),
      ...(request.takesOver.length > 0 ? { ImportExistingResources: true } : {}),
    })
    .catch((error) => {
      if (error instanceof AwsError && changesNothing.test(error.message)) return undefined;
      throw error;
    });
  if (made === undefined) return undefined;
  const changeSet = { id: made.Id!, stackId: made.StackId! };
  const { changes, failure } = await waitForChangeSet(place, changeSet);
  if (failure !== undefined) {
    await formation.deleteChangeSet({ StackName: changeSet.stackId, ChangeSetName: changeSet.id });
    if (changesNothing.test(failure)) return undefined;
    throw new DeployFailure('failed', `the change set failed: ${failure}`);
  }
  for (const change of changes) request.tell(shownChange(change));
  const losing = changes.filter(
    ({ ResourceChange: one }) =>
      one?.Replacement === 'True' &&
      one.ResourceType === 'AWS::DynamoDB::Table' &&
      !request.allowDataLoss.includes(one.LogicalResourceId!),
  );
  if (losing.length === 0) return changeSet;
  await formation.deleteChangeSet({ StackName: changeSet.stackId, ChangeSetName: changeSet.id });
  const names = losing.map(({ ResourceChange: one }) => one!.LogicalResourceId!);
  throw new DeployFailure('failed', `this would replace ${names.join(', ')} by an empty table; nothing was changed`, {
    hints: names.map((name) => `--allow-data-loss ${name} does it all the same; the old table stays beside the stack`),
  });
}

const changesNothing = /didn't contain changes|No updates are to be performed/;

async function waitForChangeSet({ clients, signal }: Place, { id, stackId }: ChangeSet) {
  const changes: Change[] = [];
  for (let asked = 0; asked < 300; asked++) {
    const found = await clients.formation.describeChangeSet({ StackName: stackId, ChangeSetName: id });
    const { Status = '', StatusReason = '' } = found;
    if (Status === 'FAILED') return { changes, failure: StatusReason || 'without a reason' };
    if (Status === 'CREATE_COMPLETE') {
      changes.push(...(found.Changes ?? []));
      for (let next = found.NextToken, page = 0; next !== undefined && page < 20; page++) {
        const more = await clients.formation.describeChangeSet({
          StackName: stackId,
          ChangeSetName: id,
          NextToken: next,
        });
        changes.push(...(more.Changes ?? []));
        next = more.NextToken;
      }
      return { changes, failure: undefined };
    }
    await sleep(Math.min(500 + asked * 100, 3000), undefined, { signal });
  }
  return { changes, failure: 'it is not made after 10 minutes' };
}

function shownChange({ ResourceChange: one }: Change): string {
  const action = one?.Replacement === 'True' ? 'Replace' : one?.Action;
  return `${action} ${shortType(one?.ResourceType ?? '')} ${one?.LogicalResourceId}`;
}

/** Gives the newest event before it. @throws DeployFailure when somebody else was quicker */
export async function startChangeSet(place: Place, { id, stackId }: ChangeSet): Promise<string | undefined> {
  const [newest] = await eventsOf(place, stackId, undefined);
  try {
    await place.clients.formation.executeChangeSet({ StackName: stackId, ChangeSetName: id });
    return newest?.EventId;
  } catch (error) {
    if (!(error instanceof AwsError) || !/ChangeSetNotFound|InvalidChangeSetStatus/.test(error.code)) throw error;
    throw changedMeanwhile(place);
  }
}

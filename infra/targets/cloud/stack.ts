/** The stack: its state, its events, and the wait for an operation on it to end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack, StackEvent } from '@aws-sdk/client-cloudformation';
import type { Template } from '../../cloud/template.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { AwsError, deniedAction } from './failures.ts';
import { isOwn, type Place } from './place.ts';

export interface LiveStack {
  readonly id: string;
  /** `UPDATE_COMPLETE` */
  readonly state: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly changed: Date;
}

/** Gives the stack of the place, if there is one. @throws DeployFailure when it is somebody else's */
export async function readStack(place: Place, id: string = place.stack): Promise<LiveStack | undefined> {
  try {
    const { Stacks: [found] = [] } = await place.clients.formation.describeStacks({ StackName: id });
    if (found === undefined || found.StackStatus === 'DELETE_COMPLETE') return undefined;
    requireOwn(found, place);
    return {
      id: found.StackId ?? place.stack,
      state: found.StackStatus ?? '',
      outputs: Object.fromEntries((found.Outputs ?? []).map((one) => [one.OutputKey!, one.OutputValue ?? ''])),
      parameters: Object.fromEntries(
        (found.Parameters ?? []).map((one) => [one.ParameterKey!, one.ParameterValue ?? '']),
      ),
      changed: found.LastUpdatedTime ?? found.CreationTime ?? new Date(0),
    };
  } catch (error) {
    if (error instanceof AwsError && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

function requireOwn({ Tags, StackStatus }: Stack, { stack, app }: Place): void {
  if (isOwn(Tags, app)) return;
  // A stack that only holds a change set that nobody has executed has nothing in it.
  if (StackStatus === 'REVIEW_IN_PROGRESS' && (Tags ?? []).length === 0) return;
  const valueOf = (key: string) => Tags?.find((tag) => tag.Key === key)?.Value;
  const isManaged = valueOf('managed') === 'svc-scale';
  if (!isManaged)
    throw new DeployFailure('failed', `stack ${stack} exists and is not managed by svc`, {
      hints: ['stack_name or stage of [plugins.scale.cloud] leads around it; svc never touches it'],
    });
  const other = valueOf('app');
  if (other !== undefined) throw new DeployFailure('failed', `stack ${stack} belongs to the application ${other}`);
  throw new DeployFailure('failed', `stack ${stack} was deployed with osls, which goes on with it`, {
    hints: ['npx osls remove deletes it; its tables stay, and are taken over by the next svc start --scale'],
  });
}

/** The template that the stack was last given. Undefined when it is of another form than ours. */
export async function liveTemplate({ clients }: Place, { id, state }: LiveStack): Promise<Template | undefined> {
  if (state === 'REVIEW_IN_PROGRESS') return undefined;
  const { TemplateBody = '' } = await clients.formation.getTemplate({ StackName: id, TemplateStage: 'Original' });
  try {
    return JSON.parse(TemplateBody) as Template;
  } catch {
    return undefined;
  }
}

/** True when nothing is under way. */
export function isSettled(state: string): boolean {
  return !state.endsWith('_IN_PROGRESS') || state === 'REVIEW_IN_PROGRESS';
}

/** States of a stack that was never made whole: it can only be deleted. */
export function isStillborn(state: string): boolean {
  return ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED'].includes(state);
}

/** @throws DeployFailure when an operation is under way, or the stack cannot be changed */
export function requireFree({ state }: LiveStack, { stack }: Place): void {
  const hint: Readonly<Record<string, string>> = {
    DELETE_FAILED: 'svc destroy --target cloud goes on with its deletion',
    UPDATE_ROLLBACK_FAILED: `aws cloudformation continue-update-rollback --stack-name ${stack}, then run this again`,
  };
  if (isSettled(state) && hint[state] === undefined) return;
  throw new DeployFailure('failed', `stack ${stack} is ${state}`, {
    hints: [
      hint[state] ?? 'another deployment is under way, or one that was cut off is being ended; run this again later',
    ],
  });
}

/** @throws DeployFailure when the stack is not what it was: what was found of it since may be half of a change */
export async function requireUnchanged(place: Place, read: LiveStack | undefined): Promise<void> {
  const now = await readStack(place);
  if (now !== undefined) requireFree(now, place);
  const facts = (one: LiveStack | undefined) => one && [one.id, one.state, one.changed.getTime()].join();
  if (facts(now) !== facts(read)) throw changedMeanwhile(place);
}

export function changedMeanwhile({ stack }: Place): DeployFailure {
  return new DeployFailure('failed', `stack ${stack} was changed by somebody else meanwhile`, {
    hints: ['run the command again: it compares anew'],
  });
}

/** Newest first, down to the event `after`. Undefined: all that one page has. */
export async function eventsOf({ clients }: Place, id: string, after: string | undefined): Promise<StackEvent[]> {
  const events: StackEvent[] = [];
  let next: string | undefined;
  for (let page = 0; page < 20; page++) {
    const found = await clients.formation.describeStackEvents({ StackName: id, NextToken: next });
    for (const event of found.StackEvents ?? []) {
      if (event.EventId === after) return events;
      events.push(event);
    }
    next = found.NextToken;
    if (next === undefined || after === undefined) break;
  }
  return events;
}

const longestMs = 3_600_000;

export interface Ended {
  /** '' when the stack is gone. */
  readonly state: string;
  /** The reason of the first failure. */
  readonly failure: string | undefined;
}

/**
 * Waits for the end of an operation that was begun after the event `after`, telling its events as they come. The end is an event of the stack
 * itself: right after the request the state is still that of the operation before. @throws DeployFailure after an hour
 */
export async function waitForStack(
  place: Place,
  id: string,
  after: string | undefined,
  tell: (text: string) => void,
): Promise<Ended> {
  const { signal, stack } = place;
  const seen: StackEvent[] = [];
  let last = after;
  for (let waited = 0; waited < longestMs; ) {
    const isGone = (await place.clients.formation.describeStacks({ StackName: id }).catch(ifGone)) === undefined;
    const events = ((await eventsOf(place, id, last).catch(ifGone)) ?? []).reverse();
    last = events.at(-1)?.EventId ?? last;
    for (const event of events) tell(eventText(event));
    seen.push(...events);
    const state = seen.findLast((event) => isOfStack(event, stack))?.ResourceStatus ?? '';
    if (isGone || state === 'DELETE_COMPLETE') return { state: '', failure: firstFailure(seen) };
    if (state !== '' && isSettled(state)) return { state, failure: firstFailure(seen) };
    const pause = Math.min(1000 + waited / 10, 5000);
    waited += pause;
    await sleep(pause, undefined, { signal });
  }
  throw new DeployFailure('late', `stack ${stack} is not done after ${longestMs / 60_000} minutes`, {
    hints: ['CloudFormation goes on with it; svc status tells how it ends'],
  });
}

function ifGone(error: unknown): undefined {
  if (error instanceof AwsError && /does not exist/.test(error.message)) return undefined;
  throw error;
}

function isOfStack({ ResourceType, LogicalResourceId }: StackEvent, stack: string): boolean {
  return ResourceType === 'AWS::CloudFormation::Stack' && LogicalResourceId === stack;
}

function eventText({ ResourceStatus, ResourceType, LogicalResourceId, ResourceStatusReason }: StackEvent): string {
  const reason = ResourceStatusReason === undefined ? '' : `: ${ResourceStatusReason}`;
  return `${ResourceStatus} ${shortType(ResourceType ?? '')} ${LogicalResourceId}${reason}`;
}

/** `Lambda::Function` */
export function shortType(type: string): string {
  return type.replace(/^AWS::/, '');
}

/** Reason of the first resource that failed: others were cancelled because of it. */
function firstFailure(events: readonly StackEvent[]): string | undefined {
  const failed = events.filter(
    (one) => /_FAILED$/.test(one.ResourceStatus ?? '') && !/Stack$/.test(one.ResourceType ?? ''),
  );
  const [first] = [...failed.filter((event) => !/cancelled/i.test(event.ResourceStatusReason ?? '')), ...failed];
  return first === undefined ? undefined : eventText(first);
}

/** The failure of an operation on the stack. */
export function stackFailure({ state, failure }: Ended, { stack }: Place, hints: readonly string[]): DeployFailure {
  const denied = failure === undefined ? undefined : deniedAction(failure);
  if (denied !== undefined) return new DeployFailure('prerequisite', `not allowed: ${denied}`, { hints });
  return new DeployFailure('failed', failure ?? `stack ${stack} is ${state}`, { hints });
}

/** The state of a deployment, and how it differs from what was applied. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackResource } from '@aws-sdk/client-cloudformation';
import { outputs } from '../../cloud/template.ts';
import type { Deployed, DeployStatus, PodStatus } from '../target.ts';
import { AwsError } from './failures.ts';
import { digestOf } from './find-changes.ts';
import { type Place, shownPlace } from './place.ts';
import { readRevisions, type StoredRevision, withoutTemplate } from './revisions.ts';
import { askReady } from './smoke-test.ts';
import { eventsOf, isSettled, type LiveStack, liveTemplate, readStack } from './stack.ts';

export async function readStatus(place: Place): Promise<DeployStatus> {
  const [stack, revisions] = await Promise.all([readStack(place), readRevisions(place)]);
  const isThere = stack !== undefined && stack.state !== 'REVIEW_IN_PROGRESS';
  const [last] = revisions;
  const functions = isThere ? await functionsOf(place, stack) : [];
  const trouble = isThere ? await troubleOf(place, stack) : undefined;
  const updated = functions.filter(({ ResourceStatus }) => ResourceStatus?.endsWith('_COMPLETE')).length;
  return {
    name: place.app,
    place: shownPlace(place),
    revision: isThere && last !== undefined ? withoutTemplate(last) : undefined,
    version: isThere ? (last?.version ?? 'unknown') : '',
    digest: isThere ? (last?.sourceDigest ?? '') : '',
    replicas: { wanted: functions.length, updated, ready: trouble === undefined ? updated : 0 },
    isHealthy: isThere && trouble === undefined && updated === functions.length,
    url: isThere ? addressesOf(stack).url : undefined,
    since: last?.time ?? stack?.changed.toISOString() ?? '',
    pods: functions.map(functionStatus),
    lastError: trouble,
    drift: isThere && last !== undefined ? await findDrift(place, stack, last) : [],
    revisions: revisions.map(withoutTemplate),
  };
}

/** Addresses of a stack, the one of the HTTP API first. */
export function addressesOf({ outputs: found }: Pick<LiveStack, 'outputs'>): Pick<Deployed, 'url' | 'notes'> {
  const socket = found[outputs.socket];
  const stream = found[outputs.stream];
  const domain = found['DomainTarget'];
  return {
    url: found[outputs.http],
    notes: [
      ...(socket === undefined ? [] : [`WebSocket: ${socket}`]),
      ...(stream === undefined ? [] : [`Streaming: ${stream}`]),
      ...(domain === undefined ? [] : [`Domain: its record has to point to ${domain}`]),
    ],
  };
}

async function functionsOf({ clients }: Place, { id }: LiveStack): Promise<StackResource[]> {
  const { StackResources = [] } = await clients.formation.describeStackResources({ StackName: id });
  return StackResources.filter(({ ResourceType }) => ResourceType === 'AWS::Lambda::Function');
}

function functionStatus({
  PhysicalResourceId,
  LogicalResourceId,
  ResourceStatus,
  Timestamp,
}: StackResource): PodStatus {
  return {
    kind: 'function',
    name: PhysicalResourceId ?? LogicalResourceId ?? '',
    state: ResourceStatus ?? '',
    since: Timestamp?.toISOString() ?? '',
  };
}

/** The reason of the last operation that failed, else that the address does not answer well. */
async function troubleOf(place: Place, stack: LiveStack): Promise<string | undefined> {
  if (!isSettled(stack.state)) return `stack ${place.stack} is ${stack.state}`;
  if (/ROLLBACK|FAILED/.test(stack.state)) {
    const events = await eventsOf(place, stack.id, undefined);
    const failed = events.find(({ ResourceStatus }) => ResourceStatus?.endsWith('_FAILED'));
    const why = failed?.ResourceStatusReason === undefined ? '' : `: ${failed.ResourceStatusReason}`;
    // After an update that was rolled back, the version before serves.
    if (stack.state !== 'UPDATE_ROLLBACK_COMPLETE') return `stack ${place.stack} is ${stack.state}${why}`;
  }
  const { url } = addressesOf(stack);
  return url === undefined ? 'it has no address' : await askReady(`${url}/healthz/ready`);
}

/** Asks CloudFormation for changes past the template, which takes some seconds. */
async function findDrift(place: Place, stack: LiveStack, last: StoredRevision): Promise<string[]> {
  const template = await liveTemplate(place, stack);
  const own =
    template !== undefined && digestOf(template) !== last.planDigest
      ? ['the template of the stack is another than that of the last revision']
      : [];
  try {
    return [...own, ...(await detectDrift(place, stack))];
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return [...own, `of resources is not known: ${error.message}`];
  }
}

async function detectDrift({ clients, signal }: Place, { id, state }: LiveStack): Promise<string[]> {
  if (!isSettled(state)) return [];
  const { formation } = clients;
  const { StackDriftDetectionId } = await formation.detectStackDrift({ StackName: id });
  for (let asked = 0; asked < 60; asked++) {
    const found = await formation.describeStackDriftDetectionStatus({ StackDriftDetectionId });
    if (found.DetectionStatus === 'DETECTION_IN_PROGRESS') {
      await sleep(1000, undefined, { signal });
      continue;
    }
    if (found.StackDriftStatus === 'IN_SYNC') return [];
    const { StackResourceDrifts = [] } = await formation.describeStackResourceDrifts({
      StackName: id,
      StackResourceDriftStatusFilters: ['MODIFIED', 'DELETED'],
    });
    return StackResourceDrifts.flatMap(({ LogicalResourceId, StackResourceDriftStatus, PropertyDifferences = [] }) =>
      StackResourceDriftStatus === 'DELETED'
        ? [`${LogicalResourceId}: is gone`]
        : PropertyDifferences.map(
            ({ PropertyPath, ExpectedValue, ActualValue }) =>
              `${LogicalResourceId}: ${PropertyPath} is ${ActualValue ?? 'absent'}, was applied as ${ExpectedValue ?? 'absent'}`,
          ),
    );
  }
  return ['of resources is not known: CloudFormation still looks for it'];
}

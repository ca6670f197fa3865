/** Lines that the functions of a deployment log, of all of them in the order of their times. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { LogLine, LogRequest } from '../target.ts';
import { AwsError } from './failures.ts';
import { type Place, shownPlace } from './place.ts';
import { readStack } from './stack.ts';

/** Without a time to begin at, as far back as this: a month of logs is more than anybody asks for. */
const usualSeconds = 3600;
const lookMs = 2000;
/** Time that a line may come after a later one of another function: the service is no faster. */
const lateMs = 10_000;

interface Event extends LogLine {
  readonly id: string;
  readonly at: number;
}

export async function readLogs(place: Place, request: LogRequest, write: (line: LogLine) => void): Promise<void> {
  const stack = await readStack(place);
  if (stack === undefined) throw new DeployFailure('failed', `${place.app} is not deployed to ${shownPlace(place)}`);
  const groups = await groupsOf(place, stack.id);
  const began = Date.now() - (request.sinceSeconds ?? (request.follow ? 0 : usualSeconds)) * 1000;
  if (request.follow) return await follow(place, groups, began, request.signal, write);
  const events = await eventsSince(place, groups, began);
  for (const event of request.tailLines === undefined ? events : lastOf(events, request.tailLines)) tell(event, write);
}

/** The log groups of the stack's functions. */
async function groupsOf({ clients }: Place, id: string): Promise<string[]> {
  const { StackResources = [] } = await clients.formation.describeStackResources({ StackName: id });
  return StackResources.filter(({ ResourceType }) => ResourceType === 'AWS::Logs::LogGroup').flatMap(
    ({ PhysicalResourceId: name }) => name ?? [],
  );
}

async function eventsSince(place: Place, groups: readonly string[], began: number): Promise<Event[]> {
  const lists = await Promise.all(groups.map((group) => eventsOfGroup(place, group, began)));
  return lists.flat().toSorted((one, other) => one.at - other.at);
}

async function eventsOfGroup({ clients, stack }: Place, group: string, began: number): Promise<Event[]> {
  const events: Event[] = [];
  const source = group.replace(`/aws/lambda/${stack}-`, '');
  let next: string | undefined;
  try {
    for (let page = 0; page < 1000; page++) {
      const found = await clients.logs.filterLogEvents({ logGroupName: group, startTime: began, nextToken: next });
      for (const { eventId = '', timestamp = 0, message = '' } of found.events ?? [])
        events.push({
          ...{ id: eventId, at: timestamp, source },
          time: new Date(timestamp).toISOString(),
          text: message.trimEnd(),
        });
      next = found.nextToken;
      if (next === undefined) break;
    }
  } catch (error) {
    // A function that nobody has called yet.
    if (!(error instanceof AwsError) || error.code !== 'ResourceNotFoundException') throw error;
  }
  return events;
}

async function follow(
  place: Place,
  groups: readonly string[],
  began: number,
  signal: AbortSignal,
  write: (line: LogLine) => void,
): Promise<void> {
  const told = new Map<string, number>();
  let from = began;
  while (!signal.aborted) {
    const events = await eventsSince(place, groups, from);
    for (const event of events) {
      if (told.has(event.id)) continue;
      told.set(event.id, event.at);
      tell(event, write);
    }
    from = Math.max(from, (events.at(-1)?.at ?? from) - lateMs);
    for (const [id, at] of told) if (at < from) told.delete(id);
    await sleep(lookMs, undefined, { signal }).catch(() => {});
  }
}

function lastOf(events: readonly Event[], count: number): readonly Event[] {
  return count === 0 ? [] : events.slice(-count);
}

function tell({ time, source, text }: Event, write: (line: LogLine) => void): void {
  for (const line of text.split('\n')) write({ time, source, text: line });
}

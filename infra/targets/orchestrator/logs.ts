/** Lines that the pods of the application write, of all of them in the order of their times. */
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeError } from '../../cluster/client.ts';
import type { LiveObject } from '../../cluster/kinds.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { LogLine, LogRequest } from '../target.ts';
import { forObject } from './failures.ts';
import { linesOfPod, mergedLines, openLineWindow, type Position, positionAfter } from './log-lines.ts';
import type { Place } from './place.ts';

const lookMs = 1000;

/** The places up to which logs have been read, by the pod's `uid`. */
type Positions = Map<string, Position>;

type Write = (line: LogLine) => void;

/** Writes what is there, and with `follow` what comes, until the signal of the request. @throws DeployFailure when there are no pods */
export async function readLogs(place: Place, request: LogRequest, write: Write): Promise<void> {
  const own = { ...place, signal: AbortSignal.any([place.signal, request.signal]) };
  const began = Date.now();
  const pods = await podsOf(own);
  if (pods.length === 0 && !request.follow) throw new DeployFailure('failed', `${place.app} has no pods`);
  const positions: Positions = new Map();
  const { tailLines } = request;
  const past = mergedLines(pods.filter(hasLog).map((pod) => pastLines(own, pod, request, positions)));
  const last: LogLine[] = [];
  for await (const line of past) tailLines === undefined ? write(line) : last.push(line);
  if (tailLines !== undefined && tailLines > 0) for (const line of last.slice(-tailLines)) write(line);
  if (request.follow) await followAll(own, { ...request, began }, positions, write);
}

async function podsOf(place: Place): Promise<LiveObject[]> {
  const { client, namespace, app } = place;
  const query = { labelSelector: `app=${app},managed=svc-scale,svc.dev/component=app` };
  return await forObject(place, app, () => client.list('Pod', namespace, query));
}

/** True when its container runs or has run: one that keeps ending has a log too. */
function hasLog({ status }: LiveObject): boolean {
  return (
    status?.containerStatuses?.some(
      ({ state, lastState }: any) => state?.waiting === undefined || lastState?.terminated !== undefined,
    ) === true
  );
}

const attempts = 3;

/** The log of a pod up to now. What keeps one from being read is told, and the others are read. */
async function* pastLines(
  place: Place,
  pod: LiveObject,
  { sinceSeconds, tailLines, note }: LogRequest,
  positions: Positions,
): AsyncGenerator<LogLine> {
  const { uid = '', name } = pod.metadata;
  const query = { ...sinceQuery(sinceSeconds), ...(tailLines === undefined ? {} : { tailLines: String(tailLines) }) };
  for (let attempt = 1; ; attempt++) {
    try {
      const last = positions.get(uid);
      for await (const line of linesOfPod(place, pod, last === undefined ? query : {}, last)) {
        positions.set(uid, positionAfter(positions.get(uid), line));
        yield line;
      }
      return;
    } catch (error) {
      place.signal.throwIfAborted();
      if (error instanceof KubeError && error.status === 403)
        throw await forObject(place, name, () => Promise.reject(error));
      // Gone, or not begun.
      if (error instanceof KubeError && [400, 404].includes(error.status)) return;
      if (attempt === attempts) return note(`pod ${name}: ${(error as Error).message}`);
      await sleep(lookMs, undefined, { signal: place.signal });
    }
  }
}

function sinceQuery(seconds: number | undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { sinceSeconds: String(seconds) };
}

interface Follow extends LogRequest {
  /** Time at which reading began, in milliseconds since 1970. */
  readonly began: number;
}

/** Follows pods that are there and pods that begin later. A stream that breaks off, or ends with a container that starts again, is begun anew. */
async function followAll(place: Place, request: Follow, positions: Positions, write: Write): Promise<void> {
  const lines = openLineWindow(write);
  const followed = new Set<string>();
  const ended = new Set<string>();
  const troubled = new Set<string>();
  const follow = async (pod: LiveObject, uid: string): Promise<void> => {
    try {
      const last = positions.get(uid);
      for await (const line of linesOfPod(place, pod, followQuery(request, last), last)) {
        positions.set(uid, positionAfter(positions.get(uid), line));
        troubled.delete(uid);
        lines.push(line);
      }
      if (['Failed', 'Succeeded'].includes(pod.status?.phase)) ended.add(uid);
    } catch (error) {
      if (place.signal.aborted || (error instanceof KubeError && [400, 404].includes(error.status))) return;
      if (!troubled.has(uid)) request.note(`pod ${pod.metadata.name}: ${(error as Error).message}; trying again`);
      troubled.add(uid);
    } finally {
      followed.delete(uid);
    }
  };
  try {
    while (!place.signal.aborted) {
      const pods = await podsOf(place);
      const present = new Set(pods.map(({ metadata }) => metadata.uid!));
      for (const known of [ended, troubled, positions])
        for (const uid of known.keys()) if (!present.has(uid) && !followed.has(uid)) known.delete(uid);
      for (const pod of pods.filter(hasLog)) {
        const uid = pod.metadata.uid!;
        if (followed.has(uid) || ended.has(uid)) continue;
        followed.add(uid);
        follow(pod, uid).catch((error) => request.note((error as Error).message));
      }
      await sleep(lookMs, undefined, { signal: place.signal });
    }
  } finally {
    lines.close();
  }
}

/** A log that had no line in the time that was asked for is followed from there. */
function followQuery({ sinceSeconds, began }: Follow, last: Position | undefined): Readonly<Record<string, string>> {
  const since = sinceSeconds === undefined ? undefined : sinceSeconds + Math.ceil((Date.now() - began) / 1000);
  return { follow: 'true', ...(last === undefined ? sinceQuery(since) : {}) };
}

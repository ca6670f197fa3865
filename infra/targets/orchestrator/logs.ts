/** Lines that the pods of the application write, of all of them in the order of their times. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type LiveObject, pathOf } from '../../cluster/kinds.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { LogLine, LogRequest } from '../target.ts';
import { forObject } from './failures.ts';
import type { Place } from './place.ts';

/** Time that a followed line waits for one of another pod that was written before it. */
const mergeMs = 300;
const lookMs = 2000;

export async function readLogs(place: Place, request: LogRequest, write: (line: LogLine) => void): Promise<void> {
  const pods = await podsOf(place);
  if (pods.length === 0 && !request.follow) throw new DeployFailure('failed', `${place.app} has no pods`);
  if (request.follow) return await followAll(place, request, write);
  const lists = await Promise.all(pods.filter(hasStarted).map((pod) => linesOf(place, pod, request)));
  const lines = lists.flat().toSorted(byTime);
  for (const line of request.tailLines === undefined ? lines : lines.slice(-request.tailLines)) write(line);
}

async function podsOf(place: Place): Promise<LiveObject[]> {
  const { client, namespace, app } = place;
  const query = { labelSelector: `app=${app},managed=svc-scale,svc.dev/component=app` };
  return await forObject(place, app, () => client.list('Pod', namespace, query));
}

function hasStarted({ status }: LiveObject): boolean {
  return status?.containerStatuses?.some(({ state }: any) => state?.waiting === undefined) === true;
}

function byTime(one: LogLine, other: LogLine): number {
  return one.time < other.time ? -1 : one.time > other.time ? 1 : 0;
}

async function linesOf(place: Place, pod: LiveObject, request: LogRequest): Promise<LogLine[]> {
  const path = `${pathOf('Pod', place.namespace, pod.metadata.name)}/log`;
  const text = await forObject(place, `pod ${pod.metadata.name}`, () =>
    place.client.request({ method: 'GET', path, query: queryOf(request) }),
  );
  const lines = (typeof text === 'string' ? text : JSON.stringify(text)).split('\n').filter((line) => line !== '');
  return lines.map((line) => parseLine(pod, line));
}

function queryOf({ sinceSeconds, tailLines }: Pick<LogRequest, 'sinceSeconds' | 'tailLines'>): Record<string, string> {
  return {
    container: 'app',
    timestamps: 'true',
    ...(sinceSeconds === undefined ? {} : { sinceSeconds: String(sinceSeconds) }),
    ...(tailLines === undefined ? {} : { tailLines: String(tailLines) }),
  };
}

function parseLine({ metadata }: LiveObject, line: string): LogLine {
  const at = line.indexOf(' ');
  return { time: line.slice(0, at), source: metadata.name, text: line.slice(at + 1) };
}

/** Pods that begin later are followed as well. */
async function followAll(place: Place, request: LogRequest, write: (line: LogLine) => void): Promise<void> {
  const waiting: { readonly line: LogLine; readonly came: number }[] = [];
  const flush = (before: number) => {
    waiting.sort((one, other) => byTime(one.line, other.line));
    while (waiting[0] !== undefined && waiting[0].came <= before) write(waiting.shift()!.line);
  };
  const followed = new Set<string>();
  const timer = setInterval(() => flush(Date.now() - mergeMs), mergeMs / 3);
  const follow = async (pod: LiveObject): Promise<void> => {
    const path = `${pathOf('Pod', place.namespace, pod.metadata.name)}/log`;
    const query = { ...queryOf(request), follow: 'true' };
    for await (const line of place.client.lines(path, query, request.signal))
      waiting.push({ line: parseLine(pod, line), came: Date.now() });
  };
  try {
    while (!request.signal.aborted) {
      for (const pod of (await podsOf(place)).filter(hasStarted)) {
        if (followed.has(pod.metadata.uid!)) continue;
        followed.add(pod.metadata.uid!);
        // A stream that breaks off is begun again with the next look.
        follow(pod).catch(() => followed.delete(pod.metadata.uid!));
      }
      await sleep(lookMs, undefined, { signal: request.signal }).catch(() => {});
    }
  } finally {
    clearInterval(timer);
    flush(Number.POSITIVE_INFINITY);
  }
}

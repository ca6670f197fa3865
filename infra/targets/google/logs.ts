/** Lines that instances write, of all of them in the order of their times: https://cloud.google.com/logging/docs/reference/v2/rest/v2/entries/list */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { LogLine, LogRequest } from '../target.ts';
import { forThing } from './failures.ts';
import { findService } from './find-changes.ts';
import type { Place } from './place.ts';
import { shownPlace } from './place.ts';

/** Entries arrive late: what is older than this is taken to be there. */
const lateMs = 30_000;
const lookMs = 2000;
const pageSize = 1000;

export async function readLogs(place: Place, request: LogRequest, write: (line: LogLine) => void): Promise<void> {
  await forThing(place, `logs of ${place.app}`, async () => {
    if ((await findService(place)) === undefined && !request.follow)
      throw new DeployFailure('failed', `${place.app} is not deployed to ${shownPlace(place)}`);
    const { sinceSeconds, tailLines } = request;
    const since = sinceSeconds === undefined ? undefined : new Date(Date.now() - sinceSeconds * 1000).toISOString();
    const entries =
      tailLines === undefined
        ? await allSince(place, since)
        : (await newest(place, filterOf(place, { since }), tailLines)).toReversed();
    for (const entry of entries) write(lineOf(entry));
    if (request.follow) await follow(place, entries, request.signal, write);
  });
}

/** The last lines of one revision, as texts. */
export async function lastLines(place: Place, revision: string, count: number): Promise<string[]> {
  const entries = await newest(place, filterOf(place, { revision, since: undefined }), count);
  return entries.toReversed().map((entry) => lineOf(entry).text);
}

/** Looks again and again; what came meanwhile is told once, by its insert id. */
async function follow(place: Place, first: readonly any[], signal: AbortSignal, write: (line: LogLine) => void) {
  const seen = new Map<string, number>(first.map((entry) => [entry.insertId, Date.parse(entry.timestamp)]));
  let last = Math.max(Date.now() - lookMs, ...first.map(({ timestamp }) => Date.parse(timestamp)));
  while (!signal.aborted) {
    await sleep(lookMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const entries = await allSince(place, new Date(last - lateMs).toISOString());
    for (const entry of entries) {
      if (seen.has(entry.insertId)) continue;
      const at = Date.parse(entry.timestamp);
      seen.set(entry.insertId, at);
      last = Math.max(last, at);
      write(lineOf(entry));
    }
    for (const [id, at] of seen) if (at < last - 2 * lateMs) seen.delete(id);
  }
}

async function allSince(place: Place, since: string | undefined): Promise<any[]> {
  const found: any[] = [];
  let pageToken: string | undefined;
  do {
    const answer = await ask(place, {
      filter: filterOf(place, { since }),
      orderBy: 'timestamp asc',
      pageSize,
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    found.push(...(answer.entries ?? []));
    pageToken = answer.nextPageToken;
  } while (pageToken !== undefined && found.length < mostEntries);
  return found;
}

const mostEntries = 100_000;

async function newest(place: Place, filter: string, count: number): Promise<any[]> {
  if (count === 0) return [];
  const answer = await ask(place, { filter, orderBy: 'timestamp desc', pageSize: Math.min(count, pageSize) });
  return answer.entries ?? [];
}

async function ask({ client, project }: Place, body: object): Promise<any> {
  return await client.request({
    service: 'logging',
    method: 'POST',
    path: 'v2/entries:list',
    body: { resourceNames: [`projects/${project}`], ...body },
  });
}

interface Wanted {
  readonly since: string | undefined;
  readonly revision?: string;
}

function filterOf({ app, region, project }: Place, { since, revision }: Wanted): string {
  const streams = ['stdout', 'stderr', 'varlog%2Fsystem'].map(
    (name) => `"projects/${project}/logs/run.googleapis.com%2F${name}"`,
  );
  return [
    'resource.type="cloud_run_revision"',
    `resource.labels.service_name="${app}"`,
    `resource.labels.location="${region}"`,
    ...(revision === undefined ? [] : [`resource.labels.revision_name="${revision}"`]),
    `logName=(${streams.join(' OR ')})`,
    ...(since === undefined ? [] : [`timestamp>="${since}"`]),
  ].join(' AND ');
}

/** One entry as a line: the JSON of the application, which the service has taken apart, in one piece again. */
function lineOf({ timestamp, resource, labels, textPayload, jsonPayload, protoPayload }: any): LogLine {
  const instance = String(labels?.instanceId ?? '').slice(-6);
  const revision = String(resource?.labels?.revision_name ?? '');
  const text = textPayload ?? JSON.stringify(jsonPayload ?? protoPayload ?? {});
  return { time: timestamp, source: instance === '' ? revision : `${revision}/${instance}`, text: text.trimEnd() };
}

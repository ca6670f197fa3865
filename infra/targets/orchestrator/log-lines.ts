/** Lines of the logs of pods: read, begun again where a stream broke off, and put into the order of their times. */
import { type LiveObject, pathOf } from '../../cluster/kinds.ts';
import type { LogLine } from '../target.ts';
import type { Place } from './place.ts';

/** The place up to which the log of a pod has been read: the time of its last line, and the number of lines with that time so far. */
export interface Position {
  readonly time: string;
  readonly count: number;
}

/** Reads the log of a pod, behind `last` where that is given. Ends with the log, or when its container does. @throws KubeError */
export async function* linesOfPod(
  { client, namespace, signal }: Place,
  pod: LiveObject,
  query: Readonly<Record<string, string>>,
  last: Position | undefined,
): AsyncGenerator<LogLine> {
  const path = `${pathOf('Pod', namespace, pod.metadata.name)}/log`;
  const since: Readonly<Record<string, string>> = last === undefined ? {} : { sinceTime: last.time };
  let known = last?.count ?? 0;
  let time = last?.time ?? '';
  for await (const text of client.lines(path, { container: 'app', timestamps: 'true', ...query, ...since }, signal)) {
    const line = parseLine(pod, text, time);
    time = line.time;
    // The cluster takes times to the second: lines that are known come again.
    if (last !== undefined && (time < last.time || (time === last.time && known-- > 0))) continue;
    yield line;
  }
}

/** The position behind one more line. */
export function positionAfter(last: Position | undefined, { time }: LogLine): Position {
  return { time, count: last?.time === time ? last.count + 1 : 1 };
}

/** Nodes write times with as many digits as they like, and of their own zone. A line without one is the node's own, said at that moment. */
function parseLine({ metadata }: LiveObject, line: string, before: string): LogLine {
  const [stamp, seconds, fraction = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|[+-]\d\d:\d\d) /.exec(line) ?? [];
  if (stamp === undefined || seconds === undefined) return { time: before, source: metadata.name, text: line };
  const zone = /(Z|[+-]\d\d:\d\d) $/.exec(stamp)![1];
  const second = new Date(`${seconds}${zone}`).toISOString().slice(0, 19);
  return { time: `${second}.${fraction.padEnd(9, '0')}Z`, source: metadata.name, text: line.slice(stamp.length) };
}

function byTime(one: LogLine, other: LogLine): number {
  return one.time < other.time ? -1 : one.time > other.time ? 1 : 0;
}

/** Merges logs, each of which is in order, holding one line of each. */
export async function* mergedLines(logs: readonly AsyncGenerator<LogLine>[]): AsyncGenerator<LogLine> {
  const heads = await Promise.all(logs.map(async (log) => ({ log, line: await nextOf(log) })));
  try {
    for (;;) {
      const present = heads.filter((head) => head.line !== undefined);
      const [first, ...others] = present;
      if (first === undefined) return;
      const earliest = others.reduce((one, other) => (byTime(one.line!, other.line!) <= 0 ? one : other), first);
      yield earliest.line!;
      earliest.line = await nextOf(earliest.log);
    }
  } finally {
    await Promise.all(logs.map((log) => log.return(undefined)));
  }
}

async function nextOf(log: AsyncGenerator<LogLine>): Promise<LogLine | undefined> {
  const next = await log.next();
  return next.done === true ? undefined : next.value;
}

export interface LineWindow {
  push(line: LogLine): void;
  /** Writes what waits. */
  close(): void;
}

/** Time that a followed line waits for one of another pod that was written before it. */
const mergeMs = 300;
/** Lines that wait at most; more than these come out at once, perhaps not quite in order. */
const mostWaiting = 10_000;

/** Writes lines that come from several pods as they happen, in the order of their times as far as they come within `mergeMs`. */
export function openLineWindow(write: (line: LogLine) => void): LineWindow {
  const waiting: { readonly line: LogLine; readonly came: number }[] = [];
  const flush = (before: number) => {
    waiting.sort((one, other) => byTime(one.line, other.line));
    const end = waiting.findIndex(({ came }) => came > before);
    const written = waiting.splice(0, end === -1 ? waiting.length : end);
    for (const { line } of written) write(line);
  };
  const timer = setInterval(() => flush(Date.now() - mergeMs), mergeMs / 3);
  return {
    push(line) {
      waiting.push({ line, came: Date.now() });
      if (waiting.length >= mostWaiting) flush(Number.POSITIVE_INFINITY);
    },
    close() {
      clearInterval(timer);
      flush(Number.POSITIVE_INFINITY);
    },
  };
}

/**
 * A recorded call once more (docs/guide/stories.md#replay): same fields, same caller, the state that it saw, the values that it got from outside.
 * Nothing is stored, and what differs from the first time is told.
 */
import { Failure } from '../../../core/errors.ts';
import { createRowCache } from '../../../core/memory/row-cache.ts';
import type { Runtime } from '../../../core/memory/runtime.ts';
import { createTurns } from '../../../core/memory/turns.ts';
import type { Call, Reply } from '../../call.ts';
import type { Exchange } from '../exchange.ts';
import { createRunTarget } from '../run/answer.ts';
import type { Changes } from './changes.ts';
import { ForReplay } from './for-replay.ts';
import { openReplayStore } from './replay-store.ts';
import { Seen } from './seen.ts';
import { Story } from './story.ts';
import type { RecordedCall } from './story-book.ts';
import type { ReplayTape, Tape } from './tape.ts';
import { type StoryDeps, type ToldStory, tellChanges, tellStory } from './tell-story.ts';

export interface ToldReplay {
  readonly id: string;
  /** Nothing differs. */
  readonly same: boolean;
  readonly differences: readonly Difference[];
  /** Sentences on where the replay had less to go by than the call. */
  readonly notes: readonly string[];
  /** Story of the replay. */
  readonly story: ToldStory;
}

export interface Difference {
  readonly of: 'status' | 'reports' | 'result' | 'error' | 'body' | 'writes';
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** @throws Failure `INVALID_OPERATION` for a call that cannot be replayed: it has not ended, or more belongs to it than is kept */
export async function replayCall(call: RecordedCall, deps: StoryDeps): Promise<ToldReplay> {
  const { run, forReplay: kept } = call;
  const why = run === undefined ? 'it was a message of a socket' : reasonAgainst(call);
  if (why !== undefined || run === undefined || kept === undefined)
    throw new Failure('INVALID_OPERATION', `This call cannot be replayed: ${why}.`, { details: { reason: why } });
  const replayed = (kept.tape as Tape).again();
  const story = new Story(undefined, call.start, new ForReplay(replayed));
  const opened = openReplayStore(run.runtime.store, kept.seen ?? new Seen(0), kept.commitsMade);
  const runtime: Runtime = {
    ...run.runtime,
    store: opened.store,
    rows: createRowCache(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
    turns: createTurns(),
    leases: undefined,
    meters: undefined,
    catchUp: () => {},
  };
  const exchange = exchangeOf(call, story);
  const again = createRunTarget({ ...run, runtime, meters: undefined, stories: undefined, rulesChanged: () => {} });
  const { target, nodeId, notes, mayRefer } = call;
  const bind = () => call.bind();
  let reply: Reply;
  let errorCode: string | undefined;
  try {
    reply = await again({ exchange, target, args: bind(), bind, nodeId, mayRefer, claim: undefined, notes });
  } catch (error) {
    const failure = run.failureOf(error, exchange, target);
    errorCode = failure.code;
    reply = run.replies.failure(exchange, failure);
  }
  story.answered(reply.status, await bodyOf(reply), errorCode);
  story.over();
  const differences = [...answerDifferences(call, story, deps), ...writeDifferences(call, story, deps)];
  return {
    id: call.id,
    same: differences.length === 0,
    differences,
    notes: notesOn(call, opened.strayed(), replayed),
    story: tellStory(call, deps, story),
  };
}

function reasonAgainst({ status, forReplay }: Story): string | undefined {
  if (forReplay === undefined) return 'what it takes was not kept';
  if (status === undefined) return 'it has not ended';
  if (forReplay.seen?.isCut === true) return 'it read more than is kept';
  if ((forReplay.tape as Tape).isCut) return 'more came to it from outside than is kept';
  return undefined;
}

function exchangeOf(call: RecordedCall, trace: Story): Exchange {
  return {
    call: callOf(call),
    requestId: call.id,
    traceId: call.id,
    trace,
    origin: undefined,
    startedMs: 0,
    template: undefined,
    target: call.target.name,
    isQuiet: false,
    params: [],
    caller: call.caller,
    attempts: 1,
    answerStatus: undefined,
    headers: undefined,
    bytesIn: call.bytesIn,
    pageMiss: undefined,
    body: call.body,
    text: undefined,
    large: undefined,
    topics: undefined,
  };
}

/** The request as far as it is kept: its headers are not. */
function callOf({ method, path, query, contentType, userAgent, body }: RecordedCall): Call {
  const kept = [
    ['content-type', contentType],
    ['user-agent', userAgent],
  ].filter((one): one is [string, string] => one[1] !== undefined);
  const bytes = body ?? new Uint8Array();
  return {
    method,
    path,
    query,
    header: (name) => kept.find(([known]) => known === name)?.[1],
    headers: () => kept,
    contentLength: bytes.length,
    body: () => bytes,
    async *stream() {
      yield bytes;
    },
    peer: '127.0.0.1',
    signal: new AbortController().signal,
    onGone: () => () => {},
  };
}

async function bodyOf({ body }: Reply): Promise<string | Uint8Array | undefined> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  for await (const _ of body);
  return undefined;
}

// ---- what differs

function* answerDifferences(before: Story, after: Story, deps: StoryDeps): Iterable<Difference> {
  if (before.status !== after.status) yield { of: 'status', recorded: before.status, replayed: after.status };
  const [old, now] = [partsOf(before.answer), partsOf(after.answer)];
  for (const name of ['reports', 'result', 'error', 'body'] as const)
    if (JSON.stringify(old[name]) !== JSON.stringify(now[name]))
      yield {
        of: name,
        recorded: deps.redactor.field(name, old[name]),
        replayed: deps.redactor.field(name, now[name]),
      };
}

/** Parts of an answer that a replay has to give again: not the time and the ids around them. */
function partsOf(body: string | undefined): Readonly<Record<'reports' | 'result' | 'error' | 'body', unknown>> {
  const none = { reports: null, result: null, error: null, body: null };
  if (body === undefined) return none;
  try {
    const { ok, data, error } = JSON.parse(body) as { ok?: boolean; data?: any; error?: any };
    if (typeof ok !== 'boolean') return { ...none, body };
    return {
      ...none,
      reports: data?.reports ?? null,
      result: data?.result ?? null,
      error: error === null || error === undefined ? null : `${error.code}: ${error.message}`,
    };
  } catch {
    return { ...none, body };
  }
}

function* writeDifferences(before: Story, after: Story, deps: StoryDeps): Iterable<Difference> {
  const [old, now] = [before, after].map(({ forReplay }) => JSON.stringify(forReplay?.commitsMade.map(plainChanges)));
  if (old === now) return;
  yield { of: 'writes', recorded: tellChanges(before, deps), replayed: tellChanges(after, deps) };
}

/** Everything that a commit writes. */
function plainChanges({ created, changed, removed }: Changes) {
  return [
    created.map(({ uid, key, type, data, ends }) => [uid, key, type.name, data, ends]),
    changed.map(({ row, data, access }) => [row.key, data, access]),
    removed.map(({ key }) => key),
  ];
}

function notesOn({ isCut }: Story, strayed: number, { strayed: sources }: ReplayTape): readonly string[] {
  return [
    ...(isCut ? ['the answer of the call was not kept: only what was written is compared'] : []),
    ...(strayed > 0 ? [`${strayed} records or lists that the call had not read were read as they are now`] : []),
    ...[...sources].map((source) => `more was asked of ${source} than by the call`),
  ];
}

/** Runs walkers and functions inside their unit of work and writes what they give (server.md 4.4, 7.6 to 7.8). */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Node } from '../../core/archetypes/classes.ts';
import { currentContext } from '../../core/context.ts';
import { Failure } from '../../core/errors.ts';
import { lookUp } from '../../core/graph/lookup.ts';
import { Bytes } from '../../core/values/bytes.ts';
import { Dict } from '../../core/values/dict.ts';
import { type SpawnOptions, spawn } from '../../core/walkers/spawn.ts';
import type { Reply } from '../call.ts';
import { hasDraft, realValues } from './bind/draft-values.ts';
import { SessionView } from './graph-view.ts';
import { type JobControl, type JobParts, type RunRequest, runJob, type Work } from './job.ts';
import { isStreamable, type Outcome, writeOutcome } from './outcome.ts';
import { sendAll } from './run-stream.ts';
import { textOf } from './serialize/put-value.ts';
import { makeScratch, type Scratch } from './serialize/scratch.ts';
import { makeWriter, type Writer } from './serialize/writer.ts';
import type { ServedTarget } from './served-target.ts';

/** Runs a call whose fields are bound. Throws or rejects with the failure to answer with. */
export type RunTarget = (request: RunRequest) => MaybePromise<Reply>;

export interface RunTargetParts extends JobParts {
  readonly withPrivate: boolean;
}

/** Answers are written one at a time, so all share one scratch. */
interface Parts extends RunTargetParts {
  readonly scratch: Scratch;
}

/** Prepares running targets. */
export function createRunTarget(given: RunTargetParts): RunTarget {
  const parts: Parts = { ...given, scratch: makeScratch() };
  const enveloped: Work<Outcome> = {
    run(request, control) {
      const { claim, target } = request;
      const outcome = withRealArgs(request, control, (args) =>
        target.kind === 'walker'
          ? walkFrom(request, args, control, parts)
          : callFunction(request, args, control, parts),
      );
      // Texts must be known before the commit that stores them.
      return claim === undefined ? outcome : after(outcome, (ready) => keep(request, ready));
    },
    reply(request, outcome, warnings) {
      const { exchange, target } = request;
      if (warnings.length === 0) {
        return parts.replies.outcome(exchange, outcome, target.kind === 'walker' ? 'reports' : 'result');
      }
      const { data, mirrored } = envelopeTexts(target, outcome, warnings);
      return parts.replies.success(exchange, data, mirrored);
    },
  };
  const raw: Work<RawOutcome> = {
    run: (request, control) =>
      withRealArgs(request, control, (args) =>
        after(
          call(request.target, args),
          (value): MaybePromise<RawOutcome | undefined> =>
            isStreamable(value) ? stream([value], control, parts) : rawOutcome(value, parts),
        ),
      ),
    reply: (request, outcome) => rawReply(request, outcome, parts),
  };
  return (request) => (request.target.rest.envelope ? runJob(request, enveloped, parts) : runJob(request, raw, parts));
}

/** Objects and references are made inside the unit, anew for each attempt. */
function withRealArgs<T>(
  request: RunRequest,
  control: JobControl,
  use: (args: unknown[]) => MaybePromise<T>,
): MaybePromise<T> {
  const args = control.attempt > 1 ? request.bind() : request.args;
  return request.mayRefer && args.some(hasDraft) ? after(realValues(args), use) : use(args);
}

function walkFrom(
  request: RunRequest,
  args: unknown[],
  control: JobControl,
  parts: Parts,
): MaybePromise<Outcome | undefined> {
  const place = request.nodeId === undefined ? currentContext().session.root : lookUp(request.nodeId);
  if (place instanceof Promise) return place.then((node) => walk(request, args, node, control, parts));
  return walk(request, args, place, control, parts);
}

function walk(
  request: RunRequest,
  args: unknown[],
  node: unknown,
  control: JobControl,
  parts: Parts,
): MaybePromise<Outcome | undefined> {
  if (!(node instanceof Node)) throw new Failure('NODE_NOT_FOUND', 'No such node.');
  const made = request.target.meta!.cls.$new(...args);
  const walked =
    made instanceof Promise
      ? made.then((walker) => spawn(walker, node, undefined, politely))
      : spawn(made, node, undefined, politely);
  if (walked instanceof Promise) return walked.then((walker) => walkOutcome(request, walker, control, parts));
  return walkOutcome(request, walked, control, parts);
}

/** A long walk lets other calls run. */
const politely: SpawnOptions = { givesWay: true };

function walkOutcome(
  request: RunRequest,
  walker: { readonly reports: readonly unknown[] },
  control: JobControl,
  parts: Parts,
): MaybePromise<Outcome | undefined> {
  const { reports } = walker;
  for (let i = 0; i < reports.length; i++) if (isStreamable(reports[i])) return stream(reports, control, parts);
  return outcomeOf(request, walker, reports, parts);
}

function callFunction(
  request: RunRequest,
  args: unknown[],
  control: JobControl,
  parts: Parts,
): MaybePromise<Outcome | undefined> {
  return after(
    call(request.target, args),
    (value): MaybePromise<Outcome | undefined> =>
      isStreamable(value) ? stream([value], control, parts) : outcomeOf(request, value, noReports, parts),
  );
}

function call(target: ServedTarget, args: unknown[]): MaybePromise<unknown> {
  const { params } = target.spec!;
  // `*args` and `**kwargs` have a slot of their own, which requests do not fill.
  const slots = args.map((arg, i) => {
    const { kind } = params[i]!;
    return kind === 'args' ? [] : kind === 'kwargs' ? new Dict() : arg;
  });
  return target.fn!(...slots) as MaybePromise<unknown>;
}

function outcomeOf(request: RunRequest, result: unknown, reports: readonly unknown[], parts: Parts): Outcome {
  const outcome = writeOutcome(result, reports, newWriter(parts));
  if (outcome.odd !== undefined) {
    const types = [...new Set(outcome.odd)];
    parts.warn('values without a JSON form were answered as their type name', { target: request.target.name, types });
  }
  return outcome;
}

async function stream(values: readonly unknown[], control: JobControl, parts: Parts): Promise<undefined> {
  const view = new SessionView(currentContext().session);
  const scratch = makeScratch();
  const newWriter = () => makeWriter(scratch, view, parts.withPrivate);
  await sendAll(values, control.openStream(), newWriter, () => control.progress());
}

/** Data of the envelope, and the members of it that are repeated. */
function envelopeTexts(target: ServedTarget, { result, reports }: Outcome, warnings: readonly string[]) {
  const told = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  const mirrored = target.kind === 'walker' ? `"reports":${reports}${told}` : `"result":${result}`;
  return { data: `{"result":${result},"reports":${reports}${told}}`, mirrored };
}

function keep({ claim, target }: RunRequest, outcome: Outcome | undefined): Outcome | undefined {
  if (outcome === undefined) return undefined;
  const { data, mirrored } = envelopeTexts(target, outcome, currentContext().warnings);
  claim!.keep(data, mirrored);
  return outcome;
}

/** What a function gives whose value is the body (server.md 7.7). */
interface RawOutcome {
  readonly body: string | Uint8Array | undefined;
  readonly contentType: string;
}

function rawOutcome(value: unknown, parts: Parts): RawOutcome {
  if (value === null || value === undefined) return { body: undefined, contentType: '' };
  if (typeof value === 'string') return { body: value, contentType: 'text/plain; charset=utf-8' };
  if (value instanceof Bytes) return { body: value.data, contentType: 'application/octet-stream' };
  return { body: textOf(value, newWriter(parts)), contentType: 'application/json' };
}

function rawReply({ exchange, target }: RunRequest, { body, contentType }: RawOutcome, parts: Parts): Reply {
  if (body === undefined) return parts.replies.raw(exchange, { status: 204, raw: undefined, headers: [] });
  const { produces } = target.rest;
  const raw = { body, contentType: produces === '' ? contentType : produces };
  return parts.replies.raw(exchange, { status: 200, raw, headers: [] });
}

/** A writer for a value that is written at once. */
function newWriter({ scratch, withPrivate }: Parts): Writer {
  return makeWriter(scratch, new SessionView(currentContext().session), withPrivate);
}

const noReports: readonly unknown[] = [];

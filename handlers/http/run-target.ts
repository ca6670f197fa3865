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
import type { Exchange } from './exchange.ts';
import { SessionView } from './graph-view.ts';
import type { Claim } from './idempotency.ts';
import { type JobControl, type JobParts, runJob } from './job.ts';
import { isStreamable, type Outcome, writeOutcome } from './outcome.ts';
import { sendAll } from './run-stream.ts';
import { quote } from './serialize/quote.ts';
import { textOf } from './serialize/value-text.ts';
import { makeWriter } from './serialize/writer.ts';
import type { ServedTarget } from './served-target.ts';

export interface RunRequest {
  readonly exchange: Exchange;
  readonly target: ServedTarget;
  /** Bound values of the first run. */
  readonly args: unknown[];
  /** Binds anew, for further runs: nothing of the first may be left. */
  readonly bind: () => unknown[];
  /** Node to spawn on; undefined: the caller's root. */
  readonly nodeId: string | undefined;
  readonly claim: Claim | undefined;
}

export type RunTarget = (request: RunRequest) => MaybePromise<Reply>;

export interface RunTargetParts extends JobParts {
  readonly withPrivate: boolean;
}

/** Prepares running targets. */
export function createRunTarget(parts: RunTargetParts): RunTarget {
  return (request) => {
    const { exchange, target, nodeId, claim } = request;
    if (target.rest.envelope === false) return runRaw(request, parts);
    const work = (control: JobControl) => {
      const args = control.attempt > 1 ? request.bind() : request.args;
      const run: Run = { request, control, parts };
      const outcome = args.some(hasDraft) ? after(realValues(args), (real) => start(run, real)) : start(run, args);
      // Texts must be known before the commit that stores them.
      return claim === undefined ? outcome : after(outcome, (ready) => keep(claim, target, ready));
    };
    const toReply = (outcome: Outcome, warnings: readonly string[]) => {
      const { data, mirrored } = envelopeTexts(target, outcome, warnings);
      return parts.replies.success(exchange, data, mirrored);
    };
    return runJob({ exchange, target, work, toReply, claim, entryId: nodeId }, parts);
  };
}

/** One attempt. */
interface Run {
  readonly request: RunRequest;
  readonly control: JobControl;
  readonly parts: RunTargetParts;
}

function start(run: Run, args: unknown[]): MaybePromise<Outcome | undefined> {
  const { target, nodeId } = run.request;
  if (target.kind === 'function') return after(callFunction(target, args), (value) => functionOutcome(run, value));
  const place = nodeId === undefined ? currentContext().session.root : lookUp(nodeId);
  return place instanceof Promise ? place.then((node) => walk(run, args, node)) : walk(run, args, place);
}

function walk(run: Run, args: unknown[], node: unknown): MaybePromise<Outcome | undefined> {
  if (!(node instanceof Node)) throw new Failure('NODE_NOT_FOUND', 'No such node.');
  const made = run.request.target.meta!.cls.$new(...args);
  if (made instanceof Promise)
    return made.then((walker) => after(spawn(walker, node, undefined, politely), () => walkOutcome(run, walker)));
  const done = spawn(made, node, undefined, politely);
  return done instanceof Promise ? done.then(() => walkOutcome(run, made)) : walkOutcome(run, made);
}

/** A long walk lets other calls run. */
const politely: SpawnOptions = { givesWay: true };

function walkOutcome(run: Run, walker: { readonly reports: readonly unknown[] }): MaybePromise<Outcome | undefined> {
  const { reports } = walker;
  for (let i = 0; i < reports.length; i++) if (isStreamable(reports[i])) return stream(run, reports);
  return outcomeOf(run, walker, reports);
}

function functionOutcome(run: Run, value: unknown): MaybePromise<Outcome | undefined> {
  return isStreamable(value) ? stream(run, [value]) : outcomeOf(run, value, noReports);
}

function outcomeOf({ request, parts }: Run, result: unknown, reports: readonly unknown[]): Outcome {
  const outcome = writeOutcome(result, reports, new SessionView(currentContext().session), parts.withPrivate);
  if (outcome.odd !== undefined) {
    const types = [...new Set(outcome.odd)];
    parts.warn('values without a JSON form were answered as their type name', { target: request.target.name, types });
  }
  return outcome;
}

async function stream({ control, parts }: Run, values: readonly unknown[]): Promise<undefined> {
  const view = new SessionView(currentContext().session);
  const newWriter = () => makeWriter(view, parts.withPrivate);
  await sendAll(values, control.openStream(), newWriter, () => control.progress());
}

function callFunction(target: ServedTarget, args: unknown[]): unknown {
  const { params } = target.spec!;
  // `*args` and `**kwargs` have a slot of their own, which requests do not fill.
  const slots = args.map((arg, i) =>
    params[i]!.kind === 'args' ? [] : params[i]!.kind === 'kwargs' ? new Dict() : arg,
  );
  return target.fn!(...slots);
}

/** Data of the envelope, and the members of it that are repeated. */
function envelopeTexts(target: ServedTarget, { result, reports }: Outcome, warnings: readonly string[]) {
  const told = warnings.length === 0 ? '' : `,"warnings":[${warnings.map(quote).join(',')}]`;
  const mirrored = target.kind === 'walker' ? `"reports":${reports}${told}` : `"result":${result}`;
  return { data: `{"result":${result},"reports":${reports}${told}}`, mirrored };
}

function keep(claim: Claim, target: ServedTarget, outcome: Outcome | undefined): Outcome | undefined {
  if (outcome === undefined) return undefined;
  const { data, mirrored } = envelopeTexts(target, outcome, currentContext().warnings);
  claim.keep(data, mirrored);
  return outcome;
}

/** Functions whose value is the body (server.md 7.7). */
function runRaw(request: RunRequest, parts: RunTargetParts): MaybePromise<Reply> {
  const { exchange, target } = request;
  const work = (control: JobControl) => {
    const args = control.attempt > 1 ? request.bind() : request.args;
    const run: Run = { request, control, parts };
    const value = args.some(hasDraft)
      ? after(realValues(args), (real) => callFunction(target, real) as MaybePromise<unknown>)
      : callFunction(target, args);
    return after(
      value as MaybePromise<unknown>,
      (ready): MaybePromise<RawOutcome | undefined> =>
        isStreamable(ready) ? stream(run, [ready]) : rawOutcome(ready, parts),
    );
  };
  const toReply = ({ body, contentType }: RawOutcome) => {
    if (body === undefined) return parts.replies.raw(exchange, { status: 204, raw: undefined, headers: [] });
    const { produces } = target.rest;
    const raw = { body, contentType: produces === '' ? contentType : produces };
    return parts.replies.raw(exchange, { status: 200, raw, headers: [] });
  };
  return runJob({ exchange, target, work, toReply }, parts);
}

interface RawOutcome {
  readonly body: string | Uint8Array | undefined;
  readonly contentType: string;
}

function rawOutcome(value: unknown, parts: RunTargetParts): RawOutcome {
  if (value === null || value === undefined) return { body: undefined, contentType: '' };
  if (typeof value === 'string') return { body: value, contentType: 'text/plain; charset=utf-8' };
  if (value instanceof Bytes) return { body: value.data, contentType: 'application/octet-stream' };
  const view = new SessionView(currentContext().session);
  return { body: textOf(value, makeWriter(view, parts.withPrivate)), contentType: 'application/json' };
}

const noReports: readonly unknown[] = [];

/**
 * Last step of a call: spawns the walker or calls the function inside the unit, and has what it gives written or streamed
 * (docs/server/programs.md#a-call, docs/server/streaming.md#events), whatever the protocol. Called by `unit.ts`,
 * through the `Work` of `answer.ts` and of
 * `handlers/socket/run-message.ts`. Next: the program itself; `CallParts.write` takes what it gave.
 */

import { after } from '../../../base/after.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { mayArrive } from '../../../core/access/session-access.ts';
import { Failure } from '../../../core/errors.ts';
import { lookUp, oid } from '../../../core/graph/lookup.ts';
import { Node } from '../../../core/graph/objects.ts';
import { confirmAssumed } from '../../../core/memory/confirm-assumed.ts';
import { currentContext } from '../../../core/memory/context.ts';
import { dropDenied } from '../../../core/memory/session-commit.ts';
import { rootOf } from '../../../core/memory/session-rows.ts';
import { isIdleAt, placesOf } from '../../../core/walkers/dispatch.ts';
import { type SpawnOptions, spawn } from '../../../core/walkers/spawn.ts';
import { awaitable } from '../../../library/values/calls/awaitable.ts';
import { AsyncGeneratorObject, GeneratorObject } from '../../../library/values/calls/generators.ts';
import { Dict } from '../../../library/values/containers/dict.ts';
import { typeName } from '../../../library/values/objects/type-name.ts';
import type { ServedTarget } from '../../served-targets.ts';
import { hasDraft, realValues } from '../bind/draft-values.ts';
import { SessionView } from '../graph/view.ts';
import { reportText } from '../serialize/put-report.ts';
import { textOf } from '../serialize/put-value.ts';
import { makeScratch } from '../serialize/scratch.ts';
import { makeWriter, type Writer } from '../serialize/writer.ts';
import { PeerGone, type ValueSink } from './event-stream.ts';
import type { CallParts, RunRequest, UnitControl, Written } from './types.ts';

/** Calls a target with its bound values. Undefined when everything went into a stream. */
export function callTarget<T extends Written>(
  request: RunRequest,
  control: UnitControl,
  parts: CallParts<T>,
): MaybePromise<T | undefined> {
  return withRealArgs(request, control, (args) =>
    request.target.kind === 'walker'
      ? walkFrom(request, args, control, parts)
      : after(callFunction(request.target, args), (value) => functionOutcome(request, value, control, parts)),
  );
}

/** A function may report as well; a generator it returns or reports makes the answer a stream (docs/server/streaming.md#events). */
function functionOutcome<T extends Written>(
  request: RunRequest,
  value: unknown,
  control: UnitControl,
  parts: CallParts<T>,
): MaybePromise<T | undefined> {
  const reports = currentContext().reports ?? noReports;
  if (isStreamable(value)) return streamValues([...reports, value], control, parts);
  return reports.some(isStreamable) ? streamValues(reports, control, parts) : written(request, value, reports, parts);
}

/** Objects and references are made inside the unit, anew for each attempt. */
export function withRealArgs<T>(
  request: RunRequest,
  control: UnitControl,
  use: (args: unknown[]) => MaybePromise<T>,
): MaybePromise<T> {
  const args = control.attempt > 1 ? request.bind() : request.args;
  return request.mayRefer && args.some(hasDraft) ? after(realValues(args), use) : use(args);
}

function walkFrom<T extends Written>(
  request: RunRequest,
  args: unknown[],
  control: UnitControl,
  parts: CallParts<T>,
): MaybePromise<T | undefined> {
  const place = request.nodeId === undefined ? rootOf(currentContext().session) : lookUp(request.nodeId);
  if (place instanceof Promise) return place.then((node) => walk(request, args, node, control, parts));
  return walk(request, args, place, control, parts);
}

function walk<T extends Written>(
  request: RunRequest,
  args: unknown[],
  node: unknown,
  control: UnitControl,
  parts: CallParts<T>,
): MaybePromise<T | undefined> {
  if (!(node instanceof Node) || !mayArrive(currentContext().session, node))
    throw new Failure('NODE_NOT_FOUND', 'No such node.');
  const made = request.target.meta!.cls.$new(...args);
  const walked =
    made instanceof Promise
      ? made.then((walker) => begin(request, walker, node, parts))
      : begin(request, made, node, parts);
  if (walked instanceof Promise) return walked.then((walker) => walkOutcome(request, walker, control, parts));
  return walkOutcome(request, walked, control, parts);
}

/** An empty answer with status 200 looks like success: most often the walker was meant for another node. */
function tellIdle({ target, exchange }: RunRequest, node: Node, { warn }: Pick<CallParts<Written>, 'warn'>): void {
  const [type, id, places] = [typeName(node), oid(node), placesOf(target.meta!)];
  const others = places.length === 0 ? 'it has none at all' : `it has some for ${places.join(', ')}`;
  const text = `nothing ran: walker ${target.name} has no ability for ${type} (${others})`;
  currentContext().warnings.push(text);
  warn(text, { request_id: exchange.requestId, node: id });
}

function begin<T extends Written>(
  request: RunRequest,
  walker: unknown,
  node: Node,
  parts: CallParts<T>,
): MaybePromise<{ readonly reports: readonly unknown[] }> {
  if (parts.tellsIdle && isIdleAt(walker, node)) tellIdle(request, node, parts);
  return spawn(walker, node, undefined, politely);
}

/** A long walk lets other calls run. */
const politely: SpawnOptions = { givesWay: true };

function walkOutcome<T extends Written>(
  request: RunRequest,
  walker: { readonly reports: readonly unknown[] },
  control: UnitControl,
  parts: CallParts<T>,
): MaybePromise<T | undefined> {
  const { reports } = walker;
  for (let i = 0; i < reports.length; i++) if (isStreamable(reports[i])) return streamValues(reports, control, parts);
  return written(request, walker, reports, parts);
}

/** Calls a function with its bound values. */
export function callFunction(target: ServedTarget, args: unknown[]): MaybePromise<unknown> {
  const { params } = target.spec!;
  // `*args` and `**kwargs` have a slot of their own, which is never empty.
  const slots = args.map((arg, i) => {
    const { kind } = params[i]!;
    return arg !== undefined ? arg : kind === 'args' ? [] : kind === 'kwargs' ? new Dict() : arg;
  });
  return awaitable(target.fn!(...slots));
}

function written<T extends Written>(
  request: RunRequest,
  result: unknown,
  reports: readonly unknown[],
  parts: CallParts<T>,
): T {
  const { session } = currentContext();
  if (session.watched.length > 0) dropDenied(session);
  const story = session.trace?.story;
  if (story !== undefined) story.reports = reports;
  const outcome = parts.write(result, reports, newWriter(parts));
  if (outcome.odd !== undefined) {
    const types = [...new Set(outcome.odd)];
    parts.warn('values without a JSON form were answered as their type name', { target: request.target.name, types });
  }
  return outcome;
}

/** Sends values and what generators among them yield. */
export async function streamValues(
  values: readonly unknown[],
  control: UnitControl,
  { withPrivate }: Pick<CallParts<Written>, 'withPrivate'>,
): Promise<undefined> {
  const { session } = currentContext();
  await confirmAssumed(session);
  const view = new SessionView(session);
  const scratch = makeScratch();
  const newWriter = () => makeWriter(scratch, view, withPrivate);
  await sendAll(values, control.openStream(), newWriter, () => control.progress());
}

/** A writer for a value that is written at once. */
export function newWriter({ scratch, withPrivate }: Pick<CallParts<Written>, 'scratch' | 'withPrivate'>): Writer {
  return makeWriter(scratch, new SessionView(currentContext().session), withPrivate);
}

const turnMs = 8;

/**
 * Sends values in order, generators value by value (docs/server/streaming.md#events). Runs inside the unit; a generator
 * is advanced only when the peer has taken what came before, and closed (its `finally` blocks run) when the peer goes away.
 */
export async function sendAll(
  values: readonly unknown[],
  stream: ValueSink,
  makeWriter: () => Writer,
  progress: () => void,
): Promise<void> {
  for (const value of values) {
    if (isStreamable(value)) await sendGenerator(value, stream, makeWriter, progress);
    else await sendOne(reportText(value, makeWriter()), stream, progress);
  }
}

async function sendGenerator(
  generator: Streamable,
  stream: ValueSink,
  makeWriter: () => Writer,
  progress: () => void,
): Promise<void> {
  let turn = performance.now();
  try {
    for (;;) {
      const step = generator.next();
      const { done, value } = step instanceof Promise ? await step : step;
      if (done === true) return;
      await sendOne(textOf(value, makeWriter()), stream, progress);
      // A generator that never waits must not keep the others waiting.
      if (performance.now() - turn > turnMs) {
        await new Promise((resolve) => setImmediate(resolve));
        turn = performance.now();
      }
    }
  } catch (error) {
    if (error instanceof PeerGone) await generator.return?.(undefined);
    throw error;
  }
}

async function sendOne(json: string, stream: ValueSink, progress: () => void): Promise<void> {
  progress();
  if (!(await stream.send(json))) throw new PeerGone();
}

/** A generator, whose values are answered as a stream. */
export type Streamable = Iterator<unknown> | AsyncIterator<unknown>;

export function isStreamable(value: unknown): value is Streamable {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof GeneratorObject || value instanceof AsyncGeneratorObject) return true;
  const tag = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  return tag === 'Generator' || tag === 'AsyncGenerator';
}

const noReports: readonly unknown[] = [];

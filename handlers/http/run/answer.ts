/**
 * Second step of a call: chooses the form of the answer, envelope or bare value, and writes it
 * (docs/server/programs.md#a-call, docs/server/answers.md). Called by `route.ts` and the routes of webhooks with a
 * request whose fields are bound. Next: `unit.ts`, which calls back for the reply.
 */

import { after } from '../../../base/after.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { currentContext } from '../../../core/memory/context.ts';
import { Bytes } from '../../../library/values/text/bytes.ts';
import type { Reply } from '../../call.ts';
import type { ServedTarget } from '../../served-targets.ts';
import type { Replies } from '../replies.ts';
import { maxAnswerBytes, putReport, tooLarge } from '../serialize/put-report.ts';
import { textOf } from '../serialize/put-value.ts';
import { makeScratch, putByte, take } from '../serialize/scratch.ts';
import type { Writer } from '../serialize/writer.ts';
import { callFunction, callTarget, isStreamable, newWriter, streamValues, withRealArgs } from './call.ts';
import { serverSentEvents } from './event-stream.ts';
import type { CallParts, RunRequest, RunTarget, UnitControl, UnitParts, Work } from './types.ts';
import { runInUnit } from './unit.ts';

/** Result and reports of a finished run, as JSON texts. */
export interface Outcome {
  readonly result: string;
  readonly reports: string;
  readonly isAscii: boolean;
  /** Type names of values that have no JSON form. */
  readonly odd: readonly string[] | undefined;
}

export interface RunTargetParts extends UnitParts {
  readonly replies: Replies;
  readonly withPrivate: boolean;
  /** See `CallParts`. */
  readonly tellsIdle: boolean;
}

interface Parts extends RunTargetParts, CallParts<Outcome> {}

/** Prepares running targets. */
export function createRunTarget(given: RunTargetParts): RunTarget {
  const parts: Parts = { ...given, scratch: makeScratch(), write: writeOutcome };
  const streamed = (request: RunRequest, body: AsyncIterable<string>): Reply =>
    parts.replies.raw(request.exchange, {
      status: 200,
      raw: { contentType: 'text/event-stream; charset=utf-8', body: body as AsyncIterable<never> },
      headers: ['Cache-Control', 'no-cache', 'X-Accel-Buffering', 'no'],
    });
  const enveloped: Work<Outcome, Reply, string> = {
    streamed,
    events: serverSentEvents,
    run(request, control) {
      const { claim } = request;
      const outcome = callTarget(request, control, parts);
      // Texts must be known before the commit that stores them.
      return claim === undefined ? outcome : after(outcome, (ready) => keep(request, ready));
    },
    reply(request, outcome, warnings) {
      const { exchange, target } = request;
      if (exchange.topics?.isUsed) return streamed(request, exchange.topics.body(outcome));
      const { answerStatus: status = 200 } = exchange;
      if (warnings.length === 0 && status < 400) {
        exchange.trace?.story?.gave(outcome.result, outcome.reports);
        return parts.replies.outcome(exchange, outcome, target.kind === 'walker' ? 'reports' : 'result');
      }
      const { data, mirrored } = envelopeTexts(target, outcome, warnings);
      return parts.replies.success(exchange, data, mirrored, status < 400 ? 200 : status);
    },
  };
  const raw: Work<RawOutcome, Reply, string> = {
    streamed,
    events: serverSentEvents,
    run: (request, control) => (request.target.kind === 'walker' ? walked(request, control) : called(request, control)),
    reply(request, outcome) {
      const { topics } = request.exchange;
      return topics?.isUsed ? streamed(request, topics.body()) : rawReply(request, outcome, parts);
    },
  };
  return (request) =>
    request.target.rest.envelope ? runInUnit(request, enveloped, parts) : runInUnit(request, raw, parts);

  function called(request: RunRequest, control: UnitControl): MaybePromise<RawOutcome | undefined> {
    return withRealArgs(request, control, (args) =>
      after(callFunction(request.target, args), (value) =>
        isStreamable(value) ? streamValues([value], control, parts) : rawOutcome(value, newWriter(parts)),
      ),
    );
  }

  /** Answers with the last report of the walker (decisions/0420). */
  function walked(request: RunRequest, control: UnitControl): MaybePromise<RawOutcome | undefined> {
    const write = (_walker: unknown, reports: readonly unknown[], writer: Writer) => rawOutcome(reports.at(-1), writer);
    return after(callTarget(request, control, { ...parts, write }), (outcome) => {
      if (outcome !== undefined) request.claim?.keepRaw(rawTypeOf(request.target, outcome), outcome.body ?? '');
      return outcome;
    });
  }
}

/**
 * Writes result and reports. Reports come first, so that a node that is in both is written in full among the reports, whose text is
 * repeated at the top level; a node that is itself a report is always in full.
 *
 * @throws Failure `EXECUTION_ERROR` above 32 MiB
 */
function writeOutcome(result: unknown, reports: readonly unknown[], writer: Writer): Outcome {
  const { out } = writer;
  const reportsText = writeReports(reports, writer);
  const resultText = textOf(result, writer);
  if (resultText.length + reportsText.length > maxAnswerBytes) throw tooLarge();
  return { result: resultText, reports: reportsText, isAscii: out.isAscii, odd: writer.odd };
}

function writeReports(reports: readonly unknown[], writer: Writer): string {
  if (reports.length === 0) return '[]';
  const { out } = writer;
  let mark = 0x5b;
  for (let i = 0; i < reports.length; i++) {
    putByte(out, mark);
    mark = 0x2c;
    putReport(reports[i], writer);
  }
  putByte(out, 0x5d);
  return take(out, 0);
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

/** Value of a function, or last report of a walker, that is the whole body (docs/server/functions.md#raw-bodies). */
interface RawOutcome {
  readonly body: string | Uint8Array | undefined;
  readonly contentType: string;
  readonly odd: readonly string[] | undefined;
}

function rawOutcome(value: unknown, writer: Writer): RawOutcome {
  if (value === null || value === undefined) return { body: undefined, contentType: '', odd: undefined };
  if (typeof value === 'string') return { body: value, contentType: 'text/plain; charset=utf-8', odd: undefined };
  if (value instanceof Bytes) return { body: value.data, contentType: 'application/octet-stream', odd: undefined };
  const body = textOf(value, writer);
  return { body, contentType: 'application/json', odd: writer.odd };
}

function rawTypeOf({ rest: { produces } }: ServedTarget, { contentType }: RawOutcome): string {
  return produces === '' ? contentType : produces;
}

function rawReply({ exchange, target }: RunRequest, outcome: RawOutcome, parts: Parts): Reply {
  const { body } = outcome;
  // Services that call a webhook may take 200 only.
  if (body === undefined && target.kind === 'walker')
    return parts.replies.raw(exchange, { status: 200, raw: undefined, headers: [] });
  if (body === undefined) return parts.replies.raw(exchange, { status: 204, raw: undefined, headers: [] });
  const raw = { body, contentType: rawTypeOf(target, outcome) };
  return parts.replies.raw(exchange, { status: 200, raw, headers: [] });
}

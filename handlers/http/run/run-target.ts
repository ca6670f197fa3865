/** Runs walkers and functions inside their unit of work and writes what they give (server.md 4.4, 7.6 to 7.8). */
import { after } from '../../../base/after.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { currentContext } from '../../../core/memory/context.ts';
import { Bytes } from '../../../library/values/text/bytes.ts';
import type { Reply } from '../../call.ts';
import type { Replies } from '../replies.ts';
import { textOf } from '../serialize/put-value.ts';
import { makeScratch } from '../serialize/scratch.ts';
import type { Writer } from '../serialize/writer.ts';
import { type CallParts, callFunction, callTarget, newWriter, streamValues, withRealArgs } from './call-target.ts';
import { serverSentEvents } from './event-stream.ts';
import { type JobControl, type JobParts, type RunRequest, runJob, type Work } from './job.ts';
import { isStreamable, type Outcome, writeOutcome } from './outcome.ts';
import type { ServedTarget } from './served-target.ts';

/** Runs a call whose fields are bound. Throws or rejects with the failure to answer with. */
export type RunTarget = (request: RunRequest) => MaybePromise<Reply>;

export interface RunTargetParts extends JobParts {
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
      const { answerStatus: status = 200 } = exchange;
      if (warnings.length === 0 && status < 400) {
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
    reply: (request, outcome) => rawReply(request, outcome, parts),
  };
  return (request) => (request.target.rest.envelope ? runJob(request, enveloped, parts) : runJob(request, raw, parts));

  function called(request: RunRequest, control: JobControl): MaybePromise<RawOutcome | undefined> {
    return withRealArgs(request, control, (args) =>
      after(callFunction(request.target, args), (value) =>
        isStreamable(value) ? streamValues([value], control, parts) : rawOutcome(value, newWriter(parts)),
      ),
    );
  }

  /** What it reported last (decisions/0420). */
  function walked(request: RunRequest, control: JobControl): MaybePromise<RawOutcome | undefined> {
    const write = (_walker: unknown, reports: readonly unknown[], writer: Writer) => rawOutcome(reports.at(-1), writer);
    return after(callTarget(request, control, { ...parts, write }), (outcome) => {
      if (outcome !== undefined) request.claim?.keepRaw(rawTypeOf(request.target, outcome), outcome.body ?? '');
      return outcome;
    });
  }
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

/** Answers that leave as they are made, behind an address of their own (docs/server/cloud.md#streaming, decisions/0061). */
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { drained } from '../../../base/drained.ts';
import type { App } from '../../../handlers/app.ts';
import type { Reply } from '../../../handlers/call.ts';
import { streamOf } from '../../../handlers/http/body/when-body-ends.ts';
import { serverSentEvents } from '../../../handlers/http/run/event-stream.ts';
import { EventCall } from './event-call.ts';
import { type Invocation, msToAnswer, outOfTime } from './out-of-time.ts';
import { toResult } from './to-result.ts';

/** Functions that the service's runtime gives to functions that stream, as the global `awslambda`. */
export interface StreamRuntime {
  streamifyResponse(
    handler: (event: APIGatewayProxyEventV2, output: Writable, context: Context) => Promise<void>,
  ): unknown;
  readonly HttpResponseStream: { readonly from: OpenAnswer };
}

/** Begins an answer: its head leaves with the first piece that is written. */
export type OpenAnswer = (output: Writable, head: APIGatewayProxyStructuredResultV2) => Writable;

/** One function behind an address of its own, whose events are those of an HTTP API. Never rejects. */
export type StreamHandler = (event: APIGatewayProxyEventV2, output: Writable, invocation: Invocation) => Promise<void>;

/**
 * Serves every call, and stops it when its client goes away. One that is not answered one second before the function's time is over gets
 * 504; a stream ends with an error event then.
 */
export function createStreamHandler(app: App, open: OpenAnswer): StreamHandler {
  return async (event, output, invocation) => {
    const call = new EventCall(event);
    const end = watchEnd(output, invocation);
    try {
      const reply = await Promise.race([app.handle(call), end.reached]);
      if (typeof reply !== 'string') return await send(reply, begin(open, output, reply), end, call);
      const failure = outOfTime();
      call.abandon(reply === 'late' ? failure : undefined);
      const refusal = app.refuse(failure);
      if (reply === 'late') writeWhole(refusal, begin(open, output, refusal));
    } finally {
      end.forget();
    }
  };
}

/** Reasons for giving a call up: its function's time is over, or nobody reads its answer any more. */
type Early = 'late' | 'gone';

interface EarlyEnd {
  readonly reached: Promise<Early>;
  readonly isReached: boolean;
  forget(): void;
}

function watchEnd(output: Writable, invocation: Invocation): EarlyEnd {
  let isReached = false;
  let timer: NodeJS.Timeout | undefined;
  const reached = new Promise<Early>((resolve) => {
    const end = (why: Early) => {
      isReached = true;
      resolve(why);
    };
    timer = setTimeout(end, msToAnswer(invocation), 'late');
    output.on('error', ignore); // it closes then
    output.once('close', () => end('gone'));
  });
  return {
    reached,
    get isReached() {
      return isReached;
    },
    forget: () => clearTimeout(timer),
  };
}

function ignore(): void {}

/** The head leaves with something that is written, even if it is nothing. */
function begin(open: OpenAnswer, output: Writable, reply: Reply): Writable {
  const answer = open(output, toResult(reply, undefined));
  answer.write('');
  return answer;
}

function writeWhole({ body }: Reply, answer: Writable): void {
  if (body !== undefined) answer.write(body);
  answer.end();
}

async function send(reply: Reply, answer: Writable, end: EarlyEnd, call: EventCall): Promise<void> {
  const stream = streamOf(reply);
  if (stream === undefined) return writeWhole(reply, answer);
  const why = await Promise.race([pump(stream, answer, end), end.reached]);
  const failure = why === 'late' ? outOfTime() : undefined;
  if (why !== undefined) call.abandon(failure);
  if (failure !== undefined) answer.write(serverSentEvents.failed(failure));
  if (why !== 'gone') answer.end();
}

/** Writes as fast as the client reads. */
async function pump(stream: AsyncIterable<string | Uint8Array>, answer: Writable, end: EarlyEnd): Promise<undefined> {
  try {
    for await (const piece of stream) {
      if (end.isReached) return;
      if (!answer.write(piece)) await drained(answer);
    }
  } catch {
    // The head is out, so all that can be said is that the answer is not complete.
    answer.destroy();
  }
}

import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { Failure } from '../../../core/errors.ts';
import { maxPayloadBytes } from '../../../core/platforms/aws-limits.ts';
import type { App } from '../../../handlers/app.ts';
import type { Reply } from '../../../handlers/call.ts';
import { streamOf } from '../../../handlers/http/body/when-body-ends.ts';
import { EventCall } from './event-call.ts';
import { type Invocation, msToAnswer, outOfTime } from './out-of-time.ts';
import { toResult } from './to-result.ts';

type HttpResult = APIGatewayProxyStructuredResultV2;

/** One function behind an HTTP API. Never throws or rejects; answers at once where nothing has to wait. */
export type HttpHandler = (event: APIGatewayProxyEventV2, invocation: Invocation) => MaybePromise<HttpResult>;

/**
 * The http function (docs/server/cloud.md#resources): every call but webhooks. A call that is not answered one second
 * before the function's time is over is given up and answered with 504; streams are collected and go as one answer.
 */
export function createHttpHandler(app: App): HttpHandler {
  return (event, invocation) => {
    const call = new EventCall(event);
    const reply = app.handle(call);
    if (reply instanceof Promise || streamOf(reply) !== undefined) return inTime(app, call, reply, invocation);
    return bounded(app, toResult(reply, reply.body as string | Uint8Array | undefined));
  };
}

/** The webhook function: what is not a webhook is not here. Bodies stay the bytes that were signed. */
export function createWebhookHandler(app: App): HttpHandler {
  const serve = createHttpHandler(app);
  return (event, invocation) => {
    if (/(^|\/)webhook\//.test(event.rawPath)) return serve(event, invocation);
    const { status, headers, body } = app.refuse(new Failure('NOT_FOUND', 'There is nothing at this path.'));
    return toResult({ status, headers }, body as string);
  };
}

function inTime(app: App, call: EventCall, reply: MaybePromise<Reply>, invocation: Invocation): Promise<HttpResult> {
  return new Promise((resolve) => {
    const refuse = (failure: Failure) => {
      const { status, headers, body } = app.refuse(failure);
      resolve(toResult({ status, headers }, body as string));
    };
    const timer = setTimeout(() => {
      const failure = outOfTime();
      call.abandon(failure);
      refuse(failure);
    }, msToAnswer(invocation));
    Promise.resolve(reply)
      .then(async (ready) => bounded(app, toResult(ready, await wholeBody(ready, call))))
      .then(resolve, () => refuse(new Failure('EXECUTION_ERROR', 'The answer could not be completed.')))
      .finally(() => clearTimeout(timer));
  });
}

async function wholeBody(reply: Reply, call: EventCall): Promise<string | Uint8Array | undefined> {
  const stream = streamOf(reply);
  if (stream === undefined) return reply.body as string | Uint8Array | undefined;
  const chunks = stream[Symbol.asyncIterator]();
  const forget = call.onGone(() => void chunks.return?.().catch(() => {}));
  const parts: Buffer[] = [];
  let bytes = 0;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    parts.push(Buffer.from(next.value));
    bytes += next.value.length;
    // A body above the limit is refused, so the rest of it need not be read.
    if (bytes > maxPayloadBytes) await chunks.return?.();
  }
  forget();
  return Buffer.concat(parts);
}

/** Greatest number of bytes that one character of a text becomes in JSON. */
const largestGrowth = 6;

/** An answer that the service would drop is replaced by one that says so. */
function bounded(app: App, result: HttpResult): HttpResult {
  const { body = '' } = result;
  if (body.length * largestGrowth < maxPayloadBytes) return result;
  if (Buffer.byteLength(JSON.stringify(result)) <= maxPayloadBytes) return result;
  const failure = new Failure('EXECUTION_ERROR', `The answer is larger than ${maxPayloadBytes} bytes.`);
  const { status, headers, body: text } = app.refuse(failure);
  return toResult({ status, headers }, text as string);
}

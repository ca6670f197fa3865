/** An application behind an emulated HTTP API: every call becomes an event, goes through a function's entry, and its result becomes the reply. */
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { Failure } from '../../../core/errors.ts';
import { maxGatewayBodyBytes, maxGatewayHeadBytes, maxPayloadBytes } from '../../../core/platforms/aws-limits.ts';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import { createHttpHandler, createWebhookHandler } from '../lambda/http-handler.ts';
import type { Invocation } from '../lambda/out-of-time.ts';
import type { LocalCall } from '../local/local-call.ts';
import { appBehind } from './app-behind.ts';
import { emulateStream } from './emulate-stream.ts';
import { defaultRoute, functionRoute, httpEvent, webhookRoute } from './http-event.ts';
import { toReply } from './to-reply.ts';

export interface EmulationOptions {
  /** `cloud.timeout_seconds`: the functions' own limit. */
  readonly timeoutSeconds: number;
  /** There is an address that streams, told by its host name (decisions/0061). */
  readonly streams?: boolean;
  /** Sends events and results through JSON, as the service does; for tests, because it doubles what a small call costs. */
  readonly roundTrips: boolean;
}

export function emulateHttp(app: App, { timeoutSeconds, roundTrips, streams = false }: EmulationOptions): App {
  const http = createHttpHandler(app);
  const webhook = createWebhookHandler(app);
  const stream = streams ? emulateStream(app) : undefined;
  const remainingMs = timeoutSeconds * 1000;
  const invocation: Invocation = Object.freeze({ getRemainingTimeInMillis: () => remainingMs });

  function handle(call: Call): MaybePromise<Reply> {
    const local = call as LocalCall;
    if (!isForStream(local) && headBytes(local) > maxGatewayHeadBytes) return tooLongHead;
    // The gateway has read the body before it calls anything.
    if ((local.contentLength ?? 0) > maxGatewayBodyBytes) return tooLong;
    if (!local.hasBody) return invoke(local, undefined);
    try {
      const body = local.body(maxGatewayBodyBytes);
      return body instanceof Promise ? body.then((bytes) => invoke(local, bytes), unread) : invoke(local, body);
    } catch (error) {
      return unread(error);
    }
  }

  function unread(error: unknown): Reply {
    if (!(error instanceof Failure)) throw error;
    return error.code === 'PAYLOAD_TOO_LARGE' ? tooLong : app.refuse(error);
  }

  function invoke(call: LocalCall, body: Uint8Array | undefined): MaybePromise<Reply> {
    const isStreamed = stream !== undefined && isForStream(call);
    const isWebhook = !isStreamed && call.method === 'POST' && /^\/webhook\/[^/]+$/.test(call.path);
    let event = httpEvent(call, body, isStreamed ? functionRoute : isWebhook ? webhookRoute : defaultRoute);
    if ((event.body?.length ?? 0) * largestGrowth > maxPayloadBytes && sizeOf(event) > maxPayloadBytes) {
      const details = { limit: maxPayloadBytes };
      return app.refuse(
        new Failure('PAYLOAD_TOO_LARGE', `The request is larger than ${maxPayloadBytes} bytes.`, { details }),
      );
    }
    if (roundTrips) event = JSON.parse(JSON.stringify(event));
    if (isStreamed) return stream(call, event, invocation);
    const result = (isWebhook ? webhook : http)(event, invocation);
    return result instanceof Promise ? result.then(replyOf) : replyOf(result);
  }

  function replyOf(result: APIGatewayProxyStructuredResultV2): Reply {
    return toReply(roundTrips ? JSON.parse(JSON.stringify(result)) : result);
  }

  return appBehind(handle, app);
}

function isForStream(call: LocalCall): boolean {
  return toFunction.test(call.header('host') ?? '');
}

/** Host names of the address that streams: any name below it, with or without a port. */
const toFunction = /(^|\.)lambda-url\.localhost(:\d+)?$/;

/** Size of the line of a request and of the values of its headers, which is what the gateway counts. */
function headBytes({ request: { method = '', url = '', rawHeaders } }: LocalCall): number {
  let bytes = `${method} ${url} HTTP/1.1`.length;
  for (let at = 1; at < rawHeaders.length; at += 2) bytes += rawHeaders[at]!.length;
  return bytes;
}

/** Greatest number of bytes that one character of a text becomes in JSON. */
const largestGrowth = 6;

function sizeOf(event: object): number {
  return Buffer.byteLength(JSON.stringify(event));
}

/** The gateway's own words. */
const tooLong = refusal(413, 'Request Entity Too Large');
const tooLongHead = refusal(431, 'Request Header Fields Too Large');

function refusal(status: number, message: string): Reply {
  const body = JSON.stringify({ message });
  const headers = ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
  return { status, headers, body, close: true };
}

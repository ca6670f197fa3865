import { Transform } from 'node:stream';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { throwOutside } from '../../../base/throw-outside.ts';
import { maxStreamedBytes } from '../../../core/platforms/aws-limits.ts';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import type { Invocation } from '../lambda/out-of-time.ts';
import { createStreamHandler } from '../lambda/stream-handler.ts';
import { toReply } from './to-reply.ts';

type Head = APIGatewayProxyStructuredResultV2;
type Serve = (call: Call, event: APIGatewayProxyEventV2, invocation: Invocation) => Promise<Reply>;

/** The function behind an address that streams: a reply goes out with its head, its body as it is made (docs/server/cloud.md#streaming). */
export function emulateStream(app: App): Serve {
  const heads = new WeakMap<object, (head: Head) => void>();
  const serve = createStreamHandler(app, (output, head) => {
    heads.get(output)!(head);
    return output;
  });
  return async (call, event, invocation) => {
    const body = bounded(maxStreamedBytes);
    call.onGone(() => body.destroy());
    const head = await new Promise<Head>((resolve) => {
      heads.set(body, resolve);
      serve(event, body, invocation)
        .catch(throwOutside)
        .finally(() => resolve(unanswered));
    });
    const { status, headers } = toReply(head);
    return { status, headers, body };
  };
}

/** The service cuts off an answer above its limit. */
function bounded(most: number): Transform {
  let left = most;
  const body = new Transform({
    transform(chunk: Uint8Array, _, done) {
      left -= chunk.length;
      if (left < 0) done(new Error(`the answer is larger than ${most} bytes`));
      else done(null, chunk);
    },
  });
  body.on('error', () => {}); // who reads it hears of it
  return body;
}

/** Nobody is there to read it. */
const unanswered: Head = { statusCode: 502 };

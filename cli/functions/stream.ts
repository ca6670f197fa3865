/** Entry of the function that streams, `handlers/stream.handler`, behind an address of its own (docs/server/cloud.md#streaming). */
import { createStreamHandler, type StreamRuntime } from '../../adapters/hosts/lambda/stream-handler.ts';
import { observedStream } from './observed.ts';
import { openFunction } from './open-function.ts';

const { awslambda } = globalThis as unknown as { readonly awslambda: StreamRuntime };
const opened = await openFunction(import.meta.url);
const serve = createStreamHandler(opened.version.app, (output, head) =>
  awslambda.HttpResponseStream.from(output, head),
);

export const handler = awslambda.streamifyResponse(observedStream(opened, serve));

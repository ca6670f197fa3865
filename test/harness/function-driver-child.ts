/**
 * Imports the handler named on the command line and answers the events given as lines, in order, in one process. Answers of a handler that
 * streams are their bytes, as the service's runtime sends them.
 */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { openAnswer } from './stream-runtime.ts';

const streaming = new WeakSet<object>();
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse(handler: object) {
      streaming.add(handler);
      return handler;
    },
    HttpResponseStream: { from: openAnswer },
  },
});
const { handler } = await import(process.argv[2]!).catch(refuse);
const context = { awsRequestId: 'id', functionName: 'fn', getRemainingTimeInMillis: () => 29_000 };

// The service's runtime writes only the text of the error. Node would show the whole line of a minified chunk, which a
// pipe may not hold.
function refuse(error: Error): never {
  console.error(error.stack);
  process.exit(1);
}

async function answer(event: unknown): Promise<unknown> {
  if (!streaming.has(handler)) return await handler(event, context);
  const output = new PassThrough();
  const [bytes] = await Promise.all([buffer(output), handler(event, output, context)]);
  return bytes.toString('base64');
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`answer ${JSON.stringify((await answer(JSON.parse(line))) ?? null)}\n`);
}
process.exit(0);

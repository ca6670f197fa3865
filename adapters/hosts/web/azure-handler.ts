import type { HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';
import type { App } from '../../../handlers/app.ts';
import type { Exchanges } from './azure-exchanges.ts';
import { createFetchHandler } from './fetch-handler.ts';
import { lastForwarded } from './last-forwarded.ts';

/** Parts of a request of Azure Functions that are read. It looks like one of the web and is none. */
export type AzureRequest = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

/** Serves an application behind the HTTP trigger of Azure Functions (docs/guide/deploy/other-functions.md#azure). */
export function createAzureHandler(
  app: App,
  exchanges: Exchanges,
): (request: AzureRequest, invocation: Pick<InvocationContext, 'invocationId'>) => Promise<HttpResponseInit> {
  const serve = createFetchHandler(app);
  return async ({ method, url, headers, body }, { invocationId }) => {
    const exchange = exchanges.get(invocationId);
    const client = new AbortController();
    exchange?.once('close', () => {
      if (!exchange.writableFinished) client.abort();
    });
    const peer = lastForwarded(headers.get('x-forwarded-for'));
    // Members that are streams need `duplex`, which the types of the DOM do not know.
    const init = { method, headers, body, duplex: 'half', signal: client.signal } as RequestInit;
    const answer = await serve(new Request(url, init), { peer });
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 1 && exchange !== undefined) {
      exchange.setHeader('set-cookie', cookies);
      answer.headers.delete('set-cookie');
    }
    const sent = answer.body === null ? null : untilGone(answer.body, client.signal);
    return { status: answer.status, headers: answer.headers, body: sent as HttpResponseInit['body'] };
  };
}

/** Ends a body when its reader has gone away, which the library does not look at: it would read on for as long as there is something. */
function untilGone(body: ReadableStream<Uint8Array>, client: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  if (client.aborted) leave();
  client.addEventListener('abort', leave, { once: true });
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

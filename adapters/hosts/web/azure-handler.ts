import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import type { App } from '../../../handlers/app.ts';
import { createFetchHandler } from './fetch-handler.ts';
import { lastForwarded } from './last-forwarded.ts';

/** Parts of a request of Azure Functions that are read. It looks like one of the web and is none. */
export type AzureRequest = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

/** Serves an application behind the HTTP trigger of Azure Functions (docs/guide/deploy/other-functions.md#azure). */
export function createAzureHandler(app: App): (request: AzureRequest) => Promise<HttpResponseInit> {
  const serve = createFetchHandler(app);
  return async ({ method, url, headers, body }) => {
    const peer = lastForwarded(headers.get('x-forwarded-for'));
    // Members that are streams need `duplex`, which the types of the DOM do not know.
    const init = { method, headers, body, duplex: 'half' } as RequestInit;
    const answer = await serve(new Request(url, init), { peer });
    return { status: answer.status, headers: answer.headers, body: answer.body as HttpResponseInit['body'] };
  };
}

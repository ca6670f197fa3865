/**
 * Exchanges of the port over which the host of Azure Functions sends requests to its worker. The library of Azure serves that port and hands programs
 * records that look like those of the web: they do not tell that a client went away, and of a header that an answer has twice the last one is sent.
 * Node tells of each exchange as it begins (https://nodejs.org/api/diagnostics_channel.html#http).
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers that have not ended, by the id of their invocation. */
export type Exchanges = ReadonlyMap<string, ServerResponse>;

const invocationHeader = 'x-ms-invocation-id';

/** Collects exchanges of all servers of this process, as long as it lives. */
export function watchExchanges(): Exchanges {
  const open = new Map<string, ServerResponse>();
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
    const id = request.headers[invocationHeader];
    if (typeof id !== 'string') return;
    open.set(id, response);
    response.once('close', () => open.delete(id));
  });
  return open;
}

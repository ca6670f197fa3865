/** A way to the API server on which things go wrong: what a test wants of a request happens to it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ApiProxy extends AsyncDisposable {
  readonly server: string;
  /** Requests that changed something, in order: `PATCH /apis/apps/v1/…`. */
  readonly changes: string[];
}

/** Gives the status to answer with instead, or undefined to let the request through: at once, or when the test wants it. */
export type Intercept = (asked: {
  readonly line: string;
  readonly isChange: boolean;
  readonly token: string;
}) => number | undefined | Promise<number | undefined>;

export async function startApiProxy(target: string, intercept: Intercept, replaceToken?: string): Promise<ApiProxy> {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const changes: string[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const line = `${incoming.method} ${incoming.url}`;
    const isChange = incoming.method !== 'GET' && !line.includes('dryRun') && !line.includes('selfsubject');
    const token = String(incoming.headers.authorization ?? '').replace('Bearer ', '');
    const status = await intercept({ line, isChange, token });
    if (status !== undefined) {
      incoming.resume();
      const body = {
        kind: 'Status',
        status: 'Failure',
        message: `injected ${status}`,
        reason: 'Injected',
        code: status,
      };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    if (isChange) changes.push(line);
    const headers = {
      ...incoming.headers,
      ...(replaceToken === undefined ? {} : { authorization: `Bearer ${replaceToken}` }),
    };
    const sent = request(target + incoming.url, { method: incoming.method!, headers, agent }, (got) => {
      response.writeHead(got.statusCode!, got.headers);
      got.pipe(response);
    });
    sent.on('error', () => response.destroy());
    incoming.pipe(sent);
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      agent.destroy();
    },
  };
}

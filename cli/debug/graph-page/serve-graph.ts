import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Graph } from '../protocol.ts';
import page from './graph.html' with { type: 'text' };

/** The page that shows the graph of a program that stands, on the loopback address alone. */
export interface GraphPage {
  readonly address: string;
  /** Gives the graph; undefined while the program runs. */
  readonly ask: (depth: number, limit: number) => Promise<Graph | undefined>;
  /** Tells open pages that the program stands elsewhere. */
  changed(): void;
  close(): void;
}

const [depth, limit] = [6, 300];
const mostPages = 20;

/** Serves the page; undefined when the port is taken. Port 0: any that is free. */
export async function serveGraph(port: number, ask: GraphPage['ask']): Promise<GraphPage | undefined> {
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    // A page of somewhere else must not read it under a name of its own.
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (request.method !== 'GET' || !['127.0.0.1', 'localhost'].includes(host))
      return void response.writeHead(403).end();
    if (request.url === '/') return void response.writeHead(200, headers('text/html; charset=utf-8')).end(page);
    if (request.url === '/changes' && open.size < mostPages) {
      response.writeHead(200, headers('text/event-stream')).write(': open\n\n');
      open.add(response);
      return void response.on('close', () => open.delete(response));
    }
    if (request.url !== '/data') return void response.writeHead(404).end();
    ask(depth, limit).then(
      (graph) => response.writeHead(200, headers('application/json')).end(JSON.stringify(graph ?? null)),
      (error) => response.writeHead(409, headers('text/plain')).end(error instanceof Error ? error.message : ''),
    );
  });
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isListening) return undefined;
  server.unref();
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ask,
    changed() {
      for (const response of open) response.write('data: changed\n\n');
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function headers(type: string) {
  return {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'",
    'x-content-type-options': 'nosniff',
  };
}

/** Stand-in for a WebSocket API: events of its three routes, and the management interface by which functions post to connections and cut them. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Answer } from './runtime-client.ts';

export interface SocketGateway extends AsyncDisposable {
  readonly base: string;
  /** Address of the management interface. */
  readonly management: string;
  /** Takes a handshake over that came to another server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Called with each frame that is posted; false: it is not sent, and whoever posted it is left without an answer. */
  onPost: ((text: string) => boolean) | undefined;
}

type Invoke = (event: unknown) => Promise<Answer>;
type Route = '$connect' | '$default' | '$disconnect';

const eventTypes = { $connect: 'CONNECT', $default: 'MESSAGE', $disconnect: 'DISCONNECT' } as const;

export async function openSocketGateway(invoke: Invoke): Promise<SocketGateway> {
  const open = new Map<string, WebSocket>();
  const server = createServer(async (request, response) => {
    const [, id = ''] = /^\/prod\/@connections\/([^/]+)$/.exec(request.url!) ?? [];
    const socket = open.get(decodeURIComponent(id));
    const body = await text(request);
    if (socket === undefined) return void response.writeHead(410).end('{}');
    if (request.method === 'POST' && gateway.onPost?.(body) === false) return;
    if (request.method === 'POST') socket.send(body);
    else socket.close(1000);
    response.writeHead(request.method === 'POST' ? 200 : 204).end();
  });
  const frames = new WebSocketServer({ noServer: true, handleProtocols: () => false });
  const upgrade: SocketGateway['upgrade'] = (request, socket, head) => {
    socket.on('error', () => {});
    connect(request, socket, head).catch(() => socket.destroy());
  };
  server.on('upgrade', upgrade);

  async function connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const id = `${randomBytes(11).toString('base64url')}=`;
    const connectedAt = Date.now();
    const eventOf = (routeKey: Route) => socketEvent(routeKey, id, connectedAt, request.socket.remoteAddress!);
    const { result } = await invoke({ ...eventOf('$connect'), ...handshakeOf(request) });
    if (result.statusCode !== 200) return refuse(socket, result);
    const protocol = result.headers?.['Sec-WebSocket-Protocol'];
    if (protocol !== undefined) frames.options.handleProtocols = () => protocol;
    else frames.options.handleProtocols = () => false;
    frames.handleUpgrade(request, socket, head, (accepted) => {
      open.set(id, accepted);
      accepted.on('message', (data, isBinary) => {
        if (isBinary) accepted.close(1003);
        else
          invoke({ ...eventOf('$default'), body: String(data) }).catch(() => {
            // The service says so of a function that failed.
            const told = { message: 'Internal server error', connectionId: id, requestId: 'Fn8pOF2wDoEF1wQ=' };
            accepted.send(JSON.stringify(told), () => {});
          });
      });
      accepted.on('error', () => {});
      accepted.on('close', () => {
        open.delete(id);
        invoke(eventOf('$disconnect')).catch(() => {});
      });
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const gateway: SocketGateway = {
    upgrade,
    onPost: undefined,
    base: `ws://127.0.0.1:${port}`,
    management: `http://127.0.0.1:${port}/prod`,
    async [Symbol.asyncDispose]() {
      for (const socket of open.values()) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
  return gateway;
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-mapping-template-reference.html */
function socketEvent(routeKey: Route, connectionId: string, connectedAt: number, sourceIp: string) {
  return {
    requestContext: {
      ...{
        routeKey,
        connectionId,
        connectedAt,
        eventType: eventTypes[routeKey],
        messageDirection: 'IN',
        stage: 'prod',
      },
      ...{ extendedRequestId: 'Fn8pOF2wDoEF1wQ=', requestTime: '25/Apr/2023:18:10:20 +0000', apiId: 'a1b2c3d4e5' },
      ...{ requestTimeEpoch: Date.now(), requestId: 'Fn8pOF2wDoEF1wQ=', identity: { sourceIp } },
      domainName: 'a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com',
      ...(routeKey === '$default' ? { messageId: 'Fn8pOd9iDoECH8g=' } : {}),
    },
    isBase64Encoded: false,
  };
}

function handshakeOf({ rawHeaders, url }: IncomingMessage): object {
  const { pathname, searchParams } = new URL(url!, 'http://x');
  const query = [...searchParams];
  // As a domain in front of the API would rewrite it (docs/server/cloud.md#sockets).
  if (pathname === '/live') query.push(['live', '1']);
  if (pathname.startsWith('/ws/')) query.push(['walker', pathname.slice(4)]);
  const fields = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]!] as const] : []));
  const first = { headers: Object.fromEntries(fields), multiValueHeaders: listsOf(fields) };
  if (query.length === 0) return first;
  return {
    ...first,
    queryStringParameters: Object.fromEntries(query),
    multiValueQueryStringParameters: listsOf(query),
  };
}

function listsOf(entries: readonly (readonly [string, string])[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const [name, value] of entries) (lists[name] ??= []).push(value);
  return lists;
}

function refuse(socket: Duplex, { statusCode, headers = {}, body = '' }: any): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}Connection: close\r\n\r\n${body}`);
}

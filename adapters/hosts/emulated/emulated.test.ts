/**
 * The emulated gateways on a real port: the events they make, and each limit of docs/cloud.md#what-is-different-there
 * at its documented number.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { defaultConfig } from '../../../core/config/resolve.ts';
import { silentLog } from '../../../core/log/create-log.ts';
import {
  maxFrameBytes,
  maxGatewayBodyBytes,
  maxGatewayHeadBytes,
  maxMessageBytes,
  maxPayloadBytes,
  maxStreamedBytes,
} from '../../../core/platforms/aws-limits.ts';
import type { App } from '../../../handlers/app.ts';
import type { Reply } from '../../../handlers/call.ts';
import { createTableSockets } from '../../../handlers/socket/table-sockets.ts';
import { fixtureApp } from '../../../test/harness/fixture-app.ts';
import { openMemoryConnections } from '../../stores/memory/connections.ts';
import { functionConfig } from '../lambda/function-config.ts';
import { createSocketHandler, type SocketEvent } from '../lambda/socket-handler.ts';
import type { LocalCall } from '../local/local-call.ts';
import { type LocalServer, serveLocal } from '../local/serve.ts';
import { emulateHttp } from './emulate-http.ts';
import { emulateSockets, type SocketEmulation } from './emulate-sockets.ts';
import { httpEvent } from './http-event.ts';

const limits = {
  maxUrlBytes: 8192,
  maxHeaderBytes: 16_384,
  maxConnections: 100,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 10_000,
  keepaliveMs: 1000,
};
let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Serves `handle` (or the fixture application) behind the emulated HTTP API. */
async function serveHttp(handle?: App['handle'], timeoutSeconds = 29, streams = false): Promise<string> {
  const { app } = await fixtureApp();
  const served = handle === undefined ? app : { ...app, handle };
  const emulated = emulateHttp(served, { timeoutSeconds, streams, roundTrips: true });
  server = await serveLocal(emulated, { host: '127.0.0.1', port: 0, limits });
  return `http://127.0.0.1:${server.port}`;
}

async function codeOf(answer: Response): Promise<[number, string]> {
  return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code];
}

test('the event has what the format has', async () => {
  const seen: APIGatewayProxyEventV2[] = [];
  const { app } = await fixtureApp();
  const handle: App['handle'] = (call) => {
    seen.push(httpEvent(call as LocalCall, Buffer.from('{"a":1}'), 'ANY /{proxy+}'));
    return { status: 204, headers: [], body: undefined };
  };
  server = await serveLocal({ ...app, handle }, { host: '127.0.0.1', port: 0, limits });
  const { port } = server;
  await new Promise<void>((resolve) => {
    const headers = {
      'Content-Type': 'application/json',
      Cookie: 'a=1; b=2',
      'X-Two': ['one', 'two'],
      Host: 'app.test',
    };
    httpRequest({ port, host: '127.0.0.1', path: '/x/a%20b?k=1&k=2&q=%C3%A9', method: 'PUT', headers }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    }).end('{"a":1}');
  });
  const [event] = seen;
  expect(event).toEqual({
    version: '2.0',
    routeKey: 'ANY /{proxy+}',
    rawPath: '/x/a%20b',
    rawQueryString: 'k=1&k=2&q=%C3%A9',
    cookies: ['a=1', 'b=2'],
    headers: {
      'content-length': '7',
      'content-type': 'application/json',
      'x-two': 'one,two',
      host: 'app.test',
      'x-forwarded-for': '127.0.0.1',
    },
    queryStringParameters: { k: '1,2', q: 'é' },
    pathParameters: { proxy: 'x/a%20b' },
    requestContext: {
      accountId: 'anonymous',
      apiId: 'emulated',
      domainName: 'emulated.execute-api.localhost',
      domainPrefix: 'emulated',
      http: { method: 'PUT', path: '/x/a%20b', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' },
      requestId: expect.stringMatching(/^[\w-]{15}=$/),
      routeKey: 'ANY /{proxy+}',
      stage: '$default',
      time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
      timeEpoch: expect.any(Number),
    },
    body: '{"a":1}',
    isBase64Encoded: false,
  });
});

test('bodies: bytes stay what they were; above 6 MB as an event we refuse, above 10 MB the gateway does', async () => {
  const got: Buffer[] = [];
  const base = await serveHttp(async (call) => {
    got.push(Buffer.from(await call.body(2 * maxGatewayBodyBytes)));
    return { status: 200, headers: ['Content-Type', 'image/png'], body: Buffer.from([1, 2, 255]) };
  });
  const send = (body: Buffer, type: string) =>
    fetch(base, { method: 'POST', body: new Uint8Array(body), headers: { 'content-type': type } });
  const bytes = Buffer.from([0, 255, 254, 13, 10]);
  const answer = await send(bytes, 'application/json'); // no UTF-8, whatever its type says
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from([1, 2, 255]));
  expect(got).toEqual([bytes]);
  const most = Math.floor((maxPayloadBytes * 3) / 4);
  expect(await codeOf(await send(Buffer.alloc(most), 'image/png'))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect((await send(Buffer.alloc(most - 2048), 'image/png')).status).toBe(200);
  const tooLong = await fetch(base, { method: 'POST', body: new Uint8Array(maxGatewayBodyBytes + 1) });
  expect([tooLong.status, await tooLong.text()]).toEqual([413, '{"message":"Request Entity Too Large"}']);
});

test('heads: above 10,240 bytes the gateway refuses them, the address that streams takes them', async () => {
  const base = await serveHttp(undefined, 29, true);
  const head = (host: string, bytes: number) =>
    new Promise<[number, string]>((resolve, reject) => {
      const line = 'GET /healthz/live HTTP/1.1'.length;
      const headers = { Host: host, Connection: 'close', A: 'x'.repeat(bytes - line - host.length - 'close'.length) };
      const request = httpRequest(`${base}/healthz/live`, { headers }, async (answer) =>
        resolve([answer.statusCode!, await text(answer)]),
      );
      request.on('error', reject).end();
    });
  expect((await head('here', maxGatewayHeadBytes))[0]).toBe(200);
  expect(await head('here', maxGatewayHeadBytes + 1)).toEqual([431, '{"message":"Request Header Fields Too Large"}']);
  expect((await head('emulated.lambda-url.localhost', maxGatewayHeadBytes + 1))[0]).toBe(200);
});

test('an answer that streams is cut off above 200 MB', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  const base = await serveHttp(
    (call): Reply => {
      const count = Number(call.path.slice(1));
      async function* events() {
        for (let n = 0; n < count; n++) yield megabyte as never;
      }
      return { status: 200, headers: ['Content-Type', 'text/event-stream'], body: events() };
    },
    29,
    true,
  );
  const read = async (count: number) => {
    let bytes = 0;
    try {
      for await (const chunk of await toStream(base, `/${count}`)) bytes += chunk.length;
      return [bytes, 'whole'];
    } catch {
      return [bytes, 'cut'];
    }
  };
  expect(await read(200)).toEqual([maxStreamedBytes, 'whole']);
  const [bytes, how] = await read(201);
  expect([Number(bytes) <= maxStreamedBytes, how]).toEqual([true, 'cut']);
});

test('answers: above 6 MB we say so; streams come as one; a call ends one second before its function', async () => {
  async function* events() {
    yield 'data: 1\n\n';
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield 'data: 2\n\n';
  }
  const base = await serveHttp((call): Reply | Promise<Reply> => {
    if (call.path === '/large') return { status: 200, headers: [], body: 'x'.repeat(maxPayloadBytes) };
    if (call.path === '/events') return { status: 200, headers: ['Content-Type', 'text/event-stream'], body: events() };
    return new Promise(() => {});
  }, 3);
  expect(await codeOf(await fetch(`${base}/large`))).toEqual([500, 'EXECUTION_ERROR']);
  const stream = await fetch(`${base}/events`);
  expect([await stream.text(), stream.headers.get('content-length')]).toEqual(['data: 1\n\ndata: 2\n\n', '18']);
  expect(await codeOf(await fetch(`${base}/slow`))).toEqual([504, 'EXECUTION_TIMEOUT']);
});

/** Sends to the address that streams; gives the answer as soon as its head is there. */
function toStream(base: string, path: string, body?: string): Promise<IncomingMessage> {
  const headers = { Host: 'emulated.lambda-url.localhost', 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const request = httpRequest(base + path, { method: body === undefined ? 'GET' : 'POST', headers }, resolve);
    request.on('error', reject).end(body);
  });
}

test('an address that streams: each value as it is made, and who goes away ends the call', async () => {
  let make = (_text: string) => {};
  let ended = 0;
  const events = async function* () {
    try {
      yield 'data: 1\n\n';
      for (;;) yield await new Promise<string>((resolve) => (make = resolve));
    } finally {
      ended++;
    }
  };
  const base = await serveHttp(
    (call): Reply => {
      if (call.path === '/plain') return { status: 201, headers: ['X-A', '1', 'Set-Cookie', 'a=1'], body: 'whole' };
      call.onGone(() => ended++);
      return { status: 200, headers: ['Content-Type', 'text/event-stream'], body: events() };
    },
    29,
    true,
  );
  const plain = await toStream(base, '/plain');
  expect([plain.statusCode, plain.headers['set-cookie'], await text(plain)]).toEqual([201, ['a=1'], 'whole']);
  const answer = await toStream(base, '/events');
  const pieces = answer[Symbol.asyncIterator]();
  expect(String((await pieces.next()).value)).toBe('data: 1\n\n');
  make('data: 2\n\n');
  expect(String((await pieces.next()).value)).toBe('data: 2\n\n');
  answer.destroy();
  await expect.poll(() => ended).toBe(1);
  make('data: 3\n\n');
  await expect.poll(() => ended).toBe(2);
});

test('an address that streams is there when it is asked for', async () => {
  const base = await serveHttp();
  const buffered = await toStream(base, '/walker/Stream', '{"n": 1}');
  expect(buffered.headers['content-length']).toBe(String((await text(buffered)).length));
  await server!.close();
  const streamed = await toStream(await serveHttp(undefined, 29, true), '/walker/Stream', '{"n": 1}');
  expect(streamed.headers['content-length']).toBeUndefined();
  expect(await text(streamed)).toBe('data: {"n":0}\n\nevent: end\ndata: {}\n\n');
});

test('the configuration of functions keeps calls below their limits and has no metrics', () => {
  const config = defaultConfig('test');
  const asked = { ...config, scale: { ...config.scale, metrics: { ...config.scale.metrics, enabled: true } } };
  const { serve, scale } = functionConfig(asked);
  expect([serve.requestTimeoutSeconds, scale.websocket.executionTimeoutSeconds]).toEqual([28, 29]);
  expect(scale.metrics.enabled).toBe(false);
});

interface SocketServer {
  readonly url: string;
  readonly events: SocketEvent[];
}

async function serveSockets(emulation: Partial<SocketEmulation> = {}, anonymous = 100): Promise<SocketServer> {
  const refuseTokens = { identifyToken: () => 'invalid' as const, identifyClaims: () => 'invalid' as const };
  const { app } = await fixtureApp({ deps: { sockets: { ...refuseTokens, onSessionEnd: () => () => {} } } });
  const sockets = emulateSockets({ timeoutSeconds: 30, roundTrips: true, ...emulation });
  const { websocket } = defaultConfig('test').scale;
  const table = createTableSockets({
    app: () => app.sockets!,
    auth: refuseTokens,
    connections: openMemoryConnections(),
    counters: { addToCounter: async () => ({ count: 1, expiresAt: 0 }) },
    gateway: sockets.gateway,
    rules: { ...websocket, maxMessageBytes: 2 * maxMessageBytes, maxAnonymousConnections: anonymous },
    maxJsonDepth: 32,
    maxFrameBytes: maxMessageBytes,
    log: silentLog,
    clock: Date,
    nextId: () => 'holder',
  });
  const events: SocketEvent[] = [];
  const handle = createSocketHandler(app, table, silentLog);
  sockets.serve((event, invocation) => {
    events.push(event);
    return handle(event, invocation);
  });
  server = await serveLocal(app, { host: '127.0.0.1', port: 0, limits, sockets });
  return { url: `ws://127.0.0.1:${server.port}`, events };
}

async function open(url: string): Promise<{ socket: WebSocket; next: () => Promise<any>; closed: Promise<number> }> {
  const socket = new WebSocket(url);
  const frames: unknown[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    wake();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  const next = async () => {
    while (frames.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return frames.shift();
  };
  return { socket, next, closed };
}

test('sockets: connect by query or path, run, disconnect', async () => {
  const { url, events } = await serveSockets();
  for (const target of ['/?walker=EchoWs', '/ws/EchoWs', '/ws/walker/EchoWs?x=1']) {
    const { socket, next, closed } = await open(url + target);
    socket.send('{"message": "hi"}');
    expect(await next()).toMatchObject({ ok: true, data: { reports: [{ message: 'hi' }] } });
    socket.close();
    await closed;
  }
  await expect.poll(() => events.length).toBe(9);
  // Another connection may begin before the gateway has told of the end of the one before.
  const first = events[0]!.requestContext.connectionId;
  const [connect, message, disconnect] = events.filter(({ requestContext }) => requestContext.connectionId === first);
  expect(connect).toMatchObject({
    headers: { 'Sec-WebSocket-Version': '13' },
    multiValueQueryStringParameters: { walker: ['EchoWs'] },
    requestContext: { routeKey: '$connect', eventType: 'CONNECT', identity: { sourceIp: '127.0.0.1' } },
  });
  expect(message).toMatchObject({ body: '{"message": "hi"}', requestContext: { eventType: 'MESSAGE' } });
  expect(message!.headers).toBeUndefined();
  expect(disconnect!.requestContext.eventType).toBe('DISCONNECT');
});

test('sockets: a handshake is refused with the status of the function', async () => {
  const { url } = await serveSockets({}, 1);
  await expect(open(`${url}/?walker=Nope`)).rejects.toThrow('404');
  await expect(open(`${url}/?walker=EchoWs&token=bad`)).rejects.toThrow('401');
  await open(`${url}/ws/EchoWs`);
  await expect(open(`${url}/ws/EchoWs`)).rejects.toThrow('503');
});

test('sockets: frames of 32 KB and messages of 128 KB pass, larger ones close with 1009, binary ones with 1003', async () => {
  const { url } = await serveSockets();
  const text = (bytes: number) => `{"type":"ping","pad":"${'x'.repeat(bytes - 24)}"}`;
  const fits = await open(`${url}/ws/EchoWs`);
  fits.socket.send(text(maxFrameBytes));
  expect(await fits.next()).toMatchObject({ type: 'pong' });
  const whole = text(maxMessageBytes);
  expect(whole).toHaveLength(maxMessageBytes);
  for (let at = 0; at < whole.length; at += maxFrameBytes) {
    fits.socket.send(whole.slice(at, at + maxFrameBytes), { fin: at + maxFrameBytes >= whole.length });
  }
  expect(await fits.next()).toMatchObject({ type: 'pong' });
  fits.socket.send(text(maxFrameBytes + 1));
  expect(await fits.closed).toBe(1009);
  const long = await open(`${url}/ws/EchoWs`);
  for (let i = 0; i < 5; i++) long.socket.send('x'.repeat(maxFrameBytes), { fin: i === 4 });
  expect(await long.closed).toBe(1009);
  const binary = await open(`${url}/ws/EchoWs`);
  binary.socket.send(Buffer.from([0, 1]));
  expect(await binary.closed).toBe(1003);
});

test('sockets: an answer above 128 KB is an error, and cutting shows no code of ours', async () => {
  const { url } = await serveSockets();
  const { socket, next } = await open(`${url}/ws/EchoWs`);
  const whole = JSON.stringify({ message: 'é'.repeat(20_000) + '\u0001'.repeat(15_000) });
  for (let at = 0; at < whole.length; at += 10_000)
    socket.send(whole.slice(at, at + 10_000), { fin: at + 10_000 >= whole.length });
  expect((await next()).error.code).toBe('EXECUTION_ERROR');
  const room = await open(`${url}/ws/PrivateRoom`);
  room.socket.send('{"message": "no token"}');
  expect(await room.next()).toMatchObject({ error: { code: 'UNAUTHORIZED', reason: 'missing' } });
  expect(await room.closed).toBe(1000);
});

test('sockets: silent and old connections are closed by the gateway, and nobody is pinged', async () => {
  const { url } = await serveSockets({ limits: { idleMs: 150, lifeMs: 100_000 } });
  const { socket, closed } = await open(`${url}/ws/EchoWs`);
  let pings = 0;
  socket.on('ping', () => pings++);
  expect(await closed).toBe(1001);
  expect(pings).toBe(0);
  await server!.close();
  const old = await serveSockets({ limits: { idleMs: 100_000, lifeMs: 100 } });
  const talking = await open(`${old.url}/ws/EchoWs`);
  const timer = setInterval(() => talking.socket.send('{"type": "ping"}'), 20);
  expect(await talking.closed).toBe(1001);
  clearInterval(timer);
});

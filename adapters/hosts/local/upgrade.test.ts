/** Sockets over real connections, down to single frames (RFC 6455). */
import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { silentLog } from '../../../core/log/create-log.ts';
import type { SocketRules } from '../../../handlers/socket/desk.ts';
import { headRoom } from '../../../handlers/socket/frames.ts';
import { createSocketHub, type SocketHub } from '../../../handlers/socket/hub.ts';
import { fixtureApp } from '../../../test/harness/fixture-app.ts';
import { encodeText } from './encode-text.ts';
import { type LocalServer, serveLocal } from './serve.ts';

const open: LocalServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const rules: SocketRules = {
  maxMessageBytes: 1024,
  maxMessagesPerSecond: 1000,
  maxConnectionsPerTarget: 5000,
  maxConnectionsPerUser: 10,
  maxAnonymousConnections: 100,
  queueSize: 32,
  executionTimeoutSeconds: 30,
  heartbeatSeconds: 30,
  idleSeconds: 90,
  authTimeoutSeconds: 10,
  sendTimeoutSeconds: 5,
  sendBufferBytes: 100_000,
  allowedOrigins: ['https://app.example'],
};

async function serve() {
  const { app } = await fixtureApp({
    config: { scale: { websocket: rules } },
    deps: { sockets: { identifyToken: () => 'invalid', onSessionEnd: () => () => {} } },
  });
  const hub: SocketHub = createSocketHub({
    app: () => app.sockets!,
    rules,
    maxJsonDepth: 32,
    log: silentLog,
    clock: Date,
  });
  const server = await serveLocal(app, {
    host: '127.0.0.1',
    port: 0,
    sockets: hub,
    limits: {
      maxUrlBytes: 8192,
      maxHeaderBytes: 16384,
      maxConnections: 100,
      headersTimeoutMs: 10_000,
      bodyTimeoutMs: 10_000,
      keepaliveMs: 65_000,
    },
  });
  open.push(server);
  return { server, hub, url: `ws://127.0.0.1:${server.port}/ws/EchoWs` };
}

/** Speaks the protocol by hand. */
class RawClient {
  private readonly socket: Socket;
  private received = Buffer.alloc(0);
  private wake: () => void = () => {};
  private isClosed = false;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.isClosed = true;
      this.wake();
    });
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  pause(): void {
    this.socket.pause();
  }

  /** The head of the answer. */
  async upgrade(headers: Readonly<Record<string, string>> = {}, path = '/ws/EchoWs'): Promise<string> {
    const all = {
      Host: 'x',
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    this.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const end = await this.until(() => this.received.indexOf('\r\n\r\n'));
    const head = this.received.subarray(0, end).toString();
    this.received = this.received.subarray(end + 4);
    return head;
  }

  /** The next frame: its opcode and content; undefined when the connection was closed without one. */
  async frame(): Promise<readonly [number, Buffer] | undefined> {
    const end = await this.until(() => (this.received.length >= 2 ? this.frameEnd() : -1));
    if (end < 0) return undefined;
    const opcode = this.received[0]! & 0x0f;
    const content = this.received.subarray(this.received[1]! < 126 ? 2 : 4, end);
    this.received = this.received.subarray(end);
    return [opcode, Buffer.from(content)];
  }

  /** Code of the close frame that comes next. */
  async closeCode(): Promise<number | undefined> {
    const [opcode, content] = (await this.frame()) ?? [];
    return opcode === 8 ? content!.readUInt16BE(0) : undefined;
  }

  private frameEnd(): number {
    const short = this.received[1]!;
    const [head, length] = short < 126 ? [2, short] : [4, this.received.readUInt16BE(2)];
    return this.received.length >= head + length ? head + length : -1;
  }

  private async until(find: () => number): Promise<number> {
    for (;;) {
      const found = find();
      if (found >= 0 || this.isClosed) return found;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}

/** A frame as clients send it. */
function masked(firstByte: number, content: Uint8Array): Buffer {
  const mask = randomBytes(4);
  const head =
    content.length < 126
      ? Buffer.from([firstByte, 0x80 | content.length])
      : Buffer.from([firstByte, 0x80 | 126, content.length >> 8, content.length & 0xff]);
  return Buffer.concat([head, mask, content.map((byte, i) => byte ^ mask[i & 3]!)]);
}

const text = (value: unknown) => Buffer.from(JSON.stringify(value));

async function connected() {
  const served = await serve();
  const client = new RawClient(served.server.port);
  await client.upgrade();
  return { ...served, client };
}

test('the handshake is that of RFC 6455, without extensions', async () => {
  const { server } = await serve();
  const client = new RawClient(server.port);
  const head = await client.upgrade({
    'Sec-WebSocket-Extensions': 'permessage-deflate',
    'Sec-WebSocket-Protocol': 'chat, svc.v1',
  });
  const accept = createHash('sha1')
    .update('dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11')
    .digest('base64');
  expect(head).toMatch(/^HTTP\/1\.1 101 /);
  expect(head).toContain(`Sec-WebSocket-Accept: ${accept}`);
  expect(head).toContain('Sec-WebSocket-Protocol: svc.v1');
  expect(head).not.toMatch(/extensions/i);
});

test('what cannot become a socket is answered over HTTP', async () => {
  const { server } = await serve();
  const refusal = async (headers: Record<string, string>, path?: string) => {
    const head = await new RawClient(server.port).upgrade(headers, path);
    return Number(head.split(' ')[1]);
  };
  expect(await refusal({ 'Sec-WebSocket-Version': '8' })).toBe(426);
  expect(await refusal({ 'Sec-WebSocket-Key': 'short' })).toBe(400);
  expect(await refusal({ Origin: 'https://evil.example' })).toBe(403);
  expect(await refusal({ Origin: 'https://app.example' })).toBe(101);
  expect(await refusal({ Authorization: 'Bearer forged' })).toBe(401);
  expect(await refusal({}, '/ws/EchoWs?token=')).toBe(401);
  expect(await refusal({}, '/ws/Nope')).toBe(404);
  expect(await refusal({}, '/walker/Ping')).toBe(404);
  expect(await refusal({}, '/ws/EchoWs?token=%zz')).toBe(400);
  // Another protocol is not asked for again: the request is an ordinary one (RFC 9110 7.8).
  expect(await refusal({ Upgrade: 'h2c' }, '/Ping')).toBe(405);
});

test('a message may come in fragments, with a ping between them', async () => {
  const { client } = await connected();
  const whole = text({ message: 'wörter' });
  client.write(masked(0x01, whole.subarray(0, 14))); // cuts the letter in two
  client.write(masked(0x89, Buffer.from('hi')));
  client.write(masked(0x80, whole.subarray(14)));
  expect(await client.frame()).toEqual([10, Buffer.from('hi')]);
  const [opcode, content] = (await client.frame())!;
  expect([opcode, JSON.parse(content.toString())]).toMatchObject([1, { data: { reports: [{ message: 'wörter' }] } }]);
});

test('faults of the protocol close with the code of the RFC', async () => {
  const faults: readonly (readonly [string, Uint8Array, number])[] = [
    ['not masked', Buffer.concat([Buffer.from([0x81, 2]), Buffer.from('{}')]), 1002],
    ['reserved bit', masked(0xc1, text({})), 1002],
    ['unknown opcode', masked(0x83, text({})), 1002],
    ['continuation of nothing', masked(0x80, text({})), 1002],
    ['long control frame', masked(0x89, Buffer.alloc(126)), 1002],
    ['invalid UTF-8', masked(0x81, Buffer.from([0x22, 0xc3, 0x28, 0x22])), 1007],
    ['binary', masked(0x82, Buffer.from([1, 2])), 1003],
    ['far too long', masked(0x81, Buffer.alloc(16 * 1024 + 1, 0x20)), 1009],
  ];
  for (const [name, bytes, code] of faults) {
    const { client } = await connected();
    client.write(bytes);
    expect([name, await client.closeCode()]).toEqual([name, code]);
  }
});

test('a message above the limit is told so before the connection is closed', async () => {
  const { client } = await connected();
  client.write(masked(0x81, text({ message: 'x'.repeat(1100) })));
  const [, content] = (await client.frame())!;
  expect(JSON.parse(content.toString()).error.code).toBe('MESSAGE_TOO_LARGE');
  expect(await client.closeCode()).toBe(4413);
});

test('text frames of every length are written as the RFC says', async () => {
  for (const length of [0, 1, 125, 126, 65_535, 65_536, 200_000]) {
    const sent = 'ä'.repeat(length >> 1) + 'x'.repeat(length & 1);
    const roomy = Buffer.concat([Buffer.alloc(headRoom), Buffer.from(sent)]);
    for (const frame of [encodeText({ text: sent }), encodeText({ text: 'unused', roomy })]) {
      const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
      expect([frame.length, frame.subarray(head).toString()]).toEqual([head + length, sent]);
      const told = head === 2 ? frame[1] : head === 4 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
      expect([frame[0], told]).toEqual([0x81, length]);
    }
  }
});

test('an end of the server tells every client', async () => {
  const { server, url } = await serve();
  const clients = [new WebSocket(url), new WebSocket(url)];
  const closed = clients.map((client) => new Promise((resolve) => client.on('close', resolve)));
  await Promise.all(clients.map((client) => new Promise((resolve) => client.on('open', resolve))));
  open.length = 0;
  expect(await server.drain({ delayMs: 0, timeoutMs: 5000 })).toBe(true);
  expect(await Promise.all(closed)).toEqual([1001, 1001]);
});

import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { App } from '../../../handlers/app.ts';
import type { Reply } from '../../../handlers/call.ts';
import { createLifecycle } from '../../../handlers/http/lifecycle.ts';
import type { LocalCall } from './local-call.ts';
import { type LocalServer, serveLocal } from './serve.ts';

let server: LocalServer | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

const ok: Reply = { status: 200, headers: ['Content-Length', '2'], body: 'ok' };

/** A server, and `count` connections to it that are open. */
async function serve(handle: (call: LocalCall) => Reply | Promise<Reply>, count: number) {
  server = await serveLocal({ handle, lifecycle: createLifecycle() } as unknown as App, {
    host: '127.0.0.1',
    port: 0,
    limits: {
      maxUrlBytes: 8192,
      maxHeaderBytes: 16384,
      maxConnections: 100,
      headersTimeoutMs: 10_000,
      bodyTimeoutMs: 10_000,
      keepaliveMs: 65_000,
    },
  });
  const { port } = server;
  const opened = Array.from(
    { length: count },
    () =>
      new Promise<Socket>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
        sockets.push(socket);
      }),
  );
  return Promise.all(opened);
}

const answerOn = (socket: Socket) =>
  new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));

/** Sends one request on each connection at the same moment; gives the answers. */
function sendAtOnce(opened: readonly Socket[]): Promise<string[]> {
  const answers = opened.map(answerOn);
  opened.forEach((socket, i) => {
    socket.write(`POST /${i} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`);
  });
  return Promise.all(answers);
}

test('calls that arrive together run together, and are answered after the last of them', async () => {
  const run: { call: LocalCall; answered: number; body: string }[] = [];
  const opened = await serve((call) => {
    const answered = run.filter((before) => before.call.response.writableEnded).length;
    run.push({ call, answered, body: String(call.body(100)) });
    return ok;
  }, 8);
  // The first rounds see connections accepted and code compiled.
  for (let round = 0; round < 200; round++) {
    run.length = 0;
    for (const answer of await sendAtOnce(opened)) expect(answer).toMatch(/^HTTP\/1\.1 200 .*ok$/s);
    expect(run.map(({ body }) => body)).toEqual(new Array(8).fill('hello'));
    if (run.every(({ answered }) => answered === 0)) return;
  }
  expect.fail('no eight calls ever ran together');
});

test('an answer that is ready is not held back by a call that takes long', async () => {
  const calls: LocalCall[] = [];
  const answeredBefore: number[] = [];
  const opened = await serve((call) => {
    answeredBefore.push(calls.filter(({ response }) => response.writableEnded).length);
    calls.push(call);
    const until = performance.now() + 5;
    while (performance.now() < until);
    return ok;
  }, 4);
  for (let round = 0; round < 3; round++) await sendAtOnce(opened);
  expect(answeredBefore).toEqual(Array.from({ length: 12 }, (_, i) => i));
});

test('a call that waits does not hold back the others of its batch', async () => {
  let release = (): void => {};
  const opened = await serve(
    (call) => (call.path === '/0' ? new Promise((resolve) => (release = () => resolve(ok))) : ok),
    3,
  );
  const [first, ...others] = opened.map(answerOn) as [Promise<string>, ...Promise<string>[]];
  void sendAtOnce(opened);
  expect(await Promise.all(others)).toHaveLength(2);
  release();
  expect(await first).toContain('200 OK');
});

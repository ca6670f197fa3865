/** Connections to Node's inspector, here to one that does as its socket does with small messages: none is sent before those before it were acknowledged. */
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { connectInspector, type InspectorClient } from './inspector-client.ts';

let server: WebSocketServer | undefined;
let client: InspectorClient | undefined;
afterEach(() => {
  client?.close();
  server?.close();
});

test('an answer behind an event is not held back until the system acknowledges the event', async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket: WebSocket) => {
    let waiting: string[] = [];
    let isHeld = false;
    const flush = () => {
      if (isHeld || waiting.length === 0) return;
      isHeld = true;
      for (const text of waiting) socket.send(text);
      waiting = [];
    };
    const send = (message: object) => {
      waiting.push(JSON.stringify(message));
      flush();
    };
    socket.on('message', (data) => {
      // Whatever comes from the other side acknowledges what was sent.
      isHeld = false;
      flush();
      const { id, method } = JSON.parse(String(data));
      if (method === 'Runtime.evaluate') send({ method: 'Debugger.scriptParsed', params: {} });
      send({ id, result: { method } });
    });
  });
  const { port } = server.address() as { port: number };
  client = await connectInspector(`ws://127.0.0.1:${port}`);
  for (let i = 0; i < 20; i++) expect(await client.send('Runtime.evaluate')).toEqual({ method: 'Runtime.evaluate' });
});

test('nothing follows a request that pauses before the program has paused', async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const { port } = server.address() as { port: number };
  client = await connectInspector(`ws://127.0.0.1:${port}`);
  const [program] = await connected;
  const asked: string[] = [];
  program.on('message', (data: Buffer) => asked.push(JSON.parse(String(data)).method));
  const answer = client.send('Runtime.evaluate', {}, true);
  const later = client.send('Debugger.enable');
  await once(program, 'message');
  program.send(JSON.stringify({ method: 'Debugger.scriptParsed', params: {} }));
  program.ping();
  // The client has seen the event when it answers what came behind it.
  await once(program, 'pong');
  expect(asked).toEqual(['Runtime.evaluate']);
  program.send(JSON.stringify({ method: 'Debugger.paused', params: {} }));
  while (asked.length < 3) await once(program, 'message');
  expect(asked.slice(1).sort()).toEqual(['Debugger.enable', 'Runtime.getIsolateId']);
  for (const id of [2, 3]) program.send(JSON.stringify({ id, result: 'at once' }));
  expect(await later).toBe('at once');
  program.send(JSON.stringify({ id: 1, result: 'gone on' }));
  expect(await answer).toBe('gone on');
});

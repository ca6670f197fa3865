/**
 * Broadcast over two workers while clients come and go and one reads nothing (server.md 13.7): nothing is lost or doubled for those who
 * stay. `SVC_SOAK=1` runs 500 clients and 2,000 messages and looks at the memory, else it is a short version.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { workerPids } from '../harness/worker-pids.ts';

const isLong = process.env['SVC_SOAK'] === '1';
const clientCount = isLong ? 500 : 40;
const messageCount = isLong ? 2000 : 150;
const app = `@restspec(protocol="WEBSOCKET", broadcast=True)
async walker:pub Room {
    has n: int = 0;
    has filling: str = "";
    can say with Root entry { report {"n": self.n, "filling": self.filling}; }
}
`;
const settings = `[plugins.scale.websocket]
max_anonymous_connections = 2000
max_messages_per_second = 1000
send_buffer_bytes = 262144
send_timeout_seconds = 2
`;

interface Client {
  readonly socket: WebSocket;
  readonly numbers: number[];
}

function join(port: number): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/Room`);
  const numbers: number[] = [];
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame.type !== 'ping') numbers.push(frame.data.reports[0].n);
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ socket, numbers }));
    socket.once('error', reject);
  });
}

/** A client that never reads after its handshake. */
function joinWithoutReading(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'GET /ws/Room HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  return new Promise((resolve) =>
    socket.once('data', () => {
      socket.pause();
      resolve(socket);
    }),
  );
}

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

test(`${clientCount} clients, ${messageCount} messages, two workers`, { timeout: 560_000 }, async () => {
  using folder = folderWith({ 'main.svc': app, 'svc.toml': settings });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const pids = [server.child.pid!, ...workerPids(server.child.pid!)];
  const staying: Client[] = [];
  for (let i = 0; i < clientCount; i++) staying.push(await join(server.port));
  const stopped = await joinWithoutReading(server.port);
  // On both workers, or this would prove nothing about what goes between them.
  const [first, second] = [staying[0]!, staying[1]!];

  let disconnects = 0;
  let isOver = false;
  const comingAndGoing = (async () => {
    while (!isOver) {
      const client = await join(server.port);
      await sleep(Math.random() * 20);
      if (Math.random() < 0.5) client.socket.terminate();
      else client.socket.close();
      disconnects++;
    }
  })();

  const filling = 'x'.repeat(isLong ? 1500 : 20_000);
  let early: number[] = [];
  for (let n = 0; n < messageCount; n++) {
    (n % 2 === 0 ? first : second).socket.send(JSON.stringify({ n, filling }));
    // The next one when its sender has it back, so that those of both senders have one order.
    while (first.numbers.length <= n || second.numbers.length <= n) await sleep(1);
    if (n === Math.floor(messageCount / 4)) early = pids.map(memoryOf);
  }
  isOver = true;
  await comingAndGoing;
  const everybody = () => staying.every(({ numbers }) => numbers.length >= messageCount);
  while (!everybody()) await sleep(20);
  await sleep(100); // anything doubled would have arrived by now
  const expected = Array.from({ length: messageCount }, (_, n) => n);
  for (const { numbers } of staying) expect(numbers).toEqual(expected);
  expect(disconnects, 'clients must have left meanwhile').toBeGreaterThan(messageCount / 20);

  // A frame has the filling twice. The one that reads nothing was cut: reading on, it finds the end before it has everything.
  let got = 0;
  stopped.on('data', (chunk) => {
    got += chunk.length;
  });
  const cut = new Promise((resolve) => stopped.once('close', resolve));
  stopped.on('error', () => {});
  stopped.resume();
  await cut;
  expect(got, 'the stopped reader must have missed something').toBeLessThan(2 * messageCount * filling.length);

  const late = pids.map(memoryOf);
  if (isLong) {
    console.log(`MB: ${early.map(Math.round)} -> ${late.map(Math.round)}, ${disconnects} disconnects`);
    for (const [i, mb] of late.entries()) expect(mb).toBeLessThan(early[i]! * 1.3 + 30);
  }
  for (const { socket } of staying) socket.terminate();
  expect(await server.stop()).toBe(0);
});

/**
 * Broadcast over two workers while clients come and go and one reads nothing (docs/server/sockets.md#broadcast):
 * nothing is lost or doubled for those who stay. `SVC_SOAK=1` runs 500 clients and 2,000 messages and looks at the
 * memory, else it is a short version.
 */
import { readdirSync, readFileSync } from 'node:fs';
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
/** The frames for one connection are together more than the system holds for one that reads nothing. */
const filling = 'x'.repeat(isLong ? 6000 : 80_000);
const looks = 10;
const app = `@restspec(protocol="WEBSOCKET", broadcast=True)
async walker:pub Room {
    has n: int = 0;
    has filling: str = "";
    can say with Root entry { report self.n; }
}
`;
const settings = `[plugins.scale.websocket]
max_anonymous_connections = 2000
max_messages_per_second = 1000
max_message_bytes = 131072
send_buffer_bytes = 262144
send_timeout_seconds = 2

[plugins.scale.metrics]
enabled = true
`;

interface Client {
  readonly socket: WebSocket;
  readonly numbers: number[];
  /** Resolves when a message has come, by its number. Rejects when the connection ends. */
  until(n: number): Promise<void>;
}

function join(port: number): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/Room`, { perMessageDeflate: false });
  const numbers: number[] = [];
  let wanted: { n: number; resolve: () => void; reject: (error: Error) => void } | undefined;
  let end: Error | undefined;
  socket.on('message', (data) => {
    const n = /"reports":\[(\d+)\]\}\}$/.exec(
      (data as Buffer).toString('latin1', Math.max(0, (data as Buffer).length - 40)),
    )?.[1];
    if (n === undefined) return; // heartbeats
    numbers.push(Number(n));
    if (wanted !== undefined && numbers.length > wanted.n) wanted.resolve();
  });
  socket.on('close', (code, reason) => {
    end = new Error(`closed ${code} ${reason} after ${numbers.length} messages`);
    wanted?.reject(end);
  });
  const until = (n: number) =>
    new Promise<void>((resolve, reject) => {
      wanted = { n, resolve, reject };
      if (numbers.length > n) resolve();
      else if (end !== undefined) reject(end);
    });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ socket, numbers, until }));
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
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);

async function sendFailures(base: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(/^svc_scale_ws_send_failures_total\{.*reason="(?:buffer_full|timeout)"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

test(`${clientCount} clients, ${messageCount} messages, two workers`, { timeout: 480_000 }, async () => {
  using folder = folderWith({ 'main.svc': app, 'svc.toml': settings });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const workers = workerPids(server.child.pid!);
  const pids = [server.child.pid!, ...workers];
  const staying: Client[] = [];
  for (let i = 0; i < clientCount; i++) staying.push(await join(server.port));
  for (const pid of workers) {
    expect(readdirSync(`/proc/${pid}/fd`).length, 'both workers hold connections').toBeGreaterThan(clientCount / 4);
  }
  const stopped = await joinWithoutReading(server.port);
  const senders = [staying[0]!, staying[1]!] as const;

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

  const memory: number[][] = [];
  for (let n = 0; n < messageCount; n++) {
    senders[n % 2]!.socket.send(JSON.stringify({ n, filling }));
    // The next one when both have it, so that those of both senders have one order.
    await Promise.all(senders.map((sender) => sender.until(n)));
    if ((n + 1) % (messageCount / looks) === 0) memory.push(pids.map(memoryOf));
  }
  isOver = true;
  await comingAndGoing;
  await Promise.all(staying.map((client) => client.until(messageCount - 1)));
  await sleep(100); // anything doubled would have arrived by now
  const expected = Array.from({ length: messageCount }, (_, n) => n);
  for (const { numbers } of staying) expect(numbers).toEqual(expected);
  expect(disconnects, 'clients must have left meanwhile').toBeGreaterThan(messageCount / 20);

  // The one that reads nothing was cut: the server says so, and reading on it finds the end before it has everything.
  expect(await sendFailures(server.base)).toBe(1);
  let got = 0;
  stopped.on('data', (chunk) => {
    got += chunk.length;
  });
  const cut = new Promise((resolve) => stopped.once('close', resolve));
  stopped.on('error', () => {});
  stopped.resume();
  await cut;
  expect(got, 'the stopped reader must have missed something').toBeLessThan(messageCount * filling.length);

  if (isLong) {
    console.log(`MB of the primary process and both workers: ${memory.join(' | ')}; ${disconnects} disconnects`);
    const [early, late] = [memory[2]!, memory.at(-1)!];
    for (const [i, mb] of late.entries()) expect(mb).toBeLessThan(early[i]! * 1.25 + 20);
  }
  for (const { socket } of staying) socket.terminate();
  expect(await server.stop()).toBe(0);
});

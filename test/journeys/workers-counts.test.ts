/**
 * Counts that all workers share: sockets, requests and their metrics (docs/server/commands.md#workers,
 * docs/server/errors.md#limits, docs/server/sockets.md#caps, docs/server/observability.md#metrics).
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { register, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { workerPids } from '../harness/worker-pids.ts';

const app = `import os;
walker:pub Pid { can go with Root entry { report os.getpid(); } }
@restspec(protocol="WEBHOOK")
walker Hook { can go with Root entry { report os.getpid(); } }
@restspec(protocol="WEBSOCKET")
async walker:pub Talk { can talk with Root entry { report os.getpid(); } }
`;

/** An open socket, with the worker it is on, or the code it was closed with. */
function open(port: number): Promise<{ socket: WebSocket; pid: number } | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/Talk`);
  return new Promise((resolve) => {
    socket.once('open', () => socket.send('{}'));
    socket.once('close', resolve);
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      if (frame.ok === true) resolve({ socket, pid: frame.data.reports[0] });
    });
  });
}

test('sockets are counted over all workers, and the places of a killed one are free again', async () => {
  using folder = folderWith({
    'main.svc': app,
    'svc.toml': '[plugins.scale.websocket]\nmax_anonymous_connections = 6\n',
  });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const sockets = [];
  for (let i = 0; i < 6; i++) sockets.push((await open(server.port)) as { socket: WebSocket; pid: number });
  expect(new Set(sockets.map(({ pid }) => pid)).size).toBe(2);
  expect(await open(server.port)).toBe(4403);
  expect(await open(server.port)).toBe(4403);

  sockets[0]!.socket.close();
  const again = async () => {
    for (;;) {
      const found = await open(server.port);
      if (typeof found !== 'number') return found;
      await sleep(20);
    }
  };
  await again();
  expect(await open(server.port)).toBe(4403);

  const { pid } = sockets[1]!;
  const lost = sockets.slice(1).filter((entry) => entry.pid === pid);
  process.kill(pid, 'SIGKILL');
  await Promise.all(lost.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve))));
  // Until its primary process has noticed, a killed worker is still handed connections, which nobody answers.
  const hasReplaced = (pids: readonly number[]) => pids.length === 2 && !pids.includes(pid);
  while (!hasReplaced(workerPids(server.child.pid!))) await sleep(20);
  for (let i = 0; i < lost.length; i++) await again();
  await server.stop();
});

test('requests are limited over all workers', async () => {
  using folder = folderWith({
    'main.svc': app,
    'svc.toml': '[plugins.scale.rate_limit]\nenabled = true\nrequests_per_minute = 1\nburst = 10\n',
  });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const pids = new Set<number>();
  const statuses: number[] = [];
  for (let i = 0; i < 16; i++) {
    const answer = await fetch(`${server.base}/walker/Pid`, { method: 'POST', headers: { connection: 'close' } });
    statuses.push(answer.status);
    if (answer.status === 200) pids.add(((await answer.json()) as any).reports[0]);
  }
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(6).fill(429)]);
  expect(pids.size).toBe(2);
});

test('guesses at a password are limited over all workers, however many come at once', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  await register(server.base, 'ada');
  const guess = (password: string) =>
    fetch(`${server.base}/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ username: 'ada', password }),
    });
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => guess(`wrong ${i}`)));
  const counted = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([counted(401), counted(429)]).toEqual([10, 50]);
});

test('calls with an API key are limited over all workers', async () => {
  using folder = folderWith({
    'main.svc': app,
    'svc.toml': '[plugins.scale.webhook]\nrate_limit_per_minute = 6\n',
  });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const { token } = await register(server.base, 'ada');
  const made = await fetch(`${server.base}/api-key/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"name": "hooks"}',
  });
  const { api_key: key } = (await made.json()) as { api_key: string };
  const headers = {
    'content-type': 'application/json',
    'x-api-key': key,
    'x-webhook-signature': createHmac('sha256', key).update('{}').digest('hex'),
    connection: 'close',
  };
  const pids = new Set<number>();
  const statuses: number[] = [];
  for (let i = 0; i < 9; i++) {
    const answer = await fetch(`${server.base}/webhook/Hook`, { method: 'POST', headers, body: '{}' });
    statuses.push(answer.status);
    if (answer.status === 200) pids.add(((await answer.json()) as any).reports[0]);
  }
  expect(pids.size).toBe(2);
  // One is added every ten seconds, which a busy machine may reach.
  expect(statuses.slice(0, 6)).toEqual(Array(6).fill(200));
  expect(statuses.slice(6)).toContain(429);
});

test('metrics are those of all workers, whichever is scraped', async () => {
  using folder = folderWith({
    'main.svc': app,
    'svc.toml': '[plugins.scale.metrics]\nenabled = true\nnamespace = "demo"\n',
  });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const headers = { connection: 'close' };
  const pids = new Set<number>();
  for (let i = 0; i < 12; i++) {
    const answer = await fetch(`${server.base}/walker/Pid`, { method: 'POST', headers });
    pids.add(((await answer.json()) as any).reports[0]);
  }
  expect(pids.size).toBe(2);
  for (let i = 0; i < 4; i++) {
    const text = await (await fetch(`${server.base}/metrics`, { headers })).text();
    const counted = text.split('\n').filter((line) => /^demo_http_requests_total\{.*Pid/.test(line));
    expect(counted.map((line) => line.split(' ').at(-1))).toEqual(['12']);
  }
});

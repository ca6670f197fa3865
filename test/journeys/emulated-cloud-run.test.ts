/** `svc start --emulate cloud_b`: limits of Cloud Run as clients meet them (docs/server/google-cloud.md#limits). */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startServer } from '../harness/server.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const program = `
import asyncio;
walker :pub Small { has text: str = ""; can say with Root entry { report len(self.text); } }
walker :pub Large { can say with Root entry { report "x" * (33 * 1024 * 1024); } }
glob steps: list[int] = [];
async def later -> None {
    for at in range(3) { await asyncio.sleep(0.3); steps.append(at); }
    print("what was left is done");
}
walker :pub Leave { async can go with Root entry { asyncio.create_task(later()); report 1; } }
walker :pub Stay { async can go with Root entry { while len(steps) < 3 { await asyncio.sleep(0.05); } report len(steps); } }
walker :pub Steps { can go with Root entry { report len(steps); } }
walker :pub Stuck { async can wait with Root entry { await asyncio.Future(); } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker :pub Talk { async can say with Root entry { report 1; } }
`;
const settings = `
[serve]
max_body_bytes = 100000000
[plugins.scale.gcp]
timeout_seconds = 2
concurrency = 3
max_instances = 1
`;

let folder: ReturnType<typeof folderWith>;
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  folder = folderWith({ 'main.svc': program, 'svc.toml': settings });
  server = await startServer({ folder: folder.path, args: ['--emulate', 'cloud_b'] });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  folder?.[Symbol.dispose]();
});

const call = async (walker: string, body: string | undefined = '{}') => {
  const answer = await fetch(`${server.base}/walker/${walker}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return { status: answer.status, text: await answer.text() };
};
const large = JSON.stringify({ text: 'x'.repeat(33 * 1024 * 1024) });

test('a request above 32 MiB is refused, told by its length or not', async () => {
  expect((await call('Small', '{"text": "abc"}')).status).toBe(200);
  expect(await call('Small', large)).toEqual({ status: 413, text: 'Request Entity Too Large' });
  const status = await new Promise<number>((resolve) => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const sent = request(`${server.base}/walker/Small`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    // The rest is not read.
    sent.on('error', () => {});
    sent.end(large);
  });
  expect(status).toBe(413);
});

test('an answer above 32 MiB is none', async () => {
  expect(await call('Large')).toEqual({ status: 500, text: expect.stringContaining('larger than 32 MiB') });
});

test('a socket ends with its request, 1001', async () => {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/ws/Talk`);
  const code = await new Promise((resolve) => {
    socket.on('close', resolve);
    socket.on('error', () => {});
  });
  expect(code).toBe(1001);
});

test('a call ends with 504 at its time, still keeps its place in the instance, and beyond all places it is 429', async () => {
  const stuck = [call('Stuck'), call('Stuck'), call('Stuck')];
  expect(await Promise.all(stuck)).toEqual(Array(3).fill({ status: 504, text: 'upstream request timeout' }));
  expect(await call('Small')).toEqual({ status: 429, text: 'Rate exceeded.' });
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/ws/Talk`);
  const refused = await new Promise<number>((resolve) => {
    socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode!));
    socket.on('error', () => {});
  });
  expect(refused).toBe(429);
});

/** A server in a folder of its own: what it writes, and a call. */
const serving = async (
  toml: string,
  work: (process: ReturnType<typeof spawnSvc>, ask: (walker: string) => Promise<number>) => Promise<void>,
) => {
  using own = folderWith({ 'main.svc': program, 'svc.toml': toml });
  await using process = spawnSvc(['start', 'main.svc', '--port', '0', '--emulate', 'cloud_b', '--json'], {
    cwd: own.path,
  });
  const [, base] = await process.until(/"url":"([^"]+)"/);
  await work(process, async (walker) => {
    const answer = await fetch(`${base}/walker/${walker}`, { method: 'POST' });
    return ((await answer.json()) as { reports: number[] }).reports[0]!;
  });
  return process.stdout() + process.stderr();
};
const stillLine = 'work after the answer stands still until another call comes; gcp.cpu_always = true lets it go on';

test('a platform that is none is told', async () => {
  const { code, stderr } = await svcHere(['start', 'main.svc', '--emulate=moon'], { cwd: folder.path });
  expect([code, stderr]).toEqual([2, "svc: --emulate: expected cloud or cloud_b, got 'moon'\n"]);
});

test('work that a call leaves behind stands still until another call comes, which is told once', async () => {
  const told = await serving('', async (process, ask) => {
    await ask('Leave');
    await sleep(1200);
    expect(await ask('Steps')).toBeLessThan(3);
    await sleep(600);
    expect(process.stdout()).not.toContain('what was left is done');
    expect(await ask('Stay')).toBe(3);
  });
  expect(told.split(stillLine)).toHaveLength(2);
});

test.concurrent('while a socket is open it goes on: that is a call', async () => {
  const told = await serving('', async (process, ask) => {
    const [, base] = /"url":"([^"]+)"/.exec(process.stdout())!;
    const socket = new WebSocket(`${base!.replace('http', 'ws')}/ws/Talk`);
    await new Promise((resolve) => socket.on('open', resolve));
    await ask('Leave');
    await process.until(/what was left is done/);
    socket.terminate();
  });
  expect(told).not.toContain(stillLine);
});

test.concurrent('with cpu_always it goes on', async () => {
  const told = await serving('[plugins.scale.gcp]\ncpu_always = true\n', async (process, ask) => {
    await ask('Leave');
    await process.until(/what was left is done/);
  });
  expect(told).not.toContain(stillLine);
});

test.concurrent('an instance ends within ten seconds', async () => {
  using own = folderWith({ 'main.svc': program, 'svc.toml': '[serve]\ndrain_timeout_seconds = 60\n' });
  await using process = spawnSvc(['start', 'main.svc', '--port', '0', '--emulate', 'cloud_b', '--json'], {
    cwd: own.path,
  });
  const [, base] = await process.until(/"url":"([^"]+)"/);
  const stuck = fetch(`${base}/walker/Stuck`, { method: 'POST' }).catch(() => undefined);
  await fetch(`${base}/walker/Small`, { method: 'POST' });
  process.kill('SIGTERM');
  // Without the limit it would wait for the call until its own end, after 60 s.
  expect(await process.exited).toBe(1);
  await stuck;
});

/**
 * Two separate `svc start` of one application with a key-value store between them, as on two hosts, one of them with
 * workers (docs/server/stores.md#key-value-store, docs/server/inspection.md#health, docs/server/sockets.md#broadcast,
 * docs/server/sockets.md#caps): broadcasts, rate limits and caps are common to all, also after the store was away.
 */
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startRedis } from '../harness/redis-server.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `@restspec(protocol="WEBSOCKET", broadcast=True)
async walker:pub Room {
    has n: int = 0;
    can say with Root entry { report self.n; }
}

@restspec(protocol="WEBSOCKET", broadcast=True)
async walker:pub Other {
    can say with Root entry { report 1; }
}

walker:pub Ping {
    can go with Root entry { report "pong"; }
}
`;
const settings = `[project]
name = "shared"

[plugins.scale.websocket]
max_anonymous_connections = 3

[plugins.scale.rate_limit]
enabled = true
requests_per_minute = 1
burst = 5

[plugins.scale.metrics]
enabled = true
`;

interface Client {
  readonly socket: WebSocket;
  readonly frames: any[];
  /** The close code. */
  readonly closed: Promise<number>;
  until(isThere: () => boolean): Promise<void>;
}

async function join({ port }: RunningServer, walker = 'Room'): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/${walker}`);
  const frames: any[] = [];
  let look = () => {};
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    look();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      look = () => isThere() && resolve();
      look();
    });
  return { socket, frames, closed, until };
}

/** Joins again until there is a seat: a seat is free a moment after its connection is closed. */
async function joinWhenFree(server: RunningServer): Promise<Client> {
  for (;;) {
    const client = await join(server);
    client.socket.send('{"type": "ping"}');
    await client.until(() => client.frames.length > 0);
    if (client.frames[0].type === 'pong') return client;
  }
}

const numbers = ({ frames }: Client): number[] => frames.filter(({ data }) => data).map(({ data }) => data.reports[0]);
const say = ({ socket }: Client, n: number) => socket.send(JSON.stringify({ n }));
const health = async ({ base }: RunningServer) => {
  const answer = await fetch(`${base}/healthz/ready`);
  return [answer.status, ((await answer.json()) as any).checks.cache];
};
const ping = async ({ base }: RunningServer) => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${base}/walker/Ping`, { method: 'POST', headers, body: '{}' })).status;
};

test('two hosts and one key-value store, which goes away and comes back', { timeout: 120_000 }, async () => {
  await using redis = await startRedis();
  using here = folderWith({ 'main.svc': app, 'svc.toml': settings });
  using there = folderWith({ 'main.svc': app, 'svc.toml': settings });
  const env = { KVCACHE_URL: redis.url };
  await using a = await startServer({ folder: here.path, env });
  await using b = await startServer({ folder: there.path, env, args: ['--workers', '2'] });

  const [ada, bob] = [await join(a), await join(b)];
  say(ada, 1);
  await bob.until(() => numbers(bob).includes(1));
  say(bob, 2);
  for (const client of [ada, bob]) await client.until(() => numbers(client).includes(2));
  expect([numbers(ada), numbers(bob)]).toEqual([
    [1, 2],
    [1, 2],
  ]);

  // Three anonymous connections in all, five requests in all.
  const third = await join(a);
  expect(await (await join(b)).closed).toBe(4403);
  third.socket.close();
  await third.closed;
  const fourth = await joinWhenFree(b);
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push(await ping(a), await ping(b));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect([await health(a), await health(b)]).toEqual([
    [200, 'ok'],
    [200, 'ok'],
  ]);

  // Without the store each goes on by itself; what could not be told to the other is counted and logged.
  await redis.kill();
  say(ada, 3);
  await ada.until(() => numbers(ada).includes(3));
  say(ada, 4);
  await ada.until(() => numbers(ada).includes(4));
  expect(numbers(bob)).toEqual([1, 2]);
  for (let status: unknown[] = []; status[1] !== 'degraded'; ) {
    status = await health(a); // remembered for two seconds
    expect(status[0]).toBe(200);
  }
  const metrics = await (await fetch(`${a.base}/metrics`)).text();
  expect(metrics).toContain('svc_scale_ws_send_failures_total{target="walker:Room",reason="backplane"} 2\n');
  const logged = a.output();
  expect(logged.match(/the key-value store cannot be reached/g)).toHaveLength(1);
  expect(logged.match(/broadcasts did not reach other processes/g)).toHaveLength(1);
  expect(await ping(a)).toBe(200); // a count of its own, which begins full
  expect(await (await join(a, 'Other')).closed).toBe(4503); // nobody there hears the other host yet

  await redis.restart();
  // Said until it arrives: how soon each of both hears and can be heard again is theirs.
  for (const [one, other, from] of [
    [ada, bob, 100],
    [bob, ada, 10_000],
  ] as const) {
    let n = from;
    const speaking = setInterval(() => say(one, n++), 100);
    await other.until(() => numbers(other).some((number) => number >= from));
    clearInterval(speaking);
  }
  expect(await (await join(a)).closed).toBe(4403); // ada, bob and the fourth, as before
  while ((await health(a))[1] !== 'ok');
  for (const { socket } of [ada, bob, fourth]) socket.terminate();
  expect([await a.stop(), await b.stop()]).toEqual([0, 0]);
});

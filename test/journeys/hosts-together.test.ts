/**
 * Two hosts on one PostgreSQL server (docs/server/stores.md#postgresql) and the things they have in common: live subscriptions, data of `kvstore`, limits, seats,
 * leases, sessions; metrics that each has for itself; and a host whose way to the database is cut and healed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test as plainTest } from 'vitest';
import { WebSocket } from 'ws';
import { type Hosts, mayMakeHosts, openHosts } from '../harness/hosts.ts';
import { LiveClient } from '../harness/live-client.ts';
import { post, type RunningServer, register } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = `
import from svc_scale.lib { kvstore }
import asyncio;
glob cache = kvstore("hosts", "kvcache");
glob shop = kvstore("hosts");

node Note { has n: int; }
node Tally { has count: int = 0; }

walker Add { has n: int; can add with Root entry { here ++> Note(n=self.n); report self.n; } }
walker All { can look with Root entry { report sorted([note.n for note in [-->[?:Note]]]); } }
walker Make { can make with Root entry { here ++> Tally(); } }
async walker Bump {
    has wait: float = 0.0;
    async can bump with Root entry {
        tally = [-->[?:Tally]][0];
        seen = tally.count;
        await asyncio.sleep(self.wait);
        tally.count = seen + 1;
        report tally.count;
    }
}
walker Tallied { can look with Root entry { report [-->[?:Tally]][0].count; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker Echo { has message: str; async can go with Root entry { report self.message; } }
walker:pub Raise { can go with Root entry { cache.incr("n"); shop.update_one("c", {"_id": 1}, {"$inc": {"n": 1}}, upsert=True); } }
walker:pub Raised { can look with Root entry { report [cache.get("n"), shop.find_one("c", {"_id": 1})]; } }
`;

const hasHosts = mayMakeHosts();
const test = plainTest.skipIf(!hasHosts);
let made: Hosts;
let number = 0;
beforeAll(async () => {
  if (hasHosts) made = await openHosts();
});
afterAll(() => made?.[Symbol.asyncDispose]());

interface Pair extends AsyncDisposable {
  readonly a: RunningServer;
  readonly b: RunningServer;
}

/** An application with a schema of its own on both hosts. */
async function serveBoth(settings = '', env: Readonly<Record<string, string>> = {}): Promise<Pair> {
  const folder = folderWith({ 'main.svc': program });
  writeFileSync(join(folder.path, 'svc.toml'), `[project]\nname = "main"\n${settings}`);
  const schema = `together${number++}`;
  await made.database.urlOf(schema);
  const [a, b] = await Promise.all(
    made.hosts.map((host) =>
      host.serve(folder.path, {
        DATABASE_URL: `${host.databaseUrl}?options=${encodeURIComponent(`-c search_path=${schema}`)}`,
        ...env,
      }),
    ),
  );
  return {
    a: a!,
    b: b!,
    async [Symbol.asyncDispose]() {
      await Promise.all([a!.stop('SIGKILL'), b!.stop('SIGKILL')]);
      folder[Symbol.dispose]();
    },
  };
}

test('subscriptions at one host follow what is written at the other: the graph, and data of kvstore', async () => {
  await using pair = await serveBoth();
  const { a, b } = pair;
  const { token } = await register(a.base, 'ann');
  const own = await LiveClient.open(a.base, token);
  own.subscribe('all', 'All');
  own.subscribe('raised', 'Raised');
  await own.until('all', [[]]);
  await own.until('raised', [[null, null]]);
  expect((await post(b.base, '/walker/Add', { n: 7 }, token)).ok).toBe(true);
  await own.until('all', [[7]]);
  await Promise.all([post(b.base, '/walker/Raise'), post(a.base, '/walker/Raise'), post(b.base, '/walker/Raise')]);
  await own.until('raised', [[3, { _id: 1, n: 3 }]]);
  // A session that ends at one host ends what it opened at the other.
  expect((await post(b.base, '/user/logout', {}, token)).ok).toBe(true);
  expect((await own.closed).code).toBe(4401);
  expect((await post(a.base, '/walker/All', {}, token)).status).toBe(401);
});

test('calls and sockets of both hosts count together', async () => {
  await using pair = await serveBoth(
    '[plugins.scale.rate_limit]\nenabled = true\nrequests_per_minute = 1\nburst = 12\n[plugins.scale.websocket]\nmax_connections_per_user = 3\n',
  );
  const bases = [pair.a.base, pair.b.base];
  const { token } = await register(bases[0]!, 'ann');
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => (await post(bases[i % 2]!, '/walker/All', {}, token)).status),
  );
  // One more when a minute has gone by.
  const passed = statuses.filter((status) => status === 200).length;
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(passed).toBeGreaterThanOrEqual(11);
  expect(passed).toBeLessThanOrEqual(13);
  const other = (await register(bases[1]!, 'bob')).token;
  const codes: number[] = [];
  const sockets = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const socket = new WebSocket(`${bases[i % 2]!.replace('http', 'ws')}/ws/Echo?token=${other}`);
      socket.on('close', (code) => codes.push(code));
      await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
      return socket;
    }),
  );
  while (codes.length < 5) await sleep(5);
  // Whoever was let in is answered.
  const inside = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN);
  await Promise.all(
    inside.map((socket) => {
      socket.send('{"message": "hello"}');
      return new Promise((resolve) => socket.once('message', resolve));
    }),
  );
  expect([inside.length, codes]).toEqual([3, [4403, 4403, 4403, 4403, 4403]]);
  for (const socket of sockets) socket.terminate();
});

test('metrics are those of each host', async () => {
  await using pair = await serveBoth('[plugins.scale.metrics]\nenabled = true\n');
  const { a, b } = pair;
  const { token } = await register(a.base, 'ann');
  for (const [base, times] of [
    [a.base, 3],
    [b.base, 5],
  ] as const)
    for (let n = 0; n < times; n++) expect((await post(base, '/walker/Add', { n }, token)).ok).toBe(true);
  const counted = async (base: string) => {
    const text = await (await fetch(`${base}/metrics`)).text();
    const series = text
      .split('\n')
      .filter((line) => line.startsWith('svc_scale_http_requests_total{') && line.includes('/walker/Add'));
    return series.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  expect([await counted(a.base), await counted(b.base)]).toEqual([3, 5]);
});

test('a lease of a host that is killed is taken over', async () => {
  await using pair = await serveBoth('[serve]\nconflict_lease_ms = 3000\n');
  const { a, b } = pair;
  const { token } = await register(a.base, 'ann');
  expect((await post(a.base, '/walker/Make', {}, token)).ok).toBe(true);
  let isOver = false;
  let [acknowledged, asked] = [0, 0];
  const bump = async (base: string, wait: number) => {
    while (!isOver) {
      asked++;
      const answer = await post(base, '/walker/Bump', { wait }, token).catch(() => undefined);
      if (answer?.ok === true) acknowledged++;
      else if (answer === undefined) return;
    }
  };
  // A slow unit of one host loses against quick ones of the other until it takes a lease, so the first lease is its own.
  const clients = [bump(a.base, 2), bump(b.base, 0.01)];
  const schema = `together${number - 1}`;
  const holders = async () =>
    (
      await made.database.run(
        `SELECT lease_by FROM ${schema}.svc_node WHERE lease_until > extract(epoch FROM clock_timestamp()) * 1000`,
      )
    ).map(({ lease_by: by }) => by);
  let first: unknown;
  while (first === undefined) {
    await sleep(5);
    [first] = await holders();
  }
  a.child.kill('SIGSTOP');
  expect(await holders()).toContain(first);
  await a.stop('SIGKILL');
  const before = acknowledged;
  while (acknowledged < before + 10) await sleep(5);
  isOver = true;
  await Promise.all(clients);
  const [count] = (await post(b.base, '/walker/Tallied', {}, token)).reports;
  expect(count).toBeGreaterThanOrEqual(acknowledged);
  expect(count).toBeLessThanOrEqual(asked);
});

test('a host whose way to the database is cut answers 503, loses nothing, and its subscriptions catch up', async () => {
  await using pair = await serveBoth();
  const { a, b } = pair;
  const [host] = made.hosts;
  const { token } = await register(a.base, 'ann');
  const at = await LiveClient.open(a.base, token);
  at.subscribe('all', 'All');
  await at.until('all', [[]]);
  const acknowledged: number[] = [];
  const refused: { status: number; code: string }[] = [];
  let next = 0;
  let isOver = false;
  const write = async (base: string) => {
    while (!isOver) {
      const n = next++;
      const answer = await post(base, '/walker/Add', { n }, token);
      if (answer.ok === true) acknowledged.push(n);
      else refused.push({ status: answer.status, code: answer.error.code });
      await sleep(5);
    }
  };
  const writing = [write(a.base), write(a.base), write(b.base)];
  while (acknowledged.length < 30) await sleep(5);
  host.cut('back');
  while (refused.length < 4) await sleep(20);
  const during = acknowledged.length;
  while (acknowledged.length < during + 20) await sleep(5);
  expect((await fetch(`${a.base}/healthz/ready`)).status).toBe(503);
  expect((await fetch(`${a.base}/healthz/live`)).status).toBe(200);
  host.heal('back');
  const refusedThen = refused.length;
  // Those of the host that was cut write again.
  let answer: any;
  while (answer?.ok !== true) answer = await post(a.base, '/walker/All', {}, token);
  isOver = true;
  await Promise.all(writing);
  console.info(`${acknowledged.length} acknowledged, ${refusedThen} refused while the way was cut`);
  expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['503 SERVICE_UNAVAILABLE']));
  const all = (await post(b.base, '/walker/All', {}, token)).reports[0] as number[];
  expect(acknowledged.filter((n) => !all.includes(n))).toEqual([]);
  expect(new Set(all).size).toBe(all.length);
  await at.until('all', [all]);
  expect((await post(b.base, '/walker/Add', { n: 1_000_000 }, token)).ok).toBe(true);
  await at.until('all', [[...all, 1_000_000]]);
});

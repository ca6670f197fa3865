/**
 * Metrics of a real server, judged by Prometheus' own tools (docs/server/observability.md#metrics). `PROMTOOL` and
 * `PROMETHEUS` name other places of them.
 */

import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { findTool } from '../harness/find-tool.ts';
import { freePort } from '../harness/ports.ts';
import { copyApp, post, type RunningServer, register, removeFolder, startServer } from '../harness/server.ts';

const wireApp = join(import.meta.dirname, '../wire/app');
const promtool = findTool('promtool', 'prometheus');
const prometheus = findTool('prometheus', 'prometheus');
let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ folder: copyApp(wireApp), args: ['--log-level', 'info'] });
});
afterAll(async () => {
  await server.stop();
  removeFolder(server.folder);
});

async function scrape(base = server.base, headers: Record<string, string> = {}) {
  const answer = await fetch(`${base}/metrics`, { headers });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

/** The value of a series; its labels in any order. */
function value(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  for (const line of text.split('\n')) {
    const match = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (match?.[1] !== name) continue;
    const given = Object.fromEntries([...(match[2] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, k, v]) => [k, v]));
    if (Object.entries(labels).every(([key, wanted]) => given[key] === wanted)) return Number(match[3]);
  }
  return undefined;
}

/** Samples but those of collecting garbage, whose kinds appear when they first happen. */
const series = (text: string) =>
  text.split('\n').filter((line) => line !== '' && !/^(#|nodejs_gc_|\w+_nodejs_gc_)/.test(line));

test('ten thousand random paths make no new series', async () => {
  const { port } = server;
  const before = series((await scrape()).text).length;
  const paths = Array.from({ length: 10_000 }, (_, i) => `/random/${i.toString(36)}/${Math.random().toString(36)}`);
  const queue = paths.values();
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const one = (path: string) =>
    new Promise<void>((resolve, reject) => {
      const sent = request({ port, path, agent }, (answer) => answer.resume().on('end', resolve));
      sent.on('error', reject).end();
    });
  const worker = async () => {
    for (const path of queue) await one(path);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  agent.destroy();
  const { text } = await scrape();
  expect(value(text, 'demo_http_requests_total', { path: '__unmatched__', status_code: '404' })).toBe(10_000);
  expect(value(text, 'demo_http_request_duration_seconds_count', { path: '__unmatched__' })).toBe(10_000);
  expect(series(text).length).toBeLessThanOrEqual(500);
  expect(series(text).length - before).toBeLessThan(20);
  expect(text).not.toContain('random');
}, 180_000);

test('what happens is counted where it belongs', async () => {
  const { base } = server;
  const { token } = await register(base, 'counted@example.org');
  await post(base, '/user/login', { username: 'counted@example.org', password: 'wrong horse 1' });
  await post(base, '/walker/AddTask', { title: 'a' }, token);
  await post(base, '/Ping');
  await fetch(`${base}/walker/Ping`, { method: 'PROPFIND' });
  await fetch(`${base}/walker/Ping`, { method: 'OPTIONS' });
  await fetch(`${base}/healthz`);
  await fetch(`${base}/metrics`, { method: 'DELETE' });
  const socket = new WebSocket(`${base.replace('http', 'ws')}/ws/EchoWs`);
  await new Promise((resolve) => socket.once('open', resolve));
  const answered = new Promise((resolve) => socket.once('message', resolve));
  socket.send('{"message":"hi"}');
  await answered;
  const during = (await scrape()).text;
  expect(value(during, 'demo_ws_connections_active', { target: 'walker:EchoWs' })).toBe(1);
  for (const text of ['no json', ...Array.from({ length: 8 }, () => '{"message":"more"}')]) socket.send(text);
  const limited = (text: string) => value(text, 'demo_rate_limited_total', { scope: 'socket' });
  await expect.poll(async () => limited((await scrape()).text)).toBeGreaterThan(0);
  socket.close();
  await new Promise((resolve) => socket.once('close', resolve));
  await expect.poll(async () => value((await scrape()).text, 'demo_ws_connections_active')).toBe(0);
  const refused = new WebSocket(`${base.replace('http', 'ws')}/ws/EchoWs?token=not-a-token`);
  await new Promise((resolve) => refused.once('error', resolve));

  const { text } = await scrape();
  const total = (labels: Record<string, string>) => value(text, 'demo_http_requests_total', labels);
  expect(total({ method: 'POST', path: '/walker/AddTask', status_code: '200' })).toBe(1);
  expect(total({ method: 'POST', path: '/walker/Ping', status_code: '200' })).toBe(1);
  expect(total({ method: 'OTHER', path: '/walker/Ping' })).toBe(1);
  expect(total({ method: 'OPTIONS', path: '/walker/Ping' })).toBe(1);
  expect(total({ method: 'GET', path: '/ws/EchoWs', status_code: '101' })).toBe(1);
  expect(total({ method: 'GET', path: '/ws/EchoWs', status_code: '401' })).toBe(1);
  expect(value(text, 'demo_ws_messages_total', { target: 'walker:EchoWs', outcome: 'ok' })).toBeGreaterThan(0);
  expect(value(text, 'demo_ws_messages_total', { outcome: 'invalid' })).toBe(1);
  expect(value(text, 'demo_ws_messages_total', { outcome: 'rate_limited' })).toBe(limited(text));
  expect(value(text, 'demo_auth_events_total', { event: 'register', outcome: 'success' })).toBe(1);
  expect(value(text, 'demo_auth_events_total', { event: 'login', outcome: 'refused' })).toBe(1);
  expect(value(text, 'demo_walker_duration_seconds_count', { walker_name: 'AddTask', success: 'true' })).toBe(1);
  expect(value(text, 'demo_commits_total', { outcome: 'ok' })).toBeGreaterThan(0);
  expect(value(text, 'demo_commit_duration_seconds_count')).toBe(value(text, 'demo_commits_total', { outcome: 'ok' }));
  expect(value(text, 'demo_build_info', { version: '1.2.0', store: 'sqlite', node_version: process.version })).toBe(1);
  expect(value(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  expect(text).not.toMatch(/path="\/(metrics|healthz)/);
});

test('webhook calls by what became of them', async () => {
  const { base } = server;
  const { token } = await register(base, 'hooks@example.org');
  const { api_key: key } = (await post(base, '/api-key/create', { name: 'one' }, token)).data;
  const call = async (body: string, headers: Record<string, string>) => {
    const sent = { 'content-type': 'application/json', ...headers };
    return (await fetch(`${base}/webhook/PaymentReceived`, { method: 'POST', headers: sent, body })).status;
  };
  const signed = (body: string) => ({
    'x-api-key': key,
    'x-webhook-signature': createHmac('sha256', key).update(body).digest('hex'),
  });
  const good = '{"payment_id":"p1","amount":1}';
  const bad = '{"payment_id":"p1"}';
  const once = { ...signed(good), 'idempotency-key': 'one-delivery' };
  const statuses = [
    await call(good, signed(good)),
    await call(good, {}),
    await call(good, { ...signed(good), 'x-webhook-signature': '0'.repeat(64) }),
    await call(bad, signed(bad)),
    await call(good, once),
    await call(good, once),
  ];
  expect(statuses).toEqual([200, 401, 401, 422, 200, 200]);
  const { text } = await scrape();
  const counted = (outcome: string) =>
    value(text, 'demo_webhook_requests_total', { walker_name: 'PaymentReceived', outcome });
  expect(['ok', 'unauthorized', 'bad_signature', 'rejected', 'replayed', 'error'].map(counted)).toEqual([
    2,
    1,
    1,
    1,
    1,
    undefined,
  ]);
});

test('runs that are repeated, and commits that lost', async () => {
  const { base } = server;
  const name = 'contested';
  await post(base, '/walker/SharedBump', { name });
  // Calls that happen to come one after the other do not conflict: they are sent again until some have.
  let [sent, text, replays] = [1, '', 0];
  while (replays === 0 && sent < 2000) {
    const calls = Array.from({ length: 40 }, () => post(base, '/walker/SharedBump', { name }));
    for (const answer of await Promise.all(calls)) expect(answer.ok).toBe(true);
    sent += calls.length;
    text = (await scrape()).text;
    replays = value(text, 'demo_replays_total') ?? 0;
  }
  const runs = value(text, 'demo_walker_duration_seconds_count', { walker_name: 'SharedBump', success: 'true' });
  expect(replays).toBeGreaterThan(0);
  expect(runs).toBe(sent + replays);
  expect(value(text, 'demo_commits_total', { outcome: 'conflict' })).toBe(replays);
});

test('access records of sockets: one for each handshake, without the token', async () => {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/ws/EchoWs?token=not-a-token-either`);
  await new Promise((resolve) => socket.once('error', resolve));
  const records = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes('"path":"/ws/EchoWs"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  await expect.poll(() => records().length).toBe(3);
  expect(records().map(({ method, route, status, target }) => [method, route, status, target])).toEqual([
    ['GET', '/ws/EchoWs', 101, 'EchoWs'],
    ['GET', '/ws/EchoWs', 401, undefined],
    ['GET', '/ws/EchoWs', 401, undefined],
  ]);
  expect(server.output()).not.toContain('not-a-token');
});

test.skipIf(promtool === undefined)('promtool finds nothing wrong', async () => {
  const { type, text } = await scrape();
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  const checked = spawnSync(promtool!, ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect({ status: checked.status, said: checked.stderr + checked.stdout }).toEqual({ status: 0, said: '' });
});

test('OpenMetrics for those who ask for it', async () => {
  const { type, text } = await scrape(server.base, {
    accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5',
  });
  expect(type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  expect(text).toMatch(/^# TYPE demo_http_requests counter$/m);
  expect(text).toMatch(/^demo_http_requests_total\{/m);
  expect(text).not.toContain('_total_total');
  expect(text.endsWith('\n# EOF\n')).toBe(true);
});

test.skipIf(prometheus === undefined)(
  'a Prometheus server scrapes it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-prometheus-'));
    const port = await freePort();
    writeFileSync(
      join(folder, 'prometheus.yml'),
      `global: { scrape_interval: 1s }\nscrape_configs:\n  - job_name: svc\n    static_configs: [{ targets: ['127.0.0.1:${server.port}'] }]\n`,
    );
    const child = spawn(
      prometheus!,
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const query = async (expression: string): Promise<string | undefined> => {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
      const answer = await fetch(url).then(
        (got) => got.json() as Promise<{ data?: { result: { value: [number, string] }[] } }>,
        () => undefined,
      );
      return answer?.data?.result[0]?.value[1];
    };
    try {
      const options = { timeout: 60_000, interval: 250 };
      await expect.poll(() => query('up{job="svc"}'), options).toBe('1');
      const unmatched = 'demo_http_requests_total{path="__unmatched__",status_code="404"}';
      await expect.poll(() => query(unmatched), options).toBe('10000');
      await expect.poll(() => query('demo_build_info'), options).toBe('1');
    } finally {
      child.kill();
      await ended;
      removeFolder(folder);
    }
  },
  120_000,
);

test('MET-02 off unless switched on; behind a token where there is one', async () => {
  const withSettings = async (from: string, to: string) => {
    const folder = copyApp(wireApp);
    const file = join(folder, 'svc.toml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    return startServer({ folder });
  };
  {
    await using off = await withSettings('enabled = true', 'enabled = false');
    expect((await scrape(off.base)).status).toBe(404);
    removeFolder(off.folder);
  }
  await using guarded = await withSettings('enabled = true', 'enabled = true\ntoken = "t"');
  expect((await scrape(guarded.base)).status).toBe(401);
  expect((await scrape(guarded.base, { authorization: 'Bearer u' })).status).toBe(401);
  expect((await scrape(guarded.base, { authorization: 'Bearer t' })).status).toBe(200);
  const { token } = await register(guarded.base, 'nobody@example.org');
  expect((await scrape(guarded.base, { authorization: `Bearer ${token}` })).status).toBe(401);
  removeFolder(guarded.folder);
});

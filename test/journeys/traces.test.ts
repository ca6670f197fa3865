/** Traces through a real server: taken up, recorded, exported, passed on to what a program calls (docs/server/observability.md#traces). */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { removeFolder, startServer } from '../harness/server.ts';

const program = `
import requests;

node Visit { has url: str; }

walker:pub Fetch {
    has url: str;
    can go with Root entry {
        here ++> Visit(url=self.url);
        report requests.get(self.url).status_code;
    }
}

walker:pub Many { can go with Root entry { for i in range(500) { report i; } } }

walker:pub Fail { can go with Root entry { raise ValueError("no"); } }

@restspec(protocol=APIProtocol.WEBSOCKET)
async walker:pub Talk { can go with Root entry { report "hi"; } }
`;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status?: { readonly code: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

let service: Server;
let serviceUrl = '';
const spans: Span[] = [];
const resources: unknown[] = [];
const called: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  service = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') {
        const { resourceSpans } = JSON.parse(text);
        resources.push(resourceSpans[0].resource);
        spans.push(...resourceSpans[0].scopeSpans[0].spans);
      } else called.push(request.headers);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => void service.close());

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const sent = { traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'vendor=1,other=2' };

async function serve(settings: string, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-traces-'));
  writeFileSync(join(folder, 'main.svc'), program);
  writeFileSync(join(folder, 'svc.toml'), `[project]\nname = "traced"\nversion = "3.2.1"\n${settings}`);
  return startServer({ folder, env });
}

async function call(base: string, walker: string, headers: Record<string, string>) {
  const answer = await fetch(`${base}/walker/${walker}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(walker === 'Fetch' ? { url: `${serviceUrl}/elsewhere` } : {}),
  });
  return { status: answer.status, traceId: answer.headers.get('x-trace-id'), body: (await answer.json()) as any };
}

const attribute = (span: Span, key: string) =>
  Object.values(span.attributes.find((a) => a.key === key)?.value ?? {})[0];

test('without a collector a trace is passed on as it came, and none is begun', async () => {
  await using server = await serve('');
  called.length = 0;
  const answer = await call(server.base, 'Fetch', sent);
  expect([answer.status, answer.traceId, answer.body.meta.trace_id, answer.body.reports]).toEqual([
    200,
    traceId,
    traceId,
    [200],
  ]);
  expect(called[0]).toMatchObject(sent);
  await call(server.base, 'Fetch', {});
  await call(server.base, 'Fetch', { traceparent: `00-${'0'.repeat(32)}-${parentId}-01`, tracestate: 'vendor=1' });
  expect(called).toHaveLength(3);
  for (const headers of called.slice(1)) {
    expect(headers['traceparent']).toBeUndefined();
    expect(headers['tracestate']).toBeUndefined();
  }
  removeFolder(server.folder);
});

test('steps of recorded calls are events of the span of their request, bounded and without values', async () => {
  const server = await serve(`[plugins.scale.logging]\ntrace_endpoint = "${serviceUrl}"\n`, { SVC_ENV: 'development' });
  spans.length = 0;
  await call(server.base, 'Fetch', sent);
  await call(server.base, 'Many', sent);
  await server.stop();
  const eventsOf = (route: string) => (spans.find(({ name }) => name === route) as any).events as any[];
  const events = eventsOf('/walker/Fetch');
  const names = events.map(({ name }) => name);
  for (const kind of ['visit', 'call', 'report', 'commit']) expect(names).toContain(kind);
  expect(attribute(events[names.indexOf('visit')], 'svc.class')).toBe('Root');
  expect(attribute(events[names.indexOf('call')], 'code.location')).toBe('main.svc:10:9');
  expect(events.map(({ timeUnixNano }) => BigInt(timeUnixNano))).toEqual(
    events.map(({ timeUnixNano }) => BigInt(timeUnixNano)).sort((a, b) => (a < b ? -1 : 1)),
  );
  expect(JSON.stringify(spans.map((span: any) => span.events))).not.toContain('elsewhere');
  expect(eventsOf('/walker/Many')).toHaveLength(128);
  spans.length = 0;
  removeFolder(server.folder);
});

test('with a collector: spans of requests, runs, the store and outgoing calls, one inside the other', async () => {
  const server = await serve(`[plugins.scale.logging]\ntrace_endpoint = "${serviceUrl}"\n`);
  called.length = 0;
  await call(server.base, 'Fetch', sent);
  const failed = await call(server.base, 'Fail', {});
  expect(failed.status).toBe(500);
  await fetch(`${server.base}/nowhere/${traceId}`);
  await fetch(`${server.base}/healthz`);
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/ws/Talk`);
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send('{}');
  await new Promise((resolve) => socket.once('message', resolve));
  socket.close();
  expect(await server.stop()).toBe(0); // what is left is sent before the process ends

  const ours = spans.filter((span) => span.traceId === traceId);
  const named = (name: string) => ours.find((span) => span.name === name)!;
  const request = named('/walker/Fetch');
  const run = named('walker Fetch');
  expect([request.kind, request.parentSpanId]).toEqual([2, parentId]);
  expect(attribute(request, 'http.response.status_code')).toBe('200');
  expect(run.parentSpanId).toBe(request.spanId);
  expect(attribute(run, 'svc.attempt')).toBe('1');
  const commit = named('store commit');
  expect(commit.parentSpanId).toBe(request.spanId);
  const reads = ours.filter((span) => /^store (?!commit)/.test(span.name));
  expect(reads.length).toBeGreaterThan(0);
  for (const read of reads) expect(read.parentSpanId).toBe(run.spanId);
  const outgoing = named('GET');
  expect([outgoing.kind, outgoing.parentSpanId]).toEqual([3, run.spanId]);
  expect(called).toMatchObject([{ traceparent: `00-${traceId}-${outgoing.spanId}-01`, tracestate: sent.tracestate }]);

  const failure = spans.find((span) => span.name === '/walker/Fail')!;
  expect([failure.traceId, failure.parentSpanId, failure.status]).toEqual([failed.traceId, undefined, { code: 2 }]);
  expect(
    spans
      .map(({ name }) => name)
      .filter((name) => !/^(store|walker|GET|\/walker)/.test(name))
      .sort(),
  ).toEqual(['/ws/Talk', '/ws/Talk', '__unmatched__']);
  expect(resources[0]).toEqual({
    attributes: expect.arrayContaining([
      { key: 'service.name', value: { stringValue: 'traced' } },
      { key: 'service.version', value: { stringValue: '3.2.1' } },
    ]),
  });
  removeFolder(server.folder);
});

/** Spans against a stand-in collector on a real socket (OTLP over HTTP, JSON). */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openTracer } from './open-tracer.ts';
import { type FinishedSpan, openSpanQueue } from './span-queue.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Takes requests; `answer` is what it says to them, undefined to say nothing at all. */
async function collector(answer: number | undefined) {
  const received: { path: string; body: any }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      received.push({ path: request.url!, body: JSON.parse(text) });
      if (answer !== undefined) response.writeHead(answer).end('{}');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const span = (name: string): FinishedSpan => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentId: 'c'.repeat(16),
  name,
  kind: 'server',
  startedMs: 1_700_000_000_000.25,
  endedMs: 1_700_000_000_001.5,
  attributes: { text: 'x', whole: 2, part: 0.5, flag: true, none: undefined },
  isFailure: true,
});

const noWarn = () => {};

test('spans arrive in the form of OTLP/JSON', async () => {
  const { received, endpoint } = await collector(200);
  const queue = openSpanQueue({ endpoint, resource: { 'service.name': 'demo' }, warn: noWarn });
  queue.add(span('/walker/Ping'));
  await queue.close(5000);
  expect(received).toEqual([
    {
      path: '/v1/traces',
      body: {
        resourceSpans: [
          {
            resource: { attributes: [{ key: 'service.name', value: { stringValue: 'demo' } }] },
            scopeSpans: [
              {
                scope: { name: 'svc' },
                spans: [
                  {
                    traceId: 'a'.repeat(32),
                    spanId: 'b'.repeat(16),
                    parentSpanId: 'c'.repeat(16),
                    name: '/walker/Ping',
                    kind: 2,
                    startTimeUnixNano: '1700000000000250000',
                    endTimeUnixNano: '1700000000001500000',
                    attributes: [
                      { key: 'text', value: { stringValue: 'x' } },
                      { key: 'whole', value: { intValue: '2' } },
                      { key: 'part', value: { doubleValue: 0.5 } },
                      { key: 'flag', value: { boolValue: true } },
                    ],
                    status: { code: 2 },
                  },
                ],
              },
            ],
          },
        ],
      },
    },
  ]);
});

test('an own path of the collector is kept', async () => {
  const { received, endpoint } = await collector(200);
  const queue = openSpanQueue({ endpoint: `${endpoint}/otlp/in`, resource: {}, warn: noWarn });
  queue.add(span('x'));
  await queue.close(5000);
  expect(received.map(({ path }) => path)).toEqual(['/otlp/in']);
});

test('a collector that says nothing holds nobody up: the queue fills and drops, one warning tells', async () => {
  const { received, endpoint } = await collector(undefined);
  const warnings: string[] = [];
  const queue = openSpanQueue({
    endpoint,
    resource: {},
    warn: (message, fields) => warnings.push(`${message}: ${fields['reason']}`),
    maxWaiting: 600,
  });
  for (let i = 0; i < 512; i++) queue.add(span(`${i}`));
  await expect.poll(() => received.length).toBe(1); // the first batch is under way and gets no answer
  for (let i = 0; i < 5000; i++) queue.add(span('late'));
  expect(warnings).toEqual(['spans were lost: the queue is full']);
  await queue.close(50);
  expect(received).toHaveLength(1);
});

test.each([
  ['a collector that refuses', 503, 'the collector answered 503'],
  ['no collector', 0, 'ECONNREFUSED'],
])('%s: the spans are given up', async (_name, status, reason) => {
  const { endpoint } = await collector(status === 0 ? 200 : status);
  if (status === 0) await new Promise((resolve) => servers.pop()!.close(resolve));
  const warnings: unknown[] = [];
  const queue = openSpanQueue({ endpoint, resource: {}, warn: (_message, fields) => warnings.push(fields) });
  queue.add(span('x'));
  await queue.close(5000);
  expect(warnings).toEqual([{ count: 1, reason }]);
});

test('a caller decides whether its trace is recorded; where one begins, the ratio does', () => {
  const spans: FinishedSpan[] = [];
  const queue = { add: (finished: FinishedSpan) => void spans.push(finished) };
  const id = 'd'.repeat(32);
  const parent = (flags: string) => ({ traceparent: `00-${id}-${'e'.repeat(16)}-${flags}`, tracestate: 'v=1' });
  openTracer(queue, 0).begin(id, parent('01')).end('kept', {}, false);
  const unwanted = openTracer(queue, 1).begin(id, parent('00'));
  expect(unwanted.open('inner', 'internal', {})).toBeUndefined();
  unwanted.end('dropped', {}, false);
  expect(unwanted.context?.traceparent).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-00$`));
  expect(spans.map(({ name, parentId }) => [name, parentId])).toEqual([['kept', 'e'.repeat(16)]]);

  const tracer = openTracer(queue, 0.25);
  let kept = 0;
  for (let i = 0; i < 1000; i++) {
    const traceId = Math.floor((i / 1000) * 2 ** 52)
      .toString(16)
      .padStart(32, '0');
    if (tracer.begin(traceId, undefined).context?.traceparent.endsWith('01') === true) kept++;
  }
  expect(kept).toBe(250);
});

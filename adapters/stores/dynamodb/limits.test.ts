/** Requests stay below the limits of the service (docs/server/cloud.md#limits), as they go over the wire. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { identityProblem, readIdentity } from '../../../core/accounts/identity.ts';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { awsLimits as limits } from '../../../infra/limits/aws-limits.ts';
import { type DynamoServer, startDynamo } from '../../../test/harness/dynamo-server.ts';
import { Entry, entries, guest } from '../../../test/harness/entry-node.ts';
import { openClient } from './client.ts';
import { identityKey } from './keys.ts';
import { openDynamoStore } from './store.ts';
import { openTable } from './table.ts';

interface Asked {
  readonly operation: string;
  readonly bytes: number;
  readonly input: any;
}

let server: DynamoServer;
let endpoint: string;
let asked: Asked[];
/** Keeps every request, and hands it on. */
const recorder = createServer(async (request, response) => {
  const body = await buffer(request);
  const operation = String(request.headers['x-amz-target']).split('.')[1]!;
  asked.push({ operation, bytes: body.length, input: JSON.parse(body.toString()) });
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  const answer = await fetch(server.endpoint, { method: 'POST', headers: headers as Record<string, string>, body });
  response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(Buffer.from(await answer.arrayBuffer()));
});

beforeAll(async () => {
  server = await startDynamo();
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  recorder.closeAllConnections();
  recorder.close();
  await server?.stop();
});

const of = (operation: string) => asked.filter((one) => one.operation === operation);

async function opened(tablePrefix: string) {
  const { graph } = await openDynamoStore({ endpoint, tablePrefix });
  const runtime = createRuntime({ store: graph, settings: () => ({}) });
  const run = async <T>(work: () => T | Promise<T>): Promise<T> => runUnit(runtime, guest, work);
  return { run, [Symbol.asyncDispose]: () => graph.close() };
}

test('a unit above the size of a transaction goes in several, each below it', async () => {
  await using store = await opened('size-');
  await store.run(() => {
    for (let n = 0; n < 20; n++) $.connect($.root(), (Entry as any).$new(`${n}${'x'.repeat(300_000)}`), 'out');
  });
  expect((await store.run(entries)).length).toBe(20);
  const sent = [...of('TransactWriteItems'), ...of('PutItem')];
  expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(limits.transactionBytes.value);
  for (const { bytes } of sent) expect(bytes).toBeLessThan(limits.transactionBytes.value);
});

test('a unit of more objects than a transaction takes goes in several, and is read in batches', async () => {
  await using store = await opened('count-');
  await store.run(() => {
    for (let n = 0; n < 250; n++) $.connect($.root(), (Entry as any).$new(n), 'out');
  });
  expect(Math.max(...of('TransactWriteItems').map(({ input }) => input.TransactItems.length))).toBe(
    limits.transactionItems.value,
  );
  await using reader = await opened('count-');
  expect((await reader.run(entries)).length).toBe(250);
  const batches = of('BatchGetItem').map(({ input }) => input.RequestItems['count-graph'].Keys.length);
  expect(Math.max(...batches)).toBe(limits.batchItems.value);
});

test('a query of more than a page is read to its end', async () => {
  await using _ = await opened('page-');
  const own = { connectTimeoutMs: 1000, operationTimeoutMs: 5000, poolSize: 5 };
  const client = await openClient({ endpoint, region: '', env: {}, ...own });
  const table = openTable(client, 'page-graph');
  const text = 'x'.repeat(300_000);
  for (let n = 0; n < 5; n++) await table.write({ key: { pk: 'P', sk: `${n}` }, put: { text }, when: [] });
  expect(5 * text.length).toBeGreaterThan(limits.pageBytes.value);
  expect((await table.query({ pk: 'P' })).map(({ sk }) => sk)).toEqual(['0', '1', '2', '3', '4']);
  expect(of('Query').length).toBeGreaterThan(1);
  client.destroy();
});

test('keys that are made of what people type', () => {
  const longest = `${'\u{10348}'.repeat(242)}@example.com`;
  expect(identityProblem(readIdentity(longest))?.includes('254') ?? false).toBe(false);
  expect(identityProblem(readIdentity(`x${longest}`))).toContain('at most 254');
  expect(Buffer.byteLength(identityKey('login', longest).pk)).toBeLessThanOrEqual(limits.partitionKeyBytes.value);
});

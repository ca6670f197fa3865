import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import { fixtureApp } from '../../../test/harness/fixture-app.ts';
import { createFetchHandler } from './fetch-handler.ts';

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  new Request(`http://x${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const json = async (response: Response): Promise<any> => response.json();

test('requests and responses of the web', async () => {
  const { app } = await fixtureApp();
  const fetch = createFetchHandler(app);
  const pong = await fetch(post('/walker/Ping', {}));
  expect([pong.status, pong.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect((await json(pong)).reports).toEqual(['pong']);
  expect((await json(await fetch(new Request('http://x/items/42?verbose=1')))).reports).toEqual([
    { item_id: 42, verbose: true },
  ]);
  expect((await fetch(post('/walker/AddTask', { title: 'x' }))).status).toBe(401);
  expect((await json(await fetch(post('/walker/AddTask', { title: 'x' }, { authorization: 'Bearer ada' })))).ok).toBe(
    true,
  );
  expect(await (await fetch(post('/walker/Stream', { n: 1 }))).text()).toBe(
    'data: {"n":0}\n\nevent: end\ndata: {}\n\n',
  );
  expect((await fetch(new Request('http://x/function/nothing', { method: 'POST' }))).status).toBe(204);
});

test('a body above its limit', async () => {
  const { app } = await fixtureApp({ config: { serve: { maxBodyBytes: 100 } } });
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.alloc(200, 32));
      controller.close();
    },
  });
  const request = new Request('http://x/walker/Ping', { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect((await createFetchHandler(app)(request)).status).toBe(413);
});

test('mounted in another framework', async () => {
  const { app } = await fixtureApp();
  const hono = new Hono().get('/own', (context) => context.text('own'));
  hono.mount('/', createFetchHandler(app) as (request: Request) => Promise<Response>);
  expect(await (await hono.request('/own')).text()).toBe('own');
  expect((await json(await hono.request(post('/walker/Ping', {})))).reports).toEqual(['pong']);
});

/** An application whose calls are answered by `handle`. */
const appOf = (app: App, handle: (call: Call) => Reply | Promise<Reply>): App => ({ ...app, handle });
const limits = { maxUrlBytes: 100, maxHeaderBytes: 200, bodyTimeoutMs: 20 };

test('a stream that is not read any more ends, and its call is told', async () => {
  const { app } = await fixtureApp();
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  let wasTold = 0;
  async function* ticks() {
    try {
      for (;;) yield 'tick\n';
    } finally {
      end();
    }
  }
  const fetch = createFetchHandler(
    appOf(app, (call) => {
      call.onGone(() => wasTold++);
      return { status: 200, headers: [], body: ticks() };
    }),
  );
  const reader = (await fetch(new Request('http://x/'))).body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('tick\n');
  await reader.cancel();
  await ended;
  expect(wasTold).toBe(1);
});

test('a client that goes away is told to the call, also when it asks late', async () => {
  const { app } = await fixtureApp();
  const client = new AbortController();
  const told: string[] = [];
  const fetch = createFetchHandler(
    appOf(app, (call) => {
      const forget = call.onGone(() => told.push('forgotten'));
      forget();
      call.onGone(() => told.push('listener'));
      call.signal.addEventListener('abort', () => told.push('signal'));
      client.abort();
      call.onGone(() => told.push('late'));
      return { status: 204, headers: [], body: undefined };
    }),
  );
  await fetch(new Request('http://x/', { signal: client.signal }));
  expect(told).toEqual(['listener', 'signal', 'late']);
});

test('a body that does not arrive, one that is cut off', async () => {
  const { app } = await fixtureApp();
  const fetch = createFetchHandler(app, limits);
  const sending = (start: (controller: ReadableStreamDefaultController) => void) =>
    fetch(
      new Request('http://x/walker/Ping', {
        method: 'POST',
        body: new ReadableStream({ start }),
        duplex: 'half',
      } as RequestInit),
    );
  expect((await sending((controller) => controller.enqueue(Buffer.from('{')))).status).toBe(408);
  expect((await sending((controller) => controller.error(new Error('lost')))).status).toBe(400);
});

test('requests out of bounds', async () => {
  const { app } = await fixtureApp();
  const fetch = createFetchHandler(app, limits);
  expect((await fetch(new Request(`http://x/${'a'.repeat(100)}`))).status).toBe(414);
  expect((await fetch(new Request('http://x/', { headers: { x: 'a'.repeat(200) } }))).status).toBe(431);
});

test.each([
  [1, '/api/walker/x?y=%2f', '/walker/x', 'y=%2f'],
  [1, '/api', '/', ''],
  [1, '/api?q', '/', 'q'],
  [2, '/a%2Fb/c/%7Bd%7D', '/%7Bd%7D', ''],
  [0, '/', '/', ''],
])('mounted %i deep: %s', async (depth, target, path, query) => {
  const { app } = await fixtureApp();
  let seen: Call | undefined;
  const fetch = createFetchHandler(
    appOf(app, (call) => {
      seen = call;
      return { status: 204, headers: [], body: undefined };
    }),
  );
  await fetch(new Request(`http://x${target}`), { depth });
  expect([seen!.path, seen!.query]).toEqual([path, query]);
});

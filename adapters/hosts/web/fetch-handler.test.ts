import { Hono } from 'hono';
import { expect, test } from 'vitest';
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

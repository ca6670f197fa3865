import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { ClientProgram } from './client-program.ts';
import { comingServer } from './coming-server.ts';
import type { DevServer } from './dev-server.ts';

const program = { modules: () => new Map() } as unknown as ClientProgram;

/** An application that answers `api` behind a development server that answers what is below `/static/`. */
async function serve(open: () => Promise<DevServer | undefined>) {
  const coming = comingServer(program, open);
  const server = createServer((request, response) =>
    coming.intercept.take(request, response, () => response.end('api')),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string, accept = '*/*') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } });
    return await answer.text();
  };
  return { coming, ask, [Symbol.dispose]: () => void server.close() };
}

/** Resolves to `waits` when nothing comes of a promise while a whole call is answered. */
async function soon(promise: Promise<string>, ask: () => Promise<string>): Promise<string> {
  return await Promise.race([promise, ask().then(() => 'waits')]);
}

test('pages and their files wait for the development server, calls do not', async () => {
  const vite = {
    warm: () => {},
    intercept: {
      take: (request, response, pass) => (request.url!.startsWith('/static/') ? response.end('vite') : pass()),
    },
  } as DevServer;
  using app = await serve(async () => vite);
  const page = app.ask('/', 'text/html,application/xhtml+xml');
  const file = app.ask('/static/main.js');
  for (const waiting of [page, file]) expect(await soon(waiting, () => app.ask('/walker/Show'))).toBe('waits');
  app.coming.start();
  expect([await page, await file]).toEqual(['api', 'vite']);
});

test('where none can be started the application answers', async () => {
  using app = await serve(async () => undefined);
  const page = app.ask('/', 'text/html');
  app.coming.start();
  expect([await page, await app.ask('/static/main.js')]).toEqual(['api', 'api']);
});

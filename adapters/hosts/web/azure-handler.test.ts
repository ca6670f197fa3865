/** Clients that go away and several cookies, over a server like that of the library of Azure. The library itself: test/journeys/platforms.test.ts. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import { watchExchanges } from './azure-exchanges.ts';
import { createAzureHandler } from './azure-handler.ts';

const exchanges = watchExchanges();

/** Serves like the port of the worker: headers are set one by one, the body is read to its end. */
async function served(handle: (call: Call) => Reply | Promise<Reply>, work: (base: string) => Promise<void>) {
  const serve = createAzureHandler({ handle } as unknown as App, exchanges);
  const ended: Promise<void>[] = [];
  const server = createServer((request, response) => {
    const answer = async () => {
      const url = `http://x${request.url}`;
      const given = { method: 'POST', url, headers: new Headers({ 'x-forwarded-for': '192.0.2.1' }), body: null };
      const invocationId = request.headers['x-ms-invocation-id'] as string;
      const { status, headers, body } = await serve(given as never, { invocationId });
      for (const [name, value] of headers as Headers) response.setHeader(name, value);
      response.statusCode = status!;
      for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) response.write(chunk);
      response.end();
    };
    ended.push(answer());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await Promise.all(ended);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const headers = { 'x-ms-invocation-id': 'one' };

test('several cookies of one answer arrive, and other headers with them', async () => {
  const reply = {
    status: 200,
    headers: ['Set-Cookie', 'a=1; Path=/', 'X-Own', 'x', 'Set-Cookie', 'b=2%3D='],
    body: '{}',
  };
  await served(
    () => reply,
    async (base) => {
      const answer = await fetch(base, { headers });
      expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2%3D=']);
      expect([answer.headers.get('x-own'), await answer.text()]).toEqual(['x', '{}']);
    },
  );
});

test('a client that goes away ends its stream, and its call is told; one that reads to the end is none', async () => {
  let end = () => {};
  let gone = 0;
  async function* ticks(last: number) {
    try {
      for (let at = 0; at < last; at++) {
        yield `tick ${at}\n`;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      end();
    }
  }
  const reply = (call: Call, last: number) => {
    call.onGone(() => gone++);
    return { status: 200, headers: [], body: ticks(last) };
  };
  await served(
    (call) => reply(call, 3),
    async (base) => expect(await (await fetch(base, { headers })).text()).toBe('tick 0\ntick 1\ntick 2\n'),
  );
  expect([gone, exchanges.size]).toEqual([0, 0]);
  const isEnded = new Promise<void>((resolve) => (end = resolve));
  await served(
    (call) => reply(call, Number.POSITIVE_INFINITY),
    async (base) => {
      const client = new AbortController();
      const answer = await fetch(base, { headers, signal: client.signal });
      await answer.body!.getReader().read();
      client.abort();
    },
  );
  await isEnded;
  expect([gone, exchanges.size]).toEqual([1, 0]);
});

test('a call without a stream is told as well', async () => {
  let told = () => {};
  const isTold = new Promise<void>((resolve) => (told = resolve));
  const client = new AbortController();
  await served(
    async (call) => {
      call.onGone(told);
      client.abort();
      await isTold;
      return { status: 204, headers: [], body: undefined };
    },
    async (base) => {
      await expect(fetch(base, { headers, signal: client.signal })).rejects.toThrow('aborted');
    },
  );
});

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Failure } from '../../../core/errors.ts';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import { createLifecycle } from '../../../handlers/http/lifecycle.ts';
import { type HeldPort, holdPort } from './held-port.ts';
import { type LocalServer, serveLocal } from './serve.ts';
import type { ServeLimits } from './serve-limits.ts';

type Handle = (call: Call) => Reply | Promise<Reply>;

const open: LocalServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const text = (status: number, body: string, close?: boolean): Reply => ({
  status,
  headers: ['Content-Type', 'text/plain', 'Content-Length', String(Buffer.byteLength(body))],
  body,
  ...(close === undefined ? {} : { close }),
});

/** A server around one function; failures are answered with their code. */
async function serve(handle: Handle, limits: Partial<ServeLimits> = {}, held?: HeldPort) {
  const lifecycle = createLifecycle();
  const failed = (failure: Failure, close: boolean) => text(failure.status, failure.code, close);
  const app = {
    lifecycle,
    refuse: (failure: Failure) => failed(failure, true),
    handle(call: Call) {
      if (lifecycle.state === 'stopped') return text(503, 'SERVICE_UNAVAILABLE', true);
      const caught = (error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        return failed(error, error.status === 413 || error.status === 408);
      };
      try {
        const reply = handle(call);
        if (!(reply instanceof Promise)) return reply;
        const leave = lifecycle.enter();
        return reply.catch(caught).finally(leave);
      } catch (error) {
        return caught(error);
      }
    },
  } as unknown as App;
  const server = await serveLocal(app, {
    host: '127.0.0.1',
    port: 0,
    held,
    limits: {
      maxUrlBytes: 8192,
      maxHeaderBytes: 16384,
      maxConnections: 100,
      headersTimeoutMs: 10_000,
      bodyTimeoutMs: 10_000,
      keepaliveMs: 65_000,
      ...limits,
    },
  });
  open.push(server);
  return { server, lifecycle };
}

const echo: Handle = async (call) => {
  const body = await call.body(1_000_000);
  return text(200, `${call.method} ${call.path} ${call.query} ${Buffer.from(body)}`);
};

/**
 * Sends raw bytes, in pieces with pauses when several are given; gives everything that came back until the peer closed. An
 * expression among the pieces is what has to have come before the next is sent.
 */
function raw(port: number, ...pieces: (string | Buffer | RegExp)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(received) : reject(error),
    );
    socket.on('close', () => resolve(received));
    (async () => {
      for (const piece of pieces) {
        if (piece instanceof RegExp) await expect.poll(() => received).toMatch(piece);
        else {
          socket.write(piece);
          await new Promise((done) => setTimeout(done, 20));
        }
      }
    })().catch(reject);
  });
}

const head = (line: string, ...headers: string[]) => [line, 'Host: x', ...headers, '', ''].join('\r\n');
const closing = 'Connection: close';
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

test('who connects to a port that is held is answered by its server, and so is who comes later', async () => {
  const held = await holdPort('127.0.0.1', 0);
  const { port } = held;
  const early = raw(port, 'POST /early HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi');
  const gone = connect(port, '127.0.0.1', () => gone.destroy());
  const reset = connect(port, '127.0.0.1', () => reset.resetAndDestroy());
  await Promise.all([once(gone, 'close'), once(reset, 'close')]);
  const { server } = await serve(echo, {}, held);
  expect(server.port).toBe(port);
  expect(await early).toMatch(/POST \/early {2}hi$/);
  expect(await raw(port, 'GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/GET \/late {2}$/);
  await held[Symbol.asyncDispose]();
  expect(await raw(port, 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/GET \/last {2}$/);
});

test('a port that is held and given up is free, and who waited there is cut off', async () => {
  const held = await holdPort('127.0.0.1', 0);
  const waiting = raw(held.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n').catch((error) => error.code);
  await using probe = await holdPort('127.0.0.1', 0);
  expect(probe.port).not.toBe(held.port);
  await expect(holdPort('127.0.0.1', held.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await held[Symbol.asyncDispose]();
  expect(['', 'ECONNRESET']).toContain(await waiting);
  await using again = await holdPort('127.0.0.1', held.port);
  expect(again.port).toBe(held.port);
});

test('bodies: declared, chunked, in pieces, absent', async () => {
  const { server } = await serve(echo);
  const post = (...headers: string[]) => head('POST /a/b?c=d HTTP/1.1', closing, ...headers);
  expect(await raw(server.port, `${post('Content-Length: 5')}hello`)).toMatch(/\r\n\r\nPOST \/a\/b c=d hello$/);
  expect(await raw(server.port, post('Content-Length: 5'), 'he', 'llo')).toMatch(/hello$/);
  expect(await raw(server.port, `${post('Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\n\r\n`)).toMatch(/hello$/);
  expect(await raw(server.port, post())).toMatch(/POST \/a\/b c=d $/);
  expect(await raw(server.port, head('GET http://x/abs?q HTTP/1.1', closing))).toMatch(/GET \/abs q $/);
});

test('a large body arrives whole although nobody reads it at first', async () => {
  const { server } = await serve(async (call) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const body = await call.body(10_000_000);
    return text(200, `${body.length} ${new Set(body).size}`);
  });
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: 'x'.repeat(3_000_000) });
  expect(await answer.text()).toBe('3000000 1');
});

test('a call whose body is in the first packet is answered without waiting', async () => {
  const { server } = await serve((call) => {
    const body = call.body(100);
    if (body instanceof Promise) body.catch(() => {}); // the connection is closed without it
    return text(200, body instanceof Promise ? 'waited' : `at once: ${Buffer.from(body)}`);
  });
  expect(await raw(server.port, `${head('POST / HTTP/1.1', closing, 'Content-Length: 2')}hi`)).toMatch(/at once: hi$/);
  expect(await raw(server.port, head('POST / HTTP/1.1', closing, 'Content-Length: 2'), 'hi')).toMatch(/waited$/);
});

test('many requests on one connection, also pipelined', async () => {
  const { server } = await serve(echo);
  const one = (i: number) => `${head(`POST /${i} HTTP/1.1`, 'Content-Length: 1')}${i}`;
  const last = `${head('POST /9 HTTP/1.1', 'Content-Length: 1', closing)}9`;
  const answer = await raw(server.port, one(1) + one(2) + one(3), one(4), last);
  expect([...answer.matchAll(/POST \/(\d) {2}(\d)/g)].map((match) => match[1]! + match[2]!)).toEqual([
    '11',
    '22',
    '33',
    '44',
    '99',
  ]);
});

test('answers to pipelined requests keep their order, however long each takes', async () => {
  const { server } = await serve(async (call) => {
    if (call.path === '/slow') await new Promise((resolve) => setTimeout(resolve, 50));
    return call.path === '/ready'
      ? { ...text(200, 'ready'), isAscii: true, head: 'Content-Length: 5\r\n' }
      : text(200, call.path);
  });
  const requests = [head('GET /slow HTTP/1.1'), head('GET /ready HTTP/1.1'), head('GET /quick HTTP/1.1', closing)];
  const answer = await raw(server.port, requests.join(''));
  expect(answer.match(/slow|ready|quick/g)).toEqual(['slow', 'ready', 'quick']);
});

test('streams of the body', async () => {
  const { server } = await serve(async (call) => {
    let size = 0;
    for await (const chunk of call.stream()) size += chunk.length;
    return text(200, String(size));
  });
  const url = `http://127.0.0.1:${server.port}/`;
  expect(await (await fetch(url, { method: 'POST', body: 'x'.repeat(500_000) })).text()).toBe('500000');
  expect(await (await fetch(url, { method: 'POST', body: 'xyz' })).text()).toBe('3');
  expect(await raw(server.port, head('POST / HTTP/1.1', closing, 'Content-Length: 4'), 'ab', 'cd')).toMatch(/\r\n4$/);
});

test('a body above its limit: declared is not read, chunked is counted', async () => {
  const { server } = await serve(async (call) => {
    if ((call.contentLength ?? 0) > 100) throw new Failure('PAYLOAD_TOO_LARGE', 'declared');
    return text(200, String((await call.body(100)).length));
  });
  const declared = await raw(server.port, head('POST / HTTP/1.1', 'Content-Length: 101'), 'x');
  expect(statusOf(declared)).toBe(413);
  expect(declared).toContain('Connection: close');
  const chunk = `64\r\n${'x'.repeat(100)}\r\n`;
  const chunked = await raw(server.port, head('POST / HTTP/1.1', 'Transfer-Encoding: chunked'), chunk, chunk);
  expect(statusOf(chunked)).toBe(413);
});

test('the peer of a refused upload gets its answer although it goes on sending', async () => {
  const { server } = await serve(() => text(401, 'no'));
  const pieces = Array.from({ length: 20 }, () => Buffer.alloc(50_000));
  const answer = await raw(server.port, head('POST / HTTP/1.1', 'Content-Length: 5000000'), ...pieces);
  expect(statusOf(answer)).toBe(401);
  expect(answer).toContain('Connection: close');
});

test('a body that does not arrive is 408, headers that do not arrive too', async () => {
  const { server } = await serve(echo, { bodyTimeoutMs: 60 });
  const slow = await raw(server.port, head('POST / HTTP/1.1', 'Content-Length: 5'), 'he');
  expect(statusOf(slow)).toBe(408);
  const { server: other } = await serve(echo, { headersTimeoutMs: 100 });
  expect(statusOf(await raw(other.port, 'GET / HTTP/1.1\r\nHost: x\r\n'))).toBe(408);
});

test('Expect: 100-continue is answered when the body is wanted', async () => {
  const { server } = await serve((call) => (call.path === '/no' ? text(403, 'no') : echo(call)));
  const wanted = await raw(
    server.port,
    head('POST / HTTP/1.1', closing, 'Expect: 100-continue', 'Content-Length: 2'),
    /100 Continue/,
    'hi',
  );
  expect(wanted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
  const refused = await raw(server.port, head('POST /no HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 2'));
  expect(refused).toMatch(/^HTTP\/1\.1 403/);
});

test('headers that drip in are 408 and cut within a second, and what completes them then is not served', async () => {
  const headersTimeoutMs = 1000;
  let served = 0;
  const { server } = await serve(
    () => {
      served++;
      return text(200, 'late');
    },
    { headersTimeoutMs },
  );
  // The server's own end of the connection, and a timer in the same event loop: which comes first does not depend on how busy it is.
  const events: string[] = [];
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    const { destroy } = socket;
    socket.destroy = (...args) => {
      events.push('cut');
      return destroy.apply(socket, args);
    };
    setTimeout(() => events.push('late'), headersTimeoutMs + 1000);
  };
  subscribe('net.server.socket', watch);
  const client = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  client.on('data', (chunk) => {
    received += chunk;
  });
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: x\r\n');
  const drip = setInterval(() => client.write(received === '' ? 'X: y\r\n' : '\r\n'), 50);
  try {
    await expect.poll(() => events).toContain('late');
  } finally {
    clearInterval(drip);
    client.destroy();
    unsubscribe('net.server.socket', watch);
  }
  expect(events[0]).toBe('cut');
  expect(statusOf(received)).toBe(408);
  expect(served).toBe(0);
});

test('request lines and headers have limits', async () => {
  const { server } = await serve(echo, { maxUrlBytes: 1000, maxHeaderBytes: 2000 });
  const get = (path: string, ...headers: string[]) =>
    raw(server.port, head(`GET ${path} HTTP/1.1`, closing, ...headers));
  expect(statusOf(await get(`/${'a'.repeat(900)}`))).toBe(200);
  expect(statusOf(await get(`/${'a'.repeat(1000)}`))).toBe(414);
  expect(statusOf(await get(`/${'a'.repeat(50_000)}`))).toBe(414);
  expect(statusOf(await get('/', `X: ${'a'.repeat(2000)}`))).toBe(431);
  expect(statusOf(await get('/', `X: ${'a'.repeat(200_000)}`))).toBe(431);
  expect(statusOf(await get('/', ...Array.from({ length: 101 }, (_, i) => `X${i}: 1`)))).toBe(431);
});

test('what is not HTTP, and what two parsers could read in two ways, is 400 and closes', async () => {
  const { server } = await serve(echo);
  const post = (...headers: string[]) => head('POST / HTTP/1.1', ...headers);
  for (const bytes of [
    'nonsense\r\n\r\n',
    head('GET / HTTP/9.9'),
    head('GET /a b HTTP/1.1'),
    `${post('Content-Length: 5', 'Content-Length: 6')}hello`,
    `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n`,
    `${post('Transfer-Encoding: xchunked')}0\r\n\r\n`,
    `${post('Content-Length: -1')}`,
    `${post('Content-Length: +5')}hello`,
    `${post('Transfer-Encoding: chunked')}zz\r\n\r\n`,
    'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n folded\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'GET / HTTP/1.1\nHost: x\n\n',
  ]) {
    const answer = await raw(server.port, bytes);
    expect([statusOf(answer), answer.includes('Connection: close')], JSON.stringify(bytes)).toEqual([400, true]);
  }
});

test('streams are written as they come and cancelled when the peer goes away', async () => {
  let ended = '';
  async function* numbers() {
    try {
      for (let i = 0; ; i++) {
        yield `${i}\n`;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      ended = 'cancelled';
    }
  }
  const { server } = await serve(() => ({ status: 200, headers: ['Content-Type', 'text/plain'], body: numbers() }));
  const controller = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, { signal: controller.signal });
  const reader = answer.body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toMatch(/^0\n/);
  controller.abort();
  await expect.poll(() => ended).toBe('cancelled');
});

test('a peer that reads nothing is cut off, one that reads slowly is not', async () => {
  const large = 'x'.repeat(24 * 1024 * 1024);
  let ended = 0;
  async function* endless() {
    try {
      for (;;) yield large.slice(0, 65_536);
    } finally {
      ended++;
    }
  }
  const whole = text(200, large);
  const { server } = await serve(
    (call) =>
      call.path === '/whole' ? whole : { status: 200, headers: ['Content-Type', 'text/plain'], body: endless() },
    { bodyTimeoutMs: 500 },
  );
  const closed: string[] = [];
  const ask = (path: string) => {
    const client = connect(server.port, '127.0.0.1');
    client.on('error', () => {});
    client.on('close', () => closed.push(path));
    client.pause();
    client.write(head(`GET ${path} HTTP/1.1`));
    return client;
  };
  const stuck = [ask('/whole'), ask('/endless')];
  const slow = ask('/whole');
  let received = 0;
  // Long enough to be cut off, a megabyte at a time.
  slow.resume();
  slow.on('data', (chunk) => {
    received += chunk.length;
    if (received % 1_000_000 < chunk.length) {
      slow.pause();
      setTimeout(() => slow.resume(), 60);
    }
  });
  await expect.poll(() => ended).toBe(1);
  await expect.poll(() => received > large.length).toBe(true);
  expect(closed).toEqual([]); // who reads nothing learns of its end when it does
  for (const client of stuck) client.resume();
  await expect.poll(() => [...closed].sort()).toEqual(['/endless', '/whole']);
  slow.destroy();
});

test('calls whose answers wait behind another one hear that their peer went away', async () => {
  const ended: string[] = [];
  async function* numbers() {
    try {
      for (let i = 0; ; i++) yield `${i} ${'x'.repeat(1000)}\n`;
    } finally {
      ended.push('stream');
    }
  }
  const never = (call: Call) =>
    new Promise<Reply>(() => {
      call.onGone(() => ended.push(call.path));
    });
  let taken = 0;
  const { server } = await serve((call) => {
    taken++;
    return call.path === '/stream'
      ? { status: 200, headers: ['Content-Type', 'text/plain'], body: numbers() }
      : never(call);
  });
  const client = connect(server.port, '127.0.0.1');
  client.on('error', () => {});
  const requests = ['/first', '/stream', '/last'].map((path) => head(`GET ${path} HTTP/1.1`));
  client.write(requests.join(''));
  await expect.poll(() => taken).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(ended).toEqual([]);
  client.resetAndDestroy();
  await expect.poll(() => [...ended].sort()).toEqual(['/first', '/last', 'stream']);
});

test('the call hears that its peer went away', async () => {
  let heard = false;
  const controller = new AbortController();
  const { server } = await serve(
    (call) =>
      new Promise(() => {
        call.signal.addEventListener('abort', () => {
          heard = true;
        });
        setTimeout(() => controller.abort(), 50);
      }),
  );
  const answer = fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: '{}', signal: controller.signal });
  await expect(answer).rejects.toThrow();
  await expect.poll(() => heard).toBe(true);
});

test('HEAD has the head of GET', async () => {
  const { server } = await serve(() => text(200, 'hello'));
  const answer = await raw(server.port, head('HEAD / HTTP/1.1', closing));
  expect(answer).toContain('Content-Length: 5');
  expect(answer.endsWith('\r\n\r\n')).toBe(true);
});

test('a port that is taken is told by its code', async () => {
  const { server } = await serve(echo);
  const app = { lifecycle: createLifecycle() } as unknown as App;
  const limits = {
    maxUrlBytes: 1,
    maxHeaderBytes: 1,
    maxConnections: 1,
    headersTimeoutMs: 1,
    bodyTimeoutMs: 1,
    keepaliveMs: 1,
  };
  await expect(serveLocal(app, { host: '127.0.0.1', port: server.port, limits })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

test('drain: running calls end, new ones on open connections get 503, then nothing is accepted', async () => {
  let release: (() => void) | undefined;
  const { server } = await serve((call) =>
    call.path === '/wait'
      ? new Promise((resolve) => {
          release = () => resolve(text(200, 'done'));
        })
      : text(200, 'quick'),
  );
  const kept = connect(server.port, '127.0.0.1');
  let received = '';
  kept.on('data', (chunk) => {
    received += chunk;
  });
  kept.write(head('GET /quick HTTP/1.1'));
  await expect.poll(() => received).toContain('quick');
  const waiting = fetch(`http://127.0.0.1:${server.port}/wait`);
  await expect.poll(() => release).toBeDefined();
  const drained = server.drain({ delayMs: 0, timeoutMs: 5000 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  received = '';
  kept.write(head('GET /quick HTTP/1.1'));
  await expect.poll(() => received).toContain('SERVICE_UNAVAILABLE');
  expect(received).toContain('Connection: close');
  await expect(fetch(`http://127.0.0.1:${server.port}/quick`)).rejects.toThrow();
  release!();
  expect(await (await waiting).text()).toBe('done');
  expect(await drained).toBe(true);
  kept.destroy();
});

test('drain gives up after its time', async () => {
  let taken = false;
  const { server } = await serve(() => {
    taken = true;
    return new Promise(() => {});
  });
  const waiting = fetch(`http://127.0.0.1:${server.port}/`).catch((error) => error);
  await expect.poll(() => taken).toBe(true);
  expect(await server.drain({ delayMs: 0, timeoutMs: 50 })).toBe(false);
  expect(await waiting).toBeInstanceOf(Error);
});

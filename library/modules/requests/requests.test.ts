import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import { load } from '../../registry.ts';
import * as $ from '../../values/index-of-runtime.ts';
import '../../modules.ts';
import { b } from '../../builtins/table.ts';
import { makeRequests } from './requests.ts';

await load('requests');

const requests = makeModule('requests', makeRequests());
let server: Server;
let base = '';

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://x');
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    switch (url.pathname) {
      case '/echo':
        return json({
          method: request.method,
          query: url.search,
          headers: request.headers,
          body: await bodyOf(request),
        });
      case '/text':
        response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
        return response.end('grüße\nline 2');
      case '/latin':
        response.writeHead(200, { 'Content-Type': 'text/plain' });
        return response.end(Buffer.from('gr\xfc\xdfe', 'latin1'));
      case '/gzip':
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
        return response.end(gzipSync('{"packed": true}'));
      case '/missing':
        return json({ error: 'no' }, 404);
      case '/broken':
        return response.writeHead(503).end();
      case '/hop':
        return response.writeHead(302, { Location: '/echo?from=hop', 'Set-Cookie': 'seen=yes; Path=/' }).end();
      case '/loop':
        return response.writeHead(301, { Location: '/loop' }).end();
      case '/cookies':
        response.setHeader('Set-Cookie', ['a=1; Path=/', 'gone=x; Max-Age=0']);
        return json({});
      case '/never':
        return undefined;
      default:
        return response.end('not json');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as any).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (path: string, kwargs: Record<string, unknown> = {}) => $.callkw(requests.get, [base + path], kwargs);
const json = (response: any): any => $.callMethod(response, 'json');

test('get: status, headers, content', async () => {
  const r = await get('/text');
  expect([r.status_code, r.ok, r.reason, r.text, r.encoding]).toEqual([200, true, 'OK', 'grüße\nline 2', 'utf-8']);
  expect($.getitem(r.headers, 'content-TYPE')).toBe('text/plain; charset=utf-8');
  expect($.callMethod(r.headers, 'get', 'nope')).toBeUndefined();
  expect($.callMethod(r.headers, 'get', 'nope', 1)).toBe(1);
  expect($.repr(r)).toBe('<Response [200]>');
  expect($.repr(r.content)).toBe("b'gr\\xc3\\xbc\\xc3\\x9fe\\nline 2'");
  expect([...$.iter($.callMethodKw(r, 'iter_lines', [], { decode_unicode: true }))]).toEqual(['grüße', 'line 2']);
  expect([...$.iter($.callMethodKw(r, 'iter_content', [], { chunk_size: 10 }))]).toHaveLength(2);
  expect((await get('/latin')).text).toBe('grüße');
  expect($.repr(json(await get('/gzip')))).toBe("{'packed': True}");
});

test('parameters, forms, JSON, files and credentials', async () => {
  const params = $.Dict.of('q', 'a b', 'n', [1, 2], 'none', null);
  expect($.getitem(json(await get('/echo?x=1', { params })), 'query')).toBe('?x=1&q=a+b&n=1&n=2');
  const posted = json(await $.callkw(requests.post, [`${base}/echo`], { json: $.Dict.of('a', [1, null]) }));
  expect($.getitem(posted, 'body')).toBe('{"a": [1, null]}');
  expect($.getitem($.getitem(posted, 'headers'), 'content-type')).toBe('application/json');
  const form = json(await $.call(requests.post, `${base}/echo`, $.Dict.of('a', 1, 'b', 'ü')));
  expect([$.getitem(form, 'body'), $.getitem($.getitem(form, 'headers'), 'content-type')]).toEqual([
    'a=1&b=%C3%BC',
    'application/x-www-form-urlencoded',
  ]);
  expect($.getitem(json(await $.callkw(requests.put, [`${base}/echo`], { data: 'raw' })), 'body')).toBe('raw');
  const upload = json(
    await $.callkw(requests.post, [`${base}/echo`], {
      files: $.Dict.of('f', $.tuple('n.txt', 'text', 'text/plain')),
      data: $.Dict.of('k', 'v'),
    }),
  );
  expect($.getitem(upload, 'body')).toContain(
    'Content-Disposition: form-data; name="f"; filename="n.txt"\r\nContent-Type: text/plain\r\n\r\ntext\r\n',
  );
  const headers = $.getitem(
    json(await get('/echo', { auth: $.tuple('me', 'pw'), headers: $.Dict.of('X-A', '1') })),
    'headers',
  );
  expect([$.getitem(headers, 'authorization'), $.getitem(headers, 'x-a')]).toEqual(['Basic bWU6cHc=', '1']);
  expect($.getitem(json(await $.callkw(requests.delete, [`${base}/echo`])), 'method')).toBe('DELETE');
  expect(
    $.getitem(json(await $.callkw(requests.request, ['get', `${base}/echo`], { data: 'body of a get' })), 'body'),
  ).toBe('body of a get');
});

test('failures', async () => {
  const r = await get('/missing');
  expect(b['bool'](r)).toBe(false);
  expect(() => r.raise_for_status()).toThrow(`404 Client Error: Not Found for url: ${base}/missing`);
  try {
    (await get('/broken')).raise_for_status();
  } catch (e: any) {
    expect([$.str(e), e.response.status_code]).toEqual([
      `503 Server Error: Service Unavailable for url: ${base}/broken`,
      503,
    ]);
    expect($.excMatch(e, requests.exceptions.RequestException)).toBe(true);
    expect($.excMatch(e, requests.ConnectionError)).toBe(false);
    expect($.excMatch(e, $.OSError)).toBe(true);
  }
  const bad = await get('/other');
  expect(() => json(bad)).toThrow('Expecting value: line 1 column 1 (char 0)');
  expect(() => json(bad)).toThrow(requests.exceptions.JSONDecodeError);
  expect(() => json(bad)).toThrow($.ValueError);
  await expect(get('/never', { timeout: 0.05 })).rejects.toThrow(/Read timed out\. \(read timeout=0\.05\)/);
  await expect(get('/never', { timeout: 0.05 })).rejects.toBeInstanceOf(requests.Timeout);
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const port = (closed.address() as any).port;
  await new Promise((resolve) => closed.close(resolve));
  const refused = $.call(requests.get, `http://127.0.0.1:${port}/x`);
  await expect(refused).rejects.toBeInstanceOf(requests.ConnectionError);
  await expect(refused).rejects.toThrow(/Max retries exceeded with url: \/x .*Connection refused/);
  expect(() => $.call(requests.get, 'example.org')).toThrow(
    "Invalid URL 'example.org': No scheme supplied. Perhaps you meant https://example.org?",
  );
  expect(() => $.call(requests.get, 'ftp://x')).toThrow(requests.exceptions.InvalidSchema);
  expect(() => get('/', { wrong: 1 })).toThrow("got an unexpected keyword argument 'wrong'");
});

test('redirects', async () => {
  const r = await get('/hop');
  expect([r.status_code, r.url, r.history.map((one: any) => one.status_code)]).toEqual([
    200,
    `${base}/echo?from=hop`,
    [302],
  ]);
  expect((await get('/hop', { allow_redirects: false })).status_code).toBe(302);
  expect($.getitem(json(await $.callkw(requests.post, [`${base}/hop`], { data: 'x' })), 'method')).toBe('GET');
  await expect(get('/loop')).rejects.toThrow('Exceeded 30 redirects.');
});

test('sessions keep headers and cookies', async () => {
  const s = $.call(requests.Session);
  $.callMethod(s.headers, 'update', $.Dict.of('X-Token', 't'));
  const first = await $.callMethod(s, 'get', `${base}/cookies`);
  expect($.repr($.callMethod(first.cookies, 'get_dict'))).toBe("{'a': '1'}");
  const headers = $.getitem(json(await $.callMethod(s, 'get', `${base}/echo`)), 'headers');
  expect([$.getitem(headers, 'cookie'), $.getitem(headers, 'x-token')]).toEqual(['a=1', 't']);
  const prepared = $.callMethod($.callkw(requests.Request, ['POST', `${base}/echo`], { json: 1 }), 'prepare');
  expect($.getitem(json(await $.callMethod(s, 'send', prepared)), 'body')).toBe('1');
  expect(requests.codes[Symbol.toPrimitive]).toBeUndefined();
  expect($.getattr(requests.codes, 'not_found')).toBe(404);
});

test('a server that garbles or breaks off what it sends fails the request, by either way of sending', async () => {
  const answers: Readonly<Record<string, string>> = {
    garbled: 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\n\r\nnothing',
    'cut off': 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome',
    'no HTTP': 'SSH-2.0-OpenSSH\r\n',
    'reset at once': '',
  };
  let answer = '';
  const bad = createNetServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      if (answer === '') socket.resetAndDestroy();
      else socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => bad.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(bad.address() as AddressInfo).port}/`;
  try {
    for (const [name, bytes] of Object.entries(answers)) {
      answer = bytes;
      for (const verify of [true, false]) {
        const sent = $.callkw(requests.get, [url], { verify });
        await expect(sent, `${name}, ${verify ? 'by fetch' : 'by node:http'}`).rejects.toBeInstanceOf(
          requests.RequestException,
        );
      }
    }
  } finally {
    bad.close();
  }
});
